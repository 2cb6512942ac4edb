package ci_test

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// newPrivateServer is a private repository with protected tags, whose releases are not attested.
func newPrivateServer(t *testing.T) *server {
	t.Helper()
	s := newServer(t)
	s.unattested = true
	must.Do(t, os.Mkdir(filepath.Join(s.state, "rulesets"), 0o777))
	s.visible("private")
	s.ruled(nil)
	return s
}

func (s *server) visible(visibility string) {
	s.t.Helper()
	must.Do(s.t, os.WriteFile(filepath.Join(s.state, "visibility"), []byte(visibility), 0o666))
}

// tagsRuleset matches the ruleset of the tags in a page.
var tagsRuleset = regexp.MustCompile("(?s)<!-- protection: tags.json -->\n\n```json\n(.*?)```")

// ruled sets the ruleset of the tags: that of docs/own-library.md, as the API returns it, with
// other values of some keys.
func (s *server) ruled(changes map[string]any) {
	s.t.Helper()
	file := map[string]any{}
	must.Do(s.t, json.Unmarshal([]byte(tagsRuleset.FindStringSubmatch(scripttest.Text(s.t, "docs/own-library.md"))[1]), &file))
	file["id"], file["current_user_can_bypass"] = 1, "never"
	delete(file, "bypass_actors") // which only administrators see
	for key, value := range changes {
		file[key] = value
	}
	must.Do(s.t, os.WriteFile(filepath.Join(s.state, "rulesets/1.json"), must.Get(json.Marshal(file))(s.t), 0o666))
}

// TestReleasesWithoutAttestations: in a private repository whose owner says so, the last
// release is the one that its commit builds again, and a release says what it lacks.
func TestReleasesWithoutAttestations(t *testing.T) {
	weekly(t)
	s := newPrivateServer(t)
	contains(t, s.mustRelease("main"), "no release yet: start the first one by hand with first-release")
	contains(t, s.mustRelease("main", first), "library-v1.0.0: published")
	s.run(s.state, `cd releases/library-v1.0.0/files && jq -e '.attested == false' release.json && grep -q '^Nothing in this release is attested, ' notes.md && ! grep attestation "$GH_STATE/log"`)
	contains(t, s.mustRelease("main"), "library-v1.0.0 is the last release", "Nothing changed since library-v1.0.0")

	t.Log("an interrupted run is completed when it is repeated")
	one := s.merge(reword("prd_quality_v1", "1.0.2", "1.0.3"))
	s.breakDown("PATCH releases/library-v1.0.1")
	if out, code := s.release(one); code == 0 {
		t.Errorf("the call failed, and the release exits with 0:\n%s", out)
	}
	contains(t, s.mustRelease(one), "library-v1.0.1: published")
	if more, code := s.publish(one); code != 0 || !strings.Contains(more, "already published") {
		t.Errorf("the job is repeated after its success: it exits with %d:\n%s", code, more)
	}
	s.holds("library-v1.0.0", "library-v1.0.1")

	t.Log("a release whose page is deleted stays the last one")
	s.run(s.state, "mv releases/library-v1.0.1 kept")
	contains(t, s.mustRelease(s.merge(reword("prd_quality_v1", "1.0.3", "1.0.4"))), "library-v1.0.1 is the last release", "library-v1.0.2: published")
	s.run(s.state, "mv kept releases/library-v1.0.1")
	s.holds("library-v1.0.0", "library-v1.0.1", "library-v1.0.2")
	contains(t, s.mustRelease(one), "library-v1.0.2 was released from a later commit: there is nothing to release")

	t.Log("a tag that is what the workflow would have created stops the release of its commit alone")
	rev := s.merge(reword("prd_quality_v1", "1.0.4", "1.0.5"))
	s.copyOfNext("library-v1.0.3", rev)
	if out, code := s.release(rev); code != 2 || !strings.Contains(out, "the tag library-v1.0.3 exists on the server, but it is not the tag of this release") {
		t.Errorf("it exits with %d:\n%s", code, out)
	}
	contains(t, s.mustRelease(s.merge(reword("prd_quality_v1", "1.0.5", "1.0.6"))), "library-v1.0.3 is the last release", "library-v1.0.4: published")
}

