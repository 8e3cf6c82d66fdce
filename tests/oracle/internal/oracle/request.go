package oracle

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// Request holds the fields of one request, still undecoded, because each
// operation reads its own.
type Request map[string]json.RawMessage

// NewRequest makes a request from Go values, for callers in this module.
func NewRequest(fields map[string]any) (Request, error) {
	request := make(Request, len(fields))
	for name, value := range fields {
		raw, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("field %q: %w", name, err)
		}
		request[name] = raw
	}
	return request, nil
}

// text reads a required text. A caller with bytes that are not UTF-8 sends
// them in base64 under the same name with "_b64" after it.
func (r Request) text(field string) (string, error) {
	if raw, ok := r[field]; ok {
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return "", fmt.Errorf("field %q: %w", field, err)
		}
		return text, nil
	}
	if _, ok := r[field+"_b64"]; ok {
		encoded, err := r.text(field + "_b64")
		if err != nil {
			return "", err
		}
		text, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil {
			return "", fmt.Errorf("field %q: %w", field+"_b64", err)
		}
		return string(text), nil
	}
	return "", fmt.Errorf("field %q is missing", field)
}

// textOr reads an optional text.
func (r Request) textOr(field, fallback string) (string, error) {
	if _, ok := r[field]; !ok {
		return fallback, nil
	}
	return r.text(field)
}

// texts reads an optional list of texts.
func (r Request) texts(field string) ([]string, error) {
	raw, ok := r[field]
	if !ok {
		return nil, nil
	}
	var texts []string
	if err := json.Unmarshal(raw, &texts); err != nil {
		return nil, fmt.Errorf("field %q: %w", field, err)
	}
	return texts, nil
}

// value reads an optional value with the Go types that decodeValue gives.
func (r Request) value(field string) (any, error) {
	raw, ok := r[field]
	if !ok {
		return nil, nil
	}
	value, err := decodeValue(raw)
	if err != nil {
		return nil, fmt.Errorf("field %q: %w", field, err)
	}
	return value, nil
}
