// Command bench measures text/template, cel-go and strategicpatch for the
// benchmarks of the engines:
//
//	bench FILE RUNS
//	bench cel VARIABLES FILE RUNS
//	bench strategic OBJECT PATCH RUNS
//
// The others are described in cel.go and strategic.go. Of the first, FILE holds {"data": …, "strmaps": […], "templates": [{"name": …, "template": …}]}.
// For each template it prints a JSON line with the output and the processor
// time, in nanoseconds, of one run: parse and execute, as a controller does for
// each mutation.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"text/template"

	"convoy-lsp/oracle/internal/oracle"
)

type file struct {
	Data       json.RawMessage `json:"data"`
	StringMaps []string        `json:"strmaps"`
	Templates  []struct {
		Name     string `json:"name"`
		Template string `json:"template"`
	} `json:"templates"`
}

type result struct {
	Name        string  `json:"name"`
	Output      string  `json:"output"`
	Nanoseconds float64 `json:"ns"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) > 0 && args[0] == "cel" {
		return runCEL(args[1:])
	}
	if len(args) > 0 && args[0] == "strategic" {
		return runStrategic(args[1:])
	}
	if len(args) != 2 {
		return fmt.Errorf("usage: bench FILE RUNS | bench cel VARIABLES FILE RUNS | bench strategic OBJECT PATCH RUNS")
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	runs, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	var cases file
	if err := json.Unmarshal(text, &cases); err != nil {
		return err
	}
	data, err := oracle.DecodeData(cases.Data, cases.StringMaps)
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	for _, c := range cases.Templates {
		output, err := once(c.Name, c.Template, data)
		if err != nil {
			return err
		}
		before, err := processorTime()
		if err != nil {
			return err
		}
		for range runs {
			if _, err := once(c.Name, c.Template, data); err != nil {
				return err
			}
		}
		after, err := processorTime()
		if err != nil {
			return err
		}
		spent := float64(after-before) / float64(runs)
		if err := out.Encode(result{c.Name, output, spent}); err != nil {
			return err
		}
	}
	return nil
}

func once(name, text string, data any) (string, error) {
	parsed, err := template.New(name).Option("missingkey=zero").Parse(text)
	if err != nil {
		return "", err
	}
	var output strings.Builder
	err = parsed.Execute(&output, data)
	return output.String(), err
}

// processorTime is what all threads of the program used, the collector's too.
func processorTime() (int64, error) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0, err
	}
	return usage.Utime.Nano() + usage.Stime.Nano(), nil
}
