package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/repository/history"
)

// folder is the documents of a folder, by ID.
type folder map[string]*content

func (folder) Close() error { return nil }

func (folder) others(...string) (map[string][]byte, error) { return nil, nil }

func (f folder) read(_, id, version string) ([]byte, error) {
	if c := f[id]; c != nil && c.version == version {
		return c.data, nil
	}
	return nil, fs.ErrNotExist
}

// openFolder reads the library in a folder. One document that is wrong is an
// error: a reader must not take it for absent.
func openFolder(dir string) (*Library, error) {
	l := &Library{Retired: map[string]Retirement{}}
	documents, paths := folder{}, map[string]string{}
	fsys := safefile.DirFS(dir)
	if info, err := fs.Stat(fsys, history.Root); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is no library: it holds no folder %s/", dir, history.Root)
	}
	err := fs.WalkDir(fsys, history.Root, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || !history.IsDocument(name) {
			return err
		}
		b, err := readDocument(fsys, name)
		switch {
		case err != nil:
			return err
		case b.content == nil:
			return fmt.Errorf("%s:%d:%d: %s `rubric-lint` shows all mistakes", filepath.Join(dir, name), b.at.Line, b.at.Column, b.reason)
		case documents[b.id] != nil:
			return fmt.Errorf("%s and %s have the same ID, %s", paths[b.id], name, b.id)
		}
		documents[b.id], paths[b.id] = b.content, name
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(documents) == 0 {
		return nil, fmt.Errorf("%s holds no document", filepath.Join(dir, history.Root))
	}
	for _, id := range sortedKeys(documents) {
		line, err := indexLine([]*content{documents[id]})
		if err != nil {
			return nil, err
		}
		l.Lines = append(l.Lines, line)
	}
	l.documents = documents
	return l, l.readLedger(fsys)
}

func (l *Library) readLedger(fsys fs.FS) error {
	data, err := limits.ReadFile(fsys, history.LedgerFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	canonical, err := canonicalFile(history.LedgerFile, data, err, &document.Ledger)
	if err != nil {
		return err
	}
	retired, err := bundlecheck.DecodeLedger(canonical)
	l.retire(retired)
	return err
}

// readDocument parses a file.
func readDocument(fsys fs.FS, name string) (*blob, error) {
	data, err := limits.ReadFile(fsys, name)
	f, err := source.Read(name, data, err)
	if err != nil {
		return nil, err
	}
	return parse(f), nil
}
