package ci_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

const toolsSigner = "o/r/.github/workflows/tools.yml"

// toolsStep runs a step of a job of tools.yml, in a run on main at a commit.
func (s *server) toolsStep(dir, job string, step int, rev string, env ...string) (string, int) {
	s.t.Helper()
	return s.try(dir, workflows(s.t)["tools"].Jobs[job].Steps[step].Run, append([]string{
		"GITHUB_REPOSITORY=o/r", "GITHUB_REF=refs/heads/main", "GITHUB_SHA=" + rev, "GITHUB_RUN_ID=1", "GITHUB_OUTPUT=" + filepath.Join(dir, "outputs"),
		"RUNNER_TEMP=" + filepath.Dir(dir), "GH_REMOTE=" + s.remote, "SIGNER=" + toolsSigner, "ATTESTATION=" + filepath.Join(s.state, "attestation.json"),
	}, env...)...)
}

// protect restricts the environment "release" to a branch.
func (s *server) protect(custom, branch string) {
	s.t.Helper()
	s.run(s.state, `echo '{"deployment_branch_policy": {"protected_branches": false, "custom_branch_policies": `+custom+`}}' >environment
		echo '{"branch_policies": [{"name": "`+branch+`", "type": "branch"}]}' >policies`)
}

// built stores what the job "build" of tools.yml uploads, with other files.
func (s *server) built(rev, tag string) {
	s.t.Helper()
	s.run(s.state, `rm -rf artifacts/tools && mkdir -p artifacts/tools/files && echo `+tag+` >artifacts/tools/files/program
		echo notes >artifacts/tools/files/notes.md
		echo '{"tag": "`+tag+`", "commit": "`+rev+`"}' >artifacts/tools/files/release.json
		cd artifacts/tools/files && sha256sum program release.json notes.md >../SHA256SUMS && mv ../SHA256SUMS .`)
	s.outputs = map[string]string{"sums": strings.TrimSpace(s.run(s.state, "sha256sum <artifacts/tools/files/SHA256SUMS | cut -c 1-64"))}
}

// publishTools runs the job "publish" of tools.yml. Instead of actions/attest, it writes
// down what that action signs.
func (s *server) publishTools(rev string) (string, int) {
	s.t.Helper()
	dir := s.clone(rev)
	env := s.passed("tools")
	out, code := s.toolsStep(dir, "publish", 1, rev, env...)
	if code != 0 {
		return out, code
	}
	s.run(dir, `mkdir -p "$GH_STATE/attestations" && date +%N >"$GH_STATE/attestation.json"
		for file in release/files/*; do echo '`+toolsSigner+` refs/heads/main `+rev+`' >>"$GH_STATE/attestations/$(sha256sum <$file | cut -c 1-64)"; done`)
	more, code := s.toolsStep(dir, "publish", 3, rev, env...)
	return out + more, code
}

// last runs the step of tools.yml that finds the last release, and returns its result.
func (s *server) last(rev string) (tag, out string) {
	s.t.Helper()
	dir := s.clone(rev)
	out, code := s.toolsStep(dir, "build", 2, rev)
	if code != 0 {
		s.t.Fatalf("the step exits with %d:\n%s", code, out)
	}
	_, tag, _ = strings.Cut(strings.TrimSpace(s.run(dir, "cat outputs")), "last=")
	return tag, out
}

