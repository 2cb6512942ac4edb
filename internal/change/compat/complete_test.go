package compat

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// idle are the changes that are major and sometimes lose nothing, each with the
// reason why it is major all the same.
var idle = map[string]string{
	"rubric criteria[].weight raised": "to be essential is a promise of its own, although a minimum of 1.0, " +
		"or a pass_threshold that no lower score of this criterion reaches, leaves it without effect today",
	"rubric criteria[].relative_weight raised": "where the overall score decides, how much each score counts is a promise of its own, although " +
		"minimums that are high enough can leave no work that loses by it",
	"rubric criteria[].relative_weight lowered":        "the same",
	"rubric negative_criteria[].fail_patterns added":   "whether the other patterns hit all that the new one hits is not decided",
	"rubric negative_criteria[].fail_patterns changed": "whether the old pattern hit all that the new one hits is not decided",
	"rubric negative_criteria[].ignore_case changed":   "most patterns hit more with it, a negated class hits more without, and which one a pattern does is not decided",
	"rule_set scoring.pass_threshold raised":           "whether any verdicts reach a score between both thresholds follows from all weights and severities: no author sees that at the threshold",
	"rule_set rules[].severity raised":                 "whether the other weight shows in a score follows from all the others",
	"rule_set rules[].severity lowered":                "whether the other weight shows in a score follows from all the others",
	"rule_set rules[].weight raised":                   "the same, and the weight of an info rule comes to count with its severity",
	"rule_set rules[].weight lowered":                  "the same, and the weight of an info rule comes to count with its severity",
}

// never tells of a change that it loses nothing that could be computed.
// TestMajorChecksAreNotIdle runs an example of each change of a check.
func never(key string) bool { return meant[key] != "" || ofChecks(key) }

func ofChecks(key string) bool { return strings.Contains(key, "rules[].checks") }

// TestMajorChangesLoseSomething is the other half of the proof: of every kind of change that
// is major there is one with which something is lost, or a reason in meant, and each single
// change loses something, or there is a reason in idle.
func TestMajorChangesLoseSomething(t *testing.T) {
	for _, k := range document.Kinds() {
		t.Run(k.Name, func(t *testing.T) {
			losing, keeping := map[string]int{}, map[string]int{}
			forPairs(t, k, mutatedOnce, func(t *rapid.T, p pairing) {
				if len(p.changes) != 1 || p.class < schema.Major {
					return
				}
				switch key := keyOf(k, kindOf(p.changes[0])); {
				case loses(t, p):
					losing[key]++
				case idle[key] == "" && !never(key):
					t.Fatalf("%s is major, and nothing is lost", key)
				default:
					keeping[key]++
				}
			})
			for _, kind := range kinds(t, k) {
				key := keyOf(k, kind)
				if !strings.HasPrefix(kind, "major ") || never(key) || slices.Contains(hidden[k], kind) {
					continue
				}
				t.Logf("%6d lose, %6d keep: %s", losing[key], keeping[key], key)
				switch {
				case losing[key] == 0:
					t.Errorf("no pair had %s alone and lost something", key)
				case idle[key] != "" && losing[key] > 200 && keeping[key] == 0:
					t.Errorf("%s always loses something: it needs no reason", key)
				}
			}
		})
	}
}

// keyOf turns the kind of a change around, as the keys of idle and meant have it.
func keyOf(k *document.Kind, kind string) string {
	words := strings.Fields(kind)
	return k.Name + " " + words[2] + " " + words[1]
}

func mutatedOnce(t *rapid.T, k *document.Kind) (base, head *document.Document) {
	doc := anyDocument(t, k)
	base = made(t, doc)
	mutate(t, k, doc)
	return base, made(t, doc)
}

// loses reports whether a single change loses something: for a search, in the
// shape of what is given, or in what passes with some input.
func loses(t *rapid.T, p pairing) bool {
	if p.base.ID() != p.head.ID() || p.base.ArtifactType() != p.head.ArtifactType() {
		return true
	}
	if p.base.Kind == &document.RuleSet {
		return ruleSetLoses(t, p.base.RuleSet(), p.head.RuleSet())
	}
	base, head := p.base.Rubric(), p.head.Rubric()
	if !slices.Equal(criterionNames(base), criterionNames(head)) {
		return true
	}
	for _, scores := range edges(base, head) {
		if lost(judged(t, base, scores, nil), judged(t, head, scores, nil)) {
			return true
		}
	}
	scores := map[string]float64{}
	for _, c := range base.Criteria {
		scores[c.Name] = 5
	}
	for _, text := range someArtifacts {
		was, is := judged(t, base, scores, hits(t, base, text)), judged(t, head, scores, hits(t, head, text))
		failing := failingNames(was)
		if was.Passed && !is.Passed || slices.ContainsFunc(failingNames(is), func(name string) bool { return !slices.Contains(failing, name) }) {
			return true
		}
	}
	return false
}

// failingNames are the negative criteria that fail a rubric.
func failingNames(o outcome) []string {
	var hits []rubric.Hit
	for hit := range o.Failing {
		hits = append(hits, hit)
	}
	return rubric.HitNames(hits)
}

// someArtifacts are all texts of up to three letters that the patterns of the
// pool tell apart.
var someArtifacts = func() []string {
	all, last := []string{}, []string{""}
	for range 3 {
		var next []string
		for _, text := range last {
			for _, letter := range []string{"a", "A", "b", "c", "k"} {
				next = append(next, text+letter)
			}
		}
		all, last = append(all, next...), next
	}
	return all
}()

// ruleSetLoses tries all verdicts.
func ruleSetLoses(t *rapid.T, base, head *ruleset.RuleSet) bool {
	for _, phase := range []ruleset.Phase{ruleset.PhaseA, ruleset.PhaseB} {
		ids := activeIDs(base, phase)
		if !slices.Equal(ids, activeIDs(head, phase)) {
			return true
		}
		for set := range 1 << len(ids) {
			results := map[string]ruleset.Result{}
			for i, id := range ids {
				results[id] = ruleset.Result{Verdict: ruleset.VerdictPass}
				if set>>i&1 == 1 {
					results[id] = ruleset.Result{Verdict: ruleset.VerdictFail}
				}
			}
			was, is := scored(t, base, phase, results), scored(t, head, phase, results)
			if was.Passed && !is.Passed || was.Score != is.Score {
				return true
			}
		}
	}
	return false
}
