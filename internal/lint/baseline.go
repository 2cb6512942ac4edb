package lint

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// Baseline counts the findings that a library starts with. It has no line numbers, so
// edits elsewhere in a document do not affect it. A nil *Baseline is empty.
type Baseline struct {
	counts map[group]int
	at     map[group]source.Location
	// broken are the IDs and files with an error that keeps some lint rules from
	// checking them.
	broken map[string]bool
}

// group is the unit of a baseline: a lint rule and a document or, if its ID is unknown,
// a file.
type group struct {
	RuleID string `json:"rule"`
	ID     string `json:"id,omitempty"`
	File   string `json:"file,omitempty"`
}

func groupOf(f *Finding) group {
	if document.IsID(f.ID) {
		return group{RuleID: f.Rule.ID, ID: f.ID}
	}
	return group{RuleID: f.Rule.ID, File: f.File}
}

// About returns what the group is about, for messages.
func (g group) About() string { return schema.Quote(cmp.Or(g.ID, g.File)) }

func compareGroups(a, b group) int {
	return cmp.Or(cmp.Compare(a.RuleID, b.RuleID), cmp.Compare(a.ID, b.ID), cmp.Compare(a.File, b.File))
}

// countable reports whether a baseline can count a finding. It can't count findings that
// can't be suppressed, findings in the history, and notes.
func countable(f *Finding) bool {
	return !f.Rule.Unsuppressable && !Checks[OfHistory](f.Rule) && f.Severity > Note
}

// NewBaseline counts findings.
func NewBaseline(findings []Finding) *Baseline {
	b := &Baseline{counts: map[group]int{}, broken: map[string]bool{}}
	for i := range findings {
		f := &findings[i]
		switch {
		case countable(f):
			b.counts[groupOf(f)]++
		case f.Rule.Unsuppressable && f.Severity == Error:
			b.broken[f.ID], b.broken[f.File], b.broken[Stem(f.File)] = true, true, true
		}
	}
	return b
}

// Len returns how many findings the baseline counts.
func (b *Baseline) Len() int {
	n := 0
	for _, count := range b.counts {
		n += count
	}
	return n
}

// Prune returns the baseline without findings that are gone; no count grows. found is
// the baseline of the current findings. Entries that were not checked stay: known are the rules of
// the library and running those that ran; repository says whether the repository rules ran.
func (b *Baseline) Prune(found *Baseline, known, running []*Rule, repository bool) *Baseline {
	out := &Baseline{counts: map[group]int{}}
	for g, n := range b.counts {
		rule := Find(known, g.RuleID)
		if !waits(rule, running) && found.hasChecked(g, rule, repository) {
			n = min(n, found.counts[g])
		}
		if n > 0 {
			out.counts[g] = n
		}
	}
	return out
}

// waits reports whether a rule of the checked library did not run, because the target does not have
// it yet.
func waits(r *Rule, running []*Rule) bool {
	return r != nil && r.Family == FamilyOwn && Find(running, r.ID) == nil
}

// hasChecked reports whether the run that b counts has checked a group. r is the lint rule of
// the group, or nil.
func (b *Baseline) hasChecked(g group, r *Rule, repository bool) bool {
	switch {
	case r == nil || r.Unsuppressable || Checks[OfHistory](r):
		return true // such findings are never counted
	case Checks[OfRepository](r):
		return repository
	}
	return !b.broken[cmp.Or(g.ID, g.File)]
}

// Bytes returns the baseline as a file. Equal counts give equal bytes.
func (b *Baseline) Bytes() ([]byte, error) {
	type entry struct {
		group
		Count int `json:"count"`
	}
	var lines []string
	for _, g := range slices.SortedFunc(maps.Keys(b.counts), compareGroups) {
		line, err := json.Marshal(entry{g, b.counts[g]})
		if err != nil {
			return nil, err
		}
		lines = append(lines, "\n    "+string(line))
	}
	if len(lines) > 0 {
		lines[len(lines)-1] += "\n  "
	}
	out := []byte("{\n  \"schema_version\": 1,\n  \"findings\": [" + strings.Join(lines, ",") + "]\n}\n")
	if len(out) > safefile.MaxRun {
		return nil, fmt.Errorf("the baseline would have %d bytes, but at most %d are read. Fix some findings first, or set the severity of their lint rule to note in %s",
			len(out), safefile.MaxRun, ConfigFile)
	}
	return out, nil
}

