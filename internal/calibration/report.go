package calibration

import (
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
)

// Report describes how well a judge agrees with people on a dataset for one wording of
// a rubric.
type Report struct {
	Rubric  RubricReference  `json:"rubric"`
	Dataset DatasetReference `json:"dataset"`
	// Judge is nil if no run is recorded.
	Judge *JudgeReference `json:"judge"`
	// NewJudge says since when a judge of that name is another one, and what changed, or is "".
	NewJudge string       `json:"new_judge,omitempty"`
	Settings SettingsUsed `json:"settings"`
	// AsOf is the date at which the age of the run is measured.
	AsOf     string   `json:"as_of"`
	Coverage Coverage `json:"coverage"`
	// Criteria are in the rubric's order.
	Criteria []Criterion `json:"criteria"`
	Overall  Overall     `json:"overall"`
	// Verdict compares judge and people on whether an item passes by its scores
	// alone; pattern hits are the same for both.
	Verdict agreement.Verdicts `json:"verdict"`
	// Reaffirmed are the confirmations that make labels count for the rubric's words.
	Reaffirmed []Reaffirmation `json:"reaffirmed,omitempty"`
	// Conditions are those that must be met, the one that matters most first.
	Conditions []Condition `json:"conditions"`
	// Outcome is the worst of the conditions: that of this run alone.
	Outcome Outcome `json:"outcome"`
	// Rank says whether the judge's order of works may stand for that of people, and Gate
	// whether its verdicts may.
	Rank Permission `json:"rank"`
	Gate Permission `json:"gate"`
	// Calibrated means that the judge may gate, and that no limit is looser than the default.
	Calibrated bool `json:"calibrated"`
	// ItemsNeeded is about how many labeled items would decide what is undecided; 0 where
	// nothing is, or more items would not help.
	ItemsNeeded int `json:"items_needed"`
	// Messages are sentences for people: what the outcome means, and what to do.
	Messages []string `json:"messages"`
	// Worst are the largest disagreements, largest first.
	Worst []Disagreement `json:"worst"`
}

// RubricReference identifies the rubric and the wording that a judge reads.
type RubricReference struct {
	ID          string `json:"id"`
	Version     string `json:"version"`
	JudgeDigest string `json:"judge_digest"`
}

// DatasetReference identifies the dataset.
type DatasetReference struct {
	Name      string  `json:"name"`
	LabeledBy Labeler `json:"labeled_by"`
	Raters    int     `json:"raters"`
	// Paired counts the items that the same two raters labeled, for the criterion with the
	// fewest.
	Paired int `json:"paired"`
	Items  int `json:"items"`
	// Dev counts those of the items that prompts were tuned on, which never count.
	Dev int `json:"dev"`
	// LabelsDigest identifies the items, their labels, and the wording that was labeled.
	LabelsDigest string `json:"labels_digest"`
}

// Test is how many of the items count.
func (d DatasetReference) Test() int { return d.Items - d.Dev }

// JudgeReference identifies a run of a judge.
type JudgeReference struct {
	Name  string `json:"name"`
	Run   string `json:"run"`
	Model string `json:"model"`
	// PromptDigest names the judge's prompt, "" if it is unknown.
	PromptDigest string `json:"prompt_digest,omitempty"`
	// Repeats is how many answers to an item are averaged, 0 in the records of earlier programs.
	Repeats int    `json:"repeats,omitempty"`
	Date    string `json:"date"`
	// Started is when the run began, "" if only its date is known.
	Started string `json:"started,omitempty"`
	// Fresh reports whether the judge read the current wording of the rubric.
	Fresh bool `json:"fresh"`
}

func reference(run *Run, fresh bool) JudgeReference {
	of := run.Identity()
	return JudgeReference{of.Name, run.Name, of.Model, of.Prompt, of.Repeats, run.Date, run.Started, fresh}
}

// Identity is the judge of the run.
func (j *JudgeReference) Identity() Identity {
	return Identity{j.Name, j.Model, j.PromptDigest, max(j.Repeats, 1)}
}

// Start is when the run began.
func (j *JudgeReference) Start() Start { return Start{j.Run, j.Date, j.Started} }

// SettingsUsed are the settings that the numbers depend on.
type SettingsUsed struct {
	Settings
	Seed      uint64 `json:"seed"`
	Resamples int    `json:"resamples"`
}

// Coverage counts the answers of the run.
type Coverage struct {
	Answers    int `json:"answers"`
	Unreadable int `json:"unreadable"`
	// Attempts counts how often the judge was asked, and Unavailable how often it could not
	// answer.
	Attempts    int `json:"attempts,omitempty"`
	Unavailable int `json:"unavailable,omitempty"`
	// Share is the share of the dataset's items with a readable answer, from 0 to 1.
	// An item with repeats counts by its share of readable answers.
	Share float64 `json:"share"`
}

