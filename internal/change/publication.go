package change

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/change/comparison"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
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
	Bases []*holdings.Library
	// Tip is the published library. Head is the library in the last commit.
	Tip, Head *holdings.Library

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
	head := holdings.Nothing("nothing")
	if !commit.IsZero() {
		if head, err = holdings.At(repo, commit, folder); err != nil {
			return nil, err
		}
	}
	if target.OnMain || target.Commit.IsZero() {
		only := []*holdings.Library{head}
		return &Origin{Name: "the last commit", Bases: only, Tip: head, Head: head, repo: repo, commit: commit}, nil
	}
	tip, err := holdings.At(repo, target.Commit, folder)
	if err != nil {
		return nil, err
	}
	o := &Origin{Name: target.Name, Head: head, Tip: tip, repo: repo, commit: target.Commit}
	o.Bases, err = holdings.MergeBases(repo, commit, target, o.Tip)
	return o, err
}

// Unpublished is the origin of a document whose history is unknown: the document as it is.
func Unpublished(d *document.Document) *Origin {
	files := []holdings.File{{Path: d.File.Path, ID: d.ID(), Known: true}}
	l := holdings.Working("", files, func(string) ([]byte, error) { return d.File.Data, nil })
	return &Origin{Bases: []*holdings.Library{l}, Tip: holdings.Nothing("")}
}

// judge compares a text of a document with what is published, and judges its version. The
// text is nil if the library no longer has the document. The ledger can be nil.
func (o *Origin) judge(
	id string, text *document.Document, ledger *holdings.Ledger,
) (s *Step, d *JudgedDocument, err error) {
	s = &Step{Comparison: &comparison.Comparison{
		Head: holdings.Nothing(""), Tip: o.Tip,
		Ledgers: comparison.Ledgers{Ledger: ledger, Living: map[string]string{}},
	}}
	if text != nil {
		changed, err := o.document(text)
		if err != nil {
			return nil, nil, err
		}
		d = &JudgedDocument{ChangedDocument: changed}
		s.Changed, s.Documents = []*comparison.ChangedDocument{changed}, []*JudgedDocument{d}
		if text.Valid() {
			s.Living[id] = text.Version()
		}
	}
	past, err := holdings.Published(o.repo, o.commit, o.Tip.Folder, []string{id})
	if err != nil {
		return nil, nil, err
	}
	if s.TipLedger, err = o.Tip.EarlierLedger(); err != nil {
		return nil, nil, err
	}
	if err := addBases(past, s.Comparison); err != nil {
		return nil, nil, err
	}
	s.past = past
	if o.repo != nil {
		s.releases = holdings.ReleasesOf(o.repo, o.Tip.Folder)
	}
	if err = s.findFallbacks(&Question{Repo: o.repo, Folder: o.Tip.Folder}); err != nil {
		return nil, nil, err
	}
	if d != nil {
		if err := s.judgeVersion(d); err != nil {
			return nil, nil, err
		}
	}
	return s, d, nil
}

// document compares a text of a document with what is published.
func (o *Origin) document(text *document.Document) (*comparison.ChangedDocument, error) {
	head := holdings.EditionOf(text, gitrepo.Commit{}, "")
	d := &comparison.ChangedDocument{ID: text.ID(), Path: text.File.Path, Head: head}
	for _, base := range o.Bases {
		held, err := base.Find(d.ID)
		if err != nil {
			return nil, err
		}
		if held != nil {
			d.Bases = append(d.Bases, held)
		}
	}
	var err error
	if d.Tip, err = o.Tip.Find(d.ID); err != nil || !text.Valid() {
		return d, err
	}
	return d, d.CompareWithBases(text)
}

// PublishedVersions returns the published versions of a document, the newest first.
func (o *Origin) PublishedVersions(id string) ([]string, error) {
	editions, err := o.editions(id)
	if err != nil {
		return nil, err
	}
	var versions []string
	for _, e := range editions {
		if !slices.Contains(versions, e.Version) {
			versions = append(versions, e.Version)
		}
	}
	return versions, nil
}

// editions are the valid texts of a document that were published, the newest first. Only that at the
// tip has its document.
func (o *Origin) editions(id string) ([]*holdings.Edition, error) {
	tip, err := o.Tip.Find(id)
	if err != nil {
		return nil, err
	}
	past, err := holdings.Published(o.repo, o.commit, o.Tip.Folder, []string{id})
	if err != nil {
		return nil, err
	}
	invalid := func(e *holdings.Edition) bool { return e == nil || !e.IsValid() }
	return slices.DeleteFunc(append([]*holdings.Edition{tip}, past[id]...), invalid), nil
}

// Yank returns why a version of a document can't be yanked or withdrawn in a ledger, or nil. work
// is nil if the library no longer has the document.
func (o *Origin) Yank(work, ledger *document.Document, id, version string, withdraw bool) error {
	entries, quoted := holdings.LedgerOf(ledger), schema.Quote(id)
	entry := entries.Entry(id, version)
	switch {
	case entry != nil && entry.Withdrawn:
		return fmt.Errorf("version %s of %s is already withdrawn", version, quoted)
	case entry != nil && !withdraw:
		return fmt.Errorf("version %s of %s is already yanked. To withdraw its text, too, add --withdraw", version, quoted)
	case withdraw && work != nil && work.Version() == version:
		return fmt.Errorf("version %s is the current one of %s, so the library would still have its text. "+
			"Publish a new version first, or retire the document with `rubric retire %s`", version, quoted, id)
	case entry == nil:
		entries.Entries = append(entries.Entries, holdings.LedgerLine{ID: id, Yanked: version})
		entry = entries.Entry(id, version)
	}
	entry.Withdrawn = withdraw
	s, _, err := o.judge(id, work, entries)
	if err != nil {
		return err
	}
	why := s.notYanked(entry)
	current, lives := s.Living[id]
	if why == "" && lives && s.IsYanked(id, current) && s.selectedVersion(id, nil) == nil {
		why = noneRemains(id)
	}
	if why != "" {
		return errors.New(why)
	}
	return nil
}

// Version returns the version that a text of a document needs: its own, if that fits.
func (o *Origin) Version(text *document.Document) (string, error) {
	s, d, err := o.judge(text.ID(), text, nil)
	if err == nil && d.floor != nil && slices.ContainsFunc(s.Broken, (*BrokenRule).Fails) {
		return d.nextVersion().String(), nil
	}
	return text.Version(), err
}

// Breaks returns the published document that a text changes so that it belongs under the next
// ID, or nil. A draft needs no new ID.
func (o *Origin) Breaks(text *document.Document) (*document.Document, error) {
	_, d, err := o.judge(text.ID(), text, nil)
	if err != nil || d.base == nil || d.base.Major() == 0 || d.Class() != schema.Major {
		return nil, err
	}
	return d.Base.Doc, nil
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
