package authoring

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

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
	// Parts are the names of the criteria of a rubric, or the IDs of the rules of a
	// rule set.
	Parts []string
	// Values are the answers to Settings, by path. Missing values are left empty.
	Values map[string]string
	// Content replaces Parts and Values if the document has texts: its keys except for
	// those above and the version. Missing required keys are left empty.
	Content *yamltree.Node
	// Notes are comments for the author above criteria or rules of Content, by name.
	Notes map[string][]string
}

// Parts is the field of a kind that lists its criteria or its rules.
func Parts(k *document.Kind) *schema.Field {
	i := slices.IndexFunc(k.Table.Fields, func(f schema.Field) bool { return f.Required && f.Value.Identity != "" })
	return &k.Table.Fields[i]
}

// CheckID returns why a text can't be the ID of a new document of a kind.
func CheckID(k *document.Kind, id string) error {
	if err := check(k, k.IDKey, "ID", id); err != nil {
		return err
	}
	if m := idMajor.FindString(id); m != "" && m != "_v1" {
		stem := strings.TrimSuffix(id, m)
		return fmt.Errorf("a new document is a draft (%s), so its ID must end in _v1: %s_v1. `rubric fork %s_v1` creates the next ID of an existing document", firstVersion, stem, stem)
	}
	return nil
}

// CheckName returns why a text can't be the name of a document.
func CheckName(k *document.Kind, name string) error { return check(k, "name", "name", name) }

// CheckArtifactType returns why a text can't be the artifact type of a document.
func CheckArtifactType(k *document.Kind, artifactType string) error {
	return check(k, "artifact_type", "artifact type", artifactType)
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

// New creates a document in which the missing texts are empty, so that the linter reports
// each place.
func (l *Library) New(d Draft) (*Edit, error) {
	for _, s := range Settings(d.Kind, d.Parts) {
		if text := d.Values[s.Path]; text != "" {
			if err := s.Check(text); err != nil {
				return nil, err
			}
		}
	}
	if err := errors.Join(d.checkHead(), CheckParts(d.Kind, d.Parts)); err != nil {
		return nil, err
	}
	e, report, err := l.add([]Draft{d})
	if err != nil {
		return nil, err
	}
	places := 0
	for i := range report.Findings {
		switch found := &report.Findings[i]; {
		case found.File != e.Files[0].Path:
		case found.Rule.ID == schema.CodeBlankText:
			places++
		case found.Severity > lint.Note:
			e.Warnings = append(e.Warnings, found.Message)
		}
	}
	e.Files[0].Note = fmt.Sprintf("%s %s, with %d texts to write (`rubric lint` lists them)", d.Kind.Noun, firstVersion, places)
	return e, l.begin(e)
}

// Import creates documents from texts that exist elsewhere. The note of each file says how
// much the linter reports.
func (l *Library) Import(drafts []Draft) (*Edit, error) {
	for i, d := range drafts {
		if err := d.checkHead(); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(drafts[:i], func(other Draft) bool { return other.ID == d.ID }) {
			return nil, fmt.Errorf("two of the documents have the ID %s. Choose another ID", d.ID)
		}
	}
	e, report, err := l.add(drafts)
	if err != nil {
		return nil, err
	}
	findings := map[string]int{}
	for i := range report.Findings {
		if report.Findings[i].Severity > lint.Note {
			findings[report.Findings[i].File]++
		}
	}
	for i, d := range drafts {
		f := &e.Files[i]
		f.Note = fmt.Sprintf("%s %s. Findings of `rubric lint`: %d", d.Kind.Noun, firstVersion, findings[f.Path])
	}
	return e, l.begin(e)
}

func (d *Draft) checkHead() error {
	return errors.Join(CheckID(d.Kind, d.ID), CheckName(d.Kind, d.Name), CheckArtifactType(d.Kind, d.ArtifactType))
}

// add is the edit that adds documents, and what the linter then reports about them.
func (l *Library) add(drafts []Draft) (*Edit, *lint.Report, error) {
	e, instead := &Edit{}, map[string][]byte{}
	var paths []string
	for _, d := range drafts {
		if err := l.Free(d.ID); err != nil {
			return nil, nil, err
		}
		f := File{Path: documentPath(d.ArtifactType, d.ID), After: d.text()}
		if len(f.After) > limits.Document {
			return nil, nil, fmt.Errorf("%s would have %d bytes: at most %d are allowed. Shorten its texts or split it", f.Path, len(f.After), limits.Document)
		}
		e.Files, paths, instead[f.Path] = append(e.Files, f), append(paths, f.Path), f.After
	}
	if _, err := l.finish(e); err != nil {
		return nil, nil, err
	}
	report, err := lint.Run(l.fsys, rules.All(), lint.Options{Only: paths, Instead: instead})
	if err != nil {
		return nil, nil, err
	}
	for i := range report.Findings {
		found := &report.Findings[i]
		if found.Rule.ID != lookAlike {
			continue
		}
		file, other := found.File, found.Related[0].File
		if instead[file] == nil {
			file, other = other, file
		}
		return nil, nil, fmt.Errorf("%s is easy to confuse with the ID in %s. Choose another ID", strings.TrimSuffix(path.Base(file), ".yaml"), other)
	}
	return e, report, nil
}

const (
	attributesFile = ".gitattributes"
	// unionLine lets a merge keep the ledger's lines of both sides.
	unionLine = ledgerFile + " merge=union"
)

// begin adds an empty ledger to an edit that creates the first document of a library. If
// the first retirement created the ledger, two branches that each retire a document would
// conflict.
func (l *Library) begin(e *Edit) error {
	ledger, err := l.lstat(ledgerFile)
	if err != nil || ledger != nil || len(l.paths) > 0 {
		return err
	}
	e.Files = append(e.Files, File{Path: ledgerFile, After: []byte(EmptyLedger), Note: "the ledger of retired documents, still empty"})
	attributes, err := l.lstat(attributesFile)
	if err != nil {
		return err
	}
	if attributes == nil {
		e.Files = append(e.Files, File{Path: attributesFile, After: []byte(unionLine + "\n"), Note: "lets branches that each retire a document merge"})
	} else {
		e.Warnings = append(e.Warnings, fmt.Sprintf("%s already exists: add the line %q, so that branches that each retire a document can merge", attributesFile, unionLine))
	}
	return nil
}

// lookAlike is the lint rule that reports IDs that are easy to confuse.
const lookAlike = "look-alike-id"
