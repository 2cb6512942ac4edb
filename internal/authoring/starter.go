package authoring

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/hosts"
	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/codeowners"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// Starter describes a new library.
type Starter struct {
	// Draft is the first draft.
	Draft
	// Owner must review every change. Without an owner, CODEOWNERS has a placeholder.
	Owner string
	// CI is one of CINames.
	CI string
	// Release and Commit are those of the programs that the workflows and other tools fetch:
	// "v1.0.0" and a hash, or "" if one is not known.
	Release, Commit string
	// Branch is the branch that changes go into, which releases are made from.
	Branch string
	// Remote is the address of the remote, or "" if there is none.
	Remote string
	// Inside reports that the library is in a folder of a repository. The files that
	// belong at the root of the repository are then not written.
	Inside bool
}

// OpenNew is Open for a folder that is not necessarily a library yet.
func OpenNew(fsys fs.FS) (*Local, error) {
	l := &Local{fsys: fsys}
	if root, err := l.lstat(lib.Root); err != nil || root == nil {
		return l, err
	}
	return Open(fsys, nil)
}

// HasDocuments reports whether the library has a document.
func (l *Local) HasDocuments() bool { return len(l.paths) > 0 }

// Holds reports whether there is something at one of the paths.
func (l *Local) Holds(paths ...string) bool {
	return slices.ContainsFunc(paths, func(name string) bool {
		info, err := l.lstat(name)
		return err != nil || info != nil
	})
}

// CheckOwner returns why a text can't be a code owner on the host of CI, or on any host if
// that is not known. No owner is not an error.
func (s *Starter) CheckOwner(owner string) error {
	if owner == "" || slices.ContainsFunc(hosts.Table, func(h hosts.Host) bool {
		return (s.host().ID == "" || s.host().ID == h.ID) && isOwner(owner, h)
	}) {
		return nil
	}
	return fmt.Errorf("the owner must be @organization/team, @user, an email address (not on Gitea and Forgejo), or @group/subgroup/team with --ci gitlab, got %s", schema.Quote(owner))
}

// isOwner reports whether a host reads a text as one owner.
func isOwner(text string, h hosts.Host) bool {
	line := source.NewFile(ownersFile, []byte("* "+text))
	return slices.Equal(codeowners.Parse(line, h.Syntax).Owners("x"), []string{text})
}

// Start creates a library: missing files are created, and existing files stay unchanged. A
// warning says how an existing file differs.
func (l *Local) Start(s *Starter) (*Edit, error) {
	files, err := l.starterFiles(s)
	if err != nil {
		return nil, err
	}
	e := &Edit{}
	if l.HasDocuments() && s.ID != "" &&
		!slices.ContainsFunc(l.paths, func(name string) bool { return path.Base(name) == s.ID+".yaml" }) {
		e.Warnings = append(e.Warnings,
			fmt.Sprintf("%s is not written, because the library has documents. `rubric new` starts another one", s.ID))
	}
	for _, f := range files {
		if err := l.checkFolders(f.Path); err != nil {
			return nil, err
		}
		info, err := l.lstat(f.Path)
		switch {
		case err != nil:
			return nil, err
		case info == nil:
			e.Files = append(e.Files, f)
			continue
		case f.Path == agentsFile:
			continue // it belongs to the author, and is often a link
		case !info.Mode().IsRegular():
			e.Warnings = append(e.Warnings, f.Path+" is not a regular file, so it stays unchanged. Move it away, and run `rubric init` again")
			continue
		}
		data, err := l.read(f.Path)
		if err != nil {
			return nil, err
		}
		if difference := differing(f, string(data), s); difference != "" {
			e.Warnings = append(e.Warnings, f.Path+" stays unchanged: "+difference)
		}
	}
	return e, nil
}

// differing says how an existing file differs from the one that would be created, and what
// to do, or is "".
func differing(f File, data string, s *Starter) string {
	data = strings.ReplaceAll(data, "\r\n", "\n")
	switch path.Base(f.Path) {
	case path.Base(ledgerFile):
		return "" // its entries belong to the author
	case attributesFile:
		if hasUnionLine(data) {
			return ""
		}
		return fmt.Sprintf("it has no line %q. Add it, so that branches that each retire a document can merge", unionLine)
	case ownersFile:
		known := codeowners.Parse(source.NewFile(f.Path, []byte(data)), s.host().Syntax)
		if s.Owner == "" || slices.Contains(known.Owners(ledgerFile), s.Owner) {
			return ""
		}
		return fmt.Sprintf("it does not give rubrics/ to %s. Add the owner there", s.Owner)
	}
	if f.Path == s.host().Pipeline { // the one file of all jobs
		if strings.Contains(data, "rubric-lint") {
			return ""
		}
		return "it does not run rubric-lint. Add the job from " + Page("ci.md")
	}
	if data == string(f.After) {
		return ""
	}
	return "it is not what `rubric init` would write. Change it by hand, or move the file away and run `rubric init` again"
}

