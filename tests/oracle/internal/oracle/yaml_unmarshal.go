package oracle

import (
	"encoding/json"

	"sigs.k8s.io/yaml"
)

// runYAMLUnmarshal reads YAML into a map, which is what most Go programs do
// with an overlay. It differs from runYAMLJSON in that a document which is not
// a mapping is refused and every number becomes a float64.
func runYAMLUnmarshal(r Request) (Answer, error) {
	text, err := r.text("yaml")
	if err != nil {
		return nil, err
	}
	var overlay map[string]interface{}
	if err := yaml.Unmarshal([]byte(text), &overlay); err != nil {
		return Answer{"error": err.Error()}, nil
	}
	written, err := json.Marshal(overlay)
	if err != nil {
		return Answer{"error": err.Error()}, nil
	}
	return Answer{"json": string(written)}, nil
}
