package main

import (
	"strconv"
	"strings"
)

// patchValues are the texts that random operations add, replace and test with.
var patchValues = []string{
	`1`, `0`, `-3`, `1.0`, `2.50`, `1e3`, `10000000000000000000`, `true`, `false`, `null`, `""`, `"x"`,
	`"it is \"quoted\""`, `"line\nbreak"`, `"<&>"`, `"é"`, `[]`, `{}`, `[1,"two",null]`, `{"k":"v"}`,
	`{"k":null,"l":{"m":[]}}`, `[[1],[2,[3]]]`, `{"name":"side","image":"envoy:1"}`, `{"a/b":1,"c~d":2}`,
}

// newKeys are the last parts of pointers to things that are not there yet.
var newKeys = []string{
	"new", "annotations", "a~1b", "c~0d", "", "0", "1", "2", "-", "-1", "-2", "00", "99", "~2", "é", "env",
}

// randomPatch makes a patch of one to four operations. Most of its pointers
// exist, so that the later operations are reached.
func randomPatch(r *random, name string) question {
	doc := pick(r, documents)
	existing := places(doc)
	count := 1 + r.below(4)
	var operations []string
	for range count {
		operations = append(operations, randomOperation(r, existing))
	}
	return question{name, doc, "[" + strings.Join(operations, ",") + "]"}
}

func randomOperation(r *random, existing []place) string {
	kind := pick(r, []string{"add", "add", "add", "remove", "replace", "replace", "move", "copy", "copy", "test"})
	fields := []string{`"op":` + quote(kind)}
	switch kind {
	case "add":
		fields = append(fields, `"path":`+quote(targetPointer(r, existing)), `"value":`+pick(r, patchValues))
	case "remove":
		fields = append(fields, `"path":`+quote(sourcePointer(r, existing)))
	case "replace":
		fields = append(fields, `"path":`+quote(sourcePointer(r, existing)), `"value":`+pick(r, patchValues))
	case "test":
		// Most tests hold, since one that fails ends the patch.
		tested := pick(r, existing)
		value := tested.text
		if r.chance(25) {
			value = pick(r, patchValues)
		}
		fields = append(fields, `"path":`+quote(tested.pointer), `"value":`+value)
	case "move", "copy":
		fields = append(fields, `"from":`+quote(sourcePointer(r, existing)), `"path":`+quote(targetPointer(r, existing)))
	}
	if r.chance(2) {
		// A field is forgotten now and then, as people do.
		fields = fields[:len(fields)-1]
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// sourcePointer points at something that mostly exists.
func sourcePointer(r *random, existing []place) string {
	pointer := pick(r, existing).pointer
	if r.chance(92) {
		return pointer
	}
	return damaged(r, pointer)
}

// targetPointer points at a place for something new.
func targetPointer(r *random, existing []place) string {
	pointer := pick(r, existing).pointer
	switch {
	case r.chance(30):
		return pointer
	case r.chance(50):
		// A neighbour of something that exists, so that the parent is there.
		return pointer[:strings.LastIndex(pointer, "/")+1] + pick(r, newKeys)
	case r.chance(70):
		return pointer + "/" + pick(r, newKeys)
	default:
		return damaged(r, pointer)
	}
}

// damaged makes one of the usual mistakes in a pointer.
func damaged(r *random, pointer string) string {
	switch r.below(7) {
	case 0:
		return strings.TrimPrefix(pointer, "/")
	case 1:
		return pointer + "/"
	case 2:
		return strings.ReplaceAll(pointer, "~1", "/")
	case 3:
		return strings.ToUpper(pointer)
	case 4:
		return "/" + pointer
	case 5:
		return pointer + "/" + strconv.Itoa(r.below(20)-5)
	default:
		return pointer[:strings.LastIndex(pointer, "/")] + "/missing"
	}
}
