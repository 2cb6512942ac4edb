package site

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/layout"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// origin is what the library says about a version.
type origin = library.Version

// version is a version of a document with its changes since an earlier one. index.json has its
// exported fields.
type version struct {
	origin
	Path string `json:"path"` // of the canonical form, from the root of the site
	// Valid are the times in which the version was valid, in ascending order. ValidBy is what
	// they are the times of.
	Valid []interval `json:"valid,omitempty"`
	By    string     `json:"valid_by,omitempty"`
	// PullRequest and ApprovedBy are from the forge, and Named from the commit.
	PullRequest string   `json:"pull_request,omitempty"`
	ApprovedBy  []string `json:"approved_by,omitempty"`
	Named       []string `json:"named_reviewers,omitempty"`

	// Committed is the time of the commit that first had the version, and Released that of the
	// library release; zero if they are unknown. from is the latter, or the former without it.
	Committed time.Time `json:"committed,omitzero"`
	Released  time.Time `json:"released,omitzero"`
	from      time.Time
	// Unlabeled leaves out the time of the origin, which Committed has.
	Unlabeled string `json:"time,omitempty"`
	// ending is the library release that yanked the version, and end its time. over is whether
	// the version is yanked or its document retired, even if the time is not recorded.
	ending string
	end    time.Time
	over   bool
	// Before is the earlier version that its changes are counted from, "" for the first one, and
	// Others are all that it is compared with, newest first.
	Before  string         `json:"-"`
	Others  []string       `json:"-"`
	changed *diff.Document // nil for the first
	// Accepted is why the owners accepted that the changes are larger than the number
	// says, or "".
	Accepted string `json:"-"`
	// Rubric or RuleSet is the version itself, and data its canonical form.
	Rubric  *rubric.Rubric   `json:"-"`
	RuleSet *ruleset.RuleSet `json:"-"`
	data    []byte
}

// Page, JSON, YAML, and Comparison return the names of files in the document's folder.
func (v *version) Page() string       { return v.Version + ".html" }
func (v *version) JSON() string       { return v.Version + ".json" }
func (v *version) YAML() string       { return v.Version + ".yaml" }
func (v *version) Comparison() string { return v.Before + "..." + v.Version + ".html" }

// Class returns the class of the version's changes, "first" for a first version, or
// "error" if the versions can't be compared.
func (v *version) Class() string {
	switch {
	case v.changed == nil:
		return "first"
	case v.changed.Unreadable():
		return "error"
	}
	return v.changed.Class.String()
}

// Change returns the class in words.
func (v *version) Change() string {
	switch v.Class() {
	case "first":
		return "first version"
	case "error":
		return "can't be compared with " + v.Before
	}
	return v.Class() + " since " + v.Before
}

// Exceeds reports whether the changes are larger than the number of the version says.
func (v *version) Exceeds() bool {
	return v.changed != nil && v.changed.TooLow
}

// Effect returns what the version means to those whose work is graded, or "".
func (v *version) Effect() string { return compat.Effect(v.Changes()) }

// Changes returns the changes of the version.
func (v *version) Changes() []compat.Change {
	if v.changed == nil {
		return nil
	}
	return v.changed.Changes
}

// document writes the pages of a document and completes its entry for lists.
func (b *builder) document(e *entry) error {
	line := e.Entry
	versions, err := b.versions(line)
	if err != nil {
		return err
	}
	b.date(line, versions)
	statistics, err := b.statistics(line)
	if err != nil {
		return err
	}
	e.Versions, e.Reports = versions, statistics.Reports
	latest := e.Newest()
	if e.Line, err = bundlefile.LineOf(line.ID, string(line.Kind), latest.data, []bundlefile.Version{{}}); err != nil {
		return err
	}
	e.Committed, e.Released = latest.Committed, latest.Released
	var metadata map[string]string
	if latest.Rubric != nil {
		metadata = latest.Rubric.Metadata
	} else {
		metadata = latest.RuleSet.Metadata
	}
	e.Owner, e.License = metadata["owner"], metadata["license"]
	if b.options.Owners != nil {
		for _, owner := range b.options.Owners(e.Source()) { // by CODEOWNERS
			if !slices.ContainsFunc(e.owners(), func(known string) bool { return strings.EqualFold(known, owner) }) {
				e.Owner = strings.TrimPrefix(e.Owner+", "+owner, ", ")
			}
		}
	}
	e.Change = latest.Change()
	e.Alone = len(b.types[line.ArtifactType]) == 1
	for i := range versions {
		v := &versions[i]
		v.Path = path.Join(e.Folder, v.JSON())
		err := b.putTexts(e, v)
		switch {
		case err != nil:
		case line.Kind == bundlefile.KindRuleSet:
			err = b.ruleSetPage(e, i)
		default:
			err = b.rubricPage(e, i, statistics)
		}
		if err != nil {
			return err
		}
	}
	return b.comparisons(e)
}

// putTexts writes the canonical form of a version, and the same as YAML.
func (b *builder) putTexts(e *entry, v *version) error {
	made, err := layout.Canonical(v.kind(), v.data)
	if err != nil {
		return fmt.Errorf("version %s: %w", v.Version, err)
	}
	if err := b.put(v.Path, v.data); err != nil {
		return err
	}
	return b.put(path.Join(e.Folder, v.YAML()), made)
}

func (v *version) kind() *document.Kind {
	if v.RuleSet != nil {
		return &document.RuleSet
	}
	return &document.Rubric
}