// TestNoTagStartsAWorkflow: the author of a tag chooses the code that a workflow would
// run for it.
func TestNoTagStartsAWorkflow(t *testing.T) {
	for name, w := range workflows(t) {
		for _, event := range []string{"create", "release", "registry_package", "deployment", "status"} {
			if _, ok := w.On[event]; ok {
				t.Errorf("%s runs on %s, also for a tag of anybody", name, event)
			}
		}
		push, ok := w.On["push"]
		if !ok {
			continue
		}
		var filter map[string][]string
		must.Do(t, push.Decode(&filter))
		if !slices.Equal(filter["branches"], []string{"main"}) || filter["tags"] != nil {
			t.Errorf("%s runs on the push of %v", name, filter)
		}
	}
	w := workflows(t)["tools"]
	for _, id := range []string{"test", "build"} {
		j := w.Jobs[id]
		if j.If != "github.ref == 'refs/heads/main'" {
			t.Errorf("job %s runs if %q", id, j.If)
		}
		for permission, value := range j.Permissions {
			if value != "read" {
				t.Errorf("job %s may %s %s", id, value, permission)
			}
		}
	}
	if publish := w.Jobs["publish"]; publish.If != "" || !slices.Equal(publish.Needs, []string{"test", "build"}) {
		t.Errorf("the job publish runs if %q, and needs %q", publish.If, publish.Needs)
	}
	for id, j := range w.Jobs {
		if ref := j.Steps[0].With["ref"]; ref != "${{ github.sha }}" {
			t.Errorf("job %s checks out %q", id, ref)
		}
	}
}

// TestForgedPrograms plays an attacker who can push tags and create releases: unreviewed
// code is neither run nor published, and no tag chooses the next version.
func TestForgedPrograms(t *testing.T) {
	s := newServer(t)
	s.protect("true", "main")
	canary := filepath.Join(s.state, "canary")
	s.run(s.author, `git switch --quiet --create side
		sed -i 's|^set -euo pipefail|&; touch `+canary+`|' .ci/programs .ci/github-release .ci/api .ci/clients .ci/sbom
		git commit --quiet --all --message 'nobody reviewed this' && git tag v0.9.0 && git tag -a -m 'Tools v0.8.0' v0.8.0 && git switch --quiet main
		git tag v9.9.9 && git push --quiet --tags origin`)
	for _, tag := range []string{"v0.9.0", "v0.8.0", "v9.9.9"} {
		s.run(s.state, "mkdir -p releases/"+tag+"/files attestations && echo '{\"tag\": \""+tag+"\"}' >releases/"+tag+"/files/release.json")
	}
	main := strings.TrimSpace(s.run(s.author, "git rev-parse main"))
	side := strings.TrimSpace(s.run(s.author, "git rev-parse side"))
	s.run(s.state, `sign() { echo "$2" >>"attestations/$(sha256sum <"releases/$1/files/release.json" | cut -c 1-64)"; }
		sign v0.9.0 "`+toolsSigner+` refs/heads/side `+side+`"
		sign v0.8.0 "o/r/.github/workflows/other.yml refs/heads/main `+side+`"
		sign v9.9.9 "`+toolsSigner+` refs/tags/v9.9.9 `+main+`"`)
	tag, out := s.last("main")
	if tag != "none" {
		t.Errorf("the last release is %s", tag)
	}
	contains(t, out, "v9.9.9 is not a release of this workflow on main", "v0.9.0 is not", "v0.8.0 is not")

	before := s.snapshot()
	refused := func(rev, want string) {
		t.Helper()
		out, code := s.publishTools(rev)
		if code == 0 {
			t.Errorf("it was published:\n%s", out)
		}
		contains(t, out, want)
		if diff := cmp.Diff(before, s.snapshot()); diff != "" {
			t.Errorf("something of it is on the server: %s", diff)
		}
	}
	t.Log("the tags of others, files of another commit, and an environment for every branch")
	s.built(main, "v0.9.0")
	refused(main, "the tag v0.9.0 exists on the server, but it is not the tag of this release")
	s.built(main, "v0.8.0")
	refused(main, "the tag v0.8.0 exists on the server, but it is not the tag of this release")
	s.built(side, "v0.1.0")
	s.run(s.state, "rm attestation.json")
	refused(main, "the files are of commit "+side)
	s.run(s.state, "test ! -e attestation.json") // nor is it attested
	s.built(main, "v0.1.0")
	s.run(s.state, "echo evil >artifacts/tools/files/notes.md")
	refused(main, "notes.md: FAILED")
	s.built(main, "v0.1.0")
	s.run(s.state, "echo other >artifacts/tools/files/program")
	refused(main, "program: FAILED")
	s.run(s.state, "cd artifacts/tools/files && sha256sum program release.json notes.md >SHA256SUMS")
	refused(main, "the files are not those that were built")
	s.built(main, "v0.1.0")
	s.run(s.state, "echo other >artifacts/tools/files/.more")
	refused(main, "the files are not those that SHA256SUMS lists")
	s.run(s.state, "test ! -e attestation.json")
	s.built(main, "v0.1.0")
	for _, policy := range [][2]string{{"false", "main"}, {"true", "*"}, {"true", "side"}} {
		s.protect(policy[0], policy[1])
		refused(main, "is not restricted to the branch main")
	}
	s.protect("true", "main")
	t.Log("a tag that appears after the last question, before the server creates it")
	s.run(s.state, "echo "+main+" >before-refs")
	out, code := s.publishTools(main)
	if code == 0 {
		t.Errorf("it was published:\n%s", out)
	}
	contains(t, out, "Reference already exists")
	s.run(s.state, "test -e releases/v0.1.0/draft && rm before-refs && git -C '"+s.remote+"' tag -d v0.1.0")
	if out, code := s.publishTools(main); code != 0 {
		t.Fatalf("it exits with %d:\n%s", code, out)
	}
	s.run(s.state, "cp -r releases/v0.1.0 releases/v9.9.8 && rm releases/v9.9.8/tag && git -C '"+s.remote+"' tag v9.9.8 main") // with the signed files of another release
	if tag, _ := s.last("main"); tag != "v0.1.0" {
		t.Errorf("the last release is %s", tag)
	}
	if _, err := os.Stat(canary); err == nil {
		t.Error("what nobody reviewed was run")
	}
	if got := s.run(s.remote, "git cat-file tag v0.1.0"); !strings.HasPrefix(got, "object "+main+"\n") {
		t.Errorf("the tag is\n%s", got)
	}
	if got := strings.TrimSpace(s.run(s.state, "cat releases/v0.1.0/latest")); got != "false" {
		t.Errorf("the latest release is that of the library, and the tools have make_latest=%s", got)
	}
}

