package oracle

import (
	"fmt"

	kubejson "k8s.io/apimachinery/pkg/runtime/serializer/json"

	"convoy-lsp/oracle/internal/kube"
)

// strictSerializer reads objects as the API server does where a client asks
// for strict validation of fields.
var strictSerializer = kubejson.NewSerializerWithOptions(
	kubejson.DefaultMetaFactory, kube.Scheme, kube.Scheme,
	kubejson.SerializerOptions{Strict: true},
)

// runStrictDecode says whether the API server can read an object of a built-in
// kind, with the text of its error.
func runStrictDecode(r Request) (Answer, error) {
	object, err := r.text("object")
	if err != nil {
		return nil, err
	}
	_, gvk, err := strictSerializer.Decode([]byte(object), nil, nil)
	answer := Answer{}
	if gvk != nil {
		answer["gvk"] = fmt.Sprint(gvk)
	}
	if err != nil {
		answer["error"] = err.Error()
	}
	return answer, nil
}