// TestUpgradeWithoutAttestations: a release is built again by the programs that the workflow of
// its commit names, of whichever version the workflow is by now.
func TestUpgradeWithoutAttestations(t *testing.T) {
	weekly(t)
	s := newPrivateServer(t)
	team := *s
	team.programs, team.remote, team.author = s.remote, filepath.Join(t.TempDir(), "team.git"), filepath.Join(t.TempDir(), "team")
	s.run(s.state, "echo "+teamLibrary+" >repository && git init --quiet --bare --initial-branch=main "+team.remote+" && git clone --quiet "+team.remote+" "+team.author)
	text := scripttest.Rubric("a_v1", "1.0.0", "prd")
	pin := func(ref string) string {
		return "mkdir -p .github/workflows rubrics/prd && cat >.github/workflows/rubrics-release.yml <<'END'\n" + starter(t, "github-release.yml", ref) + "\nEND\ngit add ."
	}
	old := strings.TrimSpace(s.run(s.remote, "git rev-parse main"))
	rev := team.merge(pin(old) + " && cat >rubrics/prd/a_v1.yaml <<'END'\n" + text + "\nEND\ngit add .")
	contains(t, team.mustRelease(rev, first), "library-v1.0.0: published")

	t.Log("newer programs build other bundles")
	s.merge(`sed -i 's/"about": "/&Newer. /' internal/release/conformance/vectors/search.json`)
	rev = team.merge(pin(strings.TrimSpace(s.run(s.remote, "git rev-parse main"))) + " && " + `sed -i -e 's/"1.0.0"/"1.0.1"/' -e 's/^name: .*/name: Other/' rubrics/prd/a_v1.yaml`)
	contains(t, team.mustRelease(rev), "library-v1.0.0 is the last release", "library-v1.0.1: published")

	t.Log("a branch does not say which programs released a commit, so those of this run must build it again")
	const next = ` && sed -i -e 's/"1.0.1"/"1.0.2"/' -e 's/^name: .*/name: Third/' rubrics/prd/a_v1.yaml`
	rev = team.merge(pin("main") + next)
	contains(t, team.mustRelease(rev), "library-v1.0.1 is the last release", "library-v1.0.2: published")
	contains(t, team.mustRelease(rev), "library-v1.0.2 is the last release", "Nothing changed")
	s.merge(`sed -i 's/"about": "/&Newest. /' internal/release/conformance/vectors/search.json`)
	out, code := team.release(rev)
	if code != 2 {
		t.Errorf("it exits with %d", code)
	}
	contains(t, out, "the tag library-v1.0.2 names another bundle than its commit "+rev+" builds as the release after library-v1.0.1 with the programs of "+authoring.Project+"@")
}

// copyOfNext pushes a tag that names the bundle that a commit builds as the next release.
func (s *server) copyOfNext(tag, rev string) {
	s.t.Helper()
	if out, code, next := s.build(rev); code != 0 || next != tag {
		s.t.Fatalf("the next release is %q:\n%s", next, out)
	}
	s.run(s.author, `digest=$(jq -r .digest `+s.artifact()+`/files/release.json)
		git tag -a -m "digest: $digest" `+tag+` `+rev+` && git push --quiet origin refs/tags/`+tag)
}

