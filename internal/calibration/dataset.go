package calibration

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// Root is the folder of a library that holds the datasets.
const Root = "calibration"

// The files of a dataset.
const (
	DatasetFile = "dataset.yaml"
	ItemsFile   = "items.jsonl"
	JudgesDir   = "judges"

	// historyFile is what earlier programs wrote. It is not read, and can be removed.
	historyFile = "history.jsonl"
)

// Dataset is a set of labeled items with the answers of judges.
type Dataset struct {
	// Name is the name of the folder.
	Name        string   `json:"-"`
	Description string   `json:"description"`
	AppliesTo   []string `json:"applies_to"`
	LabeledBy   Labeler  `json:"labeled_by"`
	Method      string   `json:"method"`
	License     string   `json:"license"`
	Share       Share    `json:"share"`
	// Criteria are the criteria that were labeled.
	Criteria   []Labeled       `json:"criteria"`
	Reaffirmed []Reaffirmation `json:"reaffirmed"`
	// Accepted are the runs that later ones are compared with, as an owner decided.
	Accepted []Acceptance `json:"accepted"`

	Items  []Item  `json:"-"`
	Judges []Judge `json:"-"` // sorted by name

	// Removed counts the items that exceptions let the history remove, and Together the labels that
	// reached the history in the same commit as answers to their items. They are 0 if nobody looked.
	Removed  int `json:"-"`
	Together int `json:"-"`
	// Elsewhere has, by rubric, what judges answered in other datasets; nil if nobody looked.
	Elsewhere map[string]Elsewhere `json:"-"`

	// File is dataset.yaml as read, and Head its content.
	File *source.File       `json:"-"`
	Head *document.Document `json:"-"`
	// ItemsSource is items.jsonl as read, nil if it does not exist.
	ItemsSource *source.File `json:"-"`

	// Unanswered counts the items that a run did not answer; see AsOf.
	Unanswered int `json:"-"`
}

// Labeler is who labeled the items.
type Labeler string

const (
	// People did not write the rubric; only their labels can calibrate a judge.
	People Labeler = "people"
	// Authors are the authors of the rubric.
	Authors Labeler = "authors"
	// Model is a language model.
	Model Labeler = "model"
)

// Share is the part of a dataset that a bundle includes.
type Share string

const (
	// ShareStatistics includes only the computed statistics. It is the default.
	ShareStatistics Share = "statistics"
	// ShareFull includes the items with their labels.
	ShareFull Share = "full"
)

// Dev is the split of an item that a prompt was tuned on. It never counts.
const Dev = "dev"

// Labeled is a criterion with the judge digest of the wording that raters read.
type Labeled struct {
	Name   string `json:"name"`
	Digest string `json:"digest"`
}

// Reaffirmation states that the labels of a criterion are also valid for another wording.
type Reaffirmation struct {
	Criterion string `json:"criterion"`
	Digest    string `json:"digest"`
	Date      string `json:"date"`
	Reason    string `json:"reason"`
}

// Acceptance states that an owner made a run the reference for later ones of the same judge.
type Acceptance struct {
	Judge        string `json:"judge"`
	Model        string `json:"model"`
	PromptDigest string `json:"prompt_digest"`
	Repeats      int    `json:"repeats"`
	Run          string `json:"run"`
	Date         string `json:"date"`
	Reason       string `json:"reason"`
}

// Identity is the judge that gave the answers of the run.
func (a *Acceptance) Identity() Identity {
	return Identity{a.Judge, a.Model, a.PromptDigest, a.Repeats}
}

// AcceptedRun is the name of the last run of a judge that an owner accepted, or "".
func (d *Dataset) AcceptedRun(judge Identity) string {
	for _, a := range slices.Backward(d.Accepted) {
		if a.Identity() == judge {
			return a.Run
		}
	}
	return ""
}

// Item is an artifact with its labels.
type Item struct {
	ID       string            `json:"id"`
	Artifact string            `json:"artifact"`
	Inputs   map[string]string `json:"inputs,omitempty"`
	// Split is Dev, "test", or "", which is test.
	Split string `json:"split,omitempty"`
	// Tags are words for groups of items.
	Tags []string `json:"tags,omitempty"`
	// Labels are from 1 to 5 by rater and criterion. A fraction is the mean of several
	// people whose own labels were not published.
	Labels map[string]map[string]float64 `json:"labels"`
	// CannotTell has, by rater, the criteria for which the item did not let them tell. A
	// rater has no label for those.
	CannotTell map[string][]string `json:"cannot_tell,omitempty"`
	// Line is the item's line in items.jsonl, from 1, and Span its artifact in the file.
	Line int         `json:"-"`
	Span source.Span `json:"-"`
}

