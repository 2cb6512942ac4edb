package library

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/limits"
)

// The places in a folder, as the repository has them.
const (
	rootFolder     = "rubrics"
	ledgerFile     = rootFolder + "/retired.yaml"
	exceptionsFile = rootFolder + "/exceptions.yaml"
)

// folderStore has all of a folder in memory.
type folderStore struct {
	all  []*entry // sorted by ID
	byID map[string]*entry
	data map[string][]byte // canonical JSON by ID
}

func (s *folderStore) version() string                 { return "" }
func (s *folderStore) digest() string                  { return "" }
func (s *folderStore) entry(id string) (*entry, error) { return s.byID[id], nil }
func (s *folderStore) entries() ([]*entry, error)      { return s.all, nil }
func (s *folderStore) close() error                    { return nil }

func (s *folderStore) documentDigest(k Kind, id, version string) string {
	if e := s.byID[id]; e != nil && e.Kind == k && len(e.Versions) > 0 && e.Latest == version {
		return e.Versions[0].Digest
	}
	return ""
}

func (s *folderStore) read(_ Kind, id, _ string) ([]byte, error) { return s.data[id], nil }

func (s *folderStore) absence(string, string) string {
	return "a folder has the current version only, and a bundle has all"
}

// folderReader collects what is wrong while it reads.
type folderReader struct {
	fsys     fs.FS
	store    *folderStore
	paths    map[string][]string // the files by ID
	problems []Problem
}

func readFolder(fsys fs.FS) (*folderStore, error) {
	r := &folderReader{
		fsys:  fsys,
		store: &folderStore{byID: map[string]*entry{}, data: map[string][]byte{}},
		paths: map[string][]string{},
	}
	if err := fs.WalkDir(fsys, rootFolder, r.visit); err != nil {
		return nil, fmt.Errorf("library: the folder can't be read; expected documents below %s/: %w", rootFolder, err)
	}
	if len(r.paths) == 0 && len(r.problems) == 0 {
		return nil, fmt.Errorf("library: there is no document below %s/. Name the folder that holds %[1]s/", rootFolder)
	}
	if err := r.readLedger(); err != nil {
		return nil, err
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	s := r.store
	s.all = slices.SortedFunc(maps.Values(s.byID), func(a, b *entry) int { return cmp.Compare(a.ID, b.ID) })
	return s, nil
}

// err is everything that is wrong.
func (r *folderReader) err() error {
	var errs []error
	for _, id := range slices.Sorted(maps.Keys(r.paths)) {
		if paths := r.paths[id]; len(paths) > 1 {
			errs = append(errs, &DuplicateError{ID: id, Paths: paths})
		}
	}
	if len(r.problems) > 0 {
		slices.SortStableFunc(r.problems, func(a, b Problem) int {
			return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
		errs = append(errs, &InvalidError{Problems: r.problems})
	}
	return errors.Join(errs...)
}

func (r *folderReader) visit(name string, d fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	ext := strings.ToLower(path.Ext(name))
	if ext != ".yaml" && ext != ".yml" || name == ledgerFile || name == exceptionsFile {
		return nil
	}
	data, err := r.readFile(name, d)
	if data == nil {
		return err
	}
	doc := document.Parse(source.NewFile(name, data))
	if id := doc.ID(); id != "" {
		r.paths[id] = append(r.paths[id], name)
	}
	if !doc.Valid() {
		r.report(doc)
		return nil
	}
	return r.add(doc)
}

// readFile is nil if the file is none that can be used.
func (r *folderReader) readFile(name string, d fs.DirEntry) ([]byte, error) {
	problem := func(message string) ([]byte, error) {
		r.problems = append(r.problems, Problem{Path: name, Message: message})
		return nil, nil
	}
	if !d.Type().IsRegular() {
		return problem("This is no file, such as a link or a folder. Put the file itself there.")
	}
	data, err := limits.ReadFile(r.fsys, name)
	if tooLarge := (*limits.TooLargeError)(nil); errors.As(err, &tooLarge) {
		return problem(fmt.Sprintf("This is too large: a document has at most %d bytes. Make it shorter.", tooLarge.Max))
	} else if err != nil {
		return nil, err
	}
	return append([]byte{}, data...), nil // not nil for an empty file
}

// report collects what is wrong with a document.
func (r *folderReader) report(doc *document.Document) {
	for _, p := range doc.Problems {
		at := doc.File.Position(p.Span.Start)
		r.problems = append(r.problems, Problem{Path: doc.File.Path, Line: at.Line, Column: at.Column, Message: p.Message})
	}
}

func (r *folderReader) add(doc *document.Document) error {
	canonical, err := doc.Canonical()
	if err != nil {
		return err
	}
	digest, err := doc.Digest()
	if err != nil {
		return err
	}
	e := &entry{Entry: Entry{
		ID: doc.ID(), Kind: Kind(doc.Kind.Name), ArtifactType: doc.ArtifactType(),
		Latest: doc.Version(), Versions: []Version{{doc.Version(), digest}},
	}}
	if wrong := e.number(); wrong != "" {
		return fmt.Errorf("library: %s has the version %q, expected one such as 1.0.0", doc.File.Path, wrong)
	}
	if m := doc.Rubric(); m != nil {
		e.Name, e.Description, e.Language = m.Name, m.Description, m.Language
		if m.Deprecated != nil {
			e.Deprecated = &Deprecation{Reason: m.Deprecated.Reason, ReplacedBy: m.Deprecated.ReplacedBy}
		}
	} else if m := doc.RuleSet(); m != nil {
		e.Name, e.Description, e.Language = m.Name, m.Description, m.Language
		if m.Deprecated != nil {
			e.Deprecated = &Deprecation{Reason: m.Deprecated.Reason, ReplacedBy: m.Deprecated.ReplacedBy}
		}
	}
	r.store.byID[e.ID], r.store.data[e.ID] = e, canonical
	return nil
}

// readLedger adds the IDs that are gone.
func (r *folderReader) readLedger() error {
	data, err := limits.ReadFile(r.fsys, ledgerFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("library: %w", err)
	}
	doc := document.ParseAs(source.NewFile(ledgerFile, data), &document.Ledger)
	if !doc.Valid() {
		r.report(doc)
		return nil
	}
	canonical, err := doc.Canonical()
	if err != nil {
		return err
	}
	ledger, err := bundlecheck.DecodeLedger(canonical)
	if err != nil {
		return fmt.Errorf("library: %s: %w", ledgerFile, err)
	}
	for _, gone := range ledger {
		if paths := r.paths[gone.ID]; paths != nil {
			r.problems = append(r.problems, Problem{Path: paths[0], Message: fmt.Sprintf(
				"%s is retired: %s lists it. Choose another ID, because scores that were stored under it would seem to be of this document.", gone.ID, ledgerFile)})
			continue
		}
		r.store.byID[gone.ID] = &entry{Entry: Entry{
			ID: gone.ID, Kind: Kind(gone.Kind), Latest: gone.LastVersion,
			Retired: &Retirement{Reason: gone.Reason, ReplacedBy: gone.ReplacedBy},
		}}
	}
	return nil
}
