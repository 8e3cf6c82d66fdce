package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"convoy-lsp/oracle/internal/oracle"
)

// mergePatchCount is the number of cases; the random ones fill up what the
// tables leave.
const mergePatchCount = 800

func mergePatchVectors(string) ([]any, error) {
	var cases []any
	seen := map[string]bool{}
	add := func(q question) error {
		key := q.doc + "\x00" + q.patch
		if seen[key] {
			return nil
		}
		seen[key] = true
		answers, err := settled("merge-patch", "v5", q)
		if err != nil {
			return err
		}
		one, err := mergeCase(q, answers)
		if err != nil {
			return err
		}
		cases = append(cases, one)
		return nil
	}
	for _, q := range slices.Concat(mergeTable(), mergeShapes()) {
		if err := add(q); err != nil {
			return nil, err
		}
	}
	source := &random{state: 7386}
	for n := 1; len(cases) < mergePatchCount; n++ {
		q := question{fmt.Sprintf("random-%03d", n), randomObject(source, 3), randomObject(source, 3)}
		if err := add(q); err != nil {
			return nil, err
		}
	}
	if len(cases) > mergePatchCount {
		return nil, fmt.Errorf("the tables alone give %d cases", len(cases))
	}
	return cases, nil
}

// mergeCase settles on one text where the library draws the order of new keys
// anew each time. Anything else that varies is a fault of the question.
func mergeCase(q question, answers []oracle.Answer) (patchCase, error) {
	one := fill(q, answers[0])
	if len(answers) == 1 {
		return one, nil
	}
	var common string
	for _, answer := range answers {
		result, ok := answer["result"].(string)
		if !ok {
			return one, fmt.Errorf("%s: the verdict varies: %v", q.name, answers)
		}
		sorted, err := sortedKeys(result)
		if err != nil {
			return one, fmt.Errorf("%s: %w", q.name, err)
		}
		if common != "" && sorted != common {
			return one, fmt.Errorf("%s: the value varies: %s and %s", q.name, common, sorted)
		}
		common = sorted
	}
	one.Result = &common
	one.Unordered = true
	return one, nil
}

