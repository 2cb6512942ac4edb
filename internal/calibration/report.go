package calibration

import "github.com/rubric-library/rubric-library/internal/calibration/agreement"

// The scale that rubrics are scored on.
const (
	lowest  = 1
	highest = 5
)

// Report is how well a judge agrees with people on a dataset, by the words of one
// rubric.
type Report struct {
	Rubric  RubricReference  `json:"rubric"`
	Dataset DatasetReference `json:"dataset"`
	// Judge is nil where no run is recorded.
	Judge    *JudgeReference `json:"judge"`
	Settings SettingsUsed    `json:"settings"`
	Coverage Coverage        `json:"coverage"`
	// Criteria are in the rubric's order.
	Criteria []Criterion `json:"criteria"`
	Overall  Overall     `json:"overall"`
	// Verdict compares judge and people on whether an item passes by its scores
	// alone: what patterns hit, they hit for both.
	Verdict agreement.Verdicts `json:"verdict"`
	// Outcome is the worst of the criteria.
	Outcome Outcome `json:"outcome"`
	// Calibrated tells that the outcome is Met and the labels are by people.
	Calibrated bool `json:"calibrated"`
	// Messages are sentences for people: what the outcome means, and what to do.
	Messages []string `json:"messages"`
	// Worst are the largest disagreements, the largest first.
	Worst []Disagreement `json:"worst"`
}

// RubricReference names the rubric and the words that a judge reads of it.
type RubricReference struct {
	ID          string `json:"id"`
	Version     string `json:"version"`
	JudgeDigest string `json:"judge_digest"`
}

// DatasetReference names the dataset.
type DatasetReference struct {
	Name       string   `json:"name"`
	LabelledBy Labeller `json:"labelled_by"`
	Raters     int      `json:"raters"`
	Items      int      `json:"items"`
	// LabelsDigest names the items, their labels and what they are labels of.
	LabelsDigest string `json:"labels_digest"`
}

// JudgeReference names the run of a judge.
type JudgeReference struct {
	Name  string `json:"name"`
	Run   string `json:"run"`
	Model string `json:"model"`
	Date  string `json:"date"`
	// Fresh tells that the judge read the rubric's words as they are now.
	Fresh bool `json:"fresh"`
}

// SettingsUsed is what the numbers depend on besides the data.
type SettingsUsed struct {
	Target          float64 `json:"target"`
	MinimumItems    int     `json:"minimum_items"`
	EnoughItems     int     `json:"enough_items"`
	MinimumCoverage float64 `json:"minimum_coverage"`
	Seed            uint64  `json:"seed"`
	Resamples       int     `json:"resamples"`
}

// Coverage counts the answers of the run.
type Coverage struct {
	Answers    int `json:"answers"`
	Unreadable int `json:"unreadable"`
	// Share is the part of the dataset's items with a readable answer, 0 to 1; an
	// item that was asked several times counts by the part that could be read.
	Share float64 `json:"share"`
}

// Estimate is a statistic with its interval.
type Estimate struct {
	agreement.Value
	Interval agreement.Interval
}

// Criterion is the agreement on one criterion.
type Criterion struct {
	Name string `json:"name"`
	// Fresh tells that the labels are of the words as they are now.
	Fresh bool `json:"fresh"`
	// Items have a label and a score; Labelled have a label.
	Items    int `json:"items"`
	Labelled int `json:"labelled"`
	// Coverage is the share of the labelled items that have a score, 0 to 1.
	Coverage float64 `json:"coverage"`

	// Spearman is the gate.
	Spearman          Estimate `json:"spearman"`
	Pearson           Estimate `json:"pearson"`
	KendallTauB       Estimate `json:"kendall_tau_b"`
	QuadraticKappa    Estimate `json:"quadratic_kappa"`
	MeanAbsoluteError Estimate `json:"mean_absolute_error"`
	// Bias is the mean of judge less people: a correlation can't see it.
	Bias     Estimate `json:"bias"`
	Exact    Estimate `json:"exact"`
	Adjacent Estimate `json:"adjacent"`
	// Confusion has a row for each level of people and a column for each of the
	// judge, from 1 to 5.
	Confusion [][]int `json:"confusion"`
	// Verdict compares judge and people on whether the criterion passes.
	Verdict agreement.Verdicts `json:"verdict"`

	// People is how they agree with each other.
	People RaterAgreement `json:"people"`
	// Repeats is how the judge agrees with itself.
	Repeats agreement.Repeats `json:"repeats"`
	// Baseline is what a judge reaches that always gives the most common label.
	Baseline agreement.Baseline `json:"baseline"`

	Outcome Outcome `json:"outcome"`
	// Reason says why, in a sentence.
	Reason string `json:"reason"`

	// pairs are kept for comparisons.
	pairs *paired
}

// RaterAgreement is how raters agree with each other on a criterion.
type RaterAgreement struct {
	Raters int `json:"raters"`
	// Alpha is Krippendorff's alpha for ordered levels.
	Alpha agreement.Value `json:"alpha"`
	ICC   agreement.ICCs  `json:"icc"`
	// Ceiling is the mean Spearman correlation of each rater with the mean of the
	// others: what a judge can hardly exceed.
	Ceiling agreement.Value `json:"ceiling"`
}

// Overall is over the criteria, unweighted; ratings are never pooled.
type Overall struct {
	Mean    agreement.Value `json:"mean"`
	Minimum agreement.Value `json:"minimum"`
	// MinimumOf is the criterion with the lowest value, or "".
	MinimumOf string `json:"minimum_of"`
}

// Disagreement is an item that judge and people score differently.
type Disagreement struct {
	Item      string  `json:"item"`
	Criterion string  `json:"criterion"`
	Judge     float64 `json:"judge"`
	People    float64 `json:"people"`
	Artifact  string  `json:"artifact"`
}

// Outcome is what the numbers say about the target.
type Outcome string

const (
	// Met: the whole interval reaches the target.
	Met Outcome = "met"
	// Undecided: the interval spans the target, so there are too few items to tell.
	Undecided Outcome = "undecided"
	// NotMet: the whole interval is below the target.
	NotMet Outcome = "not_met"
	// Refused: there is no number that could be held against the target.
	Refused Outcome = "refused"
)

// worse orders outcomes.
var worse = map[Outcome]int{Met: 0, Undecided: 1, NotMet: 2, Refused: 3}
