package ci_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// forge pushes an annotated tag with the digest of the bundle that a commit builds as
// that version, and publishes it: all that a colleague with write access can do.
func (s *server) forge(version, rev string) {
	s.t.Helper()
	tag, dir := "library-v"+version, s.clone(rev)
	s.run(dir, `tools=$(.ci/build-tools HEAD) && "$tools/rubric" build HEAD -o forged.zip --version `+version+`
		digest=$("$tools/rubric" verify forged.zip | grep -o 'sha256:.*')
		git tag -a -m "Library `+version+`" -m "digest: $digest" `+tag+` && git push --quiet origin refs/tags/`+tag+`
		mkdir -p "$GH_STATE/releases/`+tag+`/files" && cp forged.zip "$GH_STATE/releases/`+tag+`/files/rubrics.zip"`)
}

// TestForgedReleases: a tag and a release that a person with write access creates are
// neither published nor continued, choose no version, and stop no release of another
// version. What nobody reviewed is not run.
func TestForgedReleases(t *testing.T) {
	s := newServer(t)
	s.mustRelease("main", first)
	canary := filepath.Join(s.state, "canary")
	s.run(s.author, `git switch --quiet --create side
		sed -i 's|^set -euo pipefail|&; touch `+canary+`|' .ci/build-tools .ci/library-release
		`+reword("prd_quality_v1", "1.0.2", "1.0.3")+`
		git commit --quiet --all --message 'nobody reviewed this' && git push --quiet origin side && git switch --quiet main`)
	s.forge("9.9.9", "main")
	s.run(s.state, "rm -f canary")
	for _, tag := range []string{"-a -m 'digest: sha256:0' library-v9.9.8 side", "library-v9.9.7 main", "library-v9.9.6 main^{tree}", "library-v01.7.0 main"} {
		s.run(s.author, "git tag "+tag)
	}
	s.run(s.author, "git push --quiet --tags origin && git push --quiet origin main:refs/tags/library-v2.0.0-rc.1 main:refs/tags/z/refs/tags/library-v1.0.1")
	// Another workflow, and a run on another branch, sign something else.
	s.run(s.state, `sum=$(sha256sum <releases/library-v9.9.9/files/rubrics.zip | cut -c 1-64)
		echo "`+signer+` refs/heads/side $(git -C "`+s.remote+`" rev-parse main)" >attestations/$sum
		echo "o/r/.github/workflows/other.yml refs/heads/main $(git -C "`+s.remote+`" rev-parse main)" >>attestations/$sum`)
	out := s.mustRelease(s.merge(reword("prd_quality_v1", "1.0.2", "1.0.3")))
	contains(t, out, "library-v9.9.9 is not a release of this workflow on main", "library-v9.9.7 does not count as a release: it is not annotated", "library-v1.0.1: published")
	if found, _ := filepath.Glob(canary); len(found) > 0 {
		t.Error("what nobody reviewed was run")
	}
	s.has(s.released("library-v1.0.1"), "prd_quality_v1@1.0.3")

	t.Log("a tag of the next version stops that release alone, by name")
	s.run(s.author, "git push --quiet origin main:refs/tags/library-v1.0.2")
	rev := s.merge(reword("prd_quality_v1", "1.0.3", "1.0.4"))
	before := s.snapshot()
	out, code := s.release(rev)
	if code != 2 {
		t.Errorf("it exits with %d", code)
	}
	contains(t, out, "the tag library-v1.0.2 already exists", "it is not annotated", "git fetch --tags --force")
	if diff := cmp.Diff(before, s.snapshot()); diff != "" {
		t.Errorf("something of it is on the server: %s", diff)
	}
	s.run(s.author, "git push --quiet origin :refs/tags/library-v1.0.2")
	s.mustRelease(rev)
}

// TestTagBetweenBuildAndPublish: a tag that appears after the decision is never
// published, whatever it marks.
func TestTagBetweenBuildAndPublish(t *testing.T) {
	s := newServer(t)
	rev := strings.TrimSpace(s.run(s.remote, "git rev-parse main"))
	if out, code, tag := s.build(rev, first); code != 0 || tag != "library-v1.0.0" {
		t.Fatalf("it exits with %d:\n%s", code, out)
	}
	for _, tag := range []string{"library-v1.0.0 main", "-a -m 'Library 1.0.0' -m 'digest: sha256:0' library-v1.0.0 main"} {
		s.run(s.author, "git tag "+tag+" && git push --quiet origin refs/tags/library-v1.0.0")
		out, code := s.publish(rev)
		if code != 2 {
			t.Errorf("it exits with %d", code)
		}
		contains(t, out, "the tag library-v1.0.0 exists on the server, but it is not the tag of this release")
		s.run(s.author, "git push --quiet origin :refs/tags/library-v1.0.0 && git tag -d library-v1.0.0")
	}
	// It appears after the last question, before the server creates it.
	hook := filepath.Join(s.state, "before-refs")
	s.run(s.state, "git -C '"+s.remote+"' rev-parse main >'"+hook+"'")
	out, code := s.publish(rev)
	if code == 0 {
		t.Errorf("it was published:\n%s", out)
	}
	contains(t, out, "Reference already exists")
	s.run(s.state, "test -e releases/library-v1.0.0/draft")
}

