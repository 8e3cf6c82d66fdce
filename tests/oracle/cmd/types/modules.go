package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
)

// release is the minor number of a release of Kubernetes.
type release int

const (
	oldest release = 25
	// newest is the release whose modules go.mod requires.
	newest release = 37
)

// folder is where the go command has the sources of a module of a release. It
// fetches those that go.mod does not require.
func (r release) folder(module string) (string, error) {
	if r == newest {
		return list("{{.Dir}}", module)
	}
	return fetch(fmt.Sprintf("%s@v0.%d.0", module, r))
}

// list asks the go command for a property of a module that go.mod requires.
func list(format, module string) (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", format, module).Output()
	if err != nil {
		return "", fmt.Errorf("go list -m %s: %w", module, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// fetch downloads a module of any version.
func fetch(module string) (string, error) {
	out, err := exec.Command("go", "mod", "download", "-json", module).Output()
	if err != nil {
		return "", fmt.Errorf("go mod download %s: %w", module, err)
	}
	var found struct{ Dir string }
	err = json.Unmarshal(out, &found)
	return found.Dir, err
}
