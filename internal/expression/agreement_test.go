package expression_test

import (
	"fmt"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/expression"
)

const generated = 12000

// falseAlarms is the highest share of expressions with a finding that all
// engines nevertheless search alike.
const falseAlarms = 0.05

func TestCheckAgreesWithTheEngines(t *testing.T) {
	var all []subject
	for i := range generated {
		all = append(all, subjects.Example(i))
	}
	jobs := make([]job, len(all))
	results := make([][]result, len(all))
	for i, s := range all {
		jobs[i] = jobOf(s)
		results[i] = []result{inGo(jobs[i])}
	}
	engines := []string{"Go"}
	for _, e := range []struct{ name, program, script string }{
		{"Python", "python3", "testdata/search.py"}, {"JavaScript", "node", "testdata/search.mjs"},
	} {
		if _, err := exec.LookPath(e.program); err != nil {
			t.Skipf("%s is not there, so nothing is compared with %s", e.program, e.name)
		}
		engines = append(engines, e.name)
		for i, r := range inProcess(t, jobs, e.program, e.script) {
			results[i] = append(results[i], r)
		}
	}
	portable, missed, refused, alarms := 0, 0, 0, 0
	perConstruct := map[string][2]int{}
	for i, s := range all {
		found := expression.Check(s.pattern, s.flags)
		difference := disagreement(engines, jobs[i], results[i])
		if len(found) == 0 {
			portable++
			if difference != "" {
				missed++
				if missed < 40 {
					t.Errorf("%q %+v counts as portable, and %s", s.pattern, s.flags, difference)
				}
			}
			continue
		}
		refused++
		if len(found) == 1 {
			k := string(found[0].Construct)
			c := perConstruct[k]
			c[0]++
			if difference == "" {
				c[1]++
			}
			perConstruct[k] = c
		}
		if difference == "" {
			alarms++
			if alarms < 40 {
				t.Logf("false alarm: %q %+v: %+v", s.pattern, s.flags, found[0].Construct)
			}
		}
	}
	t.Logf("%v", perConstruct)
	t.Logf("%d expressions count as portable, and %d of them are not (%.2f %%); %d do not, and %d of them are searched alike (%.2f %%)",
		portable, missed, 100*float64(missed)/float64(portable), refused, alarms, 100*float64(alarms)/float64(refused))
	if float64(alarms) > falseAlarms*float64(refused) {
		t.Errorf("%d false alarms", alarms)
	}
}

// disagreement says how the engines differ on a job, or "".
func disagreement(engines []string, j job, results []result) string {
	for i, r := range results {
		if r.Error != "" {
			return fmt.Sprintf("%s refuses it: %s", engines[i], r.Error)
		}
		for k, places := range r.Places {
			if !cmp.Equal(places, results[0].Places[k]) {
				return fmt.Sprintf("in %q %s finds %v and %s %v", j.Texts[k], engines[0], results[0].Places[k], engines[i], places)
			}
		}
	}
	return ""
}
