// Package files has the lint rules about the files of a library and their names.
package files

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/invisible"
)

// Rules are about files and their names.
var Rules = []*lint.Rule{
	{
		ID: "unreadable-file", Family: lint.FamilyFiles, Severity: lint.Error, Unsuppressable: true,
		Summary: "a file or folder that can't be read",
		Why:     "A file that can't be read can't be checked, so the library can't be called valid.",
		Source:  "the library as consumers see it: they clone it and read every file",
		Bad:     "-rw------- root rubrics/prd/prd_quality_v1.yaml",
		Good:    "-rw-r--r-- you  rubrics/prd/prd_quality_v1.yaml",
		Document: func(p *lint.DocumentPass) {
			if p.Entry.Err != nil {
				if !fs.ValidPath(p.Entry.Path) {
					return // reported by unsafe-name
				}
				if errors.Is(p.Entry.Err, fs.ErrNotExist) {
					p.ReportFile(nil, "This file disappeared during the check. Run the check again.")
					return
				}
				p.ReportFile(nil, "This file can't be read: %s. Check its permissions.", p.Entry.Err)
			}
		},
	},
	{
		ID: "not-a-file", Family: lint.FamilyFiles, Severity: lint.Error, Unsuppressable: true,
		Summary:  "a link, a folder, or a device where a document belongs",
		Why:      "A link can point outside the library, and its target can change without a review. A folder named like a document hides that the document is missing.",
		Source:   "Git keeps links and files of any kind; a library holds plain files only (docs/reference.md)",
		Bad:      "rubrics/prd/prd_quality_v1.yaml -> /home/me/draft.yaml",
		Good:     "rubrics/prd/prd_quality_v1.yaml",
		Document: notAFile,
	},
	{
		ID: "unsafe-name", Family: lint.FamilyFiles, Severity: lint.Error, Unsuppressable: true,
		Summary: "a file or folder name with characters other than a-z, 0-9, dot, dash, and underscore",
		Why:     "Such names break on other systems, or look like something they are not.",
		Source:  "POSIX.1-2017, 3.282 Portable Filename Character Set, without uppercase letters, because some file systems ignore case",
		Bad:     "rubrics/prd/PRD quality.yaml",
		Good:    "rubrics/prd/prd_quality_v1.yaml",
		Document: func(p *lint.DocumentPass) {
			if p.IsStray() || len(invisible.Find(p.Entry.Path)) > 0 {
				return // reported by stray-file or hidden-text
			}
			parts := strings.Split(p.Entry.Path, "/")
			if id := p.ID(); id != nil && id.Value != lint.Stem(p.Entry.Path) {
				parts = parts[:len(parts)-1] // the file name is checked by file-name
			}
			for _, part := range parts {
				if reserved.MatchString(part) {
					p.ReportFile(nil, "Rename %s: the name is reserved on Windows, so the library could not be checked out there.", schema.Quote(part))
					return
				}
				if !safeName.MatchString(part) {
					p.ReportFile(nil, "Rename %s: names must start with a lowercase letter or digit and contain only lowercase letters, digits, dots, dashes, and underscores, to work on every system.", schema.Quote(part))
					return
				}
			}
		},
	},
	{
		ID: "stray-file", Family: lint.FamilyFiles, Severity: lint.Error, Unsuppressable: true,
		Summary: "a file below rubrics/ that is not a document",
		Why:     "Nothing reads it there, so it does not have the effect that its author expects.",
		Source:  "the layout of a library (docs/reference.md)",
		Bad:     "rubrics/prd/notes.md",
		Good:    "docs/prd-notes.md",
		Document: func(p *lint.DocumentPass) {
			if p.IsStray() {
				p.ReportFile(nil, "Move this file out of %s/: only documents (.yaml) belong there, so it has no effect.", lint.Root)
			}
		},
	},
	{
		ID: "file-extension", Family: lint.FamilyFiles, Severity: lint.Error, Unsuppressable: true, Fixable: true,
		Summary: "a document whose name does not end in .yaml",
		Why:     "Tools that look for *.yaml would not find it, and the same document could exist twice.",
		Source:  "the layout of a library (docs/reference.md); the YAML FAQ recommends .yaml",
		Bad:     "rubrics/prd/prd_quality_v1.yml",
		Good:    "rubrics/prd/prd_quality_v1.yaml",
		Document: func(p *lint.DocumentPass) {
			if ext := path.Ext(p.Entry.Path); p.IsDocument() && ext != ".yaml" {
				p.ReportFile(move(p), "Change the extension of this file from %s to .yaml: other tools look for .yaml only.", ext)
			}
		},
	},
	{
		ID: "file-name", Family: lint.FamilyFiles, Severity: lint.Error, Unsuppressable: true, Fixable: true,
		Summary: "a document whose file is not named after its ID",
		Why:     "People find a document by its file name, and two files with the same ID are easy to notice.",
		Bad:     "rubrics/prd/quality.yaml     rubric_id: prd_quality_v1",
		Good:    "rubrics/prd/prd_quality_v1.yaml     rubric_id: prd_quality_v1",
		Spec:    "RL-01",
		Document: func(p *lint.DocumentPass) {
			id := p.ID()
			if id == nil || id.Value == lint.Stem(p.Entry.Path) {
				return
			}
			advice := "Rename the file to %s.yaml, or fix the ID: a file is named after its ID so that people can find it."
			if taken(p) {
				advice = "Fix the ID: the file is not named after it, and another file is already named %s.yaml."
			}
			p.Report(misplaced(p, id.Span, p.Doc.Kind.IDKey, advice, id.Value))
		},
	},
	{
		ID: "file-folder", Family: lint.FamilyFiles, Severity: lint.Error, Unsuppressable: true, Fixable: true,
		Summary: "a document that is not in the folder of its artifact type",
		Why:     "People look for all rubrics of an artifact type in one folder.",
		Bad:     "rubrics/misc/prd_quality_v1.yaml     artifact_type: prd",
		Good:    "rubrics/prd/prd_quality_v1.yaml     artifact_type: prd",
		Spec:    "RL-10",
		Document: func(p *lint.DocumentPass) {
			n := p.Root().Get("artifact_type")
			if p.Doc == nil || p.Doc.Kind == nil || n == nil || !bundlefile.IsID(n.Value) {
				return
			}
			if folder := lint.Root + "/" + n.Value; path.Dir(p.Entry.Path) != folder {
				p.Report(misplaced(p, n.Span, "artifact_type", "Move the file to the folder %s, or fix the artifact type: the folder is named after it so that people find all documents of a type together.", folder))
			}
		},
	},
}