const (
	ownersFile = "CODEOWNERS"
	agentsFile = "AGENTS.md"
)

// ownersTexts are the files with the owners in each syntax.
var ownersTexts = map[hosts.Syntax]string{
	hosts.OneOwner: ownersFile, hosts.Sections: ownersFile, hosts.Expressions: "CODEOWNERS-expressions",
}

//go:embed starter
var starterTexts embed.FS

// blanks replaces what is left open in the texts of the starter.
func (s *Starter) blanks() *strings.Replacer {
	return strings.NewReplacer("{{OWNER}}", cmp.Or(s.Owner, codeowners.Placeholder),
		"{{RELEASE}}", cmp.Or(s.Release, s.pin()), "{{PIN}}", s.pin(), "{{MODULE}}", module,
		"{{PROJECT}}", Project, "{{RUNNER}}", starterCIs[s.CI].runner, "{{HOST}}", s.CI,
		"{{BRANCH}}", branchPattern(cmp.Or(s.Branch, "main")))
}

func (l *Local) starterFiles(s *Starter) ([]File, error) {
	blanks := s.blanks()
	var files []File
	var failed error
	add := func(name, text, note string) {
		data, err := starterTexts.ReadFile("starter/" + text)
		if err != nil {
			failed = err
		}
		files = append(files, File{Path: name, After: []byte(blanks.Replace(string(data))), Note: note})
	}
	if !l.HasDocuments() {
		name := documentPath(s.ArtifactType, s.ID)
		files = append(files, File{Path: name, After: s.text(), Note: "the first draft, an example to replace"})
	}
	files = append(files, beginnings()...)
	add(lint.ConfigFile, "rubric-lint.yaml", "the severities of the lint rules")
	add(agentsFile, agentsFile, "what coding agents have to know")
	add(".vscode/settings.json", "settings.json", "the schema of each file, for Visual Studio Code")
	add(".vscode/extensions.json", "extensions.json", "the recommended extension, which reads the schemas")
	schemas, err := schemaFiles()
	if err != nil {
		return nil, err
	}
	files = append(files, schemas...)
	if !s.Inside {
		add(".pre-commit-config.yaml", "pre-commit-config.yaml", "the check on every commit, for pre-commit")
	}
	host := s.host()
	if host.ID != "" || s.Owner != "" {
		effect := "every change needs a review by "
		if host.Syntax == hosts.Expressions {
			effect = "requests a review of every change by "
		}
		who := cmp.Or(s.Owner, codeowners.Placeholder+", a placeholder to replace")
		add(l.ownersPath(host), ownersTexts[host.Syntax], effect+who)
	}
	for _, f := range starterCIs[s.CI].files {
		name, note := f.nameOn(host)
		add(name, f.text, note)
	}
	return files, failed
}

// schemaFiles are the JSON Schemas of all files of a library, for editors.
func schemaFiles() (files []File, err error) {
	for _, k := range []*document.Kind{
		&document.Rubric, &document.RuleSet, &document.Ledger, &document.Exceptions, &document.Dataset,
	} {
		data, err := k.JSONSchema()
		if err != nil {
			return nil, err
		}
		files = append(files, File{
			Path: "schema/" + k.SchemaFile, After: data, Note: "the JSON Schema of a " + k.Noun + ", for editors",
		})
	}
	data, err := lint.ConfigSchema(rules.All())
	if err != nil {
		return nil, err
	}
	return append(files, File{
		Path: "schema/" + lint.ConfigSchemaFile, After: data,
		Note: "the JSON Schema of the configuration, for editors",
	}), nil
}

// ownersPath is the CODEOWNERS file that a host reads, or GitHub if the host is not known, or the
// one that would be created.
func (l *Local) ownersPath(host hosts.Host) string {
	if host.ID == "" {
		host = hosts.GitHub()
	}
	if at := slices.IndexFunc(host.Owners, func(name string) bool { return l.Holds(name) }); at >= 0 {
		return host.Owners[at]
	}
	return ownersFile
}
