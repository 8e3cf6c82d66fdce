package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// jsonPatchCount is the number of cases; the random ones fill up what the
// tables leave.
const jsonPatchCount = 1200

func jsonPatchVectors(string) ([]any, error) {
	return jsonPatchCases("v5", jsonPatchCount, 6902, patchTables())
}

// patchTables are the questions that both flavours answer.
func patchTables() []question {
	return slices.Concat(pointerQuestions(), fieldQuestions(), equalityQuestions(),
		shapeQuestions(), documentQuestions(), sequenceQuestions())
}

func jsonPatchCases(flavour string, count int, seed uint64, questions []question) ([]any, error) {
	var cases []any
	seen := map[string]bool{}
	add := func(q question) error {
		key := q.doc + "\x00" + q.patch
		if seen[key] {
			return nil
		}
		seen[key] = true
		answers, err := settled("json-patch", flavour, q)
		if err != nil {
			return err
		}
		// Whether the library panics may hang on the order in which it walks a
		// map; such a question has no answer to test against.
		if len(answers) > 1 {
			return nil
		}
		cases = append(cases, fill(q, answers[0]))
		return nil
	}
	for _, q := range questions {
		if err := add(q); err != nil {
			return nil, err
		}
	}
	source := &random{state: seed}
	for n := 1; len(cases) < count; n++ {
		if err := add(randomPatch(source, fmt.Sprintf("random-%03d", n))); err != nil {
			return nil, err
		}
	}
	if len(cases) > count {
		return nil, fmt.Errorf("the tables alone give %d cases", len(cases))
	}
	return cases, nil
}

// pointerQuestions asks each operation about each kind of pointer.
func pointerQuestions() []question {
	const doc = `{"a":{"b":[10,20,30],"n":null,"o":{}},"":{"":1},"c/d":2,"e~f":3,"01":4,"l":[[5],{"x":6}]}`
	paths := []struct{ name, text string }{
		{"key", "/a"}, {"nested", "/a/b"}, {"first", "/a/b/0"}, {"last", "/a/b/2"},
		{"length", "/a/b/3"}, {"past-end", "/a/b/4"}, {"dash", "/a/b/-"}, {"minus-one", "/a/b/-1"},
		{"minus-length", "/a/b/-3"}, {"below-minus-length", "/a/b/-4"}, {"far-below", "/a/b/-9"},
		{"leading-zero", "/a/b/01"}, {"plus", "/a/b/+1"}, {"minus-zero", "/a/b/-0"},
		{"index-space", "/a/b/ 1"}, {"index-word", "/a/b/x"}, {"index-float", "/a/b/1.0"},
		{"index-exponent", "/a/b/1e0"}, {"index-hex", "/a/b/0x1"}, {"index-underscore", "/a/b/1_0"},
		{"index-empty", "/a/b/"}, {"index-huge", "/a/b/99999999999999999999"},
		{"through-dash", "/l/-/x"}, {"through-index", "/l/1/x"}, {"through-minus", "/l/-1/x"},
		{"list-in-list", "/l/0/0"}, {"missing", "/z"}, {"missing-nested", "/a/z"},
		{"missing-parent", "/z/y"}, {"null", "/a/n"}, {"through-null", "/a/n/x"},
		{"through-number", "/c~1d/x"}, {"empty-map", "/a/o/x"}, {"whole", ""},
		{"empty-key", "/"}, {"empty-empty", "//"}, {"empty-key-first", "//a"},
		{"trailing-slash", "/a/"}, {"double-slash", "/a//b"}, {"no-slash", "a"},
		{"no-slash-deep", "a/b"}, {"dot", "."}, {"hash", "#/a"}, {"escaped-slash", "/c~1d"},
		{"raw-slash", "/c/d"}, {"escaped-tilde", "/e~0f"}, {"raw-tilde", "/e~f"},
		{"bad-escape", "/e~2f"}, {"tilde-end", "/e~"}, {"escape-order", "/e~01f"},
		{"percent", "/c%2Fd"}, {"digit-key", "/01"}, {"digit-key-other", "/1"}, {"case", "/A"},
		{"space", "/ a"}, {"star", "/a/*"},
	}
	operations := []struct{ name, fields string }{
		{"add", `"op":"add","path":%s,"value":{"v":1}`},
		{"remove", `"op":"remove","path":%s`},
		{"replace", `"op":"replace","path":%s,"value":"v"`},
		{"move-from", `"op":"move","from":%s,"path":"/new"`},
		{"copy-to", `"op":"copy","from":"/c~1d","path":%s`},
		{"test", `"op":"test","path":%s,"value":20}`},
	}
	var questions []question
	for _, operation := range operations {
		for _, path := range paths {
			questions = append(questions, question{
				"pointer-" + operation.name + "-" + path.name, doc,
				"[{" + fmt.Sprintf(operation.fields, quote(path.text)) + "}]",
			})
		}
	}
	return questions
}

