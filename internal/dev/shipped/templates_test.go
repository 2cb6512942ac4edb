package shipped_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/rulesets/evaluate"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// templates are the base templates: a rule set for each task type.
var templates = []string{
	"rubrics/api_design/rest_api_design_v1.yaml",
	"rubrics/code_change/code_change_v1.yaml",
	"rubrics/technical_document/technical_document_v1.yaml",
	"rubrics/test_suite/test_suite_v1.yaml",
}

func shippedRuleSet(t *testing.T, name string) *ruleset.RuleSet {
	t.Helper()
	data := must.Get(os.ReadFile(name))(t)
	s := document.Parse(source.NewFile(name, data)).RuleSet()
	if s == nil {
		t.Fatalf("%s is no valid rule set", name)
	}
	return s
}

// checkPasses reports whether a text passes a check.
func checkPasses(t *testing.T, c *ruleset.Check, text string) bool {
	t.Helper()
	if len(c.Command) > 0 {
		if _, err := exec.LookPath(c.Command[0]); err != nil {
			t.Skip(err)
		}
	}
	name := filepath.Join(t.TempDir(), "artifact.md")
	must.Do(t, os.WriteFile(name, []byte(text), 0o666))
	artifact, err := evaluate.ReadArtifact(name)
	if err != nil {
		t.Fatal(err)
	}
	result, err := evaluate.Check(t.Context(), *c, artifact, evaluate.Options{AllowExec: true})
	if err != nil || result.Verdict == ruleset.VerdictSkipped {
		t.Fatalf("the check %+v could not be run: %s %v", *c, result.Reason, err)
	}
	return result.Verdict == ruleset.VerdictPass
}

// passes reports whether a text passes all checks of a rule.
func passes(t *testing.T, r *ruleset.Rule, text string) bool {
	t.Helper()
	for i := range r.Checks {
		if !checkPasses(t, &r.Checks[i], text) {
			return false
		}
	}
	return true
}

// TestTemplatesTellGoodFromPoor compares a good and a poor artifact with the checks
// that need no judge.
func TestTemplatesTellGoodFromPoor(t *testing.T) {
	for _, name := range templates {
		s := shippedRuleSet(t, name)
		artifact := func(which string) string {
			return string(must.Get(os.ReadFile(filepath.Join("internal/dev/shipped/testdata/artifacts", s.ID, which+".md")))(t))
		}
		good, poor := artifact("good"), artifact("poor")
		checks, failed := 0, 0
		for _, r := range s.Rules {
			for i := range r.Checks {
				checks++
				if !checkPasses(t, &r.Checks[i], good) {
					t.Errorf("%s: the good artifact fails check %d of %s", s.ID, i+1, r.ID)
				}
				if !checkPasses(t, &r.Checks[i], poor) {
					failed++
				}
			}
		}
		if 2*failed <= checks {
			t.Errorf("%s: the poor artifact fails %d of %d checks, want more than half", s.ID, failed, checks)
		}
	}
}

// mail and log are how patches by git format-patch and git log begin.
var (
	mail = "From " + strings.Repeat("0a", 20) + " Mon Sep 17 00:00:00 2001\nFrom: A <a@example.org>\nDate: Sun, 22 Nov 2026 10:00:00 +0000\n"
	log  = "commit " + strings.Repeat("0a", 20) + " (HEAD -> main)\nAuthor: A <a@example.org>\nDate:   Sun Nov 22 10:00:00 2026 +0000\n\n"
)

