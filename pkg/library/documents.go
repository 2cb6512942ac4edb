package library

import (
	"cmp"
	"io/fs"
	"slices"
	"sync"

	"github.com/rubric-library/rubric-library/internal/document"
	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// documents are those of a bundle or of a folder. They are safe for concurrent use. Their
// lines are shared and must not be changed.
type documents struct {
	bundle    *bundlefile.Bundle   // nil for a folder
	yanked    map[[2]string]string // the reasons by ID and version; constraints never select these
	withdrawn []Withdrawal         // sorted by ID and version

	// known caches what line returns for a bundle, as *line by ID.
	known sync.Map

	mu      sync.Mutex
	retired map[string]bundlecheck.Retirement // by ID; nil until it is read
	lines   []*line                           // nil until they are read
}

// line is what is needed to list a document and to choose a version of it.
type line struct {
	bundlefile.IndexLine
	// retirement is the reason why a document is gone, nil unless Retired is set. It
	// is empty if the library gives no reason.
	retirement *bundlecheck.Retirement

	data  []byte // the canonical form of the only version of a folder
	words *bundlefile.Words
}

func newLine(of bundlefile.IndexLine) *line {
	l := &line{IndexLine: of}
	l.words = bundlefile.WordsOf(&l.IndexLine)
	return l
}

// readFolder reads a folder. Each document has one version. A retired ID has a line without
// versions.
func readFolder(fsys fs.FS) (*documents, error) {
	d := &documents{yanked: map[[2]string]string{}, retired: map[string]bundlecheck.Retirement{}}
	ledger, err := lib.Read(fsys, d.add)
	if err != nil {
		return nil, err
	}
	for _, y := range ledger.Yanked {
		if y.Withdrawn {
			d.withdrawn = append(d.withdrawn, Withdrawal{ID: y.ID, Version: y.Version, Reason: y.Reason})
		} else {
			d.yanked[[2]string{y.ID, y.Version}] = y.Reason
		}
	}
	slices.SortFunc(d.withdrawn, func(a, b Withdrawal) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Version, b.Version))
	})
	for _, gone := range ledger.Retired {
		d.retired[gone.ID] = gone
		d.lines = append(d.lines, retiredLine(gone))
	}
	slices.SortFunc(d.lines, func(a, b *line) int { return cmp.Compare(a.ID, b.ID) })
	return d, nil
}

// retiredLine returns the line of a document of which only the ledger is left.
func retiredLine(gone bundlecheck.Retirement) *line {
	l := newLine(bundlefile.IndexLine{ID: gone.ID, Kind: gone.Kind, Latest: gone.LastVersion, Retired: true})
	l.retirement = &gone
	return l
}

func (d *documents) add(doc *document.Document) error {
	data, err := doc.Canonical()
	if err != nil {
		return err
	}
	digest, err := doc.Digest()
	if err != nil {
		return err
	}
	index, err := bundlefile.LineOf(doc.ID(), doc.Kind.Name, data,
		[]bundlefile.Version{{Version: doc.Version(), Digest: digest}})
	if err != nil {
		return err
	}
	l := newLine(index)
	l.data = data
	d.lines = append(d.lines, l)
	return nil
}

// line returns what is needed to choose a version of a document, or nil if there is none
// with the ID. In a bundle, it is without the calibration: in a library of thousands, decoding the
// whole index takes longer than everything else together. The line of an ID that only the ledger
// has is without versions, as in a folder.
func (d *documents) line(id string) (*line, error) {
	if d.bundle == nil {
		return findLine(d.lines, id), nil
	}
	if l, ok := d.known.Load(id); ok {
		return l.(*line), nil
	}
	found, err := d.bundle.Line(id)
	if err != nil {
		return nil, err
	}
	if found == nil {
		retired, err := d.ledger()
		if gone, ok := retired[id]; ok {
			return retiredLine(gone), err
		}
		return nil, err
	}
	l, err := d.bundleLine(*found)
	if err != nil {
		return nil, err
	}
	kept, _ := d.known.LoadOrStore(id, l)
	return kept.(*line), nil
}

func (d *documents) bundleLine(of bundlefile.IndexLine) (*line, error) {
	l := newLine(of)
	if l.Retired {
		retired, err := d.ledger()
		if err != nil {
			return nil, err
		}
		gone := retired[l.ID]
		l.retirement = &gone
	}
	return l, nil
}

// fullLine returns the whole line of an ID, or nil if there is none. In a bundle, it reads
// the index.
func (d *documents) fullLine(id string) (*line, error) {
	lines, err := d.all()
	if l := findLine(lines, id); l != nil || err != nil {
		return l, err
	}
	return d.line(id)
}

// findLine returns the line of an ID, or nil.
func findLine(sorted []*line, id string) *line {
	i, found := slices.BinarySearchFunc(sorted, id, func(l *line, id string) int { return cmp.Compare(l.ID, id) })
	if !found {
		return nil
	}
	return sorted[i]
}

// all returns the lines of all documents, sorted by ID.
func (d *documents) all() ([]*line, error) {
	d.mu.Lock()
	all := d.lines
	d.mu.Unlock()
	if all != nil || d.bundle == nil {
		return all, nil
	}
	for decoded, err := range d.bundle.Index() {
		if err != nil {
			return nil, err
		}
		l, err := d.bundleLine(decoded)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = all
	return all, nil
}

// ledger returns the retired IDs.
func (d *documents) ledger() (_ map[string]bundlecheck.Retirement, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.retired == nil {
		d.retired, err = bundlecheck.Retired(d.bundle)
	}
	return d.retired, err
}

// ids returns the IDs of all documents that are not retired, sorted. In a bundle, they
// follow from the names of the entries.
func (d *documents) ids() []ID {
	var ids []ID
	if d.bundle == nil {
		for _, l := range d.lines {
			if !l.Retired {
				ids = append(ids, ID{l.ID, Kind(l.Kind)})
			}
		}
		return ids
	}
	retired := d.bundle.Manifest().Retired
	for path := range d.bundle.Paths("ru") { // rubrics/ and rulesets/
		kind, id, _, ok := bundlefile.SplitDocumentPath(path)
		_, gone := slices.BinarySearch(retired, id)
		if ok && !gone && (len(ids) == 0 || ids[len(ids)-1].ID != id) {
			ids = append(ids, ID{id, Kind(kind)})
		}
	}
	slices.SortFunc(ids, func(a, b ID) int { return cmp.Compare(a.ID, b.ID) })
	return ids
}

// maxNear is the length above which an ID is not compared with others, because the
// time grows with the length. An ID of a library has at most 128 bytes.
const maxNear = 160

// near returns up to three similar IDs of documents that are not retired, the nearest
// first, of any kind if kind is "".
func (d *documents) near(kind Kind, id string) []string {
	if len(id) > maxNear {
		return nil
	}
	var ids []string
	for _, other := range d.ids() {
		if kind == "" || other.Kind == kind {
			ids = append(ids, other.ID)
		}
	}
	return suggest.Words(id, ids, 3)
}

// read returns a version that has a digest.
func (d *documents) read(kind Kind, id, version string) (*document.Document, error) {
	if d.bundle != nil {
		return bundlecheck.Read(d.bundle, string(kind), id, version)
	}
	return bundlecheck.Document(string(kind), id, version, findLine(d.lines, id).data)
}
