package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// openAPI is an OpenAPI v3 document.
type openAPI struct {
	Components struct {
		Schemas map[string]openSchema
	}
}

type openSchema struct {
	Ref                  string `json:"$ref"`
	AllOf                []openSchema
	Type, Format         string
	Properties           map[string]openSchema
	Items                *openSchema
	AdditionalProperties *openSchema
	Required             []string
	Default              any
	Strategy             string   `json:"x-kubernetes-patch-strategy"`
	MergeKey             string   `json:"x-kubernetes-patch-merge-key"`
	ListType             string   `json:"x-kubernetes-list-type"`
	MapKeys              []string `json:"x-kubernetes-list-map-keys"`
	MapType              string   `json:"x-kubernetes-map-type"`
}

// reference is the name of the definition that a schema refers to.
func (s openSchema) reference() string {
	ref := s.Ref
	if len(s.AllOf) == 1 {
		ref = s.AllOf[0].Ref
	}
	return strings.TrimPrefix(ref, "#/components/schemas/")
}

// serverFolder fetches the sources of the API server of the same release as
// the modules: they have the documents that it publishes.
func serverFolder() (string, error) {
	version, err := list("{{.Version}}", "k8s.io/api")
	if err != nil {
		return "", err
	}
	return fetch("k8s.io/kubernetes@v1" + strings.TrimPrefix(version, "v0"))
}

// published holds all structs against the documents that the API server
// publishes, and enumerations against those that it is compiled with.
func (c *checker) published() error {
	for name, structure := range c.table.Structs {
		real, ok := c.schemas[name]
		c.compare("OpenAPI: struct", name, true, ok)
		for field := range real.Properties {
			if _, ok := structure.Fields[field]; !ok {
				c.compare("OpenAPI: field", name+"."+field, "none", "one")
			}
		}
		for field, ty := range structure.Fields {
			where := name + "." + field
			property, ok := real.Properties[field]
			c.compare("OpenAPI: field", where, true, ok)
			c.openField(where, ty, property)
			c.compare("OpenAPI: required", where, ty.Required, slices.Contains(real.Required, field))
		}
	}
	return c.compiledEnums(filepath.Join(c.server, "pkg", "generated", "openapi", "zz_generated.openapi.go"))
}

func readDocuments(server string) (map[string]openSchema, error) {
	names, err := filepath.Glob(filepath.Join(server, "api", "openapi-spec", "v3", "*.json"))
	if err != nil {
		return nil, err
	}
	schemas := map[string]openSchema{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var document openAPI
		if err := json.Unmarshal(text, &document); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for name, schema := range document.Components.Schemas {
			schemas[name] = schema
		}
	}
	return schemas, nil
}

// openField holds a field against its schema.
func (c *checker) openField(where string, ty tableType, real openSchema) {
	c.compare("OpenAPI: merge key", where, ty.MergeKey, real.MergeKey)
	words := []string{}
	if real.Strategy != "" {
		words = strings.Split(real.Strategy, ",")
	}
	c.compare("OpenAPI: patch strategy", where, ty.Strategy, sorted(words))
	c.compare("OpenAPI: list type", where, ty.List, real.ListType)
	c.compare("OpenAPI: list keys", where, ty.Keys, real.MapKeys)
	if ty.Default != nil || isSomething(real.Default) {
		c.compare("OpenAPI: default", where, ty.Default, real.Default)
	}
	c.openType(where, &ty, real)
}

func isSomething(value any) bool {
	_, object := value.(map[string]any)
	return value != nil && !object && !reflect.ValueOf(value).IsZero()
}

// openType holds a type against a schema, down to its end.
func (c *checker) openType(where string, ty *tableType, real openSchema) {
	atomic := real.MapType == "atomic" || real.MapType == "" && c.schemas[real.reference()].MapType == "atomic"
	c.compare("OpenAPI: atomic", where, ty.Atomic, atomic)
	if ty.Shape == "struct" {
		c.compare("OpenAPI: reference", where, ty.Struct, real.reference())
		return
	}
	if referred, ok := c.schemas[real.reference()]; ok {
		real = referred
	}
	format := ty.Format
	if ty.Shape == "int-or-string" {
		format = ty.Shape
	}
	c.compare("OpenAPI: format", where, format, real.Format)
	inner := real.Items
	if ty.Shape == "map" {
		inner = real.AdditionalProperties
	}
	c.compare("OpenAPI: list or map", where, ty.Inner != nil, inner != nil)
	if ty.Inner != nil && inner != nil {
		c.openType(where+"[]", ty.Inner, *inner)
	}
}

// compiledEnums holds enumerations against the schemas that the API server is
// compiled with: what it publishes leaves them out.
func (c *checker) compiledEnums(name string) error {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		return err
	}
	functions := map[string]ast.Node{}
	for _, decl := range file.Decls {
		if function, ok := decl.(*ast.FuncDecl); ok {
			functions[function.Name.Name] = function
		}
	}
	for name, structure := range c.table.Structs {
		real := map[string][]string{}
		function, ok := functions[schemaFunction(name)]
		if !ok {
			continue
		}
		enumsOf(function, real)
		for field, ty := range structure.Fields {
			leaf := &ty
			for leaf.Inner != nil {
				leaf = leaf.Inner
			}
			c.compare("compiled enumeration", name+"."+field, leaf.Enum, real[field])
		}
	}
	return nil
}

// schemaFunction is the function that has the schema of a definition: it is
// named after the last four parts of the package's path.
func schemaFunction(definition string) string {
	parts := strings.Split(strings.TrimPrefix(definition, "io.k8s."), ".")
	parts = append([]string{"k8sio"}, parts...)
	return "schema_" + strings.Join(parts[max(0, len(parts)-5):], "_")
}

// enumsOf collects the enumerations of the fields of a schema.
func enumsOf(function ast.Node, enums map[string][]string) {
	ast.Inspect(function, func(node ast.Node) bool {
		pair, ok := node.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		if key, ok := pair.Key.(*ast.Ident); !ok || key.Name != "Properties" {
			return true
		}
		properties, ok := pair.Value.(*ast.CompositeLit)
		if !ok {
			return true
		}
		for _, element := range properties.Elts {
			if property, ok := element.(*ast.KeyValueExpr); ok {
				if values := enumWithin(property.Value); values != nil {
					enums[literal(property.Key)] = values
				}
			}
		}
		return false
	})
}

func enumWithin(schema ast.Expr) []string {
	var values []string
	ast.Inspect(schema, func(node ast.Node) bool {
		pair, ok := node.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		if key, ok := pair.Key.(*ast.Ident); ok && key.Name == "Enum" {
			if list, ok := pair.Value.(*ast.CompositeLit); ok {
				for _, element := range list.Elts {
					values = append(values, literal(element))
				}
			}
			return false
		}
		return true
	})
	return values
}

// literal is the text of a string literal.
func literal(expression ast.Expr) string {
	if basic, ok := expression.(*ast.BasicLit); ok {
		text, _ := strconv.Unquote(basic.Value)
		return text
	}
	return ""
}
