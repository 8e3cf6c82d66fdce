package oracle

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"
)

// outputLimit bounds the output of a template, because a short template can
// write for ever.
const outputLimit = 16 << 20

var errOutputLimit = errors.New("the output is larger than 16 MiB")

// boundedWriter keeps what fits and then refuses, which stops the execution.
type boundedWriter struct{ text strings.Builder }

func (w *boundedWriter) Write(p []byte) (int, error) {
	if w.text.Len()+len(p) > outputLimit {
		return 0, errOutputLimit
	}
	return w.text.Write(p)
}

// runTemplate executes a text/template with the built-in functions only.
func runTemplate(r Request) (Answer, error) {
	text, err := r.text("template")
	if err != nil {
		return nil, err
	}
	name, err := r.textOr("name", "t")
	if err != nil {
		return nil, err
	}
	// The renderers that this project mirrors all set "zero".
	missingKey, err := r.textOr("missingkey", "zero")
	if err != nil {
		return nil, err
	}
	// The library panics on another word, and that would look like an answer.
	if !slices.Contains([]string{"default", "zero", "error"}, missingKey) {
		return nil, fmt.Errorf("unknown missingkey %q", missingKey)
	}
	data, err := r.value("data")
	if err != nil {
		return nil, err
	}
	stringMaps, err := r.texts("strmaps")
	if err != nil {
		return nil, err
	}
	data, err = withStringMaps(data, stringMaps)
	if err != nil {
		return nil, err
	}

	parsed, err := template.New(name).Option("missingkey=" + missingKey).Parse(text)
	if err != nil {
		return Answer{"error": err.Error(), "phase": "parse"}, nil
	}
	var output boundedWriter
	err = parsed.Execute(&output, data)
	switch {
	case errors.Is(err, errOutputLimit):
		// The partial output is left out: it would be 16 MiB of the same.
		return Answer{"error": err.Error(), "phase": "exec"}, nil
	case err != nil:
		return Answer{"error": err.Error(), "phase": "exec", "partial": output.text.String()}, nil
	}
	return Answer{"output": output.text.String()}, nil
}