// TestAttacksOnReleasesWithoutAttestations: a colleague can push tags and branches and create,
// change, and delete releases, but not change the protection of tags. Nothing of it is
// continued.
func TestAttacksOnReleasesWithoutAttestations(t *testing.T) {
	s := newPrivateServer(t)
	s.mustRelease("main", first)
	s.mustRelease(s.merge(reword("prd_quality_v1", "1.0.2", "1.0.3")))
	s.run(s.author, "git switch --quiet --create side && "+reword("prd_quality_v1", "1.0.3", "1.0.4")+
		" && git commit --quiet --all --message 'nobody reviewed this' && git push --quiet origin side && git switch --quiet main")
	next := s.merge(reword("prd_quality_v1", "1.0.3", "1.0.4"))
	forge := func(version, rev string) func() {
		return func() { s.forge(version, rev) }
	}
	replace := func(with, in string) func() {
		return func() { s.run(s.state, "cp releases/"+with+"/files/rubrics.zip releases/"+in+"/files/") }
	}
	retag := `git fetch --quiet --tags && digest=$(git tag --list --format='%(contents)' library-v1.0.0 | grep digest)
		git tag -a -m "$digest" library-v1.0.9 library-v1.0.0^{commit} && git push --quiet origin refs/tags/library-v1.0.9
		cp -r "$GH_STATE/releases/library-v1.0.0" "$GH_STATE/releases/library-v1.0.9" && echo library-v1.0.9 >"$GH_STATE/releases/library-v1.0.9/tag"`
	for name, attack := range map[string]struct {
		do   func()
		want string
	}{
		"a tag of another version":             {forge("9.9.9", "main"), "the tag library-v9.9.9 names another bundle than its commit"},
		"a first release before the first one": {forge("0.1.0", "main~2"), "the tag library-v0.1.0 names another bundle than its commit"},
		"an old release under a new tag":       {func() { s.run(s.author, retag) }, "the tag library-v1.0.9 names another bundle than its commit"},
		"another bundle in a release":          {replace("library-v1.0.0", "library-v1.0.1"), "the release library-v1.0.1 has another rubrics.zip"},
		"another bundle in an older release":   {replace("library-v1.0.1", "library-v1.0.0"), "the release library-v1.0.0 has another rubrics.zip"},
		"no answer about the releases":         {func() { s.breakDown("GET releases") }, "asking for /releases failed, so nothing was done: gh: Bad Gateway (HTTP 502)"},
		"tags that are not protected":          {func() { s.ruled(map[string]any{"enforcement": "disabled"}) }, unprotected + "update"},
	} {
		s.run(s.state, "rm -rf before && cp -r releases before && cp -r '"+s.remote+"' before/remote")
		attack.do()
		before := s.snapshot()
		out, code, tag := s.build(next)
		if code != 2 || tag != "" {
			t.Errorf("%s: it exits with %d and releases %q:\n%s", name, code, tag, out)
		}
		contains(t, out, attack.want)
		if diff := gocmp.Diff(before, s.snapshot()); diff != "" {
			t.Errorf("%s: something changed on the server: %s", name, diff)
		}
		s.ruled(nil)
		s.run(s.state, "rm -rf releases '"+s.remote+"' && mv before/remote '"+s.remote+"' && mv before releases && rm -f fail")
		s.run(s.author, "git tag --list | xargs --no-run-if-empty git tag -d")
	}

	t.Log("tags that claim nothing, and a commit that nobody merged, are named and change nothing")
	s.forge("9.9.9", "origin/side")
	s.run(s.author, "git tag library-v9.9.8 main && git tag -a -m 'digest: sha256:0' library-v9.9.7 main && git push --quiet --tags origin")
	out := s.mustRelease(next)
	for _, tag := range []string{"library-v9.9.9", "library-v9.9.8", "library-v9.9.7"} {
		contains(t, out, tag+" does not count as a release")
	}
	contains(t, out, "library-v1.0.1 is the last release", "library-v1.0.2: published")
}

const unprotected = "no active ruleset protects all tags library-v* from "

// TestProtectionInsteadOfAttestations: a repository may do without attestations only if it is
// not public and the server says that its tags can't move. No answer is never a permission.
func TestProtectionInsteadOfAttestations(t *testing.T) {
	s := newPrivateServer(t)
	script := must.Get(filepath.Abs(".ci/unattested"))(t)
	names := func(exclude []string, include ...string) map[string]any {
		return map[string]any{"conditions": map[string]any{"ref_name": map[string]any{"include": include, "exclude": exclude}}}
	}
	none := []string{}
	rules := func(types ...string) map[string]any {
		var all []any
		for _, name := range types {
			all = append(all, map[string]any{"type": name})
		}
		return map[string]any{"rules": all}
	}
	for _, test := range []struct {
		visibility string
		ruleset    map[string]any
		fail       string // a call that breaks down
		prefix     string
		want       string // or "" if it is accepted
	}{
		{want: ""},
		{visibility: "internal", want: ""},
		{ruleset: names(none, "~ALL"), want: ""},
		{prefix: "team/x/library-v", want: ""},
		{ruleset: names(none, "refs/tags/team/x/library-v*"), prefix: "team/x/library-v", want: ""},
		{visibility: "public", want: "the repository is public, and only a private or internal one"},
		{visibility: "null", want: "the repository is null, and only a private or internal one"},
		{visibility: "", fail: "GET repos/o/r", want: "asking for the repository failed, so nothing was done: gh: Bad Gateway (HTTP 502)"},
		{fail: "GET rulesets", want: "asking for /rulesets"},
		{fail: "GET rulesets/1", want: "asking for /rulesets/1"},
		{ruleset: names(none), want: unprotected + "update"},
		{ruleset: names(none, "refs/tags/v*"), want: unprotected + "update"},
		{ruleset: names(none, "refs/tags/library-v1*"), want: unprotected + "update"},
		{ruleset: names(none, "refs/tags/*/library-v*"), want: unprotected + "update"},
		{ruleset: names(none, "refs/tags/library-v*"), prefix: "team/x/library-v", want: "no active ruleset protects all tags team/x/library-v* from update"},
		{ruleset: names([]string{"refs/tags/library-v1.*"}, "~ALL"), want: unprotected + "update"},
		{ruleset: map[string]any{"conditions": nil}, want: unprotected + "update"},
		{ruleset: map[string]any{"target": "branch"}, want: unprotected + "update"},
		{ruleset: map[string]any{"enforcement": "evaluate"}, want: unprotected + "update"},
		{ruleset: map[string]any{"enforcement": "disabled"}, want: unprotected + "update"},
		{ruleset: map[string]any{"current_user_can_bypass": "always"}, want: unprotected + "update"},
		{ruleset: map[string]any{"bypass_actors": []any{map[string]any{"actor_type": "Team"}}}, want: unprotected + "update"},
		{ruleset: rules("update"), want: unprotected + "deletion"},
		{ruleset: rules("deletion", "creation", "non_fast_forward"), want: unprotected + "update"},
	} {
		s.visible(cmp.Or(test.visibility, "private"))
		s.ruled(test.ruleset)
		s.run(s.state, "rm -f fail")
		if test.fail != "" {
			s.breakDown(test.fail)
		}
		out, code := s.try(s.state, script+" check "+cmp.Or(test.prefix, "library-v"), "GITHUB_REPOSITORY=o/r")
		if (code == 0) != (test.want == "") || code != 0 && code != 2 {
			t.Errorf("%+v: it exits with %d:\n%s", test, code, out)
		}
		contains(t, out, test.want)
	}
	s.run(s.state, "rm -f fail rulesets/1.json && echo '{}' | jq 'empty' >rulesets/none.json")
	if out, code := s.try(s.state, script+" check library-v", "GITHUB_REPOSITORY=o/r"); code != 2 || !strings.Contains(out, unprotected+"update") {
		t.Errorf("without a ruleset, it exits with %d:\n%s", code, out)
	}
	if out, code := s.try(s.clone("main"), ".ci/library-release build .", s.job("", "main", "ATTESTED=no")...); code != 2 || !strings.Contains(out, `ATTESTED must be true or false, got "no"`) {
		t.Errorf("an input that is neither yes nor no: it exits with %d:\n%s", code, out)
	}
}

