package check

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/lint/printer"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// documents are the documents that a user names outside of the folders of a library.
type documents struct {
	// names are relative to the working folder, with slashes.
	names []string
	// others counts the YAML files of the named folders that are neither rubrics nor rule sets, and
	// unread those that are links or devices.
	others, unread int
	files          namedFiles
}

// namedFiles reads files by names that can lead out of the working folder.
type namedFiles struct{ working string }

// Open opens a regular file.
func (n namedFiles) Open(name string) (fs.File, error) {
	abs := filepath.Join(n.working, filepath.FromSlash(name))
	return safefile.DirFS(filepath.Dir(abs)).Open(filepath.Base(abs))
}

// mostAlone is how many documents can be checked outside of a library.
const mostAlone = 10_000

// documentsOf finds the documents that names lead to, or returns nil if the names are those of a
// library. unsaved is a name that does not need to exist.
func documentsOf(names []string, unsaved string) (*documents, error) {
	outside := ""
	for i, name := range names {
		isOutside, err := command.IsOutside(name, unsaved)
		switch {
		case err != nil:
			return nil, err
		case i > 0 && isOutside != (outside != ""):
			return nil, fmt.Errorf("%s and %s can't be checked together: only one of them is in the %s folder of a library",
				names[0], name, library.Root)
		case isOutside:
			outside = cmp.Or(outside, name)
		}
	}
	if outside == "" {
		return nil, nil
	}
	working, _, err := command.Locate(".")
	if err != nil {
		return nil, err
	}
	d := &documents{files: namedFiles{working}}
	for _, name := range names {
		if err := d.add(name, name == unsaved); err != nil {
			return nil, err
		}
	}
	if len(d.names) == 0 {
		if folder, _, err := command.Locate(outside); err == nil {
			if why := gitrepo.NewWorkTree(folder).WhyMissing(library.Root); why != nil {
				return nil, fmt.Errorf("%s has nothing to check: %w", outside, why)
			}
		}
		return nil, fmt.Errorf("%s has no rubric and no rule set: expected YAML files with %s or %s. `rubric import` converts other forms",
			outside, document.Rubric.IDKey, document.RuleSet.IDKey)
	}
	return d, nil
}

// add adds a file, or the documents of a folder.
func (d *documents) add(name string, isUnsaved bool) error {
	abs, isDir, err := command.Locate(name)
	if isUnsaved {
		err = nil
	}
	if err != nil {
		return command.InputError(name, err)
	}
	if isDir {
		return filepath.WalkDir(abs, func(at string, e fs.DirEntry, err error) error { return d.visit(abs, at, e, err) })
	}
	if !library.IsYAML(abs) {
		return fmt.Errorf("%s is not a document: expected a name that ends in .yaml. `rubric import` makes drafts from tables, checklists, and prompts", name)
	}
	if info, err := os.Lstat(abs); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file. Name the file itself", name)
	}
	return d.list(abs)
}

// list lists a document by its name from the working folder.
func (d *documents) list(abs string) error {
	relative, err := filepath.Rel(d.files.working, abs)
	if err != nil {
		return err
	}
	if d.names = append(d.names, filepath.ToSlash(relative)); len(d.names) > mostAlone {
		return fmt.Errorf("more than %d documents can't be checked outside of a library. Check a smaller folder", mostAlone)
	}
	return nil
}

// visit looks at an entry of a folder. Folders whose names begin with a dot are left out.
func (d *documents) visit(folder, at string, e fs.DirEntry, err error) error {
	switch {
	case err != nil:
		return fmt.Errorf("%s can't be read: %w", at, safefile.Reason(err))
	case e.IsDir() && at != folder && strings.HasPrefix(e.Name(), "."):
		return fs.SkipDir
	case e.IsDir():
		if info, err := os.Lstat(filepath.Join(at, library.Root)); err == nil && info.IsDir() {
			return fmt.Errorf("%s is a library. Check it on its own: rubric lint %[1]s", at)
		}
		return nil
	case !library.IsYAML(at):
		return nil
	case !e.Type().IsRegular():
		d.unread++
		return nil
	}
	f, err := library.File(safefile.DirFS(filepath.Dir(at)), filepath.Base(at))
	if err != nil {
		return command.InputError(at, err)
	}
	if parsed := document.Parse(f); parsed.Kind == nil && !mayBeDocument().Match(f.Data) {
		d.others++
		return nil
	}
	return d.list(at)
}

// mayBeDocument matches a key that only documents have, in a file that can't be parsed.
var mayBeDocument = lazy.Expr(`(?m)^[\t ]*["']?(?:` + regexp.QuoteMeta(document.Rubric.IDKey) + `|` +
	regexp.QuoteMeta(document.RuleSet.IDKey) + `)["']?[\t ]*:`)

// openDocuments checks documents outside of a library.
func (f *lintFlags) openDocuments(d *documents) (subject, error) {
	needs := []struct {
		flag string
		set  bool
	}{
		{"--base", f.base != "" && f.base != command.NoBase}, {"--audit", f.audit},
		{"--write-baseline", f.writeBaseline}, {"--prune", f.prune},
	}
	for _, n := range needs {
		if n.set {
			return subject{}, fmt.Errorf("%s needs a library: %s is not in the %s folder of one",
				n.flag, d.names[0], library.Root)
		}
	}
	return subject{library: &command.Located{Root: d.files.working}, documents: d, fsys: d.files}, nil
}

// describeAlone returns what the text output says about documents outside of a library, or nil.
func (s *subject) describeAlone() *printer.Alone {
	if s.documents == nil {
		return nil
	}
	return &printer.Alone{Others: s.documents.others, Unread: s.documents.unread}
}
