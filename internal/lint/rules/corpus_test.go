package rules

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	_ "github.com/rubric-library/rubric-library/internal/dev/quick"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
)

var update = flag.Bool("update", false, "rewrite the findings in the archives of broken libraries")

// corpusConfig is the configuration of the mistakes that bring none: most of the
// documents were written without labels, and that is a mistake of its own.
const corpusConfig = "severity:\n  no-calibration: \"off\"\n"

// optionsOf are those with which a mistake is looked for.
func optionsOf(t testing.TB, c *corpusCase) lint.Options {
	t.Helper()
	config, err := lint.LoadConfig(c.Files, All())
	if _, missing := fs.Stat(c.Files, lint.ConfigFile); missing != nil {
		config, err = lint.ParseConfig(source.NewFile(lint.ConfigFile, []byte(corpusConfig)), All())
	}
	if err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	opts := lint.Options{Config: config}
	if opts.Allowance.Own, err = lint.LoadBaseline(c.Files); err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	if lint.Checks[lint.OfRepository](Find(c.Rule)) {
		opts.Repository = &lint.Repository{Files: c.Files}
	}
	return opts
}

// runCase runs rules on a mistake.
func runCase(t testing.TB, c *corpusCase, rules []*lint.Rule) *lint.Report {
	t.Helper()
	report, err := lint.Run(c.Files, rules, optionsOf(t, c))
	if err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	return report
}

// rewriting counts what -update changes, so that nobody rewrites a golden file
// without noticing.
type rewriting struct{ files, added, removed int }

func (r *rewriting) count(before, after []string) {
	if slices.Equal(before, after) {
		return
	}
	r.files++
	for _, f := range after {
		if !slices.Contains(before, f) {
			r.added++
		}
	}
	for _, f := range before {
		if !slices.Contains(after, f) {
			r.removed++
		}
	}
}

// findingTexts are the findings of a golden file, a line each.
func findingTexts(golden []byte) []string {
	var out []string
	for _, m := range findingLines(golden) {
		out = append(out, string(m[0]))
	}
	return out
}

// rulesOf are the rules that find the mistake. Those about comments need all rules
// that a comment can name, so others run, too.
func rulesOf(c *corpusCase) []*lint.Rule {
	if lint.Checks[lint.OfIgnores](Find(c.Rule)) {
		return All()
	}
	return slices.DeleteFunc(All(), func(r *lint.Rule) bool { return !foundBy(c, r.ID) })
}

// foundBy reports whether the mistake is one to that rule.
func foundBy(c *corpusCase, rule string) bool {
	return rule == c.Rule || slices.Contains(c.Also, rule)
}

// withoutKeys shortens the lists of all keys of a document, so that a new key changes
// no finding.
func withoutKeys(findings string) string {
	for _, k := range document.Kinds() {
		var keys []string
		for _, f := range k.Table.Fields {
			keys = append(keys, f.Key)
		}
		findings = strings.ReplaceAll(findings, schema.Or(keys, "and"), "(all of a "+k.Noun+")")
	}
	return findings
}

func TestCorpus(t *testing.T) {
	var rewritten rewriting
	if *update {
		defer func() {
			if rewritten.files > 0 {
				t.Errorf("%d golden files were rewritten: %d findings are new, %d are gone. Read them, then run again without -update", rewritten.files, rewritten.added, rewritten.removed)
			}
		}()
	}
	for _, c := range corpusCases(t) {
		t.Run(c.Rule+"/"+c.Name, func(t *testing.T) {
			found := slices.DeleteFunc(runCase(t, &c, rulesOf(&c)).Findings, func(f lint.Finding) bool { return !foundBy(&c, f.Rule.ID) })
			got := withoutKeys(goldenOf(c.Files, found, !c.Single))
			if *update {
				rewritten.count(findingTexts([]byte(c.Golden)), findingTexts([]byte(got)))
				must.Do(t, setGolden(&c, got))
				c.Golden = got
			}
			if !slices.ContainsFunc(found, func(f lint.Finding) bool { return f.Rule.ID == c.Rule }) {
				t.Error("the mistake is not found")
			}
			if diff := cmp.Diff(c.Golden, got); diff != "" {
				t.Errorf("the findings differ (-golden +now); if they should, run go test ./internal/lint/rules -run TestCorpus -update and read them:\n%s", diff)
			}
		})
	}
}

// findingLine takes a line of a golden file apart: the lint rule, its message.
var findingLine = regexp.MustCompile(`(?m)^\S.* (?:error|warning|note)\[([a-z-]+)\] .*?: (.*)$`)

func findingLines(golden []byte) [][][]byte { return findingLine.FindAllSubmatch(golden, -1) }

