package oracle

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"
)

// celEnvironment is what an expression may use.
type celEnvironment struct {
	Container     string               `json:"container"`
	Variables     [][2]json.RawMessage `json:"vars"`
	Functions     []celFunction        `json:"fns"`
	DisableMacros bool                 `json:"disable_macros"`
	Libraries     []celLibrary         `json:"libraries"`
	Homogeneous   bool                 `json:"homogeneous"`
	CrossType     *bool                `json:"cross_type"`
}

// celFunction is a function that is declared and cannot run.
type celFunction struct {
	Name     string            `json:"name"`
	ID       string            `json:"id"`
	Params   []json.RawMessage `json:"params"`
	Result   json.RawMessage   `json:"result"`
	Instance bool              `json:"inst"`
}

// celLibrary is "strings" or ["strings", 2].
type celLibrary struct {
	name    string
	version *uint32
}

func (l *celLibrary) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, &l.name); err == nil {
		return nil
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil {
		return err
	}
	if len(parts) != 2 {
		return fmt.Errorf("a library is a name, or a name and a version")
	}
	if err := json.Unmarshal(parts[0], &l.name); err != nil {
		return err
	}
	return json.Unmarshal(parts[1], &l.version)
}

func (l celLibrary) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{l.name, l.version})
}

// celLibraries are the libraries of the default environment, each in its
// newest version, in the order in which they are added.
var celLibraries = []celLibrary{
	{name: "standard"}, {name: "optional"}, {name: "strings"}, {name: "lists"}, {name: "math"}, {name: "encoders"},
	{name: "sets"}, {name: "bindings"}, {name: "two-variable"}, {name: "network"}, {name: "regex"},
}

// versioned makes the option of a library, with its newest version unless one
// is asked for.
func versioned[O any](l celLibrary, library func(...O) cel.EnvOption, version func(uint32) O) cel.EnvOption {
	if l.version == nil {
		return library()
	}
	return library(version(*l.version))
}

func (l celLibrary) option() (cel.EnvOption, error) {
	switch l.name {
	case "standard":
		return cel.StdLib(), nil
	case "optional":
		return versioned(l, cel.OptionalTypes, cel.OptionalTypesVersion), nil
	case "strings":
		return versioned(l, ext.Strings, ext.StringsVersion), nil
	case "lists":
		return versioned(l, ext.Lists, ext.ListsVersion), nil
	case "math":
		return versioned(l, ext.Math, ext.MathVersion), nil
	case "encoders":
		return versioned(l, ext.Encoders, ext.EncodersVersion), nil
	case "sets":
		return versioned(l, ext.Sets, ext.SetsVersion), nil
	case "bindings":
		return versioned(l, ext.Bindings, ext.BindingsVersion), nil
	case "two-variable":
		return versioned(l, ext.TwoVarComprehensions, ext.TwoVarComprehensionsVersion), nil
	case "network":
		return versioned(l, ext.Network, ext.NetworkVersion), nil
	case "regex":
		return versioned(l, ext.Regex, ext.RegexVersion), nil
	default:
		return nil, fmt.Errorf("unknown library %q", l.name)
	}
}

// celEnvironments keeps environments by their description, because making one
// takes far longer than a question about it.
var celEnvironments = struct {
	sync.Mutex
	made map[string]*cel.Env
}{made: map[string]*cel.Env{}}

const celEnvironmentsKept = 64

func (e celEnvironment) build() (*cel.Env, error) {
	key, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	celEnvironments.Lock()
	env := celEnvironments.made[string(key)]
	celEnvironments.Unlock()
	if env != nil {
		return env, nil
	}
	options, err := e.options()
	if err != nil {
		return nil, err
	}
	env, err = cel.NewCustomEnv(options...)
	if err != nil {
		return nil, err
	}
	celEnvironments.Lock()
	defer celEnvironments.Unlock()
	if len(celEnvironments.made) >= celEnvironmentsKept {
		clear(celEnvironments.made)
	}
	celEnvironments.made[string(key)] = env
	return env, nil
}

func (e celEnvironment) options() ([]cel.EnvOption, error) {
	var options []cel.EnvOption
	libraries := e.Libraries
	if libraries == nil {
		libraries = celLibraries
	}
	for _, library := range libraries {
		option, err := library.option()
		if err != nil {
			return nil, err
		}
		options = append(options, option)
	}
	options = append(options,
		cel.CrossTypeNumericComparisons(e.CrossType == nil || *e.CrossType),
		cel.DefaultUTCTimeZone(true),
		cel.EnableIdentifierEscapeSyntax(),
		cel.Container(e.Container),
	)
	if e.Homogeneous {
		options = append(options, cel.HomogeneousAggregateLiterals())
	}
	if e.DisableMacros {
		options = append(options, cel.ClearMacros())
	}
	for _, variable := range e.Variables {
		var name string
		if err := json.Unmarshal(variable[0], &name); err != nil {
			return nil, err
		}
		declared, err := decodeCELType(variable[1])
		if err != nil {
			return nil, err
		}
		options = append(options, cel.Variable(name, declared))
	}
	for _, function := range e.Functions {
		option, err := function.option()
		if err != nil {
			return nil, err
		}
		options = append(options, option)
	}
	return options, nil
}

func (f celFunction) option() (cel.EnvOption, error) {
	params := make([]*cel.Type, len(f.Params))
	for i, raw := range f.Params {
		param, err := decodeCELType(raw)
		if err != nil {
			return nil, err
		}
		params[i] = param
	}
	result, err := decodeCELType(f.Result)
	if err != nil {
		return nil, err
	}
	if f.Instance {
		return cel.Function(f.Name, cel.MemberOverload(f.ID, params, result)), nil
	}
	return cel.Function(f.Name, cel.Overload(f.ID, params, result)), nil
}
