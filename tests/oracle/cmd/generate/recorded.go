package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"convoy-lsp/oracle/internal/oracle"
)

// recordedCase is a line of a file whose questions stand in the file itself:
// they were found by differential runs or written by hand, and are answered
// anew each time.
type recordedCase map[string]any

// recorded answers the questions of a file. A case whose answer varies from
// one time to the next has no place in it.
func recorded(file string, answer func(folder string, question recordedCase) (any, error)) func(string) ([]any, error) {
	return func(folder string) ([]any, error) {
		text, err := os.ReadFile(filepath.Join(folder, file))
		if err != nil {
			return nil, err
		}
		var cases []any
		for i, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
			decoder := json.NewDecoder(bytes.NewReader(line))
			decoder.UseNumber()
			var question recordedCase
			if err := decoder.Decode(&question); err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			first, err := answer(folder, question)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			for range 20 {
				again, err := answer(folder, question)
				if err != nil {
					return nil, err
				}
				if !reflect.DeepEqual(first, again) {
					return nil, fmt.Errorf("line %d: the answer varies: %v and %v", i+1, first, again)
				}
			}
			cases = append(cases, first)
		}
		return cases, nil
	}
}

// askFields asks one question and copies the wanted fields of the answer, by
// the names that the case has for them.
func askFields(request map[string]any, into recordedCase, fields map[string]string) error {
	asked, err := oracle.NewRequest(request)
	if err != nil {
		return err
	}
	answer, err := ask(asked)
	if err != nil {
		return err
	}
	for from, to := range fields {
		if value, ok := answer[from]; ok {
			into[to] = value
		}
	}
	return nil
}

func askYAML(_ string, question recordedCase) (any, error) {
	one := recordedCase{"name": question["name"], "yaml": question["yaml"]}
	request := map[string]any{"op": "yaml-json", "yaml": one["yaml"]}
	fields := map[string]string{
		"json": "json", "error": "error", "strict_json": "strict_json", "strict_error": "strict_error",
	}
	if err := askFields(request, one, fields); err != nil {
		return nil, err
	}
	for _, field := range []string{"error", "strict_error"} {
		// The engine has the older of the two wordings.
		if text, ok := one[field].(string); ok && strings.HasPrefix(text, "unsupported map key") {
			one[field] = "U" + text[1:]
		}
	}
	request["op"] = "yaml2"
	return one, askFields(request, one, map[string]string{"documents": "documents", "all_error": "all_error"})
}

func askYAML3(_ string, question recordedCase) (any, error) {
	one := recordedCase{"name": question["name"], "yaml": question["yaml"]}
	request := map[string]any{"op": "yaml3", "yaml": one["yaml"]}
	err := askFields(request, one, map[string]string{"json": "json", "error": "error", "ok": "ok"})
	if one["json"] != nil {
		delete(one, "ok")
	}
	return one, err
}

func askTemplate(folder string, question recordedCase) (any, error) {
	one := recordedCase{}
	for _, field := range []string{"id", "template", "data", "strmaps", "missingkey"} {
		one[field] = question[field]
	}
	file, ok := one["data"].(string)
	if !ok {
		return nil, fmt.Errorf("the data of %v is no file", one["id"])
	}
	data, err := os.ReadFile(filepath.Join(folder, strings.TrimPrefix(file, "@")))
	if err != nil {
		return nil, err
	}
	request := map[string]any{
		"op": "template", "template": one["template"], "data": json.RawMessage(data),
		"strmaps": one["strmaps"], "missingkey": one["missingkey"],
	}
	fields := map[string]string{"output": "output", "error": "error", "phase": "phase", "partial": "partial"}
	return one, askFields(request, one, fields)
}
