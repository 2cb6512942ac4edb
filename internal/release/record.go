package release

import (
	"cmp"
	"maps"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

// Ended returns which library release yanked a version, or retired a document if the version is
// "", and the time of the first commit with the entry of the ledger. The walk goes back from a
// commit that a release has; released are the releases of earlier commits by their hashes.
func Ended(repo *gitrepo.Repo, from gitrepo.Commit, folder, release string, released map[string]string) (func(id, version string) (string, time.Time), error) {
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
		l, err := change.At(repo, c, folder)
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
	l, err := change.At(repo, at, folder)
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

// Runs returns the recorded runs of the judges of a rubric. The records are those of a commit.
func Runs(repo *gitrepo.Repo, at gitrepo.Commit, folder string) (func(id string) []report.Record, error) {
	s := repo.Snapshot(at, folder)
	names, err := calibration.Names(s)
	var datasets []*calibration.Dataset
	for _, name := range names {
		d, _, err := calibration.Load(s, name) // the build reports its problems
		if err != nil {
			return nil, err
		}
		datasets = append(datasets, d)
	}
	return func(id string) (records []report.Record) {
		for _, d := range datasets {
			for i := range d.Judges {
				records = append(records, report.Records(d, id, d.Judges[i].Name)...)
			}
		}
		return records
	}, err
}
