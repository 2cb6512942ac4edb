package gitrepo

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// bigRepo has 10,000 files of 4 KB in 20 folders, and 200 commits that change
// one file each, packed as a server would send them.
func bigRepo(b *testing.B) *testRepo {
	b.Helper()
	const files, commits = 10_000, 200
	name := func(i int) string { return fmt.Sprintf("rubrics/type_%02d/rubric_%05d.yaml", i%20, i) }
	content := func(i, version int) string {
		return fmt.Sprintf("rubric_id: rubric_%05d\nversion: 1.%d.0\n", i, version) + strings.Repeat(fmt.Sprintf("# line %d\n", i), 300)
	}
	var s strings.Builder
	for v := range commits {
		fmt.Fprintf(&s, "commit refs/heads/main\ncommitter Ann <ann@example.org> %d +0000\ndata 1\nc\n", 1_700_000_000+60*v)
		first, last := v*37%files, v*37%files+1
		if v == 0 {
			first, last = 0, files
		}
		for i := first; i < last; i++ {
			c := content(i, v)
			fmt.Fprintf(&s, "M 100644 inline %s\ndata %d\n%s\n", name(i), len(c), c)
		}
	}
	r := newRepo(b)
	r.gitInput(s.String(), "fast-import", "--quiet")
	r.git("gc", "-q")
	r.git("reset", "-q", "--hard")
	return r
}

// measure runs the git command and then ours b.N times, and reports the ratio of the
// times.
func measure(b *testing.B, r *testRepo, args []string, ours func()) {
	var theirs time.Duration
	const runs = 3
	for range runs {
		start := time.Now()
		r.git(args...)
		theirs += time.Since(start)
	}
	for b.Loop() {
		ours()
	}
	perRun := b.Elapsed() / time.Duration(b.N)
	b.ReportMetric(float64(perRun)/(float64(theirs)/runs), "times-git")
	b.ReportMetric(float64(theirs.Milliseconds())/runs, "git-ms")
}

// BenchmarkWalk walks the history and lists the changes of each commit; the target is
// 10 times git.
func BenchmarkWalk(b *testing.B) {
	r := bigRepo(b)
	measure(b, r, []string{"log", "--first-parent", "--raw"}, func() {
		repo := r.open()
		changes := 0
		var after *Snapshot
		for c, err := range repo.FirstParents(r.resolve(repo, "HEAD")) {
			if err != nil {
				b.Fatal(err)
			}
			s, err := repo.Snapshot(c, "rubrics")
			if err != nil {
				b.Fatal(err)
			}
			if after != nil {
				changed, err := Changed(s, after)
				if err != nil {
					b.Fatal(err)
				}
				changes += len(changed)
			}
			after = s
		}
		if changes != 199 {
			b.Fatalf("%d changes", changes)
		}
	})
}

// BenchmarkCompare compares two revisions and reads the differences; the target is 10
// times git.
func BenchmarkCompare(b *testing.B) {
	r := bigRepo(b)
	measure(b, r, []string{"diff", "--stat", "HEAD~3", "HEAD"}, func() {
		repo := r.open()
		var s [2]*Snapshot
		for i, rev := range []string{"HEAD~3", "HEAD"} {
			var err error
			if s[i], err = repo.Snapshot(r.resolve(repo, rev), ""); err != nil {
				b.Fatal(err)
			}
		}
		changed, err := Changed(s[0], s[1])
		if err != nil || len(changed) != 3 {
			b.Fatalf("%d changes, %v", len(changed), err)
		}
		for _, c := range changed {
			for i, e := range []*Entry{c.A, c.B} {
				if _, err := s[i].ReadEntry(*e); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

// BenchmarkReadAll reads all files of one revision.
func BenchmarkReadAll(b *testing.B) {
	r := bigRepo(b)
	measure(b, r, []string{"archive", "--format=tar", "HEAD"}, func() {
		s := r.snapshot("rubrics")
		entries, err := s.Entries()
		if err != nil || len(entries) != 10_000 {
			b.Fatalf("%d entries, %v", len(entries), err)
		}
		for _, e := range entries {
			if _, err := s.ReadEntry(e); err != nil {
				b.Fatal(err)
			}
		}
	})
}
