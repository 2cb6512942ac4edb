package forge_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/authoring"
)

// ownCode is what the scripts of a library print if a reusable workflow takes them for those of
// the programs.
const ownCode = "THE LIBRARY RUNS ITS OWN CODE"

// reusable mirrors a library from GitHub, whose workflows call those of the programs: Gitea runs
// them, and does not tell them from which repository they are.
func (f *forge) reusable(t *testing.T) {
	f = f.on(t)
	commit := f.withoutUploads()
	dir, _ := f.starter()
	f.run(admin, dir, `git rm -rq .gitea && rubric init --ci github
		sed -i 's/@`+f.commit+`/@`+commit+`/' .github/workflows/*.yml
		mkdir .ci && printf 'module example.org/library\n\ngo 1.26\n' >go.mod
		for name in library-release calibrate; do
			printf '#!/bin/sh\necho "`+ownCode+`"\n' >.ci/$name && chmod +x .ci/$name
		done
		rm .github/workflows/rubrics.yml
		git add . && git commit --quiet --message 'Move to GitHub'`)
	l := f.newLibrary(t, "mirrored", dir, nil)
	l.must(admin, "POST", l.api("/actions/workflows/rubrics-weekly.yml/dispatches"), object{"ref": "main"}, nil)
	logs := l.finished(2)
	for _, name := range []string{"release", "weekly"} {
		log, ran := logs[name]
		if !ran {
			t.Errorf("the job %s did not run: %v", name, logs)
			continue
		}
		attempt{
			name: "the reusable workflow of the job " + name + " runs code of the library", page: "docs/releases.md",
			says: "does not name the repository and the commit of the programs",
		}.show(t, strings.Contains(log, ownCode), log)
	}
}

// withoutUploads pushes a commit of the programs whose workflows don't use the action for
// artifacts, which is not mirrored.
func (f *forge) withoutUploads() (commit string) {
	f.t.Helper()
	dir := filepath.Join(f.dir, "programs-on-the-forge")
	out := f.run(admin, f.dir, "git clone --quiet "+f.url+"/"+authoring.Project+" '"+dir+"' && cd '"+dir+`'
		sed -i 's/uses: actions\/upload-artifact@.*/run: "true"/' .github/workflows/*.yml
		git commit --quiet --all --message 'Upload nothing'
		git push --quiet origin HEAD:refs/heads/without-uploads && git rev-parse HEAD`)
	lines := strings.Split(strings.TrimSpace(out), "\n") // the server has said something before
	return lines[len(lines)-1]
}

// finished waits until a number of jobs have ended, and returns their logs by their names.
func (l *library) finished(count int) map[string]string {
	l.t.Helper()
	var answer struct {
		Jobs []struct {
			ID           json.Number
			Name, Status string
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
	logs := map[string]string{}
	for _, job := range answer.Jobs {
		text := ""
		l.must(admin, "GET", l.api("/actions/jobs/"+job.ID.String()+"/logs"), nil, &text)
		logs[job.Name] = text
	}
	return logs
}
