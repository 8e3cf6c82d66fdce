// Command calls records what single calls of extension functions give in
// cel-go, for the tests of crates/cel:
//
//	calls < FILE > ANSWERS
//
// A line of FILE has lib, version, fn, member, args and dyn as described in
// crates/cel/src/library/extension_tests.rs; answers that are there already
// are made anew. Functions that only macros call, such as math.@max, are
// called by their name as well.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"

	"convoy-lsp/oracle/internal/oracle"
)

type call struct {
	Library  string            `json:"lib"`
	Version  uint32            `json:"version"`
	Function string            `json:"fn"`
	Member   bool              `json:"member,omitempty"`
	Args     []json.RawMessage `json:"args"`
	Dyn      bool              `json:"dyn,omitempty"`
	Overload string            `json:"overload,omitempty"`
	Out      any               `json:"out,omitempty"`
	Error    string            `json:"err,omitempty"`
	Cost     *uint64           `json:"cost,omitempty"`
}

func main() {
	input := json.NewDecoder(bufio.NewReader(os.Stdin))
	output := json.NewEncoder(os.Stdout)
	output.SetEscapeHTML(false)
	for {
		var c call
		if err := input.Decode(&c); err == io.EOF {
			return
		} else if err != nil {
			log.Fatal(err)
		}
		c.Overload, c.Out, c.Error, c.Cost = "", nil, "", nil
		if err := c.answer(); err != nil {
			log.Fatalf("%s: %v", c.Function, err)
		}
		if err := output.Encode(c); err != nil {
			log.Fatal(err)
		}
	}
}

// answer evaluates the call. Its arguments are variables a0, a1 and so on.
func (c *call) answer() error {
	env, bindings, err := c.setting()
	if err != nil {
		return err
	}
	if !env.HasFunction(c.Function) {
		c.Error = "unknown function"
		return nil
	}
	checked, err := c.compile(env)
	if err != nil {
		c.Error = "check"
		return nil
	}
	program, err := env.Program(checked, cel.CostTracking(nil))
	if err != nil {
		return err
	}
	value, details, err := program.Eval(bindings)
	if err != nil {
		c.Error = err.Error()
	} else if c.Out, err = oracle.EncodeCEL(value); err != nil {
		return err
	}
	native := checked.NativeRep()
	if ids := native.GetOverloadIDs(native.Expr().ID()); len(ids) == 1 && details.ActualCost() != nil {
		c.Overload = ids[0]
		// Each variable costs one.
		cost := *details.ActualCost() - uint64(len(c.Args))
		c.Cost = &cost
	}
	return nil
}

func (c *call) setting() (*cel.Env, map[string]any, error) {
	variables, bindings := [][2]any{}, [][2]any{}
	for i, arg := range c.Args {
		name := fmt.Sprintf("a%d", i)
		var of any = "dyn"
		if !c.Dyn {
			of = typeOf(arg)
		}
		variables = append(variables, [2]any{name, of})
		bindings = append(bindings, [2]any{name, arg})
	}
	library := []any{strings.ReplaceAll(c.Library, "two_variable", "two-variable"), c.Version}
	request, err := oracle.NewRequest(map[string]any{
		"vars": variables, "bind": bindings, "libraries": []any{"standard", library},
	})
	if err != nil {
		return nil, nil, err
	}
	return oracle.CELSetting(request)
}

// typeOf is the type for a variable with a value. The elements of a list have
// a type if it is one for all, those of a map have none.
func typeOf(value json.RawMessage) any {
	var parts []json.RawMessage
	var kind string
	if json.Unmarshal(value, &parts) != nil || len(parts) == 0 || json.Unmarshal(parts[0], &kind) != nil {
		return "dyn"
	}
	switch kind {
	case "ts":
		return "timestamp"
	case "dur":
		return "duration"
	case "map":
		return []any{"map", "dyn", "dyn"}
	case "opt":
		return []any{"abs", "optional_type", "dyn"}
	case "list":
		var items []json.RawMessage
		if json.Unmarshal(parts[1], &items) != nil || len(items) == 0 {
			return []any{"list", "dyn"}
		}
		element := typeOf(items[0])
		for _, item := range items {
			if fmt.Sprint(typeOf(item)) != fmt.Sprint(element) {
				element = "dyn"
			}
		}
		return []any{"list", element}
	default:
		return kind
	}
}

// compile parses the call with another name where its own cannot be parsed.
func (c *call) compile(env *cel.Env) (*cel.Ast, error) {
	written := c.Function
	if strings.Contains(written, "@") {
		written = "internal"
	}
	names := make([]string, len(c.Args))
	for i := range names {
		names[i] = fmt.Sprintf("a%d", i)
	}
	text := written + "(" + strings.Join(names, ", ") + ")"
	if c.Member {
		if len(names) == 0 {
			return nil, errors.New("a member has a receiver")
		}
		text = names[0] + "." + written + "(" + strings.Join(names[1:], ", ") + ")"
	}
	parsed, issues := env.Parse(text)
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	if written != c.Function {
		expr := parsed.NativeRep().Expr()
		parts, factory := expr.AsCall(), ast.NewExprFactory()
		if c.Member {
			expr.SetKindCase(factory.NewMemberCall(expr.ID(), c.Function, parts.Target(), parts.Args()...))
		} else {
			expr.SetKindCase(factory.NewCall(expr.ID(), c.Function, parts.Args()...))
		}
	}
	checked, issues := env.Check(parsed)
	return checked, issues.Err()
}
