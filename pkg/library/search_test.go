package library_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library"
)

func TestSearch(t *testing.T) {
	l := open(t)
	for _, c := range []struct {
		reason string
		query  library.Query
		want   []string
	}{
		{"everything current", library.Query{}, []string{"api_v1", "draft_v1", "plan_v1", "story_v1"}},
		{"an artifact type", library.Query{ArtifactType: "test_plans"}, []string{"plan_v1"}},
		{"an artifact type is no text", library.Query{ArtifactType: "test"}, nil},
		{"rule sets", library.Query{Kind: library.KindRuleSet}, []string{"api_v1"}},
		{"rubrics", library.Query{Kind: library.KindRubric}, []string{"draft_v1", "plan_v1", "story_v1"}},
		{"with deprecated ones", library.Query{ArtifactType: "jira_tickets", IncludeDeprecated: true}, []string{"draft_v1", "old_v1", "story_v1"}},
		{"with retired ones, which were deprecated before", library.Query{ArtifactType: "jira_tickets", IncludeRetired: true}, []string{"draft_v1", "gone_v1", "story_v1"}},
		{"a word of the description, in another case", library.Query{Text: "tEstAble"}, []string{"draft_v1", "plan_v1", "story_v1"}},
		{"all words have to be there, wherever", library.Query{Text: " testable  STORY_V1 quality"}, []string{"story_v1", "draft_v1", "plan_v1"}},
		{"one word is not there", library.Query{Text: "story nowhere"}, []string{"story_v1", "draft_v1", "plan_v1"}},
		{"no word is there", library.Query{Text: "nothing nowhere"}, nil},
		{"a criterion", library.Query{Text: "clarity"}, []string{"draft_v1", "plan_v1", "story_v1"}},
	} {
		found, err := l.Search(c.query)
		var got []string
		for _, e := range found {
			got = append(got, e.ID)
		}
		if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", c.reason, err, diff)
		}
	}
	ids, err := l.IDs()
	if diff := cmp.Diff([]library.ID{
		{ID: "api_v1", Kind: library.KindRuleSet}, {ID: "draft_v1", Kind: library.KindRubric}, {ID: "old_v1", Kind: library.KindRubric},
		{ID: "plan_v1", Kind: library.KindRubric}, {ID: "story_v1", Kind: library.KindRubric},
	}, ids); err != nil || diff != "" {
		t.Errorf("the IDs: %v\n%s", err, diff)
	}
}

func TestEntry(t *testing.T) {
	l := open(t)
	want := library.Entry{
		ID: "gone_v1", Kind: library.KindRubric, Name: "Story quality", ArtifactType: "jira_tickets",
		Description: "Scores whether stories are Testable.", Latest: "1.1.0",
		Versions:   []library.Version{{Version: "1.0.0"}, {Version: "1.1.0"}},
		Deprecated: &library.Deprecation{Reason: "Few letters."},
		Retired:    &library.Retirement{Reason: "Nobody writes letters.", ReplacedBy: "story_v1"},
	}
	digests := cmpopts.IgnoreFields(library.Version{}, "Digest")
	got, err := l.Entry("gone_v1")
	if diff := cmp.Diff(want, got, digests); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	all := must.Get(l.Search(library.Query{IncludeDeprecated: true, IncludeRetired: true}))(t)
	for _, e := range all {
		one, err := l.Entry(e.ID)
		if diff := cmp.Diff(e.Entry, one); err != nil || diff != "" {
			t.Errorf("%s is another entry alone: %v\n%s", e.ID, err, diff)
		}
		for _, v := range e.Available() {
			if ref, err := l.Resolve(e.ID, v.Version); err != nil || ref.Digest != v.Digest || !strings.HasPrefix(v.Digest, "sha256:") {
				t.Errorf("%s@%s has the digest %s, and resolves to %v, %v", e.ID, v.Version, v.Digest, ref, err)
			}
		}
		if draft := e.ID == "draft_v1"; e.Draft() != draft {
			t.Errorf("%s is a draft: %v", e.ID, e.Draft())
		}
		if e.ID == "story_v1" && (e.Calibration == nil || len(e.Calibration.Judges) != 2 || *e.Calibration.Judges[0].Correlation.Value != 0.75 || e.Calibration.Reason != "") {
			t.Errorf("the calibration of %s is %v", e.ID, e.Calibration)
		}
		if e.ID == "plan_v1" && (e.Calibration == nil || len(e.Calibration.Judges) > 0 || e.Calibration.Reason != bundletest.NoJudges) {
			t.Errorf("the calibration of %s is %v", e.ID, e.Calibration)
		}
		if e.ID == "old_v1" && (e.Deprecated == nil || *e.Deprecated != library.Deprecation{Reason: "Too old.", ReplacedBy: "story_v1"}) {
			t.Errorf("the deprecation of %s is %v", e.ID, e.Deprecated)
		}
	}
	withdrawn := library.Version{Version: "1.1.0", Withdrawn: "It held a name."}
	if story, err := l.Entry("story_v1"); err != nil || len(story.Versions) != 5 || story.Versions[1] != withdrawn {
		t.Errorf("the versions of story_v1 are %v, %v", story.Versions, err)
	}
	if _, err := l.Entry("none"); err == nil {
		t.Error("an entry that is not there was found")
	}
}