// fieldQuestions asks about operations whose own fields are wrong.
func fieldQuestions() []question {
	const doc = `{"a":1,"b":[1,2],"c":{"d":"x"}}`
	entries := []string{
		`{}`, `{"op":"add"}`, `{"path":"/a"}`, `{"path":"/a","value":1}`, `{"value":1}`,
		`{"op":"add","path":"/a"}`, `{"op":"add","value":1}`, `{"op":"replace","path":"/a"}`,
		`{"op":"replace","value":1}`, `{"op":"remove"}`, `{"op":"test"}`, `{"op":"test","path":"/a"}`,
		`{"op":"test","path":"/z"}`, `{"op":"test","path":"/c"}`, `{"op":"test","path":""}`,
		`{"op":"move"}`, `{"op":"move","path":"/a"}`, `{"op":"move","from":"/a"}`,
		`{"op":"copy"}`, `{"op":"copy","path":"/a"}`, `{"op":"copy","from":"/a"}`,
		`{"op":3,"path":"/a","value":1}`, `{"op":null,"path":"/a","value":1}`,
		`{"op":true,"path":"/a","value":1}`, `{"op":["add"],"path":"/a","value":1}`,
		`{"op":{},"path":"/a","value":1}`, `{"op":"","path":"/a","value":1}`,
		`{"op":"add ","path":"/a","value":1}`, `{"op":"Add","path":"/a","value":1}`,
		`{"op":"ADD","path":"/a","value":1}`, `{"op":"delete","path":"/a"}`,
		`{"op":"update","path":"/a","value":1}`, `{"op":"set","path":"/a","value":1}`,
		`{"op":"append","path":"/b","value":1}`, `{"op":"unknown","path":"/a"}`,
		`{"op":"a\u0064d","path":"/a","value":7}`, `{"op":"\u0000","path":"/a"}`,
		`{"op":"add","path":5,"value":1}`, `{"op":"add","path":null,"value":1}`,
		`{"op":"add","path":["a"],"value":1}`, `{"op":"add","path":{"a":1},"value":1}`,
		`{"op":"add","path":true,"value":1}`, `{"op":"remove","path":5}`, `{"op":"remove","path":null}`,
		`{"op":"test","path":5,"value":1}`, `{"op":"test","path":null,"value":1}`,
		`{"op":"replace","path":5,"value":1}`, `{"op":"replace","path":null,"value":1}`,
		`{"op":"move","from":5,"path":"/a"}`, `{"op":"move","from":null,"path":"/a"}`,
		`{"op":"move","from":"/a","path":5}`, `{"op":"move","from":"/a","path":null}`,
		`{"op":"copy","from":5,"path":"/a"}`, `{"op":"copy","from":null,"path":"/a"}`,
		`{"op":"copy","from":["a"],"path":"/a"}`, `{"op":"copy","from":"/a","path":5}`,
		`{"op":"add","path":"/a","value":null}`, `{"op":"add","path":"/b/0","value":null}`,
		`{"op":"add","path":"/b/-","value":null}`, `{"op":"replace","path":"/a","value":null}`,
		`{"op":"replace","path":"/b/1","value":null}`, `{"op":"replace","path":"","value":null}`,
		`{"op":"add","path":"","value":null}`, `{"op":"test","path":"/a","value":null}`,
		`{"op":"test","path":"/z","value":null}`, `{"op":"test","path":"/z/y","value":null}`,
		`{"op":"test","path":"","value":null}`, `{"op":"add","path":"","value":{"new":1}}`,
		`{"op":"add","path":"","value":[1,2]}`, `{"op":"add","path":"","value":"x"}`,
		`{"op":"add","path":"","value":7}`, `{"op":"add","path":"","value":true}`,
		`{"op":"add","path":"","value":{}}`, `{"op":"add","path":"","value":[]}`,
		`{"op":"replace","path":"","value":{"new":1}}`, `{"op":"replace","path":"","value":[1,2]}`,
		`{"op":"replace","path":"","value":"x"}`, `{"op":"replace","path":"","value":7}`,
		`{"op":"replace","path":"","value":false}`, `{"op":"replace","path":""}`,
		`{"op":"remove","path":""}`, `{"op":"move","from":"","path":"/x"}`,
		`{"op":"copy","from":"","path":"/x"}`, `{"op":"copy","from":"/c","path":""}`,
		`{"op":"move","from":"/c","path":""}`, `{"op":"move","from":"/a","path":""}`,
		`{"op":"test","path":"","value":{"a":1,"b":[1,2],"c":{"d":"x"}}}`,
		`{"op":"test","path":"","value":{"c":{"d":"x"},"b":[1,2],"a":1}}`,
		`{"op":"test","path":"","value":{"a":1}}`, `{"op":"test","path":"","value":[1]}`,
		`{"op":"test","path":"","value":"x"}`, `{"OP":"add","path":"/a","value":1}`,
		`{"Op":"add","Path":"/a","Value":1}`, `{"op":"add","Path":"/a","value":1}`,
		`{"op":"add","path":"/a","Value":1}`, `{"op":"move","From":"/a","path":"/z"}`,
		`{"op":"add","path":"/z","value":1,"from":"/a"}`, `{"op":"add","path":"/z","value":1,"from":5}`,
		`{"op":"remove","path":"/a","value":5}`, `{"op":"copy","from":"/a","path":"/z","value":5}`,
		`{"op":"add","path":"/z","value":1,"comment":"why"}`, `{"op":"add","path":"/z","value":1,"":null}`,
		`{"op":"remove","op":"add","path":"/z","value":1}`, `{"op":"add","op":"remove","path":"/a","value":1}`,
		`{"op":"add","path":"/a","path":"/z","value":1}`, `{"op":"add","path":"/z","value":1,"value":2}`,
		`{"op":"add","path":"/z","value":1,"value":null}`, `{"op":"add","op":null,"path":"/z","value":1}`,
		`{"op":"add","path":"/z","value":{"k":1,"k":2}}`, `{"op":"replace","path":"/c","value":{"k":1,"k":2,"j":3}}`,
		`{"value":1,"path":"/z","op":"add"}`, `{ "op" : "add" , "path" : "/z" , "value" : [ 1 , { "k" : 2 } ] }`,
		`{"op":"add","path":"/z","value":1.0}`, `{"op":"add","path":"/z","value":1e3}`,
		`{"op":"add","path":"/z","value":10000000000000000000}`, `{"op":"add","path":"/z","value":-0}`,
		`{"op":"add","path":"/z","value":1E+2}`, `{"op":"add","path":"/z","value":1e400}`,
		`{"op":"add","path":"/z","value":"<b>&amp;</b>"}`, `{"op":"add","path":"/<k>","value":"\u003c"}`,
		`{"op":"add","path":"/z","value":"\u2028\u2029"}`, `{"op":"add","path":"/z","value":"\ud83d\ude00"}`,
		`{"op":"add","path":"/z","value":"\ud83d"}`, `{"op":"add","path":"/\u0007","value":"\b\f\t"}`,
		`{"op":"add","path":"/q\"q","value":"\/"}`, `{"op":"add","path":"/\u00e9","value":"é"}`,
	}
	var questions []question
	for i, entry := range entries {
		questions = append(questions, question{fmt.Sprintf("field-%03d", i+1), doc, "[" + entry + "]"})
	}
	return questions
}

