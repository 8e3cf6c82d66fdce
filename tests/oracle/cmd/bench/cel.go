package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/google/cel-go/cel"

	"convoy-lsp/oracle/internal/oracle"
)

// celExpressions is what a file of expressions holds.
type celExpressions struct {
	Expressions []struct {
		Name       string `json:"name"`
		Expression string `json:"expr"`
	} `json:"expressions"`
}

// celResult is the value of an expression in the encoding of the conformance
// cases, and the processor time of each step in nanoseconds.
type celResult struct {
	Name     string  `json:"name"`
	Output   any     `json:"output"`
	Parse    float64 `json:"parse"`
	Check    float64 `json:"check"`
	Evaluate float64 `json:"evaluate"`
}

// runCEL measures what cel-go needs to parse, to check, and to evaluate what
// was planned before, which it does ten times as often as the others.
// VARIABLES is a file such as the conformance cases have.
func runCEL(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("usage: bench cel VARIABLES FILE RUNS")
	}
	runs, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	variables, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	var request oracle.Request
	if err := json.Unmarshal(variables, &request); err != nil {
		return err
	}
	env, bindings, err := oracle.CELSetting(request)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	var file celExpressions
	if err := json.Unmarshal(text, &file); err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	for _, one := range file.Expressions {
		result, err := measureCEL(env, bindings, one.Expression, runs)
		if err != nil {
			return fmt.Errorf("%s: %w", one.Name, err)
		}
		result.Name = one.Name
		if err := out.Encode(result); err != nil {
			return err
		}
	}
	return nil
}

func measureCEL(env *cel.Env, bindings map[string]any, expression string, runs int) (result celResult, err error) {
	parsed, issues := env.Parse(expression)
	if issues.Err() != nil {
		return result, issues.Err()
	}
	checked, issues := env.Check(parsed)
	if issues.Err() != nil {
		return result, issues.Err()
	}
	program, err := env.Program(checked)
	if err != nil {
		return result, err
	}
	value, _, err := program.Eval(bindings)
	if err != nil {
		return result, err
	}
	if result.Output, err = oracle.EncodeCEL(value); err != nil {
		return result, err
	}
	for _, step := range []struct {
		time *float64
		runs int
		run  func()
	}{
		{&result.Parse, runs, func() { env.Parse(expression) }},
		{&result.Check, runs, func() { env.Check(parsed) }},
		{&result.Evaluate, 10 * runs, func() { program.Eval(bindings) }},
	} {
		before, err := processorTime()
		if err != nil {
			return result, err
		}
		for range step.runs {
			step.run()
		}
		after, err := processorTime()
		if err != nil {
			return result, err
		}
		*step.time = float64(after-before) / float64(step.runs)
	}
	return result, nil
}
