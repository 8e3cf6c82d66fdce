// Command generate writes the test vectors in tests/conformance that come from
// the Go libraries. Run it in tests/oracle. With -check it writes nothing and
// fails if a file is stale.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"convoy-lsp/oracle/internal/oracle"
)

// goVersion is the release whose answers the vectors hold. The texts of errors
// change between releases, so another one must not write them by accident.
const goVersion = "1.27.3"

func main() {
	folder := flag.String("out", filepath.Join("..", "conformance"), "the folder of the vectors")
	check := flag.Bool("check", false, "write nothing, fail if a file is stale")
	flag.Parse()
	if err := generate(*folder, *check); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func generate(folder string, check bool) error {
	if running := oracle.Versions()["go"]; running != goVersion {
		return fmt.Errorf("this is Go %s, the vectors are those of %s: set GOTOOLCHAIN=auto or go%s",
			running, goVersion, goVersion)
	}
	vectors := []struct {
		file string
		make func(folder string) ([]any, error)
	}{
		{"apply.jsonl", applyVectors},
		{"cel/cel.jsonl", celVectors},
		{"cel/found.jsonl", recorded("found.jsonl", askCEL)},
		{"crd-validate.jsonl", crdValidateVectors},
		{"json-patch.jsonl", jsonPatchVectors},
		{"json-patch-v4.jsonl", jsonPatchV4Vectors},
		{"merge-patch.jsonl", mergePatchVectors},
		{"strict-decode.jsonl", strictDecodeVectors},
		{"strategic-merge.jsonl", strategicMergeVectors},
		{"strategic-merge-found.jsonl", strategicMergeFound},
		{"template-extra.jsonl", templateVectors},
		{"template-found.jsonl", recorded("template-found.jsonl", askTemplate)},
		{"yaml-found.jsonl", recorded("yaml-found.jsonl", askYAML)},
		{"yaml3.jsonl", recorded("yaml3.jsonl", askYAML3)},
	}
	for _, vector := range vectors {
		path := filepath.Join(folder, vector.file)
		cases, err := vector.make(filepath.Dir(path))
		if err != nil {
			return fmt.Errorf("%s: %w", vector.file, err)
		}
		fresh, err := lines(cases)
		if err != nil {
			return fmt.Errorf("%s: %w", vector.file, err)
		}
		if check {
			stored, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if !bytes.Equal(stored, fresh) {
				return fmt.Errorf("%s is stale: run go run ./cmd/generate in tests/oracle", vector.file)
			}
			continue
		}
		if err := os.WriteFile(path, fresh, 0o644); err != nil {
			return err
		}
		fmt.Printf("%s: %d cases, %d bytes\n", vector.file, len(cases), len(fresh))
	}
	return nil
}

func lines(cases []any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	// Escaped angle brackets would only make the vectors harder to read.
	encoder.SetEscapeHTML(false)
	for _, one := range cases {
		if err := encoder.Encode(one); err != nil {
			return nil, err
		}
	}
	return text.Bytes(), nil
}

// ask puts a question to the oracle through the same door as the callers of
// the protocol use. Every question has an answer, or the program is wrong.
func ask(request oracle.Request) (oracle.Answer, error) {
	answer := oracle.Ask(request)
	if reason, ok := answer["bad_request"]; ok {
		return nil, fmt.Errorf("bad request: %v", reason)
	}
	if _, ok := answer["timeout"]; ok {
		return nil, errors.New("the oracle ran into its time limit")
	}
	return answer, nil
}
