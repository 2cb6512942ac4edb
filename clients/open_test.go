package clients_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/release/conformance"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// TestOpenVectors opens the bundles of the vectors, which say what each step refuses.
func TestOpenVectors(t *testing.T) {
	eachClient(t, checkOpenVectors)
}

// checkOpenVectors sends each vector as the operation "opened". Its result is that of the vector, or
// the object of its error.
func checkOpenVectors(t *testing.T, ask func(...request) []answer) {
	var file struct {
		Bundle  map[string]string
		Vectors []struct {
			Name, Reason, Entry, Old, New, ID, Constraint string
			Result, Error                                 json.RawMessage
		}
	}
	must.Do(t, json.Unmarshal(conformance.Files()["conformance/open.json"], &file))
	requests := make([]request, len(file.Vectors))
	for i, v := range file.Vectors {
		var files []bundlefile.File
		first := []string{bundlefile.ManifestName, bundlefile.SumsName, bundlefile.IndexName, bundlefile.CalibrationName}
		rest := slices.DeleteFunc(slices.Sorted(maps.Keys(file.Bundle)), func(name string) bool { return slices.Contains(first, name) })
		for _, name := range append(first, rest...) {
			text := file.Bundle[name]
			if name == v.Entry {
				text = strings.Replace(text, v.Old, v.New, 1)
			}
			files = append(files, bundlefile.File{Path: name, Data: []byte(text)})
		}
		data := bundletest.Pack(bundletest.Resum(files), nil)
		requests[i] = request{"op": "opened", "data": data, "id": v.ID, "constraint": v.Constraint}
	}
	for i, a := range ask(requests...) {
		v := file.Vectors[i]
		want := into[map[string]any](t, answer{Result: slices.Concat(v.Result, v.Error)})
		if diff := cmp.Diff(want, into[map[string]any](t, a)); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", v.Name, v.Reason, diff)
		}
	}
	if len(requests) == 0 {
		t.Error("there are no vectors")
	}
}

// stepsOf is what "opened" returns for a bundle in Go, without versions.
func stepsOf(t *testing.T, data []byte, id, constraint string) string {
	t.Helper()
	lib, err := library.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "open: " + asClient(err)
	}
	defer lib.Close()
	if _, err := lib.Get(t.Context(), id, constraint); err != nil {
		return "get: " + asClient(err)
	}
	if _, err := lib.Search(library.Query{IncludeDeprecated: true, IncludeRetired: true}); err != nil {
		return "list: " + asClient(err)
	}
	return ""
}

// TestDamagedBundlesAreRefusedAtTheStepOfGo damages bundles by the tables of all readers and by
// changes of random bytes, with sums that agree, and gets each document without verifying the bundle.
func TestDamagedBundlesAreRefusedAtTheStepOfGo(t *testing.T) {
	reasons, bundles := damaged(t)
	var requests []request
	var want []string
	counts := map[string]int{}
	for _, data := range bundles {
		for _, of := range [][2]string{{"a_v1", "1.0.0"}, {"a_v1", ""}, {"c_v1", ""}, {"gone_v1", "1.0.0"}} {
			requests = append(requests, request{"op": "step", "data": data, "id": of[0], "constraint": of[1]})
			step := stepsOf(t, data, of[0], of[1])
			want = append(want, step)
			counts[step]++
		}
	}
	for _, step := range []string{"open: IntegrityError", "get: IntegrityError", "list: IntegrityError", ""} {
		if counts[step] == 0 {
			t.Errorf("no bundle is refused at %q: %v", step, counts)
		}
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		for i, a := range ask(requests...) {
			if got := into[string](t, a); got != want[i] {
				t.Errorf("%s: %s %q: %q, and Go says %q", reasons[i/4], requests[i]["id"], requests[i]["constraint"], got, want[i])
			}
		}
	})
}

// damaged returns damaged bundles with the reasons.
func damaged(t *testing.T) (reasons []string, bundles [][]byte) {
	t.Helper()
	add := func(reason string, data []byte) { reasons, bundles = append(reasons, reason), append(bundles, data) }
	for _, h := range hostiles(t) {
		if h.old != "" && h.new != missing {
			add(h.reason, bundletest.Pack(reindex(t, replacing(t, h.path, h.old, h.new)(right(t))), nil))
			add(h.reason+", and the index differs", bundletest.Pack(bundletest.Resum(replacing(t, h.path, h.old, h.new)(right(t))), nil))
		}
	}
	add("without the manifest", bundletest.Pack(bundletest.Resum(right(t)[1:]), nil))
	random := rand.New(rand.NewPCG(1, 50))
	const characters = "\x00\n \"{}[],:0123456789.aev_-\\\xff"
	for _, path := range []string{bundlefile.ManifestName, bundlefile.IndexName, bundlecheck.LedgerName, bundlefile.CalibrationName, aDoc} {
		for range 60 {
			files := right(t)
			f := &files[slices.IndexFunc(files, func(f bundlefile.File) bool { return f.Path == path })]
			at, what := random.IntN(len(f.Data)), characters[random.IntN(len(characters))]
			switch random.IntN(3) {
			case 0:
				f.Data = slices.Concat(f.Data[:at], []byte{what}, f.Data[at+1:])
			case 1:
				f.Data = slices.Concat(f.Data[:at], []byte{what}, f.Data[at:])
			default:
				f.Data = slices.Concat(f.Data[:at], f.Data[at+1:])
			}
			add(fmt.Sprintf("%s with %q at %d:\n%s", path, what, at, f.Data), bundletest.Pack(bundletest.Resum(files), nil))
		}
	}
	return reasons, bundles
}
