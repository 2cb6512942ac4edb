package codeowners

import (
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/files/hosts"
	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// GuardedKind is a kind of file that decides about a change, or that is decided about.
type GuardedKind struct {
	// What names the files in messages.
	What string
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

// GuardedKinds are all kinds except the CODEOWNERS file itself, whose location varies.
var GuardedKinds = append(pipelines(), []GuardedKind{
	{
		What: "the documents", inLibrary: true,
		paths:   []string{lint.Root + "/new/new_v1.yaml", lint.Root + "/other/another.yaml"},
		folders: []string{lint.Root}, counts: lib.IsDocument,
	},
	{
		What: "the calibration datasets", inLibrary: true,
		paths: []string{
			calibration.Root + "/new/dataset.yaml", calibration.Root + "/new/items.jsonl",
			calibration.Root + "/new/judges/new.jsonl",
		},
		folders: []string{calibration.Root}, counts: hasExtension(".yaml", ".yml", ".jsonl"),
	},
	{What: "the ledger", inLibrary: true, paths: []string{lint.LedgerFile}},
	{What: "the exceptions", inLibrary: true, paths: []string{lint.ExceptionsFile}},
	{What: "the configuration", inLibrary: true, paths: []string{lint.ConfigFile}},
	{What: "the baseline", inLibrary: true, paths: []string{lint.BaselineFile}},
	{
		What: "the action", only: []string{"action.yml", "action.yaml", ".github/action", ".github/actions"},
		paths:   []string{"action.yml", "action.yaml", ".github/actions/new/action.yml"},
		folders: []string{".github/action", ".github/actions"},
	},
	{
		What: "the Go code of the linter", only: []string{"cmd/rubric-lint"},
		paths: []string{
			"cmd/new/new.go", "internal/new/new.go", "pkg/new/new.go", "tools/go.mod", "vendor/new/new.go", "go.mod",
			"go.sum", "go.work",
		},
		folders: []string{"cmd", "internal", "pkg", "tools", "vendor"},
		counts:  func(name string) bool { return path.Ext(name) != ".md" },
	},
	{What: "the required checks", only: []string{".ci"}, paths: []string{".ci/new"}, folders: []string{".ci"}},
}...)

// pipelines are the kinds of the files of each host's CI.
func pipelines() (kinds []GuardedKind) {
	for _, h := range hosts.Table {
		at := h.Pipeline
		if path.Ext(at) != "" {
			kinds = append(kinds, GuardedKind{What: "the pipeline", only: []string{at}, paths: []string{at}})
			continue
		}
		kinds = append(kinds, GuardedKind{
			What: "the workflows", only: []string{at}, paths: []string{at + "/new.yml", at + "/new.yaml"},
			folders: []string{at}, counts: hasExtension(".yaml", ".yml"),
		})
	}
	return kinds
}

// hasExtension returns a function that reports whether a name has one of the extensions.
func hasExtension(extensions ...string) func(string) bool {
	return func(name string) bool { return slices.Contains(extensions, strings.ToLower(path.Ext(name))) }
}

// Itself is the kind of the CODEOWNERS files at some places.
func Itself(places ...string) GuardedKind {
	return GuardedKind{What: "the CODEOWNERS file", paths: slices.Compact(slices.Sorted(slices.Values(places)))}
}

// Applies reports whether one of the repositories has the kind.
func (k *GuardedKind) Applies(repositories ...*lint.Repository) bool {
	return len(k.only) == 0 ||
		slices.ContainsFunc(repositories, func(r *lint.Repository) bool { return slices.ContainsFunc(k.only, r.Holds) })
}

// base is the folder that the paths are relative to.
func (k *GuardedKind) base(r *lint.Repository) string {
	if k.inLibrary {
		return r.Folder
	}
	return ""
}

// Paths are the paths that need an owner, whether or not they exist.
func (k *GuardedKind) Paths(r *lint.Repository) (names []string) {
	for _, name := range k.paths {
		names = append(names, path.Join(k.base(r), name))
	}
	return names
}

// Folders are the folders that contain more such files.
func (k *GuardedKind) Folders(r *lint.Repository) (names []string) {
	for _, name := range k.folders {
		names = append(names, path.Join(k.base(r), name))
	}
	return names
}

// FilesBelow yields the paths of a kind in one of its folders: the existing ones, then possible ones
// that rules might match.
func (k *GuardedKind) FilesBelow(r *lint.Repository, folder string, rules []*Rule) iter.Seq[string] {
	counts := func(name string) bool {
		return strings.HasPrefix(name, folder+"/") &&
			(k.counts == nil || k.counts(strings.TrimPrefix(strings.TrimPrefix(name, k.base(r)), "/")))
	}
	return func(yield func(string) bool) {
		more := true
		r.Walk(folder, func(name string) bool {
			more = !counts(name) || yield(name)
			return more
		})
		if !more {
			return
		}
		for _, rule := range rules {
			for _, name := range rule.madeUp(folder, path.Base(k.paths[0])) {
				if counts(name) && !yield(name) {
					return
				}
			}
		}
	}
}

// Pattern returns a pattern that gives a path owners in a syntax: its whole folder, if the kind has
// one.
func (k *GuardedKind) Pattern(name string, syntax hosts.Syntax) string {
	below := ""
	for _, folder := range k.folders {
		if before, _, found := strings.Cut("/"+name, "/"+folder+"/"); found {
			name, below = strings.TrimPrefix(before+"/"+folder+"/", "/"), ".*"
			break
		}
	}
	if syntax != hosts.Expressions {
		return "/" + name
	}
	quoted := strings.ReplaceAll(regexp.QuoteMeta(name), `\.`, ".")
	return strings.ReplaceAll(quoted, `\`, `\\`) + below
}

// Budget limits the matching, because the author of the file and of the file names must not be
// able to keep it busy.
type Budget struct{ left int }

// NewBudget returns a budget of most steps.
func NewBudget(most int) *Budget { return &Budget{left: most} }

// Spend subtracts the maximum cost of matching a path with the patterns of a file, and reports
// whether the budget was sufficient. A wildcard can restart the match at each character of a
// name.
func (b *Budget) Spend(f *File, name string) bool {
	if f == nil {
		return true
	}
	if f.bytes == 0 {
		for _, r := range f.Rules {
			f.bytes += len(r.Pattern)
		}
	}
	for _, r := range f.Rules {
		if r.expression != nil {
			b.left -= r.expression.cost(name)
		}
	}
	b.left -= f.bytes + len(f.Rules)*(len(name)+len(name)*len(name)/16)
	return b.left >= 0
}
