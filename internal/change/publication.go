package change

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

// Origin is the state of a library from which a working tree is edited.
type Origin struct {
	// Name is the name in messages of the place where documents are published, such as
	// "origin/main".
	Name string
	// Bases are the libraries to compare with: those where the branch began, or the
	// one in the last commit on the main branch.
	Bases []*Library
	// Tip is the published library. Head is the library in the last commit.
	Tip, Head *Library

	repo   *gitrepo.Repo
	commit gitrepo.Commit // up to which the main branch is published
}

// OriginOf reads the origin of the library in a folder. On the main branch, its own content
// is published. On another branch, the content of the target is.
func OriginOf(repo *gitrepo.Repo, target gitrepo.Target, folder string) (*Origin, error) {
	commit, err := repo.Head()
	if err != nil && !errors.Is(err, gitrepo.ErrNoCommit) {
		return nil, err
	}
	head := Nothing("nothing")
	if !commit.IsZero() {
		head = in(repo, commit, folder)
	}
	if target.OnMain || target.Commit.IsZero() {
		return &Origin{Name: "the last commit", Bases: []*Library{head}, Tip: head, Head: head, repo: repo, commit: commit}, head.err
	}
	o := &Origin{Name: target.Name, Head: head, Tip: in(repo, target.Commit, folder), repo: repo, commit: target.Commit}
	o.Bases, err = mergeBases(repo, commit, target, o.Tip)
	return o, err
}

// Publication is what is published of one document.
type Publication struct {
	// bases is the document where the branch began, and tip is the document at the target;
	// nil if it does not exist there.
	bases []*Edition
	tip   *Edition

	past   Past
	ledger *Ledger
	repo   *gitrepo.Repo
	folder string
}

// Publication is what is published of the document with an ID.
func (o *Origin) Publication(id string) (*Publication, error) {
	p := &Publication{repo: o.repo, folder: o.Tip.folder}
	for _, base := range o.Bases {
		held, err := base.Find(id)
		if err != nil {
			return nil, err
		}
		if held != nil {
			p.bases = append(p.bases, held)
		}
	}
	var err error
	if p.tip, err = o.Tip.Find(id); err != nil {
		return nil, err
	}
	if p.ledger, _ = o.Tip.ledger(); o.Tip.err != nil {
		return nil, o.Tip.err
	}
	p.past, err = published(o.repo, o.commit, o.Tip.folder, []string{id})
	return p, err
}

// Unpublished is the publication of a document whose history is unknown.
func Unpublished(d *document.Document) *Publication {
	return &Publication{bases: []*Edition{editionOf(d, gitrepo.Commit{}, "")}}
}

// judge compares a text of the document with what is published and judges its version.
func (p *Publication) judge(text *document.Document) (*Step, *Document) {
	d := &Document{ID: text.ID(), Path: text.File.Path, Head: editionOf(text, gitrepo.Commit{}, ""), Bases: p.bases, Tip: p.tip}
	d.since(text)
	s := p.step(p.ledger, d)
	_ = s.fallBack(&Question{Repo: p.repo, Folder: p.folder}) // this history has just been read
	s.versions(d)
	return s, d
}

func (p *Publication) step(ledger *Ledger, documents ...*Document) *Step {
	nothing := Nothing("")
	s := &Step{Comparison: &Comparison{Head: nothing, Tip: nothing, Documents: documents, Ledger: ledger, TipLedger: p.ledger}}
	s.past = p.past.with(s.Comparison)
	return s
}

// Yank returns why a version of a document can't be yanked in a ledger, which can be nil, or nil.
func (o *Origin) Yank(d *document.Document, id, version string) error {
	ledger := ledgerOf(d)
	p, err := o.Publication(id)
	if err != nil {
		return err
	}
	s := p.step(&Ledger{Entries: append(slices.Clone(ledger.Entries), Entry{ID: id, Yanked: version})})
	if p.tip != nil {
		s.past.newest(p.tip.Holding)
	}
	if ledger.find(id, version) != nil {
		return fmt.Errorf("version %s of %s is already yanked", version, schema.Quote(id))
	}
	if why := s.notYanked(id, version); why != "" {
		return errors.New(why)
	}
	return nil
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
