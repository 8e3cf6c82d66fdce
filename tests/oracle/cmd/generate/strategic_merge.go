package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"convoy-lsp/oracle/internal/oracle"
)

// strategicCase is one line of the files of strategic merges.
type strategicCase struct {
	Name       string `json:"name"`
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Doc        string `json:"doc"`
	Patch      string `json:"patch"`
	strategicAnswer
	// Any has all answers where the library draws one by chance, because it
	// walks a Go map.
	Any []strategicAnswer `json:"any,omitempty"`
}

type strategicAnswer struct {
	Result string `json:"result,omitempty"`
	Error  string `json:"error,omitempty"`
}

// mostAnswers is how many answers a case may have. Where there are more, not
// all of them may have been met.
const mostAnswers = 4

// answer puts the question many times.
func (c *strategicCase) answer() error {
	request, err := oracle.NewRequest(map[string]any{
		"op": "strategic-merge", "apiVersion": c.APIVersion, "kind": c.Kind, "doc": c.Doc, "patch": c.Patch,
	})
	if err != nil {
		return err
	}
	var answers []strategicAnswer
	for range repeats {
		given, err := ask(request)
		if err != nil {
			return err
		}
		one := strategicAnswer{}
		if reason, ok := given["panic"].(string); ok {
			one.Error = "panic: " + reason
		} else {
			one.Result, _ = given["result"].(string)
			one.Error, _ = given["error"].(string)
		}
		if !slices.Contains(answers, one) {
			answers = append(answers, one)
		}
	}
	if len(answers) > mostAnswers {
		return fmt.Errorf("%s: %d answers", c.Name, len(answers))
	}
	c.strategicAnswer, c.Any = strategicAnswer{}, nil
	if len(answers) == 1 {
		c.strategicAnswer = answers[0]
		return nil
	}
	slices.SortFunc(answers, func(a, b strategicAnswer) int {
		return strings.Compare(a.Error+a.Result, b.Error+b.Result)
	})
	c.Any = answers
	return nil
}

// strategicMergeFound answers the questions that stand in the file itself.
func strategicMergeFound(folder string) ([]any, error) {
	text, err := os.ReadFile(filepath.Join(folder, "strategic-merge-found.jsonl"))
	if err != nil {
		return nil, err
	}
	var cases []any
	for i, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var one strategicCase
		if err := json.Unmarshal(line, &one); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		if err := one.answer(); err != nil {
			return nil, err
		}
		cases = append(cases, one)
	}
	return cases, nil
}

func strategicMergeVectors(string) ([]any, error) {
	var cases []any
	for topic, rows := range strategicTables {
		for i, row := range rows {
			kind := row[0]
			apiVersion := strategicKinds[kind]
			doc, patch := row[1], row[2]
			one := strategicCase{
				Name: fmt.Sprintf("%s-%02d", strategicTopics[topic], i+1), APIVersion: apiVersion, Kind: kind,
				Doc: doc, Patch: patch,
			}
			if err := one.answer(); err != nil {
				return nil, err
			}
			cases = append(cases, one)
		}
	}
	return cases, nil
}

var strategicKinds = map[string]string{
	"Pod": "v1", "Service": "v1", "ConfigMap": "v1", "Secret": "v1", "ServiceAccount": "v1", "Node": "v1", "PersistentVolume": "v1",
	"Deployment": "apps/v1", "Ingress": "networking.k8s.io/v1", "Job": "batch/v1", "CustomResourceDefinition": "apiextensions.k8s.io/v1",
	"Lease": "coordination.k8s.io/v1", "ControllerRevision": "apps/v1", "Widget": "example.com/v1", "HorizontalPodAutoscaler": "autoscaling/v2",
	"ValidatingWebhookConfiguration": "admissionregistration.k8s.io/v1", "": "v1",
}

var strategicTopics = []string{
	"object", "null", "directive", "items", "order", "primitive", "retain", "element-order", "delete-list", "type", "special", "number",
	"memory",
}

const twoContainers = `{"spec":{"containers":[{"name":"a","image":"x","ports":[{"containerPort":80}]},{"name":"b","image":"y"}]}}`

