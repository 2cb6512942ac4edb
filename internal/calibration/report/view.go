package report

import (
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
)

// View is what every output says about a judge on a dataset: text, Markdown, JSON, a page of the
// site, and the statistics of a bundle. No output computes or words anything else.
type View struct {
	Rubric  measure.Rubric  `json:"rubric"`
	Dataset measure.Dataset `json:"dataset"`
	// Judge is the run that the report is on. null: no run is recorded.
	Judge *measure.Judge `json:"judge"`
	// Facts are what could have been chosen after answers were seen, and FactLines say it.
	Facts     measure.Facts `json:"facts"`
	FactLines []string      `json:"fact_lines"`
	// NewJudge says since when a judge of that name is another one, and what changed.
	NewJudge string `json:"new_judge,omitempty"`
	// Answer has the sentences with which a report begins: what the judge may be used for, how it
	// compares with people, and why it may not be used for all.
	Answer []string `json:"answer"`
	// Next says what to do.
	Next string `json:"next"`
	// About are sentences about the answers and the labels.
	About []string `json:"about"`
	// Rank says whether the judge's order of works may stand for that of people, and Gate
	// whether its verdicts may.
	Rank Use `json:"rank"`
	Gate Use `json:"gate"`
	// Conditions are those that must be met, the one that matters most first.
	Conditions []Condition  `json:"conditions"`
	Settings   SettingsUsed `json:"settings"`
	// AsOf is the date at which the age of the run is measured.
	AsOf     string           `json:"as_of"`
	Coverage measure.Coverage `json:"coverage"`
	// Criteria are in the rubric's order.
	Criteria []Criterion     `json:"criteria"`
	Overall  measure.Overall `json:"overall"`
	// Verdict compares judge and people on whether an item passes by its scores
	// alone; pattern hits are the same for both.
	Verdict agreement.Verdicts `json:"verdict"`
	// RightPasses and RightFails compare the judge with each person on equal terms.
	RightPasses agreement.AgainstPeople `json:"right_passes_against_people"`
	RightFails  agreement.AgainstPeople `json:"right_fails_against_people"`
	// Persons are the raters, each compared with the others.
	Persons []measure.Person `json:"persons"`
	// Reaffirmed are the confirmations that make labels count for the rubric's words.
	Reaffirmed []calibration.Reaffirmation `json:"reaffirmed,omitempty"`
	// ItemsNeeded is about how many labeled items would decide what is undecided; 0 where
	// nothing is, or more items would not help.
	ItemsNeeded int `json:"items_needed"`
	// Changes are sentences about what changed since earlier runs.
	Changes []string `json:"changes"`
	// Drift compares the run with the previous one. null: there is no previous run.
	Drift *measure.Comparison `json:"drift"`
	// Reference compares it with the reference run, which a judge that changes a little
	// each week moves away from. null: that is the run itself or the one before.
	Reference *measure.Comparison `json:"reference"`
}

// Use is whether a judge may be used for something.
type Use struct {
	Answer decide.Answer `json:"answer"`
	// Reason says in sentences which runs decide it, and whether it held before.
	Reason string `json:"reason"`
}

// Condition is one of those that a judge must meet.
type Condition struct {
	Name    decide.ConditionName `json:"name"`
	Outcome decide.Outcome       `json:"outcome"`
	// Reason says in a sentence why.
	Reason string `json:"reason"`
}

// SettingsUsed are the settings that the numbers depend on.
type SettingsUsed struct {
	decide.Settings
	Seed      int `json:"seed"`
	Resamples int `json:"resamples"`
}

// Criterion is the agreement on one criterion, with its outcomes.
type Criterion struct {
	measure.Criterion
	decide.Outcomes
}

// Of is the view of a decision.
func Of(d *decide.Decision) *View {
	w := words{d}
	v := &View{
		Rubric: d.Rubric, Dataset: d.Dataset, Judge: d.Judge, Facts: d.Facts, FactLines: w.facts(), NewJudge: d.NewJudge,
		Answer: w.answer(), Next: w.next(), About: w.about(),
		Rank: Use{d.Rank.Answer, w.reason(&d.Rank)}, Gate: Use{d.Gate.Answer, w.reason(&d.Gate)},
		Settings: SettingsUsed{d.Settings, int(d.Seed), measure.Resamples}, AsOf: d.AsOf,
		Coverage: d.Coverage, Overall: d.Overall, Verdict: d.Measurement.Verdict,
		RightPasses: d.RightPasses, RightFails: d.RightFails,
		Persons: d.Persons, Reaffirmed: d.Reaffirmed, ItemsNeeded: d.ItemsNeeded,
		Changes: w.changes(), Drift: d.Drift, Reference: d.Reference,
	}
	for i := range d.Criteria {
		v.Criteria = append(v.Criteria, Criterion{d.Criteria[i], d.Outcomes[i]})
	}
	for _, c := range d.Conditions {
		v.Conditions = append(v.Conditions, Condition{c.Name, c.Outcome, sentence(w.condition(&c))})
	}
	return v
}

// Obstacle says in sentences why the judge may not gate, what matters most first, or only by this
// library's limits, or is "".
func (v *View) Obstacle() string {
	if v.Gate.Answer == decide.Yes {
		return ""
	}
	var reasons []string
	for _, outcome := range []decide.Outcome{decide.NotMet, decide.CannotTell, decide.Undecided} {
		for _, c := range v.Conditions {
			if c.Outcome == outcome && !v.Gate.Answer.Given() {
				reasons = append(reasons, c.Reason)
			}
		}
	}
	if len(reasons) == 0 {
		return v.Gate.Reason
	}
	return strings.Join(reasons, " ")
}