// notInCorpus are the lint rules that no document of the corpus can break, and
// the tests that break them instead.
var notInCorpus = map[string]string{
	"unreadable-file":   "needs a file system that fails: TestWhatCanNotBeReadIsAFinding",
	"exception-stale":   "needs a repository: the scripts of the command",
	"exception-removed": "needs a repository: the scripts of the command",
	"pattern-unjudged":  "needs a pattern of thousands of characters: TestALargePatternIsUnjudged",
	"line-too-long":     "would put 1 MiB into the repository: TestALongLineIsAFinding",
	"file-too-large":    "would put 256 KiB into the repository: TestALargeFileIsAFinding",
}

func TestEveryRuleIsInTheCorpus(t *testing.T) {
	hit := map[string]bool{}
	for _, c := range corpusCases(t) {
		hit[c.Rule] = true
	}
	for _, r := range All() {
		_, excused := notInCorpus[r.ID]
		excused = excused || lint.Checks[lint.OfHistory](r) // the scripts of the command have repositories
		if hit[r.ID] == excused {
			t.Errorf("lint rule %s: in the corpus %t, excused from it %t", r.ID, hit[r.ID], excused)
		}
	}
	for id := range notInCorpus {
		if Find(id) == nil {
			t.Errorf("there is no lint rule %s to excuse", id)
		}
	}
}

// TestAMistakeIsOneFinding runs all rules on each mistake: no other than those that
// its archive names finds an error or a warning in it. Notes ask for nothing.
func TestAMistakeIsOneFinding(t *testing.T) {
	for _, c := range corpusCases(t) {
		n := map[string]int{}
		for _, f := range runCase(t, &c, All()).Findings {
			n[f.Rule.ID]++
			if f.Severity > lint.Note && !foundBy(&c, f.Rule.ID) {
				t.Errorf("%s: %s finds something, too: %s", c.Name, f.Rule.ID, f.Message)
			}
		}
		if several := slices.Contains(c.Also, c.Rule); (n[c.Rule] > 1) != several {
			t.Errorf("%s finds %d things in %s, and several are expected: %t", c.Rule, n[c.Rule], c.Name, several)
		}
		for _, rule := range c.Also {
			if n[rule] == 0 {
				t.Errorf("%s finds nothing in %s, and its archive says so", rule, c.Name)
			}
		}
	}
}

// jargon lists words that no author needs to know. Text in backquotes is to be typed
// as it is.
var jargon = regexp.MustCompile(`(?i)\b(merge bases?|digests?|NFC|RE2|scalars?|nodes?|tokens?|pars(e|es|ed|er|ing)|unmarshal\w*|null|mappings?|sequences?)\b`)

var typed = regexp.MustCompile("`[^`]*`")

func TestMessagesArePlain(t *testing.T) {
	for _, c := range corpusCases(t) {
		for _, line := range findingLines([]byte(c.Golden)) {
			if word := jargon.Find(typed.ReplaceAll(line[2], nil)); word != nil {
				t.Errorf("%s: %s says %q: %s", c.Name, line[1], word, line[2])
			}
		}
	}
}

// TestEveryFileBroken puts all single documents into one library: each has the
// findings that it has alone.
func TestEveryFileBroken(t *testing.T) {
	together := fstest.MapFS{}
	alone := map[string]string{}
	for i, c := range corpusCases(t) {
		if !c.Single {
			continue
		}
		// As long as the ID that it replaces, so that no column moves.
		id := fmt.Sprintf("b%05d_v1", i)
		path := lint.Root + "/corpus/" + id + ".yaml"
		data := bytes.ReplaceAll(c.Files[corpusPath].Data, []byte(corpusID), []byte(id))
		together[path] = &fstest.MapFile{Data: data}
		c.Files = fstest.MapFS{path: together[path]}
		alone[path] = goldenOf(c.Files, runCase(t, &c, All()).Findings, true)
	}
	config := must.Get(lint.ParseConfig(source.NewFile(lint.ConfigFile, []byte(corpusConfig)), All()))(t)
	report := linttest.Run(t, together, All(), lint.Options{Config: config})
	byFile := map[string][]lint.Finding{}
	for _, f := range report.Findings {
		// The documents resemble each other, and rules that compare them keep something.
		if f.Rule.Keep == nil {
			byFile[f.File] = append(byFile[f.File], f)
		}
	}
	for path, want := range alone {
		if diff := cmp.Diff(want, goldenOf(together, byFile[path], true)); diff != "" {
			t.Errorf("%s (-alone +together):\n%s", path, diff)
		}
	}
}

// TestEveryProblemHasALintRule: a problem without one would not be reported.
func TestEveryProblemHasALintRule(t *testing.T) {
	for _, code := range []string{
		calibration.CodeDuplicate, calibration.CodeUnknown, calibration.CodeMixedRun, calibration.CodeTooLong,
		calibration.CodeAddress, calibration.CodeStray, calibration.CodeNotAFile, calibration.CodeUnreadable,
	} {
		if Find(code) == nil {
			t.Errorf("there is no lint rule %s", code)
		}
	}
}
