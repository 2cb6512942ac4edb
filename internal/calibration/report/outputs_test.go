package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
)

// TestTablesFit 80 columns with long names and the widest numbers.
func TestTablesFit(t *testing.T) {
	low := agreement.Value{Number: -0.55}
	wide := agreement.Estimate{Value: low, Interval: agreement.Interval{Low: -0.66, High: -0.44}}
	c := Criterion{Outcomes: decide.Outcomes{Outcome: decide.CannotTell}}
	c.Name, c.Items, c.Spearman, c.Bias = strings.Repeat("criterion", 9), 12345, wide, wide
	c.AgainstPeople.Correlation.Judge, c.AgainstPeople.Correlation.People = low, low
	p := measure.Person{Rater: strings.Repeat("rater", 9), Verdict: agreement.Verdicts{BothPass: 1111, OnlyJudgePass: 1111, OnlyPeoplePass: 1111}}
	p.Criteria = []measure.Rater{{Criterion: c.Name}}
	p.Criteria[0].Items, p.Criteria[0].Correlation, p.Criteria[0].Severity = 12345, low, wide
	v := &View{Criteria: []Criterion{c}, Persons: []measure.Person{p}}
	for name, rows := range map[string][][]string{"criteria": criteriaRows(v), "persons": personRows(v)} {
		text, err := table(rows)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 80 {
				t.Errorf("a line of the table of %s has %d characters: %s", name, n, line)
			}
		}
	}
}

// TestPersonsWithoutVerdicts: a person whose items nobody else labeled has no verdicts to compare.
func TestPersonsWithoutVerdicts(t *testing.T) {
	v := &View{Persons: []measure.Person{{Rater: "r1", Criteria: []measure.Rater{{Criterion: "clarity"}}}}}
	row := personRows(v)[1]
	if passes, fails := row[5], row[6]; passes != "none" || fails != "none" {
		t.Errorf("the verdicts are %q and %q, want none", passes, fails)
	}
}
