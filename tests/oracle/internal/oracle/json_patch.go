package oracle

import (
	"fmt"

	jsonpatchv5 "github.com/evanphx/json-patch/v5"
	jsonpatchv4 "gopkg.in/evanphx/json-patch.v4"
)

// patchLibrary is one release line of the JSON Patch library. The two lines
// differ in verdicts and in texts, and programs use either.
type patchLibrary struct {
	// apply returns the phase in which an error arose.
	apply func(doc, patch []byte) (result []byte, phase string, err error)
	merge func(doc, patch []byte) ([]byte, error)
}

var patchLibraries = map[string]patchLibrary{
	"v4": {
		apply: func(doc, patch []byte) ([]byte, string, error) {
			decoded, err := jsonpatchv4.DecodePatch(patch)
			if err != nil {
				return nil, "decode", err
			}
			result, err := decoded.Apply(doc)
			return result, "apply", err
		},
		merge: jsonpatchv4.MergePatch,
	},
	"v5": {
		apply: func(doc, patch []byte) ([]byte, string, error) {
			decoded, err := jsonpatchv5.DecodePatch(patch)
			if err != nil {
				return nil, "decode", err
			}
			result, err := decoded.Apply(doc)
			return result, "apply", err
		},
		merge: jsonpatchv5.MergePatch,
	},
}

// runJSONPatch applies an RFC 6902 patch with the library's default options.
func runJSONPatch(r Request) (Answer, error) {
	library, doc, patch, err := patchFields(r)
	if err != nil {
		return nil, err
	}
	result, phase, err := library.apply(doc, patch)
	if err != nil {
		return Answer{"error": err.Error(), "phase": phase}, nil
	}
	return Answer{"result": string(result)}, nil
}

// patchFields reads what both kinds of patch need. The texts are passed on as
// they are: how the library treats broken JSON is part of the question.
func patchFields(r Request) (library patchLibrary, doc, patch []byte, err error) {
	docText, err := r.text("doc")
	if err != nil {
		return library, nil, nil, err
	}
	patchText, err := r.text("patch")
	if err != nil {
		return library, nil, nil, err
	}
	flavour, err := r.textOr("flavour", "v5")
	if err != nil {
		return library, nil, nil, err
	}
	library, ok := patchLibraries[flavour]
	if !ok {
		return library, nil, nil, fmt.Errorf("unknown flavour %q", flavour)
	}
	return library, []byte(docText), []byte(patchText), nil
}
