package regex_test

import (
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"testing"

	"github.com/rubric-library/rubric-library/internal/text/regex"
)

// TestCheckAgreesWithTheEngines searches with every expression of two corpora in
// Go, Python and JavaScript. What Check finds nothing in must be the same to all
// three. What it finds something in should not be; a generated expression can
// have a part that never counts, such as $ before a letter, so that some are.
func TestCheckAgreesWithTheEngines(t *testing.T) {
	for _, program := range []string{"python3", "node"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not there, so nothing is compared", program)
		}
	}
	var generated []subject
	for i := range 5000 {
		generated = append(generated, subjects.Example(i))
	}
	for _, corpus := range []struct {
		name       string
		subjects   []subject
		mostAlarms float64 // the highest share of findings without any effect
	}{
		{"generated", generated, 0.10},
		{"collected", collected(), 0},
		{"shipped", shipped(t), 1}, // their texts are not made to show anything
	} {
		t.Run(corpus.name, func(t *testing.T) { measure(t, corpus.subjects, corpus.mostAlarms) })
	}
}

// measure counts the two ways to be wrong.
func measure(t *testing.T, all []subject, mostAlarms float64) {
	jobs := make([]job, len(all))
	answers := make([]map[string]result, len(all))
	for i, s := range all {
		jobs[i] = jobOf(s)
		answers[i] = map[string]result{"Go": inGo(jobs[i])}
	}
	for i, r := range inProcess(t, jobs, "python3", "testdata/search.py") {
		answers[i]["Python"] = r
	}
	for i, r := range inProcess(t, jobs, "node", "testdata/search.mjs") {
		answers[i]["JavaScript"] = r
	}
	var alike, missed, refused, alarms int
	for i, s := range all {
		onlyClients := func(d regex.Difference) bool { return len(d.Effects) == 1 && d.RefusedBy(regex.Clients) }
		found := slices.DeleteFunc(regex.Check(s.pattern, s.flags), onlyClients)
		difference := disagreement(jobs[i], answers[i])
		switch {
		case len(found) == 0 && difference == "":
			alike++
		case len(found) == 0:
			missed++
			t.Errorf("%q %+v counts as portable, and %s", s.pattern, s.flags, difference)
		case difference == "":
			alarms++
			t.Logf("all find the same with %q %+v, which has a %s", s.pattern, s.flags, found[0].Construct)
		default:
			refused++
		}
	}
	alike, refused = alike+missed, refused+alarms
	t.Logf("%d expressions count as portable, and %d of them are not (%.2f %%); %d do not, and %d of them show no difference (%.2f %%)",
		alike, missed, percent(missed, alike), refused, alarms, percent(alarms, refused))
	if rate := percent(alarms, refused); rate > 100*mostAlarms {
		t.Errorf("%.2f %% of the findings show no difference, expected %.0f %% at most", rate, 100*mostAlarms)
	}
}

func percent(part, all int) float64 { return 100 * float64(part) / float64(max(all, 1)) }

// disagreement says how an engine differs from Go on a job, or "".
func disagreement(j job, answers map[string]result) string {
	for _, engine := range slices.Sorted(maps.Keys(answers)) {
		r := answers[engine]
		if r.Error != "" {
			return fmt.Sprintf("%s refuses it: %s", engine, r.Error)
		}
		for i, places := range r.Places {
			if ours := answers["Go"].Places; ours != nil && !slices.Equal(places, ours[i]) {
				return fmt.Sprintf("in %q Go finds %v and %s %v", j.Texts[i], ours[i], engine, places)
			}
		}
	}
	return ""
}
