package compat

import (
	"bytes"
	order "cmp"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// outcome is all that a rubric says of one artifact.
type outcome struct {
	Passed   bool
	Overall  float64
	Criteria map[string]bool
	Failing  map[rubric.Hit]bool // hits that fail the rubric
	Reported map[rubric.Hit]bool
}

func judged(t *rapid.T, r *rubric.Rubric, scores map[string]float64, hits []rubric.Hit) outcome {
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
		h.Pattern = "" // another one can find the same
		if fails[h.Name] {
			o.Failing[h] = true
		} else {
			o.Reported[h] = true
		}
	}
	return o
}

// lost reports whether something that passed before fails after.
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
	check(t, &document.Rubric, func(t *rapid.T, p pairing, c *count) {
		base, head := p.base.Rubric(), p.head.Rubric()
		if !slices.Equal(criterionNames(base), criterionNames(head)) {
			if p.class < schema.Major {
				t.Fatalf("other scores are needed, and the class is %s", p.class)
			}
			c.reshaped++
			return
		}
		passed, gone := false, false
		try := func(scores map[string]float64, text string) {
			was, is := judged(t, base, scores, hits(t, base, text)), judged(t, head, scores, hits(t, head, text))
			passed = passed || was.Passed
			switch {
			case p.class <= schema.Patch && !cmp.Equal(was, is, overall(base, head)):
				t.Fatalf("%s, and the verdict on %v and %q changed:\n%s", p.class, scores, text, cmp.Diff(was, is))
			case p.class == schema.Minor && lost(was, is):
				t.Fatalf("minor, and with %v and %q something is lost:\n%s", scores, text, cmp.Diff(was, is))
			}
			gone = gone || lost(was, is)
		}
		for _, scores := range edges(base, head) {
			try(scores, "")
		}
		for range 3 {
			try(anyScores(t, base, head), anyText(t))
		}
		c.add(passed, gone)
	})
}

// overall compares overall scores: exactly, but for the rounding of weights that have the same
// proportions, and not at all with others, which are patch only where the overall score decides
// nothing.
func overall(base, head *rubric.Rubric) cmp.Option {
	return cmp.Comparer(func(a, b float64) bool {
		switch {
		case cmp.Equal(weights(base), weights(head)):
			return a == b
		case sameShares(base, head):
			return math.Abs(a-b) < 1e-11
		}
		return true
	})
}

func weights(r *rubric.Rubric) map[string]float64 {
	weights := map[string]float64{}
	for _, c := range r.Criteria {
		weights[c.Name] = c.Counts()
	}
	return weights
}

// hits are what the patterns of a rubric hit; those of the pool need a text.
func hits(t fataler, r *rubric.Rubric, text string) []rubric.Hit {
	if text == "" {
		return nil
	}
	hits, err := r.NegativeHits(text)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return hits
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

// edges are scores at which verdicts turn: of each side the lowest that pass
// all minimums, just so by the tolerance, and raised to the pass threshold, in all criteria or
// where it helps the head least; and of each criterion alone the minimum of the base and what is below that of the head.
func edges(base, head *rubric.Rubric) []map[string]float64 {
	var out []map[string]float64
	for _, r := range []*rubric.Rubric{base, head} {
		lowest, barely, raised := map[string]float64{}, map[string]float64{}, map[string]float64{}
		low := guaranteed(r)
		up := max(0, r.Scoring.PassThreshold-low) / max(1e-300, rubric.MaxScore-low)
		for i := range r.Criteria {
			c := &r.Criteria[i]
			score := rubric.MinScore
			if c.Weight == rubric.Essential {
				score = r.Minimum(c)
			}
			lowest[c.Name], barely[c.Name] = score, max(1, score-0.99*rubric.Tolerance)
			raised[c.Name] = min(5, score+up*(rubric.MaxScore-score))
		}
		out = append(out, lowest, barely, raised, tilted(base, head, lowest))
	}
	for i := range base.Criteria {
		name := base.Criteria[i].Name
		at := slices.IndexFunc(head.Criteria, func(c rubric.Criterion) bool { return c.Name == name })
		after := head.Minimum(&head.Criteria[at])
		for _, score := range []float64{base.Minimum(&base.Criteria[i]), max(1, after-0.25), 1} {
			scores := map[string]float64{}
			for _, other := range base.Criteria {
				scores[other.Name] = 5
			}
			scores[name] = score
			out = append(out, scores)
		}
	}
	return out
}

// tilted raises scores until the base reaches its pass threshold, those first that count least in
// the head, compared with the base: of the scores that pass the base, the overall score of the
// head is lowest with these.
func tilted(base, head *rubric.Rubric, lowest map[string]float64) map[string]float64 {
	scores := maps.Clone(lowest)
	before, after := shares(base), shares(head)
	names := slices.SortedFunc(maps.Keys(before), func(a, b string) int {
		return order.Compare(after[a]*before[b], after[b]*before[a])
	})
	missing := base.Scoring.PassThreshold
	for name, share := range before {
		missing -= share * scores[name]
	}
	for _, name := range names {
		up := min(rubric.MaxScore-scores[name], max(0, missing)/before[name])
		scores[name] = min(rubric.MaxScore, scores[name]+up)
		missing -= up * before[name]
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
	check(t, &document.RuleSet, func(t *rapid.T, p pairing, c *count) {
		base, head := p.base.RuleSet(), p.head.RuleSet()
		for _, phase := range phases {
			if !slices.Equal(activeIDs(base, phase), activeIDs(head, phase)) {
				if p.class < schema.Major {
					t.Fatalf("other verdicts are needed in phase %s, and the class is %s", phase, p.class)
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
				case p.class <= schema.Patch && !cmp.Equal(was, is):
					t.Fatalf("%s, and the score of %v changed:\n%s", p.class, results, cmp.Diff(was, is))
				case p.class == schema.Minor && (was.Passed && !is.Passed || was.Score != is.Score):
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
