package lint

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// Change is what the fixes of one file do to it.
type Change struct {
	// Path is the file, NewPath the name that it gets; they are equal unless it
	// is renamed.
	Path, NewPath string
	// Before and After are its contents.
	Before, After []byte
	// Fixes are the fixes that are made, in the order of their places.
	Fixes []*source.Fix
}

// Fixes works out what the fixes of the findings do to the files, sorted by
// path, and changes nothing. Of fixes that contradict each other the first is
// made; a second run finds the rest.
func Fixes(fsys fs.FS, opts Options, findings []Finding) ([]Change, error) {
	byFile := map[string][]*source.Fix{}
	var order []string
	for i := range findings {
		f := &findings[i]
		if f.Fix == nil {
			continue
		}
		if byFile[f.File] == nil {
			order = append(order, f.File)
		}
		byFile[f.File] = append(byFile[f.File], f.Fix)
	}
	slices.Sort(order)
	taken := map[string]bool{}
	var changes []Change
	for _, name := range order {
		data, ok := opts.Instead[name]
		if !ok {
			var err error
			if data, err = limits.ReadFile(fsys, name); limits.IsTooLarge(err) {
				continue // a person has to shorten it first
			} else if err != nil {
				return nil, fmt.Errorf("%s can't be read: %w", name, safefile.Reason(err))
			}
		}
		c, err := fixFile(name, data, byFile[name], taken)
		if err != nil {
			return nil, err
		}
		if len(c.Fixes) > 0 {
			changes = append(changes, c)
		}
	}
	return changes, nil
}

// fixFile makes the fixes of one file. taken has the names that other files get.
func fixFile(name string, data []byte, fixes []*source.Fix, taken map[string]bool) (Change, error) {
	c := Change{Path: name, NewPath: name, Before: data, After: data}
	var edits []source.Edit
	for _, fix := range fixes {
		if fix.Rename != "" && fix.Rename != c.NewPath && (c.NewPath != name || taken[fix.Rename]) {
			continue
		}
		after, err := source.Apply(data, append(slices.Clone(edits), fix.Edits...))
		if err != nil {
			continue // contradicts one that is made already
		}
		if fix.Rename != "" && c.NewPath == fix.Rename && len(fix.Edits) == 0 {
			continue // the same rename, asked for by two lint rules
		}
		edits = append(edits, fix.Edits...)
		c.After = after
		c.Fixes = append(c.Fixes, fix)
		if fix.Rename != "" {
			c.NewPath = fix.Rename
			taken[fix.Rename] = true
		}
	}
	return c, c.check()
}

// check makes sure that a fix has not broken what could be read before.
func (c *Change) check() error {
	if bytes.Equal(c.Before, c.After) {
		return nil
	}
	before := document.Parse(source.NewFile(c.Path, c.Before))
	after := document.Parse(source.NewFile(c.Path, c.After))
	if before.Tree != nil && (after.Tree == nil || len(after.Problems) > len(before.Problems)) {
		return fmt.Errorf("the fixes of %s would break it, so nothing was changed. This is a fault of rubric-lint", c.Path)
	}
	return nil
}

// withhold takes away the fixes after which a published document says something
// else: such a change is made by a person, with a version of its own.
func withhold(findings []Finding, published func(id string) bool) {
	for i := range findings {
		if f := &findings[i]; f.Fix != nil && f.Fix.Rewrites && published(f.ID) {
			f.Fix = nil
		}
	}
}
