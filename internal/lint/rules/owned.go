package rules

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/codeowners"
)

// deciding is a kind of file that decides about a change, or that is decided about.
type deciding struct {
	what string // in messages
	// inLibrary says that the paths are relative to the library, not to the repository.
	inLibrary bool
	// only are paths of which at least one must exist for the kind to apply. It is empty
	// for files that rubric-lint reads as soon as they are added.
	only []string
	// paths need an owner, whether or not they exist. With folders, the base name of the
	// first is an example of a file in them.
	paths []string
	// folders contain more such files. counts selects them; nil selects all.
	folders []string
	counts  func(name string) bool
}

// decidingKinds are all kinds except the CODEOWNERS file itself, whose location varies.
var decidingKinds = []deciding{
	{
		what: "the documents", inLibrary: true,
		paths: []string{lint.Root + "/new/new_v1.yaml", lint.Root + "/other/another.yaml"}, folders: []string{lint.Root}, counts: lib.IsDocument,
	},
	{
		what: "the calibration datasets", inLibrary: true,
		paths:   []string{calibration.Root + "/new/dataset.yaml", calibration.Root + "/new/items.jsonl", calibration.Root + "/new/history.jsonl", calibration.Root + "/new/judges/new.jsonl"},
		folders: []string{calibration.Root}, counts: hasExtension(".yaml", ".yml", ".jsonl"),
	},
	{what: "the ledger", inLibrary: true, paths: []string{lint.LedgerFile}},
	{what: "the exceptions", inLibrary: true, paths: []string{lint.ExceptionsFile}},
	{what: "the configuration", inLibrary: true, paths: []string{lint.ConfigFile}},
	{what: "the baseline", inLibrary: true, paths: []string{lint.BaselineFile}},
	{
		what: "the workflows", only: []string{workflows},
		paths: []string{workflows + "/new.yml", workflows + "/new.yaml"}, folders: []string{workflows}, counts: hasExtension(".yaml", ".yml"),
	},
	{what: "the pipeline", only: []string{gitLabPipeline}, paths: []string{gitLabPipeline}},
	{
		what: "the action", only: []string{"action.yml", "action.yaml", ".github/action", ".github/actions"},
		paths: []string{"action.yml", "action.yaml", ".github/actions/new/action.yml"}, folders: []string{".github/action", ".github/actions"},
	},
	{
		what: "the Go code of the linter", only: []string{"cmd/rubric-lint"},
		paths:   []string{"cmd/new/new.go", "internal/new/new.go", "pkg/new/new.go", "tools/go.mod", "vendor/new/new.go", "go.mod", "go.sum", "go.work"},
		folders: []string{"cmd", "internal", "pkg", "tools", "vendor"}, counts: func(name string) bool { return path.Ext(name) != ".md" },
	},
	{what: "the required checks", only: []string{".ci"}, paths: []string{".ci/new"}, folders: []string{".ci"}},
}

func hasExtension(extensions ...string) func(string) bool {
	return func(name string) bool { return slices.Contains(extensions, strings.ToLower(path.Ext(name))) }
}

// notOwned finds one path without owners for each kind, if there is one.
func notOwned(p *lint.RepositoryPass) {
	o := ownersOf(p)
	if o.parsed == nil || o.unusable != "" || o.file.Size() > codeowners.MaxBytes {
		return
	}
	// GitHub uses the first CODEOWNERS file that it finds: a new one in an earlier
	// location would replace this one.
	self := deciding{what: "the CODEOWNERS file"}
	self.paths = codeowners.Locations[:slices.Index(codeowners.Locations, o.location)+1]
	for _, d := range append(slices.Clone(decidingKinds), self) {
		if len(d.only) == 0 || slices.ContainsFunc(d.only, p.Holds) {
			reportUnowned(p, &d)
		}
	}
}

// reportUnowned reports the first path of a kind that has no owners.
func reportUnowned(p *lint.RepositoryPass, d *deciding) {
	owners := ownersOf(p).parsed
	base := ""
	if d.inLibrary {
		base = p.Folder
	}
	var names []string
	for _, name := range d.paths {
		names = append(names, path.Join(base, name))
	}
	if !allOwned(p, d, owners, slices.Values(names)) {
		return
	}
	for _, folder := range d.folders {
		folder = path.Join(base, folder)
		if !allOwned(p, d, owners.Below(folder), below(p, d, base, folder)) {
			return
		}
	}
}

