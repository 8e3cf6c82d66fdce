package oracle

import "fmt"

// runFmt formats a list of values, which have the types of template data.
func runFmt(r Request) (Answer, error) {
	format, err := r.text("format")
	if err != nil {
		return nil, err
	}
	value, err := r.value("args")
	if err != nil {
		return nil, err
	}
	args, ok := value.([]any)
	if !ok && value != nil {
		return nil, fmt.Errorf("args is not a list")
	}
	return Answer{"output": fmt.Sprintf(format, args...)}, nil
}
