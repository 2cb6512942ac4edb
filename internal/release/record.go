package release

import (
	"cmp"
	"maps"
	"sync"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// Ended returns which library release yanked a version, or retired a document if the version is
// "", and the time of the first commit with the entry of the ledger. The walk goes back from a
// commit that a release has; released are the releases of earlier commits by their hashes.
func Ended(
	repo *gitrepo.Repo, from gitrepo.Commit, folder, release string, released map[string]string,
) (func(id, version string) (string, time.Time), error) {
	type end struct {
		release string
		at      time.Time
	}
	ends := map[key]end{}
	var open map[key]bool // the entries of the commit that all later ones have
	for c, err := range repo.FirstParents(from) {
		if err != nil {
			return nil, err
		}
		has := map[key]bool{}
		l, err := holdings.At(repo, c, folder)
		if err != nil {
			return nil, err
		}
		// A ledger with errors has no entries. The build reports the errors of the last one.
		ledger, hidden, err := l.Ledger()
		if err != nil {
			return nil, err
		}
		if ledger != nil && hidden == "" {
			for _, e := range ledger.Entries {
				has[key{e.ID, e.Yanked}] = true
			}
		}
		if open == nil {
			open = has
		}
		release = cmp.Or(released[c.Hash], release)
		maps.DeleteFunc(open, func(k key, _ bool) bool { return !has[k] })
		if len(open) == 0 {
			break
		}
		for k := range open {
			ends[k] = end{release, c.When}
		}
	}
	return func(id, version string) (string, time.Time) {
		e := ends[key{id, version}]
		return e.release, e.at
	}, nil
}

// Accepted returns why the code owners accepted a version whose changes are major, although
// its ID promises that they are not, or "". The exceptions are those of a commit.
func Accepted(repo *gitrepo.Repo, at gitrepo.Commit, folder string) (func(id, version string) string, error) {
	l, err := holdings.At(repo, at, folder)
	if err != nil {
		return nil, err
	}
	exceptions, err := l.Exceptions()
	return func(id, version string) string {
		if e := (&settled{exceptions: exceptions}).find(change.MajorChange, key{id, version}); e != nil {
			return e.Reason
		}
		return ""
	}, err
}

// Datasets returns the datasets of a commit by name, without those that have problems, which the
// build reports.
func Datasets(repo *gitrepo.Repo, at gitrepo.Commit, folder string) (map[string]*calibration.Dataset, error) {
	l, err := holdings.At(repo, at, folder)
	if err != nil {
		return nil, err
	}
	read, _, err := readDatasets(l.Files)
	known := make(map[string]*calibration.Dataset, len(read))
	for name, d := range read {
		known[name] = d.Dataset
	}
	return known, err
}

// Runs measures the recorded runs of the judges of a rubric, each on the words that it read. They
// are those of the dataset, one of the commit's, that the rubric names in the commit. The
// function can be called concurrently.
func Runs(
	repo *gitrepo.Repo, at gitrepo.Commit, folder string, known map[string]*calibration.Dataset,
	settings decide.Settings,
) (func(id string) ([]report.Past, error), error) {
	l, err := holdings.At(repo, at, folder)
	if err != nil {
		return nil, err
	}
	var one sync.Mutex // the library reads on demand
	return func(id string) ([]report.Past, error) {
		one.Lock()
		defer one.Unlock()
		e, err := l.Find(id)
		if e == nil || err != nil {
			return nil, err
		}
		now, err := calibration.NewSubject(e.Doc)
		if err != nil {
			return nil, nil // it is not a rubric
		}
		d := known[calibration.NameOf(now.Rubric.CalibrationDataset)]
		if d == nil || !d.Joins(now) || len(d.Judges) == 0 {
			return nil, nil
		}
		first, err := wordings(repo, at, folder, id)
		if err != nil {
			return nil, err
		}
		return runsOf(d, first, settings), nil
	}, nil
}

// wordings are the first versions of a rubric with other words than before, by their judge digests.
func wordings(repo *gitrepo.Repo, at gitrepo.Commit, folder, id string) (map[string]*calibration.Subject, error) {
	first := map[string]*calibration.Subject{}
	add := func(c *holdings.Content) error {
		d, err := c.Parse()
		if err != nil || d.ID() != id || !d.Valid() {
			return err
		}
		s, err := calibration.NewSubject(d)
		if err != nil {
			return nil // a rule set had the ID
		}
		if known := first[s.Digest]; known == nil || bundlefile.CompareVersions(s.Rubric.Version, known.Rubric.Version) < 0 {
			first[s.Digest] = s
		}
		return nil
	}
	contents, err := holdings.Contents(repo, at, folder)
	for p, passed := range holdings.Line(repo, at, folder, library.Root) {
		err = cmp.Or(err, passed)
		contents = append(contents, p.RemovedContents()...)
	}
	for _, c := range contents {
		err = cmp.Or(err, add(c))
	}
	return first, err
}

// runsOf measures the runs that count, if the library had their words.
func runsOf(
	d *calibration.Dataset, words map[string]*calibration.Subject, settings decide.Settings,
) (all []report.Past) {
	for i := range d.Judges {
		for _, run := range d.Judges[i].CountedRuns() {
			if s := words[run.Digest]; s != nil {
				o := decide.Options{Settings: settings, Seed: measure.Seed, AsOf: run.Date}
				all = append(all, report.PastOf(decide.On(d, s, o).Decide(&run), s.Rubric.Version))
			}
		}
	}
	return all
}
