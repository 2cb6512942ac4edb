package lint

import (
	"cmp"
	"io/fs"
	"maps"
	"slices"
)

// maxRounds limits the rounds of fixes. Conflicting fixes of one file need a round each.
const maxRounds = 10

// FixAll computes what all fixes of a report do, sorted by path. It changes no file: after
// each round, it checks the library with the fixed contents, because a fix can enable
// another one.
func FixAll(fsys fs.FS, rules []*Rule, opts Options, report *Report) ([]Change, error) {
	opts.Repository = nil // its findings have no fixes
	opts.Instead = maps.Clone(opts.Instead)
	if opts.Instead == nil {
		opts.Instead = map[string][]byte{}
	}
	all := map[string]Change{}
	for range maxRounds {
		changes, err := Fixes(fsys, opts, report.Findings)
		if err != nil {
			return nil, err
		}
		fixed := false
		for _, c := range changes {
			if string(c.Before) != string(c.After) {
				fixed = true
				opts.Instead[c.Path] = c.After
			}
			all[c.Path] = merge(all[c.Path], c)
		}
		if !fixed {
			break
		}
		if report, err = Run(fsys, rules, opts); err != nil {
			return nil, err
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b Change) int { return cmp.Compare(a.Path, b.Path) }), nil
}

// merge combines a change of a later round with one of an earlier round.
func merge(first, then Change) Change {
	if first.Path == "" {
		return then
	}
	for _, fix := range then.Fixes {
		if fix.Rename == "" || first.NewPath != fix.Rename {
			first.Fixes = append(first.Fixes, fix)
		}
	}
	first.NewPath, first.After = then.NewPath, then.After
	return first
}
