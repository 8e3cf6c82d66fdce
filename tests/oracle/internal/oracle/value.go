package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// decodeValue reads JSON into the Go types that an object from the Kubernetes
// API has in a template: a number is an int64 if it is written as an integer.
// The kind follows from how the number is written, not from its value, so that
// 1 and 1.0 stay apart.
func decodeValue(raw []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	return withNumbers(value)
}

func withNumbers(value any) (any, error) {
	switch value := value.(type) {
	case json.Number:
		return number(value.String())
	case []any:
		for i, item := range value {
			typed, err := withNumbers(item)
			if err != nil {
				return nil, err
			}
			value[i] = typed
		}
		// The template function "slice" reaches up to the capacity, which the
		// decoder leaves at some power of two; a deep copy of an API object,
		// which is what programs hand to a template, has no room to spare.
		return slices.Clip(value), nil
	case map[string]any:
		for key, item := range value {
			typed, err := withNumbers(item)
			if err != nil {
				return nil, err
			}
			value[key] = typed
		}
		return value, nil
	default:
		return value, nil
	}
}

func number(text string) (any, error) {
	if !strings.ContainsAny(text, ".eE") {
		if signed, err := strconv.ParseInt(text, 10, 64); err == nil {
			return signed, nil
		}
		if unsigned, err := strconv.ParseUint(text, 10, 64); err == nil {
			return unsigned, nil
		}
	}
	return strconv.ParseFloat(text, 64)
}

// withStringMaps turns the named top-level maps into map[string]string, the
// type in which a missing key prints nothing.
func withStringMaps(data any, names []string) (any, error) {
	if len(names) == 0 {
		return data, nil
	}
	top, ok := data.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("strmaps need data that is an object")
	}
	for _, name := range names {
		value, ok := top[name].(map[string]any)
		if !ok {
			return nil, fmt.Errorf("strmaps: %q is not an object in data", name)
		}
		texts := make(map[string]string, len(value))
		for key, item := range value {
			text, ok := item.(string)
			if !ok {
				return nil, fmt.Errorf("strmaps: %q.%q is not a string", name, key)
			}
			texts[key] = text
		}
		top[name] = texts
	}
	return top, nil
}

// DecodeData reads the data of a template, with the members of stringMaps as
// map[string]string.
func DecodeData(raw []byte, stringMaps []string) (any, error) {
	data, err := decodeValue(raw)
	if err != nil {
		return nil, err
	}
	return withStringMaps(data, stringMaps)
}