// Criterion is the agreement on one criterion.
type Criterion struct {
	Name string `json:"name"`
	// Fresh reports whether the labels are for the current wording.
	Fresh bool `json:"fresh"`
	// Items counts the items with a label and a score, Labeled those with a label.
	Items   int `json:"items"`
	Labeled int `json:"labeled"`
	// CannotTell counts the answers of raters that an item did not let them tell. These
	// are no labels.
	CannotTell int `json:"cannot_tell,omitempty"`
	// Coverage is the share of the labeled items that have a score, from 0 to 1.
	Coverage float64 `json:"coverage"`

	// Spearman is the gate.
	agreement.Estimates
	// Confusion has a row for each level of people and a column for each of the
	// judge, from 1 to 5.
	Confusion [][]int `json:"confusion"`
	// Verdict compares judge and people on whether the criterion passes.
	Verdict agreement.Verdicts `json:"verdict"`

	// People is the agreement of raters with each other.
	People RaterAgreement `json:"people"`
	// Repeats is the agreement of the judge with itself.
	Repeats agreement.Repeats `json:"repeats"`
	// Baseline is the result of a judge that always gives the most common label.
	Baseline agreement.Baseline `json:"baseline"`

	// Ranking and Level are the outcomes for Spearman and Bias, and Outcome is the worse
	// of both.
	Ranking Outcome `json:"ranking"`
	Level   Outcome `json:"level"`
	Outcome Outcome `json:"outcome"`

	// pairs are kept for the verdict of the whole rubric and the disagreements.
	pairs *ratings
	// flat means that all labels are the same, so that no order can be compared.
	flat bool
}

// RaterAgreement is the agreement of raters with each other on a criterion.
type RaterAgreement struct {
	Raters int `json:"raters"`
	// Alpha is Krippendorff's alpha for ordered levels.
	Alpha agreement.Value       `json:"alpha"`
	ICC   agreement.Reliability `json:"icc"`
	// EqualTerms compares people, and the judge in the place of each, with the mean of the
	// others.
	EqualTerms agreement.Terms `json:"equal_terms"`
	// Attainable is the highest correlation with these labels that any judge can be
	// expected to reach.
	Attainable agreement.Value `json:"attainable"`
}

// Overall summarizes the correlations of the criteria, unweighted. Ratings are never
// pooled.
type Overall struct {
	Mean    agreement.Value `json:"mean"`
	Minimum agreement.Value `json:"minimum"`
	// MinimumOf is the criterion with the lowest value, or "".
	MinimumOf string `json:"minimum_of"`
}

// Disagreement is an item that judge and people score differently on a criterion.
type Disagreement struct {
	Item      string  `json:"item"`
	Criterion string  `json:"criterion"`
	Judge     float64 `json:"judge"`
	People    float64 `json:"people"`
	Artifact  string  `json:"artifact"`
	// Reason is what the judge said for its score, or "".
	Reason string `json:"reason,omitempty"`
}

// Numbers say how much evidence of a dataset counts, and how well each judge agrees with
// people in its newest run.
type Numbers struct {
	Items  int `json:"items"`
	Raters int `json:"raters"`
	// Removed are the items that were removed through exceptions; only known in bundles.
	Removed int            `json:"removed"`
	Judges  []JudgeNumbers `json:"judges"`
}

// JudgeNumbers is the lowest correlation over the criteria in a run.
type JudgeNumbers struct {
	Name        string          `json:"name"`
	Run         string          `json:"run"`
	Correlation agreement.Value `json:"correlation"`
}

// NumbersChange is what the evidence of a dataset says before and after a change; nil where
// there is no dataset.
type NumbersChange struct {
	Dataset string   `json:"dataset"`
	Before  *Numbers `json:"before"`
	After   *Numbers `json:"after"`
}

// Numbers are those of the dataset.
func (d *Dataset) Numbers() *Numbers {
	n := &Numbers{Items: len(d.test().Items), Raters: len(d.Raters()), Judges: []JudgeNumbers{}}
	for i := range d.Judges {
		run := d.Judges[i].Newest()
		if run == nil {
			continue
		}
		var correlations []agreement.Value
		for _, c := range d.Criteria {
			p := d.asOf(run).test().of(c.Name, run).paired()
			correlations = append(correlations, agreement.Spearman(p.judge, p.people).AtLeast(len(p.items), Defaults().MinimumItems))
		}
		_, lowest := agreement.Overall(correlations)
		n.Judges = append(n.Judges, JudgeNumbers{run.Judge, run.Name, lowest})
	}
	return n
}

// Numbers are those of the first report on each judge.
func (s *Statistics) Numbers() *Numbers {
	n := &Numbers{Removed: s.Dataset.Removed, Judges: []JudgeNumbers{}}
	for i := range s.Reports {
		r := &s.Reports[i]
		n.Items, n.Raters = r.Dataset.Test(), r.Dataset.Raters
		if j := r.Judge; j != nil && !slices.ContainsFunc(n.Judges, func(other JudgeNumbers) bool { return other.Name == j.Name }) {
			n.Judges = append(n.Judges, JudgeNumbers{j.Name, j.Run, r.Overall.Minimum})
		}
	}
	return n
}

// String says in a line what changed.
func (c *NumbersChange) String() string {
	return fmt.Sprintf("%s → %s", c.Before.text(), c.After.text())
}

func (n *Numbers) text() string {
	if n == nil {
		return "no dataset"
	}
	text := fmt.Sprintf("items %d, raters %d", n.Items, n.Raters)
	if n.Removed > 0 {
		text += fmt.Sprintf(", removed items %d", n.Removed)
	}
	for _, j := range n.Judges {
		correlation := "unknown"
		if j.Correlation.Defined() {
			correlation = fmt.Sprintf("%.2f", j.Correlation.Number)
		}
		text += fmt.Sprintf(", correlation of %s %s (run %s)", j.Name, correlation, j.Run)
	}
	return text
}
