package lint

import (
	"fmt"
	"sync/atomic"

	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/parallel"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	lib "github.com/rubric-library/rubric-library/internal/library"
)

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

// checkDocuments runs the document rules on every entry, on all processors. A
// document's tree lives only as long as its own run.
func (e *engine) checkDocuments() ([]result, error) {
	results := make([]result, len(e.files.entries))
	var done atomic.Int64
	err := parallel.Each(len(results), func(i int) error {
		results[i] = e.checkDocument(e.files.entries[i])
		e.opts.Progress("checking files", int(done.Add(1)), len(results))
		return results[i].err
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// checkDocument runs the document rules on an entry. A panic becomes an error that names the
// entry.
func (e *engine) checkDocument(entry lib.FileEntry) (r result) {
	defer func() {
		if cause := recover(); cause != nil {
			err := fmt.Errorf("checking %s failed: %v. This is a bug in rubric-lint, not a problem in the file", entry.Path, cause)
			r = result{err: err}
		}
	}()
	p := &DocumentPass{Entry: entry, Config: e.opts.Config, library: e.files}
	r.isDocument = entry.IsDocument()
	if (r.isDocument || entry.IsLedger()) && entry.Err == nil {
		data, err := e.files.content(entry.Path)
		if f, err := source.Read(entry.Path, data, err); err != nil {
			p.Entry.Err = safefile.Reason(err)
		} else {
			p.Doc = parse(f)
			if e.opts.History != nil && f.Size() == len(data) {
				r.hash = holdings.BlobHash(data)
			}
			if r.hash != "" && r.isDocument {
				r.err = e.opts.History.Remember(r.hash, p.Doc)
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
	r.findings = suppress(p.findings, r.ignores, p.Doc, e.opts.fails)
	if r.facts = factsOf(p.Doc); r.facts != nil {
		r.err = r.facts.keep(p, e.rules)
	}
	return r
}

// keep stores what lint rules need of the document once its tree is dropped.
func (f *Facts) keep(p *DocumentPass, rules []*Rule) error {
	f.kept = map[*Rule]any{}
	return runEach(rules, p, f.Path, func(rule *Rule) func(*DocumentPass) {
		if rule.Keep == nil {
			return nil
		}
		return func(p *DocumentPass) { f.kept[rule] = rule.Keep(p) }
	})
}

// summarize counts the documents.
func summarize(results []result) (s Summary) {
	for i := range results {
		if results[i].isDocument {
			s.Files++
		}
		if f := results[i].facts; f != nil && f.Kind == &document.Rubric {
			s.Rubrics++
		} else if f != nil {
			s.RuleSets++
		}
	}
	return s
}
