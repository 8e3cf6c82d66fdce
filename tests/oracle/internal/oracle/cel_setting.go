package oracle

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/types/ref"
)

// CELFunctions returns the functions of the default environment by name, so
// that a generator of cases can tell which of them it has left out.
func CELFunctions() (map[string]*decls.FunctionDecl, error) {
	env, err := celEnvironment{}.build()
	if err != nil {
		return nil, err
	}
	return env.Functions(), nil
}

// CELSetting returns the environment and the variables of a request, which
// needs no expression.
func CELSetting(r Request) (*cel.Env, map[string]any, error) {
	r["expr"] = []byte(`""`)
	request, err := decodeCELRequest(r)
	if err != nil {
		return nil, nil, err
	}
	bindings, err := request.bindings()
	if err != nil {
		return nil, nil, err
	}
	env, err := request.celEnvironment.build()
	return env, bindings, err
}

// EncodeCEL writes a value as the answers have it.
func EncodeCEL(value ref.Val) (any, error) {
	encoder := celEncoder{left: celValueLimit}
	return encoder.encode(value)
}