// edges are borderline texts for the rules with content checks: some must pass
// although they look wrong, and some must fail although they look right.
var edges = map[string]struct{ pass, fail []string }{
	"rest_api_design_v1 a.correctness.operations": {
		pass: []string{
			"GET /orders", "**POST** `/orders/{id}`", "| DELETE | `/orders/{id}` |", "PUT https://api.example.org/v1/orders",
			"paths:\n  /orders:\n    get:\n      summary: List", "\"/orders\": {\n  \"post\": {",
		},
		fail: []string{"Get all orders from /orders.", "POST the form", "GET orders", "The budget: 300 EUR"},
	},
	"rest_api_design_v1 a.completeness.status_codes": {
		pass: []string{"201 or 409", "`204`, `404`", "'200': ok\n'422': wrong"},
		fail: []string{"200", "404", "An error code is returned.", "2001 and 4044"},
	},
	"rest_api_design_v1 a.completeness.examples": {
		pass: []string{"```json\n{\n  \"id\": 1\n}\n```", `curl -d '{"id": 1}' https://example.org`, `[{ "id" : 1 }]`},
		fail: []string{"GET /orders/{order_id}", "{}", "{id}: the number"},
	},
	"rest_api_design_v1 a.style.placeholders": {
		pass: []string{`{"state": "TODO"}`, "From TODO to DONE.", "<insert id=\"addLoan\">", "A TBDB has no meaning."},
		fail: []string{"Errors: TBD", "TODO: errors", "<Insert name here>", "Lorem ipsum dolor"},
	},
	"code_change_v1 a.completeness.diff": {
		pass: []string{"--- a/x\n+++ b/x\n@@ -1 +1 @@\n", "  --- /dev/null\n  +++ b/x\n  @@ -0,0 +1,3 @@ func main()"},
		fail: []string{"+++ b/x\n+new", "@@ -1,2 +1,2 @@", "diff --git a/x b/x"},
	},
	"code_change_v1 a.correctness.conflict_markers": {
		pass: []string{"-<<<<<<< HEAD", " <<<<<<< HEAD", "+x <<<<<<< y", "++=======", "+<<<<<<<<<<"},
		fail: []string{"+<<<<<<< HEAD", "+>>>>>>>", "text\n  +>>>>>>> topic\n"},
	},
	"code_change_v1 a.style.summary": {
		pass: []string{
			"Mend the sum\n", "# Mend the sum\n", "\n\n#42 Mend the sum\n", strings.Repeat("x ", 36) + "\n", "## " + strings.Repeat("ä", 72) + "\n", "From now on, sums are right\n",
			mail + "Subject: [PATCH 1/2] Mend the sum\n\nIt was wrong.\n", mail + "Subject: Mend the sum\nMIME-Version: 1.0\n\n", log + "    Mend the sum\n\n    It was wrong.\n",
		},
		fail: []string{
			strings.Repeat("x ", 37) + "\n", "Mend\n\nThe sum was wrong.\n", "# " + strings.Repeat("x", 73) + "\n",
			mail + "Subject: [PATCH] Sum\n\nIt was wrong.\n", mail + "Subject: [PATCH] " + strings.Repeat("x ", 30) + "\n " + strings.Repeat("x ", 30) + "\n\n",
			mail + "Subject: " + strings.Repeat("x ", 37) + "\n\n", mail + "\nThe sum was wrong.\n", log + "    " + strings.Repeat("x ", 37) + "\n", log, mail + "X-Subject: Mend the sum\n\n",
		},
	},
	"code_change_v1 a.style.leftovers": {
		pass: []string{"-  debugger;", "+  // The debugger stops here.", "+\tdebuggerPort = 1", "+  model.fit(\"x\")", "+fit(x)", "+  it(\"runs only once\")", "+\tlog.Print(x)"},
		fail: []string{"+  debugger;", "+import pdb; pdb.set_trace()", "+breakpoint()", "+\tdbg!(x)", "+  it.only(\"a\", f)", "+fdescribe('a', f)"},
	},
	"code_change_v1 b.correctness.patch": {
		pass: []string{"Mend the sum\n\n```diff\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n+b\n+c\n```\n"},
		fail: []string{"Mend the sum\n", "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n+b\n", "--- a/x\n+++ b/x\n@@ -1,4 +1 @@\n-a\n+b\n```\n"},
	},
	"code_change_v1 b.completeness.deferred_work": {
		pass: []string{"+// TODO(LIB-12): more", "+\t# FIXME #7", "-// TODO: more", "+label = \"TODO\"", "+// LIB-12 TODO: more"},
		fail: []string{"+// TODO: more", "+  x() # FIXME later", "+<!-- TODO -->"},
	},
	"technical_document_v1 a.style.headings": {
		pass: []string{"# A\n\n## B\n\n### C\n", "A\n===\n\nB\n---\n\nC\n-----\n"},
		fail: []string{"# A\n\n## B\n", "#A\n#B\n#C\n", "a\n\n---\n\nb\n\n---\n\nc\n\n---\n"},
	},
	"technical_document_v1 a.style.placeholders": {
		pass: []string{"[the wiki](https://wiki.example.org/#top)", "[below](#limits)", "handlers[i]()"},
		fail: []string{"[the wiki](#)", "TODO: limits", "Owner: TBC"},
	},
	"technical_document_v1 b.completeness.currency": {
		pass: []string{"2026-03-12", "12 March 2026", "March 12th, 2026", "Sept. 2026", "**Version:** 2", "since v4.2", "12.3.2026", "PostgreSQL 16.2.0", "release 24"},
		fail: []string{"page 12 of 2026", "this version", "Chapter 3.1", "about 3.5 seconds"},
	},
	"test_suite_v1 a.completeness.tests": {
		pass: []string{
			"func TestSum(t *testing.T) {", "def test_sum():", "it('adds', () => {", "test(`adds`, f)", "it \"adds\" do", "@test \"adds\" {",
			"@Test\nvoid adds() {", "#[tokio::test]", "func ExampleSum() {", "[Fact]", "TEST_CASE(\"adds\")", "  Scenario: adds", "testCase \"adds\" $", "test_that(\"it adds\", {",
			"class SumTest {", "(deftest adds", "is($sum, 3, 'adds');", "TEST(Sum, Adds) {", "test_adds() {", "public function testAdds(): void",
		},
		fail: []string{"The tests cover sums (all of them).", "We test `sum` by hand.", "Check that it works.", "Test plan for sums"},
	},
	"test_suite_v1 a.correctness.certain_assertions": {
		pass: []string{"assertTrue(sum.isTrue())", "assert True == flag", "assertEquals(1, sum(1))", "expect(true_sum).toBe(3)", "assert.True(t, ok)", "expect(10).toBe(sum)"},
		fail: []string{"assertTrue(true);", "self.assertTrue(True)", "assert True", "assert!(true);", "expect(true).toBe(true)", "assertEquals(1, 1);"},
	},
	"test_suite_v1 a.correctness.single_tests": {
		pass: []string{"it(\"runs only once\")", "model.fit(\"x\")", "fit(x)", "Do not use it.only(\"a\") here."},
		fail: []string{"it.only(\"a\", f)", "  fdescribe('a', f)", "test.only(`a`)"},
	},
	"test_suite_v1 a.style.placeholders": {
		pass: []string{"// TODO: LIB-7, refunds", "moves a card from TODO to DONE", "it(\"lists todos\")"},
		fail: []string{"// TODO: refunds", "FIXME: flaky", "Coverage: TBD"},
	},
	"test_suite_v1 b.performance.sleeps": {
		pass: []string{"", "time.Sleep(wait)", "await waitFor(() => done)", "Nothing sleeps.", "Thread.sleep() is banned; time.sleep() too."},
		fail: []string{"time.sleep(1)\ntime.sleep(2)", "await page.waitForTimeout(100)\nThread.sleep(5)", "sleep 5\nsleep 5\n"},
	},
	"test_suite_v1 b.style.skips": {
		pass: []string{"@Disabled(\"LIB-3\")", "#[ignore = \"slow\"]", "t.Skip(\"needs git\")", "@pytest.mark.skip(reason=\"LIB-3\")", "it.skip(\"a\")"},
		fail: []string{"@Disabled\nvoid a() {", "  #[ignore]", "t.Skip()", "@pytest.mark.skip\ndef test_a():", "self.skipTest()"},
	},
}

