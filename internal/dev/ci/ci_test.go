package ci_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBundleOfEachPush: the tip of each push has a bundle, whether or not it is released,
// and no other commit of the push is run.
func TestBundleOfEachPush(t *testing.T) {
	s := newServer(t)
	release := workflows(t)["release"]
	j := release.Jobs["build"]
	upload := j.Steps[len(j.Steps)-1]
	if j.If != "" || j.Needs != nil || release.Concurrency.Group != "" || !strings.HasPrefix(upload.Uses, "actions/upload-artifact@") || upload.With["path"] != "dist/rubrics.zip" {
		t.Errorf("the job runs if %q, needs %q, is in the group %q, and uploads %v", j.If, j.Needs, release.Concurrency.Group, upload)
	}
	build := func(version string, references ...string) {
		t.Helper()
		dir := s.clone("main")
		contains(t, s.run(dir, named(t, j.Steps, "Build the bundle").Run), "library "+version+",")
		s.has(filepath.Join(dir, "dist/rubrics.zip"), references...)
	}
	contains(t, s.mustRelease("main"), "no release yet")
	build("1.0.0", "prd_quality_v1@1.0.2")
	s.mustRelease("main", first)
	contains(t, s.mustRelease(s.merge("echo >>README.md")), "Nothing changed")
	build("1.0.0", "prd_quality_v1@1.0.2")

	canary := filepath.Join(s.state, "canary")
	script := strings.TrimSpace(s.run(s.author, "cat .ci/build-tools | base64 --wrap 0"))
	s.run(s.author, reword("prd_quality_v1", "1.0.2", "1.0.3")+"\nsed -i 's|^set -euo pipefail|&; touch "+canary+"|' .ci/build-tools && git commit --quiet --all --message 'nobody reviewed this'")
	s.merge(reword("prd_quality_v1", "1.0.3", "1.0.4") + " && echo " + script + " | base64 --decode >.ci/build-tools")
	build("1.0.1", "prd_quality_v1@1.0.3", "prd_quality_v1@1.0.4")
	if _, err := os.Stat(canary); err == nil {
		t.Error("the code of another commit was run")
	}

	s.merge(reword("prd_quality_v1", "1.0.4", "1.0.5") + ` && sed -i 's/pass_threshold: 3.5/pass_threshold: 3.6/' rubrics/prd/prd_quality_v1.yaml`)
	if out, code := s.release("main"); code == 0 {
		t.Errorf("a stricter rubric was released as a patch:\n%s", out)
	}
	if out, code := s.try(s.clone("main"), named(t, j.Steps, "Build the bundle").Run); code != 1 || !strings.Contains(out, "prd_quality_v1 1.0.5: Publish this as prd_quality_v2") {
		t.Errorf("the bundle of a step that does not fit: exit code %d\n%s", code, out)
	}
}

// TestToolsOfARevisionAreItsOwn: neither what is in the working tree nor Go's settings have
// a part in them. The programs are small because only their origin counts.
func TestToolsOfARevisionAreItsOwn(t *testing.T) {
	s := newServer(t)
	s.run(s.author, `git rm --quiet -r cmd internal pkg && mkdir -p cmd/rubric-lint && printf 'module m\n\ngo 1.26.0\n' >go.mod
		printf 'package main\n\nvar text = "committed"\n\nfunc main() { print(text) }\n' >cmd/rubric-lint/main.go
		printf '//go:build other\n\npackage main\n\nfunc init() { text = "tagged" }\n' >cmd/rubric-lint/other.go
		git add cmd`)
	dir := s.clone(s.merge(":"))
	// The folder that the tests share is not below the file go.work.
	tools := s.run(dir, `rm .git/rubric-tools && printf 'go 1.26.0\nuse .\n' >go.work && sed -i s/committed/edited/ cmd/rubric-lint/main.go
		GOFLAGS=-tags=other .ci/build-tools HEAD`)
	if got := s.run(dir, strings.TrimSpace(tools)+"/rubric-lint"); got != "committed" {
		t.Errorf("the program is the one that is %s", got)
	}
	out, code := s.try(dir, ".ci/build-tools 'no such'")
	if code != 2 {
		t.Errorf("a revision that is not there exits with %d", code)
	}
	contains(t, out, "git fetch --tags --force origin")
}

// TestAdviceOfBuildTools: what the script advises fetches the revision, also in a clone with a tag
// that differs from the server's.
func TestAdviceOfBuildTools(t *testing.T) {
	s := newServer(t)
	s.run(s.author, "git tag -a -m text wanted && git tag -a -m text replaced && git push --quiet --tags")
	dir := s.clone("main")
	s.run(dir, "git tag -d wanted && git tag -f replaced HEAD")
	out, code := s.try(dir, ".ci/build-tools wanted")
	if code != 2 {
		t.Fatalf("it exits with %d:\n%s", code, out)
	}
	_, advice, _ := strings.Cut(strings.TrimSpace(out), "run: ")
	s.run(dir, advice)
	s.run(dir, ".ci/build-tools wanted")
}