// mergeTable holds the situations that have a name. Its documents have no key
// twice, because they are written from a Go map; patches may.
func mergeTable() []question {
	table := []struct{ doc, patch string }{
		{`{"a":"b"}`, `{"a":"c"}`}, {`{"a":"b"}`, `{"b":"c"}`}, {`{"a":"b"}`, `{"a":null}`},
		{`{"a":"b","b":"c"}`, `{"a":null}`}, {`{"a":["b"]}`, `{"a":"c"}`}, {`{"a":"c"}`, `{"a":["b"]}`},
		{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`}, {`{"a":[{"b":"c"}]}`, `{"a":[1]}`},
		{`{"e":null}`, `{"a":1}`}, {`{"e":null}`, `{"e":null}`}, {`{"e":null}`, `{"e":{"x":null}}`},
		{`{"e":null}`, `{"e":{"x":{"y":null,"z":1}}}`}, {`{}`, `{"a":{"bb":{"ccc":null}}}`},
		{`{}`, `{"a":null}`}, {`{}`, `{"a":[null]}`}, {`{}`, `{"a":[{"x":null}]}`},
		{`{}`, `{"a":[[{"x":null,"y":1}]]}`}, {`{}`, `{"a":{"b":[{"x":null}]}}`},
		{`{"a":1}`, `{"a":[{"x":null}]}`}, {`{"a":[]}`, `{"a":[{"x":null}]}`},
		{`{"a":{}}`, `{"a":[{"x":null}]}`}, {`{"a":{"k":1}}`, `{"a":[{"x":null},null]}`},
		{`{"a":null}`, `{"a":[{"x":null}]}`}, {`{"a":"s"}`, `{"a":{"x":null,"y":2}}`},
		{`{"a":[1]}`, `{"a":{"x":null,"y":2}}`}, {`{"a":{"x":1}}`, `{"a":{}}`},
		{`{"a":{"x":1}}`, `{"a":{"x":null}}`}, {`{"a":{"x":{"y":1}}}`, `{"a":{"x":{"y":null}}}`},
		{`{"a":{"x":{"y":1}}}`, `{"a":{"x":{"z":null}}}`}, {`{"a":{"x":{"y":1}}}`, `{"a":{"x":5}}`},
		{`{"a":1.0}`, `{"b":1e3}`}, {`{"a":10000000000000000000}`, `{"a":10000000000000000001}`},
		{`{"a":1}`, `{"a":1.0}`}, {`{"a":-0}`, `{"b":-0.0}`}, {`{"<a>":"&"}`, `{"<b>":"\u0026"}`},
		{`{"é":1}`, `{"\u00e9":2}`}, {`{"a":"\u00e9"}`, `{"b":"\ud83d\ude00"}`}, {`{"a":1}`, `{"b":"\ud83d"}`},
		{`{"":1}`, `{"":2}`}, {`{"":1}`, `{"":null}`}, {`{"":{"":1}}`, `{"":{"":{"":null}}}`},
		{`{"a/b":1,"c~d":2}`, `{"a/b":null,"c~d":3}`}, {`{"A":1,"a":2}`, `{"b":3}`},
		{`{"A":1,"a":2}`, `{"a":3}`}, {`{"A":1,"a":2}`, `{"a":null}`}, {`{"A":1,"b":0,"a":2}`, `{"A":null}`},
		{`{"a":1}`, `{"b":2,"b":3}`}, {`{"a":1}`, `{"a":null,"a":3}`}, {`{"a":1}`, `{"a":3,"a":null}`},
		{`{"o":{"a":1,"b":2}}`, `{"o":{"a":3,"a":4}}`}, {`{"o":{"a":1,"b":2}}`, `{"o":{"a":null,"a":4}}`},
		{`{"a":1}`, `{"o":{"b":1,"b":2}}`}, {`{"o":{"a":[1]}}`, `{"o":[{"a":2}]}`},
		{`{"z":1,"a":2,"m":3}`, `{"a":9}`}, {`{"z":1,"a":2,"m":3}`, `{"k":9}`},
		{`{"z":1,"a":2,"m":3}`, `{"a":null,"k":9}`}, {`{"z":{"y":1,"b":2}}`, `{"z":{"c":3}}`},
		{`{"a":1}`, `{"z":1,"y":2}`}, {`{"a":1}`, `{"z":1,"y":2,"x":3,"w":4}`},
		{`{"a":{"m":1}}`, `{"a":{"z":1,"y":{"q":1,"p":2}}}`}, {`{"a":1}`, `{"o":{"z":1,"y":2}}`},
		{` { "a" : 1 , "b" : [ 1 , 2 ] } `, ` { "c" : [ 1 , { "d" : 2 } ] } `}, {`{"a":[ 1, 2 ]}`, `{}`},
		{"{\"a\":1}\n", "\n{\"b\":2}"}, {`{"a":{ "x" : 1 }}`, `{"a":{ "y" : 2 }}`},
		{`{"metadata":{"name":"web","annotations":null}}`, `{"metadata":{"annotations":{"team":"a"}}}`},
		{`{"metadata":{"name":"web","labels":{"app":"web"}}}`, `{"metadata":{"labels":{"app":null,"tier":"gold"}}}`},
		{`{"metadata":{"name":"web"}}`, `{"metadata":{"labels":{"app":null}}}`},
		{`{"metadata":{"name":"web"}}`, `{"metadata":null}`},
		{`{"spec":{"containers":[{"name":"a","image":"x"},{"name":"b"}]}}`, `{"spec":{"containers":[{"name":"a","image":"y"}]}}`},
		{`{"spec":{"containers":[{"name":"a","image":"x"}]}}`, `{"spec":{"containers":[{"name":"a","image":null}]}}`},
		{`{"spec":{"containers":[{"name":"a"}]}}`, `{"spec":{"containers":{"0":{"image":"y"}}}}`},
		{`{"spec":{"replicas":2}}`, `{"spec":{"replicas":null,"paused":true}}`},
		{`{"data":{"a":"1"}}`, `{"data":{"a":"","b":null,"c":"3"}}`},
		{`{"spec":null}`, `{"spec":{"replicas":3,"x":null}}`},
		{`{"spec":{"x":null,"y":1}}`, `{"spec":{"z":2}}`}, {`{"l":[{"x":null}]}`, `{"m":1}`},
		{`{"l":[{"x":null}]}`, `{"l":[{"x":null}]}`}, {`{"a":{"b":{"c":{"d":1}}}}`, `{"a":{"b":{"c":{"d":null,"e":{"f":null}}}}}`},
		{`{"a":true}`, `{"a":{"b":{"c":{"d":null,"e":[{"f":null,"g":[null,{"h":null}]}]}}}}`},
	}
	var questions []question
	for i, row := range table {
		questions = append(questions, question{fmt.Sprintf("table-%02d", i+1), row.doc, row.patch})
	}
	return questions
}

// mergeShapes sets each kind of document against each kind of patch.
func mergeShapes() []question {
	texts := []string{
		``, ` `, `null`, `true`, `1.0`, `"x"`, `""`, `[]`, `[1,null]`, `[{"a":null,"b":1}]`, `{}`,
		`{"a":1}`, `{"a":null}`, `{"a":{"b":null,"c":2}}`, `{"a":[{"b":null}]}`, `{"a":1`, `{"a":1}x`, `[1,`, `a: 1`, `{a:1}`,
	}
	var questions []question
	for i, doc := range texts {
		for j, patch := range texts {
			// A broken document is refused whatever the patch is, so a few
			// patches are enough there.
			if !json.Valid([]byte(doc)) && j%3 != 0 && i != j {
				continue
			}
			questions = append(questions, question{fmt.Sprintf("shape-%02d-%02d", i+1, j+1), doc, patch})
		}
	}
	return questions
}

// mergeScalars are the leaves of random documents. Null comes up often, since
// it is what a merge patch gives a meaning to.
var mergeScalars = []string{
	`null`, `null`, `null`, `1`, `1.0`, `1e3`, `10000000000000000000`, `true`, `""`, `"x"`, `"<é>"`, `{}`, `[]`,
}

func randomObject(r *random, depth int) string {
	// Few distinct keys make the document and the patch meet.
	keys := []string{"a", "b", "c", "", "x/y", "é"}
	var members []string
	for _, key := range keys[:2+r.below(len(keys)-1)] {
		if r.chance(60) {
			members = append(members, quote(key)+":"+randomValue(r, depth-1))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

func randomValue(r *random, depth int) string {
	switch {
	case depth > 0 && r.chance(45):
		return randomObject(r, depth)
	case depth > 0 && r.chance(25):
		var items []string
		for range r.below(3) {
			items = append(items, randomValue(r, depth-1))
		}
		return "[" + strings.Join(items, ",") + "]"
	default:
		return pick(r, mergeScalars)
	}
}
