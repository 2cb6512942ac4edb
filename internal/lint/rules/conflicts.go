package rules

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/hosts"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// nameConflicts reports paths that are the same as another one on macOS or Windows, where a
// checkout mixes or replaces their files: those of what a check reads, and all below the folders
// of the library.
func nameConflicts(p *lint.RepositoryPass) {
	inLibrary := func(names ...string) (paths []string) {
		for _, name := range names {
			paths = append(paths, path.Join(p.Folder, name))
		}
		return paths
	}
	folders := inLibrary(lint.Root, calibration.Root, "schema")
	read := append(inLibrary(lint.ConfigFile, lint.BaselineFile), folders...)
	for _, host := range hosts.Table {
		read = append(append(read, host.Owners...), host.Pipeline)
	}
	reported := map[string]bool{}
	for _, name := range read {
		if !p.Holds(name) {
			continue
		}
		for _, other := range sameElsewhere(p, name) {
			if !reported[other] {
				reported[other] = true
				reportConflict(p, other, name)
			}
		}
	}
	for _, folder := range folders {
		below(p, folder)
	}
}

func reportConflict(p *lint.RepositoryPass, name, other string) {
	p.Report(source.Location{File: p.FromLibrary(name)}, name,
		"Rename this: on macOS or Windows, it is the same path as %s, so a checkout there mixes their files.", schema.Quote(p.FromLibrary(other)))
}

// sameElsewhere returns the other paths that are the same as a path on macOS or Windows.
func sameElsewhere(p *lint.RepositoryPass, name string) []string {
	found := []string{""}
	for _, part := range strings.Split(name, "/") {
		var next []string
		for _, folder := range found {
			for _, entry := range entriesOf(p, folder) {
				if nameElsewhere(entry.Name()) == nameElsewhere(part) {
					next = append(next, path.Join(folder, entry.Name()))
				}
			}
		}
		found = next
	}
	return slices.DeleteFunc(found, func(other string) bool { return other == name })
}

// below reports the conflicts in a folder and in the folders in it: of two names, the one that is
// not as names of the library should be.
func below(p *lint.RepositoryPass, folder string) {
	first := map[string]string{}
	for _, entry := range entriesOf(p, folder) {
		name := path.Join(folder, entry.Name())
		key := nameElsewhere(entry.Name())
		switch other, taken := first[key]; {
		case !taken:
			first[key] = name
		case isOdd(path.Base(other)) && !isOdd(entry.Name()):
			reportConflict(p, other, name)
			first[key] = name
		default:
			reportConflict(p, name, other)
		}
		if entry.IsDir() {
			below(p, name)
		}
	}
}

// entriesOf lists a folder, sorted by name. What is not a folder has no entries; a folder that can't
// be read is reported by rules about files.
func entriesOf(p *lint.RepositoryPass, folder string) []fs.DirEntry {
	if folder != "" {
		if info, err := p.Stat(folder); err != nil || !info.IsDir() {
			return nil
		}
	}
	entries, _ := fs.ReadDir(p.Files, path.Join(".", folder))
	return entries
}

// nameElsewhere is the same text for names that are the same on macOS or Windows: case, Unicode
// normal forms, and invisible characters make no difference, nor do dots and spaces at the end.
func nameElsewhere(name string) string {
	plain := isPlainName(name)
	if !plain {
		name = strings.Map(func(r rune) rune {
			switch sanitize.HiddenKindOf(r) {
			case sanitize.Bidi, sanitize.ZeroWidth, sanitize.Joiner, sanitize.Tag, sanitize.Variation, sanitize.Format:
				return -1
			}
			return r
		}, norm.NFC.String(name))
	}
	name = strings.Map(func(r rune) rune {
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, name)
	if !plain {
		name = norm.NFC.String(name)
	}
	return strings.TrimRight(name, ". ")
}

// isOdd reports whether a name has letters that names of a library don't have.
func isOdd(name string) bool { return !isPlainName(name) || strings.ToLower(name) != name }

func isPlainName(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return r >= 0x80 })
}
