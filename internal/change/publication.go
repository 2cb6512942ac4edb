package change

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

// Publication is what is published of one document.
type Publication struct {
	// Bases is the document where the branch began, and Tip is the document at the target;
	// nil if it does not exist there.
	Bases []*Edition
	Tip   *Edition

	past   Past
	ledger *Ledger
}

// Earlier adds the versions of a document up to a commit of the main branch, and the one in the
// ledger of the target.
func (p *Publication) Earlier(repo *gitrepo.Repo, from gitrepo.Commit, target *Library, folder, id string) (err error) {
	if p.ledger, _, err = target.ledger(); err != nil {
		return err
	}
	p.past, err = published(repo, from, folder, []string{id})
	return err
}

// judge compares a text of the document with what is published and judges its version.
func (p *Publication) judge(text *document.Document) (*Step, *Document) {
	d := &Document{ID: text.ID(), Path: text.File.Path, Head: EditionOf(text), Bases: p.Bases, Tip: p.Tip}
	bases := p.Bases
	if len(bases) == 0 && p.Tip != nil {
		bases = []*Edition{p.Tip} // as in a comparison of libraries
	}
	for _, base := range bases {
		changes := compat.Compare(base.Doc, text)
		if d.Base == nil || compat.Class(changes) > d.Class() {
			d.Base, d.Changes = base, changes
		}
	}
	s := &Step{Comparison: &Comparison{Head: Nothing(""), Documents: []*Document{d}, TipLedger: p.ledger}}
	s.past = p.past.with(s.Comparison)
	s.versions(d)
	return s, d
}

// Version returns the version that a text of the document needs: its own, if that fits.
func (p *Publication) Version(text *document.Document) string {
	s, d := p.judge(text)
	for _, v := range s.Verdicts {
		if v.Fails() && d.floor != nil {
			return d.next().String()
		}
	}
	return text.Version()
}

// Breaks returns the published document that a text changes so that it belongs under the next
// ID, or nil. A draft needs no new ID.
func (p *Publication) Breaks(text *document.Document) *document.Document {
	_, d := p.judge(text)
	if d.base == nil || d.base.Major() == 0 || d.Class() != schema.Major {
		return nil
	}
	return d.Base.Doc
}

// Successor returns the ID and the version under which a document is published after a major
// change: _vN+1 at N+1.0.0. An ID without a number counts as the ID of its major version.
func Successor(id, version string) (nextID, nextVersion string, err error) {
	v, err := semver.StrictNewVersion(version)
	if err != nil {
		return "", "", err
	}
	stem, major := id, max(1, v.Major())
	if m := IDMajor.FindStringSubmatch(id); m != nil {
		stem = strings.TrimSuffix(id, m[0])
		if major, err = strconv.ParseUint(m[1], 10, 64); err != nil {
			return "", "", err
		}
	}
	return fmt.Sprintf("%s_v%d", stem, major+1), fmt.Sprintf("%d.0.0", major+1), nil
}
