package regex_test

import (
	"os/exec"
	"testing"

	"github.com/rubric-library/rubric-library/internal/text/regex"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// TestECMAScriptFindsWhatGoFinds searches with each translation in JavaScript, with the flags that
// it is for, and compares the places with those of Go.
func TestECMAScriptFindsWhatGoFinds(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not there, so nothing is compared")
	}
	all := append(collected(), shipped(t)...)
	for i := range 5000 {
		all = append(all, subjects.Example(i))
	}
	var asked []subject
	var jobs []job
	for _, s := range all {
		pattern := s.pattern
		if s.flags.Multiline {
			pattern = "(?m)" + pattern
		}
		expression, err := rubric.CompilePattern(pattern, s.flags.IgnoreCase)
		if err != nil {
			continue
		}
		translated, ok := regex.ECMAScript(expression.String())
		if !ok {
			continue
		}
		j := job{Pattern: translated}
		for _, text := range s.searched() {
			j.Texts = append(j.Texts, rubric.PatternText(text, s.flags.IgnoreCase))
		}
		asked, jobs = append(asked, s), append(jobs, j)
	}
	if len(jobs) < 3000 {
		t.Fatalf("only %d of %d expressions are translated", len(jobs), len(all))
	}
	t.Logf("%d of %d expressions are translated", len(jobs), len(all))
	for i, r := range inProcess(t, jobs, "node", "testdata/search.mjs") {
		j := jobOf(asked[i])
		j.Texts = jobs[i].Texts
		if difference := disagreement(j, map[string]result{"Go": inGo(j), "JavaScript": r}); difference != "" {
			t.Errorf("%q %+v became %q, and %s", asked[i].pattern, asked[i].flags, jobs[i].Pattern, difference)
		}
	}
}

// TestECMAScriptRefuses: what stops at other places in the two languages has no translation.
func TestECMAScriptRefuses(t *testing.T) {
	for _, pattern := range []string{`(a|b*)*`, `(?:|a)+`, `(?:a?){2,3}`, `(?:\b)*`, `(`} {
		if translated, ok := regex.ECMAScript(pattern); ok {
			t.Errorf("%s became %s", pattern, translated)
		}
	}
}
