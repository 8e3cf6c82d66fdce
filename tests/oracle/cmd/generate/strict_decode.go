package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"convoy-lsp/oracle/internal/kube"
	"convoy-lsp/oracle/internal/oracle"
)

// strictDecodeCase is an object and what the strict decoder of Kubernetes says
// of it; without an error it takes it.
type strictDecodeCase struct {
	Name   string `json:"name"`
	Object string `json:"object"`
	Error  string `json:"error,omitempty"`
}

// strictDecodeKinds are the kinds whose fields are tried. A struct is tried
// where it is met first.
var strictDecodeKinds = []schema.GroupVersionKind{
	{Group: "apps", Version: "v1", Kind: "Deployment"},
	{Group: "apps", Version: "v1", Kind: "StatefulSet"},
	{Group: "apps", Version: "v1", Kind: "DaemonSet"},
	{Version: "v1", Kind: "Service"},
	{Version: "v1", Kind: "ConfigMap"},
	{Version: "v1", Kind: "Secret"},
	{Version: "v1", Kind: "PersistentVolume"},
	{Version: "v1", Kind: "PersistentVolumeClaim"},
	{Version: "v1", Kind: "LimitRange"},
	{Version: "v1", Kind: "Event"},
	{Version: "v1", Kind: "Node"},
	{Group: "batch", Version: "v1", Kind: "CronJob"},
	{Group: "networking.k8s.io", Version: "v1", Kind: "Ingress"},
	{Group: "networking.k8s.io", Version: "v1", Kind: "NetworkPolicy"},
	{Group: "autoscaling", Version: "v2", Kind: "HorizontalPodAutoscaler"},
	{Group: "policy", Version: "v1", Kind: "PodDisruptionBudget"},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "ClusterRole"},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "RoleBinding"},
	{Group: "storage.k8s.io", Version: "v1", Kind: "StorageClass"},
	{Group: "coordination.k8s.io", Version: "v1", Kind: "Lease"},
	{Group: "discovery.k8s.io", Version: "v1", Kind: "EndpointSlice"},
	{Group: "certificates.k8s.io", Version: "v1", Kind: "CertificateSigningRequest"},
	{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "ValidatingWebhookConfiguration"},
	{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "ValidatingAdmissionPolicy"},
	{Group: "resource.k8s.io", Version: "v1", Kind: "ResourceClaim"},
	{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"},
	{Group: "apiregistration.k8s.io", Version: "v1", Kind: "APIService"},
}

// strictDecodeValues are put in every field in turn.
var strictDecodeValues = []any{
	"text", 5, true, []any{}, map[string]any{}, 1.5, "2026-01-31T10:00:00Z", nil, []any{"a", 1}, map[string]any{"k": "v"},
	-3000000000, "1Gi", map[string]any{"k": 1}, []any{map[string]any{"zz": 1}}, "YWJj", 1e30, "",
	[]any{nil}, map[string]any{"zz": map[string]any{"y": 1}},
}

