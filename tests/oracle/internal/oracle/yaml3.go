package oracle

import (
	"encoding/json"
	"fmt"

	"gopkg.in/yaml.v3"
)

// runYAML3 asks the YAML 1.2-leaning library that tools outside Kubernetes use.
func runYAML3(r Request) (Answer, error) {
	text, err := r.text("yaml")
	if err != nil {
		return nil, err
	}
	var value interface{}
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		return Answer{"error": err.Error()}, nil
	}
	answer := Answer{"ok": true, "go": fmt.Sprintf("%#v", value)}
	// A map with a key that is not a string has no JSON form; the Go text above
	// still shows it.
	if written, err := json.Marshal(value); err == nil {
		answer["json"] = string(written)
	}
	return answer, nil
}
