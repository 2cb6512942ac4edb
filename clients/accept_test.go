package clients_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/release/conformance"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// TestRightBundlesAreAccepted opens bundles that Write wrote, with the digest of Write.
func TestRightBundlesAreAccepted(t *testing.T) {
	large := &contents{}
	for i := range 1 << 16 {
		large.files = append(large.files, bundlefile.File{Path: fmt.Sprintf("schema/s%d.json", i)})
	}
	bundles := map[string]*contents{"one of everything": sample(t), "nothing at all": {}, "more entries than a zip without zip64 has": large}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		for reason, l := range bundles {
			data, digest := l.write(t)
			requests, want := []request{{"op": "opens", "data": data, "digest": digest}}, []string{digest, digest, ""}
			if l != large { // a digest is compared in the same way, and each opening takes a second
				requests = append(requests, request{"op": "opens", "data": data}, request{"op": "opens", "data": data, "digest": "sha256:" + strings.Repeat("0", 64)})
			}
			for i, answer := range ask(requests...) {
				if got, want := into[string](t, answer), want[i]; got != want {
					t.Errorf("%s, request %d: got %q, expected %q", reason, i, got, want)
				}
			}
		}
	})
}

// TestEarlierBundlesAreAccepted reads bundles of earlier programs, whose bytes never change.
func TestEarlierBundlesAreAccepted(t *testing.T) {
	for name, digest := range map[string]string{
		// Its statistics have values that are no longer computed.
		"format-1-earlier.zip": "sha256:74288826ea47944c7ad9bf8be0d17f5b7a03444a8bf3528c0a9c7668db19a31c",
		// A judge is calibrated after one run, and no version is dated.
		"format-1.zip": "sha256:0370e536290039c62385d91247994015591e2d23a3d91e066a3ea8292a78d249",
	} {
		path := "../internal/release/testdata/" + name
		lib := must.Get(library.Open(path, library.WithDigest(digest), library.WithVerification()))(t)
		defer lib.Close()
		data := must.Get(os.ReadFile(path))(t)
		eachClient(t, func(t *testing.T, ask func(...request) []answer) {
			answers := ask(request{"op": "opens", "data": data, "digest": digest}, request{"op": "verify", "data": data},
				request{"op": "hands_out", "data": data, "id": "a_v1", "constraint": "1.0.0"})
			opened, problem, document := into[string](t, answers[0]), into[string](t, answers[1]), into[bool](t, answers[2])
			if opened != digest || problem != "" || !document {
				t.Errorf("%s: got the digest %q, the error %q, and a document: %v", name, opened, problem, document)
			}
		})
	}
}

// TestEntriesAndDocumentsAreListed reads an entry that is not a document, and the list.
func TestEntriesAndDocumentsAreListed(t *testing.T) {
	_, _, open := openSample(t)
	const path = "conformance/verdict.json"
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		answers := ask(open, request{"op": "read", "path": path}, request{"op": "read", "path": "conformance/none.json"}, request{"op": "list"})
		if got := into[[]byte](t, answers[1]); !bytes.Equal(got, conformance.Files()[path]) {
			t.Errorf("%s has %d bytes, expected %d", path, len(got), len(conformance.Files()[path]))
		}
		if e := answers[2].Error; e == nil || e.Type != "NotFoundError" {
			t.Errorf("a missing entry gives %s %+v, expected a NotFoundError", answers[2].Result, e)
		}
		want := "prd_quality_v1 deprecated, rest_api_design_v1, test_plan_quality_v1 deprecated retired, user_story_quality_v1"
		if got := strings.Join(into[[]string](t, answers[3]), ", "); got != want {
			t.Errorf("the list is %s, expected %s", got, want)
		}
	})
}

