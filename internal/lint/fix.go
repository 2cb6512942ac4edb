package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// FileChange is the effect of the fixes of one file.
type FileChange struct {
	// Path is the file, and NewPath its new path; they are equal unless it is
	// renamed.
	Path, NewPath string
	// Before and After are its contents.
	Before, After []byte
	// Fixes are the applied fixes, in the order of their places.
	Fixes []*source.Fix
}

// Fixes computes what the fixes of the findings do to the files, sorted by path. It
// changes no file. If fixes conflict, only the first is applied; a second run finds the
// rest.
func Fixes(fsys fs.FS, opts Options, findings []Finding) ([]FileChange, error) {
	byFile := map[string][]*source.Fix{}
	for i := range findings {
		if f := &findings[i]; f.Fix != nil {
			byFile[f.File] = append(byFile[f.File], f.Fix)
		}
	}
	taken := map[string]bool{}
	var changes []FileChange
	for _, name := range slices.Sorted(maps.Keys(byFile)) {
		data, ok := opts.Instead[name]
		if !ok {
			var err error
			if data, err = safefile.ReadFile(fsys, name); safefile.IsTooLarge(err) {
				continue // a person must shorten it first
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

// fixFile applies the fixes of one file. taken has the new names of other files.
func fixFile(name string, data []byte, fixes []*source.Fix, taken map[string]bool) (FileChange, error) {
	c := FileChange{Path: name, NewPath: name, Before: data, After: data}
	var edits []source.Edit
	for _, fix := range fixes {
		if fix.Rename != "" && fix.Rename != c.NewPath && (c.NewPath != name || taken[fix.Rename]) {
			continue
		}
		after, err := source.Apply(data, append(slices.Clone(edits), fix.Edits...))
		if err != nil {
			continue // conflicts with an applied fix
		}
		if fix.Rename != "" && c.NewPath == fix.Rename && len(fix.Edits) == 0 {
			continue // the same rename by two lint rules
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

// check makes sure that the fixes did not break a file that could be parsed before.
func (c *FileChange) check() error {
	if bytes.Equal(c.Before, c.After) {
		return nil
	}
	before := document.Parse(source.NewFile(c.Path, c.Before))
	after := document.Parse(source.NewFile(c.Path, c.After))
	if before.Tree != nil && (after.Tree == nil || len(after.Problems) > len(before.Problems)) {
		return fmt.Errorf("the fixes of %s would break it, so no file was changed. This is a bug in rubric-lint", c.Path)
	}
	return nil
}

// maxRounds limits the rounds of fixes. Conflicting fixes of one file need a round each.
const maxRounds = 10

// FixAll computes what all fixes of a report do, sorted by path. It changes no file: after
// each round, it checks the library with the fixed contents, because a fix can enable
// another one.
func FixAll(fsys fs.FS, rules []*Rule, opts Options, report *Report) ([]FileChange, error) {
	opts.Repository = nil // its findings have no fixes
	opts.Instead = maps.Clone(opts.Instead)
	if opts.Instead == nil {
		opts.Instead = map[string][]byte{}
	}
	all := map[string]FileChange{}
	for range maxRounds {
		changes, err := Fixes(fsys, opts, report.Findings)
		if err != nil {
			return nil, err
		}
		fixed := false
		for _, c := range changes {
			fixed = fixed || !bytes.Equal(c.Before, c.After)
			opts.Instead[c.Path] = c.After
			if first, again := all[c.Path]; again {
				renamed := func(f *source.Fix) bool { return f.Rename != "" && f.Rename == first.NewPath }
				c.Before, c.Fixes = first.Before, append(first.Fixes, slices.DeleteFunc(c.Fixes, renamed)...)
			}
			all[c.Path] = c
		}
		if !fixed {
			break
		}
		if report, err = Run(fsys, rules, opts); err != nil {
			return nil, err
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b FileChange) int { return cmp.Compare(a.Path, b.Path) }), nil
}
