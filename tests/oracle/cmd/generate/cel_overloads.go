package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"

	"convoy-lsp/oracle/internal/oracle"
)

// celValues are expressions of each type: the first is a variable or reaches
// one, the others are constants.
var celValues = map[string][]string{
	"bool":                      {"b", "false", "i > 1"},
	"bytes":                     {"by", "b'\\xffa'", "bytes(s)"},
	"double":                    {"d", "-2.5", "double(i)"},
	"dyn":                       {"object.spec.replicas", "dyn('x')", "dyn([1])"},
	"google.protobuf.Duration":  {"du", "duration('-1h0.5s')", "ts - ts"},
	"google.protobuf.Timestamp": {"ts", "timestamp('1999-12-31T23:59:59Z')", "ts + du"},
	"int":                       {"i", "-7", "size(s)"},
	"net.CIDR":                  {"cidr('10.1.2.3/8')", "cidr('2001:db8::/48')", "cidr('10.1.2.3/8').masked()"},
	"net.IP":                    {"ip('10.1.2.3')", "ip('::1')", "cidr('10.1.2.3/8').ip()"},
	"string":                    {"s", "'10.1.0.0/16'", "string(i)"},
	"uint":                      {"u", "7u", "uint(i)"},
	// What a type parameter stands for; lists and maps follow from it.
	"parameter": {"i", "'x'", "true"},
}

// celValue writes an expression of a type; all type parameters of a call
// stand for the same type.
func celValue(of *cel.Type, turn int) string {
	switch of.Kind() {
	case types.ListKind:
		return "[" + celValue(of.Parameters()[0], turn) + ", " + celValue(of.Parameters()[0], turn) + "]"
	case types.MapKind:
		return "{" + celValue(of.Parameters()[0], turn) + ": " + celValue(of.Parameters()[1], turn) + "}"
	case types.TypeParamKind:
		return celValues["parameter"][turn]
	case types.OpaqueKind:
		if of.TypeName() == "optional_type" {
			return "optional.of(" + celValue(of.Parameters()[0], turn) + ")"
		}
	}
	return celValues[of.TypeName()][turn]
}

// celOperators are the ways in which operators are written.
var celOperators = map[string]string{
	"!_": "!%s", "-_": "-%s", "_?_:_": "%s ? %s : %s", "_[_]": "%s[%s]", "_[?_]": "%s[?%s]", "@in": "%s in %s",
}

// celWord is how a call is written, and none for a function that a text
// cannot name.
func celWord(function string, member bool, args []string) (string, bool) {
	if operator, ok := celOperators[function]; ok {
		words := make([]any, len(args))
		for i, arg := range args {
			words[i] = arg
		}
		return fmt.Sprintf(operator, words...), true
	}
	if middle, ok := strings.CutPrefix(function, "_"); ok && strings.HasSuffix(middle, "_") && len(args) == 2 {
		middle = strings.TrimSuffix(middle, "_")
		if strings.ContainsAny(middle, "+-*/%<>=!&|") {
			return args[0] + " " + middle + " " + args[1], true
		}
	}
	for _, namespace := range []string{"math.@max", "math.@min"} {
		if function == namespace {
			word := map[string]string{"math.@max": "math.greatest", "math.@min": "math.least"}[function]
			return word + "(" + strings.Join(args, ", ") + ")", true
		}
	}
	if strings.ContainsAny(function, "@?") || function == "in" || strings.HasPrefix(function, "_in") {
		return "", false
	}
	if member {
		return args[0] + "." + function + "(" + strings.Join(args[1:], ", ") + ")", true
	}
	return function + "(" + strings.Join(args, ", ") + ")", true
}

// overloads asks about each overload of each function: well-typed calls, a
// value of another type hidden in dyn, and one that the checker sees.
func (m *celMaker) overloads() error {
	functions, err := oracle.CELFunctions()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		for _, overload := range functions[name].OverloadDecls() {
			params := overload.ArgTypes()
			call := func(arg func(position int, of *cel.Type) string) error {
				args := make([]string, len(params))
				for i, param := range params {
					args[i] = arg(i, param)
				}
				if text, ok := celWord(name, overload.IsMemberFunction(), args); ok {
					return m.add("call", text, nil)
				}
				return nil
			}
			for turn := range 3 {
				if err := call(func(_ int, of *cel.Type) string { return celValue(of, turn) }); err != nil {
					return err
				}
			}
			for wrong := range params {
				other := "'x'"
				if params[wrong].TypeName() == "string" {
					other = "1.5"
				}
				for _, text := range []string{"dyn(" + other + ")", other} {
					err := call(func(i int, of *cel.Type) string {
						if i == wrong {
							return text
						}
						return celValue(of, 0)
					})
					if err != nil {
						return err
					}
					if wrong > 0 {
						// The checker's text is the same but for the types.
						break
					}
				}
			}
		}
	}
	return nil
}