// TestOnlyTheCommitOfTheRun: a run releases its own commit, whatever main is by then, and
// nothing in the files of another commit is published or attested.
func TestOnlyTheCommitOfTheRun(t *testing.T) {
	s := newServer(t)
	one := strings.TrimSpace(s.run(s.remote, "git rev-parse main"))
	two := s.merge(reword("prd_quality_v1", "1.0.2", "1.0.3"))
	s.mustRelease(one, first)
	if got := strings.TrimSpace(s.run(s.remote, "git rev-parse 'library-v1.0.0^{commit}'")); got != one {
		t.Errorf("the run of %s released %s", one, got)
	}
	s.run(s.state, "grep -q '\"commit\": \""+one+"\"' releases/library-v1.0.0/files/release.json")
	if out, code, _ := s.build(two); code != 0 {
		t.Fatalf("it exits with %d:\n%s", code, out)
	}
	out, code := s.publish(one)
	if code != 2 {
		t.Errorf("the files of another commit: it exits with %d", code)
	}
	contains(t, out, "the files are of commit "+two+", expected "+one)
	s.run(s.state, "! test -e attestations/$(sha256sum <"+s.artifact()+"/files/release.json | cut -c 1-64)")
	s.run(s.state, "echo more >>"+s.artifact()+"/files/rubrics.zip")
	if out, code = s.publish(two); code == 0 {
		t.Errorf("damaged files are published:\n%s", out)
	}
	s.holds("library-v1.0.0")
}

// TestReplacedArtifact: files that somebody puts in the place of those that the first job
// built are neither attested nor published, whatever their sums are.
func TestReplacedArtifact(t *testing.T) {
	s := newServer(t)
	rev := strings.TrimSpace(s.run(s.remote, "git rev-parse main"))
	if out, code, _ := s.build(rev, first); code != 0 {
		t.Fatalf("it exits with %d:\n%s", code, out)
	}
	dir := s.clone("main")
	s.run(dir, `tools=$(.ci/build-tools HEAD)
		`+reword("prd_quality_v1", "1.0.2", "1.0.3")+` && git commit --quiet --all --message 'nobody reviewed this'
		"$tools/rubric" build HEAD -o "$GH_STATE/other.zip" --first-release && mv `+s.artifact()+` "$GH_STATE/built"`)
	const (
		replace = "cp ../../../other.zip rubrics.zip"
		record  = ` && jq --arg digest "sha256:$(unzip -p rubrics.zip SHA256SUMS | sha256sum | cut -c 1-64)" '.digest = $digest' ../../../built/files/release.json >release.json`
		resum   = ` && rm SHA256SUMS && sha256sum -- * >../SHA256SUMS && mv ../SHA256SUMS .`
	)
	sums, before := s.outputs["sums"], s.snapshot()
	for _, test := range []struct {
		change string
		sums   bool // the first job's output has the sums of the changed files
		want   string
	}{
		{replace, false, "rubrics.zip: FAILED"},
		{replace + resum, false, "the files are not those that were built"},
		{replace + record + resum, false, "the files are not those that were built"},
		{"echo evil >notes.md", false, "notes.md: FAILED"},
		{"echo evil >notes.md" + resum, false, "the files are not those that were built"},
		{"echo evil >rubric_bundle.py" + resum, false, "the files are not those that were built"},
		{"echo evil >.more.zip", false, "the files are not those that SHA256SUMS lists"},
		{replace + resum, true, "release.json names the digest sha256:"},
		{replace + record + resum, true, ""},
	} {
		s.run(s.state, "rm -rf "+s.artifact()+" && cp -r built "+s.artifact()+" && cd "+s.artifact()+"/files && "+test.change)
		s.outputs["sums"] = sums
		if test.sums {
			s.outputs["sums"] = s.run(s.state, "sha256sum <"+s.artifact()+"/files/SHA256SUMS | tr -d ' \n-'")
		}
		out, code := s.publish(rev)
		if test.want == "" {
			if code != 0 {
				t.Errorf("%s: files that agree are refused:\n%s", test.change, out)
			}
			continue
		}
		if code == 0 {
			t.Errorf("%s: it is published:\n%s", test.change, out)
		}
		contains(t, out, test.want)
		if diff := cmp.Diff(before, s.snapshot()); diff != "" {
			t.Errorf("%s: something of it is on the server: %s", test.change, diff)
		}
		s.run(s.state, "test ! -e attestations")
	}
}

