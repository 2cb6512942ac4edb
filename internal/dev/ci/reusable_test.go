package ci_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// stopFirst is the first step of each job that another repository can call.
const stopFirst = "Stop unless the repository and the commit of the programs are known"

// TestReusableWorkflowsStopFirst: where a runner does not name the repository and the commit of a
// called workflow, checkout takes those of the caller, whose files would run as the programs. So
// each job asks before it checks out or runs anything.
func TestReusableWorkflowsStopFirst(t *testing.T) {
	commit := strings.Repeat("c", 40)
	const caller = "acme/bugs/.github/workflows/rubrics-release.yml@refs/heads/main"
	jobs := 0
	for name, w := range workflows(t) {
		if _, called := w.On["workflow_call"]; !called {
			continue
		}
		file := "/.github/workflows/" + name + ".yml@"
		for id, j := range w.Jobs {
			jobs++
			first := j.Steps[0]
			if first.Name != stopFirst || first.If != "" || first.Uses != "" {
				t.Errorf("%s, job %s does something else first", name, id)
			}
			asked := map[string]string{
				"REPOSITORY": "${{ job.workflow_repository }}", "COMMIT": "${{ job.workflow_sha }}",
				"WORKFLOW": "${{ job.workflow_ref }}", "CALLER": "${{ github.workflow_ref }}",
			}
			for variable, want := range asked {
				if got := first.Env[variable]; got != want {
					t.Errorf("%s, job %s: %s is %s, want %s", name, id, variable, got, want)
				}
			}
			for why, test := range map[string]struct {
				repository, commit, workflow, caller string
				code                                 int
			}{
				"called by another repository":  {"o/programs", commit, "o/programs" + file + commit, caller, 0},
				"written in another case":       {"O/Programs", commit, "o/programs" + file + "refs/tags/v1", caller, 0},
				"called by its own repository":  {"o/r", commit, "o/r" + file + "refs/heads/main", "o/r/.github/workflows/release.yml@refs/heads/main", 0},
				"a runner that knows nothing":   {"", "", "", "", 1},
				"nothing but the caller":        {"", "", "", caller, 1},
				"no commit":                     {"o/programs", "", "o/programs" + file + "main", caller, 1},
				"a branch instead of a commit":  {"o/programs", "main", "o/programs" + file + "main", caller, 1},
				"no repository":                 {"", commit, "o/programs" + file + commit, caller, 1},
				"no file":                       {"o/programs", commit, "", caller, 1},
				"the caller's values":           {"acme/bugs", commit, caller, caller, 1},
				"of a caller of the same name":  {"acme/bugs", commit, "acme/bugs" + file + "main", "acme/bugs" + file + "main", 1},
				"the caller's repository":       {"acme/bugs", commit, "o/programs" + file + commit, caller, 1},
				"a repository that is a prefix": {"o/pro", commit, "o/programs" + file + commit, caller, 1},
				"a pattern as the repository":   {"*", commit, "o/programs" + file + commit, caller, 1},
			} {
				s := &server{t: t}
				out, code := s.try(t.TempDir(), first.Run, "REPOSITORY="+test.repository, "COMMIT="+test.commit, "WORKFLOW="+test.workflow, "CALLER="+test.caller)
				if code != test.code {
					t.Errorf("%s, job %s, %s: exit code %d, want %d:\n%s", name, id, why, code, test.code, out)
				}
				if test.code == 1 {
					contains(t, out, "::error::This runner does not name the repository and the commit of the programs, so nothing runs.")
				}
			}
		}
	}
	if jobs != 4 {
		t.Errorf("other repositories can call %d jobs, want 4", jobs)
	}
}

// TestMirrorsRunNothing: Gitea and Forgejo run .github/workflows of a mirrored library, and their
// API is at /api/v1. What only GitHub can do is skipped there, instead of failing at each push.
func TestMirrorsRunNothing(t *testing.T) {
	const skipped = "!endsWith(github.api_url, '/api/v1')"
	files := []string{"internal/authoring/starter/github-release.yml", "internal/authoring/starter/github-weekly.yml"}
	for _, file := range files {
		var w workflow
		text := starter(t, filepath.Base(file), strings.Repeat("c", 40))
		must.Do(t, yaml.Unmarshal([]byte(text), &w))
		for id, j := range w.Jobs {
			if j.If != "${{ "+skipped+" }}" {
				t.Errorf("%s, job %s runs if %q", file, id, j.If)
			}
		}
	}
	for _, name := range []string{"library-release", "library-calibrate"} {
		for id, j := range workflows(t)[name].Jobs {
			if len(j.Needs) == 0 && !strings.HasSuffix(j.If, " && "+skipped) {
				t.Errorf("%s, job %s runs if %q", name, id, j.If)
			}
		}
	}
}

// stops calls library-release.yml, as it is, with act, which does not know job.workflow_*. The
// library has programs of its own.
func (f *forge) stops(t *testing.T, asItIs string) {
	f = f.on(t)
	team := filepath.Join(t.TempDir(), "library")
	f.run(f.host, "git init --quiet --bare --initial-branch=main team/programs && git clone --quiet team/programs "+team+" && mkdir -p "+team+"/.github/workflows "+team+"/.ci")
	for name, text := range map[string]string{
		".github/workflows/library-release.yml": asItIs,
		".github/workflows/rubrics-release.yml": "on: push\njobs:\n  release:\n    uses: ./.github/workflows/library-release.yml\n",
		"go.mod":                                "module example.org/own\n\ngo 1.26\n",
		".ci/library-release":                   "#!/bin/sh\necho THE LIBRARY RUNS\n",
	} {
		must.Do(t, os.WriteFile(filepath.Join(team, name), []byte(text), 0o777))
	}
	f.run(team, "git add . && git commit --quiet --message begin && git push --quiet origin HEAD:main")
	ran := f.workflow("team/programs", f.run(team, "git rev-parse HEAD"), "rubrics-release.yml", "push", pushed)
	ran.expect(t, 1, []string{"This runner does not name the repository and the commit of the programs, so nothing runs."}, nil)
	for _, never := range []string{"THE LIBRARY RUNS", "Run Main actions/"} {
		if strings.Contains(ran.log, never) {
			t.Errorf("the log has %q:\n%s", never, ran.log)
		}
	}
}
