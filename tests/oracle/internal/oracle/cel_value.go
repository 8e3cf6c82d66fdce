package oracle

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// celValueLimit bounds how many values and bytes an answer may hold. A short
// expression can share one list so often that its full text has no end.
const celValueLimit = 1 << 20

var errCELValueLimit = errors.New("the value is too large to write down")

// celRuntimeTypes are the types that a value may be, by the names that they
// have at run time.
var celRuntimeTypes = map[string]ref.Val{
	"bool": types.BoolType, "bytes": types.BytesType, "double": types.DoubleType, "int": types.IntType,
	"list": types.ListType, "map": types.MapType, "null_type": types.NullType, "string": types.StringType,
	"type": types.TypeType, "uint": types.UintType,
	"google.protobuf.Duration": types.DurationType, "google.protobuf.Timestamp": types.TimestampType,
}

// decodeCELValue reads a value in the encoding of the conformance cases:
// ["int","3"], ["list",[…]] and so on.
func decodeCELValue(raw json.RawMessage) (ref.Val, error) {
	var parts []json.RawMessage
	if err := json.Unmarshal(raw, &parts); err != nil {
		return nil, err
	}
	if len(parts) == 0 {
		return nil, errors.New("a value is an empty list")
	}
	var kind string
	if err := json.Unmarshal(parts[0], &kind); err != nil {
		return nil, err
	}
	var texts []string
	for _, part := range parts[1:] {
		var text string
		if err := json.Unmarshal(part, &text); err != nil {
			// Numbers of timestamps may also be given as numbers.
			text = string(part)
		}
		texts = append(texts, text)
	}
	needed := map[string]int{"ts": 2, "dur": 2, "null": 0, "opt": 0}
	count, ok := needed[kind]
	if !ok {
		count = 1
	}
	if len(texts) < count {
		return nil, fmt.Errorf("a value of kind %q lacks its content", kind)
	}
	switch kind {
	case "null":
		return types.NullValue, nil
	case "bool":
		return types.Bool(texts[0] == "true"), nil
	case "int":
		value, err := strconv.ParseInt(texts[0], 10, 64)
		return types.Int(value), err
	case "uint":
		value, err := strconv.ParseUint(texts[0], 10, 64)
		return types.Uint(value), err
	case "double":
		bits, err := strconv.ParseUint(texts[0], 10, 64)
		return types.Double(math.Float64frombits(bits)), err
	case "string":
		return types.String(texts[0]), nil
	case "bytes":
		value, err := hex.DecodeString(texts[0])
		return types.Bytes(value), err
	case "ts", "dur":
		seconds, err := strconv.ParseInt(texts[0], 10, 64)
		if err != nil {
			return nil, err
		}
		nanos, err := strconv.ParseInt(texts[1], 10, 64)
		if err != nil {
			return nil, err
		}
		if kind == "ts" {
			return types.Timestamp{Time: time.Unix(seconds, nanos).UTC()}, nil
		}
		return types.Duration{Duration: time.Duration(seconds)*time.Second + time.Duration(nanos)}, nil
	case "type":
		value, ok := celRuntimeTypes[texts[0]]
		if !ok {
			return nil, fmt.Errorf("unknown type %q", texts[0])
		}
		return value, nil
	case "opt":
		if len(parts) == 1 {
			return types.OptionalNone, nil
		}
		value, err := decodeCELValue(parts[1])
		return types.OptionalOf(value), err
	case "list":
		var items []json.RawMessage
		if err := json.Unmarshal(parts[1], &items); err != nil {
			return nil, err
		}
		values := make([]ref.Val, len(items))
		for i, item := range items {
			value, err := decodeCELValue(item)
			if err != nil {
				return nil, err
			}
			values[i] = value
		}
		return types.NewRefValList(types.DefaultTypeAdapter, values), nil
	case "map":
		var entries [][2]json.RawMessage
		if err := json.Unmarshal(parts[1], &entries); err != nil {
			return nil, err
		}
		values := make(map[ref.Val]ref.Val, len(entries))
		for _, entry := range entries {
			key, err := decodeCELValue(entry[0])
			if err != nil {
				return nil, err
			}
			value, err := decodeCELValue(entry[1])
			if err != nil {
				return nil, err
			}
			values[key] = value
		}
		return types.NewRefValMap(types.DefaultTypeAdapter, values), nil
	default:
		return nil, fmt.Errorf("unknown kind of value %q", kind)
	}
}