func (b *builder) versions(line *library.Entry) ([]version, error) {
	available := line.Available()
	versions := make([]version, len(available))
	for i, v := range available {
		d, err := b.library.Get(context.Background(), line.ID, v.Version)
		if err != nil {
			return nil, fmt.Errorf("version %s: %w", v.Version, err)
		}
		versions[i] = version{origin: v, Committed: timeOf(v), Rubric: d.Rubric, RuleSet: d.RuleSet, data: d.JSON()}
		if i == 0 {
			continue
		}
		before := i - 1
		for before > 0 && versions[before].Yanked != "" {
			before-- // to the version that constraints select
		}
		for j := i - 1; j >= 0; j-- {
			if len(versions) <= allPairs || j == i-1 || j == before || i == latestOf(line) || j == latestOf(line) {
				versions[i].Others = append(versions[i].Others, versions[j].Version)
			}
		}
		if b.options.Accepted != nil {
			versions[i].Accepted = b.options.Accepted(line.ID, v.Version)
		}
		versions[i].Before = versions[before].Version
		if versions[i].changed, err = compared(line, &versions[before], &versions[i]); err != nil {
			return nil, fmt.Errorf("version %s: %w", v.Version, err)
		}
	}
	return versions, nil
}

// latestOf returns the place of the latest version among those that are available.
func latestOf(line *library.Entry) int {
	return slices.IndexFunc(line.Available(), func(v library.Version) bool { return v.Version == line.Latest })
}

func compared(line *library.Entry, before, after *version) (*diff.Document, error) {
	packed := func(v *version) *change.Library {
		return change.Packed(v.Version, v.Version, map[string][]byte{bundlefile.DocumentPath(string(line.Kind), line.ID, v.Version): v.data}, nil)
	}
	judged, err := change.Versus([]*change.Library{packed(before)}, packed(before), packed(after), true)
	if err != nil {
		return nil, err
	}
	c := diff.Of(judged)
	if len(c.Documents) == 0 {
		return nil, fmt.Errorf("it has the same content as %s", before.Version)
	}
	return &c.Documents[0], nil
}

// statistics returns the statistics of a rubric's dataset with the reports on its latest
// version, which are empty if there are none.
func (b *builder) statistics(line *library.Entry) (*report.Statistics, error) {
	data, err := b.library.Statistics(line.Calibration)
	s := &report.Statistics{}
	if err != nil || data == nil {
		return s, err
	}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("%s: %w", line.Calibration.Path, err)
	}
	s.Reports = slices.DeleteFunc(s.Reports, func(r report.View) bool { return r.Rubric.ID != line.ID || r.Rubric.Version != line.Latest })
	return s, nil
}

// documentPage is the common data of the pages of both kinds of documents.
type documentPage struct {
	page
	Entry   *entry
	Version *version
	Latest  bool // whether the page's version is the latest
	// ToLatest is the page that compares the version with the latest one.
	ToLatest string
	// Name, Description, Language, Labels, and Metadata are those of the version.
	Name, Description, Language, Labels string
	Metadata                            map[string]string

	Passes     string // when work passes: the end of a sentence after "if"
	Ending     string // why the document is retired or deprecated, or ""
	ReplacedBy string // the ID of what to use instead, or ""
	// Replacement is its page from the root of the site, or "" if the library has none.
	Replacement string
	// Ended reports whether nobody should start to use the version, and Instead is what leads
	// to its replacement, or nil.
	Ended   bool
	Instead *instead
	// Switch are all versions, newest first, to choose one.
	Switch []version
	// Known is until when the site knows the library, zero if that is not recorded.
	Known    time.Time
	Commands []command
	Programs []command
	// Details are the keys that have no other place on the page.
	Details []document.Detail
}

// instead is a page of what to use instead, relative to the page that leads to it, and its name.
type instead struct{ Page, Name string }

func (b *builder) documentPage(e *entry, i int, scripts ...string) (documentPage, error) {
	v := &e.Versions[i]
	details, err := document.Details(v.kind(), v.data, "calibration_dataset", "language", "metadata") // which have their own place
	p := documentPage{
		page:  b.newPage(path.Join(e.Folder, v.Page()), "", scripts...),
		Entry: e, Version: v, Latest: v.Version == e.Latest, Details: details, Switch: slices.Clone(e.Versions), Known: b.until,
		Commands: b.commands("version", e, v), Programs: b.commands(string(e.Kind), e, v),
	}
	p.Summary = e.Summary()
	slices.Reverse(p.Switch)
	p.ToLatest = v.Version + "..." + e.Latest + ".html"
	if slices.Contains(v.Others, e.Latest) {
		p.ToLatest = e.Latest + "..." + v.Version + ".html"
	}
	if e.Retired != nil {
		p.Ending, p.ReplacedBy = "This document is retired and no longer in the library. "+e.Retired.Reason, e.Retired.ReplacedBy
	} else if e.Deprecated != nil {
		p.Ending, p.ReplacedBy = "This document is deprecated. Do not start using it. "+e.Deprecated.Reason, e.Deprecated.ReplacedBy
	}
	if other := b.entryOf(p.ReplacedBy); other != nil {
		p.Replacement = other.Page
		p.Instead = &instead{p.Root + p.Replacement, other.Name}
	} else if p.Ending == "" && v.Yanked != "" && !p.Latest {
		p.Instead = &instead{"index.html", e.Latest}
	}
	p.Ended = p.Ending != "" || v.Yanked != ""
	return p, err
}

// putDocument writes the page of a version, which is permanent. The page of the document has the
// content of its latest version, so a link to a part of it works without scripts.
func (b *builder) putDocument(templateName string, data any, p *documentPage) error {
	p.Title = p.Name + " " + p.Version.Version
	made, err := b.made(templateName, data)
	if err != nil {
		return err
	}
	if err := b.put(path.Join(p.Entry.Folder, p.Version.Page()), made); err != nil || !p.Latest {
		return err
	}
	p.Entry.Passes = p.Passes
	return b.put(p.Entry.Page, made)
}