// LoadBaseline reads the baseline of the library in fsys; nil if it has none.
func LoadBaseline(fsys fs.FS) (*Baseline, error) {
	f, err := loadFile(fsys, BaselineFile, "the baseline")
	if f == nil {
		return nil, err
	}
	return ParseBaseline(f)
}

// ParseBaseline reads a baseline. The error is a *FileError.
func ParseBaseline(f *source.File) (*Baseline, error) {
	d := document.ParseRun(f, &document.Baseline)
	problems := d.Problems
	b := &Baseline{counts: map[group]int{}, at: map[group]source.Location{}}
	if len(problems) == 0 {
		for _, n := range d.Root().Get("findings").Items {
			g := group{n.Get("rule").Text(), n.Get("id").Text(), n.Get("file").Text()}
			if _, twice := b.counts[g]; twice {
				problems = append(problems, source.Problem{
					Span:    n.Span,
					Message: fmt.Sprintf("%s of %s appears twice. Remove one of the entries.", g.RuleID, g.About()),
				})
			}
			count, _ := strconv.ParseFloat(n.Get("count").Text(), 64) // the table allows whole numbers, including 1.0
			b.counts[g] = int(count)
			b.at[g] = source.Locate(f, n.Span)
		}
	}
	if len(problems) > 0 {
		return nil, newFileError("the baseline is not valid; `rubric-lint --write-baseline` creates a new one", f, problems)
	}
	return b, nil
}

// Allowance says how many findings of a group are hidden: as many as the library's own
// baseline counts, but no more than the target allows. A change therefore can't hide
// its own findings.
type Allowance struct {
	// Own is the baseline of the checked library; nil if it has none.
	Own *Baseline
	// Target is the baseline at the target's tip, which limits all counts; nil for
	// no limit.
	Target *Baseline
	// Same reports whether the target has an identical file. If the target has no
	// baseline yet, the first one counts for these files. Nil means all files.
	Same func(file string) (bool, error)

	// leaving are the IDs of rules that the checked library no longer has, but the target still has.
	// The change can remove their entries, too, which the target has as long as it has the rules.
	leaving map[string]bool
}

// leaving returns the IDs of the rules that run, but are not known to the checked library.
func leaving(running, known []*Rule) map[string]bool {
	ids := map[string]bool{}
	for _, r := range running {
		if Find(known, r.ID) == nil {
			ids[r.ID] = true
		}
	}
	return ids
}

// counted returns how many findings of a group the baseline counts.
func (a *Allowance) counted(g group) int {
	if a.leaving[g.RuleID] && a.Target != nil {
		return a.Target.counts[g]
	}
	return a.Own.counts[g]
}

// limitOf returns how many findings of a group are hidden.
func (a *Allowance) limitOf(g group, findings []*Finding) (int, error) {
	n := a.counted(g)
	switch {
	case a.Target != nil:
		return min(n, a.Target.counts[g]), nil
	case a.Same == nil:
		return n, nil
	}
	for _, f := range findings {
		if same, err := a.Same(f.File); err != nil || !same {
			return 0, err
		}
	}
	return n, nil
}

// apply hides the allowed findings. If a group has more, all of them are shown, because
// it is unknown which are new.
func (a *Allowance) apply(findings []Finding) error {
	if a.Own == nil {
		return nil
	}
	groups := map[group][]*Finding{}
	for i := range findings {
		f := &findings[i]
		if g := groupOf(f); countable(f) && a.counted(g) > 0 {
			groups[g] = append(groups[g], f)
		}
	}
	for g, findings := range groups {
		allowed, err := a.limitOf(g, findings)
		if err != nil {
			return err
		}
		for _, f := range findings {
			switch own := a.counted(g); {
			case len(findings) <= allowed:
				f.hidden = true
			case len(findings) <= own:
				f.Message += fmt.Sprintf(" The baseline before this change allows %d of these here, but there are %d. Additions to the baseline take effect after the change is merged.",
					allowed, len(findings))
			default:
				f.Message += fmt.Sprintf(" The baseline allows %d of these here, but there are %d.", allowed, len(findings))
			}
		}
	}
	return nil
}