// equalityQuestions asks what "test" holds equal, for pairs of values.
func equalityQuestions() []question {
	values := []string{
		`1`, `1.0`, `1e0`, `10`, `-0`, `0`, `"1"`, `true`, `null`, `""`, `"a"`, `"\u0061"`,
		`[]`, `{}`, `[1]`, `[1.0]`, `[null]`, `[[]]`, `{"a":1}`, `{"a":null}`, `{"a":1,"b":2}`,
		`{"b":2,"a":1}`, `[1,2]`, `[2,1]`, `10000000000000000000`, `1e19`,
	}
	var questions []question
	for i, left := range values {
		for j, right := range values {
			// All pairs would be too many: each value meets itself, its
			// neighbours, which look alike, and every seventh of the others.
			distance := j - i
			if distance < 0 {
				distance = -distance
			}
			if distance > 1 && (i+j)%7 != 0 {
				continue
			}
			questions = append(questions, question{
				fmt.Sprintf("equal-%02d-%02d", i+1, j+1),
				`{"v":` + left + `}`, `[{"op":"test","path":"/v","value":` + right + `}]`,
			})
		}
	}
	return questions
}

// shapeQuestions asks about patches that are not a list of operations.
func shapeQuestions() []question {
	const doc = `{"a":1}`
	patches := []string{
		``, ` `, `null`, `[]`, `{}`, `""`, `"add"`, `3`, `true`, `[null]`, `[3]`, `["add"]`, `[[]]`, `[true]`,
		`[{"op":"add","path":"/b","value":1},null]`, `[{"op":"add","path":"/b","value":1},[]]`,
		`{"op":"add","path":"/b","value":1}`, `[{"op":"add","path":"/b","value":1}`,
		`{"op":"add","path":"/b","value":1}]`, `[{"op":"add","path":"/b","value":1},]`,
		`[,{"op":"add","path":"/b","value":1}]`, `[{"op":"add","path":"/b","value":1}{}]`,
		`[{"op":"add","path":"/b","value":1}] []`, `[{"op":"add","path":"/b","value":1}]x`,
		`[{op:"add",path:"/b",value:1}]`, `[{'op':'add','path':'/b','value':1}]`,
		`[{"op":"add","path":"/b","value":01}]`, `[{"op":"add","path":"/b","value":+1}]`,
		`[{"op":"add","path":"/b","value":1.}]`, `[{"op":"add","path":"/b","value":.5}]`,
		`[{"op":"add","path":"/b","value":NaN}]`, `[{"op":"add","path":"/b","value":True}]`,
		`[{"op":"add","path":"/b","value":"a` + "\n" + `b"}]`, `[{"op":"add","path":"/b","value":"a` + "\t" + `b"}]`,
		`[{"op":"add","path":"/b","value":"\x"}]`, `[{"op":"add","path":"/b","value":"say "hi""}]`,
		`[{"op":"add","path":"/b","value":}]`, `[{"op":"add","path":"/b","value":1,}]`,
		`[{"op":"add" "path":"/b"}]`, `[{"op" "add"}]`, `[{"op":"add","path":"/b","value":"}]`,
		`// c` + "\n" + `[]`, `[/* c */]`, "\ufeff[]", "[\u00a0]", ` [{"op":"remove","path":"/a"}] `,
		"\n[\t{\r\n\"op\":\"remove\",\"path\":\"/a\"}]\n", `- op: remove` + "\n" + `  path: /a`,
		`[{"op":"remove","path":"/a"}` + strings.Repeat(" ", 20) + `]`, strings.Repeat("[", 40) + strings.Repeat("]", 40),
	}
	var questions []question
	for i, patch := range patches {
		questions = append(questions, question{fmt.Sprintf("shape-%02d", i+1), doc, patch})
	}
	return questions
}

