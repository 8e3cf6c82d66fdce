package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// place is an RFC 6901 pointer and the JSON text of what it points at.
type place struct{ pointer, text string }

// places returns every place below the root of a document, in a fixed order.
func places(doc string) []place {
	decoder := json.NewDecoder(strings.NewReader(doc))
	// Numbers keep their digits, or a test for 1.0 would ask for 1.
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		// The documents are constants of this program.
		panic(fmt.Sprintf("%s: %v", doc, err))
	}
	var found []place
	collect(value, "", &found)
	return found
}

func collect(value any, at string, found *[]place) {
	if at != "" {
		text, err := json.Marshal(value)
		if err != nil {
			// What was decoded from JSON always has a JSON form.
			panic(err)
		}
		*found = append(*found, place{at, string(text)})
	}
	switch value := value.(type) {
	case []any:
		for i, item := range value {
			collect(item, fmt.Sprintf("%s/%d", at, i), found)
		}
	case map[string]any:
		keys := make([]string, 0, len(value))
		for key := range value {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			collect(value[key], at+"/"+escape(key), found)
		}
	}
}

func escape(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}

// quote writes a text as a JSON string without the escapes for HTML.
func quote(text string) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		// A string always has a JSON form.
		panic(err)
	}
	return strings.TrimSuffix(out.String(), "\n")
}
