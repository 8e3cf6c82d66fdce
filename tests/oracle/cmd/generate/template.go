package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"convoy-lsp/oracle/internal/oracle"
)

// templateCase is one line of template-extra.jsonl. Its fields are those of
// gotemplate.jsonl, so that one runner reads both.
type templateCase struct {
	ID         string   `json:"id"`
	Class      string   `json:"class"`
	Template   string   `json:"template"`
	Data       any      `json:"data"`
	StringMaps []string `json:"strmaps,omitempty"`
	MissingKey string   `json:"missingkey"`
	Output     *string  `json:"output,omitempty"`
	Error      string   `json:"error,omitempty"`
	Phase      string   `json:"phase,omitempty"`
	Partial    *string  `json:"partial,omitempty"`
	Go         string   `json:"go"`
}

// sharedData is how a case says that its data is the file beside it.
const sharedData = "@data.json"

// templateGroup holds the templates of one class, with what they run on. The
// groups leave out what gotemplate.jsonl has already. Templates that fail while
// they run mostly write something first, so that the partial output is tested.
type templateGroup struct {
	class      string
	missingKey string
	// data is JSON text; without it the shared file is used.
	data      string
	templates []string
}

func templateVectors(folder string) ([]any, error) {
	shared, err := os.ReadFile(filepath.Join(folder, "data.json"))
	if err != nil {
		return nil, err
	}
	groups := slices.Concat(valueTemplates, []templateGroup{verbGroup()},
		logicTemplates, flowTemplates, syntaxTemplates, pathTemplates)
	var cases []any
	// Two groups of one class share its numbers, so that each name is unique.
	numbers := map[string]int{}
	for _, group := range groups {
		for _, text := range group.templates {
			numbers[group.class]++
			one := templateCase{
				ID:         fmt.Sprintf("x-%s-%03d", group.class, numbers[group.class]),
				Class:      group.class,
				Template:   text,
				MissingKey: group.missingKey,
				Go:         goVersion,
			}
			if one.MissingKey == "" {
				one.MissingKey = "zero"
			}
			if err := one.answer(group.data, shared); err != nil {
				return nil, fmt.Errorf("%s: %w", one.ID, err)
			}
			cases = append(cases, one)
		}
	}
	return cases, nil
}

// answer fills in what Go does with the template.
func (one *templateCase) answer(data string, shared []byte) error {
	raw := json.RawMessage(shared)
	one.Data = sharedData
	if data == "" {
		one.StringMaps = []string{"params"}
	} else {
		raw = json.RawMessage(data)
		one.Data = raw
	}
	fields := map[string]any{
		"op": "template", "template": one.Template, "data": raw, "missingkey": one.MissingKey,
	}
	if one.StringMaps != nil {
		fields["strmaps"] = one.StringMaps
	}
	request, err := oracle.NewRequest(fields)
	if err != nil {
		return err
	}
	answer, err := ask(request)
	if err != nil {
		return err
	}
	for field, value := range answer {
		text, ok := value.(string)
		if !ok || !utf8.ValidString(text) {
			return fmt.Errorf("%s cannot stand in a vector: %q", field, value)
		}
		switch field {
		case "output":
			one.Output = &text
		case "error":
			one.Error = text
		case "phase":
			one.Phase = text
		case "partial":
			one.Partial = &text
		default:
			return fmt.Errorf("unexpected %s: %s", field, text)
		}
	}
	return nil
}

// verbGroup crosses each kind of value with each family of printf verbs. %p is
// left out, since an address differs from run to run.
func verbGroup() templateGroup {
	values := []string{".s", ".i", ".n", ".f", ".huge", ".t", ".nil", ".m", ".nums", ".l", ".params"}
	families := []string{
		"%v|%+v|%#v|%T",
		"%s|%q|%+q|%#q",
		"%x|%X|% x|%#x|%# X",
		"%d|%+d|% d|%o|%O|%#o|%b",
		"%c|%U|%#U|%t",
		"%e|%E|%f|%F|%g|%G|%.3g|%#g",
		"%10v|%-10v|%010v|%.2v|%+.1v",
		"%08.3f|%+08.2f|%-8.1f|% .2e|%#.3x",
		"%6s|%-6s|%.1s|%06s|%6q|%.2q|%6t",
		"%w|%y|%k|%z",
	}
	group := templateGroup{class: "verb"}
	for _, value := range values {
		for _, family := range families {
			call := "printf " + quote(family)
			for range verbCount(family) {
				call += " " + value
			}
			group.templates = append(group.templates, "{{"+call+"}}")
		}
	}
	return group
}

func verbCount(format string) (count int) {
	for _, c := range format {
		if c == '%' {
			count++
		}
	}
	return count
}
