package forge_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// reusable mirrors a library from GitHub, whose workflows call those of the programs: Gitea runs
// them, and does not tell them from which repository they are.
func (f *forge) reusable(t *testing.T) {
	f = f.on(t)
	ran := filepath.Join(f.dir, "ran") // by the scripts of the library, if they run
	commit := f.withMirrored()
	dir, _ := f.starter()
	f.run(admin, dir, `git rm -rq .gitea && rubric init --ci github
		sed -i 's/@`+f.commit+`/@`+commit+`/' .github/workflows/*.yml
		mkdir .ci && printf 'module example.org/library\n\ngo 1.26\n' >go.mod
		for name in library-release calibrate; do
			printf '#!/bin/sh\ntouch "`+ran+`"\n' >.ci/$name && chmod +x .ci/$name
		done
		rm .github/workflows/rubrics.yml
		git add . && git commit --quiet --message 'Move to GitHub'`)
	for name, job := range f.mirrored(t, "mirrored", dir) {
		if job.conclusion != "skipped" {
			t.Errorf("the job %s of a mirrored library is %s: %s", name, job.conclusion, job.log)
		}
	}
	works("a mirrored library without a red run", "docs/releases.md")
	stops := "sed -i '/endsWith(github.api_url/d' .github/workflows/*.yml"
	f.run(admin, dir, stops+" && git commit --quiet --all --message 'Run here'")
	f.mirrored(t, "runs-here", dir)
	_, err := os.Stat(ran)
	// The page of a run does not have the steps of such a workflow, and the log of the runner has.
	attempt{
		name: "a reusable workflow runs code of the library that calls it", page: "docs/releases.md",
		says: "does not name the repository and the commit of the programs",
	}.show(t, err == nil, scripttest.Text(t, filepath.Join(f.dir, "runner.log")))
}

// mirrored pushes a library, and starts its weekly workflow. It returns that job, and that of the
// release.
func (f *forge) mirrored(t *testing.T, name, dir string) map[string]job {
	t.Helper()
	l := f.newLibrary(t, name, dir, nil)
	l.must(admin, "POST", l.api("/actions/workflows/rubrics-weekly.yml/dispatches"), object{"ref": "main"}, nil)
	jobs := l.finished(2)
	if jobs["release"].log == "" || jobs["weekly"].log == "" {
		t.Fatalf("a job did not run: %v", jobs)
	}
	return jobs
}

// withMirrored pushes a commit of the programs whose workflows have the action for a checkout
// instead of those that are not mirrored, and that come after the steps that stop.
func (f *forge) withMirrored() (commit string) {
	f.t.Helper()
	dir := folder(f.t)
	out := f.run(admin, f.dir, "git clone --quiet "+f.url+"/"+authoring.Project+" '"+dir+"' && cd '"+dir+`'
		checkout=$(grep -ohm 1 'actions/checkout@[0-9a-f]*' .github/workflows/library-release.yml)
		sed -i -E "/actions\/(checkout|setup-go)@/! s|uses: actions/[^ ]*|uses: $checkout|" .github/workflows/*.yml
		git commit --quiet --all --message 'Use what is mirrored'
		git push --quiet origin HEAD:refs/heads/mirrored && git rev-parse HEAD`)
	lines := strings.Split(strings.TrimSpace(out), "\n") // the server has said something before
	return lines[len(lines)-1]
}

// job is a job that has ended.
type job struct{ conclusion, log string }

// finished waits until a number of jobs have ended, and returns them by their names.
func (l *library) finished(count int) map[string]job {
	l.t.Helper()
	var answer struct {
		Jobs []struct {
			ID                       json.Number
			Name, Status, Conclusion string
		}
	}
	l.wait("all jobs have ended", 3*time.Minute, func() bool {
		l.must(admin, "GET", l.api("/actions/jobs"), nil, &answer)
		ended := 0
		for _, job := range answer.Jobs {
			if job.Status == "completed" {
				ended++
			}
		}
		return ended >= count
	})
	ended := map[string]job{}
	for _, j := range answer.Jobs {
		text := ""
		l.must(admin, "GET", l.api("/actions/jobs/"+j.ID.String()+"/logs"), nil, &text)
		ended[j.Name] = job{j.Conclusion, text}
	}
	return ended
}
