package document

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// CodeKind is the problem of a document without a recognizable kind.
const CodeKind = "document-kind"

// Document is a YAML file, parsed and checked against its table.
type Document struct {
	// File is the file as read.
	File *source.File
	// Tree is nil if the file could not be parsed.
	Tree *yamltree.Tree
	// Kind is nil if the file could not be parsed or has no recognizable kind.
	Kind *Kind
	// Problems are all errors in the syntax and the structure.
	Problems []source.Problem

	valid, draft, written bool
	normal                *yamltree.Node // nil for Root
	canonical             func() []byte  // of a valid document
}

// Parse reads a document and checks its structure. It never fails: errors are in
// Problems.
func Parse(f *source.File) *Document { return parse(f, nil, yamltree.Parse) }

// ParseAs reads a file whose kind follows from its name, such as the ledger.
func ParseAs(f *source.File, k *Kind) *Document { return parse(f, k, yamltree.Parse) }

// parse reads a document of a kind, which follows from its keys if it is nil.
func parse(f *source.File, k *Kind, tree func(*source.File) (*yamltree.Tree, []source.Problem)) *Document {
	d := &Document{File: f}
	if d.Tree, d.Problems = tree(f); d.Tree == nil {
		return d
	}
	for i := range d.Problems {
		if p := &d.Problems[i]; p.Code == yamltree.CodeDuplicateKey {
			at := schema.PathAt(d.Tree.Root, p.Span.Start)
			p.Pointer, p.Path = at.Pointer(), at.String()
		}
	}
	d.Kind = k
	if k == nil {
		d.Kind = d.kind()
	}
	if d.Kind != nil {
		d.check()
	}
	return d
}

// ParseRun reads a file of a run: as JSON if it is JSON or its name ends in .json,
// otherwise as YAML.
func ParseRun(f *source.File, k *Kind) *Document {
	if !strings.HasSuffix(f.Path, ".json") && !json.Valid(f.Data) {
		return ParseAs(f, k)
	}
	return parseJSON("file", f, k, safefile.MaxRun)
}

// ParseLine reads a single line of a JSON Lines file, which is all of f.
func ParseLine(f *source.File, k *Kind) *Document { return parseJSON("line", f, k, safefile.MaxLine) }

// parseJSON rewrites messages of schema.Check, whose advice is for YAML.
func parseJSON(noun string, f *source.File, k *Kind, limit int) *Document {
	d := parse(f, k, func(f *source.File) (*yamltree.Tree, []source.Problem) {
		return yamltree.ParseJSON(noun, f, limit)
	})
	for i := range d.Problems {
		d.Problems[i].Message = adviceInJSON.Replace(d.Problems[i].Message)
	}
	return d
}

var adviceInJSON = strings.NewReplacer(
	"Write each key on its own line, indented, and without a dash:", "Write its keys in braces:",
	`Write each element on its own line after "- ".`, "Write its elements in brackets.",
	"Write it after the dash, or remove the dash.", "Write a value, or remove the element.",
	"or remove the line if it is not needed", "or leave the key out",
	`" is empty. Write`, `" is null. Write`,
	"YAML reads", "JSON reads",
)

// ParseCanonical reads only what Canonical writes, or wrote before it was in NFC: any other form
// with the same meaning is an error. name is for messages.
func ParseCanonical(name string, data []byte, k *Kind) (*Document, error) {
	f := source.NewFile(name, data)
	d := parse(f, k, func(f *source.File) (*yamltree.Tree, []source.Problem) {
		return plainNumbers(yamltree.ParseWritten(f)), nil
	})
	if d.valid && bytes.Equal(schema.Canonical(k.Table, d.Tree.Root), data) {
		return d, nil
	}
	return nil, notCanonical(f, k)
}

// notCanonical says why a file is not the canonical form of a valid document.
func notCanonical(f *source.File, k *Kind) error {
	d := parse(f, k, func(f *source.File) (*yamltree.Tree, []source.Problem) {
		tree, problems := yamltree.ParseJSON("file", f, f.Size())
		return plainNumbers(tree), problems
	})
	if !d.valid {
		return errors.New(d.Problems[0].Message)
	}
	return errors.New("its JSON is not in canonical form")
}

// plainNumbers returns a tree, or nil, after writing its numbers as authors do: RFC 8785 uses exponents for
// small ones.
func plainNumbers(tree *yamltree.Tree) *yamltree.Tree {
	if tree == nil {
		return nil
	}
	tree.Root.EachScalar(func(n *yamltree.Node, _ bool) {
		if n.Type != yamltree.Float || !strings.ContainsAny(n.Value, "eE") {
			return
		}
		if f, err := strconv.ParseFloat(n.Value, 64); err == nil {
			n.Value = schema.Plain(f)
		}
	})
	return tree
}

