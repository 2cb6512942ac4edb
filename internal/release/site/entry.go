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
	// Committed and Released are the times of the latest version, zero if unknown.
	Committed time.Time `json:"committed,omitzero"`
	Released  time.Time `json:"released,omitzero"`
	described
	Versions []version `json:"versions"` // in ascending order
	// Withdrawn are the versions of which only a page is left that says so.
	Withdrawn []withdrawal `json:"withdrawn,omitempty"`
	// Line has what a search covers.
	Line bundlefile.IndexLine `json:"-"`
	// Alone reports whether no other document has the artifact type. Then the type has no
	// page of its own.
	Alone bool `json:"-"`
	evidence
}

// described is what a document's latest version says.
type described struct {
	Criteria int `json:"criteria,omitempty"`
	Rules    int `json:"rules,omitempty"`
	// Owner is who owns the document, by its metadata and then by CODEOWNERS, and License that of its
	// texts; "" if not recorded.
	Owner   string `json:"owner,omitempty"`
	License string `json:"license,omitempty"`
	// Passes is when work passes: the end of a sentence after "if".
	Passes string `json:"passes"`
}

// evidence is what shows whether judges agree with people on a rubric.
type evidence struct {
	// Labeled is the number of labeled texts, and Shown whether the page shows them.
	Labeled int  `json:"-"`
	Shown   bool `json:"-"`
	// Reports are those on the latest version of a rubric, which a bundle can lack.
	Reports []report.View `json:"-"`
	// examples are the labeled texts that the page shows, by item.
	examples map[string]*exampleItem
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
	facts = append(facts, fact{e.Newest().Dates(), ""})
	if e.Owner != "" {
		facts = append(facts, fact{e.Owner, ""})
	}
	if e.Labeled > 0 {
		facts = append(facts, fact{count(e.Labeled, "labeled text", "labeled texts"), ""})
	}
	if e.Calibration != nil && e.Retired == nil {
		for _, said := range e.Evidence() {
			facts = append(facts, fact{said.Text(), said.Class})
		}
	}
	return facts
}