// Judge is the recorded answers of a judge.
type Judge struct {
	Name string
	// Answers are in the order of the files.
	Answers []Answer
	// Files are the files as read: the one that earlier programs wrote for all runs, and then
	// one for each run.
	Files []*source.File

	items map[string]int // the lines of the items of the dataset, nil if they are not known
	runs  func() []Run   // of a judge that was read from files, whose answers do not change; else nil
}

// Answer is a judge's scores for an item, or the reason why they could not be read.
type Answer struct {
	Run    string `json:"run"`
	Item   string `json:"item"`
	Repeat int    `json:"repeat,omitempty"` // from 1
	// Repeats is how often the run asks about each item, 0 if that is not recorded.
	Repeats int `json:"repeats,omitempty"`
	// Attempt is the number of the attempt at the repeat, 0 for the first.
	Attempt int    `json:"attempt,omitempty"`
	Model   string `json:"model"`
	Date    string `json:"date"`
	// Started is when the run began, such as 2026-11-21T09:30:00Z, "" if only the date is known.
	Started string `json:"started,omitempty"`
	// Imported means that the judge was not asked by a command, so that the answers could be a copy
	// of others.
	Imported bool `json:"imported,omitempty"`
	// Digest is the judge digest of the rubric that the judge read.
	Digest string `json:"digest"`
	// Items is how many items the dataset had when the run began, 0 if an earlier program
	// recorded the answer. Labels are the criteria that each rater had answered for this item.
	Items  int                 `json:"items,omitempty"`
	Labels map[string][]string `json:"labels,omitempty"`
	Scores map[string]float64  `json:"scores,omitempty"` // 1 to 5 by criterion
	Error  string              `json:"error,omitempty"`
	// Ended means that the run went on to its end after this answer.
	Ended bool `json:"ended,omitempty"`
	// Unavailable is why the judge could not answer in this attempt, which is not its fault.
	Unavailable string `json:"unavailable,omitempty"`
	// Reasons are what the judge said for its scores, by criterion.
	Reasons map[string]string `json:"reasons,omitempty"`
	// PromptDigest names the judge's prompt, and Usage counts tokens, as the judge says.
	PromptDigest string         `json:"prompt_digest,omitempty"`
	Usage        map[string]int `json:"usage,omitempty"`
	// File is the file that has it, and Line the number of its line.
	File *source.File `json:"-"`
	Line int          `json:"-"`
}

// Text is the line of an answer as recorded.
func (a *Answer) Text() []byte {
	span := a.File.LineSpan(a.Line)
	return a.File.Data[span.Start:span.End]
}

// Test is the dataset without the items that prompts were tuned on: agreement on those
// says nothing about others.
func (d *Dataset) Test() *Dataset {
	only := *d
	only.Items = slices.DeleteFunc(slices.Clone(d.Items), func(item Item) bool { return item.Split == Dev })
	return &only
}

// Dev is the dataset with only the items for tuning.
func (d *Dataset) Dev() *Dataset {
	only := *d
	only.Items = slices.DeleteFunc(slices.Clone(d.Items), func(item Item) bool { return item.Split != Dev })
	return &only
}

// AsOf is the dataset as a run answered it, without the items and labels that were added
// later: what a run says must not change afterward.
func (d *Dataset) AsOf(run *Run) *Dataset {
	if run == nil || run.Items == 0 {
		return d
	}
	then := map[string]*Answer{} // the first by item
	for _, a := range run.firsts() {
		then[a.Item] = a
	}
	only := *d
	only.Items = nil
	for _, item := range d.Items {
		if a := then[item.ID]; a != nil {
			only.Items = append(only.Items, item.withAnswers(a.Labels))
		}
	}
	slices.SortStableFunc(only.Items, func(a, b Item) int { return cmp.Compare(then[a.ID].Line, then[b.ID].Line) })
	only.Unanswered = max(0, run.Items-len(only.Items))
	return &only
}

