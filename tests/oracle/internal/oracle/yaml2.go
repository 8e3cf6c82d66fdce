package oracle

import (
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v2"
)

// runYAML2 asks the YAML 1.1 library that sigs.k8s.io/yaml is built on.
func runYAML2(r Request) (Answer, error) {
	text, err := r.text("yaml")
	if err != nil {
		return nil, err
	}
	answer := Answer{}
	var first interface{}
	if err := yaml.Unmarshal([]byte(text), &first); err != nil {
		answer["error"] = err.Error()
	} else {
		answer["ok"] = true
	}
	// Unmarshal looks at the first document only, so a broken later one is
	// seen by a decoder alone.
	documents, err := countDocuments(text)
	answer["documents"] = documents
	if err != nil {
		answer["all_error"] = err.Error()
	}
	return answer, nil
}

func countDocuments(text string) (documents int, err error) {
	decoder := yaml.NewDecoder(strings.NewReader(text))
	for {
		var document interface{}
		switch err := decoder.Decode(&document); {
		case errors.Is(err, io.EOF):
			return documents, nil
		case err != nil:
			// The decoder repeats its error for ever, so the first one ends the count.
			return documents, err
		}
		documents++
	}
}