// TestPublishWithoutAttestations: the job that writes asks again, and nothing is published
// whose record says something else than the workflow.
func TestPublishWithoutAttestations(t *testing.T) {
	s := newPrivateServer(t)
	rev := strings.TrimSpace(s.run(s.remote, "git rev-parse main"))
	refused := func(want string, options ...string) {
		t.Helper()
		before := s.snapshot()
		dir := s.checkouts(rev)
		out, code := s.try(dir, releaseStep(t, checkFiles).Run, s.job(dir, rev, append(s.passed("library-release"), options...)...)...)
		if code != 2 {
			t.Errorf("it exits with %d", code)
		}
		contains(t, out, want)
		if diff := gocmp.Diff(before, s.snapshot()); diff != "" {
			t.Errorf("something of it is on the server: %s", diff)
		}
	}
	if out, code, _ := s.build(rev, first); code != 0 {
		t.Fatalf("it exits with %d:\n%s", code, out)
	}
	s.visible("public")
	refused("the repository is public")
	s.visible("private")
	s.ruled(map[string]any{"enforcement": "disabled"})
	refused("no active ruleset protects all tags library-v* from update")
	s.ruled(nil)
	s.breakDown("GET rulesets/1")
	refused("asking for /rulesets/1")
	refused(`release.json says "attested": false, and the workflow says "attested: true"`, "ATTESTED=true")
	s.unattested = false
	if out, code, _ := s.build(rev, first); code != 0 {
		t.Fatalf("it exits with %d:\n%s", code, out)
	}
	refused(`release.json says "attested": true, and the workflow says "attested: false"`, "ATTESTED=false")
}

// TestOnlyTheInputTurnsAttestationsOff: both jobs are told what the caller's file says, which
// reaches main by a review, and whoever starts a run by hand can't say something else.
func TestOnlyTheInputTurnsAttestationsOff(t *testing.T) {
	const input = "${{ inputs.attested }}"
	for _, name := range []string{buildFiles, checkFiles, publishFiles} {
		if from := releaseStep(t, name).Env["ATTESTED"]; from != input {
			t.Errorf("the step %q gets ATTESTED from %q", name, from)
		}
	}
	if attest := releaseStep(t, attestFiles); attest.If != "inputs.attested" || !strings.HasPrefix(attest.Uses, "actions/attest@") {
		t.Errorf("the step %q runs if %q", attest.Name, attest.If)
	}
	declared := loadYAML(t, ".github/workflows/library-release.yml").Get("on").Get("workflow_call").Get("inputs").Get("attested")
	if value(declared.Get("type")) != "boolean" || value(declared.Get("default")) != "true" {
		t.Error("without the input, releases are not attested")
	}
	for _, caller := range []string{".github/workflows/release.yml", "internal/authoring/starter/github-release.yml"} {
		text := scripttest.Text(t, caller)
		if strings.Contains(text, "inputs.attested") || strings.Contains(text, "attested: false") {
			t.Errorf("%s does not attest its releases, or lets the starter of a run choose", caller)
		}
	}
}