var (
	safeName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)
	reserved = regexp.MustCompile(`^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)
)

func notAFile(p *lint.DocumentPass) {
	e := p.Entry
	switch {
	case e.Err != nil:
	case e.Type&fs.ModeSymlink != 0:
		p.ReportFile(nil, "Replace this link with the document itself: the target of a link can change without a review.")
	case e.Type.IsDir():
		p.ReportFile(nil, "Rename this folder, or replace it with the document: its name is that of a document.")
	case !e.Type.IsRegular():
		p.ReportFile(nil, "Remove this: it is neither a file nor a folder, so it can't be a document.")
	}
}

// misplaced returns a problem of the file's path, shown at the key that determines
// the path.
func misplaced(p *lint.DocumentPass, span source.Span, key, format string, arg string) source.Problem {
	at := (*schema.Path)(nil).Key(key, "")
	return source.Problem{
		Span: span, Pointer: at.Pointer(), Path: at.String(), Message: fmt.Sprintf(format, arg), Fix: move(p),
	}
}

// move returns the fix that moves the file to where it belongs, or nil if that is not
// known or something else is already there.
func move(p *lint.DocumentPass) *source.Fix {
	id := p.ID()
	if id == nil || !bundlefile.IsID(p.Doc.ArtifactType()) || taken(p) {
		return nil
	}
	to := documentPath(p.Doc)
	if to == p.Entry.Path || p.Holds(path.Dir(to)) { // the folder is a link
		return nil
	}
	return &source.Fix{Message: "rename the file to " + to, Rename: to}
}

// taken reports whether another file has the path where this document belongs.
func taken(p *lint.DocumentPass) bool {
	to := documentPath(p.Doc)
	return to != p.Entry.Path && p.Holds(to)
}

// documentPath returns the path where a document belongs in a library.
func documentPath(d *document.Document) string {
	return lint.Root + "/" + d.ArtifactType() + "/" + d.ID() + ".yaml"
}