func (d *Document) check() {
	found := schema.Check(d.Kind.Table, d.Tree.Root, d.Kind.Noun)
	for i := range found {
		d.blankByComment(&found[i])
	}
	d.Problems = append(slices.DeleteFunc(d.Problems, func(p source.Problem) bool { return isConsequence(p, found) }),
		found...)
	isNFC := true
	EachNotNFC(d.Tree, func(*yamltree.Node, bool) { isNFC = false })
	if slices.Contains(Kinds(), d.Kind) && !isNFC {
		d.normal = InNFC(d.Tree.Root)
	}
	blocking := d.BlockingProblems()
	d.valid = len(blocking) == 0
	d.canonical = sync.OnceValue(func() []byte { return slices.Clip(schema.Canonical(d.Kind.Table, d.NormalRoot())) })
	d.written = !slices.ContainsFunc(blocking, func(p source.Problem) bool { return p.Code != schema.CodeBlankText })
	d.draft = d.written && !slices.ContainsFunc(blocking, func(p source.Problem) bool {
		return d.File.Data[p.Span.Start] != '"' && d.File.Data[p.Span.Start] != '\''
	})
}

// blankByComment says of an empty value why it is empty if its text begins with a #: it is a comment.
func (d *Document) blankByComment(p *source.Problem) {
	if p.Code != schema.CodeBlankText {
		return
	}
	line := d.File.LineSpan(d.File.Position(p.Span.Start).Line)
	i, _ := slices.BinarySearchFunc(d.Tree.Comments, p.Span.Start, func(c yamltree.Comment, start int) int {
		return c.Span.Start - start
	})
	if i == len(d.Tree.Comments) || d.Tree.Comments[i].Span.Start >= line.End {
		return
	}
	if text := d.File.Text(d.Tree.Comments[i].Span); len(text) > 1 && text[1] > '#' {
		p.Message = "Put the text in quotes, because # begins a comment: " + yamltree.QuoteVisibly(text) +
			". Without them, nothing is left of the text."
	}
}

// isConsequence reports whether a repeated key follows from another problem: keys of a group repeat
// if the dashes of a list are missing, or if one of them should be another.
func isConsequence(p source.Problem, found []source.Problem) bool {
	return p.Code == yamltree.CodeDuplicateKey && slices.ContainsFunc(found, func(other source.Problem) bool {
		return other.Code == schema.CodeWrongType && strings.HasPrefix(p.Pointer, other.Pointer+"/") ||
			other.Code == yamltree.CodeDuplicateKey &&
				(other.Pointer == p.Pointer || strings.HasPrefix(p.Pointer, other.Pointer+"/"))
	})
}

