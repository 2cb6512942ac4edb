package site

import (
	"slices"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	"github.com/rubric-library/rubric-library/internal/document"
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
	approval
	moments
	// Unlabeled leaves out the time of the origin, which Committed has.
	Unlabeled string `json:"time,omitempty"`
	// Before is the earlier version that its changes are counted from, "" for the first one, and
	// Others are all that it is compared with, newest first.
	Before  string             `json:"-"`
	Others  []string           `json:"-"`
	changed *diff.DocumentDiff // nil for the first
	// Accepted is why the owners accepted that the changes are larger than the number
	// says, or "".
	Accepted string `json:"-"`
	// Rubric or RuleSet is the version itself, and data its canonical form.
	Rubric  *rubric.Rubric   `json:"-"`
	RuleSet *ruleset.RuleSet `json:"-"`
	data    []byte
}

// approval is who approved a version: PullRequest and ApprovedBy are from the forge, and Named from
// the commit.
type approval struct {
	PullRequest string   `json:"pull_request,omitempty"`
	ApprovedBy  []string `json:"approved_by,omitempty"`
	Named       []string `json:"named_reviewers,omitempty"`
}

// moments are when a version came and went.
type moments struct {
	// Committed is the time of the commit that first had the version, and Released that of the
	// library release; zero if they are unknown. from is the latter, or the former without it.
	Committed time.Time `json:"committed,omitzero"`
	Released  time.Time `json:"released,omitzero"`
	from      time.Time
	// ending is the library release that yanked the version, and end its time. over is whether
	// the version is yanked or its document retired, even if the time is not recorded.
	ending string
	end    time.Time
	over   bool
}

// Page, JSON, YAML, and Comparison return the names of files in the document's folder.
func (v *version) Page() string { return v.Version + ".html" }

func (v *version) JSON() string { return v.Version + ".json" }

func (v *version) YAML() string { return v.Version + ".yaml" }

func (v *version) Comparison() string { return v.Before + "..." + v.Version + ".html" }

// Class returns the class of the version's changes, "first" for a first version, or
// "error" if the versions can't be compared.
func (v *version) Class() string {
	switch {
	case v.changed == nil:
		return "first"
	case v.changed.IsUnreadable():
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
func (v *version) Changes() []compat.MeaningChange {
	if v.changed == nil {
		return nil
	}
	return v.changed.Changes
}

func (v *version) kind() *document.Kind {
	if v.RuleSet != nil {
		return &document.RuleSet
	}
	return &document.Rubric
}

// approvalKind returns how the approval of a version is known.
func (v *version) approvalKind() string {
	switch {
	case len(v.ApprovedBy) > 0:
		return "approved"
	case len(v.Named) > 0:
		return "named, not verified"
	}
	return "not recorded"
}

// isDeprecated reports whether the version says that it should no longer be used.
func (v *version) isDeprecated() bool {
	if v.Rubric != nil {
		return v.Rubric.Deprecated != nil
	}
	return v.RuleSet.Deprecated != nil
}

// Never reports whether no reference without a version ever got the version.
func (v *version) Never() bool { return !v.from.IsZero() && len(v.Valid) == 0 }

// Interval returns when the version is valid in words, such as "valid since 1 June 2026", or "" if
// that is unknown.
func (v *version) Interval() string {
	if v.Never() {
		return "never valid: its release has a later version, or yanks it"
	}
	var words []string
	for _, i := range v.Valid {
		words = append(words, i.words(v.over))
	}
	if len(words) == 0 {
		return ""
	}
	return "valid " + strings.Join(words, ", and ")
}

// Dates returns the two dates of the version, labeled.
func (v *version) Dates() string {
	committed, released := "commit date not recorded", "release not recorded"
	if day := date(v.Committed); day != "" {
		committed = "committed " + day
	}
	if day := date(v.Released); day != "" {
		released = "released " + day
	}
	return committed + ", " + released
}

// Approval returns who approved the version, as far as that is recorded.
func (v *version) Approval() string {
	switch {
	case len(v.ApprovedBy) > 0:
		return "approved by " + strings.Join(v.ApprovedBy, ", ")
	case len(v.Named) > 0:
		return "named in the commit: " + strings.Join(v.Named, ", ") + ", not verified"
	}
	return "not recorded"
}

// latestOf returns the place of the latest version among those that are available.
func latestOf(line *library.Entry) int {
	return slices.IndexFunc(line.Available(), func(v library.Version) bool { return v.Version == line.Latest })
}

// timeOf returns the time of the commit of a version, or zero if it is unknown.
func timeOf(v library.Version) time.Time {
	at, err := time.Parse(bundlefile.TimeFormat, v.Time)
	if err != nil {
		return time.Time{}
	}
	return at
}
