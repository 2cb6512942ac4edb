package lint

import (
	"bytes"
	"errors"
	"io/fs"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// ConfigAt returns the configuration at the target's tip, with the defaults if it is not
// valid: otherwise it could not be fixed. If it has conventions, the rules of own, which is the
// configuration of the checked library, apply instead: otherwise they could not be replaced. The
// error is a *FileError if own has no rules, either.
func ConfigAt(tip *holdings.Library, rules []*Rule, own *Config) (*Config, error) {
	config, err := LoadConfig(tip.Files, rules)
	switch {
	case errors.As(err, new(*FileError)):
		return defaultConfig(), nil
	case err != nil || config.conventions == nil:
		return config, err
	case own.rules.File == "":
		return nil, config.conventions
	}
	config.Rules, config.own = own.Rules, own.own
	return config, nil
}

// LimitBaseline limits the baseline to that at the target's tip. If the tip has none, the
// first one counts for the files that are identical at the tip, so that an old library can
// start with a baseline.
func (o *Options) LimitBaseline(tip *holdings.Library, fsys fs.FS) error {
	b, err := LoadBaseline(tip.Files)
	switch {
	case errors.As(err, new(*FileError)):
		b, err = &Baseline{}, nil // so that a change can fix it
	case b == nil:
		o.Allowance.Same = sameAs(tip, fsys, o.Instead)
	}
	o.Allowance.Target = b
	return err
}

// markChanged marks the findings that concern a reviewer of the change: those in files that
// differ from every merge base, and those about the change itself, but none in old commits.
func markChanged(findings []Finding, bases []*holdings.Library, fsys fs.FS, instead map[string][]byte) error {
	var same []func(file string) (bool, error)
	for _, base := range bases {
		same = append(same, sameAs(base, fsys, instead))
	}
	for i := range findings {
		f := &findings[i]
		differs := len(same) > 0
		for _, is := range same {
			identical, err := is(f.File)
			if err != nil {
				return err
			}
			differs = differs && !identical
		}
		f.Changed = f.Revision == "" && (Checks[OfHistory](f.Rule) || differs)
	}
	return nil
}

// sameAs returns a function that reports whether a commit has an identical file.
func sameAs(commit *holdings.Library, fsys fs.FS, instead map[string][]byte) func(file string) (bool, error) {
	known := map[string]bool{}
	return func(name string) (bool, error) {
		if same, done := known[name]; done {
			return same, nil
		}
		same, err := isSame(commit, fsys, instead, name)
		if err == nil {
			known[name] = same
		}
		return same, err
	}
}

// isSame reports whether a commit has the file of the checked library. A file of that library
// that can't be read, which is a finding, is not the same, nor is one that is too large or not
// a regular file.
func isSame(commit *holdings.Library, fsys fs.FS, instead map[string][]byte, name string) (bool, error) {
	if strings.HasPrefix(name, "../") {
		return false, nil // in the repository, but not in the library
	}
	now, unsaved := instead[name]
	if !unsaved {
		if info, err := fs.Lstat(fsys, name); err != nil || !info.Mode().IsRegular() {
			return false, nil
		}
		var err error
		if now, err = safefile.ReadFile(fsys, name); err != nil {
			return false, nil
		}
	}
	before, err := commit.File(name)
	if holdings.IsNoFile(err) || safefile.IsTooLarge(err) {
		return false, nil
	}
	return err == nil && before != nil && bytes.Equal(before, now), err
}
