package release

import (
	"fmt"
	"io"
	"path"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// Options are the inputs of a bundle in addition to the history.
type Options struct {
	// Version is the library's version.
	Version string
	// Previous is the last released bundle, or nil before the first.
	Previous *bundlefile.Bundle
	// Since is the commit at which the history begins to be checked, or "".
	Since string
	// Conformance has the conformance vectors by the names of their entries, such as
	// "conformance/verdict.json".
	Conformance map[string][]byte
	// Calibration says when a judge counts as calibrated, from the configuration in
	// the commit.
	Calibration decide.Settings
	// Progress, unless it is nil, is called with each step. The numbers are 0.
	Progress func(step string, done, total int)
}

func (o *Options) progress(step string) {
	if o.Progress != nil {
		o.Progress(step, 0, 0)
	}
}

// VersionProblem is a reason not to publish a bundle.
type VersionProblem struct {
	ID string `json:"id"`
	// Version is "" if the problem is about the whole document.
	Version string `json:"version"`
	Message string `json:"message"`
}

// Build is the contents of a bundle before it is written.
type Build struct {
	Manifest bundlefile.Manifest
	Index    []bundlefile.IndexLine
	// Problems are empty in a build that can be published. Notes are additional
	// information for people.
	Problems, Notes []VersionProblem

	files []bundlefile.File
}

// Write writes the bundle and returns its digest, as bundlefile.Write does.
func (b *Build) Write(w io.Writer) (digest string, err error) {
	return bundlefile.Write(w, b.Manifest, b.Index, b.files)
}

// History is the library in a commit with the history that its bundle depends on.
type History struct {
	repo   *gitrepo.Repo
	commit gitrepo.Commit
	folder string
	head   *holdings.Library
	past   *past
}

// Read reads the history of the library in a folder of a repository at a commit. What else compares
// texts of this history while the repository is open does not read them again.
func Read(repo *gitrepo.Repo, c gitrepo.Commit, folder string) (*History, error) {
	head, err := holdings.At(repo, c, folder)
	if err != nil {
		return nil, err
	}
	h := &History{repo: repo, commit: c, folder: folder, head: head}
	if h.past, err = readPast(repo, c, folder); err != nil {
		return nil, err
	}
	if len(h.past.tip) > 0 {
		return h, nil
	}
	retired, err := library.HasRetired(head.Files)
	if err == nil && !retired {
		err = fmt.Errorf("commit %.12s has no documents below %s/: there is nothing to bundle",
			c.Hash, path.Join(folder, library.Root))
	}
	return h, err
}

// New computes the contents of the bundle of a library. The error is that something can't be read.
func New(h *History, o Options) (*Build, error) {
	before, err := readPrior(o.Previous)
	if err != nil {
		return nil, err
	}
	o.progress("reading versions")
	d, err := readDocuments(h, before, o.Version)
	if err != nil {
		return nil, err
	}
	o.progress("comparing versions")
	judged, err := judge(h, before, o.Since)
	if err != nil {
		return nil, err
	}
	said := remarks{}.merge(d.remarks).merge(judged.remarks).merge(forClients(d))
	compared, err := compareWithPrior(d, before, o.Version, judged.letGo, said.problems)
	if err != nil {
		return nil, err
	}
	o.progress("reading datasets")
	measured, err := calibrate(h, d, before, o.Calibration)
	if err != nil {
		return nil, err
	}
	o.progress("collecting files")
	rest, err := entries(h, d, o.Conformance)
	if err != nil {
		return nil, err
	}
	said = said.merge(compared).merge(measured.remarks).merge(rest.remarks).sortedByDocument()
	return &Build{
		Manifest: manifest(h, d, o), Index: measured.index, Problems: said.problems, Notes: said.notes,
		files: append(measured.files, rest.files...),
	}, nil
}

func manifest(h *History, d *documents, o Options) bundlefile.Manifest {
	m := bundlefile.Manifest{
		LibraryVersion: o.Version, Commit: h.past.changed.Hash,
		Refused: sorted(d.refused), Tombstones: sorted(d.ends.tombstones), Yanked: d.ends.yanked,
	}
	if o.Previous != nil {
		m.Previous = o.Previous.Digest()
	}
	return m
}

func sorted(list []bundlefile.Omission) []bundlefile.Omission {
	return slices.SortedFunc(slices.Values(list), func(a, b bundlefile.Omission) int {
		return compareKeys(keyOf(a), keyOf(b))
	})
}

// remarks are what a step of a build says to people.
type remarks struct{ problems, notes []VersionProblem }

func (r *remarks) problem(k key, format string, args ...any) {
	r.problems = append(r.problems, VersionProblem{k.id, k.version, fmt.Sprintf(format, args...)})
}

func (r *remarks) note(k key, format string, args ...any) {
	r.notes = append(r.notes, VersionProblem{k.id, k.version, fmt.Sprintf(format, args...)})
}

// merge returns the remarks with those of a later step.
func (r remarks) merge(later remarks) remarks {
	return remarks{slices.Concat(r.problems, later.problems), slices.Concat(r.notes, later.notes)}
}

// sortedByDocument returns the remarks by what they are about.
func (r remarks) sortedByDocument() remarks {
	byKey := func(a, b VersionProblem) int { return compareKeys(a.key(), b.key()) }
	return remarks{
		slices.SortedStableFunc(slices.Values(r.problems), byKey),
		slices.SortedStableFunc(slices.Values(r.notes), byKey),
	}
}

func (p *VersionProblem) key() key { return key{p.ID, p.Version} }

func keyOf(o bundlefile.Omission) key { return key{o.ID, o.Version} }
