package across

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/linttest"
)

// copyOf is linttest.GoodRubric under another ID, otherwise changed as pairs say.
func copyOf(t *testing.T, id string, pairs ...string) string {
	t.Helper()
	return strings.ReplaceAll(linttest.Changed(t, pairs...), "good_v1", id)
}

func TestCriteriaOfOtherRubrics(t *testing.T) {
	const labels = "calibration_dataset: "
	own := strings.TrimSpace(linttest.GoodRubric[strings.Index(linttest.GoodRubric, labels):])
	own, _, _ = strings.Cut(own, "\n")
	tests := []struct {
		reason, path, text string
		want               []string
	}{
		{"a copy with other labels", "rubrics/corpus/other_v1.yaml", copyOf(t, "other_v1", own, labels+"https://example.org/other.jsonl"), []string{"rubrics/corpus/other_v1.yaml:9 criterion-repeats-other"}},
		{"a copy with the same labels", "rubrics/corpus/other_v1.yaml", copyOf(t, "other_v1"), []string{}},
		{"the next major version", "rubrics/corpus/good_v2.yaml", copyOf(t, "good_v2", own, labels+"https://example.org/other.jsonl", `"1.2.0"`, `"2.0.0"`), []string{}},
		{"a deprecated copy", "rubrics/corpus/other_v1.yaml", copyOf(t, "other_v1", own, "deprecated:\n  reason: It is a copy.\n"+labels+"https://example.org/other.jsonl"), []string{}},
	}
	for _, tt := range tests {
		got := linttest.Brief(linttest.Run(t, linttest.Library(map[string]string{linttest.GoodPath: linttest.GoodRubric, tt.path: tt.text}), linttest.Only(Rules, "criterion-repeats-other"), lint.Options{}).Findings)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// withPattern is a rubric whose one pattern misses its own examples.
func withPattern(t *testing.T, id, pattern string, pairs ...string) string {
	t.Helper()
	text := linttest.Changed(t, append(pairs, `\bTBD\b`, pattern, "Added the export", "New: the export")...)
	return linttest.Renamed(text, id)
}

func TestPatternsOfOtherRubrics(t *testing.T) {
	const list = "    fail_patterns:"
	tests := []struct {
		reason, text string
		want         bool
	}{
		{"it hits", withPattern(t, "other_v1", `\bAdded the`), true},
		{"it hits where case is ignored", withPattern(t, "other_v1", `\badded the`, list, "    ignore_case: true\n"+list), true},
		{"it hits, and no text of it is known", withPattern(t, "other_v1", `\b[A-C]d+`), true},
		{"case matters", withPattern(t, "other_v1", `\badded the`), false},
		{"it needs more than its text", withPattern(t, "other_v1", `\bAdded the[0-9]`), false},
		{"it fails nothing", withPattern(t, "other_v1", `\bAdded the`, list, "    effect: report\n"+list), false},
		{"it is for another type", withPattern(t, "other_v1", `\bAdded the`, "type: corpus", "type: prd"), false},
		{"it is of the same line", withPattern(t, "good_v2", `\bAdded the`, `"1.2.0"`, `"2.0.0"`), false},
	}
	for _, tt := range tests {
		id, _, _ := strings.Cut(strings.TrimPrefix(tt.text, "rubric_id: "), "\n")
		path := "rubrics/corpus/" + id + ".yaml"
		if strings.Contains(tt.text, "type: prd") {
			path = "rubrics/prd/" + id + ".yaml"
		}
		want := []string{}
		if tt.want {
			want = append(want, path+":"+lineOf(tt.text, "fail_patterns")+" pattern-hits-other")
		}
		got := linttest.Brief(linttest.Run(t, linttest.Library(map[string]string{linttest.GoodPath: linttest.GoodRubric, path: tt.text}), linttest.Only(Rules, "pattern-hits-other"), lint.Options{}).Findings)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// lineOf is the number of the first line with a text.
func lineOf(text, part string) string {
	before, _, _ := strings.Cut(text, part)
	return strconv.Itoa(1 + strings.Count(before, "\n"))
}

// TestAPatternIsReportedOnce: a pattern that two rubrics have, and that hits the
// examples of two others, is one finding.
func TestAPatternIsReportedOnce(t *testing.T) {
	files := map[string]string{}
	for _, id := range []string{"a_v1", "b_v1"} {
		files["rubrics/corpus/"+id+".yaml"] = withPattern(t, id, `\bAdded the`)
	}
	for _, id := range []string{"c_v1", "d_v1"} {
		files["rubrics/corpus/"+id+".yaml"] = linttest.Other(id)
	}
	got := linttest.Brief(linttest.Run(t, linttest.Library(files), linttest.Only(Rules, "pattern-hits-other"), lint.Options{}).Findings)
	if diff := cmp.Diff([]string{"rubrics/corpus/a_v1.yaml:26 pattern-hits-other"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
