package authoring

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// firstVersion is the version of a new document: a draft.
const firstVersion = "0.1.0"

// Draft is the initial content of a new document.
type Draft struct {
	Kind                   *document.Kind
	ID, Name, ArtifactType string
	// Content has the keys except for those above and the version. Missing required keys are
	// left empty. Without Content, the draft is an example to replace.
	Content *yamltree.Node
	// Original, unless it is nil, is the document that the draft begins as a copy of, instead of
	// Content.
	Original *document.Document
	// Parts are the names of the criteria, or the IDs of the rules, of an example. Without
	// them, it has its own.
	Parts []string
	// Notes are comments for the author above criteria or rules of Content, by name.
	Notes map[string][]string
	// Source is the file that Content is imported from, and Part is the part of it and its format.
	Source, Part string

	// old is the document that the draft replaces, or nil. version is "" for firstVersion.
	old     *document.Document
	version string
}

// Parts is the field of a kind that lists its criteria or its rules.
func Parts(k *document.Kind) *schema.Field {
	i := slices.IndexFunc(k.Table.Fields, func(f schema.Field) bool { return f.Required && f.Value.Identity != "" })
	return &k.Table.Fields[i]
}

// CheckID returns why a text can't be the ID of a new document of a kind in the library.
func (l *Local) CheckID(k *document.Kind, id string) error {
	if err := CheckID(k, id); err != nil {
		return err
	}
	return l.Free(id)
}

// CheckID returns why a text can't be the ID of a new document of a kind in any library.
func CheckID(k *document.Kind, id string) error {
	err := check(k, k.IDKey, "ID", id)
	major := change.IDMajor.FindString(id)
	if first := FirstID(id); (err != nil || major == "") && strings.HasSuffix(first, "_v1") && check(k, k.IDKey, "ID", first) == nil {
		return fmt.Errorf("the ID must be lowercase words joined by underscores and end in _v1, got %s. Did you mean %s?", schema.Quote(id), schema.Quote(first))
	}
	if err == nil && major != "_v1" {
		stem := strings.TrimSuffix(id, major)
		err = fmt.Errorf("a new document is a draft (%s), so its ID must end in _v1: %s_v1. `rubric fork %s_v1` creates the next ID of an existing document", firstVersion, stem, stem)
	}
	return err
}

// Check returns why a text can't be the value of a key of a document, such as artifact_type.
func Check(k *document.Kind, key, text string) error {
	return check(k, key, strings.ReplaceAll(key, "_", " "), text)
}

func check(k *document.Kind, key, noun, text string) error {
	return checkValue(schema.Find(k.Table.Fields, key).Value, noun, text)
}

// CheckParts returns why texts can't be the names of the criteria, or the IDs of the
// rules, of one document.
func CheckParts(k *document.Kind, parts []string) error {
	list := Parts(k).Value
	if len(parts) == 0 {
		return fmt.Errorf("a %s needs at least one %s", k.Noun, list.Elem.Noun)
	}
	for i, part := range parts {
		noun := list.Identity + " of the " + list.Elem.Noun
		if err := checkValue(schema.Find(list.Elem.Fields, list.Identity).Value, noun, part); err != nil {
			return err
		}
		if slices.Contains(parts[:i], part) {
			return fmt.Errorf("two %s are named %s: expected unique names, because results refer to them", Parts(k).Key, schema.Quote(part))
		}
	}
	return nil
}

// New creates documents. The linter reports each place where the author has to write a text.
func (l *Local) New(drafts ...Draft) (*Edit, error) {
	e, at, paths := &Edit{}, map[string]int{}, []string{}
	instead := map[string][]byte{}
	for i, d := range drafts {
		if err := d.begin(); err != nil {
			return nil, err
		}
		if err := l.check(&d); err != nil {
			return nil, err
		}
		f := d.file()
		if instead[f.Path] != nil {
			return nil, fmt.Errorf("two of the documents have the ID %s. Choose another ID", d.ID)
		}
		e.Files, paths, instead[f.Path], at[f.Path] = append(e.Files, f), append(paths, f.Path), f.After, i
	}
	if _, err := l.finish(e); err != nil {
		return nil, err
	}
	report, err := lint.Run(l.fsys, rules.All(), lint.Options{Only: paths, Instead: instead})
	if err != nil {
		return nil, err
	}
	places := make([]int, len(drafts))
	for _, found := range report.Findings {
		if n, isNew := at[found.File]; isNew && found.Severity != lint.Note {
			places[n]++
		}
	}
	for i, d := range drafts {
		e.Files[i].Note = fmt.Sprintf("%s %s%s, findings of `rubric lint`: %d", d.Kind.Noun, cmp.Or(d.version, firstVersion), d.origin(), places[i])
	}
	return e, l.begin(e)
}

