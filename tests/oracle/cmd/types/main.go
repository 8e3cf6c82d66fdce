// Command types prints what the Go types of Kubernetes say of the built-in
// kinds, as one JSON document: for every struct its fields with the name of
// their type, what a strategic merge does with them, and the values of
// enumerations; and the defaults that client-go knows. Facts only: no comment
// of the sources gets through.
//
// schemas/kubernetes/make merges this with the published OpenAPI definitions.
//
// With -check it reads what the tables say of a release, as the example
// "facts" of crates/kube prints it, and holds it against the schemas of
// structured merges, the newest also against the Go types and what the API
// server publishes.
// With -samples it decodes the objects that the example "samples" prints.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
)

// facts are what the command prints.
type facts struct {
	// Structs by the name of their OpenAPI definition.
	Structs map[string]goStruct `json:"structs"`
	// Enums are the values of enumerations by release and by the name of
	// their Go type: its package's path and its name.
	Enums map[release]map[string][]string `json:"enums"`
	// Defaults of scalar fields by release, definition and field.
	Defaults map[release]map[string]map[string]any `json:"defaults"`
}

func main() {
	check := flag.Bool("check", false, "hold the facts on standard input against those of the Go types")
	samples := flag.Bool("samples", false, "decode the objects on standard input, one a line, strictly")
	flag.Parse()
	var err error
	switch {
	case *check:
		err = runCheck(os.Stdin)
	case *samples:
		err = runSamples(os.Stdin)
	default:
		err = run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	walk := reflected()
	all := facts{
		Structs:  walk.structs,
		Enums:    map[release]map[string][]string{},
		Defaults: map[release]map[string]map[string]any{},
	}
	for at := oldest; at <= newest; at++ {
		var err error
		if all.Enums[at], err = enumerations(walk.named, at); err != nil {
			return err
		}
		if all.Defaults[at], err = scalarDefaults(at); err != nil {
			return err
		}
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", " ")
	return encoder.Encode(all)
}
