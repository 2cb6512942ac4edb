package printer

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/rubric-library/rubric-library/internal/dev/quick"
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

func TestSentences(t *testing.T) {
	essential := func(thresholds ...float64) (all []rubric.Criterion) {
		for i, t := range thresholds {
			all = append(all, rubric.Criterion{Name: fmt.Sprint("c", i), Weight: rubric.Essential, Threshold: t})
		}
		return all
	}
	important := []rubric.Criterion{{Name: "i", Weight: rubric.Important, Threshold: 2}}
	weighted := []rubric.Criterion{{Name: "i", Weight: rubric.Important, Threshold: 2, RelativeWeight: 2}, {Name: "j", Weight: rubric.Important, Threshold: 2}}
	fails, reports := rubric.NegativeCriterion{Name: "n"}, rubric.NegativeCriterion{Name: "m", Effect: rubric.EffectReport}
	for _, tt := range []struct {
		reason string
		of     rubric.Rubric
		want   string
	}{
		{"nothing can fail", rubric.Rubric{Criteria: important}, "each criterion has a score, whatever it is"},
		{"nothing but what is reported", rubric.Rubric{Criteria: important, NegativeCriteria: []rubric.NegativeCriterion{reports}}, "each criterion has a score, whatever it is"},
		{"only the mean", rubric.Rubric{Criteria: important, Scoring: rubric.Scoring{PassThreshold: 3.25}}, "the mean of all scores is at least 3.25"},
		{"only the weighted mean", rubric.Rubric{Criteria: weighted, Scoring: rubric.Scoring{PassThreshold: 3}}, "the weighted mean of all scores is at least 3"},
		{"one essential criterion", rubric.Rubric{Criteria: essential(3.5)}, "the essential criterion scores at least 3.5"},
		{"a minimum above its threshold", rubric.Rubric{Criteria: essential(3), Scoring: rubric.Scoring{EssentialMinimum: 4}}, "the essential criterion scores at least 4"},
		{"two with one minimum", rubric.Rubric{Criteria: essential(2, 3), Scoring: rubric.Scoring{EssentialMinimum: 3}}, "both essential criteria score at least 3"},
		{"several with different minimums", rubric.Rubric{Criteria: essential(2, 4, 3), Scoring: rubric.Scoring{EssentialMinimum: 3}}, "all 3 essential criteria reach their minimums, from 3 to 4"},
		{"a minimum that holds for none", rubric.Rubric{Criteria: important, Scoring: rubric.Scoring{EssentialMinimum: 4}}, "each criterion has a score, whatever it is"},
		{"only negative criteria", rubric.Rubric{Criteria: important, NegativeCriteria: []rubric.NegativeCriterion{fails}}, "no negative criterion matches"},
		{"some are only reported", rubric.Rubric{Criteria: essential(3), NegativeCriteria: []rubric.NegativeCriterion{fails, reports}}, "the essential criterion scores at least 3 and no negative criterion with the effect fail matches"},
		{"everything", rubric.Rubric{Criteria: append(essential(3, 3), weighted...), Scoring: rubric.Scoring{PassThreshold: 3.5, EssentialMinimum: 2}, NegativeCriteria: []rubric.NegativeCriterion{fails}},
			"both essential criteria score at least 3, the weighted mean of all scores is at least 3.5, and no negative criterion matches"},
	} {
		if got := WhenRubricPasses(&tt.of); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.reason, got, tt.want)
		}
	}

	rule := func(severity ruleset.Severity, phase ruleset.Phase, weight float64) ruleset.Rule {
		return ruleset.Rule{Severity: severity, Phase: phase, Weight: weight}
	}
	fail, warn, info := rule("fail", "A", 1), rule("warn", "A", 1), rule("info", "A", 5)
	for _, tt := range []struct {
		reason string
		rules  []ruleset.Rule
		want   string
	}{
		{"only info", []ruleset.Rule{info}, "each rule has a result, whatever it is: without rules that count, the score is 1 and so at least 0.8"},
		{"only warn", []ruleset.Rule{warn, warn}, "the score, which is the share of the rules that pass, is at least 0.8"},
		{"all severities, of which info has no weight", []ruleset.Rule{fail, warn, info}, "every rule with severity fail passes and the score, which is the share of the rules with severity fail or warn that pass, is at least 0.8"},
		{"two phases and different weights", []ruleset.Rule{fail, rule("warn", "B", 2)}, "every active rule with severity fail passes and the score, which is the weighted share of the active rules that pass, is at least 0.8"},
	} {
		if got := WhenRuleSetPasses(&ruleset.RuleSet{Scoring: ruleset.Scoring{PassThreshold: 0.8}, Rules: tt.rules}); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.reason, got, tt.want)
		}
	}
	d := &library.Document{Rubric: &rubric.Rubric{Criteria: essential(3)}}
	if got := WhenPasses(d); got != "Work passes if the essential criterion scores at least 3." {
		t.Error(got)
	}
}