// documentQuestions asks about documents that are not an ordinary object. None
// has a key twice, here or in the other tables: a document is written from a Go
// map, and what the library does with such a text is of no use to anybody.
func documentQuestions() []question {
	docs := []string{
		``, ` `, `null`, `true`, `0`, `1.50`, `"text"`, `[]`, `{}`, ` {"a":1} `, ` [1,2]`, "\n[1,2]", "\t{\"a\":1}",
		`[1,[2,3],{"k":4}]`, `[null]`, `{"A":1,"a":2}`, `{"a":null,"b":{"x":null}}`, `{"0":{"a":1},"1":1,"a":[]}`,
		`{"a":1`, `{"a":1}x`, `[1,`, `{"a":}`, `{a:1}`, `a: 1`, "\ufeff{\"a\":1}", `{"a" : [ 1 , 2 ] , "b" : "<&>" }`,
		`{"a":"\u00e9\u003c\/"}`, `{"a":1.0,"b":1E5,"c":-0.0}`, `{"\u0061":1,"b":2}`,
	}
	patches := []struct{ name, text string }{
		{"none", `[]`},
		{"add", `[{"op":"add","path":"/b","value":1}]`},
		{"remove", `[{"op":"remove","path":"/a"}]`},
		{"index", `[{"op":"add","path":"/0","value":[0]},{"op":"test","path":"/1","value":1}]`},
		{"whole", `[{"op":"add","path":"","value":{"w":1}}]`},
	}
	var questions []question
	for i, doc := range docs {
		for _, patch := range patches {
			// A broken document is refused before the patch is looked at.
			if doc != "" && !json.Valid([]byte(doc)) && patch.name != "add" {
				continue
			}
			questions = append(questions, question{fmt.Sprintf("document-%02d-%s", i+1, patch.name), doc, patch.text})
		}
	}
	return questions
}

