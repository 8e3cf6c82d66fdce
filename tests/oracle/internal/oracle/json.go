package oracle

import (
	"encoding/json"
	"errors"
)

// runJSON reads JSON with the standard library.
func runJSON(r Request) (Answer, error) {
	text, err := r.text("text")
	if err != nil {
		return nil, err
	}
	var value interface{}
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		answer := Answer{"error": err.Error()}
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			answer["offset"] = syntax.Offset
		}
		return answer, nil
	}
	written, err := json.Marshal(value)
	if err != nil {
		return Answer{"error": err.Error()}, nil
	}
	return Answer{"json": string(written)}, nil
}