// strictDecodeSpecial are values for types that read their texts.
var strictDecodeSpecial = map[string][]any{
	"resource.Quantity": {
		"1", "100m", "0.5", "1.", ".5", "-1Ki", "+5", "1e3", "1E3", "1e-3", "12Ei", "99999999999999999999",
		"1e+21", "0x1", "1 Gi", "1gi", "1K", "1ki", "", " 2 ", "-", "+", ".", ".Ki", "1.5.5", "1e", "1ee3", "1Mi5",
		"1m5", "e3", "--1", "0", "00", "1e99999999999", "\t1", "\u00a01", "1\u00a0", "abc", 1e21, 1e-9, 0.1, -5,
		[]any{}, map[string]any{}, true,
	},
	"v1.Time": {
		"", "2026", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2024-02-29T00:00:00Z", "2026-01-01 00:00:00Z",
		"2026-01-01T00:00:00", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z",
		"2026-01-01T0:00:00Z", "2026-01-01T00:00:00.123Z", "2026-01-01T00:00:00,5Z", "2026-01-01T00:00:00.Z",
		"2026-01-01T00:00:00+02:00", "2026-01-01T00:00:00+25:00", "2026-01-01T00:00:00+02:61",
		"2026-01-01T00:00:00+0200", "2026-01-01T00:00:00Zx", "2026-1-01T00:00:00Z", "26-01-01T00:00:00Z",
		"2026-01-01t00:00:00z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "tomorrow", "\u00e4\"\\", 5, true,
		[]any{}, map[string]any{}, "2026-01-01T00:00:00*02:00", "2026-01-01T00:00:00-xx:00", "20x6-01-01T00:00:00Z",
	},
	"v1.MicroTime": {
		"2026-01-01T00:00:00Z", "2026-01-01T00:00:00.123456Z", "2026-01-01T00:00:00.123Z", "2026-01-01T00:00:00,123456Z",
		"2026-01-01T00:00:00.1234567Z", "2026-01-01T00:00:00.12345xZ", "2026-02-30T00:00:00.000000Z", "", 5,
	},
	"intstr.IntOrString": {"50%", "", "http", 80, -1, 2147483648, 1.5, 1e10, true, nil, []any{}, map[string]any{}},
	"[]uint8": {
		"", "YQ==", "YQ=", "YQ", "Y", "Y=", "=", "YQ==YQ==", "YQ=x", "YWJj\n", "Y\nQ\n=\n=", "YQ\r\n==", "!", "YWJ!",
		"\u00e4", "YW_-", "YQ==\n", "YQ== ", []any{}, []any{1, 2}, []any{256}, []any{-1}, []any{"a"}, []any{nil}, 5,
		map[string]any{}, true,
	},
	"int32": {2147483647, 2147483648, -2147483648, -2147483649, 0.5, 1e3, 1e21, 9007199254740993},
	"int64": {int64(9223372036854775807), uint64(9223372036854775808), 1e19, -0.5},
}

// strictDecodeWhole are objects with more than one fault, and odd ones.
var strictDecodeWhole = []string{
	`{"apiVersion":"v1","kind":"Pod"}`,
	`{"apiVersion":"v1","kind":"Pod","metadata":null,"spec":null}`,
	`{"apiVersion":"v1","kind":"Pod","Spec":{},"x":1}`,
	`{"apiVersion":"v1","kind":"Pod","spec":{"a.b/c":1,"d\"e":2,"\u00e4\u2028":3}}`,
	`{"apiVersion":"v1","kind":"Pod","metadata":{"labels":{"a":1,"b":"2"},"x":1}}`,
	`{"apiVersion":"v1","kind":"Pod","spec":{"x":1,"containers":[{"y":1,"ports":[{"containerPort":"80"}],"resources":{"limits":{"cpu":"1x"}}}]}}`,
	`{"apiVersion":"v1","kind":"Pod","spec":{"x":1,"containers":[{"y":1,"ports":[{"containerPort":"80"}]}],"priority":"high"}}`,
	`{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":"a"},{"y":1},{"resources":{"limits":{"cpu":"1","zz":"2"},"foo":1}}],"foo":1,"bar":2}}`,
	`{"apiVersion":"v1","kind":"Pod","spec":{"initContainers":[{"x":1}],"ephemeralContainers":[{"x":1,"targetContainerName":5,"image":6}]}}`,
	`{"apiVersion":"v1","kind":"Pod","spec":{"ephemeralContainers":[{"env":[{"valueFrom":{"configMapKeyRef":{"name":5}}}]}]}}`,
	`{"apiVersion":"v1","kind":"Pod","metadata":{"creationTimestamp":"x","labels":[]},"spec":[]}`,
	`{"apiVersion":"v1","kind":"Pod","metadata":{"managedFields":[{"fieldsV1":[1],"time":5}]}}`,
	`{"apiVersion":"v1","kind":"Pod","metadata":{"managedFields":[{"fieldsV1":"x","manager":5}]}}`,
	`{"apiVersion":"apps/v1","kind":"StatefulSet","spec":{"volumeClaimTemplates":[{"apiVersion":1,"kind":"PersistentVolumeClaim"}]}}`,
	`{"apiVersion":"apps/v1","kind":"StatefulSet","spec":{"volumeClaimTemplates":[{"kind":1,"spec":{"resources":{"requests":{"storage":[]}}}}]}}`,
	`{"apiVersion":"apps/v1","kind":"ControllerRevision","data":{"anything":[1,"a",{"x":null}]},"revision":1}`,
	`{"apiVersion":"apps/v1","kind":"ControllerRevision","data":"text","revision":"1"}`,
	`{"apiVersion":"v1","kind":"ConfigMap","data":{"a":5},"binaryData":{"b":"!"}}`,
	`{"apiVersion":"v1","kind":"ConfigMap","data":{"a":null},"immutable":"true"}`,
	`{"apiVersion":"v1","kind":"ConfigMap","data":[],"x":1}`,
	`{"apiVersion":5,"kind":"Pod","spec":[]}`,
	`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":{"versions":[{"schema":{"openAPIV3Schema":{"type":"object","properties":{"a":{"type":5}}}}}]}}`,
	`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":{"versions":[{"schema":{"openAPIV3Schema":{"properties":{"a":{"typ":"x"}},"default":[1],"items":{"type":"x"},"additionalProperties":true}}}]}}`,
}

