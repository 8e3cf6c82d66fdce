package oracle

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/openapi/openapitest"
	"k8s.io/kube-openapi/pkg/schemaconv"
	"k8s.io/kube-openapi/pkg/spec3"
	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"convoy-lsp/oracle/internal/kube"
)

// applyRepeats is how often a question that is refused is put again, with the
// keys of all maps in another order, to find the longest text.
const applyRepeats = 300

// runApply merges an apply configuration as a mutating admission policy does.
// Texts that depend on the order of maps are made one: of all texts that were
// seen, those with the most errors count, and of them the first, with its
// errors sorted.
func runApply(r Request) (Answer, error) {
	objectText, err := r.text("object")
	if err != nil {
		return nil, err
	}
	patchText, err := r.text("patch")
	if err != nil {
		return nil, err
	}
	crd, err := r.textOr("crd", "")
	if err != nil {
		return nil, err
	}
	duplicates, err := r.textOr("duplicates", "allowed")
	if err != nil {
		return nil, err
	}
	var object, configuration map[string]any
	if err := utiljson.Unmarshal([]byte(objectText), &object); err != nil {
		return Answer{"error": err.Error(), "phase": "object"}, nil
	}
	if err := utiljson.Unmarshal([]byte(patchText), &configuration); err != nil {
		return Answer{"error": err.Error(), "phase": "patch"}, nil
	}
	// A null is read without an error.
	if object == nil {
		return Answer{"error": "no object", "phase": "object"}, nil
	}
	if configuration == nil {
		return Answer{"error": "no object", "phase": "patch"}, nil
	}
	converter, err := applyConverter(&unstructured.Unstructured{Object: object}, crd)
	if err != nil {
		return Answer{"error": err.Error(), "phase": "type"}, nil
	}
	if duplicates != "allowed" {
		converter = strictConverter{converter}
	}
	var errorText string
	for run := range applyRepeats {
		// The merge must not see what an earlier one has changed.
		live := &unstructured.Unstructured{Object: shuffled(object).(map[string]any)}
		configuration := &unstructured.Unstructured{Object: shuffled(configuration).(map[string]any)}
		result, err := patch.ApplyStructuredMergeDiff(converter, live, configuration)
		if err == nil {
			text, err := json.Marshal(result.(*unstructured.Unstructured).Object)
			if err != nil {
				return nil, err
			}
			return Answer{"result": string(text)}, nil
		}
		text := sortedErrors(err.Error())
		if run == 0 || longer(text, errorText) {
			errorText = text
		}
		// The list of what is atomic is the same in every order, once sorted.
		if strings.HasPrefix(text, atomicsPrefix) {
			break
		}
	}
	return Answer{"error": errorText, "phase": "apply"}, nil
}

// longer says whether the text counts more than the other one.
func longer(text, other string) bool {
	lines, others := strings.Count(text, nextError), strings.Count(other, nextError)
	return lines > others || lines == others && text < other
}

// nextError stands before each error where there are several. Names of fields
// may have ends of lines as well.
const nextError = "\n  "

const atomicsPrefix = "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: "

// sortedErrors puts the errors of a text in an order of their own.
func sortedErrors(text string) string {
	if paths, ok := strings.CutPrefix(text, atomicsPrefix); ok {
		list := strings.Split(paths, ", ")
		slices.Sort(list)
		return atomicsPrefix + strings.Join(list, ", ")
	}
	found := strings.Split(text, nextError)
	slices.Sort(found[1:])
	return strings.Join(found, nextError)
}

