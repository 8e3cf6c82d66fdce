package main

import (
	"reflect"
	"strings"

	"convoy-lsp/oracle/internal/kube"
)

// goStruct has the fields of a struct by their JSON name, those of embedded
// structs included.
type goStruct map[string]goField

// goField is a field of a Go struct.
type goField struct {
	// Type as reflect prints it, without the star of a pointer.
	Type    string `json:"type"`
	Pointer bool   `json:"pointer,omitempty"`
	// Named is the full name of the text type that the field, its items or
	// its values have, if it is a named one.
	Named    string   `json:"named,omitempty"`
	Strategy []string `json:"strategy,omitempty"`
	MergeKey string   `json:"mergeKey,omitempty"`
	// of is the type without the star.
	of reflect.Type
}

// definition is the name that OpenAPI gives to a Go type.
func definition(t reflect.Type) string {
	path := t.PkgPath()
	path = strings.TrimPrefix(path, "k8s.io/")
	return "io.k8s." + strings.ReplaceAll(path, "/", ".") + "." + t.Name()
}

// walker has what was met below types: the structs by the names of their
// definitions, and the full names of named text types.
type walker struct {
	structs map[string]goStruct
	types   map[string]reflect.Type
	named   map[string]bool
}

// reflected walks over the types of all kinds of the scheme.
func reflected() walker {
	walk := walker{structs: map[string]goStruct{}, types: map[string]reflect.Type{}, named: map[string]bool{}}
	for _, t := range kube.Scheme.AllKnownTypes() {
		walk.visit(t)
	}
	return walk
}

// visit adds the structs below a type.
func (w walker) visit(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Array:
		w.visit(t.Elem())
	case reflect.Struct:
		// Structs of the standard library, such as time.Time, are texts.
		if !strings.HasPrefix(t.PkgPath(), "k8s.io/") {
			return
		}
		name := definition(t)
		if _, ok := w.structs[name]; ok {
			return
		}
		fields := goStruct{}
		w.structs[name] = fields
		w.types[name] = t
		w.fields(t, fields)
	}
}

// fields adds the fields of a struct, those of embedded structs included.
func (w walker) fields(t reflect.Type, fields goStruct) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if !field.IsExported() || name == "-" {
			continue
		}
		if name == "" && field.Anonymous {
			if field.Type.Kind() == reflect.Struct {
				w.fields(field.Type, fields)
			}
			continue
		}
		if name == "" {
			continue
		}
		fields[name] = w.field(field)
		w.visit(field.Type)
	}
}

func (w walker) field(field reflect.StructField) goField {
	t := field.Type
	pointer := t.Kind() == reflect.Pointer
	if pointer {
		t = t.Elem()
	}
	fact := goField{Type: t.String(), Pointer: pointer, MergeKey: field.Tag.Get("patchMergeKey"), of: t}
	if strategy := field.Tag.Get("patchStrategy"); strategy != "" {
		fact.Strategy = strings.Split(strategy, ",")
	}
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Map || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.String && t.PkgPath() != "" {
		fact.Named = t.PkgPath() + "." + t.Name()
		w.named[fact.Named] = true
	}
	return fact
}