// conditions are the parts that a sentence can have. Each reads what it says, and nothing else of
// the rubric.
var conditions = []struct {
	is    *regexp.Regexp
	holds func(part []string, r *rubric.Rubric, scores map[string]float64, hits []string) bool
}{
	{regexp.MustCompile(`^each criterion has a score, whatever it is$`), func([]string, *rubric.Rubric, map[string]float64, []string) bool { return true }},
	{regexp.MustCompile(`^(?:the essential criterion scores|both essential criteria score|all \d+ essential criteria score) at least (\S+)$`), func(part []string, r *rubric.Rubric, scores map[string]float64, _ []string) bool {
		return lowest(r, scores) >= number(part[1])-rubric.Tolerance
	}},
	{regexp.MustCompile(`^(?:both|all \d+) essential criteria reach their minimums, from (\S+) to (\S+)$`), func(part []string, r *rubric.Rubric, scores map[string]float64, _ []string) bool {
		reach, low, high := true, 5.0, 1.0
		for i := range r.Criteria {
			if c := &r.Criteria[i]; c.Weight == rubric.Essential {
				reach = reach && scores[c.Name] >= r.Minimum(c)-rubric.Tolerance
				low, high = min(low, r.Minimum(c)), max(high, r.Minimum(c))
			}
		}
		return reach && low == number(part[1]) && high == number(part[2])
	}},
	{regexp.MustCompile(`^the (weighted )?mean of all scores is at least (\S+)$`), func(part []string, r *rubric.Rubric, scores map[string]float64, _ []string) bool {
		return mean(r, scores, part[1] != "") >= number(part[2])-rubric.Tolerance
	}},
	{regexp.MustCompile(`^no negative criterion (with the effect fail )?matches$`), func(part []string, r *rubric.Rubric, _ map[string]float64, hits []string) bool {
		for _, n := range r.NegativeCriteria {
			if part[1] == "" || n.Effect != rubric.EffectReport {
				for _, hit := range hits {
					if hit == n.Name {
						return false
					}
				}
			}
		}
		return true
	}},
}

func mean(r *rubric.Rubric, scores map[string]float64, weighted bool) float64 {
	sum, weights := 0.0, 0.0
	for _, c := range r.Criteria {
		weight := 1.0
		if weighted {
			weight = c.Counts()
		}
		sum, weights = sum+weight*scores[c.Name], weights+weight
	}
	return sum / weights
}

func number(text string) float64 {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// lowest is the lowest score of an essential criterion.
func lowest(r *rubric.Rubric, scores map[string]float64) float64 {
	score := 5.0
	for _, c := range r.Criteria {
		if c.Weight == rubric.Essential {
			score = min(score, scores[c.Name])
		}
	}
	return score
}

// partsOf are the parts of a clause.
var partsOf = regexp.MustCompile(`, and |, (?:the|no) | and `)

func split(clause string) (parts []string) {
	if clause == "each criterion has a score, whatever it is" {
		return []string{clause}
	}
	for clause != "" {
		at := partsOf.FindStringIndex(clause)
		if at == nil {
			return append(parts, clause)
		}
		joint := clause[at[0]:at[1]]
		parts = append(parts, clause[:at[0]])
		clause = strings.TrimPrefix(strings.TrimPrefix(joint, ", "), "and ") + clause[at[1]:]
		clause = strings.TrimPrefix(clause, " and ")
	}
	return parts
}

// TestTheSentenceAgreesWithVerdicts reads the sentence about a rubric, and judges scores by what it
// says.
func TestTheSentenceAgreesWithVerdicts(t *testing.T) {
	passed := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		r := anyRubric(t)
		scores := map[string]float64{}
		for i := range r.Criteria {
			c := &r.Criteria[i]
			around := rapid.SampledFrom([]float64{1, 5, r.Minimum(c), r.Minimum(c) - 0.25, max(1, r.Scoring.PassThreshold), 3}).Draw(t, "score")
			scores[c.Name] = min(5, max(1, around))
		}
		if r.Scoring.PassThreshold > 0 { // often the one that tells the two means apart
			threshold := rapid.SampledFrom([]float64{r.Scoring.PassThreshold, mean(r, scores, false), mean(r, scores, true)})
			r.Scoring.PassThreshold = threshold.Draw(t, "pass_threshold")
		}
		var hits []string
		for _, n := range r.NegativeCriteria {
			if rapid.IntRange(0, 3).Draw(t, "hit") == 0 {
				hits = append(hits, n.Name)
			}
		}
		verdict, err := r.Verdict(scores, hits)
		if err != nil {
			t.Fatal(err)
		}
		clause := WhenRubricPasses(r)
		holds := true
		for _, part := range split(clause) {
			known := false
			for _, c := range conditions {
				if m := c.is.FindStringSubmatch(part); m != nil {
					known, holds = true, holds && c.holds(m, r, scores, hits)
				}
			}
			if !known {
				t.Fatalf("%q has an unknown part %q", clause, part)
			}
		}
		if holds != verdict.Passed {
			t.Fatalf("work passes if %s; with %v and %v, that is %v, and the verdict is %+v", clause, scores, hits, holds, verdict)
		}
		passed[holds]++
	})
	if passed[true] == 0 || passed[false] == 0 {
		t.Errorf("the verdicts were %v", passed)
	}
}