// TestEnvironmentWithoutBranchPolicy: without it, a workflow of any branch gets what the
// environment protects, so nothing is published.
func TestEnvironmentWithoutBranchPolicy(t *testing.T) {
	s := newServer(t)
	rev := strings.TrimSpace(s.run(s.remote, "git rev-parse main"))
	if out, code, _ := s.build(rev, first); code != 0 {
		t.Fatalf("it exits with %d:\n%s", code, out)
	}
	before := s.snapshot()
	custom := `{"deployment_branch_policy": {"custom_branch_policies": true}}`
	for _, test := range []struct{ environment, policies string }{
		{`{"deployment_branch_policy": null}`, `{"branch_policies": []}`},
		{`{"deployment_branch_policy": {"protected_branches": true, "custom_branch_policies": false}}`, `{"branch_policies": []}`},
		{custom, `{"branch_policies": []}`},
		{custom, `{"branch_policies": [{"name": "*", "type": "branch"}]}`},
		{custom, `{"branch_policies": [{"name": "main", "type": "tag"}]}`},
		{custom, `{"branch_policies": [{"name": "main", "type": "branch"}, {"name": "release/*", "type": "branch"}]}`},
	} {
		s.run(s.state, "echo '"+test.environment+"' >environment && echo '"+test.policies+"' >policies")
		out, code := s.publish(rev)
		if code != 2 {
			t.Errorf("%s %s: it exits with %d", test.environment, test.policies, code)
		}
		contains(t, out, "is not restricted to the branch main")
	}
	if diff := cmp.Diff(before, s.snapshot()); diff != "" {
		t.Errorf("something of it is on the server: %s", diff)
	}
}

// TestReleaseOfHalfAHistory: in a shallow clone, nothing is released, and the message
// says what is missing.
func TestReleaseOfHalfAHistory(t *testing.T) {
	s := newServer(t)
	s.merge(":")
	dir := filepath.Join(t.TempDir(), "a folder")
	s.run(".", "git clone --quiet --depth 1 'file://"+s.remote+"' '"+dir+"' && ln -s "+builtTools+" '"+dir+"/.git/rubric-tools' && mkdir '"+dir+"/release'")
	rev := strings.TrimSpace(s.run(dir, "git rev-parse HEAD"))
	out, code := s.try(dir, ".ci/library-release build release", s.job(dir, rev, first)...)
	if code != 2 {
		t.Errorf("it exits with %d", code)
	}
	contains(t, out, "git fetch --unshallow")
}

// TestReleasesOfTwoLibraries: a library in a folder is released beside the one at the root, and
// each run reads, names, and continues only the releases of its own library.
func TestReleasesOfTwoLibraries(t *testing.T) {
	weekly(t)
	root := newServer(t)
	inner := *root
	inner.folder = `my team/x.y`
	const tag = "my%20team/x.y/library-v"
	text := scripttest.Rubric("inner_v1", "1.0.0", "prd")
	rev := root.merge("mkdir -p '" + inner.folder + "/rubrics/prd' && cat >'" + inner.folder + "/rubrics/prd/inner_v1.yaml' <<'END'\n" + text + "\nEND\ngit add .")
	contains(t, root.mustRelease(rev, first), "library-v1.0.0: published")
	contains(t, inner.mustRelease(rev), "no release yet")
	contains(t, inner.mustRelease(rev, first), tag+"1.0.0: published")
	root.run(root.state, `test "$(cat releases/library-v1.0.0/latest)" = true && test "$(cat 'releases/`+strings.ReplaceAll(tag, "/", ",")+`1.0.0/latest')" = false`)
	contains(t, root.run(root.remote, "git tag --list --format='%(contents)' '"+tag+"*'"), "Library my%20team/x.y 1.0.0\n\ndigest: sha256:")

	t.Log("a change of one is a release of that one alone")
	rev = root.merge(reword("prd_quality_v1", "1.0.2", "1.0.3"))
	contains(t, inner.mustRelease(rev), "Nothing changed since "+tag+"1.0.0")
	contains(t, root.mustRelease(rev), "library-v1.0.1: published")
	rev = root.merge("cd '" + inner.folder + `' && sed -i -e 's/^version: "1.0.0"/version: "1.0.1"/' -e 's/^name: .*/name: Other/' rubrics/prd/inner_v1.yaml && cd -`)
	contains(t, root.mustRelease(rev), "Nothing changed since library-v1.0.1")
	contains(t, inner.mustRelease(rev), tag+"1.0.1: published")
	if more, code := inner.publish(rev); code != 0 || !strings.Contains(more, "already published") {
		t.Errorf("the job is repeated after its success: it exits with %d:\n%s", code, more)
	}

	t.Log("a tag of one that nobody released stops neither")
	root.run(root.author, "git push --quiet origin main:refs/tags/library-v1.0.2 && git fetch --quiet --tags")
	rev = root.merge("cd '" + inner.folder + "' && sed -i -e 's/1.0.1/1.0.2/' -e 's/Other/Another/' rubrics/prd/inner_v1.yaml && cd -")
	contains(t, inner.mustRelease(rev), tag+"1.0.2: published")
}