// allOwned reports whether each path has owners, and adds a finding for the first that
// has none: at the line that removes them, or at the first line of the file if no line
// matches the path.
func allOwned(p *lint.RepositoryPass, d *deciding, owners *codeowners.File, names iter.Seq[string]) bool {
	o, bytes := ownersOf(p), 0
	for _, r := range owners.Rules {
		bytes += len(r.Pattern)
	}
	for name := range names {
		if !o.spend(len(owners.Rules), bytes, name) {
			o.report(p, o.file.LineSpan(1), d.what, "Simplify this file: it has too many patterns for too many paths to check who owns %s.", d.what)
			return false
		}
		switch r := owners.Match(name); {
		case r == nil:
			o.report(p, o.file.LineSpan(1), d.what, "Add owners for %s, for example with the line `/%s @your-team`: no line matches %s, so anyone could change it without a review.", d.what, d.pattern(name), schema.Quote(name))
			return false
		case len(r.Owners) == 0:
			o.report(p, r.Span, d.what, "Add owners to this line or remove it: it removes the owners of %s, such as %s, so anyone could change them without a review.", d.what, schema.Quote(name))
			return false
		}
	}
	return true
}

// pattern returns a pattern that gives a path owners: its whole folder, if the kind has
// one.
func (d *deciding) pattern(name string) string {
	for _, folder := range d.folders {
		if before, _, found := strings.Cut("/"+name, "/"+folder+"/"); found {
			return strings.TrimPrefix(before+"/"+folder+"/", "/")
		}
	}
	return name
}

// below yields the paths of a kind in one of its folders: the existing ones, then
// possible ones from which lines without owners might remove the owners.
func below(p *lint.RepositoryPass, d *deciding, base, folder string) iter.Seq[string] {
	counts := func(name string) bool {
		return strings.HasPrefix(name, folder+"/") &&
			(d.counts == nil || d.counts(strings.TrimPrefix(strings.TrimPrefix(name, base), "/")))
	}
	return func(yield func(string) bool) {
		more := true
		p.Walk(folder, func(name string) bool {
			more = !counts(name) || yield(name)
			return more
		})
		if !more {
			return
		}
		for _, r := range ownersOf(p).parsed.Below(folder).Rules {
			if len(r.Owners) > 0 {
				continue
			}
			for _, name := range codeowners.Matching(strings.TrimPrefix(r.Pattern, "!"), folder, path.Base(d.paths[0])) {
				if counts(name) && !yield(name) {
					return
				}
			}
		}
	}
}

type owners struct {
	// location is its path, relative to the repository; "" if there is none. file is
	// its content, nil if it can't be read.
	location string
	file     *source.File
	parsed   *codeowners.File
	// unusable is the message why the file can't be used, or "", and at is the place.
	unusable string
	at       source.Span
	// ofGitLab says that GitLab reads the file, whose rules are not known here.
	ofGitLab bool
	left     int // the rest of the budget
}

// ownersOf finds and reads the CODEOWNERS file.
var ownersOf = lint.Once(readOwners)

// matchBudget limits the matching, because the author of the file and of the file names must
// not be able to keep it busy: enough for 10,000 documents and 500 patterns that must be tried
// on each. A test sets a lower limit.
var matchBudget = 500_000_000

func readOwners(p *lint.RepositoryPass) *owners {
	o := &owners{left: matchBudget}
	locations, onGitHub := codeowners.Locations, p.Holds(workflows)
	if !onGitHub && p.Holds(gitLabPipeline) {
		locations, o.ofGitLab = append(slices.Clip(locations), ".gitlab/CODEOWNERS"), true
	}
	for _, name := range locations {
		info, err := p.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		o.location = name
		if err == nil && !info.Mode().IsRegular() {
			o.unusable = "Replace this with the CODEOWNERS file itself: it is not a regular file, and no host follows links."
			return o
		}
		var data []byte
		if err == nil {
			data, err = limits.ReadFile(p.Files, name)
		}
		file, err := source.Read(p.FromLibrary(name), data, err)
		if err != nil {
			o.unusable = fmt.Sprintf("The CODEOWNERS file can't be read: %s. Check its permissions.", safefile.Reason(err))
			return o
		}
		o.file, o.at = file, file.LineSpan(1)
		heading, found := codeowners.Section(file)
		switch {
		case found && onGitHub:
			o.unusable, o.at = "Remove the sections: GitHub does not understand them, so the owners in this file are not checked.", heading
			return o
		case found:
			o.ofGitLab, o.at = true, heading
		}
		if o.ofGitLab {
			return o
		}
		o.parsed = codeowners.Parse(file)
		return o
	}
	return o
}

// spend subtracts from the budget the maximum cost of matching a path with patterns of
// that many bytes, and reports whether the budget was sufficient. A wildcard can restart
// the match at each character of a name.
func (o *owners) spend(patterns, bytes int, name string) bool {
	o.left -= bytes + patterns*(len(name)+len(name)*len(name)/16)
	return o.left >= 0
}

func (o *owners) report(p *lint.RepositoryPass, span source.Span, key, format string, args ...any) {
	p.Report(source.Locate(o.file, span), key, format, args...)
}
