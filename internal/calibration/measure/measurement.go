package measure

import (
	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
)

// Resamples is the number of bootstrap resamples of an interval.
const Resamples = 2000

// Seed is the seed of intervals that are shown: a choice would let a user look for a lucky one.
const Seed = 1

// Options are the settings of a measurement.
type Options struct {
	// MinimumItems is the number of items below which there is no value.
	MinimumItems int
	// Seed determines the resamples: the same seed gives the same intervals.
	Seed uint64
}

// Measurement is what a run of a judge says about how well it agrees with people on a dataset,
// for one wording of a rubric, or what the labels alone say.
type Measurement struct {
	Rubric  Rubric
	Dataset Dataset
	// Judge is nil if no run is recorded.
	Judge    *Judge
	Coverage Coverage
	// Criteria are in the rubric's order.
	Criteria []Criterion
	Overall  Overall
	// Verdict compares judge and people on whether an item passes by its scores
	// alone; pattern hits are the same for both.
	Verdict agreement.Verdicts
	// RightPasses and RightFails compare the judge with each person on equal terms.
	RightPasses, RightFails agreement.AgainstPeople
	// Persons are the raters, by pseudonym.
	Persons []Person
	// HasDev reports whether the dataset of today has items for tuning.
	HasDev bool
	// Reaffirmed are the confirmations that make labels count for the rubric's words.
	Reaffirmed []calibration.Reaffirmation
	// Copies are labels that are those of another rater or of a judge.
	Copies Copies
}

// Rubric identifies the rubric and the wording that a judge reads.
type Rubric struct {
	ID          string `json:"id"`
	Version     string `json:"version"`
	JudgeDigest string `json:"judge_digest"`
}

// Dataset identifies the dataset.
type Dataset struct {
	Name      string              `json:"name"`
	LabeledBy calibration.Labeler `json:"labeled_by"`
	Raters    int                 `json:"raters"`
	// Paired counts the items that the same two raters labeled, for the criterion with the
	// fewest.
	Paired int `json:"paired"`
	Items  int `json:"items"`
	// Dev counts those of the items that prompts were tuned on, which never count.
	Dev int `json:"dev"`
	// EqualTexts counts those that have the text of another one, with which they count as one.
	EqualTexts int `json:"equal_texts"`
	// LabelsDigest identifies the items, their labels, and the wording that was labeled.
	LabelsDigest string `json:"labels_digest"`
}

// Test is how many of the items count.
func (d Dataset) Test() int { return d.Items - d.Dev - d.EqualTexts }

// Demonstration reports whether the labels only show how the tools work: no judge is
// calibrated by the labels of a rubric's authors or of a model.
func (d Dataset) Demonstration() bool { return d.LabeledBy != calibration.People }

// Judge identifies a run of a judge.
type Judge struct {
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
	// Unmeasured says that the run does not record which labels it was measured against.
	Unmeasured bool `json:"-"`
}

func judge(run *calibration.Run, fresh bool) Judge {
	of := run.Identity()
	return Judge{of.Name, run.Name, of.Model, of.Prompt, of.Repeats, run.Date, run.Started, fresh, run.Items == 0}
}

// Identity is the judge of the run.
func (j *Judge) Identity() calibration.Identity {
	return calibration.Identity{Name: j.Name, Model: j.Model, Prompt: j.PromptDigest, Repeats: max(j.Repeats, 1)}
}

// Start is when the run began.
func (j *Judge) Start() calibration.Start {
	return calibration.Start{Run: j.Run, Date: j.Date, Time: j.Started}
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

	agreement.Estimates
	// Confusion has a row for each level of people and a column for each of the
	// judge, from 1 to 5.
	Confusion [][]int `json:"confusion"`
	// Verdict compares judge and people on whether the criterion passes.
	Verdict agreement.Verdicts `json:"verdict"`

	// People is the agreement of raters with each other.
	People People `json:"people"`
	// AgainstPeople compares the judge with each person on equal terms.
	AgainstPeople agreement.Compared `json:"against_people"`
	// Repeats is the agreement of the judge with itself.
	Repeats agreement.Repeats `json:"repeats"`

	// Flat means that all labels are the same, so that no order can be compared.
	Flat bool `json:"-"`
	// compare computes AgainstPeople; nil if that is done.
	compare func() agreement.Compared
	// raters are in the order of the columns of labels.
	raters []ofRater
}

// Compare compares the judge with people, which takes longer than all else, and of an earlier run
// is rarely needed.
func (c *Criterion) Compare() *agreement.Compared {
	if c.compare != nil {
		c.AgainstPeople, c.compare = c.compare(), nil
	}
	return &c.AgainstPeople
}

// People is the agreement of raters with each other on a criterion.
type People struct {
	Raters int `json:"raters"`
	// Alpha is Krippendorff's alpha for ordered levels.
	Alpha agreement.Value `json:"alpha"`
	// Paired counts the items that the same two raters labeled, and OfPair is their agreement.
	Paired int             `json:"-"`
	OfPair agreement.Value `json:"-"`
}

// Person is a rater, compared with the others.
type Person struct {
	// Rater is the pseudonym.
	Rater string `json:"rater"`
	// Criteria are those for which the person gave labels.
	Criteria []Rater `json:"criteria"`
	// Verdict compares the person and the others on whether an item passes.
	Verdict agreement.Verdicts `json:"verdict"`
}

// Rater compares a rater with the others on a criterion.
type Rater struct {
	Criterion string `json:"criterion"`
	agreement.Rater
}

type ofRater struct {
	name string
	agreement.Rater
}

// Overall summarizes the correlations of the criteria, unweighted. Ratings are never
// pooled.
type Overall struct {
	Mean    agreement.Value `json:"mean"`
	Minimum agreement.Value `json:"minimum"`
	// MinimumOf is the criterion with the lowest value, or "".
	MinimumOf string `json:"minimum_of"`
}
