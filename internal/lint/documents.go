package lint

import (
	"fmt"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// libraryFiles tells document rules which other files exist.
type libraryFiles struct {
	fsys    fs.FS
	entries []Entry // sorted by path
}

// result is what is kept of one entry.
type result struct {
	findings   []Finding
	facts      *Facts
	ignores    []*Ignore
	isDocument bool
	unread     bool   // its content is not known
	hash       string // Git's hash of the content, if the library is compared
	err        error
}

// documents runs the document rules on every entry, on all processors. A
// document's tree lives only as long as its own run.
func (e *engine) documents() ([]result, error) {
	results := make([]result, len(e.files.entries))
	var done atomic.Int64
	inParallel(len(results), func(i int) {
		results[i] = e.document(e.files.entries[i])
		e.progress("checking files", int(done.Add(1)), len(results))
	})
	for i := range results {
		if results[i].err != nil {
			return nil, results[i].err
		}
	}
	return results, nil
}

// inParallel calls do with each number from 0 to n-1, on all processors.
func inParallel(n int, do func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				do(int(i))
			}
		})
	}
	wg.Wait()
}

// document runs the document rules on an entry. A panic becomes an error that names the
// entry.
func (e *engine) document(entry Entry) (r result) {
	defer func() {
		if cause := recover(); cause != nil {
			r = result{err: fmt.Errorf("checking %s failed: %v. This is a bug in rubric-lint, not a problem in the file", entry.Path, cause)}
		}
	}()
	p := &DocumentPass{Entry: entry, Config: e.config, library: e.files}
	r.isDocument = entry.IsDocument()
	if (r.isDocument || entry.IsLedger()) && entry.Err == nil {
		data, err := e.content(entry.Path)
		if f, err := source.Read(entry.Path, data, err); err != nil {
			p.Entry.Err = safefile.Reason(err)
		} else {
			p.Doc = parse(f)
			if e.history != nil && f.Size() == len(data) {
				r.hash = change.BlobHash(data)
			}
			if r.hash != "" && r.isDocument {
				r.err = e.history.Remember(r.hash, p.Doc)
			}
			r.ignores = parseIgnores(p.Doc)
		}
	}
	if r.err != nil {
		return r
	}
	r.unread = r.isDocument && p.Entry.Err != nil
	if r.err = run[OfDocument](e.rules, p, entry.Path); r.err != nil {
		return r
	}
	p.countHidden()
	r.findings = e.suppress(p.findings, r.ignores, p.Doc)
	if r.facts = factsOf(p.Doc); r.facts != nil {
		r.err = r.facts.keep(p, e.rules)
	}
	return r
}

// parse parses a document, or the ledger or the exceptions, which are identified by
// their names.
func parse(f *source.File) *document.Document {
	switch f.Path {
	case LedgerFile:
		return document.ParseAs(f, &document.Ledger)
	case ExceptionsFile:
		return document.ParseAs(f, &document.Exceptions)
	}
	return document.Parse(f)
}

func (e *engine) content(name string) ([]byte, error) {
	if data, ok := e.instead[name]; ok {
		return data, nil
	}
	return limits.ReadFile(e.files.fsys, name)
}
