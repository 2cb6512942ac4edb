package lint

import (
	"cmp"
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
	Entry Entry
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
	if p.full(p.Entry.Path) {
		return
	}
	f := findingOf(p.Doc.File, problem)
	f.ID, f.Spec, f.Fix = p.Doc.ID(), problem.Spec, problem.Fix
	p.Add(f)
}

func findingOf(file *source.File, p source.Problem) Finding {
	f := Finding{Location: source.Locate(file, p.Span), Pointer: p.Pointer, Path: p.Path, Message: p.Message}
	for _, r := range p.Related {
		f.Related = append(f.Related, Related{Location: source.Locate(file, r.Span), Message: r.Message})
	}
	return f
}

// ReportFile adds a finding about the file as a whole.
func (p *DocumentPass) ReportFile(fix *source.Fix, format string, args ...any) {
	if p.full(p.Entry.Path) {
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
	p.Report(source.Problem{Span: span, Pointer: path.Pointer(), Path: path.String(), Message: fmt.Sprintf(format, args...)})
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
	_, found := slices.BinarySearchFunc(p.library.entries, path, func(e Entry, path string) int { return strings.Compare(e.Path, path) })
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

// mostFindings is how many findings of a lint rule are listed per file. The others are
// only counted, so that a hostile file can't fill the output.
const mostFindings = 100

// reporter collects the findings of the lint rules of a pass, one rule after the other.
type reporter struct {
	rule     *Rule
	findings []Finding
	counts   map[ruleInFile]int // how many findings each lint rule has in a file
}

type ruleInFile struct {
	rule *Rule
	file string
}

func (r *reporter) begin(rule *Rule) { r.rule = rule }

// Kept returns the result of the running rule's Keep for a document.
func (r *reporter) Kept(f *Facts) any { return f.kept[r.rule] }

// Running is the ID of the running rule.
func (r *reporter) Running() string { return r.rule.ID }

// full counts a finding of the running rule in a file and reports whether there are too
// many to list it.
func (r *reporter) full(file string) bool {
	if r.counts == nil {
		r.counts = map[ruleInFile]int{}
	}
	key := ruleInFile{r.rule, file}
	r.counts[key]++
	return r.counts[key] > mostFindings
}

// Add adds a finding of the running rule, with the severity of the rule unless it has its own.
func (r *reporter) Add(f Finding) {
	f.Rule, f.Severity, f.Spec = r.rule, cmp.Or(f.Severity, r.rule.Severity), cmp.Or(f.Spec, r.rule.Spec.String())
	r.findings = append(r.findings, f)
}

// countHidden adds a finding for each lint rule that has more findings in a file than are
// listed.
func (r *reporter) countHidden() {
	last := map[ruleInFile]Finding{}
	for _, f := range r.findings {
		if key := (ruleInFile{f.Rule, f.File}); r.counts[key] > mostFindings {
			last[key] = f
		}
	}
	for key, f := range last {
		f.Path, f.Fix, f.Related = "more", nil, nil
		f.Message = fmt.Sprintf("There are at least %d more of these in this file. Fix the listed ones first.", r.counts[key]-mostFindings)
		r.findings = append(r.findings, f)
	}
}

// run runs the lint rules whose check is a C on a pass; where describes the subject of the pass in
// errors.
func run[C interface {
	~func(P)
	Check
}, P interface{ begin(*Rule) }](rules []*Rule, p P, where string) error {
	return runEach(rules, p, where, func(rule *Rule) func(P) {
		check, _ := rule.Check.(C)
		return check
	})
}

// runEach runs a function for each lint rule that has one on a pass. A panic becomes an error with
// the name of the rule, because its result is incomplete.
func runEach[P interface{ begin(*Rule) }](rules []*Rule, p P, where string, function func(*Rule) func(P)) (err error) {
	var rule *Rule
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("lint rule %s failed on %s: %v. This is a bug in rubric-lint, not a problem in the file", rule.ID, where, cause)
		}
	}()
	for _, rule = range rules {
		if check := function(rule); check != nil {
			p.begin(rule)
			check(p)
		}
	}
	return nil
}

// memory has the results that lint rules share in a pass.
type memory struct{ values map[any]any }

func (m *memory) remembered() *memory { return m }

// Once returns a function that computes a value for a pass once and remembers it, so that
// lint rules share it for a document, for all datasets, or for the repository.
func Once[P interface{ remembered() *memory }, T any](compute func(P) T) func(P) T {
	key := new(byte) // of this function alone
	return func(p P) T {
		m := p.remembered()
		if value, known := m.values[key]; known {
			return value.(T)
		}
		value := compute(p)
		if m.values == nil {
			m.values = map[any]any{}
		}
		m.values[key] = value
		return value
	}
}

// places finds places in documents whose trees were dropped.
type places struct {
	content func(name string) ([]byte, error)
	last    *source.File // findings in one file are consecutive
}

// Locate turns a span of a document into a location. If the file can no longer be read,
// the location is the whole file.
func (p *places) Locate(name string, span source.Span) source.Location {
	if !p.open(name, span) {
		return source.Location{File: name}
	}
	return source.Locate(p.last, span)
}

// PathAt returns the path of the value at a place of a file; nil if the file can't be read.
func (p *places) PathAt(name string, span source.Span) *schema.Path {
	if !p.open(name, span) {
		return nil
	}
	return schema.PathAt(parse(p.last).Root(), span.Start)
}

// open reads a file again, and reports whether it still has a place.
func (p *places) open(name string, span source.Span) bool {
	if p.last == nil || p.last.Path != name {
		data, err := p.content(name)
		if err != nil {
			return false
		}
		p.last = source.NewFile(name, data)
	}
	return span.End <= len(p.last.Data)
}
