package rules

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

var fileRules = map[string]lint.Rule{
	"schema-file":     {Severity: lint.Error, Unsuppressable: true, Placed: true, Check: lint.OfLibrary(schemaFile)},
	"unreadable-file": {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDocument(unreadableFile)},
	"not-a-file":      {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDocument(notAFile)},
	"unsafe-name":     {Severity: lint.Error, Unsuppressable: true, Placed: true, Check: lint.OfDocument(unsafeName)},
	"name-conflict": {
		Severity: lint.Error, Unsuppressable: true, Placed: true,
		Check: lint.OfRepository(nameConflicts),
	},
	"stray-file": {Severity: lint.Error, Unsuppressable: true, Placed: true, Check: lint.OfDocument(strayFile)},
	"file-extension": {
		Severity: lint.Error, Unsuppressable: true, Fixable: true, Placed: true,
		Check: lint.OfDocument(fileExtension),
	},
	"file-name": {
		Severity: lint.Error, Spec: lint.RL01, Unsuppressable: true, Fixable: true, Placed: true,
		Check: lint.OfDocument(fileName),
	},
	"file-folder": {
		Severity: lint.Error, Spec: lint.RL10, Unsuppressable: true, Fixable: true, Placed: true,
		Check: lint.OfDocument(fileFolder),
	},
}

func schemaFile(p *lint.LibraryPass) {
	for _, problem := range p.Schemas {
		p.ReportFile(problem.Path, source.Position{Line: problem.Line, Column: problem.Column}, problem.Message)
	}
}

func unreadableFile(p *lint.DocumentPass) {
	if p.Entry.Err != nil {
		if !fs.ValidPath(p.Entry.Path) {
			return // reported by unsafe-name
		}
		switch {
		case errors.Is(p.Entry.Err, fs.ErrNotExist):
			p.ReportFile(nil, "This file disappeared during the check. Run the check again.")
			return
		case safefile.IsPointer(p.Entry.Err):
			p.ReportFile(nil, "%s", safefile.AboutPointers)
			return
		}
		p.ReportFile(nil, "This file can't be read: %s. Check its permissions.", p.Entry.Err)
	}
}

func unsafeName(p *lint.DocumentPass) {
	if p.IsStray() || len(sanitize.FindHidden(p.Entry.Path)) > 0 {
		return // reported by stray-file or hidden-text
	}
	parts := strings.Split(p.Entry.Path, "/")
	if id := p.ID(); id != nil && id.Value != lint.Stem(p.Entry.Path) {
		parts = parts[:len(parts)-1] // the file name is checked by file-name
	}
	for _, part := range parts {
		if reserved().MatchString(part) {
			p.ReportFile(nil, "Rename %s: the name is reserved on Windows, so the library could not be checked out there.", schema.Quote(part))
			return
		}
		if !safeName().MatchString(part) {
			p.ReportFile(nil, "Rename %s: names must start with a lowercase letter or digit and contain only lowercase letters, digits, dots, dashes, and underscores, to work on every system.", schema.Quote(part))
			return
		}
	}
}

func strayFile(p *lint.DocumentPass) {
	if p.IsStray() {
		p.ReportFile(nil, "Move this file out of %s/: only documents (.yaml) belong there, so it has no effect.", lint.Root)
	}
}

func fileExtension(p *lint.DocumentPass) {
	if ext := path.Ext(p.Entry.Path); p.Entry.IsDocument() && ext != ".yaml" {
		p.ReportFile(move(p), "Change the extension of this file from %s to .yaml: other tools look for .yaml only.", ext)
	}
}

func fileName(p *lint.DocumentPass) {
	id := p.ID()
	if id == nil || id.Value == lint.Stem(p.Entry.Path) {
		return
	}
	advice := "Rename the file to %s.yaml, or fix the ID: a file is named after its ID so that people can find it."
	switch {
	case lint.LosesVersion(p.Entry.Path, id.Value):
		advice = "Write the ID with the version that the file name has, or rename the file to %s.yaml if this is another document: the ID of a document never changes, because consumers refer to it."
	case taken(p):
		advice = "Fix the ID: the file is not named after it, and another file is already named %s.yaml."
	}
	p.Report(misplaced(p, id.Span, p.Doc.Kind.IDKey, advice, id.Value))
}

func fileFolder(p *lint.DocumentPass) {
	n := p.Root().Get("artifact_type")
	if p.Doc == nil || p.Doc.Kind == nil || n == nil || !document.IsID(n.Value) {
		return
	}
	if folder := lint.Root + "/" + n.Value; path.Dir(p.Entry.Path) != folder {
		p.Report(misplaced(p, n.Span, "artifact_type",
			"Move the file to the folder %s, or fix the artifact type: the folder is named after it so that people find all documents of a type together.", folder))
	}
}

var (
	safeName = lazy.Expr(`^[a-z0-9][a-z0-9._-]*$`)
	reserved = lazy.Expr(`^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)
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
	at := lint.Key(key)
	return source.Problem{
		Span: span, Pointer: at.Pointer(), Path: at.String(), Message: fmt.Sprintf(format, arg), Fix: move(p),
	}
}

// move returns the fix that moves the file to where it belongs, or nil if that is not
// known or something else is already there.
func move(p *lint.DocumentPass) *source.Fix {
	id := p.ID()
	if id == nil || !document.IsID(p.Doc.ArtifactType()) || taken(p) || lint.LosesVersion(p.Entry.Path, id.Value) {
		return nil
	}
	stem := lint.Stem(p.Entry.Path)
	major := change.IDMajor.FindString(id.Value)
	sameMajor := major == "" || major == change.IDMajor.FindString(stem)
	isTypo := stem != id.Value && document.IsID(stem) && suggest.Word(id.Value, []string{stem}) != ""
	if isTypo && sameMajor {
		return nil // of one of them, and the ID can't be changed later
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

func documentPath(d *document.Document) string {
	return lint.Root + "/" + d.ArtifactType() + "/" + d.ID() + ".yaml"
}
