package main

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"

	"sigs.k8s.io/yaml"
)

// mergeSchema is the part that matters here of the schema by which clients
// merge structurally.
type mergeSchema struct {
	Types []mergeStruct
}

type mergeStruct struct {
	Name string
	Map  struct {
		Fields              []mergeField
		ElementRelationship string
	}
}

type mergeField struct {
	Name    string
	Type    mergeType
	Default any
}

type mergeType struct {
	Scalar    string
	NamedType string
	List      *struct {
		ElementType         mergeType
		ElementRelationship string
		Keys                []string
	}
	Map *struct {
		ElementType         mergeType
		ElementRelationship string
	}
	// ElementRelationship beside NamedType takes the place of the one that
	// the named type has.
	ElementRelationship string
}

// mergeSchemas are where the modules have their schema. The packages are
// internal, so that their source is read.
var mergeSchemas = map[string]string{
	"k8s.io/client-go":               "applyconfigurations",
	"k8s.io/apiextensions-apiserver": "pkg/client/applyconfiguration",
	"k8s.io/kube-aggregator":         "pkg/client/applyconfiguration",
}

// readMergeSchemas reads the schemas of all modules into one: of client-go
// that of the release, of the others those of the newest.
func readMergeSchemas(at release) (mergeSchema, error) {
	var all mergeSchema
	for module, below := range mergeSchemas {
		from := newest
		if module == "k8s.io/client-go" {
			from = at
		}
		folder, err := from.folder(module)
		if err != nil {
			return all, err
		}
		schema, err := readMergeSchema(filepath.Join(folder, filepath.FromSlash(below), "internal", "internal.go"))
		if err != nil {
			return all, err
		}
		all.Types = append(all.Types, schema.Types...)
	}
	return all, nil
}

func readMergeSchema(name string) (mergeSchema, error) {
	var schema mergeSchema
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		return schema, err
	}
	text := ""
	ast.Inspect(file, func(node ast.Node) bool {
		if spec, ok := node.(*ast.ValueSpec); ok && spec.Names[0].Name == "schemaYAML" {
			ast.Inspect(spec, func(node ast.Node) bool {
				if literal, ok := node.(*ast.BasicLit); ok {
					text, _ = strconv.Unquote(literal.Value)
				}
				return true
			})
		}
		return true
	})
	if text == "" {
		return schema, errors.New(name + " has no schema")
	}
	err = yaml.Unmarshal([]byte(text), &schema)
	return schema, err
}

// scalarDefaults are the defaults of fields that are keys of a list of maps,
// and all others that are neither empty nor zero.
func scalarDefaults(at release) (map[string]map[string]any, error) {
	schema, err := readMergeSchemas(at)
	if err != nil {
		return nil, err
	}
	keys := map[string]map[string]bool{}
	for _, t := range schema.Types {
		for _, field := range t.Map.Fields {
			if list := field.Type.List; list != nil {
				for _, key := range list.Keys {
					item := list.ElementType.NamedType
					if keys[item] == nil {
						keys[item] = map[string]bool{}
					}
					keys[item][key] = true
				}
			}
		}
	}
	defaults := map[string]map[string]any{}
	for _, t := range schema.Types {
		for _, field := range t.Map.Fields {
			empty := field.Default == "" || field.Default == 0.0 || field.Default == false
			if _, ok := field.Default.(map[string]any); ok || field.Default == nil || empty && !keys[t.Name][field.Name] {
				continue
			}
			if defaults[t.Name] == nil {
				defaults[t.Name] = map[string]any{}
			}
			defaults[t.Name][field.Name] = field.Default
		}
	}
	return defaults, nil
}
