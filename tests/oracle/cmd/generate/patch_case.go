package main

import (
	"fmt"
	"maps"

	"convoy-lsp/oracle/internal/oracle"
)

// patchCase is one line of json-patch.jsonl, json-patch-v4.jsonl or merge-patch.jsonl.
type patchCase struct {
	Name  string `json:"name"`
	Doc   string `json:"doc"`
	Patch string `json:"patch"`
	// Result is a pointer because the empty text is a result too.
	Result *string `json:"result,omitempty"`
	// Unordered marks a result whose keys the library orders by chance.
	Unordered bool   `json:"unordered,omitempty"`
	Error     string `json:"error,omitempty"`
	Phase     string `json:"phase,omitempty"`
}

// question is a patch before the library has answered.
type question struct{ name, doc, patch string }

// repeats is how often a question is put to see whether the answer varies. The
// library walks Go maps, whose order is drawn anew each time; of two orders
// the rarer one comes up in one of eight walks, so it is missed with a chance
// of about one in 10^12.
const repeats = 200

// settled puts a question many times and returns the distinct answers.
func settled(op, flavour string, q question) ([]oracle.Answer, error) {
	request, err := oracle.NewRequest(map[string]any{"op": op, "flavour": flavour, "doc": q.doc, "patch": q.patch})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", q.name, err)
	}
	var distinct []oracle.Answer
	for range repeats {
		answer, err := ask(request)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.name, err)
		}
		known := false
		for _, other := range distinct {
			known = known || maps.Equal(answer, other)
		}
		if !known {
			distinct = append(distinct, answer)
		}
	}
	return distinct, nil
}

// fill writes an answer into the case that asked for it.
func fill(q question, answer oracle.Answer) patchCase {
	one := patchCase{Name: q.name, Doc: q.doc, Patch: q.patch}
	if result, ok := answer["result"].(string); ok {
		one.Result = &result
		return one
	}
	if reason, ok := answer["panic"].(string); ok {
		// A caller of the library sees no result either, so a panic counts as
		// an error; its text says what it was.
		one.Error = "panic: " + reason
		one.Phase = "apply"
		return one
	}
	one.Error = answer["error"].(string)
	one.Phase, _ = answer["phase"].(string)
	return one
}