// TestProgramsThatBrokeDown: wherever publishing stopped, another attempt completes it,
// and one that was complete changes nothing.
func TestProgramsThatBrokeDown(t *testing.T) {
	weekly(t)
	s := newServer(t)
	s.protect("true", "main")
	rev := strings.TrimSpace(s.run(s.author, "git rev-parse main"))
	for _, call := range []string{"POST releases", "POST uploads/v0.1.0/assets", "GET releases/v0.1.0/assets", "POST git/tags", "POST git/refs", "PATCH releases/v0.1.0"} {
		s.run(s.state, "rm -rf releases/* && git -C '"+s.remote+"' tag -d v0.1.0 || true")
		s.built(rev, "v0.1.0")
		s.breakDown(call)
		if out, code := s.publishTools(rev); code == 0 {
			t.Errorf("%s failed, and publishing exits with 0:\n%s", call, out)
		}
		out, code := s.publishTools(rev)
		if code != 0 {
			t.Errorf("the attempt after %s exits with %d:\n%s", call, code, out)
		}
		s.run(filepath.Join(s.state, "releases/v0.1.0"), `test ! -e draft && test "$(ls files | tr '\n' ' ')" = 'SHA256SUMS notes.md program release.json release.sigstore.json '`)
		before := s.snapshot()
		if out, code = s.publishTools(rev); code != 0 {
			t.Errorf("the attempt after a complete one exits with %d:\n%s", code, out)
		}
		contains(t, out, "v0.1.0: already published")
		if diff := cmp.Diff(before, s.snapshot()); diff != "" {
			t.Errorf("it changed something: %s", diff)
		}
	}
}
