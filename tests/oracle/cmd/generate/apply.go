package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"convoy-lsp/oracle/internal/oracle"
)

// applyCase is one line of apply.jsonl, whose questions stand there.
type applyCase struct {
	Name   string `json:"name"`
	Object string `json:"object"`
	Patch  string `json:"patch"`
	// Duplicates is "refused" for releases before 1.35.
	Duplicates string  `json:"duplicates,omitempty"`
	Result     *string `json:"result,omitempty"`
	Error      string  `json:"error,omitempty"`
}

// customGroup is the group of the definition in apply-crd.json.
const customGroup = "example.convoy.dev/"

// applyVectors answers the questions of apply.jsonl anew. The oracle asks each
// that is refused many times itself, so once is enough here.
func applyVectors(folder string) ([]any, error) {
	text, err := os.ReadFile(filepath.Join(folder, "apply.jsonl"))
	if err != nil {
		return nil, err
	}
	definition, err := os.ReadFile(filepath.Join(folder, "apply-crd.json"))
	if err != nil {
		return nil, err
	}
	var cases []any
	for i, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var one applyCase
		if err := json.Unmarshal(line, &one); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		fields := map[string]any{"op": "apply", "object": one.Object, "patch": one.Patch}
		if one.Duplicates != "" {
			fields["duplicates"] = one.Duplicates
		}
		if strings.Contains(one.Object, customGroup) {
			fields["crd"] = string(definition)
		}
		request, err := oracle.NewRequest(fields)
		if err != nil {
			return nil, err
		}
		answer, err := ask(request)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		one.Result, one.Error = nil, ""
		if result, ok := answer["result"].(string); ok {
			one.Result = &result
		} else if one.Error, ok = answer["error"].(string); !ok || answer["phase"] != "apply" {
			return nil, fmt.Errorf("line %d is no question: %v", i+1, answer)
		}
		cases = append(cases, one)
	}
	return cases, nil
}
