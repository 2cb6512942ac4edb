package lint

import (
	lib "github.com/rubric-library/rubric-library/internal/library"

	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// OfDocument checks one file, whether or not it could be parsed.
type OfDocument func(*DocumentPass)

func (OfDocument) isCheck() {}

// DocumentPass is the view of a lint rule on one file.
type DocumentPass struct {
	// Entry is the file in its folder.
	Entry lib.FileEntry
	// Doc is the parsed document, or nil if the file is not a document or can't be
	// read.
	Doc *document.Document

	// Config is the configuration of the library; nil for the defaults.
	Config *Config

	memory
	reporter
	ruleSet *ruleset.RuleSet
	library *libraryFiles
}

// Report adds a problem of the document as a finding of the running rule.
func (p *DocumentPass) Report(problem source.Problem) {
	if !p.admit(p.Entry.Path) {
		return
	}
	f := findingOf(p.Doc.File, problem)
	f.ID, f.Spec, f.Fix = p.Doc.ID(), problem.Spec, problem.Fix
	p.Add(f)
}

// ReportFile adds a finding about the file as a whole.
func (p *DocumentPass) ReportFile(fix *source.Fix, format string, args ...any) {
	if !p.admit(p.Entry.Path) {
		return
	}
	f := Finding{Location: source.Location{File: p.Entry.Path}, Message: fmt.Sprintf(format, args...), Fix: fix}
	if p.Doc != nil {
		f.ID = p.Doc.ID()
	}
	p.Add(f)
}

// ReportAt adds a finding at a value of the document.
func (p *DocumentPass) ReportAt(path *schema.Path, n *yamltree.Node, format string, args ...any) {
	p.ReportIn(path, n.Span, format, args...)
}

// ReportIn adds a finding at a part of a value of the document.
func (p *DocumentPass) ReportIn(path *schema.Path, span source.Span, format string, args ...any) {
	p.Report(source.Problem{
		Span: span, Pointer: path.Pointer(), Path: path.String(), Message: fmt.Sprintf(format, args...),
	})
}

// ReportBeside adds a finding at a value of the document with another value that explains
// it; what describes the other value.
func (p *DocumentPass) ReportBeside(path *schema.Path, n, other *yamltree.Node, what, format string, args ...any) {
	p.Report(source.Problem{
		Span: n.Span, Pointer: path.Pointer(), Path: path.String(), Message: fmt.Sprintf(format, args...),
		Related: []source.Related{{Span: other.Span, Message: what}},
	})
}

// ReportAll adds problems of the document as findings of the running rule.
func (p *DocumentPass) ReportAll(problems []source.Problem) {
	for _, problem := range problems {
		p.Report(problem)
	}
}

// IsStray reports whether the entry is a file that is not a document.
func (p *DocumentPass) IsStray() bool {
	return p.Entry.Type.IsRegular() && !p.Entry.IsDocument() && !p.Entry.IsLedger()
}

// Holds reports whether the library has an entry at that path below Root.
func (p *DocumentPass) Holds(path string) bool {
	_, found := slices.BinarySearchFunc(p.library.entries, path, func(e lib.FileEntry, path string) int {
		return strings.Compare(e.Path, path)
	})
	return found
}

// Exists reports whether the library has anything at that path.
func (p *DocumentPass) Exists(path string) bool {
	_, err := fs.Stat(p.library.fsys, path)
	return err == nil
}

// ID returns the node of the document's ID, or nil if it is not a valid ID.
func (p *DocumentPass) ID() *yamltree.Node {
	if p.Doc == nil || p.Doc.Kind == nil || p.Doc.Kind.IDKey == "" {
		return nil
	}
	n := p.Root().Get(p.Doc.Kind.IDKey)
	if n == nil || !document.IsID(n.Value) {
		return nil
	}
	return n
}

// InEnglish reports whether the document is in English, the default language.
func (p *DocumentPass) InEnglish() bool { return p.Doc == nil || p.Doc.InEnglish() }

// Root returns the tree of the document, or nil. Its methods can be called on nil.
func (p *DocumentPass) Root() *yamltree.Node {
	if p.Doc == nil {
		return nil
	}
	return p.Doc.Root()
}

// Is reports whether the document could be parsed and has that kind.
func (p *DocumentPass) Is(k *document.Kind) bool {
	return p.Doc != nil && p.Doc.Kind == k
}

// RuleSet returns the typed rule set, or nil if the document is not a valid rule set.
func (p *DocumentPass) RuleSet() *ruleset.RuleSet {
	if p.ruleSet == nil && p.Is(&document.RuleSet) && p.Doc.Valid() {
		p.ruleSet = p.Doc.RuleSet()
	}
	return p.ruleSet
}
