// Package oracle runs the real libraries on behalf of a caller that cannot
// link them. It knows nothing of the project's own engines, so that its
// answers cannot be bent towards them. Start reading at Ask.
package oracle

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"
)

// timeLimit bounds one request. The slowest honest case, a template that
// recurses to the library's own limit, takes well under a second.
const timeLimit = 10 * time.Second

// Answer is what a library did, by field name. Its keys are sorted when it is
// written, so equal answers are equal bytes.
type Answer map[string]any

// operation runs one library. Its error means that the request itself could
// not be understood; what the library refuses belongs in the Answer.
type operation func(Request) (Answer, error)

var operations = map[string]operation{
	"apply":           runApply,
	"cel":             runCEL,
	"crd-validate":    runCRDValidate,
	"fmt":             runFmt,
	"json":            runJSON,
	"json-patch":      runJSONPatch,
	"merge-patch":     runMergePatch,
	"strategic-merge": runStrategicMerge,
	"strict-decode":   runStrictDecode,
	"template":        runTemplate,
	"versions":        runVersions,
	"yaml-json":       runYAMLJSON,
	"yaml-unmarshal":  runYAMLUnmarshal,
	"yaml2":           runYAML2,
	"yaml3":           runYAML3,
}

// AnswerLine answers one line of the protocol.
func AnswerLine(line []byte) []byte {
	var request Request
	if err := json.Unmarshal(line, &request); err != nil {
		return encode(badRequest(err))
	}
	answer := Ask(request)
	if id, ok := request["id"]; ok {
		answer["id"] = id
	}
	return encode(answer)
}

// Ask answers one request. It never panics and returns within the time limit.
func Ask(request Request) Answer {
	// The channel has room for the answer, so that a run which ends after the
	// limit can still finish and free its memory.
	done := make(chan Answer, 1)
	go func() { done <- run(request) }()
	select {
	case answer := <-done:
		return answer
	case <-time.After(timeLimit):
		return Answer{"timeout": true}
	}
}

func run(request Request) (answer Answer) {
	// A panic of a library is an answer too: the program that uses the library
	// would have met it as well.
	defer func() {
		if reason := recover(); reason != nil {
			answer = Answer{"panic": fmt.Sprint(reason)}
		}
	}()
	name, err := request.text("op")
	if err != nil {
		return badRequest(err)
	}
	operation, ok := operations[name]
	if !ok {
		return badRequest(fmt.Errorf("unknown op %q", name))
	}
	answer, err = operation(request)
	if err != nil {
		return badRequest(err)
	}
	return answer
}

func badRequest(err error) Answer {
	return Answer{"bad_request": err.Error()}
}

func encode(answer Answer) []byte {
	wire := make(Answer, len(answer))
	for field, value := range answer {
		// JSON text cannot carry bytes that are not UTF-8: the encoder would
		// replace them silently, and the caller would compare against a lie.
		if text, ok := value.(string); ok && !utf8.ValidString(text) {
			wire[field+"_b64"] = base64.StdEncoding.EncodeToString([]byte(text))
			continue
		}
		wire[field] = value
	}
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(wire); err != nil {
		// Answers hold only strings, numbers, booleans and the caller's own
		// valid JSON, so this cannot fail unless an operation is wrong.
		panic(err)
	}
	return bytes.TrimSuffix(line.Bytes(), []byte("\n"))
}