// strictDecodeVectors puts wrong and right values in the fields of kinds.
func strictDecodeVectors(string) ([]any, error) {
	var cases []any
	seen := map[string]bool{}
	add := func(name, object string) error {
		if seen[object] {
			return nil
		}
		seen[object] = true
		asked, err := oracle.NewRequest(map[string]any{"op": "strict-decode", "object": object})
		if err != nil {
			return err
		}
		answer, err := ask(asked)
		if err != nil {
			return err
		}
		text, _ := answer["error"].(string)
		cases = append(cases, strictDecodeCase{Name: name, Object: object, Error: text})
		return nil
	}
	for i, object := range strictDecodeWhole {
		if err := add(fmt.Sprintf("whole-%02d", i+1), object); err != nil {
			return nil, err
		}
	}
	fields := &strictFields{seen: map[reflect.Type]bool{}, special: map[string]int{}, add: add}
	for _, gvk := range strictDecodeKinds {
		object, err := kube.Scheme.New(gvk)
		if err != nil {
			return nil, err
		}
		apiVersion, kind := gvk.ToAPIVersionAndKind()
		fields.kind = map[string]any{"apiVersion": apiVersion, "kind": kind}
		if err := fields.try(kind, reflect.TypeOf(object).Elem(), nil); err != nil {
			return nil, err
		}
	}
	return cases, nil
}

// strictFields tries the fields of structs.
type strictFields struct {
	kind    map[string]any
	seen    map[reflect.Type]bool
	special map[string]int
	turn    int
	add     func(name, object string) error
}

// try puts values at the place to which keys lead; a key is a name or an index.
func (f *strictFields) try(name string, t reflect.Type, keys []any) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if len(keys) > 0 {
		values := strictDecodeSpecial[t.String()]
		// The special values are tried in two places, and then no more.
		if f.special[t.String()]++; f.special[t.String()] > 2 {
			values = nil
		}
		values = append(values[:len(values):len(values)], strictDecodeValues[f.turn%len(strictDecodeValues)])
		f.turn++
		for i, value := range values {
			if err := f.place(fmt.Sprintf("%s-%d", name, i+1), keys, value); err != nil {
				return err
			}
		}
	}
	if _, reads := reflect.PointerTo(t).MethodByName("UnmarshalJSON"); reads {
		return nil
	}
	switch t.Kind() {
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return nil
		}
		return f.try(name+"[]", t.Elem(), append(keys[:len(keys):len(keys)], 0))
	case reflect.Map:
		return f.try(name+".*", t.Elem(), append(keys[:len(keys):len(keys)], "example.com/key"))
	case reflect.Struct:
		if f.seen[t] {
			return nil
		}
		f.seen[t] = true
		return f.members(name, t, keys)
	default:
		return nil
	}
}

func (f *strictFields) members(name string, t reflect.Type, keys []any) error {
	for i := range t.NumField() {
		field := t.Field(i)
		key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && key == "" {
			// TypeMeta is what the decoder reads first.
			if field.Name == "TypeMeta" {
				continue
			}
			if err := f.members(name, field.Type, keys); err != nil {
				return err
			}
			continue
		}
		if key == "" || key == "-" {
			continue
		}
		if err := f.try(name+"."+key, field.Type, append(keys[:len(keys):len(keys)], key)); err != nil {
			return err
		}
	}
	return nil
}

func (f *strictFields) place(name string, keys []any, value any) error {
	for i := len(keys) - 1; i >= 0; i-- {
		if key, ok := keys[i].(string); ok {
			value = map[string]any{key: value}
		} else {
			value = []any{value}
		}
	}
	object := value.(map[string]any)
	for key, value := range f.kind {
		object[key] = value
	}
	text, err := json.Marshal(object)
	if err != nil {
		return err
	}
	return f.add(name, string(text))
}
