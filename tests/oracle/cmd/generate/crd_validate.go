package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"convoy-lsp/oracle/internal/oracle"
)

// crdValidateCase is a custom resource, the schema of its definition, and what
// the API server says of it: which fields it does not know, and what its
// validation finds, both in the order of their texts; or the error that ends
// it before.
type crdValidateCase struct {
	Name   string   `json:"name"`
	Schema string   `json:"schema"`
	Object string   `json:"object"`
	Error  string   `json:"error,omitempty"`
	Strict []string `json:"strict,omitempty"`
	Errors []string `json:"errors,omitempty"`
}

// crdFields are schemas of one field.
var crdFields = []struct{ name, schema string }{
	{"text", `{"type":"string"}`},
	{"nullable", `{"type":"string","nullable":true}`},
	{"default", `{"type":"string","default":"x"}`},
	{"enum", `{"type":"string","enum":["a","b\"c"]}`},
	{"numbers", `{"type":"integer","enum":[1,2]}`},
	{"odd", `{"type":"string","format":"odd"}`},
	{"integer", `{"type":"integer"}`},
	{"int32", `{"type":"integer","format":"int32"}`},
	{"int64", `{"type":"integer","format":"int64"}`},
	{"number", `{"type":"number"}`},
	{"double", `{"type":"number","format":"double"}`},
	{"boolean", `{"type":"boolean"}`},
	{"port", `{"x-kubernetes-int-or-string":true}`},
	{"any", `{"x-kubernetes-preserve-unknown-fields":true}`},
	{"list", `{"type":"array","items":{"type":"string"}}`},
	{"nullables", `{"type":"array","items":{"type":"string","nullable":true}}`},
	{"set", `{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}}`},
	{"map", `{"type":"object","additionalProperties":{"type":"integer"}}`},
	{"objects", `{"type":"object","additionalProperties":{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}}`},
	{"empty", `{"type":"object"}`},
	{"open", `{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{"a":{"type":"object","properties":{"b":{"type":"string"}}}}}`},
	{"required", `{"type":"object","required":["a","b"],"properties":{"a":{"type":"string"},"b":{"type":"integer","default":3}}}`},
	{"named", `{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}}}`},
	{"keyed", `{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["port","protocol"],"items":{"type":"object","required":["port"],"properties":{"port":{"type":"integer"},"protocol":{"type":"string","default":"TCP"}}}}`},
	{"embedded", `{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}`},
}

// crdValues are put in each of them.
var crdValues = []string{
	`null`, `"x"`, `"a"`, `""`, `5`, `1`, `3000000000`, `1.5`, `1e30`, `9223372036854775808`, `true`, `[]`, `{}`, `["a"]`,
	`["a","a","b","a"]`, `["a",null]`, `[1,"a"]`, `{"a":"x"}`, `{"a":1}`, `{"a":null}`, `{"a":{"b":"x","c":1}}`, `{"b":1}`,
	`{"k":{"a":"x"}}`, `{"k":{"z":1}}`, `[{"name":"a"},{"name":"b"}]`, `[{"name":"a"},{"name":"a"},{"name":"a"}]`, `[{}]`,
	`[{"name":5}]`, `[{"port":1},{"port":1,"protocol":"UDP"}]`, `[{"port":1},{"port":1,"protocol":"TCP"}]`,
	`[{"port":1,"protocol":"x"},{"port":1,"protocol":"x"}]`, `{"z":1,"y":{"x":2}}`, `[{"z":1}]`,
}

// crdWhole are objects of one schema with all fields.
var crdWhole = []string{
	`{}`, `{"spec":{}}`, `{"spec":null}`, `{"spec":5}`, `{"spec":{},"other":1}`, `{"spec":{},"metadata":{"name":"a","foo":1}}`,
	`{"spec":{},"metadata":{"labels":{"a":1}}}`, `{"spec":{},"metadata":[]}`, `{"spec":{},"metadata":{"creationTimestamp":"x"}}`,
	`{"spec":{"Text":"a","texts":1}}`, `{"spec":{"text":1,"enum":"c","integer":"5"}}`,
	`{"spec":{"embedded":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"x":1}}}`,
}

func crdValidateVectors(string) ([]any, error) {
	var cases []any
	add := func(name, schema, object string) error {
		asked, err := oracle.NewRequest(map[string]any{"op": "crd-validate", "schema": schema, "object": object})
		if err != nil {
			return err
		}
		answer, err := ask(asked)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if reason, ok := answer["panic"]; ok {
			return fmt.Errorf("%s: panic: %v", name, reason)
		}
		one := crdValidateCase{Name: name, Schema: schema, Object: object}
		one.Error, _ = answer["error"].(string)
		one.Strict, _ = answer["strict"].([]string)
		one.Errors, _ = answer["errors"].([]string)
		slices.Sort(one.Strict)
		slices.Sort(one.Errors)
		cases = append(cases, one)
		return nil
	}
	all := map[string]json.RawMessage{}
	for _, field := range crdFields {
		all[field.name] = json.RawMessage(field.schema)
		schema := fmt.Sprintf(`{"type":"object","properties":{"spec":{"type":"object","properties":{"f":%s}}}}`, field.schema)
		for i, value := range crdValues {
			object := fmt.Sprintf(`{"apiVersion":"example.com/v1","kind":"App","spec":{"f":%s}}`, value)
			if err := add(fmt.Sprintf("%s-%d", field.name, i+1), schema, object); err != nil {
				return nil, err
			}
		}
	}
	properties, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	schema := fmt.Sprintf(`{"type":"object","required":["spec"],"properties":{"spec":{"type":"object","properties":%s}}}`, properties)
	for i, object := range crdWhole {
		if err := add(fmt.Sprintf("whole-%d", i+1), schema, object); err != nil {
			return nil, err
		}
	}
	return cases, nil
}
