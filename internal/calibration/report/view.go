package report

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
)

// View is what every output says about a judge on a dataset: text, Markdown, JSON, a page of the
// site, and the statistics of a bundle.
type View struct {
	Rubric  measure.Rubric  `json:"rubric"`
	Dataset measure.Dataset `json:"dataset"`
	// Judge is nil if no run is recorded.
	Judge *measure.Judge `json:"judge"`
	// Facts are what could have been chosen after somebody saw answers.
	Facts measure.Facts `json:"facts"`
	// NewJudge says since when a judge of that name is another one, and what changed, or is "".
	NewJudge string       `json:"new_judge,omitempty"`
	Settings SettingsUsed `json:"settings"`
	// AsOf is the date at which the age of the run is measured.
	AsOf     string           `json:"as_of"`
	Coverage measure.Coverage `json:"coverage"`
	// Criteria are in the rubric's order.
	Criteria []Criterion     `json:"criteria"`
	Overall  measure.Overall `json:"overall"`
	// Verdict compares judge and people on whether an item passes by its scores
	// alone; pattern hits are the same for both.
	Verdict agreement.Verdicts `json:"verdict"`
	// Reaffirmed are the confirmations that make labels count for the rubric's words.
	Reaffirmed []calibration.Reaffirmation `json:"reaffirmed,omitempty"`
	// Conditions are those that must be met, the one that matters most first.
	Conditions []decide.Condition `json:"conditions"`
	// Outcome is the worst of the conditions: that of this run alone.
	Outcome decide.Outcome `json:"outcome"`
	// Rank says whether the judge's order of works may stand for that of people, and Gate
	// whether its verdicts may.
	Rank decide.Permission `json:"rank"`
	Gate decide.Permission `json:"gate"`
	// Calibrated means that the judge may gate, and that no limit is looser than the default.
	Calibrated bool `json:"calibrated"`
	// ItemsNeeded is about how many labeled items would decide what is undecided; 0 where
	// nothing is, or more items would not help.
	ItemsNeeded int `json:"items_needed"`
	// Messages are sentences for people: what the outcome means, and what to do.
	Messages []string `json:"messages"`
}

// SettingsUsed are the settings that the numbers depend on.
type SettingsUsed struct {
	decide.Settings
	Seed      uint64 `json:"seed"`
	Resamples int    `json:"resamples"`
}

// Criterion is the agreement on one criterion, with its outcomes.
type Criterion struct {
	measure.Criterion
	decide.Outcomes
}

// ViewOf is the view of a decision.
func ViewOf(d *decide.Decision) *View {
	v := &View{
		Rubric: d.Rubric, Dataset: d.Dataset, Judge: d.Judge, Facts: d.Facts, NewJudge: d.NewJudge,
		Settings: SettingsUsed{d.Settings, d.Seed, measure.Resamples}, AsOf: d.AsOf,
		Coverage: d.Coverage, Overall: d.Overall, Verdict: d.Verdict, Reaffirmed: d.Reaffirmed,
		Conditions: d.Conditions, Outcome: d.Outcome, Rank: d.Rank, Gate: d.Gate, Calibrated: d.Calibrated(),
		ItemsNeeded: d.ItemsNeeded, Messages: d.Messages,
	}
	for i := range d.Criteria {
		v.Criteria = append(v.Criteria, Criterion{d.Criteria[i], d.Outcomes[i]})
	}
	return v
}

// Reasons are those of the conditions with an outcome, the one that matters most first.
func (v *View) Reasons(outcome decide.Outcome) (reasons []string) {
	for _, c := range v.Conditions {
		if c.Outcome == outcome {
			reasons = append(reasons, c.Reason)
		}
	}
	return reasons
}

// Tracked is a view with the earlier records.
type Tracked struct {
	*View
	// History is the records of the same rubric and judge, oldest first.
	History []Record `json:"history"`
	// Drift compares the run with the previous one; nil if there is no previous run.
	Drift *measure.Comparison `json:"drift"`
	// Reference compares it with the reference run, which a judge that changes a little
	// each week moves away from; nil where that is the run itself or the one before.
	Reference *measure.Comparison `json:"reference"`

	// Decision is what the view is of.
	Decision *decide.Decision `json:"-"`
}

// Track views a run, or the labels alone if run is nil.
func Track(d *calibration.Dataset, s *calibration.Subject, run *calibration.Run, o decide.Options) Tracked {
	history := []Record{}
	var accepted []string
	if run != nil {
		for _, r := range Records(d, s.Rubric.ID, run.Judge) {
			if history = append(history, r); r.Accepted != "" {
				accepted = append(accepted, r.Judge.Run)
			}
		}
	}
	decided := decide.Tracked(d, s, run, o, accepted)
	return Tracked{ViewOf(decided), history, decided.Drift, decided.Reference, decided}
}

// Standing says in sentences what the run can't be compared with. It is empty without
// recorded runs, and for demonstrations, which are never calibrated.
func (r *Tracked) Standing() (lines []string) {
	if r.Decision == nil || r.Judge == nil || len(r.History) == 0 || r.Dataset.Demonstration() {
		return nil
	}
	if r.Decision.First() {
		lines = append(lines, "No earlier run is by the same judge and for the same words: what other runs gave does not hold, and there is nothing to compare with.")
	}
	accepted := slices.ContainsFunc(r.History, func(one Record) bool { return one.Accepted != "" && one.Judge.Run == r.Judge.Run })
	if !r.Decision.HasReference() && !accepted {
		lines = append(lines, "There is no reference run: no run of this judge for these words met every condition or was accepted.")
	}
	return lines
}