// strategicTables has the situations that have a name, topic by topic: a kind,
// an object and a patch.
var strategicTables = [][][3]string{
	{ // object: what both sides are
		{"Pod", `{}`, `{}`}, {"Pod", `null`, `{}`}, {"Pod", `{}`, `null`}, {"Pod", `null`, `null`}, {"Pod", ``, `{}`},
		{"Pod", `{}`, ``}, {"Pod", `[]`, `{}`}, {"Pod", `{}`, `[]`}, {"Pod", `{}`, `"x"`}, {"Pod", `{}`, `1`}, {"Pod", `{"a":1`, `{}`},
		{"Pod", `{"spec":{"nodeName":"a"}}`, `null`}, {"Pod", `{"spec":null}`, `{"spec":{"nodeName":"b"}}`},
		{"Pod", `{"a":1}`, `{"b":2,"b":3}`}, {"Widget", `{}`, `{}`}, {"Widget", `{"spec":{}}`, `{"spec":{"a":1}}`}, {"", `{}`, `{}`},
		{"Pod", `{"nope":{"a":1}}`, `{"nope":{"b":2}}`}, {"Pod", `{"nope":1}`, `{"nope":2}`}, {"Pod", `{}`, `{"nope":{"a":{"b":null}}}`},
		{"Pod", `{"spec":{"nope":{}}}`, `{"spec":{"nope":{}}}`}, {"Pod", `{"spec":{"nope":[]}}`, `{"spec":{"nope":[]}}`},
		{"Pod", `{"spec":{"nope":[1]}}`, `{"spec":{"nope":["a"]}}`}, {"Pod", `{"":{}}`, `{"":{}}`}, {"Pod", `{"a/b":{}}`, `{"a/b":{"c":1}}`},
		{"Pod", `{"SPEC":{"nodeName":"a"}}`, `{"SPEC":{"hostname":"b"}}`}, {"Pod", `{"Spec":{"Containers":[{"name":"a"}]}}`, `{"Spec":{"Containers":[{"name":"a","image":"x"}]}}`},
		{"Pod", `{"ſpec":{"NodeSelector":{"a":"1"}}}`, `{"ſpec":{"NodeSelector":{"b":"2"}}}`}, {"Pod", `{"ſpec":{"toKenX":{}}}`, `{"ſpec":{"toKenX":{}}}`},
		{"Deployment", `{"spec":{"replicas":1,"paused":true}}`, `{"spec":{"replicas":3}}`},
		{"Deployment", `{"metadata":{"labels":{"a":"1","b":"2"}}}`, `{"metadata":{"labels":{"a":null,"c":"3"}}}`},
		{"ConfigMap", `{"data":{"a":"1"}}`, `{"data":{"b":"2","a":null}}`}, {"ConfigMap", `{"data":{"a":{"x":1}}}`, `{"data":{"a":{"y":1}}}`},
		{"ConfigMap", `{"data":{"a":[1]}}`, `{"data":{"a":[2]}}`}, {"Secret", `{"data":{"a":"MQ=="}}`, `{"data":{"a":[1]}}`},
	},
	{ // null
		{"Pod", `{"spec":{"nodeName":"a","hostname":"b"}}`, `{"spec":{"nodeName":null}}`}, {"Pod", `{"spec":{"nodeName":"a"}}`, `{"spec":null}`},
		{"Pod", `{"spec":{"nodeName":"a"}}`, `{"spec":{"hostname":null}}`}, {"Pod", `{}`, `{"spec":{"hostname":null,"nodeName":"x"}}`},
		{"Pod", `{}`, `{"spec":{"containers":[{"name":"a","image":null}]}}`}, {"Pod", `{"spec":{"containers":[]}}`, `{"spec":{"containers":[{"name":"a","image":null}]}}`},
		{"Pod", twoContainers, `{"spec":{"containers":[{"name":"c","image":null}]}}`}, {"Pod", twoContainers, `{"spec":{"containers":[{"name":"a","image":null}]}}`},
		{"Pod", twoContainers, `{"spec":{"containers":null}}`}, {"Pod", twoContainers, `{"spec":{"containers":[null]}}`},
		{"Pod", twoContainers, `{"spec":{"containers":[{"name":"a"},null]}}`}, {"Pod", `{"spec":{"containers":[null]}}`, `{"spec":{"containers":[{"name":"a"}]}}`},
		{"Pod", `{"spec":{"containers":null}}`, `{"spec":{"containers":[{"name":"a","image":null}]}}`}, {"Pod", `{"spec":1}`, `{"spec":{"a":null,"b":[{"c":null},null]}}`},
		{"Pod", `{"spec":{"tolerations":[{"key":"a"}]}}`, `{"spec":{"tolerations":[{"key":"b","value":null}]}}`}, {"Pod", `{"spec":{"tolerations":[null]}}`, `{"spec":{"tolerations":[null]}}`},
		{"Pod", `{"spec":{"containers":[{"name":null,"image":"x"}]}}`, `{"spec":{"containers":[{"name":null,"image":"y"}]}}`},
		{"Pod", `{"spec":{"nodeName":null}}`, `{"spec":{"nodeName":null}}`}, {"Pod", `{"spec":{"nodeName":null}}`, `{"spec":{"hostname":"a"}}`},
		{"Pod", `{"metadata":{"finalizers":["a"]}}`, `{"metadata":{"finalizers":[null]}}`}, {"Pod", `{"metadata":{"finalizers":[]}}`, `{"metadata":{"finalizers":[null]}}`},
		{"Deployment", `{"spec":{"template":{"spec":{"volumes":[{"name":"v","emptyDir":{}}]}}}}`, `{"spec":{"template":{"spec":{"volumes":[{"name":"v","emptyDir":null,"secret":{"secretName":"s"}}]}}}}`},
	},
	{ // directive
		{"Pod", `{"spec":{"nodeName":"a"}}`, `{"$patch":"delete"}`}, {"Pod", `{"spec":{"nodeName":"a"}}`, `{"$patch":"replace","kind":"Pod"}`},
		{"Pod", `{"spec":{"nodeName":"a"}}`, `{"$patch":"merge","kind":"Pod"}`}, {"Pod", `{}`, `{"$patch":""}`}, {"Pod", `{}`, `{"$patch":null}`},
		{"Pod", `{}`, `{"$patch":1}`}, {"Pod", `{}`, `{"$patch":1.5}`}, {"Pod", `{}`, `{"$patch":true,"b":2,"a":[1,"x",null,{"k":false}]}`},
		{"Pod", `{}`, `{"$patch":{"a":1,"b":"x","c":null}}`}, {"Pod", `{}`, `{"$patch":[1,"x",null,[],{}]}`}, {"Pod", `{}`, `{"$patch":"Delete"}`},
		{"Pod", `{"spec":{"nodeName":"a"}}`, `{"spec":{"$patch":"delete"}}`}, {"Pod", `{"spec":{"nodeName":"a"}}`, `{"spec":{"$patch":"delete","hostname":"b"}}`},
		{"Pod", `{"spec":{"nodeName":"a"}}`, `{"spec":{"$patch":"replace","hostname":"b","x":null,"y":{"$patch":"delete"}}}`},
		{"Pod", `{}`, `{"spec":{"$patch":"delete"}}`}, {"Pod", `{}`, `{"spec":{"$patch":"replace","hostname":"b"}}`}, {"Pod", `{}`, `{"spec":{"$patch":null,"hostname":"b"}}`},
		{"Pod", `{"spec":1}`, `{"spec":{"$patch":"delete"}}`}, {"Pod", `{"spec":1}`, `{"spec":{"affinity":{"$patch":"x"},"hostname":"a"}}`},
		{"Pod", `{"metadata":{"labels":{"a":"1"}}}`, `{"metadata":{"labels":{"$patch":"replace","b":"2"}}}`}, {"Pod", `{"metadata":{"labels":{"a":"1"}}}`, `{"metadata":{"labels":{"$patch":"delete"}}}`},
		{"Pod", `{"metadata":{"labels":{}}}`, `{"metadata":{"labels":{"$patch":"merge"}}}`}, {"Pod", `{"$patch":"delete","a":1}`, `{"b":1}`},
		{"Pod", `{"spec":{"$patch":"delete","nodeName":"a"}}`, `{"spec":{"hostname":"b"}}`}, {"Pod", `{}`, `{"spec":{"$retainKeys":["a"],"$setElementOrder/containers":[]}}`},
		{"Deployment", `{"spec":{"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1}}}}`, `{"spec":{"strategy":{"$patch":"replace","type":"Recreate"}}}`},
		{"Pod", twoContainers, `{"spec":{"containers":[{"name":"a","$patch":"delete"}]}}`}, {"Pod", twoContainers, `{"spec":{"containers":[{"name":"c","$patch":"delete"}]}}`},
		{"Pod", twoContainers, `{"spec":{"containers":[{"$patch":"delete"}]}}`}, {"Pod", twoContainers, `{"spec":{"containers":[{"$patch":"replace"}]}}`},
		{"Pod", twoContainers, `{"spec":{"containers":[{"name":"c"},{"$patch":"replace"},{"name":"d"}]}}`}, {"Pod", twoContainers, `{"spec":{"containers":[{"name":"c"},{"$patch":"replace"},{"image":"d"}]}}`},
		{"Pod", twoContainers, `{"spec":{"containers":[{"name":"a","$patch":"replace","image":"z"}]}}`}, {"Pod", twoContainers, `{"spec":{"containers":[{"name":"a","$patch":"merge"}]}}`},
		{"Pod", twoContainers, `{"spec":{"containers":[{"name":"a","$patch":"x"}]}}`}, {"Pod", twoContainers, `{"spec":{"containers":[{"name":"a","$patch":null}]}}`},
		{"Pod", twoContainers, `{"spec":{"containers":[{"name":"a","$patch":"delete"},{"name":"a","image":"new"}]}}`}, {"Pod", twoContainers, `{"spec":{"containers":[{"name":"c"},{"name":"b","$patch":"delete"}]}}`},
		{"Pod", twoContainers, `{"spec":{"containers":[{"name":"a","$patch":"delete"},{"name":"b","$patch":"delete"}]}}`}, {"Pod", twoContainers, `{"spec":{"containers":[{"name":{},"$patch":"delete"}]}}`},
		{"Pod", `{"spec":{"containers":[{"name":{}}]}}`, `{"spec":{"containers":[{"name":{},"$patch":"delete"}]}}`}, {"Pod", `{}`, `{"spec":{"containers":[{"name":"a","$patch":"delete"},{"name":"b"}]}}`},
		{"Pod", `{"spec":{"containers":[{"name":"a","$patch":"delete"},{"name":"b"}]}}`, `{"spec":{"containers":[{"name":"b","image":"x"}]}}`},
		{"Pod", `{"spec":{"tolerations":[{"key":"a"}]}}`, `{"spec":{"tolerations":[{"$patch":"replace"},{"key":"b"}]}}`}, {"Pod", twoContainers, `{"spec":{"containers":[{"name":"c","env":[{"name":"E","$patch":"delete"}]}]}}`},
		{"Service", `{"spec":{"ports":[{"port":80},{"port":443}]}}`, `{"spec":{"ports":[{"port":80,"$patch":"delete"}]}}`},
	},
	{ // items
		{"Pod", twoContainers, `{"spec":{"containers":[{"name":"b","image":"z"}]}}`}, {"Pod", twoContainers, `{"spec":{"containers":[{"image":"z"}]}}`},
		{"Pod", `{"spec":{"containers":[{"image":"x"}]}}`, `{"spec":{"containers":[{"name":"a"}]}}`}, {"Pod", `{"spec":{"containers":[{"image":"x"}]}}`, `{"spec":{"containers":[{"image":"a"}]}}`},
		{"Pod", twoContainers, `{"spec":{"containers":[{"name":"a","image":"1"},{"name":"a","image":"2"}]}}`}, {"Pod", twoContainers, `{"spec":{"containers":[{"name":"c","image":"1"},{"name":"c","image":"2","args":[]}]}}`},
		{"Pod", `{"spec":{"containers":[{"name":"a","image":"1"},{"name":"a","image":"2"}]}}`, `{"spec":{"containers":[{"name":"a","image":"3"}]}}`},
		{"Pod", twoContainers, `{"spec":{"containers":[{"name":"a","ports":[{"containerPort":81},{"containerPort":80,"protocol":"UDP"}]}]}}`},
		{"Pod", twoContainers, `{"spec":{"containers":[{"name":"a","ports":[{"name":"http"}]}]}}`}, {"Pod", twoContainers, `{"spec":{"containers":["a"]}}`},
		{"Pod", twoContainers, `{"spec":{"containers":[["a"]]}}`}, {"Pod", `{"spec":{"containers":["a"]}}`, `{"spec":{"containers":["b"]}}`}, {"Pod", `{"spec":{"containers":[["a"]]}}`, `{"spec":{"containers":["b"]}}`},
		{"Pod", twoContainers, `{"spec":{"containers":{"name":"a"}}}`}, {"Pod", twoContainers, `{"spec":{"containers":"a"}}`}, {"Pod", `{"spec":{"containers":{"name":"a"}}}`, `{"spec":{"containers":{"name":"b"}}}`},
		{"Pod", `{"spec":{"containers":{"ports":[1]}}}`, `{"spec":{"containers":{"ports":[2]}}}`}, {"Pod", twoContainers, `{"spec":{"containers":[]}}`}, {"Pod", `{"spec":{"containers":[]}}`, `{"spec":{"containers":[]}}`},
		{"Pod", `{"spec":{"containers":[{"name":{}}]}}`, `{"spec":{"containers":[{"name":{}}]}}`}, {"Pod", `{"spec":{"containers":[{"name":[]},{"name":"b"}]}}`, `{"spec":{"containers":[{"name":"a"}]}}`},
		{"Pod", `{"spec":{"containers":[{"name":"a","command":["x","y"]}]}}`, `{"spec":{"containers":[{"name":"a","command":["z"]}]}}`},
		{"Pod", `{"spec":{"containers":[{"name":"a","env":[{"name":"E","value":"1"}]}]}}`, `{"spec":{"containers":[{"name":"a","env":[{"name":"E","value":null,"valueFrom":{}},{"name":"F","value":"2"}]}]}}`},
		{"Pod", `{"spec":{"containers":[{"name":"a","volumeMounts":[{"name":"v","mountPath":"/a"}]}]}}`, `{"spec":{"containers":[{"name":"a","volumeMounts":[{"name":"v","mountPath":"/b"}]}]}}`},
		{"Pod", `{"spec":{"topologySpreadConstraints":[{"topologyKey":"z","maxSkew":1}]}}`, `{"spec":{"topologySpreadConstraints":[{"topologyKey":"z","maxSkew":2}]}}`},
		{"Pod", `{"spec":{"hostAliases":[{"ip":"1.1.1.1","hostnames":["a"]}]}}`, `{"spec":{"hostAliases":[{"ip":"1.1.1.1","hostnames":["b"]}]}}`}, {"Pod", `{"spec":{"imagePullSecrets":[{"name":"a"}]}}`, `{"spec":{"imagePullSecrets":[{"name":"b"}]}}`},
		{"Service", `{"spec":{"ports":[{"port":80,"name":"http"}]}}`, `{"spec":{"ports":[{"port":80,"targetPort":8080},{"port":443}]}}`}, {"Service", `{"spec":{"ports":[{"port":80}]}}`, `{"spec":{"ports":[{"name":"http"}]}}`},
		{"Ingress", `{"spec":{"rules":[{"host":"a"},{"host":"b"}]}}`, `{"spec":{"rules":[{"host":"c"}]}}`}, {"Ingress", `{"spec":{"tls":[{"hosts":["a"]}]}}`, `{"spec":{"tls":[]}}`},
		{"ServiceAccount", `{"secrets":[{"name":"a"}],"imagePullSecrets":[{"name":"p"}]}`, `{"secrets":[{"name":"b"}],"imagePullSecrets":[{"name":"q"}]}`},
		{"Node", `{"status":{"addresses":[{"type":"A","address":"1"},{"type":"A","address":"2"}]}}`, `{"status":{"addresses":[{"type":"A","address":"3"}]}}`},
		{"Node", `{"spec":{"podCIDRs":["a"]}}`, `{"spec":{"podCIDRs":["b","a"]}}`}, {"Job", `{"status":{"conditions":[{"type":"A","status":"1"}]}}`, `{"status":{"conditions":[{"type":"B"},{"type":"A","status":"2"}]}}`},
		{"ValidatingWebhookConfiguration", `{"webhooks":[{"name":"a","rules":[{"operations":["*"]}]}]}`, `{"webhooks":[{"name":"a","rules":[]},{"name":"b"}]}`},
		{"Deployment", `{"metadata":{"ownerReferences":[{"uid":"1","name":"a"}]}}`, `{"metadata":{"ownerReferences":[{"uid":"1","name":"b"},{"uid":"2"}]}}`},
	},
	{ // order: of new items
		{"Pod", twoContainers, `{"spec":{"containers":[{"name":"c"}]}}`}, {"Pod", twoContainers, `{"spec":{"containers":[{"name":"c"},{"name":"a"}]}}`},
		{"Pod", twoContainers, `{"spec":{"containers":[{"name":"a"},{"name":"c"}]}}`}, {"Pod", twoContainers, `{"spec":{"containers":[{"name":"b"},{"name":"a"}]}}`},
		{"Pod", twoContainers, `{"spec":{"containers":[{"name":"c"},{"name":"b"}]}}`}, {"Pod", twoContainers, `{"spec":{"containers":[{"name":"b"},{"name":"c"}]}}`},
		{"Pod", `{"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"}]}}`, `{"spec":{"containers":[{"name":"d"},{"name":"x"},{"name":"b"}]}}`},
		{"Pod", `{"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"}]}}`, `{"spec":{"containers":[{"name":"c"},{"name":"y"},{"name":"d"},{"name":"x"}]}}`},
		{"Pod", `{"metadata":{"finalizers":["a","b","c"]}}`, `{"metadata":{"finalizers":["c","x","a"]}}`}, {"Pod", `{"metadata":{"finalizers":["a","b","c"]}}`, `{"metadata":{"finalizers":["x"]}}`},
	},
	{ // primitive: lists of scalars that are merged
		{"Pod", `{"metadata":{"finalizers":["a","b"]}}`, `{"metadata":{"finalizers":["b","c"]}}`}, {"Pod", `{"metadata":{"finalizers":["a","a","b"]}}`, `{"metadata":{"finalizers":["c","c"]}}`},
		{"Pod", `{"metadata":{"finalizers":["a"]}}`, `{"metadata":{"finalizers":[1]}}`}, {"Pod", `{"metadata":{"finalizers":["a",1]}}`, `{"metadata":{"finalizers":["a"]}}`},
		{"Pod", `{"metadata":{"finalizers":[{"a":1}]}}`, `{"metadata":{"finalizers":[{"b":1}]}}`}, {"Pod", `{"metadata":{"finalizers":[["a"]]}}`, `{"metadata":{"finalizers":["a"]}}`},
		{"Pod", `{"metadata":{"finalizers":[]}}`, `{"metadata":{"finalizers":["a","a"]}}`}, {"Pod", `{"metadata":{"finalizers":["a","a"]}}`, `{"metadata":{"finalizers":[]}}`},
		{"Pod", `{"metadata":{"finalizers":[1,2]}}`, `{"metadata":{"finalizers":[1.0]}}`}, {"Pod", `{"metadata":{"finalizers":[1.5,-0.0]}}`, `{"metadata":{"finalizers":[0.0]}}`}, {"Pod", `{"metadata":{"finalizers":[true,false]}}`, `{"metadata":{"finalizers":[false]}}`},
		{"Pod", `{"metadata":{"finalizers":["a"]}}`, `{"metadata":{"finalizers":{"a":1}}}`}, {"Pod", `{}`, `{"metadata":{"finalizers":["a","a"]}}`},
	},
	{ // retain
		{"Deployment", `{"spec":{"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1}}}}`, `{"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}}`},
		{"Deployment", `{"spec":{"strategy":{"type":"a","rollingUpdate":{}}}}`, `{"spec":{"strategy":{"$retainKeys":[],"type":"Recreate"}}}`}, {"Deployment", `{"spec":{"strategy":{"type":"a"}}}`, `{"spec":{"strategy":{"$retainKeys":[]}}}`},
		{"Deployment", `{"spec":{"strategy":{"type":"a"}}}`, `{"spec":{"strategy":{"$retainKeys":"type"}}}`}, {"Deployment", `{"spec":{"strategy":{"type":"a"}}}`, `{"spec":{"strategy":{"$retainKeys":null}}}`},
		{"Deployment", `{"spec":{"strategy":{"type":"a"}}}`, `{"spec":{"strategy":{"$retainKeys":[1,null,true,"type"],"type":null}}}`}, {"Deployment", `{"spec":{"strategy":{"type":"a"}}}`, `{"spec":{"strategy":{"$retainKeys":[{}]}}}`},
		{"Deployment", `{"spec":{"strategy":{"type":"a"}}}`, `{"spec":{"strategy":{"$retainKeys":[[]]}}}`}, {"Deployment", `{}`, `{"spec":{"strategy":{"$retainKeys":["type"],"type":"x"}}}`},
		{"Pod", `{"spec":{"volumes":[{"name":"v","emptyDir":{}}]}}`, `{"spec":{"volumes":[{"name":"v","$retainKeys":["name","secret"],"secret":{}}]}}`}, {"Pod", `{"spec":{"volumes":[{"name":"v","emptyDir":{}}]}}`, `{"spec":{"volumes":[{"name":"v","$retainKeys":["secret"],"secret":{}}]}}`},
		{"Pod", `{"spec":{"volumes":[{"name":null,"emptyDir":{}}]}}`, `{"spec":{"volumes":[{"name":null,"$retainKeys":["secret"],"secret":{}}]}}`}, {"Pod", `{"spec":{"volumes":[]}}`, `{"spec":{"volumes":[{"name":"v","$retainKeys":["name"]}]}}`},
		{"Pod", `{"metadata":{"finalizers":["a","b"],"name":"x"}}`, `{"metadata":{"$retainKeys":["finalizers"],"$deleteFromPrimitiveList/finalizers":["a"],"$setElementOrder/finalizers":["b"]}}`},
		{"Pod", `{"kind":"Pod","spec":{}}`, `{"$retainKeys":["kind"]}`}, {"Pod", `{"kind":"Pod","spec":{}}`, `{"$retainKeys":["kind"],"spec":{}}`},
	},
	{ // element-order
		{"Pod", twoContainers, `{"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}]}}`}, {"Pod", twoContainers, `{"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],"containers":[{"name":"a","image":"z"}]}}`},
		{"Pod", twoContainers, `{"spec":{"$setElementOrder/containers":[{"name":"c"},{"name":"a"}],"containers":[{"name":"c","image":"z"}]}}`}, {"Pod", twoContainers, `{"spec":{"$setElementOrder/containers":[{"name":"a"}],"containers":[{"name":"c"}]}}`},
		{"Pod", twoContainers, `{"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],"containers":[{"name":"a"},{"name":"b"}]}}`}, {"Pod", twoContainers, `{"spec":{"$setElementOrder/containers":[{"name":"b"}],"containers":[{"name":"a","$patch":"delete"}]}}`},
		{"Pod", twoContainers, `{"spec":{"$setElementOrder/containers":[],"containers":[{"name":"c"}]}}`}, {"Pod", twoContainers, `{"spec":{"$setElementOrder/containers":[]}}`}, {"Pod", twoContainers, `{"spec":{"$setElementOrder/containers":null}}`},
		{"Pod", twoContainers, `{"spec":{"$setElementOrder/containers":{}}}`}, {"Pod", twoContainers, `{"spec":{"$setElementOrder/containers":"a"}}`}, {"Pod", twoContainers, `{"spec":{"$setElementOrder/containers":1}}`},
		{"Pod", twoContainers, `{"spec":{"$setElementOrder/containers":["a"]}}`}, {"Pod", twoContainers, `{"spec":{"$setElementOrder/containers":[{"image":"a"}]}}`}, {"Pod", twoContainers, `{"spec":{"$setElementOrder/containers":["a"],"containers":[{"name":"a"}]}}`},
		{"Pod", twoContainers, `{"spec":{"$setElementOrder/containers":[{"image":"a"}],"containers":[{"name":"a"}]}}`}, {"Pod", twoContainers, `{"spec":{"$setElementOrder/containers":[{"name":"a"}],"containers":[{"image":"a"}]}}`}, {"Pod", twoContainers, `{"spec":{"$setElementOrder/containers":[{"name":"a"}],"containers":["a"]}}`},
		{"Pod", twoContainers, `{"spec":{"$setElementOrder/containers":[{"name":"a"}],"containers":{}}}`}, {"Pod", twoContainers, `{"spec":{"$setElementOrder/containers":[{"name":"a"}],"containers":null}}`}, {"Pod", `{"spec":{"containers":1}}`, `{"spec":{"$setElementOrder/containers":[{"name":"a"}]}}`},
		{"Pod", `{"spec":{}}`, `{"spec":{"$setElementOrder/containers":[{"name":"a"}]}}`}, {"Pod", `{"spec":{}}`, `{"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],"containers":[{"name":"b","image":null},{"name":"a"}]}}`}, {"Pod", `{"spec":{"containers":[]}}`, `{"spec":{"$setElementOrder/containers":[{"name":"a"}]}}`},
		{"Pod", `{"spec":{}}`, `{"spec":{"$setElementOrder/containers":[{"name":"a"}],"containers":[{"name":"a","$patch":"delete"}]}}`}, {"Pod", twoContainers, `{"spec":{"$setElementOrder":[]}}`}, {"Pod", twoContainers, `{"spec":{"$setElementOrder/":[]}}`},
		{"Pod", twoContainers, `{"spec":{"$setElementOrderX/containers":[]}}`}, {"Pod", twoContainers, `{"spec":{"$setElementOrder/nope":[]}}`}, {"Pod", twoContainers, `{"spec":{"$setElementOrder/nodeName":[]}}`}, {"Pod", twoContainers, `{"spec":{"$setElementOrder/a/b":[]}}`},
		{"Pod", twoContainers, `{"spec":{"$setElementOrder/$setElementOrder/containers":[]}}`}, {"Pod", twoContainers, `{"spec":{"$setElementOrder/securityContext":[]}}`}, {"Pod", `{"metadata":{"finalizers":["a","b","c"]}}`, `{"metadata":{"$setElementOrder/finalizers":["c","a"]}}`},
		{"Pod", `{"metadata":{"finalizers":["a","b","c"]}}`, `{"metadata":{"$setElementOrder/finalizers":["x","c","a"],"finalizers":["x"]}}`}, {"Pod", `{"metadata":{"finalizers":["a","b","c"]}}`, `{"metadata":{"$setElementOrder/finalizers":["c"],"finalizers":["x"]}}`},
		{"Pod", `{"metadata":{"finalizers":["a"]}}`, `{"metadata":{"$setElementOrder/finalizers":[{}]}}`}, {"Pod", `{"metadata":{"finalizers":["a"]}}`, `{"metadata":{"$setElementOrder/finalizers":[{}],"finalizers":[{}]}}`}, {"Pod", `{"metadata":{"finalizers":[]}}`, `{"metadata":{"$setElementOrder/finalizers":["a"]}}`},
		{"Pod", `{"spec":{"tolerations":[{"key":"a"}]}}`, `{"spec":{"$setElementOrder/tolerations":[{"key":"a"}]}}`}, {"Pod", `{"spec":{"tolerations":[{"key":"a"}]}}`, `{"spec":{"$setElementOrder/tolerations":["a"],"tolerations":[]}}`}, {"Pod", `{"spec":{"tolerations":[{"key":"a"}]}}`, `{"spec":{"$setElementOrder/tolerations":[],"tolerations":[]}}`},
		{"Pod", `{"spec":{"tolerations":[{"key":"a"}]}}`, `{"spec":{"$setElementOrder/tolerations":[],"tolerations":[{"key":"b"}]}}`}, {"Pod", `{"spec":{"containers":[{"name":"a","args":["x"]}]}}`, `{"spec":{"containers":[{"name":"a","$setElementOrder/args":[],"args":[[]]}]}}`},
		{"Pod", `{"spec":{"containers":[{"name":"a","args":["x","y"]}]}}`, `{"spec":{"containers":[{"name":"a","$setElementOrder/args":["y","x"]}]}}`}, {"Pod", `{"spec":{"containers":[{"name":"a","args":["x",1]}]}}`, `{"spec":{"containers":[{"name":"a","$setElementOrder/args":["y"],"args":["y"]}]}}`},
		{"Pod", twoContainers, `{"spec":{"$setElementOrder/Containers":[{"name":"b"},{"name":"a"}],"containers":[{"name":"c"}]}}`}, {"Pod", `{"spec":{"containers":[["a"]]}}`, `{"spec":{"$setElementOrder/containers":[]}}`}, {"Pod", `{"metadata":{"finalizers":[["a"]]}}`, `{"metadata":{"$setElementOrder/finalizers":[]}}`},
		{"Service", `{"spec":{"ports":[{"port":80},{"port":443},{"port":8080}]}}`, `{"spec":{"$setElementOrder/ports":[{"port":8080},{"port":80}],"ports":[{"port":80,"name":"a"}]}}`},
	},
	{ // delete-list
		{"Pod", `{"metadata":{"finalizers":["a","b","a"]}}`, `{"metadata":{"$deleteFromPrimitiveList/finalizers":["a","x"]}}`}, {"Pod", `{"metadata":{"finalizers":["a"]}}`, `{"metadata":{"$deleteFromPrimitiveList/finalizers":["a"]}}`},
		{"Pod", `{"metadata":{}}`, `{"metadata":{"$deleteFromPrimitiveList/finalizers":["a"]}}`}, {"Pod", `{"metadata":{"finalizers":["a"]}}`, `{"metadata":{"$deleteFromPrimitiveList/finalizers":"a"}}`}, {"Pod", `{"metadata":{"finalizers":["a"]}}`, `{"metadata":{"$deleteFromPrimitiveList/finalizers":null}}`},
		{"Pod", `{"metadata":{"finalizers":["a"]}}`, `{"metadata":{"$deleteFromPrimitiveList/finalizers":[1]}}`}, {"Pod", `{"metadata":{"finalizers":["a"]}}`, `{"metadata":{"$deleteFromPrimitiveList/finalizers":[{}]}}`}, {"Pod", `{"metadata":{"finalizers":["a"]}}`, `{"metadata":{"$deleteFromPrimitiveList/finalizers":[]}}`},
		{"Pod", `{"metadata":{"finalizers":["a","b"]}}`, `{"metadata":{"$deleteFromPrimitiveList/finalizers":["a"],"finalizers":["a","c"]}}`}, {"Pod", `{"metadata":{"name":"a"}}`, `{"metadata":{"$deleteFromPrimitiveList/name":"b"}}`}, {"Pod", `{"metadata":{"name":"a"}}`, `{"metadata":{"$deleteFromPrimitiveList/name":["a"]}}`},
		{"Pod", `{"metadata":{"labels":{"a":"1"}}}`, `{"metadata":{"$deleteFromPrimitiveList/labels":{"a":null}}}`}, {"Pod", `{"metadata":{"finalizers":["a"]}}`, `{"metadata":{"$deleteFromPrimitiveList":["a"]}}`}, {"Pod", `{"metadata":{"finalizers":["a"]}}`, `{"metadata":{"$deleteFromPrimitiveList/":["a"]}}`},
		{"Pod", `{"metadata":{"$deleteFromPrimitiveList/":["a"]}}`, `{"metadata":{"$deleteFromPrimitiveList/":["a"]}}`}, {"Pod", `{"metadata":{"finalizers":["a"]}}`, `{"metadata":{"$deleteFromPrimitiveListX/finalizers":["a"]}}`}, {"Pod", `{"metadata":{"nope":["a"]}}`, `{"metadata":{"$deleteFromPrimitiveList/nope":["a"]}}`},
		{"Pod", twoContainers, `{"spec":{"$deleteFromPrimitiveList/containers":[{"name":"a","image":"z"}]}}`}, {"Pod", `{"spec":{"tolerations":[{"key":"a"}]}}`, `{"spec":{"$deleteFromPrimitiveList/tolerations":[{"key":"a"}]}}`}, {"Pod", `{"spec":{"containers":[{"name":"a","args":["x","y"]}]}}`, `{"spec":{"containers":[{"name":"a","$deleteFromPrimitiveList/args":["x"]}]}}`},
		{"Pod", `{"spec":{"containers":[{"name":"a"},{"name":"b"}]}}`, `{"spec":{"containers":[{"name":"a","$deleteFromPrimitiveList/name":"b"}]}}`}, {"Pod", `{"metadata":{"finalizers":["a"]}}`, `{"metadata":{"$deleteFromPrimitiveList/finalizers":{"$patch":"delete"}}}`},
		{"Pod", `{"metadata":{"finalizers":["a","b","a"]}}`, `{"metadata":{"$deleteFromPrimitiveList/finalizers":["b"],"$setElementOrder/finalizers":["a"]}}`},
	},
	{ // type: clashes, and what has no fields or items
		{"Pod", `{"spec":{"nodeSelector":{"a":{"b":1}}}}`, `{"spec":{"nodeSelector":{"a":{"c":1}}}}`}, {"Pod", `{"spec":{"nodeSelector":[1]}}`, `{"spec":{"nodeSelector":[2]}}`}, {"Pod", `{"spec":{"nodeName":{"a":{}}}}`, `{"spec":{"nodeName":{"a":{}}}}`},
		{"Pod", `{"spec":{"nodeName":["a"]}}`, `{"spec":{"nodeName":["b"]}}`}, {"Pod", `{"spec":{"priority":{"a":{}}}}`, `{"spec":{"priority":{"a":{}}}}`}, {"Pod", `{"spec":{"priority":[1]}}`, `{"spec":{"priority":[2]}}`}, {"Pod", `{"spec":{"hostNetwork":{"a":{}}}}`, `{"spec":{"hostNetwork":{"a":{}}}}`},
		{"Pod", `{"spec":{"activeDeadlineSeconds":{"a":{}}}}`, `{"spec":{"activeDeadlineSeconds":{"a":{}}}}`}, {"Pod", `{"spec":{"affinity":[1]}}`, `{"spec":{"affinity":[2]}}`}, {"Pod", `{"spec":{"affinity":{"nodeAffinity":[1]}}}`, `{"spec":{"affinity":{"nodeAffinity":[2]}}}`},
		{"Pod", `{"spec":{"affinity":{"nope":[1]}}}`, `{"spec":{"affinity":{"nope":[2]}}}`}, {"Pod", `{"spec":{"dnsConfig":{"nameservers":{"a":{}}}}}`, `{"spec":{"dnsConfig":{"nameservers":{"a":{}}}}}`}, {"Deployment", `{"spec":[1]}`, `{"spec":[2]}`}, {"Deployment", `{"spec":{"selector":[1]}}`, `{"spec":{"selector":[2]}}`},
		{"Deployment", `{"spec":{"selector":{"matchLabels":[1]}}}`, `{"spec":{"selector":{"matchLabels":[1]}}}`}, {"Deployment", `{"spec":{"replicas":{"a":1}}}`, `{"spec":{"replicas":{"b":1}}}`}, {"Pod", `{"spec":{"nodeName":{"a":1}}}`, `{"spec":{"nodeName":{"b":2}}}`}, {"Pod", `{"metadata":[]}`, `{"metadata":{}}`},
		{"Pod", `{"metadata":{}}`, `{"metadata":[]}`}, {"Pod", `{"metadata":"x"}`, `{"metadata":1}`}, {"Pod", `{"spec":{"securityContext":{"runAsUser":{"a":[1]}}}}`, `{"spec":{"securityContext":{"runAsUser":{"a":[1]}}}}`}, {"Secret", `{"data":[1]}`, `{"data":[2]}`},
		{"ValidatingWebhookConfiguration", `{"webhooks":[{"name":"a","clientConfig":{"caBundle":[1]}}]}`, `{"webhooks":[{"name":"a","clientConfig":{"caBundle":[2]}}]}`}, {"ValidatingWebhookConfiguration", `{"webhooks":[{"name":"a","clientConfig":{"caBundle":{"a":{}}}}]}`, `{"webhooks":[{"name":"a","clientConfig":{"caBundle":{"a":{}}}}]}`},
		{"ValidatingWebhookConfiguration", `{"webhooks":[{"name":"a","clientConfig":{"caBundle":[{}]}}]}`, `{"webhooks":[{"name":"a","clientConfig":{"$deleteFromPrimitiveList/caBundle":[{}]}}]}`},
		{"Pod", `{"spec":{"affinity":[{}]}}`, `{"spec":{"$deleteFromPrimitiveList/affinity":[{}]}}`}, {"Pod", `{"spec":{"priority":[{}]}}`, `{"spec":{"$deleteFromPrimitiveList/priority":[{}]}}`}, {"Pod", `{"spec":{"activeDeadlineSeconds":[{}]}}`, `{"spec":{"$deleteFromPrimitiveList/activeDeadlineSeconds":[{}]}}`}, {"Pod", `{"spec":{"enableServiceLinks":[{}]}}`, `{"spec":{"$deleteFromPrimitiveList/enableServiceLinks":[{}]}}`},
	},
	{ // special: Go structs that are no objects in JSON
		{"Pod", `{"metadata":{"creationTimestamp":{"a":{}}}}`, `{"metadata":{"creationTimestamp":{"a":{}}}}`}, {"Pod", `{"metadata":{"creationTimestamp":{"Time":[]}}}`, `{"metadata":{"creationTimestamp":{"Time":[]}}}`}, {"Pod", `{"metadata":{"deletionTimestamp":[1]}}`, `{"metadata":{"deletionTimestamp":[2]}}`},
		{"Pod", `{"metadata":{"creationTimestamp":[1]}}`, `{"metadata":{"creationTimestamp":[2]}}`}, {"Lease", `{"spec":{"renewTime":{"a":{}}}}`, `{"spec":{"renewTime":{"a":{}}}}`}, {"Pod", `{"metadata":{"managedFields":[{"fieldsV1":{"f:a":{}}}]}}`, `{"metadata":{"managedFields":[{"fieldsV1":{"f:b":{}}}]}}`},
		{"Pod", `{"spec":{"overhead":{"cpu":{"a":1}}}}`, `{"spec":{"overhead":{"cpu":{"b":1}}}}`}, {"Deployment", `{"spec":{"strategy":{"rollingUpdate":{"maxSurge":{"Type":{"a":{}}}}}}}`, `{"spec":{"strategy":{"rollingUpdate":{"maxSurge":{"Type":{"a":{}}}}}}}`},
		{"Deployment", `{"spec":{"strategy":{"rollingUpdate":{"maxSurge":{"intval":{"a":{}},"x":1}}}}}`, `{"spec":{"strategy":{"rollingUpdate":{"maxSurge":{"intval":{"a":{}}}}}}}`}, {"Deployment", `{"spec":{"strategy":{"rollingUpdate":{"maxSurge":{"STRVAL":[1]}}}}}`, `{"spec":{"strategy":{"rollingUpdate":{"maxSurge":{"STRVAL":[2]}}}}}`},
		{"Deployment", `{"spec":{"strategy":{"rollingUpdate":{"maxSurge":{"type":{}}}}}}`, `{"spec":{"strategy":{"rollingUpdate":{"maxSurge":{"nope":{}}}}}}`}, {"Deployment", `{"spec":{"strategy":{"rollingUpdate":{"maxSurge":{"nope":{}}}}}}`, `{"spec":{"strategy":{"rollingUpdate":{"maxSurge":{"nope":{}}}}}}`},
		{"Deployment", `{"spec":{"strategy":{"rollingUpdate":{"maxSurge":[1]}}}}`, `{"spec":{"strategy":{"rollingUpdate":{"maxSurge":["25%"]}}}}`}, {"PersistentVolume", `{"spec":{"capacity":{"storage":{"Format":{}}}}}`, `{"spec":{"capacity":{"storage":{"Format":{}}}}}`},
		{"HorizontalPodAutoscaler", `{"spec":{"metrics":[{"resource":{"target":{"averageValue":{"format":{"a":[]}}}}}]}}`, `{"spec":{"metrics":[{"resource":{"target":{"averageValue":{"format":{"a":[]}}}}}]}}`},
		{"Pod", `{"spec":{"volumes":[{"name":"v","emptyDir":{"sizeLimit":{"format":{"a":[]}}}}]}}`, `{"spec":{"volumes":[{"name":"v","emptyDir":{"sizeLimit":{"format":{"a":[]}}}}]}}`}, {"Pod", `{"spec":{"volumes":[{"name":"v","emptyDir":{"sizeLimit":{"a":[]}}}]}}`, `{"spec":{"volumes":[{"name":"v","emptyDir":{"sizeLimit":{"a":[]}}}]}}`},
		{"Pod", `{"spec":{"volumes":[{"name":"v","emptyDir":{"sizeLimit":[1]}}]}}`, `{"spec":{"volumes":[{"name":"v","emptyDir":{"sizeLimit":[2]}}]}}`}, {"ControllerRevision", `{"data":{"a":{"b":1}}}`, `{"data":{"a":{"c":1}}}`}, {"ControllerRevision", `{"data":{"a":1}}`, `{"data":{"b":1}}`},
		{"ControllerRevision", `{"data":[1]}`, `{"data":[2]}`}, {"CustomResourceDefinition", `{"spec":{"versions":[{"name":"v1"}]}}`, `{"spec":{"versions":[{"name":"v2"}]}}`}, {"CustomResourceDefinition", `{"spec":{"names":{"shortNames":["a"]}}}`, `{"spec":{"names":{"shortNames":["b"]}}}`},
		{"CustomResourceDefinition", `{"spec":{"validation":{}}}`, `{"spec":{"validation":{}}}`}, {"CustomResourceDefinition", `{"status":{"conditions":[{"type":"A"}]}}`, `{"status":{"conditions":[{"type":"B"}]}}`},
	},
	{ // number
		{"Service", `{"spec":{"ports":[{"port":80}]}}`, `{"spec":{"ports":[{"port":80.0,"name":"a"}]}}`}, {"Service", `{"spec":{"ports":[{"port":80.0}]}}`, `{"spec":{"ports":[{"port":80.00,"name":"a"}]}}`}, {"Service", `{"spec":{"ports":[{"port":"80"}]}}`, `{"spec":{"ports":[{"port":80}]}}`},
		{"Service", `{"spec":{"ports":[{"port":-0}]}}`, `{"spec":{"ports":[{"port":0,"name":"a"}]}}`}, {"Service", `{"spec":{"ports":[{"port":-0.0}]}}`, `{"spec":{"ports":[{"port":0.0,"name":"a"}]}}`}, {"Deployment", `{"spec":{"replicas":1}}`, `{"spec":{"replicas":2.0}}`}, {"Deployment", `{"spec":{"replicas":1}}`, `{"spec":{"replicas":1e3}}`},
		{"Deployment", `{"spec":{"replicas":9223372036854775808}}`, `{"spec":{"paused":true}}`}, {"Deployment", `{"spec":{"replicas":18446744073709551616}}`, `{"spec":{"x":18446744073709551615}}`}, {"Deployment", `{"spec":{"replicas":1e400}}`, `{}`}, {"Deployment", `{}`, `{"spec":{"replicas":-1e400}}`},
		{"Deployment", `{}`, `{"spec":{"$patch":[1.0,1e6,1e21,1e-7,123456789.5,0.1]}}`}, {"Deployment", `{}`, `{"$patch":1e21,"a":[1.0,1000000.0,1e20,1e-7,0.00001,123456789.0]}`}, {"Deployment", `{}`, `{"$patch":"x","a":"<é> \u0001","b":{"z":1,"a":{}},"":null}`},
	},
	{ // memory: the library reads what it has overwritten
		{"Pod", `{"metadata":{"finalizers":["a","b","a","c"]}}`, `{"metadata":{"finalizers":[]}}`}, {"Pod", `{"metadata":{"finalizers":["a","b","a","c","d"]}}`, `{"metadata":{"finalizers":["d","x"]}}`}, {"Pod", `{"metadata":{"finalizers":["a","b","a","c"]}}`, `{"metadata":{"finalizers":["c","x"]}}`},
		{"Pod", `{"metadata":{"finalizers":["a","a","b","b","c"]}}`, `{"metadata":{"$setElementOrder/finalizers":["x","b"],"finalizers":["b"]}}`}, {"Pod", `{"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]}}`, `{"spec":{"$setElementOrder/containers":[{"name":"c"},{"name":"d"}],"containers":[{"name":"a","$patch":"delete"},{"name":"d"}]}}`},
		{"Pod", `{"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"e"},{"name":"f"}]}}`, `{"spec":{"$setElementOrder/containers":[{"name":"g"},{"name":"d"},{"name":"c"}],"containers":[{"name":"a","$patch":"delete"},{"name":"b","$patch":"delete"},{"name":"g"},{"name":"d"}]}}`},
		{"Pod", `{"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]}}`, `{"spec":{"$setElementOrder/containers":[{"name":"d"}],"containers":[{"$patch":"replace"},{"name":"a","$patch":"delete"},{"name":"d"}]}}`},
		{"Pod", `{"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"}]}}`, `{"spec":{"$setElementOrder/containers":[{"name":"d"}],"containers":[{"name":"a","$patch":"delete"},{"name":"d","$patch":"delete"}]}}`},
		{"Pod", `{"spec":{"containers":[{"name":"x"},{"name":"a","ports":[{"containerPort":1},{"containerPort":2},{"containerPort":3}]}]}}`, `{"spec":{"containers":[{"name":"a","ports":[{"containerPort":9}]},{"name":"a","$setElementOrder/ports":[{"containerPort":7},{"containerPort":2}],"ports":[{"containerPort":1,"$patch":"delete"},{"containerPort":7}]}]}}`},
	},
}