// celEncoder writes values in the encoding of the conformance cases.
type celEncoder struct{ left int }

func (e *celEncoder) take(size int) error {
	e.left -= size + 1
	if e.left < 0 {
		return errCELValueLimit
	}
	return nil
}

func (e *celEncoder) encode(value ref.Val) ([]any, error) {
	if err := e.take(0); err != nil {
		return nil, err
	}
	switch value := value.(type) {
	case types.Null:
		return []any{"null"}, nil
	case types.Bool:
		return []any{"bool", bool(value)}, nil
	case types.Int:
		return []any{"int", strconv.FormatInt(int64(value), 10)}, nil
	case types.Uint:
		return []any{"uint", strconv.FormatUint(uint64(value), 10)}, nil
	case types.Double:
		return []any{"double", strconv.FormatUint(math.Float64bits(float64(value)), 10)}, nil
	case types.String:
		if err := e.take(len(value)); err != nil {
			return nil, err
		}
		return []any{"string", string(value)}, nil
	case types.Bytes:
		if err := e.take(2 * len(value)); err != nil {
			return nil, err
		}
		return []any{"bytes", hex.EncodeToString(value)}, nil
	case types.Timestamp:
		return []any{"ts", strconv.FormatInt(value.Unix(), 10), strconv.Itoa(value.Nanosecond())}, nil
	case types.Duration:
		seconds, nanos := value.Duration/time.Second, value.Duration%time.Second
		return []any{"dur", strconv.FormatInt(int64(seconds), 10), strconv.FormatInt(int64(nanos), 10)}, nil
	case *types.Optional:
		if !value.HasValue() {
			return []any{"opt"}, nil
		}
		inner, err := e.encode(value.GetValue())
		return []any{"opt", inner}, err
	case *types.Type:
		return []any{"type", value.TypeName()}, nil
	case traits.Mapper:
		return e.encodeMap(value)
	case traits.Lister:
		items := []any{}
		for i := types.Int(0); i < value.Size().(types.Int); i++ {
			item, err := e.encode(value.Get(i))
			if err != nil {
				return nil, err
			}
			items = append(items, item)
		}
		return []any{"list", items}, nil
	default:
		// Values of a library's own types, such as addresses, have a text.
		text := value.ConvertToType(types.StringType)
		if types.IsError(text) {
			return []any{"abs", value.Type().TypeName()}, nil
		}
		return []any{"abs", value.Type().TypeName(), fmt.Sprint(text.Value())}, nil
	}
}

// encodeMap writes the entries in the order of their text, since Go's own
// order differs from run to run.
func (e *celEncoder) encodeMap(value traits.Mapper) ([]any, error) {
	type entry struct {
		order string
		pair  [2]any
	}
	entries := []entry{}
	for keys := value.Iterator(); keys.HasNext() == types.True; {
		key := keys.Next()
		written, err := e.encode(key)
		if err != nil {
			return nil, err
		}
		content, _ := value.Find(key)
		if content == nil {
			// A key such as NaN that no lookup finds.
			content = types.NullValue
		}
		item, err := e.encode(content)
		if err != nil {
			return nil, err
		}
		order, err := json.Marshal(written)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{string(order), [2]any{written, item}})
	}
	slices.SortFunc(entries, func(a, b entry) int {
		if a.order < b.order {
			return -1
		}
		if a.order > b.order {
			return 1
		}
		return 0
	})
	pairs := make([]any, len(entries))
	for i, one := range entries {
		pairs[i] = one.pair
	}
	return []any{"map", pairs}, nil
}
