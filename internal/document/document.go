package document

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// CodeKind is the problem of a document that does not say what it is.
const CodeKind = "document-kind"

// Document is one YAML file that was parsed and checked against its table.
type Document struct {
	// File is the file as read.
	File *source.File
	// Tree is nil where the file could not be parsed.
	Tree *yamltree.Tree
	// Kind is nil where the file could not be parsed or does not tell its kind.
	Kind *Kind
	// Problems is all that is wrong with the syntax and the structure.
	Problems []source.Problem

	valid bool
}

// Parse reads a document and checks its structure. It never fails: what is
// wrong is in Problems.
func Parse(f *source.File) *Document {
	d := &Document{File: f}
	d.Tree, d.Problems = yamltree.Parse(f)
	if d.Tree == nil {
		return d
	}
	if d.Kind = d.kind(); d.Kind != nil {
		d.check()
	}
	return d
}

// ParseAs reads a file whose kind follows from its name, such as the ledger.
func ParseAs(f *source.File, k *Kind) *Document {
	tree, problems := yamltree.Parse(f)
	return checked(f, k, tree, problems)
}

// checked is a document of a kind, of which the text was read.
func checked(f *source.File, k *Kind, tree *yamltree.Tree, problems []source.Problem) *Document {
	d := &Document{File: f, Tree: tree, Problems: problems}
	if tree != nil {
		d.Kind = k
		d.check()
	}
	return d
}

// ParseRun reads a file of a run, as JSON if it is JSON or its name ends in .json,
// else as YAML.
func ParseRun(f *source.File, k *Kind) *Document {
	if !strings.HasSuffix(f.Path, ".json") && !json.Valid(f.Data) {
		return ParseAs(f, k)
	}
	tree, problems := yamltree.ParseJSON(f, MaxRunBytes)
	return checked(f, k, tree, problems)
}

// ParseLine reads a line of a JSON Lines file, which f holds alone.
func ParseLine(f *source.File, k *Kind) *Document {
	tree, problems := yamltree.ParseJSONLine(f, MaxLineBytes)
	return checked(f, k, tree, problems)
}

// ParseCanonical reads what Canonical wrote, and nothing else: the same meaning in
// another form is an error, like any mistake. name is for messages.
func ParseCanonical(name string, data []byte, k *Kind) (*Document, error) {
	f := source.NewFile(name, data)
	tree, problems := yamltree.ParseJSON(f, len(data))
	if tree != nil {
		withoutExponents(tree.Root)
	}
	d := checked(f, k, tree, problems)
	if !d.valid {
		return nil, errors.New(d.Problems[0].Message)
	}
	if !bytes.Equal(schema.Canonical(k.Table, d.Tree.Root), data) {
		return nil, errors.New("its JSON is not in canonical form")
	}
	return d, nil
}

// withoutExponents writes numbers as authors do: RFC 8785 has exponents for small ones.
func withoutExponents(n *yamltree.Node) {
	if f, err := strconv.ParseFloat(n.Value, 64); err == nil && n.Type == yamltree.Float && strings.ContainsAny(n.Value, "eE") {
		n.Value = strconv.FormatFloat(f, 'f', -1, 64)
	}
	for _, e := range n.Entries {
		withoutExponents(e.Value)
	}
	for _, item := range n.Items {
		withoutExponents(item)
	}
}

// MaxLineBytes is the size of the longest line of a JSON Lines file that is read.
const MaxLineBytes = limits.Line

// MaxRunBytes is the size of the largest JSON file of a run that is read: a run
// holds the texts of a rule set about twice, and what other programs keep in it.
const MaxRunBytes = limits.Run

func (d *Document) check() {
	d.Problems = append(d.Problems, schema.Check(d.Kind.Table, d.Tree.Root, d.Kind.Noun)...)
	d.valid = len(d.Blocking()) == 0
}

