package main

import (
	"fmt"
	"slices"
)

// jsonPatchV4Count is the number of cases for the API server's flavour, in
// which the tables of the other one and its own come first.
const jsonPatchV4Count = 1700

func jsonPatchV4Vectors(string) ([]any, error) {
	questions := slices.Concat(v4Questions(), v4FaultQuestions(), v4LiteralQuestions(), patchTables())
	return jsonPatchCases("v4", jsonPatchV4Count, 4130, questions)
}

// v4Questions asks about what only this flavour does: members that are not
// there, nulls of three kinds, and faults that wait for their turn.
func v4Questions() []question {
	table := []struct{ doc, patch string }{
		// A member that is not there.
		{`{"a":1}`, `[{"op":"replace","path":"/b","value":2}]`},
		{`{"a":{}}`, `[{"op":"replace","path":"/a/b","value":{"c":1}},{"op":"add","path":"/a/b/d","value":2}]`},
		{`{"a":1}`, `[{"op":"replace","path":"/b/c","value":2}]`},
		{`{"a":1}`, `[{"op":"replace","path":"/b"}]`},
		{`{"a":1}`, `[{"op":"add","path":"/b"}]`},
		{`{"a":[1]}`, `[{"op":"add","path":"/a/-"},{"op":"replace","path":"/a/0"}]`},
		{`{"a":1}`, `[{"op":"copy","from":"/z","path":"/b"}]`},
		{`{"a":1}`, `[{"op":"copy","from":"/z","path":"/b"},{"op":"test","path":"/b"}]`},
		{`{"a":1}`, `[{"op":"copy","from":"/z","path":"/b"},{"op":"test","path":"/b","value":null}]`},
		{`{"a":1}`, `[{"op":"copy","from":"/z","path":"/b"},{"op":"add","path":"/b/c","value":1}]`},
		{`{"a":1}`, `[{"op":"copy","from":"/z/y","path":"/b"}]`},
		{`{"a":1}`, `[{"op":"move","from":"/z","path":"/b"}]`},
		{`{"a":1}`, `[{"op":"move","from":"/","path":"/b"}]`},
		{`{"a":1}`, `[{"op":"test","path":"/z"}]`},
		{`{"a":1}`, `[{"op":"test","path":"/z","value":null}]`},
		{`{"a":1}`, `[{"op":"test","path":"/z","value":1}]`},
		{`{"a":null}`, `[{"op":"test","path":"/a","value":1}]`},
		{`{"a":null}`, `[{"op":"test","path":"/a","value":{}}]`},
		{`{"a":[null]}`, `[{"op":"test","path":"/a/0","value":null}]`},
		{`{"a":[null]}`, `[{"op":"test","path":"/a/0"}]`},
		{`{"a":[null]}`, `[{"op":"test","path":"/a","value":[null]}]`},
		{`{"a":[1]}`, `[{"op":"test","path":"/a","value":[null]}]`},
		{`{"a":[[]]}`, `[{"op":"test","path":"/a","value":[null]}]`},
		{`{"a":[{}]}`, `[{"op":"test","path":"/a","value":[null]}]`},
		{`{"a":[null]}`, `[{"op":"test","path":"/a","value":[1,2]}]`},
		{`{"a":1}`, `[{"op":"test","path":"/a"}]`},
		{`{"a":1}`, `[{"op":"remove","path":"/z"}]`},
		{`{"a":{}}`, `[{"op":"remove","path":"/a/z"}]`},
		{`{"a":{"b":null}}`, `[{"op":"remove","path":"/a/b"}]`},
		{`{"a":{"b":null}}`, `[{"op":"move","from":"/a/b","path":"/c"},{"op":"test","path":"/c"}]`},
		// A null that an operation put, and its copy.
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"test","path":"/a"}]`},
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"test","path":"/a","value":1}]`},
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"test","path":"/a","value":{}}]`},
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"test","path":"/a","value":[]}]`},
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"add","path":"/a/b","value":1}]`},
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"test","path":"","value":{"a":null}}]`},
		{`{"a":null}`, `[{"op":"test","path":"","value":{"a":null}}]`},
		{`{}`, `[{"op":"add","path":"/a"},{"op":"test","path":"","value":{"a":null}}]`},
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"}]`},
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/b","value":null}]`},
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/b"}]`},
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/b","value":{}}]`},
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/b","value":{"c":1}}]`},
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/b","value":[]}]`},
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/b","value":1}]`},
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/c","value":1}]`},
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"replace","path":"/b/c","value":1}]`},
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"remove","path":"/b/c"}]`},
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/b/c"}]`},
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"copy","from":"/b/c","path":"/d"}]`},
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"move","from":"/b/c","path":"/d"}]`},
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/c/d","value":1}]`},
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"copy","from":"/b","path":"/c"},{"op":"test","path":"/c","value":{}}]`},
		{`{}`, `[{"op":"add","path":"/a","value":null},{"op":"move","from":"/a","path":"/b"},{"op":"test","path":"/b","value":null}]`},
		{`{"l":[]}`, `[{"op":"add","path":"/l/-","value":null},{"op":"test","path":"/l","value":[1]}]`},
		{`{"l":[]}`, `[{"op":"add","path":"/l/-","value":null},{"op":"test","path":"/l","value":[null]}]`},
		{`{"l":[]}`, `[{"op":"add","path":"/l/-","value":null},{"op":"copy","from":"/l/0","path":"/l/0"},{"op":"test","path":"/l/0","value":{}}]`},
		{`{"l":[]}`, `[{"op":"add","path":"/l/-","value":null},{"op":"copy","from":"/l","path":"/m"},{"op":"test","path":"/m/0","value":null}]`},
		{`{"o":{}}`, `[{"op":"add","path":"/o/a","value":null},{"op":"copy","from":"/o","path":"/p"},{"op":"test","path":"/p","value":{"a":null}}]`},
		{`{"o":{}}`, `[{"op":"add","path":"/o/a","value":null},{"op":"test","path":"/o","value":{"a":null}}]`},
		{`{"o":{}}`, `[{"op":"add","path":"/o/a","value":{"b":null}},{"op":"test","path":"/o","value":{"a":{"b":null}}}]`},
		// Documents that are null.
		{`null`, `[{"op":"test","path":"","value":{}}]`},
		{`null`, `[{"op":"test","path":"","value":null}]`},
		{`null`, `[{"op":"test","path":""}]`},
		{`null`, `[{"op":"test","path":"/a"}]`},
		{`null`, `[{"op":"test","path":"/a","value":1}]`},
		{`null`, `[{"op":"copy","from":"/a","path":"/b"}]`},
		{`null`, `[{"op":"move","from":"/a","path":"/b"}]`},
		{`null`, `[{"op":"replace","path":"/a","value":1}]`},
		{`null`, `[{"op":"replace","path":"","value":{"a":1}},{"op":"add","path":"/b","value":2}]`},
		{`null`, `[{"op":"replace","path":"","value":[1]},{"op":"add","path":"/-","value":2}]`},
		{`null`, `[{"op":"add","path":"/a/b","value":1}]`},
		{`null`, `[{"op":"remove","path":"/a"}]`},
		// The document as a whole.
		{`{"a":1}`, `[{"op":"replace","path":"","value":[]},{"op":"add","path":"/0","value":1},{"op":"test","path":"","value":[1]}]`},
		{`[1,2]`, `[{"op":"test","path":"","value":[1,2]}]`},
		{`[1,2]`, `[{"op":"test","path":"","value":{"0":1}}]`},
		{`[1,null]`, `[{"op":"test","path":"","value":[1,2]}]`},
		{`{"a":1}`, `[{"op":"test","path":"","value":[]}]`},
		{`{"a":1}`, `[{"op":"replace","path":"a","value":2}]`},
		{`{"a":1}`, `[{"op":"replace","path":"a/a","value":2}]`},
		{`[[1]]`, `[{"op":"replace","path":"/0/0","value":{}},{"op":"add","path":"/0/0/a","value":[]},{"op":"add","path":"/0/0/a/-1","value":3}]`},
		{`[1]`, `[{"op":"replace","path":"/1","value":2}]`},
		{`[1]`, `[{"op":"replace","path":"/-1","value":2}]`},
		{`[1]`, `[{"op":"replace","path":"/-2","value":2}]`},
		{`[1]`, `[{"op":"remove","path":"/9223372036854775807"}]`},
		{`[1]`, `[{"op":"remove","path":"/-9223372036854775808"}]`},
		{`[1]`, `[{"op":"add","path":"/9223372036854775808","value":2}]`},
		{`[1]`, `[{"op":"add","path":"/-9223372036854775808","value":2}]`},
		{`[1]`, `[{"op":"test","path":"/-9223372036854775809","value":2}]`},
		{`[1]`, `[{"op":"copy","from":"/5","path":"/0"}]`},
		{`[1]`, `[{"op":"move","from":"/x","path":"/0"}]`},
		{`[1]`, `[{"op":"copy","from":"/0","path":"/5"}]`},
		{`[1]`, `[{"op":"copy","from":"/0","path":"/x"}]`},
		{`[1]`, `[{"op":"copy","from":"/0","path":"x"}]`},
		{`[1]`, `[{"op":"copy","from":"0","path":"/0"}]`},
	}
	var questions []question
	for i, row := range table {
		questions = append(questions, question{fmt.Sprintf("four-%03d", i+1), row.doc, row.patch})
	}
	return questions
}

// v4FaultQuestions puts each faulty operation behind one that works, behind
// one that does not, and where its own source is missing.
func v4FaultQuestions() []question {
	const doc = `{"a":1,"l":[1]}`
	faulty := []string{
		`null`, `{}`, `{"op":null,"path":"/a"}`, `{"op":1,"path":"/a"}`, `{"op":"","path":"/a"}`,
		`{"op":"merge","path":"/a"}`, `{"op":"Add","path":"/b","value":1}`, `{"op":"a\nb%s","path":"/a"}`,
		`{"op":"add","value":1}`, `{"op":"add","path":null,"value":1}`, `{"op":"add","path":{},"value":1}`,
		`{"op":"remove"}`, `{"op":"remove","path":true}`, `{"op":"replace","value":1}`, `{"op":"replace","path":[],"value":1}`,
		`{"op":"test","value":1}`, `{"op":"test","path":1.5,"value":1}`,
		`{"op":"move"}`, `{"op":"move","path":"/b"}`, `{"op":"move","from":null,"path":"/b"}`, `{"op":"move","from":[],"path":"/b"}`,
		`{"op":"move","from":"/a"}`, `{"op":"move","from":"/a","path":null}`, `{"op":"move","from":"/a","path":1}`,
		`{"op":"move","from":"/z"}`, `{"op":"move","from":"z","path":1}`, `{"op":"move","from":"/l/7","path":1}`,
		`{"op":"copy"}`, `{"op":"copy","path":"/b"}`, `{"op":"copy","from":{},"path":"/b"}`,
		`{"op":"copy","from":"/a"}`, `{"op":"copy","from":"/a","path":null}`, `{"op":"copy","from":"/a","path":1}`,
		`{"op":"copy","from":"/z"}`, `{"op":"copy","from":"z","path":1}`, `{"op":"copy","from":"/l/7","path":1}`,
	}
	var questions []question
	for i, entry := range faulty {
		for _, first := range []struct{ name, text string }{
			{"alone", ""}, {"behind", `{"op":"add","path":"/n","value":1},`}, {"late", `{"op":"remove","path":"/z"},`},
		} {
			questions = append(questions, question{
				fmt.Sprintf("fault-%02d-%s", i+1, first.name), doc, "[" + first.text + entry + "]",
			})
		}
	}
	return questions
}

// v4LiteralQuestions asks what "test" holds equal among strings that are
// written in different ways, as they stand and after a copy.
func v4LiteralQuestions() []question {
	literals := []string{
		`"a"`, `"\u0061"`, `"é"`, `"\u00e9"`, `"\u00E9"`, `"<"`, `"\u003c"`, `"\u003C"`, `"/"`, `"\/"`,
		"\"\u2028\"", `"\u2028"`, `"\t"`, `"\u0009"`, `"\b"`, `"\u0008"`, `"\ud83d\ude00"`, `"😀"`, `"\ud800"`, `"\ufffd"`, "\"\ufffd\"",
		"\"\u007f\"", `"\u007f"`,
	}
	var questions []question
	for i, left := range literals {
		for j := max(0, i-2); j < min(len(literals), i+3); j++ {
			right := literals[j]
			questions = append(questions, question{
				fmt.Sprintf("literal-%02d-%02d", i+1, j+1),
				`{"v":` + left + `,"l":[` + left + `]}`, `[{"op":"test","path":"/v","value":` + right + `},{"op":"test","path":"/l","value":[` + right + `]}]`,
			}, question{
				fmt.Sprintf("literal-%02d-%02d-copied", i+1, j+1),
				`{"v":` + left + `}`, `[{"op":"copy","from":"/v","path":"/w"},{"op":"test","path":"/w","value":` + right + `}]`,
			})
		}
	}
	return questions
}
