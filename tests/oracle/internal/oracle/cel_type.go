package oracle

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/cel-go/cel"
)

var celTypes = map[string]*cel.Type{
	"any":       cel.AnyType,
	"bool":      cel.BoolType,
	"bytes":     cel.BytesType,
	"double":    cel.DoubleType,
	"duration":  cel.DurationType,
	"dyn":       cel.DynType,
	"int":       cel.IntType,
	"null":      cel.NullType,
	"string":    cel.StringType,
	"timestamp": cel.TimestampType,
	"type":      cel.TypeType,
	"uint":      cel.UintType,
}

// decodeCELType reads a type in the encoding of the conformance cases: "int",
// ["map","string","int"], ["abs","optional_type","int"], ["param","T"].
func decodeCELType(raw json.RawMessage) (*cel.Type, error) {
	var name string
	if err := json.Unmarshal(raw, &name); err == nil {
		if known, ok := celTypes[name]; ok {
			return known, nil
		}
		return nil, fmt.Errorf("unknown type %q", name)
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(raw, &parts); err != nil {
		return nil, err
	}
	if len(parts) == 0 {
		return nil, errors.New("a type is an empty list")
	}
	if err := json.Unmarshal(parts[0], &name); err != nil {
		return nil, err
	}
	arguments := parts[1:]
	var label string
	if name == "abs" || name == "param" || name == "object" {
		if len(arguments) == 0 {
			return nil, fmt.Errorf("a type of kind %q has no name", name)
		}
		if err := json.Unmarshal(arguments[0], &label); err != nil {
			return nil, err
		}
		arguments = arguments[1:]
	}
	inner := make([]*cel.Type, len(arguments))
	for i, argument := range arguments {
		decoded, err := decodeCELType(argument)
		if err != nil {
			return nil, err
		}
		inner[i] = decoded
	}
	switch {
	case name == "list" && len(inner) == 1:
		return cel.ListType(inner[0]), nil
	case name == "map" && len(inner) == 2:
		return cel.MapType(inner[0], inner[1]), nil
	case name == "wrapper" && len(inner) == 1:
		return cel.NullableType(inner[0]), nil
	case name == "type" && len(inner) == 1:
		return cel.TypeType, nil
	case name == "abs" && label == "optional_type" && len(inner) == 1:
		return cel.OptionalType(inner[0]), nil
	case name == "abs":
		return cel.OpaqueType(label, inner...), nil
	case name == "param":
		return cel.TypeParamType(label), nil
	case name == "object":
		return cel.ObjectType(label), nil
	default:
		return nil, fmt.Errorf("unknown kind of type %q with %d parameters", name, len(inner))
	}
}