func anyRubric(t *rapid.T) *rubric.Rubric {
	value := rapid.SampledFrom([]float64{1, 2, 2.5, 3, 3.25, 4})
	r := &rubric.Rubric{}
	for i := range rapid.IntRange(1, 4).Draw(t, "criteria") {
		c := rubric.Criterion{Name: fmt.Sprint("c", i), Threshold: value.Draw(t, "threshold")}
		c.Weight = rapid.SampledFrom([]rubric.Weight{rubric.Essential, rubric.Important}).Draw(t, "weight")
		c.RelativeWeight = rapid.SampledFrom([]float64{0, 0, 1, 2}).Draw(t, "relative weight")
		r.Criteria = append(r.Criteria, c)
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "negative criteria") {
		n := rubric.NegativeCriterion{Name: fmt.Sprint("n", i), FailPatterns: []string{"x"}}
		n.Effect = rapid.SampledFrom([]rubric.Effect{"", rubric.EffectFail, rubric.EffectReport}).Draw(t, "effect")
		r.NegativeCriteria = append(r.NegativeCriteria, n)
	}
	if rapid.Bool().Draw(t, "has pass_threshold") {
		r.Scoring.PassThreshold = value.Draw(t, "pass_threshold")
	}
	if rapid.Bool().Draw(t, "has essential_minimum") {
		r.Scoring.EssentialMinimum = value.Draw(t, "essential_minimum")
	}
	return r
}

var ofRules = regexp.MustCompile(`^(?:(every (?:active )?rule with severity fail passes)(?: and |$))?(?:the score, which is the (weighted )?share of the (active )?rules (with severity fail or warn )?that pass, is at least (\S+))$`)

// TestTheSentenceAgreesWithScores does the same for a rule set in both phases. Without active, a
// sentence counts all rules.
func TestTheSentenceAgreesWithScores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &ruleset.RuleSet{Scoring: ruleset.Scoring{PassThreshold: rapid.SampledFrom([]float64{0, 0.5, 0.8, 1}).Draw(t, "threshold")}}
		for i := range rapid.IntRange(1, 4).Draw(t, "rules") {
			s.Rules = append(s.Rules, ruleset.Rule{
				ID:       fmt.Sprint("r", i),
				Severity: rapid.SampledFrom([]ruleset.Severity{ruleset.SeverityFail, ruleset.SeverityWarn, ruleset.SeverityInfo}).Draw(t, "severity"),
				Weight:   rapid.SampledFrom([]float64{1, 1, 2}).Draw(t, "weight"),
				Phase:    rapid.SampledFrom([]ruleset.Phase{ruleset.PhaseA, ruleset.PhaseA, ruleset.PhaseB}).Draw(t, "phase"),
			})
		}
		phase := rapid.SampledFrom([]ruleset.Phase{ruleset.PhaseA, ruleset.PhaseB}).Draw(t, "phase of the work")
		results := map[string]ruleset.Result{}
		for _, r := range s.Active(phase) {
			results[r.ID] = ruleset.Result{Verdict: rapid.SampledFrom([]ruleset.Verdict{ruleset.VerdictPass, ruleset.VerdictPass, ruleset.VerdictFail}).Draw(t, "verdict")}
		}
		score, err := s.Score(phase, results)
		if err != nil {
			t.Fatal(err)
		}
		if clause := WhenRuleSetPasses(s); holds(t, clause, s, phase, results) != score.Passed {
			t.Fatalf("work passes if %s; with %v, the score is %+v", clause, results, score)
		}
	})
}

// holds judges results by what a clause says.
func holds(t *rapid.T, clause string, s *ruleset.RuleSet, phase ruleset.Phase, results map[string]ruleset.Result) bool {
	if strings.HasPrefix(clause, "each ") {
		return true
	}
	m := ofRules.FindStringSubmatch(clause)
	if m == nil {
		t.Fatalf("%q has another form", clause)
	}
	rules := s.Active(phase)
	if m[3] == "" {
		rules = nil
		for i := range s.Rules {
			rules = append(rules, &s.Rules[i])
		}
	}
	passed, all, blocked := 0.0, 0.0, false
	for _, r := range rules {
		passes, weight := results[r.ID].Verdict == ruleset.VerdictPass, 1.0
		if m[2] != "" {
			weight = r.Weight
		}
		blocked = blocked || m[1] != "" && r.Severity == ruleset.SeverityFail && !passes
		if m[4] != "" && r.Severity == ruleset.SeverityInfo {
			continue
		}
		all += weight
		if passes {
			passed += weight
		}
	}
	share := 1.0
	if all > 0 {
		share = passed / all
	}
	return !blocked && share >= number(m[5])-ruleset.Tolerance
}