func TestSimilarArtifactTypes(t *testing.T) {
	l := open(t)
	for artifactType, want := range map[string][]string{"jira_ticket": {"jira_tickets"}, "jira_tickets": nil, "": nil, "poem": nil} {
		if got, err := l.SimilarArtifactTypes(artifactType); err != nil || !slices.Equal(got, want) {
			t.Errorf("similar to %q are %q, %v", artifactType, got, err)
		}
	}
}

// TestSearchNarrows checks arbitrary queries: more conditions never find more documents that
// satisfy all of them, results are sorted, and each result satisfies the query.
func TestSearchNarrows(t *testing.T) {
	l := open(t)
	word := rapid.SampledFrom([]string{"", "story", "V1", "quality", "rest", "x", "ta"})
	rapid.Check(t, func(t *rapid.T) {
		q := library.Query{
			ArtifactType:      rapid.SampledFrom([]string{"", "jira_tickets", "api_design", "none"}).Draw(t, "type"),
			Kind:              rapid.SampledFrom([]library.Kind{"", library.KindRubric, library.KindRuleSet}).Draw(t, "kind"),
			Text:              word.Draw(t, "word"),
			IncludeDeprecated: rapid.Bool().Draw(t, "deprecated"), IncludeRetired: rapid.Bool().Draw(t, "retired"),
		}
		found := must.Get(l.Search(q))(t)
		narrow := q
		narrow.Text += " " + word.Draw(t, "another word")
		narrowed := must.Get(l.Search(narrow))(t)
		ids := make([]string, len(found))
		for i, e := range found {
			ids[i] = e.ID
			if q.ArtifactType != "" && e.ArtifactType != q.ArtifactType || q.Kind != "" && e.Kind != q.Kind ||
				e.Retired != nil && !q.IncludeRetired || e.Deprecated != nil && e.Retired == nil && !q.IncludeDeprecated {
				t.Fatalf("%s was found by %+v", e.ID, q)
			}
		}
		if !slices.IsSortedFunc(found, best) {
			t.Fatalf("the entries are not sorted: %v", ids)
		}
		for _, e := range narrowed {
			if !e.Partial && !slices.Contains(ids, e.ID) {
				t.Fatalf("%s is found by more words and not by fewer", e.ID)
			}
		}
	})
}

// best orders results by falling score, and then by ID.
func best(a, b library.Match) int {
	if a.Score != b.Score {
		return b.Score - a.Score
	}
	return strings.Compare(a.ID, b.ID)
}
