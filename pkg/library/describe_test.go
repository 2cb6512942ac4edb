package library_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// TestJSONIsWhatTheDigestNames compares the canonical form of every version with the digest
// and with the decoded document.
func TestJSONIsWhatTheDigestNames(t *testing.T) {
	t.Run("cached", func(t *testing.T) { checkJSON(t, open(t)) })
	t.Run("not cached", func(t *testing.T) { checkJSON(t, open(t, library.WithoutCache())) })
}

func checkJSON(t *testing.T, l *library.Library) {
	all, err := l.Search(library.Query{IncludeDeprecated: true, IncludeRetired: true})
	if err != nil || len(all) != 6 {
		t.Fatalf("%d documents, %v", len(all), err)
	}
	for _, e := range all {
		for _, v := range e.Available() {
			d := must.Get(l.Get(t.Context(), e.ID, v.Version))(t)
			data := d.JSON()
			if got := fmt.Sprintf("sha256:%x", sha256.Sum256(data)); got != d.Reference.Digest {
				t.Errorf("%s: the JSON has the digest %s", d.Reference, got)
			}
			var said struct{ Name, Version string }
			if err := json.Unmarshal(data, &said); err != nil || said.Name != e.Name || said.Version != v.Version {
				t.Errorf("%s: the JSON is %s, %v", d.Reference, data, err)
			}
			clear(data) // the caller owns it
			if again, err := l.Get(t.Context(), e.ID, v.Version); err != nil || json.Unmarshal(again.JSON(), &said) != nil {
				t.Errorf("%s: a caller changed the JSON of others: %v", d.Reference, err)
			}
		}
	}
	if data := new(library.Document).JSON(); data != nil {
		t.Errorf("the JSON of no document is %s", data)
	}
}

func TestCalibrationIsThatOfTheEntry(t *testing.T) {
	content := sample()
	content.Statistics = map[string][]byte{"story_v1": []byte(`{"reports":[]}`)}
	data, _ := bundle(t, content)
	l := openData(t, data)
	for _, id := range []string{"story_v1", "plan_v1", "old_v1", "api_v1", "gone_v1"} {
		e, err := l.Entry(id)
		c, failed := l.DocumentCalibration(id)
		if diff := cmp.Diff(e.Calibration, c); err != nil || failed != nil || diff != "" {
			t.Errorf("%s: %v, %v\n%s", id, err, failed, diff)
		}
		want := map[string]string{"story_v1": `{"reports":[]}`, "plan_v1": "{}"}[id]
		if got, err := l.Statistics(c); err != nil || string(got) != want {
			t.Errorf("%s: the statistics are %s, %v; want %s", id, got, err, want)
		}
	}
	must.Do(t, l.Close())
	_, retired := l.Retired()
	_, calibration := l.Calibration("story_v1", "steady", "m-1")
	_, statistics := l.Statistics(&library.Calibration{Path: "calibration/story_v1/statistics.json"})
	for _, err := range []error{retired, calibration, statistics} {
		if !errors.Is(err, fs.ErrClosed) {
			t.Errorf("a closed library gives %v", err)
		}
	}
}

// TestCalibrationIsOfOneJudge: only the judge with this name and model is meant, and no other
// answers for it.
func TestCalibrationIsOfOneJudge(t *testing.T) {
	content := sample()
	content.Tombstones = append(content.Tombstones, bundlefile.Omission{ID: "hidden_v1", Version: "1.0.0", Reason: "It named a customer."})
	data, _ := bundle(t, content)
	l := openData(t, data)
	number := 0.75
	want := &library.JudgeCalibration{
		Judge: "steady", Model: "m-1", Repeats: 1, Run: "2026-11-21", Date: "2026-11-21", Rank: library.Yes, Gate: library.Yes,
		Correlation: &library.Correlation{Criterion: "clarity", Value: &number},
	}
	got, err := l.Calibration("story_v1", "steady", "m-1")
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	*got.Correlation.Value, got.Gate = 1, library.No // the caller owns it
	if again := must.Get(l.Calibration("story_v1", "steady", "m-1"))(t); *again.Correlation.Value != 0.75 || again.Gate != library.Yes {
		t.Errorf("a caller changed the calibration of others: %+v", again)
	}
	folder := must.Get(library.OpenDir(folder(map[string]string{"rubrics/jira_tickets/story_v1.yaml": rubricOf("story_v1", "1.0.0")})))(t)
	for _, tt := range []struct {
		reason           string
		library          *library.Library
		id, judge, model string
	}{
		{"another model", l, "story_v1", "steady", "m-2"},
		{"no model", l, "story_v1", "steady", ""},
		{"a judge that is not listed", l, "story_v1", "lively", "m-1"},
		{"a name in another case", l, "story_v1", "Steady", "m-1"},
		{"no judges", l, "plan_v1", "steady", "m-1"},
		{"no labeled items", l, "old_v1", "steady", "m-1"},
		{"a rule set", l, "api_v1", "steady", "m-1"},
		{"a retired document", l, "gone_v1", "steady", "m-1"},
		{"a withdrawn document", l, "hidden_v1", "steady", "m-1"},
		{"a folder", folder, "story_v1", "steady", "m-1"},
	} {
		if j, err := tt.library.Calibration(tt.id, tt.judge, tt.model); j != nil || err != nil {
			t.Errorf("%s: %+v, %v", tt.reason, j, err)
		}
	}
	for _, l := range []*library.Library{l, folder} {
		var none *library.NotFoundError
		if _, err := l.Calibration("story_v2", "steady", "m-1"); !errors.As(err, &none) {
			t.Errorf("an unknown ID gives %v", err)
		}
	}
}

// TestWhatIsNoLongerThere asks for documents of which no version is left.
func TestWhatIsNoLongerThere(t *testing.T) {
	content := sample()
	content.Ledger += "  - {id: older_v1, kind: rubric, last_version: 3.0.0, reason: Nobody used it.}\n"
	content.Tombstones = append(content.Tombstones, bundlefile.Omission{ID: "hidden_v1", Version: "1.0.0", Reason: "It named a customer."})
	data, _ := bundle(t, content)
	l := openData(t, data)
	if ids, err := l.Retired(); err != nil || !slices.Equal(ids, []string{"gone_v1", "older_v1"}) {
		t.Errorf("the retired IDs are %v, %v", ids, err)
	}
	want := []library.Withdrawal{{ID: "hidden_v1", Version: "1.0.0", Reason: "It named a customer."}, {ID: "story_v1", Version: "1.1.0", Reason: "It held a name."}}
	if diff := cmp.Diff(want, l.Withdrawn()); diff != "" {
		t.Errorf("the withdrawn versions:\n%s", diff)
	}
	if got := l.Commit(); len(got) != 40 {
		t.Errorf("the commit is %q", got)
	}
	var retired *library.RetiredError
	if _, err := l.Get(t.Context(), "older_v1", ""); !errors.As(err, &retired) || retired.LastVersion != "3.0.0" || retired.Reason != "Nobody used it." {
		t.Errorf("a document that only the ledger has gives %v", err)
	}
	var none *library.ConstraintError
	if _, err := l.Get(t.Context(), "older_v1", "3.0.0"); !errors.As(err, &none) || len(none.Versions) > 0 {
		t.Errorf("its version gives %v", err)
	}
	for _, constraint := range []string{"", "~1", "1.0.0"} {
		if _, err := l.Get(t.Context(), "hidden_v1", constraint); !errors.As(err, &none) || none.Withdrawn == nil || none.Withdrawn.Version != "1.0.0" {
			t.Errorf("a withdrawn document with %q gives %v", constraint, err)
		}
	}
}