// TestCalibrationsAreThoseOfGo reads the calibration of every document, as bundles have it.
func TestCalibrationsAreThoseOfGo(t *testing.T) {
	path, _, open := openSample(t)
	bundle := must.Get(bundlefile.OpenFile(path, bundlefile.Open, bundlefile.Options{}))(t)
	defer bundle.Close()
	want := map[string]map[string]any{"rest_api_design_v1": nil}
	lines := string(must.Get(bundle.Read(bundlefile.CalibrationName))(t))
	for line := range strings.Lines(lines) {
		var c map[string]any
		must.Do(t, json.Unmarshal([]byte(line), &c))
		want[c["id"].(string)] = c
		delete(c, "id")
	}
	if len(want) != 4 {
		t.Fatalf("the calibrations are %s", lines)
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		got := into[map[string]map[string]any](t, ask(open, request{"op": "calibrations"})[1])
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the calibrations (-want +got):\n%s", diff)
		}
	})
}

// judgeVectors ask for a judge of the sample. gate is the answer, "" if the bundle has no such
// judge, or the name of an error.
var judgeVectors = []struct{ reason, id, judge, model, gate string }{
	{"one of several judges, which may only rank", "user_story_quality_v1", "claude", "claude \"4\" ü \u2028", "cannot_tell"},
	{"one with an unknown prompt", "user_story_quality_v1", "gpt-4", "gpt-4-0613", "library_limits"},
	{"one without a run on the words of today", "user_story_quality_v1", "stale", "s", "no"},
	{"one without a correlation", "prd_quality_v1", "flat", "f", "no"},
	{"labels by authors", "test_plan_quality_v1", "demo", "d", "no"},
	{"another model", "user_story_quality_v1", "gpt-4", "gpt-4-1106", ""},
	{"the model of another judge", "user_story_quality_v1", "gpt-4", "s", ""},
	{"no model", "user_story_quality_v1", "gpt-4", "", ""},
	{"a name in another case", "user_story_quality_v1", "GPT-4", "gpt-4-0613", ""},
	{"a judge that is not listed", "user_story_quality_v1", "flat", "f", ""},
	{"a judge of another rubric", "prd_quality_v1", "gpt-4", "gpt-4-0613", ""},
	{"a rule set", "rest_api_design_v1", "gpt-4", "gpt-4-0613", ""},
	{"a document of which no version is left", "hidden_v1", "gpt-4", "gpt-4-0613", ""},
	{"a document that only the ledger has", "older_v1", "gpt-4", "gpt-4-0613", ""},
	{"an unknown ID", "user_story_quality_v2", "gpt-4", "gpt-4-0613", "NotFoundError"},
	{"no ID", "", "gpt-4", "gpt-4-0613", "NotFoundError"},
	{"an ID with JSON", `c","id":"user_story_quality_v1`, "gpt-4", "gpt-4-0613", "NotFoundError"},
}

// TestAConsumerAsksForItsJudge asks all clients for the same judges.
func TestAConsumerAsksForItsJudge(t *testing.T) {
	path, _, open := openSample(t)
	lib := must.Get(library.Open(path))(t)
	defer lib.Close()
	want := make([]map[string]any, len(judgeVectors))
	requests := []request{open}
	for i, v := range judgeVectors {
		requests = append(requests, request{"op": "calibration", "id": v.id, "judge": v.judge, "model": v.model})
		j, err := lib.Calibration(v.id, v.judge, v.model)
		gate := ""
		switch {
		case errors.As(err, new(*library.NotFoundError)):
			gate = "NotFoundError"
		case err != nil:
			t.Fatalf("%s: %v", v.reason, err)
		case j != nil:
			gate = string(j.Gate)
			must.Do(t, json.Unmarshal(must.Get(json.Marshal(j))(t), &want[i]))
		}
		if gate != v.gate {
			t.Errorf("%s: Go says %q, want %q", v.reason, gate, v.gate)
		}
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		for i, a := range ask(requests...)[1:] {
			v := judgeVectors[i]
			if v.gate == "NotFoundError" {
				if a.Error == nil || a.Error.Type != v.gate {
					t.Errorf("%s: got %s, %+v", v.reason, a.Result, a.Error)
				}
				continue
			}
			if diff := cmp.Diff(want[i], into[map[string]any](t, a)); diff != "" {
				t.Errorf("%s (-Go +client):\n%s", v.reason, diff)
			}
		}
	})
}
