package site

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// entry is a document in a list, and in index.json.
type entry struct {
	*library.Entry
	Status string `json:"status"`
	Page   string `json:"page"`   // from the root of the site
	Folder string `json:"-"`      // of the page
	Change string `json:"change"` // the class of the latest version in words, or "first version"
	// When is the time of the latest version, zero if unknown.
	When     time.Time `json:"changed,omitzero"`
	Criteria int       `json:"criteria,omitempty"`
	Rules    int       `json:"rules,omitempty"`
	// Owner is who owns the document, and License that of its texts; "" if not recorded.
	Owner   string `json:"owner,omitempty"`
	License string `json:"license,omitempty"`
	// Passes is when work passes: the end of a sentence after "if".
	Passes   string    `json:"passes"`
	Measure  *measure  `json:"calibration,omitempty"` // nil if the rubric has no calibration dataset
	Versions []version `json:"versions"`              // in ascending order
	// Line has what a search covers.
	Line bundlefile.IndexLine `json:"-"`
	// Alone reports whether no other document has the artifact type. Then the type has no
	// page of its own.
	Alone bool `json:"-"`
	// Labeled is the number of labeled texts, and Shown whether the page shows them.
	Labeled int  `json:"-"`
	Shown   bool `json:"-"`
}

// measure is the calibration of a rubric, with what its statistics say about the criterion with
// the lowest correlation.
type measure struct {
	library.Calibration
	Criterion string `json:"criterion,omitempty"`
	// Low and High are the interval of the correlation, and Attainable is the agreement of
	// people with each other.
	Low        *float64 `json:"low,omitempty"`
	High       *float64 `json:"high,omitempty"`
	Attainable *float64 `json:"attainable,omitempty"`
}

func newMeasure(line *library.Entry, s *report.Statistics) *measure {
	if line.Calibration == nil {
		return nil
	}
	m := &measure{Calibration: *line.Calibration}
	if m.Correlation == nil {
		return m
	}
	if m.Gate == "" { // in format 1, only calibrated judges have one
		m.Gate = bundlefile.Met
	}
	at := slices.IndexFunc(s.Reports, func(r report.View) bool {
		return r.Judge != nil && r.Judge.Name == m.Judge && r.Judge.Date == m.Date
	})
	if at < 0 {
		return m // format 1 does not name the judge
	}
	r := &s.Reports[at]
	for i := range r.Criteria {
		c := &r.Criteria[i]
		if c.Name != r.Overall.MinimumOf {
			continue
		}
		m.Criterion = c.Name
		if c.Spearman.Defined() && c.Spearman.Interval.Defined() {
			m.Low, m.High = &c.Spearman.Interval.Low, &c.Spearman.Interval.High
		}
		if c.People.Attainable.Defined() {
			m.Attainable = &c.People.Attainable.Number
		}
	}
	return m
}

// String returns the calibration as one line.
func (m *measure) String() string {
	text := "not calibrated"
	switch {
	case m == nil:
		return "no calibration dataset"
	case m.Gate == bundlefile.Met:
		text = "calibrated"
	case m.Gate == bundlefile.LibraryLimits:
		text = "meets this library's limits"
	case m.Rank == bundlefile.Met:
		text = "may rank, but not gate"
	}
	if m.Correlation != nil {
		text += fmt.Sprintf(": %.2f", *m.Correlation)
	}
	if m.Low != nil && m.High != nil {
		text += fmt.Sprintf(" (%.2f to %.2f)", *m.Low, *m.High)
	}
	if m.Attainable != nil {
		text += fmt.Sprintf(", attainable %.2f", *m.Attainable)
	}
	if m.Judge != "" {
		text += fmt.Sprintf(", with %s on %s", m.Judge, m.Date)
	}
	return text
}

// The statuses of documents.
const (
	active     = "active"
	draft      = "draft"
	deprecated = "deprecated"
	retired    = "retired"
)

func statusOf(line *library.Entry) string {
	switch {
	case line.Retired != nil:
		return retired
	case line.Deprecated != nil:
		return deprecated
	case strings.HasPrefix(line.Latest, "0."):
		return draft
	}
	return active
}

// Newest returns the latest version.
func (e *entry) Newest() *version { return &e.Versions[latestOf(e.Entry)] }

// summaryLength is the maximum length of a summary in characters.
const summaryLength = 180

// Summary returns the beginning of the description in one line.
func (e *entry) Summary() string {
	return shortened(render.FirstSentence(e.Description))
}

// Source returns the file of the document in the library.
func (e *entry) Source() string { return path.Join("rubrics", e.ArtifactType, e.ID+".yaml") }

// mostChips is how many criteria or rules a list names.
const mostChips = 8

// Chips returns the names of the first criteria, or the areas of the rules, and how many more
// there are.
func (e *entry) Chips() (names []string) {
	for _, p := range e.Line.Parts {
		name := p.Name
		if e.Kind == bundlefile.KindRuleSet {
			name = strings.ReplaceAll(strings.Split(name, ".")[1], "_", " ") // of phase.area.name
		}
		if p.List != "negative_criteria" && !slices.Contains(names, name) {
			names = append(names, sanitize.Line(name))
		}
	}
	if more := len(names) - mostChips; more > 0 {
		names = append(names[:mostChips], fmt.Sprintf("and %d more", more))
	}
	return names
}

func (e *entry) calibrated() bool { return e.Measure != nil && e.Measure.Gate == bundlefile.Met }

// fact is what a list shows of a document. Class is its class in the style sheet, or "".
type fact struct{ Text, Class string }

// Facts returns what a list shows of the document after its name, ID, and summary.
func (e *entry) Facts() []fact {
	parts := count(e.Criteria, "criterion", "criteria")
	if e.Kind == bundlefile.KindRuleSet {
		parts = count(e.Rules, "rule", "rules")
	}
	facts := []fact{{strings.ReplaceAll(string(e.Kind), "_", " ") + " " + e.Latest, ""}}
	if e.Status != active {
		facts = append(facts, fact{e.Status, e.Status})
	}
	facts = append(facts, fact{parts, ""})
	if day := date(e.When); day != "" {
		facts = append(facts, fact{"updated " + day, ""})
	}
	if e.Owner != "" {
		facts = append(facts, fact{e.Owner, ""})
	}
	if e.Labeled > 0 {
		facts = append(facts, fact{count(e.Labeled, "labeled text", "labeled texts"), ""})
	}
	if e.Measure != nil && e.Retired == nil {
		class := ""
		if e.calibrated() {
			class = "calibrated"
		}
		facts = append(facts, fact{e.Measure.String(), class})
	}
	return facts
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
