package oracle

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

const (
	// celCostLimit ends an evaluation that the interpreter can count.
	celCostLimit = 10_000_000
	// celTimeLimit ends one that is slow in ways which cost nothing.
	celTimeLimit = 5 * time.Second
)

// celRequest holds the fields of the conformance cases, and switches that
// they do not have.
type celRequest struct {
	celEnvironment
	Expression   string               `json:"expr"`
	Bindings     [][2]json.RawMessage `json:"bind"`
	Data         json.RawMessage      `json:"data"`
	DisableCheck bool                 `json:"disable_check"`
	CheckOnly    bool                 `json:"check_only"`
	CostLimit    *uint64              `json:"cost_limit"`
	Where        bool                 `json:"where"`
}

// runCEL compiles and runs an expression as the conformance cases say.
func runCEL(r Request) (Answer, error) {
	request, err := decodeCELRequest(r)
	if err != nil {
		return nil, err
	}
	bindings, err := request.bindings()
	if err != nil {
		return nil, err
	}
	env, err := request.celEnvironment.build()
	if err != nil {
		return Answer{"err": "env: " + err.Error()}, nil
	}

	ast, issues := env.Parse(request.Expression)
	if err := issues.Err(); err != nil {
		return Answer{"err": "parse: " + err.Error()}, nil
	}
	answer := Answer{}
	if !request.DisableCheck {
		ast, issues = env.Check(ast)
		if err := issues.Err(); err != nil {
			return Answer{"err": "check: " + err.Error()}, nil
		}
		answer["type"] = ast.OutputType().String()
	}
	if request.CheckOnly {
		return answer, nil
	}
	return request.evaluate(env, ast, bindings, answer)
}

func decodeCELRequest(r Request) (request celRequest, err error) {
	whole, err := json.Marshal(r)
	if err != nil {
		return request, err
	}
	if err := json.Unmarshal(whole, &request); err != nil {
		return request, err
	}
	request.Expression, err = r.text("expr")
	return request, err
}

func (request celRequest) bindings() (map[string]any, error) {
	bindings := map[string]any{}
	if request.Data != nil {
		// These are the Go values that an API object has; an evaluator sees
		// them through its type adapter.
		data, err := decodeValue(request.Data)
		if err != nil {
			return nil, err
		}
		object, ok := data.(map[string]any)
		if !ok {
			return nil, errors.New("data is not an object")
		}
		bindings = object
	}
	for _, binding := range request.Bindings {
		var name string
		if err := json.Unmarshal(binding[0], &name); err != nil {
			return nil, err
		}
		value, err := decodeCELValue(binding[1])
		if err != nil {
			return nil, err
		}
		bindings[name] = value
	}
	return bindings, nil
}

func (request celRequest) evaluate(env *cel.Env, ast *cel.Ast, bindings map[string]any, answer Answer) (Answer, error) {
	limit := uint64(celCostLimit)
	if request.CostLimit != nil {
		limit = *request.CostLimit
	}
	program, err := env.Program(ast,
		cel.EvalOptions(cel.OptTrackCost), cel.CostLimit(limit), cel.InterruptCheckFrequency(100))
	if err != nil {
		answer["err"] = "program: " + err.Error()
		return answer, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), celTimeLimit)
	defer cancel()
	value, details, err := program.ContextEval(ctx, bindings)
	if details != nil && details.ActualCost() != nil {
		answer["cost"] = *details.ActualCost()
	}
	if err != nil && strings.HasPrefix(err.Error(), "internal error: ") {
		// The tracker of costs may be what broke: it takes arguments for what they should be.
		plain, planErr := env.Program(ast, cel.InterruptCheckFrequency(100))
		if planErr != nil {
			return nil, planErr
		}
		untracked, _, untrackedErr := plain.ContextEval(ctx, bindings)
		if untrackedErr == nil || untrackedErr.Error() != err.Error() {
			value, err = untracked, untrackedErr
			delete(answer, "cost")
		}
	}
	if ctx.Err() != nil {
		return Answer{"timeout": true}, nil
	}
	if err != nil {
		answer["err"] = "eval: " + err.Error()
		if request.Where {
			addPlace(answer, ast, value)
		}
		return answer, nil
	}
	encoder := celEncoder{left: celValueLimit}
	out, err := encoder.encode(value)
	if err != nil {
		answer["too_large"] = true
		return answer, nil
	}
	answer["out"] = out
	return answer, nil
}

// addPlace says which node an error of evaluation came from.
func addPlace(answer Answer, ast *cel.Ast, value ref.Val) {
	failed, ok := value.(*types.Err)
	if !ok {
		return
	}
	answer["err_id"] = failed.NodeID()
	info := ast.NativeRep().SourceInfo()
	if place, ok := info.GetOffsetRange(failed.NodeID()); ok {
		// Offsets count code points, as do the columns of messages.
		answer["err_offset"] = place.Start
	}
}