// file is the file of a draft.
func (d *Draft) file() File {
	if d.old != nil {
		return File{Path: d.old.File.Path, Before: d.old.File.Data, After: d.text()}
	}
	return File{Path: documentPath(d.ArtifactType, d.ID), After: d.text()}
}

func (l *Local) check(d *Draft) error {
	err := errors.Join(Check(d.Kind, "name", d.Name), Check(d.Kind, "artifact_type", d.ArtifactType))
	if d.old == nil {
		err = errors.Join(l.CheckID(d.Kind, d.ID), err)
	}
	if len(d.Parts) > 0 {
		err = errors.Join(err, CheckParts(d.Kind, d.Parts))
	}
	return errors.Join(err, d.checkSize())
}

// checkSize returns an error for a document that is larger than those of a library.
func (d *Draft) checkSize() error {
	size := len(d.written("sha256:" + strings.Repeat("0", 2*sha256.Size)))
	if size > limits.Document {
		return fmt.Errorf("%s would have %d bytes: at most %d are allowed. Shorten its texts or split it", documentPath(d.ArtifactType, d.ID), size, limits.Document)
	}
	return nil
}

// NameOf is a name that an ID suggests: "User story quality" for user_story_quality_v1.
func NameOf(id string) string {
	words := strings.ReplaceAll(strings.TrimSuffix(id, "_v1"), "_", " ")
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

const (
	attributesFile = ".gitattributes"
	// unionLine lets a merge keep the ledger's lines of both sides.
	unionLine = ledgerFile + " merge=union"
)

// beginnings are the files that a library has from the start. If the first retirement created
// the ledger, two branches that each retire a document would conflict.
func beginnings() []File {
	return []File{
		{Path: ledgerFile, After: []byte(EmptyLedger), Note: "the ledger of retired documents, still empty"},
		{Path: attributesFile, After: []byte(unionLine + "\n"), Note: "lets branches that each retire a document merge"},
	}
}

// hasUnionLine reports whether a text has the line for the ledger.
func hasUnionLine(text string) bool {
	return slices.Contains(strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), unionLine)
}

// begin adds the beginnings to an edit that creates the first document of a library.
func (l *Local) begin(e *Edit) error {
	ledger, err := l.lstat(ledgerFile)
	if err != nil || ledger != nil || len(l.paths) > 0 {
		return err
	}
	files := beginnings()
	attributes, err := l.lstat(attributesFile)
	if attributes != nil {
		files = files[:1]
		if data, err := l.read(attributesFile); err != nil || !hasUnionLine(string(data)) {
			e.Warnings = append(e.Warnings, fmt.Sprintf("%s already exists: add the line %q, so that branches that each retire a document can merge", attributesFile, unionLine))
		}
	}
	e.Files = append(e.Files, files...)
	return err
}

// Mapping is a mapping for Draft.Content, from keys that each precede their value: a
// string or a *yamltree.Node. Keys with an empty value are left out.
func Mapping(pairs ...any) *yamltree.Node {
	n := &yamltree.Node{Kind: yamltree.Mapping}
	for i := 0; i+1 < len(pairs); i += 2 {
		node, _ := pairs[i+1].(*yamltree.Node)
		if text, ok := pairs[i+1].(string); ok {
			node = textNode(text)
		}
		if present(node) {
			n.Entries = append(n.Entries, yamltree.Entry{Key: textNode(pairs[i].(string)), Value: node})
		}
	}
	return n
}

func textNode(text string) *yamltree.Node {
	return &yamltree.Node{Kind: yamltree.Scalar, Type: yamltree.String, Value: text}
}

func present(n *yamltree.Node) bool {
	return n != nil && (n.Value != "" || len(n.Entries)+len(n.Items) > 0)
}

// example is the content of a draft without Content. Its texts repeat if it has more parts than
// the example.
func (d *Draft) example() *yamltree.Node {
	root := d.Kind.Draft()
	list := Parts(d.Kind)
	parts := root.Get(list.Key)
	texts := parts.Items
	for i, name := range d.Parts {
		part := *texts[i%len(texts)]
		part.Entries = slices.Clone(part.Entries)
		at := slices.IndexFunc(part.Entries, func(e yamltree.Entry) bool { return e.Key.Value == list.Value.Identity })
		part.Entries[at].Value = textNode(name)
		parts.Items = append(parts.Items, &part)
	}
	if len(d.Parts) > 0 {
		parts.Items = parts.Items[len(texts):]
	}
	return root
}
