package change

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/schema"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// count is how many pairs came up with a class: those whose base passed with some
// input, those in which something that passed was lost, and those of which no
// input fits both because other scores are needed.
type count struct{ pairs, passed, lost, reshaped int }

// tally counts pairs by their class.
type tally map[schema.Class]*count

// check draws pairs of documents and calls with for each. The number of pairs is
// that of the flag -rapid.checks if it is set, else of the environment variable
// CHANGE_PAIRS, else one that takes seconds.
func check(t *testing.T, k *document.Kind, with func(t *rapid.T, class schema.Class, base, head *document.Document, c *count)) {
	number := flag.Lookup("rapid.checks")
	if number.Value.String() == number.DefValue {
		pairs := os.Getenv("CHANGE_PAIRS")
		if pairs == "" {
			pairs = "8000"
		}
		if err := number.Value.Set(pairs); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { number.Value.Set(number.DefValue) })
	}
	counts := tally{}
	for _, class := range []schema.Class{schema.None, schema.Patch, schema.Minor, schema.Major} {
		counts[class] = &count{}
	}
	rapid.Check(t, func(t *rapid.T) {
		base, head := anyPair(t, k)
		class := classOf(t, base, head)
		counts[class].pairs++
		with(t, class, base, head, counts[class])
	})
	counts.report(t)
}

// report fails the test if a class hardly came up, or hardly with a pass.
func (counts tally) report(t *testing.T) {
	t.Helper()
	total := 0
	for _, c := range counts {
		total += c.pairs
	}
	for _, class := range slices.Sorted(maps.Keys(counts)) {
		c := counts[class]
		t.Logf("%-5s %7d pairs: the base passed in %d, a pass was lost in %d, other scores were needed in %d", class, c.pairs, c.passed, c.lost, c.reshaped)
		if c.pairs*50 < total || c.passed*8 < c.pairs {
			t.Errorf("%s: too few pairs, or too few that passed, to show anything", class)
		}
	}
	if counts[schema.Major].lost == 0 {
		t.Error("no major change lost a pass")
	}
}

// anyPair draws two documents of a kind: the head mostly the base with a few
// mutations.
func anyPair(t *rapid.T, k *document.Kind) (base, head *document.Document) {
	doc := anyDocument(t, k)
	base = made(t, doc)
	if oneIn(t, 10) {
		return base, made(t, anyDocument(t, k))
	}
	for range oneOf(t, []int{1, 1, 1, 1, 2, 2, 3, 4}) {
		mutate(t, k, doc)
	}
	return base, made(t, doc)
}

// classOf holds what is true of all pairs, and returns the class.
func classOf(t *rapid.T, base, head *document.Document) schema.Class {
	changes := Compare(base, head)
	same := bytes.Equal(Content(base), Content(head))
	if same != (len(changes) == 0) || same != (Class(changes) == schema.None) {
		t.Fatalf("the same content is %v, and the changes are %q", same, lines(changes))
	}
	for _, c := range changes {
		if c.Kind == Unclassified || c.Class <= schema.None {
			t.Fatalf("unclassified: %+v", c)
		}
	}
	class := Class(changes)
	if class < schema.Major && (base.ID() != head.ID() || base.ArtifactType() != head.ArtifactType()) {
		t.Fatalf("a search no longer finds it, and the class is %s", class)
	}
	if class <= schema.Patch {
		if diff := cmp.Diff(judgeDigests(t, base), judgeDigests(t, head)); diff != "" {
			t.Fatalf("a judge reads other words after %q:\n%s", lines(changes), diff)
		}
	}
	return class
}

func judgeDigests(t *rapid.T, d *document.Document) document.JudgeDigests {
	digests, err := d.JudgeDigests()
	if err != nil {
		t.Fatal(err)
	}
	return digests
}

// outcome is all that a rubric says of one artifact.
type outcome struct {
	Passed   bool
	Overall  float64
	Criteria map[string]bool
	Failing  map[rubric.Hit]bool // hits that fail the rubric
	Reported map[rubric.Hit]bool
}

func judged(t *rapid.T, r *rubric.Rubric, m *rubric.Matcher, scores map[string]float64, text string) outcome {
	hits, err := m.Hits(text)
	if err != nil {
		t.Fatal(err)
	}
	v, err := r.Verdict(scores, rubric.HitNames(hits))
	if err != nil {
		t.Fatal(err)
	}
	o := outcome{v.Passed, v.Overall, map[string]bool{}, map[rubric.Hit]bool{}, map[rubric.Hit]bool{}}
	for _, c := range v.Criteria {
		o.Criteria[c.Name] = c.Passed
	}
	fails := map[string]bool{}
	for _, n := range v.NegativeCriteria {
		fails[n.Name] = n.Effect == rubric.EffectFail
	}
	for _, h := range hits {
		if fails[h.Name] {
			o.Failing[h] = true
		} else {
			o.Reported[h] = true
		}
	}
	return o
}

// lost tells whether something that passed before fails after.
func lost(before, after outcome) bool {
	for name, passed := range before.Criteria {
		if passed && !after.Criteria[name] {
			return true
		}
	}
	for hit := range after.Failing {
		if !before.Failing[hit] {
			return true
		}
	}
	return before.Passed && !after.Passed
}

