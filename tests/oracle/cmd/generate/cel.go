package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"convoy-lsp/oracle/internal/oracle"
)

// celTexts holds expressions, one a line, under headings: "# name" or
// "# name {fields}", whose fields go into each case. A line break within an
// expression is written as ⏎.
//
//go:embed cel/*.txt
var celTexts embed.FS

// celFiles are the files in the order of their cases.
var celFiles = []string{"standard", "macros", "strings", "lists", "time", "options"}

// celEnv is the file beside the cases that has their variables.
const celEnv = "kube"

// celCase is one line of cel.jsonl. Its fields are those of the cases of
// cel-spec, but that the variables stand in a file.
type celCase map[string]any

// celMaker collects cases and numbers them by their topic.
type celMaker struct {
	shared  map[string]json.RawMessage
	numbers map[string]int
	seen    map[string]bool
	cases   []any
}

func celVectors(folder string) ([]any, error) {
	text, err := os.ReadFile(filepath.Join(folder, celEnv+".json"))
	if err != nil {
		return nil, err
	}
	maker := celMaker{numbers: map[string]int{}, seen: map[string]bool{}}
	if err := json.Unmarshal(text, &maker.shared); err != nil {
		return nil, err
	}
	for _, file := range celFiles {
		if err := maker.file(file); err != nil {
			return nil, err
		}
	}
	if err := maker.overloads(); err != nil {
		return nil, err
	}
	if err := maker.pairs(); err != nil {
		return nil, err
	}
	return maker.cases, nil
}

func (m *celMaker) file(name string) error {
	text, err := celTexts.ReadFile("cel/" + name + ".txt")
	if err != nil {
		return err
	}
	topic, fields := "", map[string]any{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if heading, ok := strings.CutPrefix(line, "# "); ok {
			var options string
			topic, options, _ = strings.Cut(heading, " ")
			fields = map[string]any{}
			if options != "" {
				if err := json.Unmarshal([]byte(options), &fields); err != nil {
					return fmt.Errorf("%s: %w", heading, err)
				}
			}
			continue
		}
		if err := m.add(topic, strings.ReplaceAll(line, "⏎", "\n"), fields); err != nil {
			return err
		}
	}
	return nil
}

var errVaries = errors.New("the answer varies")

// askCEL answers a question that stands in a file: an expression over the
// variables beside it.
func askCEL(folder string, question recordedCase) (any, error) {
	text, err := os.ReadFile(filepath.Join(folder, celEnv+".json"))
	if err != nil {
		return nil, err
	}
	maker := celMaker{}
	if err := json.Unmarshal(text, &maker.shared); err != nil {
		return nil, err
	}
	expression, ok := question["expr"].(string)
	if !ok || question["env"] != celEnv {
		return nil, fmt.Errorf("%v has no expression or other variables", question["id"])
	}
	one := celCase{"id": question["id"], "env": celEnv, "expr": expression}
	fields := map[string]any{}
	if question["disable_check"] == true {
		fields["disable_check"] = true
	}
	request, err := maker.request(expression, fields)
	if err != nil {
		return nil, err
	}
	answer, err := ask(request)
	if err != nil {
		return nil, err
	}
	maps.Copy(one, fields)
	one["cel_go"] = celAnswer(answer)
	return ordered(one), nil
}

// celAnswer is an answer as it stands in a case.
func celAnswer(answer oracle.Answer) map[string]any {
	fields := map[string]any{}
	maps.Copy(fields, answer)
	if cost, ok := fields["cost"]; ok {
		// A text, as numbers are in values.
		fields["cost"] = fmt.Sprint(cost)
	}
	return fields
}

func (m *celMaker) request(expression string, fields map[string]any) (oracle.Request, error) {
	request := map[string]any{"op": "cel", "expr": expression}
	for _, name := range []string{"vars", "data", "bind"} {
		request[name] = m.shared[name]
	}
	maps.Copy(request, fields)
	return oracle.NewRequest(request)
}

// add asks one question and keeps it with its answer. The same question is
// kept once.
func (m *celMaker) add(topic, expression string, fields map[string]any) error {
	options, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	if key := expression + "\x00" + string(options); m.seen[key] {
		return nil
	} else {
		m.seen[key] = true
	}
	asked, err := m.request(expression, fields)
	if err != nil {
		return err
	}
	first, err := ask(asked)
	if err != nil {
		return fmt.Errorf("%s: %w", expression, err)
	}
	// The order of a map's entries is drawn anew each time; a case that
	// depends on it has no place here.
	for range 8 {
		again, err := ask(asked)
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(first, again) {
			return fmt.Errorf("%s: %w: %v and %v", expression, errVaries, first, again)
		}
	}
	m.numbers[topic]++
	one := celCase{
		"id": fmt.Sprintf("%s-%03d", topic, m.numbers[topic]), "env": celEnv, "expr": expression,
		"cel_go": celAnswer(first),
	}
	maps.Copy(one, fields)
	m.cases = append(m.cases, ordered(one))
	return nil
}

// ordered is a case whose id comes first and whose answer comes last.
func ordered(one celCase) json.RawMessage {
	var text bytes.Buffer
	text.WriteByte('{')
	write := func(name string) {
		value, ok := one[name]
		if !ok {
			return
		}
		if text.Len() > 1 {
			text.WriteByte(',')
		}
		var content bytes.Buffer
		encoder := json.NewEncoder(&content)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(value); err != nil {
			// Cases are made of texts, numbers and lists.
			panic(err)
		}
		fmt.Fprintf(&text, "%q:%s", name, bytes.TrimSpace(content.Bytes()))
	}
	for _, name := range []string{
		"id", "env", "expr", "container", "libraries", "homogeneous", "cross_type",
		"disable_macros", "disable_check", "cel_go",
	} {
		write(name)
	}
	text.WriteByte('}')
	return text.Bytes()
}
