package rules

import (
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// refusedBy returns what keeps a document out of a bundle, and whether an error that nothing can
// suppress says so.
func refusedBy(name, text string) (problems []library.FolderProblem, isReported bool, err error) {
	problems = library.Problems(document.Parse(source.NewFile(name, []byte(text))))
	if len(problems) == 0 {
		return nil, false, nil
	}
	report, err := lint.Run(fstest.MapFS{name: {Data: []byte(text), Mode: 0o644}}, All(), lint.Options{})
	if err != nil {
		return nil, false, err
	}
	isReported = slices.ContainsFunc(report.Findings, func(f lint.Finding) bool { return f.Severity == lint.Error && f.Rule.Unsuppressable })
	return problems, isReported, nil
}

// TestWhatABuildRefusesIsAnError: a library without an error of lint has no document that a
// build refuses.
func TestWhatABuildRefusesIsAnError(t *testing.T) {
	refused := 0
	for _, c := range corpusCases(t) {
		for name, f := range c.Files {
			if !library.IsDocument(name) {
				continue
			}
			problems, isReported, err := refusedBy(name, string(f.Data))
			must.Do(t, err)
			if len(problems) > 0 {
				refused++
			}
			if len(problems) > 0 && !isReported {
				t.Errorf("%s: a build refuses %s, and lint accepts it: %v", c.Name, name, problems)
			}
		}
	}
	if refused < 100 {
		t.Errorf("a build refuses %d documents of the corpus, so that little is tested", refused)
	}
}

// TestEachMutationThatABuildRefusesIsAnError does the same with random edits.
func TestEachMutationThatABuildRefusesIsAnError(t *testing.T) {
	words := []string{
		"TODO", "...", "", " ", "\"\"", "0", "-1", "6", "1e9", "true", "null", "~", "[]", "{}", "fail", "warn", "info", "essential", "important", "report",
		"\u202e", "\u200b", "\x01", "\xff", "\ufeff", "\t", "\n", ":", "#", "'", "\"", "(", "[a", "(?i)x", "ä", "a.correctness.names", "tickets", "2.0.0", "en",
		"ignore_case: true\n", "weight: 0\n", "- ", "  ", "&a ", "*a", "!!str ", "---\n", "score_1: x\n",
		" # suggested by m: not reviewed\n",
	}
	var names []string
	for name := range everyText {
		names = append(names, name)
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "document")
		text := everyText[name]
		for range rapid.IntRange(1, 3).Draw(t, "edits") {
			from := rapid.IntRange(0, len(text)).Draw(t, "from")
			to := min(len(text), from+rapid.IntRange(0, 30).Draw(t, "length"))
			if rapid.Bool().Draw(t, "lines") { // whole lines
				from = strings.LastIndexByte(text[:from], '\n') + 1
				if end := strings.IndexByte(text[to:], '\n'); end >= 0 {
					to += end + 1
				}
			}
			text = text[:from] + rapid.SampledFrom(words).Draw(t, "with") + text[to:]
		}
		problems, isReported, err := refusedBy(name, text)
		if err != nil {
			t.Fatal(err)
		}
		if len(problems) > 0 && !isReported {
			t.Errorf("a build refuses %s, and lint accepts it: %v\n%s", path.Base(name), problems, text)
		}
	})
}