// AnsweredCriteria returns the criteria that each rater labeled or could not tell.
func (i *Item) AnsweredCriteria() map[string][]string {
	all := map[string][]string{}
	for rater, labels := range i.Labels {
		all[rater] = slices.Sorted(maps.Keys(labels))
	}
	for rater, criteria := range i.CannotTell {
		all[rater] = slices.Sorted(slices.Values(slices.Concat(all[rater], criteria)))
	}
	return all
}

// withAnswers returns the item with some of the raters' answers.
func (i Item) withAnswers(answered map[string][]string) Item {
	all := i
	i.Labels, i.CannotTell = map[string]map[string]float64{}, map[string][]string{}
	for rater, criteria := range answered {
		later := func(c string) bool { return !slices.Contains(criteria, c) }
		if labels, ok := all.Labels[rater]; ok {
			i.Labels[rater] = maps.Clone(labels)
			maps.DeleteFunc(i.Labels[rater], func(c string, _ float64) bool { return later(c) })
		}
		if told := slices.DeleteFunc(slices.Clone(all.CannotTell[rater]), later); len(told) > 0 {
			i.CannotTell[rater] = told
		}
	}
	return i
}

// Judge is the judge of that name, or nil.
func (d *Dataset) Judge(name string) *Judge {
	if i := slices.IndexFunc(d.Judges, func(j Judge) bool { return j.Name == name }); i >= 0 {
		return &d.Judges[i]
	}
	return nil
}

// Raters returns the sorted pseudonyms of all raters with at least one answer.
func (d *Dataset) Raters() []string {
	raters := map[string]bool{}
	for _, item := range d.Items {
		for rater, labels := range item.Labels {
			if len(labels) > 0 {
				raters[rater] = true
			}
		}
		for rater := range item.CannotTell {
			raters[rater] = true
		}
	}
	return slices.Sorted(maps.Keys(raters))
}

// AreFresh reports whether the labels of a criterion are valid for the wording with a
// judge digest: raters read that wording, or an owner reaffirmed the labels for it.
func (d *Dataset) AreFresh(criterion, digest string) bool {
	return slices.Contains(d.Digests(criterion), digest)
}

// Digests returns the judge digests of the wordings that the labels of a criterion are
// valid for.
func (d *Dataset) Digests(criterion string) []string {
	var digests []string
	for _, c := range d.Criteria {
		if c.Name == criterion {
			digests = append(digests, c.Digest)
		}
	}
	for _, r := range d.Reaffirmed {
		if r.Criterion == criterion {
			digests = append(digests, r.Digest)
		}
	}
	return digests
}

// NameOf returns the name of the dataset that a rubric's calibration_dataset refers to,
// or "" if the value is a URL, or neither the folder of a dataset nor its file.
func NameOf(calibrationDataset string) string {
	name, ok := strings.CutPrefix(calibrationDataset, Root+"/")
	name = strings.TrimSuffix(name, "/"+DatasetFile)
	if !ok || !IsName(name) {
		return ""
	}
	return name
}

// IsJudgeName reports whether a text is a valid name of a judge, and of a run that has its
// own file. A bundle has files with these names, whose paths have a limit.
func IsJudgeName(name string) bool {
	const most = 64
	return len(name) <= most && judgeName.MatchString(name)
}

// Run is a set of answers that a judge gave together.
type Run struct {
	Name, Judge, Model, Digest string
	// Date is the day on which the run began, and Started when, "" if that is not recorded.
	Date, Started string
	// Prompt is the digest of the judge's prompt, "" if it gave none.
	Prompt string
	// Items is how many items the dataset had when the run began, 0 if that is not recorded.
	Items int
	// Imported means that answers were imported.
	Imported bool
	// Repeats is how often it asks about each item, as recorded or as it did.
	Repeats int
	// Answers are sorted by item and repeat, with one for each. Where each attempt was
	// unavailable, it is the last, with an error.
	Answers []Answer

	// Unavailable counts the attempts in which the judge could not answer.
	Unavailable int
	// Open counts the questions that can still be asked, and Lost those that were asked and have no
	// readable answer. Both are 0 if the number of items is not recorded.
	Open, Lost int

	ended bool // an answer says so
}

var judgeName = regexp.MustCompile(`^[a-z0-9]+([_-][a-z0-9]+)*$`)

// IsName reports whether a name is valid for a dataset: it must have the form of an ID.
func IsName(name string) bool { return document.IsID(name) }

// Elsewhere counts what judges answered for a rubric in datasets that it does not name, such as one
// that it left when its words changed.
type Elsewhere struct{ Datasets, Runs int }
