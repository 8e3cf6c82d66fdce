package main

import (
	"reflect"
	"strings"
)

// mergeSchemas holds lists, maps and defaults against the schemas by which
// clients merge structurally.
func (c *checker) mergeSchemas(at release) error {
	schema, err := readMergeSchemas(at)
	if err != nil {
		return err
	}
	atomic := map[string]bool{}
	for _, real := range schema.Types {
		atomic[real.Name] = real.Map.ElementRelationship == "atomic"
	}
	for _, real := range schema.Types {
		structure, ok := c.table.Structs[real.Name]
		// The modules but client-go have only their newest schema here.
		if !ok || at != newest && !strings.HasPrefix(real.Name, "io.k8s.api.") {
			continue
		}
		c.counts["merge schema: struct"]++
		seen := map[string]bool{}
		for _, field := range real.Map.Fields {
			where := real.Name + "." + field.Name
			ty, ok := structure.Fields[field.Name]
			c.compare("merge schema: field", where, ok, true)
			seen[field.Name] = true
			if ok {
				c.mergeType(where, &ty, field.Type, atomic)
				c.mergeDefault(where, ty, field.Default)
			}
		}
		for name := range structure.Fields {
			if !seen[name] && len(real.Map.Fields) > 0 {
				c.compare("merge schema: field", real.Name+"."+name, "one", "none")
			}
		}
	}
	return nil
}

// mergeType holds a list or a map against the schema.
func (c *checker) mergeType(where string, ty *tableType, real mergeType, atomic map[string]bool) {
	if real.List != nil {
		relationship, keys := listRelationship(ty)
		c.compare("merge schema: list", where, relationship, real.List.ElementRelationship)
		c.compare("merge schema: list keys", where, keys, real.List.Keys)
		if ty.Inner != nil {
			c.mergeType(where+"[]", ty.Inner, real.List.ElementType, atomic)
		}
		return
	}
	if real.Map != nil && ty.Inner != nil {
		c.compare("merge schema: map", where, ty.Atomic, real.Map.ElementRelationship == "atomic")
		c.mergeType(where+"{}", ty.Inner, real.Map.ElementType, atomic)
		return
	}
	if ty.Shape == "list" || ty.Shape == "map" {
		c.compare("merge schema: shape", where, ty.Shape, "neither list nor map")
	}
	if ty.Shape == "struct" {
		c.compare("merge schema: reference", where, ty.Struct, real.NamedType)
		whole := real.ElementRelationship == "atomic" || real.ElementRelationship == "" && atomic[real.NamedType]
		c.compare("merge schema: atomic", where, ty.Atomic, whole)
	}
}

// listRelationship is what structured merge makes of a list: without a type
// the patch strategy decides.
func listRelationship(ty *tableType) (string, []string) {
	switch ty.List {
	case "map":
		return "associative", ty.Keys
	case "set":
		return "associative", nil
	case "atomic":
		return "atomic", nil
	}
	if len(ty.Strategy) > 0 && ty.Strategy[0] == "merge" {
		if ty.MergeKey != "" {
			return "associative", []string{ty.MergeKey}
		}
		return "associative", nil
	}
	return "atomic", nil
}

// mergeDefault holds a default against that of the schema; the tables have
// only those that are something, and those of keys.
func (c *checker) mergeDefault(where string, ty tableType, real any) {
	if ty.Default != nil {
		c.compare("merge schema: default", where, ty.Default, real)
		return
	}
	if _, ok := real.(map[string]any); !ok && real != nil && !reflect.ValueOf(real).IsZero() {
		c.compare("merge schema: default", where, nil, real)
	}
}