// TestClassesOfRubricsAreSound is the proof that the package promises: whatever
// the scores and the text, up to minor nothing that passed fails, and up to patch
// nothing is different.
func TestClassesOfRubricsAreSound(t *testing.T) {
	check(t, &document.Rubric, func(t *rapid.T, class schema.Class, baseDoc, headDoc *document.Document, c *count) {
		base, head := baseDoc.Rubric(), headDoc.Rubric()
		if !slices.Equal(criterionNames(base), criterionNames(head)) {
			if class < schema.Major {
				t.Fatalf("other scores are needed, and the class is %s", class)
			}
			c.reshaped++
			return
		}
		before, after := matcher(t, base), matcher(t, head)
		passed, gone := false, false
		for range 3 {
			scores, text := anyScores(t, base, head), anyText(t)
			was, is := judged(t, base, before, scores, text), judged(t, head, after, scores, text)
			passed = passed || was.Passed
			switch {
			case class <= schema.Patch && !cmp.Equal(was, is):
				t.Fatalf("%s, and the verdict on %v and %q changed:\n%s", class, scores, text, cmp.Diff(was, is))
			case class == schema.Minor && lost(was, is):
				t.Fatalf("minor, and with %v and %q something is lost:\n%s", scores, text, cmp.Diff(was, is))
			}
			gone = gone || lost(was, is)
		}
		c.add(passed, gone)
	})
}

func (c *count) add(passed, lost bool) {
	if passed {
		c.passed++
	}
	if lost {
		c.lost++
	}
}

func matcher(t *rapid.T, r *rubric.Rubric) *rubric.Matcher {
	m, err := r.Matcher()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func criterionNames(r *rubric.Rubric) []string {
	var names []string
	for _, c := range r.Criteria {
		names = append(names, c.Name)
	}
	slices.Sort(names)
	return names
}

// anyScores draws scores for the criteria that both have, often exactly what a
// minimum asks for or a hair less.
func anyScores(t *rapid.T, base, head *rubric.Rubric) map[string]float64 {
	scores := map[string]float64{}
	for _, r := range []*rubric.Rubric{base, head} {
		for i := range r.Criteria {
			c := &r.Criteria[i]
			if _, ok := scores[c.Name]; ok && oneIn(t, 2) {
				continue
			}
			minimum := r.Minimum(c)
			score := oneOf(t, []float64{minimum, minimum, 5, 5, minimum + 0.5, minimum - 0.5, minimum - 1e-10, minimum - 1e-6, 1, 3})
			scores[c.Name] = min(5, max(1, score))
		}
	}
	return scores
}

// anyText draws a text that the patterns of the pool often hit and often miss.
func anyText(t *rapid.T) string {
	text := ""
	for range index(t, 4) {
		text += oneOf(t, []string{"a", "a", "b", "c", "A", "\r\n", "ſ", "e\u0301", "\u212a"})
	}
	return text
}

// TestClassesOfRuleSetsAreSound is the same for verdicts on rules, in both
// phases.
func TestClassesOfRuleSetsAreSound(t *testing.T) {
	phases := []ruleset.Phase{ruleset.PhaseA, ruleset.PhaseB}
	check(t, &document.RuleSet, func(t *rapid.T, class schema.Class, baseDoc, headDoc *document.Document, c *count) {
		base, head := baseDoc.RuleSet(), headDoc.RuleSet()
		for _, phase := range phases {
			if !slices.Equal(activeIDs(base, phase), activeIDs(head, phase)) {
				if class < schema.Major {
					t.Fatalf("other verdicts are needed in phase %s, and the class is %s", phase, class)
				}
				c.reshaped++
				return
			}
		}
		passed, gone := false, false
		for range 3 {
			for _, phase := range phases {
				results := anyResults(t, activeIDs(base, phase))
				was, is := scored(t, base, phase, results), scored(t, head, phase, results)
				passed = passed || was.Passed
				switch {
				case class <= schema.Patch && !cmp.Equal(was, is):
					t.Fatalf("%s, and the score of %v changed:\n%s", class, results, cmp.Diff(was, is))
				case class == schema.Minor && (was.Passed && !is.Passed || was.Score != is.Score):
					t.Fatalf("minor, and with %v something is lost:\n%s", results, cmp.Diff(was, is))
				}
				gone = gone || was.Passed && !is.Passed
			}
		}
		c.add(passed, gone)
	})
}

func activeIDs(s *ruleset.RuleSet, phase ruleset.Phase) []string {
	var ids []string
	for _, r := range s.Active(phase) {
		ids = append(ids, r.ID)
	}
	slices.Sort(ids)
	return ids
}

func anyResults(t *rapid.T, ids []string) map[string]ruleset.Result {
	results := map[string]ruleset.Result{}
	for _, id := range ids {
		results[id] = oneOf(t, []ruleset.Result{
			{Verdict: ruleset.VerdictPass}, {Verdict: ruleset.VerdictPass}, {Verdict: ruleset.VerdictPass}, {Verdict: ruleset.VerdictPass},
			{Verdict: ruleset.VerdictFail}, {Verdict: ruleset.VerdictSkipped, Reason: "no tool"},
		})
	}
	return results
}

// scored is a score without the order of the rules.
func scored(t *rapid.T, s *ruleset.RuleSet, phase ruleset.Phase, results map[string]ruleset.Result) ruleset.Score {
	score, err := s.Score(phase, results)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(score.Rules, func(a, b ruleset.Outcome) int { return bytes.Compare([]byte(a.ID), []byte(b.ID)) })
	slices.Sort(score.Blocking)
	slices.SortFunc(score.Reasons, func(a, b ruleset.Reason) int { return bytes.Compare([]byte(a.Rule), []byte(b.Rule)) })
	return score
}
