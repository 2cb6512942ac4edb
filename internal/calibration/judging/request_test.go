package judging

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/dev/documenttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// subject draws a rubric.
func subject(t *rapid.T) *calibration.Subject {
	text := must.Get(json.Marshal(documenttest.Any(&document.Rubric).Draw(t, "rubric")))(t)
	return must.Get(calibration.NewSubject(document.Parse(source.NewFile("rubric.yaml", text))))(t)
}

// criteriaOf returns the names of all criteria.
func criteriaOf(s *calibration.Subject) []string {
	var names []string
	for _, c := range s.Rubric.Criteria {
		names = append(names, c.Name)
	}
	return names
}

// items draws items, each with unique marks in all its texts and labels.
func items(t *rapid.T) []calibration.Item {
	drawn := make([]calibration.Item, rapid.IntRange(1, 5).Draw(t, "items"))
	for i := range drawn {
		drawn[i] = calibration.Item{
			ID:       fmt.Sprintf("HIDDEN-id%d", i),
			Artifact: fmt.Sprintf("SHOWN-artifact%d.", i),
			Inputs:   map[string]string{"task": fmt.Sprintf("SHOWN-task%d.", i)},
			Labels:   map[string]map[string]float64{fmt.Sprintf("HIDDEN-rater%d", i): {fmt.Sprintf("HIDDEN-label%d", i): float64(rapid.IntRange(1, 5).Draw(t, "label"))}},
		}
	}
	return drawn
}

// requestsOf returns the requests of a run by item.
func requestsOf(t *rapid.T, s *calibration.Subject, items []calibration.Item) map[string][]byte {
	dataset := &calibration.Dataset{Name: "HIDDEN-dataset", Method: "HIDDEN-method", Items: items}
	for _, name := range criteriaOf(s) {
		dataset.Criteria = append(dataset.Criteria, calibration.Labeled{Name: name})
	}
	run := &Run{Plan: Plan{Name: "HIDDEN-run", Repeats: 2}, subject: s, Criteria: criteriaOf(s), items: dataset.Items, place: map[string]int{}}
	run.fill()
	requests := map[string][]byte{}
	for _, q := range run.questions {
		data := must.Get(marshal(run.request(q)))(t)
		requests[fmt.Sprint(q.item.ID, "#", q.repeat)] = data
	}
	return requests
}

func TestRequestShowsOneItemAndNoLabel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, items := subject(t), items(t)
		for name, data := range requestsOf(t, s, items) {
			number := name[len("HIDDEN-id"):strings.IndexByte(name, '#')]
			if bytes.Contains(data, []byte("HIDDEN")) {
				t.Fatalf("the request for %s shows what is hidden:\n%s", name, data)
			}
			own := bytes.Count(data, []byte("SHOWN-artifact"+number+".")) + bytes.Count(data, []byte("SHOWN-task"+number+"."))
			if all := bytes.Count(data, []byte("SHOWN")); own != 2 || all != 2 {
				t.Fatalf("the request for %s shows %d texts, %d of them its own:\n%s", name, all, own, data)
			}
		}
	})
}

func TestLabelsChangeNoRequest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, items := subject(t), items(t)
		before := requestsOf(t, s, items)
		for i := range items {
			items[i].Labels = map[string]map[string]float64{"another": {"clarity": float64(rapid.IntRange(1, 5).Draw(t, "other label"))}}
		}
		if diff := cmp.Diff(before, requestsOf(t, s, items)); diff != "" {
			t.Fatalf("requests (-before +after):\n%s", diff)
		}
	})
}

// digestOf returns the judge digest of the wording in a request.
func digestOf(t must.T, words []byte) string {
	kind := document.Kind{Name: "words", Noun: "words", Table: schema.Find(document.JudgeRequest.Table.Fields, "rubric").Value}
	digests := must.Get(document.ParseRun(source.NewFile("words.json", words), &kind).JudgeDigests())(t)
	return digests.Whole
}

// A request has exactly the wording that its digest covers, so that a run is fresh exactly
// while judges read the same.
func TestRequestHasTheWordsOfItsDigest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := subject(t)
		words, err := marshal((&Run{subject: s, Criteria: criteriaOf(s)}).request(question{&calibration.Item{Artifact: "x"}, 1, 1}).Rubric)
		if err != nil {
			t.Fatal(err)
		}
		if digest := digestOf(t, words); digest != s.Digest {
			t.Fatalf("the digest is %s, and that of the words %s:\n%s", s.Digest, digest, words)
		}
	})
}

func TestRequestIsWhatItsTableSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for name, data := range requestsOf(t, subject(t), items(t)) {
			d := document.ParseRun(source.NewFile("request.json", data), &document.JudgeRequest)
			if len(d.Problems) > 0 {
				t.Fatalf("%s: %v\n%s", name, d.Problems, data)
			}
		}
	})
}

// Numbers are a permutation that does not depend on labels or the order of the file.
func TestNumbersSayNothingOfTheFile(t *testing.T) {
	items := []calibration.Item{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "d"}, {ID: "e"}}
	first := numbers("run", items)
	slices.Reverse(items)
	if diff := cmp.Diff(first, numbers("run", items)); diff != "" {
		t.Errorf("another order gives other numbers:\n%s", diff)
	}
	if cmp.Equal(first, numbers("another", items)) {
		t.Error("another run has the same numbers")
	}
	seen := map[int]bool{}
	for _, n := range first {
		seen[n] = true
	}
	for n := 1; n <= len(items); n++ {
		if !seen[n] {
			t.Errorf("nothing has the number %d: %v", n, first)
		}
	}
}