// sequenceQuestions asks about operations that meet what an earlier one did.
func sequenceQuestions() []question {
	table := []struct{ doc, patch string }{
		{`{"a":1}`, `[{"op":"add","path":"/b","value":2},{"op":"remove","path":"/z"},{"op":"add","path":"/c","value":3}]`},
		{`{"a":1}`, `[{"op":"add","path":"/b","value":2},{"op":"test","path":"/b","value":3},{"op":"add","path":"/c","value":3}]`},
		{`{"a":1}`, `[{"op":"add","path":"/b","value":2},{"op":"test","path":"/b","value":2},{"op":"remove","path":"/b"}]`},
		{`{"a":1}`, `[{"op":"remove","path":"/a"},{"op":"remove","path":"/a"}]`},
		{`{"a":1}`, `[{"op":"remove","path":"/a"},{"op":"add","path":"/a","value":2}]`},
		{`{"a":1,"b":2}`, `[{"op":"remove","path":"/a"},{"op":"add","path":"/a","value":3}]`},
		{`{"a":1}`, `[{"op":"add","path":"/a","value":null},{"op":"test","path":"/a","value":null}]`},
		{`{"a":null}`, `[{"op":"test","path":"/a","value":null}]`},
		{`{"a":null}`, `[{"op":"test","path":"/a"}]`},
		{`{"a":null}`, `[{"op":"replace","path":"/a","value":{}},{"op":"add","path":"/a/b","value":1}]`},
		{`{"a":null}`, `[{"op":"add","path":"/a/b","value":1}]`},
		{`{"a":null}`, `[{"op":"copy","from":"/a","path":"/b"}]`},
		{`{"a":null}`, `[{"op":"move","from":"/a","path":"/b"}]`},
		{`{"a":null,"b":null}`, `[{"op":"copy","from":"/a","path":"/c"},{"op":"test","path":"/c","value":null}]`},
		{`{}`, `[{"op":"add","path":"/a","value":{}},{"op":"add","path":"/a/b","value":{}},{"op":"add","path":"/a/b/c","value":[]},{"op":"add","path":"/a/b/c/-","value":1}]`},
		{`{}`, `[{"op":"add","path":"/a/b","value":1}]`},
		{`{"a":{}}`, `[{"op":"move","from":"/a","path":"/a/b"}]`},
		{`{"a":{"b":{}}}`, `[{"op":"move","from":"/a","path":"/a/b/c"}]`},
		{`{"a":{"b":{"x":1}}}`, `[{"op":"move","from":"/a/b","path":"/a"}]`},
		{`{"a":{"b":{"x":1}}}`, `[{"op":"copy","from":"/a","path":"/a/b/c"}]`},
		{`{"a":1}`, `[{"op":"move","from":"/a","path":"/a"}]`},
		{`{"a":1,"b":2}`, `[{"op":"move","from":"/a","path":"/a"}]`},
		{`{"a":1}`, `[{"op":"copy","from":"/a","path":"/a"}]`},
		{`{"a":{"x":1}}`, `[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/x","value":2},{"op":"test","path":"/a/x","value":1}]`},
		{`{"a":{"x":1}}`, `[{"op":"add","path":"/a/y","value":2},{"op":"copy","from":"/a","path":"/b"},{"op":"remove","path":"/a/x"}]`},
		{`{"a":[1,2,3]}`, `[{"op":"remove","path":"/a/0"},{"op":"remove","path":"/a/0"},{"op":"remove","path":"/a/0"},{"op":"remove","path":"/a/0"}]`},
		{`{"a":[1,2,3]}`, `[{"op":"move","from":"/a/0","path":"/a/2"}]`},
		{`{"a":[1,2,3]}`, `[{"op":"move","from":"/a/2","path":"/a/0"}]`},
		{`{"a":[1,2,3]}`, `[{"op":"move","from":"/a/0","path":"/a/3"}]`},
		{`{"a":[1,2,3]}`, `[{"op":"move","from":"/a/0","path":"/a/-"}]`},
		{`{"a":[1,2,3]}`, `[{"op":"move","from":"/a/-","path":"/a/0"}]`},
		{`{"a":[1,2,3]}`, `[{"op":"move","from":"/a/-1","path":"/a/0"}]`},
		{`{"a":[1,2,3]}`, `[{"op":"copy","from":"/a/-1","path":"/a/-1"}]`},
		{`{"a":[1,2,3]}`, `[{"op":"add","path":"/a/-1","value":9}]`},
		{`{"a":[1,2,3]}`, `[{"op":"add","path":"/a/-4","value":9}]`},
		{`{"a":[1,2,3]}`, `[{"op":"add","path":"/a/-5","value":9}]`},
		{`{"a":[]}`, `[{"op":"add","path":"/a/-1","value":9}]`},
		{`{"a":[]}`, `[{"op":"add","path":"/a/0","value":9}]`},
		{`{"a":[]}`, `[{"op":"add","path":"/a/1","value":9}]`},
		{`{"a":[]}`, `[{"op":"remove","path":"/a/0"}]`},
		{`{"a":[]}`, `[{"op":"remove","path":"/a/-1"}]`},
		{`{"a":[]}`, `[{"op":"replace","path":"/a/0","value":1}]`},
		{`{"a":[1]}`, `[{"op":"replace","path":"/a/-","value":1}]`},
		{`{"a":[1]}`, `[{"op":"test","path":"/a/-","value":1}]`},
		{`{"a":[1]}`, `[{"op":"test","path":"/a/7","value":null}]`},
		{`{"a":[1]}`, `[{"op":"test","path":"/a/x","value":null}]`},
		{`{"a":[1]}`, `[{"op":"add","path":"/a","value":[2]},{"op":"add","path":"/a/-","value":3}]`},
		{`[]`, `[{"op":"add","path":"/-","value":1},{"op":"add","path":"/-","value":2},{"op":"add","path":"/0","value":0}]`},
		{`[1,2]`, `[{"op":"add","path":"","value":{}},{"op":"add","path":"/a","value":1}]`},
		{`[1,2]`, `[{"op":"replace","path":"","value":{"a":{}}},{"op":"add","path":"/a/b","value":1}]`},
		{`{"a":1}`, `[{"op":"replace","path":"","value":[1]},{"op":"add","path":"/-","value":2}]`},
		{`{"a":1}`, `[{"op":"add","path":"","value":[1]},{"op":"add","path":"/-","value":2},{"op":"test","path":"","value":[1,2]}]`},
		{`{"a":1}`, `[{"op":"replace","path":"","value":{"b":1}},{"op":"test","path":"/a","value":1}]`},
		{`{"a":1}`, `[{"op":"replace","path":"","value":{"b":1}},{"op":"test","path":"","value":{"b":1}}]`},
		{`{"a":1}`, `[{"op":"replace","path":"","value":[1]},{"op":"copy","from":"","path":"/0"}]`},
		{`{"a":1}`, `[{"op":"add","path":"/b","value":1},{"op":"copy","from":"","path":"/c"}]`},
		{`{"a":1}`, `[{"op":"copy","from":"","path":"/b"},{"op":"copy","from":"","path":"/c"}]`},
		{`{"a":{"b":1}}`, `[{"op":"add","path":"//a/c","value":1}]`},
		{`{"a":{"b":1}}`, `[{"op":"remove","path":"//a/b"}]`},
		{`{"a":{"b":1}}`, `[{"op":"test","path":"//a/b","value":1}]`},
		{`{"a":{"b":1}}`, `[{"op":"replace","path":"/a/","value":1}]`},
		{`{"a":{"b":1,"":2}}`, `[{"op":"replace","path":"/a/","value":1}]`},
		{`{"a":{"":2}}`, `[{"op":"remove","path":"/a/"}]`},
		{`{"":2}`, `[{"op":"test","path":"/","value":2}]`},
		{`{"":2}`, `[{"op":"copy","from":"/","path":"/x"}]`},
		{`{"":2}`, `[{"op":"move","from":"/","path":"/x"}]`},
		{`{"":{"x":1}}`, `[{"op":"add","path":"//y","value":2}]`},
		{`{"metadata":{"name":"x"}}`, `[{"op":"add","path":"/metadata/annotations/team","value":"a"}]`},
		{`{"metadata":{"name":"x"}}`, `[{"op":"add","path":"/metadata/annotations","value":{}},{"op":"add","path":"/metadata/annotations/team","value":"a"}]`},
		{`{"metadata":{"name":"x","annotations":null}}`, `[{"op":"add","path":"/metadata/annotations/team","value":"a"}]`},
		{`{"metadata":{"labels":{"app.kubernetes.io/name":"x"}}}`, `[{"op":"replace","path":"/metadata/labels/app.kubernetes.io/name","value":"y"}]`},
		{`{"metadata":{"labels":{"app.kubernetes.io/name":"x"}}}`, `[{"op":"replace","path":"/metadata/labels/app.kubernetes.io~1name","value":"y"}]`},
		{`{"metadata":{"labels":{"app.kubernetes.io/name":"x"}}}`, `[{"op":"remove","path":"/metadata/labels/app.kubernetes.io%2Fname"}]`},
		{`{"spec":{"replicas":2}}`, `[{"op":"replace","path":"/spec/replicas","value":"3"}]`},
		{`{"spec":{"replicas":2}}`, `[{"op":"test","path":"/spec/replicas","value":2.0},{"op":"replace","path":"/spec/replicas","value":3}]`},
		{`{"spec":{"replicas":2}}`, `[{"op":"test","path":"/spec/replicas","value":"2"},{"op":"replace","path":"/spec/replicas","value":3}]`},
		{`{"spec":{"replicas":2}}`, `[{"op":"add","path":"spec/replicas","value":3}]`},
		{`{"spec":{"replicas":2}}`, `[{"op":"add","path":".spec.replicas","value":3}]`},
		{`{"spec":{"replicas":2}}`, `[{"op":"add","path":"/spec/replicas/","value":3}]`},
		{`{"spec":{"replicas":2}}`, `[{"op":"add","path":"/spec/replicas/x","value":3}]`},
		{`{"spec":{"containers":[{"name":"a"}]}}`, `[{"op":"add","path":"/spec/containers/0/env","value":[]},{"op":"add","path":"/spec/containers/0/env/-","value":{"name":"X"}}]`},
		{`{"spec":{"containers":[{"name":"a"}]}}`, `[{"op":"add","path":"/spec/containers/0/env/-","value":{"name":"X"}}]`},
		{`{"spec":{"containers":[{"name":"a"}]}}`, `[{"op":"add","path":"/spec/containers/1","value":{"name":"b"}},{"op":"remove","path":"/spec/containers/0"}]`},
		{`{"spec":{"containers":[{"name":"a"}]}}`, `[{"op":"add","path":"/spec/containers/name","value":"b"}]`},
		{`{"spec":{"containers":[{"name":"a"}]}}`, `[{"op":"replace","path":"/spec/containers/*/image","value":"b"}]`},
		{`{"spec":{"containers":[{"name":"a"}]}}`, `[{"op":"test","path":"/spec/containers","value":[{"name":"a"}]},{"op":"test","path":"/spec/containers/0","value":{"name":"a"}}]`},
		{`{"a":"<b>"}`, `[{"op":"add","path":"/c","value":"<d>"}]`},
		{`{"a":"\u003cb\u003e"}`, `[{"op":"test","path":"/a","value":"<b>"}]`},
		{`{"a":"x"}`, `[{"op":"add","path":"/b","value":{"z":1,"y":2,"x":[{"w":1,"v":2}]}}]`},
		{`{"z":1,"a":2,"m":{"y":1,"b":2}}`, `[{"op":"add","path":"/k","value":0},{"op":"add","path":"/m/a","value":0}]`},
		{`{"z":1,"a":2,"m":3}`, `[{"op":"replace","path":"/a","value":0},{"op":"add","path":"/z","value":9}]`},
		{`{"z":1,"a":2,"m":3}`, `[{"op":"move","from":"/z","path":"/q"},{"op":"copy","from":"/m","path":"/b"}]`},
		{`{"a":1,"b":2,"A":3}`, `[{"op":"replace","path":"/A","value":9},{"op":"test","path":"/a","value":1}]`},
		{`{"a":1,"b":2,"c":3}`, `[{"op":"remove","path":"/b"},{"op":"move","from":"/a","path":"/b"},{"op":"add","path":"/a","value":4}]`},
		{`{"o":{"a":1,"b":2}}`, `[{"op":"add","path":"/o/c","value":{"k":1,"k":2}},{"op":"test","path":"/o/c/k","value":2}]`},
		{`{"o":{"a":3,"b":2}}`, `[{"op":"test","path":"/o","value":{"a":1,"b":2,"a":3}}]`},
		{`{"o":{"a":1,"b":[2,{"c":3}]}}`, `[{"op":"copy","from":"/o","path":"/p"},{"op":"remove","path":"/o/b/1"},{"op":"test","path":"/p/b/1/c","value":3}]`},
		{`{"l":[[1,2],[3]]}`, `[{"op":"move","from":"/l/0/1","path":"/l/1/-"}]`},
		{`{"l":[[1,2],[3]]}`, `[{"op":"add","path":"/l/0/0/0","value":1}]`},
		{`{"l":[[1,2],[3]]}`, `[{"op":"remove","path":"/l/0"},{"op":"test","path":"/l","value":[[3]]}]`},
		{`{"l":[null,1]}`, `[{"op":"remove","path":"/l/0"},{"op":"test","path":"/l","value":[1]}]`},
		{`{"l":[null,1]}`, `[{"op":"test","path":"/l/0","value":null}]`},
		{`{"l":[null,1]}`, `[{"op":"copy","from":"/l/0","path":"/l/-"}]`},
		{`{"l":[null,1]}`, `[{"op":"move","from":"/l/0","path":"/x"}]`},
		{`{"l":[{"a":null}]}`, `[{"op":"test","path":"/l/0","value":{"a":null}}]`},
		{`{"l":[{"a":null}]}`, `[{"op":"test","path":"/l/0","value":{}}]`},
	}
	var questions []question
	for i, row := range table {
		questions = append(questions, question{fmt.Sprintf("sequence-%03d", i+1), row.doc, row.patch})
	}
	return questions
}
