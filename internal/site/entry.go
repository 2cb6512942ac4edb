package site

import (
	"fmt"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/calibration"
)

// entry is what lists say of a document.
type entry struct {
	*bundlefile.IndexLine
	Folder string
	// Count is the number of criteria or rules.
	Count int
	// Change says what the latest version is: "first version", or its class.
	Change string
	// When is when that version came, zero if it is not known.
	When    time.Time
	Measure *measure // nil where no labelled items are named
}

// measure is the calibration of a rubric in numbers.
type measure struct {
	// Correlation is the lowest over the criteria; nil if there is none that counts.
	// Then Reason says why.
	Correlation *float64 `json:"correlation,omitempty"`
	Reason      string   `json:"reason,omitempty"`
	// Criterion is the one with the lowest correlation, Low and High its interval,
	// and Ceiling what people reach with each other on it.
	Criterion string   `json:"criterion,omitempty"`
	Low       *float64 `json:"low,omitempty"`
	High      *float64 `json:"high,omitempty"`
	Ceiling   *float64 `json:"ceiling,omitempty"`
}

// newMeasure joins what the index says with the report that it says it of.
func newMeasure(line *bundlefile.IndexLine, reports []*calibration.Report) *measure {
	if line.Calibration == nil {
		return nil
	}
	m := &measure{Correlation: line.Calibration.Correlation, Reason: line.Calibration.Reason}
	if m.Correlation == nil {
		return m
	}
	r := newest(reports)
	if r == nil {
		return m
	}
	for i := range r.Criteria {
		c := &r.Criteria[i]
		if c.Name != r.Overall.MinimumOf {
			continue
		}
		m.Criterion = c.Name
		if c.Spearman.Defined() && c.Spearman.Interval.Defined() {
			m.Low, m.High = &c.Spearman.Interval.Low, &c.Spearman.Interval.High
		}
		if c.People.Ceiling.Defined() {
			m.Ceiling = &c.People.Ceiling.Number
		}
	}
	return m
}

// newest is the report that the correlation is of: of those that are calibrated the
// one with the newest run, of two that are equal the first. It is nil if there is none.
func newest(reports []*calibration.Report) *calibration.Report {
	var found *calibration.Report
	for _, r := range reports {
		if r.Calibrated && r.Judge != nil && (found == nil || r.Judge.Date > found.Judge.Date) {
			found = r
		}
	}
	return found
}

// String is the calibration in a line.
func (m *measure) String() string {
	if m == nil {
		return "no calibration: no labelled items are named"
	}
	if m.Correlation == nil {
		return "not calibrated: " + firstSentence(m.Reason)
	}
	text := fmt.Sprintf("calibration %.2f", *m.Correlation)
	if m.Low != nil && m.High != nil {
		text += fmt.Sprintf(" (%.2f to %.2f)", *m.Low, *m.High)
	}
	if m.Ceiling != nil {
		text += fmt.Sprintf(", ceiling %.2f", *m.Ceiling)
	}
	return text
}

// firstSentence is what fits into a list.
func firstSentence(text string) string {
	sentence, _, more := strings.Cut(text, ". ")
	if more {
		sentence += "."
	}
	return sentence
}

// The statuses of documents.
const (
	active     = "active"
	draft      = "draft"
	deprecated = "deprecated"
	retired    = "retired"
)

var statuses = []string{active, draft, deprecated, retired}

// Status is what became of the document.
func (e *entry) Status() string {
	switch {
	case e.Retired:
		return retired
	case e.Deprecated != nil:
		return deprecated
	case strings.HasPrefix(e.Latest, "0."):
		return draft
	}
	return active
}

// Page is the page of the document, from the top of the site.
func (e *entry) Page() string { return e.Folder + "/index.html" }

// KindWords is the kind for people.
func (e *entry) KindWords() string { return kindWords(e.Kind) }

func kindWords(kind string) string {
	if kind == bundlefile.KindRuleSet {
		return "rule set"
	}
	return "rubric"
}

// Facts are what a list says of the document besides its name and ID.
func (e *entry) Facts() []string {
	facts := []string{e.KindWords() + " " + e.Latest, e.Status(), countOf(e)}
	if e.Kind == bundlefile.KindRubric && !e.Retired {
		facts = append(facts, e.Measure.String())
	}
	change := e.Change
	if day := date(e.When); day != "" {
		change += " on " + day
	}
	return append(facts, "last change: "+change)
}

func countOf(e *entry) string {
	if e.Kind == bundlefile.KindRuleSet {
		return count(e.Count, "rule", "rules")
	}
	return count(e.Count, "criterion", "criteria")
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
