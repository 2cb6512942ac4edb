package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// TestFreshExamples checks rules on faults and on innocent texts that look like them, which
// were written before the rules. A rule must find at least 8 of 10 faults and leave at least
// 9 of 10 others alone.
func TestFreshExamples(t *testing.T) {
	files := must.Get(filepath.Glob("testdata/fresh/*.txt"))(t)
	if len(files) == 0 {
		t.Fatal("there are no examples")
	}
	for _, file := range files {
		id := strings.TrimSuffix(filepath.Base(file), ".txt")
		rule := map[string]string{"anchor-effect": "anchor-empty"}[id]
		if rule == "" {
			rule = id
		}
		right, all := map[string]int{}, map[string]int{}
		for block := range strings.SplitSeq(string(must.Get(os.ReadFile(file))(t)), "\n\n") {
			head, texts, _ := strings.Cut(block, "\n")
			kind, reason, _ := strings.Cut(head, ": ")
			all[kind]++
			path := lint.Root + "/corpus/fresh_v1.yaml"
			report := linttest.Run(t, linttest.Library(map[string]string{path: fresh(t, texts)}), linttest.Only(All(), rule), lint.Options{})
			if found := len(report.Findings) > 0; found == (kind == "fault") {
				right[kind]++
			} else {
				t.Logf("%s: wrong on the %s %q", id, kind, reason)
			}
		}
		if all["fault"] != 10 || all["innocent"] != 10 || right["fault"] < 8 || right["innocent"] < 9 {
			t.Errorf("%s finds %d of %d faults and leaves %d of %d others alone", id, right["fault"], all["fault"], right["innocent"], all["innocent"])
		}
	}
}

// TestTexts checks rules on texts of which each has its reason: what a rule finds, and what it must
// leave alone. Only the rule runs that the file is named after.
func TestTexts(t *testing.T) {
	files := must.Get(filepath.Glob("testdata/texts/*.txt"))(t)
	if len(files) == 0 {
		t.Fatal("there are no texts")
	}
	for _, file := range files {
		rule := strings.TrimSuffix(filepath.Base(file), ".txt")
		for block := range strings.SplitSeq(string(must.Get(os.ReadFile(file))(t)), "\n\n") {
			head, texts, _ := strings.Cut(block, "\n")
			kind, reason, _ := strings.Cut(head, ": ")
			path := lint.Root + "/corpus/fresh_v1.yaml"
			report := linttest.Run(t, linttest.Library(map[string]string{path: fresh(t, texts)}), linttest.Only(All(), rule), lint.Options{})
			if found := len(report.Findings) > 0; kind != "fault" && kind != "innocent" || found != (kind == "fault") {
				t.Errorf("%s is wrong on the %s %q: %d findings", rule, kind, reason, len(report.Findings))
			}
		}
	}
}

// fresh returns a rubric with the given texts, such as "1: No source.", instead of its own.
func fresh(t *testing.T, texts string) string {
	t.Helper()
	text := strings.ReplaceAll(linttest.GoodRubric, "good_v1", "fresh_v1")
	for line := range strings.SplitSeq(strings.TrimSpace(texts), "\n") {
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		prefix := fmt.Sprintf("\n      %s: ", key)
		if key == "?" {
			prefix = "\n    description: "
		}
		before, rest, found := strings.Cut(text, prefix)
		if !found {
			t.Fatalf("%q has no place", line)
		}
		_, after, _ := strings.Cut(rest, "\n")
		text = before + prefix + yamltree.Quote(value, yamltree.DoubleQuoted) + "\n" + after
	}
	return text
}

// TestDraftsAreChecked holds that the rules which compare texts need no others, and that those
// which read numbers run although texts are blank.
func TestDraftsAreChecked(t *testing.T) {
	draft := strings.NewReplacer("good_v1", "fresh_v1",
		"description: How many of the merged changes does the text mention?", `description: ""`,
		"score_1: We polished a few things here and there.", `score_1: ""`,
		"threshold: 3.0", "threshold: 2.0",
		"1: No merged change is mentioned.", "1: Excellent", "5: Every merged change is mentioned.", "5: Very poor").Replace(linttest.GoodRubric)
	broken := strings.Replace(draft, `version: "1.2.0"`, "version: one", 1)
	for text, want := range map[string][]string{draft: {"scale-inverted", "anchor-empty", "hidden-threshold"}, broken: {"scale-inverted", "anchor-empty"}} {
		report := linttest.Run(t, linttest.Library(map[string]string{lint.Root + "/corpus/fresh_v1.yaml": text}), All(), lint.Options{})
		found := map[string]bool{}
		for _, f := range report.Findings {
			found[f.Rule.ID] = true
		}
		for _, id := range want {
			if !found[id] {
				t.Errorf("%s is not found, but only %v", id, found)
			}
		}
	}
}
