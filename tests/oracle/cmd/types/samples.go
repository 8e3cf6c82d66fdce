package main

import (
	"bufio"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/runtime/serializer/json"

	"convoy-lsp/oracle/internal/kube"
)

// runSamples decodes objects, one a line, as strictly as the API server does.
func runSamples(in io.Reader) error {
	strict := json.NewSerializerWithOptions(json.DefaultMetaFactory, kube.Scheme, kube.Scheme, json.SerializerOptions{Strict: true})
	passed, failed := 0, 0
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if _, _, err := strict.Decode(lines.Bytes(), nil, nil); err != nil {
			fmt.Printf("%s: %v\n", lines.Text(), err)
			failed++
			continue
		}
		passed++
	}
	if err := lines.Err(); err != nil {
		return err
	}
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	if failed > 0 || passed == 0 {
		return fmt.Errorf("samples were refused")
	}
	return nil
}
