package clients_test

import (
	"bytes"
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

// TestCalibrationsAreThoseOfGo reads the calibration of every document.
func TestCalibrationsAreThoseOfGo(t *testing.T) {
	_, _, open := openSample(t)
	want := map[string]map[string]any{
		"user_story_quality_v1": {"path": "calibration/stories/statistics.json", "correlation": 0.8125, "judge": "gpt-4", "date": "2026-11-14", "rank": "met", "gate": "library_limits", "reason": "The limits are loose."},
		"prd_quality_v1":        {"path": "calibration/stories/statistics.json", "judge": "flat", "date": "2026-11-14", "rank": "undecided", "gate": "not_met", "reason": "Zu \"wenige\" für 😀."},
		"test_plan_quality_v1":  {"reason": "Elsewhere."},
		"rest_api_design_v1":    nil,
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		got := into[map[string]map[string]any](t, ask(open, request{"op": "calibrations"})[1])
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the calibrations (-want +got):\n%s", diff)
		}
	})
}