// BlockingProblems returns the problems that make the meaning of the document ambiguous,
// sorted by place.
func (d *Document) BlockingProblems() []source.Problem {
	problems := slices.DeleteFunc(slices.Clone(d.Problems), func(p source.Problem) bool {
		return p.Code == yamltree.CodeLineEndings || p.Code == schema.CodeAmbiguous
	})
	slices.SortStableFunc(problems, func(a, b source.Problem) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return problems
}

// Valid reports whether the structure is valid, so that the document has a canonical
// form and a model.
func (d *Document) Valid() bool { return d.valid }

// Draft reports whether the structure is valid, or would be if no text were blank.
func (d *Document) Draft() bool { return d.draft }

// IsWritten reports whether the structure of what is written is valid: the rest is blank, also what
// must be a number.
func (d *Document) IsWritten() bool { return d.written }

// kind determines the kind of the document, or reports why it can't.
func (d *Document) kind() *Kind {
	root := d.Tree.Root
	if root.Kind != yamltree.Mapping {
		line := d.File.LineSpan(d.File.Position(root.Span.Start).Line)
		d.report(source.Span{Start: root.Span.Start, End: min(line.End, root.Span.End)},
			"This is not a document: expected keys with values, such as name: User story quality.")
		return nil
	}
	rubric, ruleSet := root.Get(Rubric.IDKey), root.Get(RuleSet.IDKey)
	switch {
	case rubric != nil && ruleSet != nil:
		for _, e := range root.Entries {
			if e.Key.Value == RuleSet.IDKey {
				d.report(e.Key.Span, "A document is either a rubric or a rule set. Keep rubric_id or ruleset_id, and move the other to a separate file.")
			}
		}
		return nil
	case rubric != nil:
		return &Rubric
	case ruleSet != nil:
		return &RuleSet
	}
	// A misspelled ID key counts as the key that was meant, so that one mistake is one
	// finding.
	for _, e := range root.Entries {
		for _, k := range Kinds() {
			if suggest.Word(e.Key.Value, []string{k.IDKey}) != "" {
				return k
			}
		}
	}
	span := root.Span
	if len(root.Entries) > 0 {
		span = root.Entries[0].Key.Span
	}
	d.report(span, "The kind of the document is missing. Start it with rubric_id (for a rubric) or ruleset_id (for a rule set). `rubric import` converts other forms.")
	return nil
}

func (d *Document) report(span source.Span, message string) {
	d.Problems = append(d.Problems, source.Problem{Code: CodeKind, Span: span, Message: message})
}

// Root returns the document's tree, or nil if there is none.
func (d *Document) Root() *yamltree.Node {
	if d.Tree == nil {
		return nil
	}
	return d.Tree.Root
}

// NormalRoot returns the tree of a rubric or a rule set with its texts in NFC, in which they have their
// meaning. Other files have texts of other people, such as artifacts, which stay as they are.
func (d *Document) NormalRoot() *yamltree.Node {
	if d.normal != nil {
		return d.normal
	}
	return d.Root()
}

// EachNotNFC calls do for the keys and single values of a tree that are not in the normal form NFC.
// If the whole file is, only escapes can be the cause.
func EachNotNFC(t *yamltree.Tree, do func(n *yamltree.Node, isKey bool)) {
	isNormal := norm.NFC.IsNormal(t.File.Data)
	t.Root.EachScalar(func(n *yamltree.Node, isKey bool) {
		if !(isNormal && !t.IsEscaped(n)) && !norm.NFC.IsNormalString(n.Value) {
			do(n, isKey)
		}
	})
}

// InNFC returns a copy of a tree with its texts in NFC. Keys stay as they are.
func InNFC(n *yamltree.Node) *yamltree.Node {
	c := *n
	c.Value = norm.NFC.String(n.Value)
	c.Entries, c.Items = slices.Clone(n.Entries), slices.Clone(n.Items)
	for i := range c.Entries {
		c.Entries[i].Value = InNFC(c.Entries[i].Value)
	}
	for i := range c.Items {
		c.Items[i] = InNFC(c.Items[i])
	}
	return &c
}

// Text returns the text under a key of the root, or "".
func (d *Document) Text(key string) string { return d.Root().Get(key).Text() }

// ID returns the document's ID as written, valid or not, or "" if there is none.
func (d *Document) ID() string {
	if d.Kind == nil || d.Kind.IDKey == "" {
		return ""
	}
	return d.Text(d.Kind.IDKey)
}

// Version returns the version as written, valid or not.
func (d *Document) Version() string { return d.Text("version") }

// ArtifactType returns the artifact type as written, valid or not.
func (d *Document) ArtifactType() string { return d.Text("artifact_type") }

// Canonical returns the canonical form of a valid document: RFC 8785 JSON with derived
// values, without defaults, and in NFC. It must not be changed.
func (d *Document) Canonical() ([]byte, error) {
	if !d.valid {
		return nil, fmt.Errorf("%s has no canonical form: its structure is not valid", d.File.Path)
	}
	return d.canonical(), nil
}

// Digest returns the document digest: "sha256:" and the hexadecimal SHA-256 of the
// canonical form.
func (d *Document) Digest() (string, error) {
	canonical, err := d.Canonical()
	if err != nil {
		return "", err
	}
	return digest(canonical), nil
}

func digest(data []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(data)) }

// JudgeDigests are the digests of what a judge reads: the whole document, and each
// criterion or rule.
type JudgeDigests struct {
	Whole string
	// Parts is keyed by the name of the criterion or the ID of the rule.
	Parts map[string]string
}

// JudgeDigests covers the fields that a judge reads: in a rubric the name,
// description, anchors, and examples of each criterion; in a rule set the ID,
// description, and check of each rule, in any order, because rules are judged one by
// one. Documents with the same words have the same digests, whatever their IDs and
// thresholds.
func (d *Document) JudgeDigests() (JudgeDigests, error) {
	if !d.valid {
		return JudgeDigests{}, fmt.Errorf("%s has no judge digest: its structure is not valid", d.File.Path)
	}
	digests := JudgeDigests{
		Whole: digest(schema.CanonicalJudge(d.Kind.Table, d.NormalRoot())),
		Parts: map[string]string{},
	}
	for i := range d.Kind.Table.Fields {
		f := &d.Kind.Table.Fields[i]
		if !f.Judge || f.Value.Shape != schema.List {
			continue
		}
		for _, elem := range d.NormalRoot().Get(f.Key).Items {
			digests.Parts[schema.Identity(f.Value, elem)] = digest(schema.CanonicalJudge(f.Value.Elem, elem))
		}
	}
	return digests, nil
}

// Rubric returns the typed model of a valid rubric, decoded from its canonical form,
// or nil for anything else.
func (d *Document) Rubric() *rubric.Rubric { return model[rubric.Rubric](d, &Rubric) }

// RuleSet returns the typed model of a valid rule set, decoded from its canonical
// form, with derived weights and phases, or nil for anything else.
func (d *Document) RuleSet() *ruleset.RuleSet { return model[ruleset.RuleSet](d, &RuleSet) }

func model[T any](d *Document, k *Kind) *T {
	if !d.valid || d.Kind != k {
		return nil
	}
	into := new(T)
	d.Decode(into)
	return into
}

// Decode fills the struct that into points to with the canonical form of a valid
// document of any kind, as encoding/json would.
func (d *Document) Decode(into any) { schema.Decode(d.Kind.Table, d.NormalRoot(), into) }
