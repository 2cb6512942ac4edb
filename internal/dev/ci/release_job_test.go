package ci_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// job returns the variables of a job of library-release.yml for a run of a commit.
func (s *server) job(dir, rev string, more ...string) []string {
	return append([]string{
		"GITHUB_WORKSPACE=" + dir, "GITHUB_REPOSITORY=" + s.name(), "GITHUB_REF=refs/heads/main", "GITHUB_SHA=" + rev, "GITHUB_RUN_ID=1",
		"GH_REMOTE=" + s.remote, "SOURCE=" + strings.Split(s.signer(), "/.github")[0], "SIGNER=" + s.signer(),
		fmt.Sprintf("ATTESTED=%t", !s.unattested),
	}, more...)
}

// The names of the steps of library-release.yml: one of the job "build", and those of "publish".
const (
	buildFiles   = "Lint, compare with the last release, and build"
	checkFiles   = "Download the files, and check them and the environment"
	attestFiles  = "Attest that this commit built the files"
	publishFiles = "Tag and publish"
)

// releaseStep returns the step of a name of library-release.yml.
func releaseStep(t *testing.T, name string) step {
	t.Helper()
	jobs := workflows(t)["library-release"].Jobs
	return named(t, slices.Concat(jobs["build"].Steps, jobs["publish"].Steps), name)
}

const signer = "o/r/.github/workflows/library-release.yml"

// signer is the workflow that releases the library of the remote.
func (s *server) signer() string {
	if s.programs == "" {
		return signer
	}
	return strings.Replace(signer, "o/r", authoring.Project, 1)
}

// name is the name of the remote: that of a team's library, or o/r.
func (s *server) name() string {
	if s.programs == "" {
		return "o/r"
	}
	return teamLibrary
}

// checkouts makes the checkouts of a job of library-release.yml.
func (s *server) checkouts(rev string) (dir string) {
	s.t.Helper()
	dir = filepath.Dir(s.clone(rev))
	if s.programs == "" {
		s.run(dir, "ln -s job library && ln -s job programs")
	} else {
		s.run(dir, "ln -s job library && git clone --quiet "+s.programs+" programs && ln -s "+builtTools+" programs/.git/rubric-tools")
	}
	return dir
}

// release runs the jobs of library-release.yml, and returns their output and the exit code
// of the failed step.
func (s *server) release(rev string, options ...string) (string, int) {
	s.t.Helper()
	rev = strings.TrimSpace(s.run(s.remote, "git rev-parse "+rev))
	out, code, tag := s.build(rev, options...)
	if code != 0 || tag == "" {
		return out, code
	}
	more, code := s.publish(rev)
	return out + more, code
}

// build runs the job "build", which uploads its files.
func (s *server) build(rev string, options ...string) (out string, code int, tag string) {
	s.t.Helper()
	dir := s.checkouts(rev)
	s.run(dir, "mkdir -p '"+s.state+"/artifacts' && rm -rf '"+s.state+"'/artifacts/library-release*")
	outputs := filepath.Join(dir, "outputs")
	out, code = s.try(filepath.Join(dir, "job", s.folder), releaseStep(s.t, buildFiles).Run, s.job(dir, rev, append(options, "GITHUB_OUTPUT="+outputs)...)...)
	text, _ := os.ReadFile(outputs)
	s.outputs = stepOutputs(s.t, string(text))
	if tag = s.outputs["tag"]; tag != "" {
		s.run(dir, "cp -r release "+s.artifact())
	}
	return out, code, tag
}

// artifact is the folder that stands for the artifact with the files of the last step that built a
// release.
func (s *server) artifact() string {
	return "'" + filepath.Join(s.state, "artifacts", s.outputs["artifact"]) + "'"
}

// passed returns the variables that the job "publish" of a workflow gets from the last
// step that built a release.
func (s *server) passed(workflow string) []string {
	s.t.Helper()
	jobs, env := workflows(s.t)[workflow].Jobs, []string{}
	for name, value := range jobs["publish"].Env {
		output := strings.TrimPrefix(value, "${{ needs.build.outputs.")
		output = strings.TrimPrefix(jobs["build"].Outputs[strings.TrimSuffix(output, " }}")], "${{ steps.build.outputs.")
		env = append(env, name+"="+s.outputs[strings.TrimSuffix(output, " }}")])
	}
	return env
}

// publish runs the job "publish".
func (s *server) publish(rev string) (string, int) {
	s.t.Helper()
	dir := s.checkouts(rev)
	env := s.passed("library-release")
	out, code := s.try(dir, releaseStep(s.t, checkFiles).Run, s.job(dir, rev, env...)...)
	if code != 0 {
		return out, code
	}
	attestation := ""
	if !s.unattested {
		attestation = filepath.Join(dir, "attestation.json")
		s.attest(dir, rev)
	}
	more, code := s.try(dir, releaseStep(s.t, publishFiles).Run, s.job(dir, rev, append(env, "ATTESTATION="+attestation)...)...)
	return out + more, code
}

// attest writes down what actions/attest signs.
func (s *server) attest(dir, rev string) {
	s.t.Helper()
	s.run(dir, `mkdir -p "$GH_STATE/attestations" && date +%N >attestation.json
		for file in release/files/*; do echo '`+s.signer()+` refs/heads/main `+rev+`' >>"$GH_STATE/attestations/$(sha256sum <$file | cut -c 1-64)"; done`)
}

// mustRelease fails the test if the release fails.
func (s *server) mustRelease(rev string, options ...string) string {
	s.t.Helper()
	out, code := s.release(rev, options...)
	if code != 0 {
		s.t.Fatalf("the release of %s exits with %d:\n%s", rev, code, out)
	}
	return out
}

// TestReleaseOfAnotherRepository: a library without any program, in a folder of its
// repository, is released with the programs of the workflow that it calls.
func TestReleaseOfAnotherRepository(t *testing.T) {
	weekly(t)
	s := newServer(t)
	dir := filepath.Dir(s.clone("main"))
	s.run(dir, "ln -s job programs && git init --quiet --initial-branch=main library && mkdir -p library/team/rubrics/prd")
	if err := os.WriteFile(filepath.Join(dir, "library/team/rubrics/prd/a_v1.yaml"), []byte(scripttest.Rubric("a_v1", "1.0.0", "prd")), 0o666); err != nil {
		t.Fatal(err)
	}
	s.run(dir+"/library", "git add . && git commit --quiet --message begin")
	rev := strings.TrimSpace(s.run(dir+"/library", "git rev-parse HEAD"))
	out, code := s.try(dir+"/library/team", releaseStep(t, buildFiles).Run, s.job(dir, rev, "SOURCE=other/programs", first)...)
	if code != 0 {
		t.Fatalf("it exits with %d:\n%s", code, out)
	}
	if got := s.run(dir+"/release/files", "sha256sum --quiet -c SHA256SUMS && jq -r .commit release.json && ls"); got != rev+"\nSHA256SUMS\nnotes.md\nrelease.json\nrubrics.zip\n" {
		t.Errorf("the release consists of\n%s", got)
	}
}
