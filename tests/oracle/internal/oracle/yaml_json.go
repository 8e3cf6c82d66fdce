package oracle

import "sigs.k8s.io/yaml"

// runYAMLJSON turns YAML into JSON as Kubernetes programs do, once leniently
// and once with duplicated keys refused.
func runYAMLJSON(r Request) (Answer, error) {
	text, err := r.text("yaml")
	if err != nil {
		return nil, err
	}
	answer := Answer{}
	if converted, err := yaml.YAMLToJSON([]byte(text)); err != nil {
		answer["error"] = err.Error()
	} else {
		answer["json"] = string(converted)
	}
	if converted, err := yaml.YAMLToJSONStrict([]byte(text)); err != nil {
		answer["strict_error"] = err.Error()
	} else {
		answer["strict_json"] = string(converted)
	}
	return answer, nil
}