// Blocking returns the problems that keep the document from having one meaning,
// sorted by place.
func (d *Document) Blocking() []source.Problem {
	problems := slices.DeleteFunc(slices.Clone(d.Problems), func(p source.Problem) bool {
		return p.Code == yamltree.CodeLineEndings || p.Code == schema.CodeAmbiguous
	})
	slices.SortStableFunc(problems, func(a, b source.Problem) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return problems
}

// Valid tells whether the structure is right, so that the document has a
// canonical form and a model.
func (d *Document) Valid() bool { return d.valid }

// kind finds out which kind of document it is, and reports where it can't.
func (d *Document) kind() *Kind {
	root := d.Tree.Root
	if root.Kind != yamltree.Mapping {
		line := d.File.LineSpan(d.File.Position(root.Span.Start).Line)
		d.report(source.Span{Start: root.Span.Start, End: min(line.End, root.Span.End)}, "A document is keys with values, such as name: User story quality. Here stands something else.")
		return nil
	}
	rubric, ruleSet := root.Get(Rubric.IDKey), root.Get(RuleSet.IDKey)
	switch {
	case rubric != nil && ruleSet != nil:
		for _, e := range root.Entries {
			if e.Key.Value == RuleSet.IDKey {
				d.report(e.Key.Span, "A document is a rubric or a rule set, not both. Keep rubric_id or ruleset_id, and move the other into a file of its own.")
			}
		}
		return nil
	case rubric != nil:
		return &Rubric
	case ruleSet != nil:
		return &RuleSet
	}
	// A misspelled ID key is taken for what it was meant to be, so that one mistake is
	// one finding.
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
	d.report(span, "Begin the document with rubric_id (for a rubric) or ruleset_id (for a rule set), so that it is known what it is.")
	return nil
}

func (d *Document) report(span source.Span, message string) {
	d.Problems = append(d.Problems, source.Problem{Code: CodeKind, Span: span, Message: message})
}

// Root is the document's tree, or nil where there is none.
func (d *Document) Root() *yamltree.Node {
	if d.Tree == nil {
		return nil
	}
	return d.Tree.Root
}

// Text is the text under a key of the root, or "".
func (d *Document) Text(key string) string { return d.Root().Get(key).Text() }

// ID is the document's ID as it stands in the file, right or wrong; "" if there
// is none.
func (d *Document) ID() string {
	if d.Kind == nil || d.Kind.IDKey == "" {
		return ""
	}
	return d.Text(d.Kind.IDKey)
}

// Version is the version as it stands in the file, right or wrong.
func (d *Document) Version() string { return d.Text("version") }

// ArtifactType is the artifact type as it stands in the file, right or wrong.
func (d *Document) ArtifactType() string { return d.Text("artifact_type") }

// Canonical is the canonical form of a valid document: RFC 8785 JSON in which
// derived values are written out and defaults are left out.
func (d *Document) Canonical() ([]byte, error) {
	if !d.valid {
		return nil, fmt.Errorf("%s has no canonical form: its structure is not right", d.File.Path)
	}
	return schema.Canonical(d.Kind.Table, d.Tree.Root), nil
}

// Digest is the document digest: "sha256:" and the hexadecimal SHA-256 of the
// canonical form.
func (d *Document) Digest() (string, error) {
	canonical, err := d.Canonical()
	if err != nil {
		return "", err
	}
	return digest(canonical), nil
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// JudgeDigests are the digests of what a judge reads: of the whole document and
// of each criterion or rule.
type JudgeDigests struct {
	Whole string
	// Parts is keyed by the name of the criterion or the ID of the rule.
	Parts map[string]string
}

// JudgeDigests covers the fields that a judge reads: of a rubric the name,
// description, anchors and examples of each criterion; of a rule set the ID,
// description and check of each rule, whatever their order: rules are judged one
// by one. Documents with the same words have the same digests, whatever their IDs
// and thresholds are.
func (d *Document) JudgeDigests() (JudgeDigests, error) {
	if !d.valid {
		return JudgeDigests{}, fmt.Errorf("%s has no judge digest: its structure is not right", d.File.Path)
	}
	digests := JudgeDigests{
		Whole: digest(schema.CanonicalJudge(d.Kind.Table, d.Tree.Root)),
		Parts: map[string]string{},
	}
	for i := range d.Kind.Table.Fields {
		f := &d.Kind.Table.Fields[i]
		if !f.Judge || f.Value.Shape != schema.List {
			continue
		}
		for _, elem := range d.Tree.Root.Get(f.Key).Items {
			digests.Parts[schema.Identity(f.Value, elem)] = digest(schema.CanonicalJudge(f.Value.Elem, elem))
		}
	}
	return digests, nil
}
