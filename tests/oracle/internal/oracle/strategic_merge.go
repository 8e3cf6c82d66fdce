package oracle

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	clientscheme "k8s.io/client-go/kubernetes/scheme"

	"convoy-lsp/oracle/internal/kube"
)

// runStrategicMerge merges a patch into an object with the Go type of a kind.
// The kind is asked for apart from the object, because what the library does
// with an object that is none is part of the question.
func runStrategicMerge(r Request) (Answer, error) {
	doc, err := r.text("doc")
	if err != nil {
		return nil, err
	}
	patch, err := r.text("patch")
	if err != nil {
		return nil, err
	}
	apiVersion, err := r.text("apiVersion")
	if err != nil {
		return nil, err
	}
	kind, err := r.text("kind")
	if err != nil {
		return nil, err
	}
	gvk := schema.FromAPIVersionAndKind(apiVersion, kind)
	object, err := kube.Scheme.New(gvk)
	if err != nil {
		// Clients ask the scheme of client-go, whose name is in the text.
		_, err = clientscheme.Scheme.New(gvk)
		return Answer{"error": err.Error()}, nil
	}
	result, err := strategicpatch.StrategicMergePatch([]byte(doc), []byte(patch), object)
	if err != nil {
		return Answer{"error": err.Error()}, nil
	}
	return Answer{"result": string(result)}, nil
}
