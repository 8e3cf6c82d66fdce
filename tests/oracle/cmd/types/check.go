package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"convoy-lsp/oracle/internal/kube"
)

// table is what the tables say of a release.
type table struct {
	Release string
	Kinds   []struct{ Group, Version, Kind, Struct string }
	Structs map[string]tableStruct
}

type tableStruct struct {
	GoName string
	Fields map[string]tableType
}

type tableType struct {
	Shape, Format, Struct, Go, List, MergeKey string
	Inner                                     *tableType
	Pointer, Atomic, Required                 bool
	Keys, Strategy, Enum                      []string
	Default                                   any
}

// checker counts what was held against each other, and keeps differences.
type checker struct {
	table       table
	counts      map[string]int
	failed      map[string]int
	differences []string
	// server is the folder of the API server's sources, schemas what its
	// OpenAPI documents have.
	server  string
	schemas map[string]openSchema
}

func (c *checker) compare(what, where string, table, real any) {
	c.counts[what]++
	if reflect.DeepEqual(table, real) {
		return
	}
	c.failed[what]++
	text := fmt.Sprintf("%s of %s: the table has %v, the real one is %v", what, where, table, real)
	c.differences = append(c.differences, text)
}

func runCheck(in io.Reader) error {
	c := checker{counts: map[string]int{}, failed: map[string]int{}}
	if err := json.NewDecoder(in).Decode(&c.table); err != nil {
		return err
	}
	var at release
	if _, err := fmt.Sscanf(c.table.Release, "1.%d", &at); err != nil {
		return fmt.Errorf("release %q: %w", c.table.Release, err)
	}
	if err := c.mergeSchemas(at); err != nil {
		return err
	}
	if at == newest {
		if err := c.newest(); err != nil {
			return err
		}
	}
	return c.report()
}

// newest holds the newest release against the Go types and against what the
// API server publishes.
func (c *checker) newest() error {
	var err error
	if c.server, err = serverFolder(); err != nil {
		return err
	}
	if c.schemas, err = readDocuments(c.server); err != nil {
		return err
	}
	c.kinds()
	if err := c.structs(); err != nil {
		return err
	}
	return c.published()
}

func (c *checker) report() error {
	for _, difference := range slices.Sorted(slices.Values(c.differences)) {
		fmt.Println(difference)
	}
	total := 0
	for _, what := range slices.Sorted(maps.Keys(c.counts)) {
		fmt.Printf("%s: %d/%d\n", what, c.counts[what]-c.failed[what], c.counts[what])
		total += c.counts[what]
	}
	fmt.Printf("%d passed, %d failed\n", total-len(c.differences), len(c.differences))
	if len(c.differences) > 0 {
		return fmt.Errorf("the tables differ from the real types")
	}
	return nil
}

// kinds holds the kinds against those of the scheme that the API server
// serves: its documents have them.
func (c *checker) kinds() {
	names := map[schema.GroupVersionKind]string{}
	for _, kind := range c.table.Kinds {
		gvk := schema.GroupVersionKind{Group: kind.Group, Version: kind.Version, Kind: kind.Kind}
		names[gvk] = kind.Struct
	}
	for gvk, t := range kube.Scheme.AllKnownTypes() {
		name, ok := names[gvk]
		if _, served := c.schemas[definition(t)]; !served && !ok || isRequest(t) {
			continue
		}
		c.compare("kind", gvk.String(), name, definition(t))
		delete(names, gvk)
	}
	for gvk := range names {
		c.compare("kind", gvk.String(), "one", "none")
	}
}

// isRequest says whether a type of the scheme is what a request has beside
// its object, or an answer without one: options, a watch event, a status.
func isRequest(t reflect.Type) bool {
	return t.PkgPath() == "k8s.io/apimachinery/pkg/apis/meta/v1"
}

// structs holds all structs against the Go types that the scheme reaches.
func (c *checker) structs() error {
	walk := reflected()
	enums, err := enumerations(walk.named, newest)
	if err != nil {
		return err
	}
	for name, structure := range c.table.Structs {
		t, ok := walk.types[name]
		c.compare("struct", name, true, ok)
		if !ok {
			continue
		}
		c.compare("Go name", name, structure.GoName, t.Name())
		real := walk.structs[name]
		for field := range real {
			if _, ok := structure.Fields[field]; !ok {
				c.compare("field", name+"."+field, "none", "one")
			}
		}
		for field, ty := range structure.Fields {
			where := name + "." + field
			fact, ok := real[field]
			c.compare("field", where, true, ok)
			if ok {
				c.field(where, ty, fact, enums)
			}
		}
	}
	return nil
}

// field holds a field against its Go type and its tags.
func (c *checker) field(where string, ty tableType, fact goField, enums map[string][]string) {
	c.compare("merge key", where, ty.MergeKey, fact.MergeKey)
	c.compare("patch strategy", where, ty.Strategy, sorted(fact.Strategy))
	c.compare("pointer", where, ty.Pointer, fact.Pointer)
	c.goType(where, &ty, fact.of)
	leaf := &ty
	for leaf.Inner != nil {
		leaf = leaf.Inner
	}
	c.compare("enumeration", where, leaf.Enum, enums[fact.Named])
}

// sorted is never nil, as the lists of the tables.
func sorted(words []string) []string {
	sorted := append([]string{}, words...)
	slices.Sort(sorted)
	return sorted
}

// shapes of the Go types that write themselves as JSON.
var shapes = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":                                             "string",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":                                        "string",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":                                         "any",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":                                          "any",
	"k8s.io/apimachinery/pkg/api/resource.Quantity":                                         "quantity",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString":                                       "int-or-string",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON":                         "any",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrArray":       "any",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrBool":        "any",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrStringArray": "any",
}

// goType holds a type against a Go type, without its star, down to its end.
func (c *checker) goType(where string, ty *tableType, t reflect.Type) {
	c.compare("Go type", where, ty.Go, strings.ReplaceAll(t.String(), " ", ""))
	shape, inner := "", reflect.Type(nil)
	switch kind := t.Kind(); {
	case shapes[t.PkgPath()+"."+t.Name()] != "":
		shape = shapes[t.PkgPath()+"."+t.Name()]
	case kind == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		shape = "string"
	case kind == reflect.Slice:
		shape, inner = "list", t.Elem()
	case kind == reflect.Map:
		shape, inner = "map", t.Elem()
	case kind == reflect.Struct:
		shape = "struct"
		c.compare("reference", where, ty.Struct, definition(t))
	case kind == reflect.String:
		shape = "string"
	case kind == reflect.Bool:
		shape = "boolean"
	case kind == reflect.Float64:
		shape = "number"
		c.compare("format", where, ty.Format, "double")
	default:
		shape = "integer"
		c.compare("format", where, ty.Format, kind.String())
	}
	c.compare("shape", where, ty.Shape, shape)
	if inner == nil || ty.Inner == nil {
		return
	}
	pointer := inner.Kind() == reflect.Pointer
	c.compare("pointer", where+"[]", ty.Inner.Pointer, pointer)
	if pointer {
		inner = inner.Elem()
	}
	c.goType(where+"[]", ty.Inner, inner)
}