// shuffled copies a value with maps that were filled in another order: a walk
// over a small map begins anywhere, but keeps to the order in which it was
// filled.
func shuffled(value any) any {
	switch value := value.(type) {
	case map[string]any:
		keys := make([]string, 0, len(value))
		for key := range value {
			keys = append(keys, key)
		}
		rand.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		out := make(map[string]any, len(value))
		for _, key := range keys {
			out[key] = shuffled(value[key])
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, item := range value {
			out[i] = shuffled(item)
		}
		return out
	default:
		return value
	}
}

// strictConverter takes no options: before 1.35 the live object was read
// without any.
type strictConverter struct{ managedfields.TypeConverter }

func (c strictConverter) ObjectToTyped(object runtime.Object, _ ...typed.ValidationOptions) (*typed.TypedValue, error) {
	return c.TypeConverter.ObjectToTyped(object)
}

var (
	applyLock       sync.Mutex
	applyConverters = map[string]managedfields.TypeConverter{}
)

// applyConverter gives what the API server makes of the types that it
// publishes: of the built-in ones, or of a custom resource definition.
func applyConverter(object *unstructured.Unstructured, crd string) (managedfields.TypeConverter, error) {
	converter, err := converterFor(object.GroupVersionKind(), crd)
	if err != nil {
		return nil, err
	}
	// A kind that the specification does not have is no question: the API
	// server would have refused the object before.
	stub := &unstructured.Unstructured{}
	stub.SetGroupVersionKind(object.GroupVersionKind())
	if _, err := converter.ObjectToTyped(stub); err != nil {
		return nil, err
	}
	return converter, nil
}

func converterFor(gvk schema.GroupVersionKind, crd string) (managedfields.TypeConverter, error) {
	applyLock.Lock()
	defer applyLock.Unlock()
	key := gvk.GroupVersion().String()
	if crd != "" {
		key = gvk.Version + " " + crd
	}
	if converter, ok := applyConverters[key]; ok {
		return converter, nil
	}
	converter, err := newApplyConverter(gvk, crd)
	if err != nil {
		return nil, err
	}
	applyConverters[key] = converter
	return converter, nil
}

func newApplyConverter(gvk schema.GroupVersionKind, crd string) (managedfields.TypeConverter, error) {
	if crd != "" {
		return customConverter(gvk.Version, crd)
	}
	return builtinConverter()
}

// differentTypes are the definitions that clients are given in another form
// than the API server publishes them in. All others agree where both have
// them, but for defaults of fields that are no keys of a list.
var differentTypes = []string{
	"io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1",
	"io.k8s.apimachinery.pkg.runtime.RawExtension",
	"io.k8s.apimachinery.pkg.util.intstr.IntOrString",
}

// builtinConverter has the types of client-go, which are those of its release,
// with the forms that the API server publishes. The specifications that
// client-go has embedded are whole, but those of an older release.
func builtinConverter() (managedfields.TypeConverter, error) {
	stub := &unstructured.Unstructured{}
	stub.SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "Pod"})
	pod, err := applyconfigurations.NewTypeConverter(kube.Scheme).ObjectToTyped(stub)
	if err != nil {
		return nil, err
	}
	published, err := publishedTypes()
	if err != nil {
		return nil, err
	}
	var parser typed.Parser
	for _, definition := range pod.Schema().Types {
		if slices.Contains(differentTypes, definition.Name) {
			known, ok := published.FindNamedType(definition.Name)
			if !ok {
				return nil, fmt.Errorf("%s is not published", definition.Name)
			}
			definition = known
		}
		parser.Schema.Types = append(parser.Schema.Types, definition)
	}
	return managedfields.NewSchemeTypeConverter(kube.Scheme, &parser), nil
}

// publishedTypes are those of the core kinds as client-go has them embedded.
func publishedTypes() (*smdschema.Schema, error) {
	paths, err := openapitest.NewEmbeddedFileClient().Paths()
	if err != nil {
		return nil, err
	}
	text, err := paths["api/v1"].Schema(runtime.ContentTypeJSON)
	if err != nil {
		return nil, err
	}
	var openapi spec3.OpenAPI
	if err := json.Unmarshal(text, &openapi); err != nil {
		return nil, err
	}
	return schemaconv.ToSchemaFromOpenAPI(openapi.Components.Schemas, false)
}

func customConverter(version, crd string) (managedfields.TypeConverter, error) {
	var definition apiextensionsv1.CustomResourceDefinition
	if err := json.Unmarshal([]byte(crd), &definition); err != nil {
		return nil, err
	}
	apiextensionsv1.SetDefaults_CustomResourceDefinition(&definition)
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&definition.Spec)
	openapi, err := builder.BuildOpenAPIV3(&definition, version, builder.Options{})
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(openapi)
	if err != nil {
		return nil, err
	}
	// As the admission plugin reads what the API server publishes.
	var published spec3.OpenAPI
	if err := json.Unmarshal(text, &published); err != nil {
		return nil, fmt.Errorf("the specification: %w", err)
	}
	return managedfields.NewTypeConverter(published.Components.Schemas, false)
}