// TestTemplateChecksAtTheirEdges runs the content checks of each rule on texts that
// are easily mistaken.
func TestTemplateChecksAtTheirEdges(t *testing.T) {
	left := maps.Clone(edges)
	for _, name := range templates {
		s := shippedRuleSet(t, name)
		for i := range s.Rules {
			r := &s.Rules[i]
			if len(r.Checks) == 0 {
				continue
			}
			key := s.ID + " " + r.ID
			if len(edges[key].pass) == 0 || len(edges[key].fail) == 0 {
				t.Errorf("%s has checks and no texts that show what they do", key)
			}
			delete(left, key)
			for _, text := range edges[key].pass {
				if !passes(t, r, text) {
					t.Errorf("%s fails on %q", key, text)
				}
			}
			for _, text := range edges[key].fail {
				if passes(t, r, text) {
					t.Errorf("%s passes on %q", key, text)
				}
			}
		}
	}
	for key := range left {
		t.Errorf("there is no rule %s with checks", key)
	}
}

// TestTemplatesDecideInBothPhases: the threshold is between an artifact that fails one
// warn rule and one that fails all of them.
func TestTemplatesDecideInBothPhases(t *testing.T) {
	for _, name := range templates {
		s := shippedRuleSet(t, name)
		for _, phase := range []ruleset.Phase{ruleset.PhaseA, ruleset.PhaseB} {
			results, last := map[string]ruleset.Result{}, ""
			for _, r := range s.Active(phase) {
				verdict := ruleset.VerdictPass
				if r.Severity == ruleset.SeverityWarn {
					verdict, last = ruleset.VerdictFail, r.ID
				}
				results[r.ID] = ruleset.Result{Verdict: verdict}
			}
			none, err := s.Score(phase, results)
			if err != nil || none.Passed {
				t.Errorf("%s passes phase %s without any warn rule: score %v, %v", s.ID, phase, none.Score, err)
			}
			for id, r := range results {
				if r.Verdict == ruleset.VerdictFail && id != last {
					results[id] = ruleset.Result{Verdict: ruleset.VerdictPass}
				}
			}
			allButOne, err := s.Score(phase, results)
			if err != nil || !allButOne.Passed {
				t.Errorf("%s does not pass phase %s with one warn rule missing: score %v, %v", s.ID, phase, allButOne.Score, err)
			}
		}
	}
}

// TestReadmeListsTheLibrary: each document in the library has a row, and there are no
// other rows.
func TestReadmeListsTheLibrary(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `[a-z0-9_]+_v[0-9]+` \\|.*$").FindAllString(string(readme), -1) {
		rows[row] = true
	}
	files, err := filepath.Glob("rubrics/*/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	for _, name := range files {
		row := readmeRow(t, filepath.ToSlash(name))
		if !rows[row] {
			t.Errorf("the README lacks the row\n%s", row)
		}
		delete(rows, row)
	}
	for row := range rows {
		t.Errorf("the README has a row for which there is no document:\n%s", row)
	}
}

func readmeRow(t *testing.T, name string) string {
	t.Helper()
	if criteria := initial[name]; criteria != nil {
		r := shipped(t, name)
		return fmt.Sprintf("| `%s` | `%s` | %s |", r.ID, r.ArtifactType, strings.Join(criteria, ", "))
	}
	s := shippedRuleSet(t, name)
	a := len(s.Active(ruleset.PhaseA))
	return fmt.Sprintf("| `%s` | `%s` | %d | %d |", s.ID, s.ArtifactType, a, len(s.Rules)-a)
}
