package oracle

import (
	"encoding/json"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	structuraldefaulting "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	structurallisttype "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	schemaobjectmeta "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	structuralpruning "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"
)

// runCRDValidate does with a custom resource what the API server does with one
// that is created, in the same order: the metadata is decoded, what the schema
// does not know is pruned (and named, as strict validation does), nulls are
// dropped, defaults set, and the result is validated. The schema is the
// openAPIV3Schema of a definition.
func runCRDValidate(r Request) (Answer, error) {
	schemaText, err := r.text("schema")
	if err != nil {
		return nil, err
	}
	objectText, err := r.text("object")
	if err != nil {
		return nil, err
	}
	var v1 apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal([]byte(schemaText), &v1); err != nil {
		return nil, err
	}
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&v1, &internal, nil); err != nil {
		return nil, err
	}
	structural, err := structuralschema.NewStructural(&internal)
	if err != nil {
		return nil, err
	}
	if errs := structuralschema.ValidateStructural(field.NewPath("schema"), structural); len(errs) > 0 {
		return nil, errs.ToAggregate()
	}
	validator, _, err := validation.NewSchemaValidatorForVersion(&internal, version.MajorMinor(1, 37))
	if err != nil {
		return nil, err
	}
	var object map[string]any
	if err := utiljson.Unmarshal([]byte(objectText), &object); err != nil {
		return nil, err
	}

	_, _, unknown, err := schemaobjectmeta.GetObjectMetaWithOptions(object, schemaobjectmeta.ObjectMetaOptions{
		ReturnUnknownFieldPaths: true,
	})
	if err != nil {
		return Answer{"error": err.Error()}, nil
	}
	unknown = append(unknown, structuralpruning.PruneWithOptions(object, structural, true,
		structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})...)
	structuraldefaulting.PruneNonNullableNullsWithoutDefaults(object, structural)
	fault, paths := schemaobjectmeta.CoerceWithOptions(nil, object, structural, false, schemaobjectmeta.CoerceOptions{
		ReturnUnknownFieldPaths: true,
	})
	if fault != nil {
		return Answer{"error": fault.Error()}, nil
	}
	unknown = append(unknown, paths...)
	structuraldefaulting.Default(object, structural)

	strict := []string{}
	for _, path := range unknown {
		strict = append(strict, fmt.Sprintf(`unknown field "%s"`, path))
	}
	texts := []string{}
	errs := validation.ValidateCustomResource(nil, object, validator)
	errs = append(errs, structurallisttype.ValidateListSetsAndMaps(nil, structural, object)...)
	for _, err := range errs {
		texts = append(texts, err.Error())
	}
	return Answer{"strict": strict, "errors": texts}, nil
}
