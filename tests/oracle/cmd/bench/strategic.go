package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/yaml"

	"convoy-lsp/oracle/internal/kube"
)

// batch is how many copies of the input are made before they are merged: the
// library writes into what it is given.
const batch = 100

// runStrategic measures a strategic merge patch of a Deployment:
//
//	bench strategic OBJECT PATCH RUNS
//
// Both files are YAML. It prints one JSON line with the result and, in
// nanoseconds of processor time for one run, that of maps that have been
// decoded ("merge", without the copies of the input) and that of JSON texts
// ("whole").
func runStrategic(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("usage: bench strategic OBJECT PATCH RUNS")
	}
	object, err := readJSON(args[0])
	if err != nil {
		return err
	}
	patch, err := readJSON(args[1])
	if err != nil {
		return err
	}
	runs, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	deployment, err := kube.Scheme.New(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"})
	if err != nil {
		return err
	}
	lookup, err := strategicpatch.NewPatchMetaFromStruct(deployment)
	if err != nil {
		return err
	}
	output, err := strategicpatch.StrategicMergePatchUsingLookupPatchMeta(object, patch, lookup)
	if err != nil {
		return err
	}
	merge, err := timeOfMerge(object, patch, lookup, runs)
	if err != nil {
		return err
	}
	before, err := processorTime()
	if err != nil {
		return err
	}
	for range runs {
		if _, err := strategicpatch.StrategicMergePatchUsingLookupPatchMeta(object, patch, lookup); err != nil {
			return err
		}
	}
	after, err := processorTime()
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"output": string(output),
		"merge":  merge,
		"whole":  float64(after-before) / float64(runs),
	})
}

func timeOfMerge(object, patch []byte, lookup strategicpatch.LookupPatchMeta, runs int) (float64, error) {
	var objectMap, patchMap map[string]any
	if err := json.Unmarshal(object, &objectMap); err != nil {
		return 0, err
	}
	if err := json.Unmarshal(patch, &patchMap); err != nil {
		return 0, err
	}
	var spent int64
	for done := 0; done < runs; done += batch {
		var objects, patches []map[string]any
		for range batch {
			objects = append(objects, runtime.DeepCopyJSON(objectMap))
			patches = append(patches, runtime.DeepCopyJSON(patchMap))
		}
		before, err := processorTime()
		if err != nil {
			return 0, err
		}
		for i := range objects {
			if _, err := strategicpatch.StrategicMergeMapPatchUsingLookupPatchMeta(objects[i], patches[i], lookup); err != nil {
				return 0, err
			}
		}
		after, err := processorTime()
		if err != nil {
			return 0, err
		}
		spent += after - before
	}
	return float64(spent) / float64(runs), nil
}

func readJSON(file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return yaml.YAMLToJSON(text)
}
