package repository_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

// workflow is what these tests read of a file in .github/workflows.
type workflow struct {
	Name        string               `yaml:"name"`
	On          map[string]yaml.Node `yaml:"on"`
	Permissions map[string]string    `yaml:"permissions"`
	Env         map[string]string    `yaml:"env"`
	Jobs        map[string]job       `yaml:"jobs"`
}

type job struct {
	Name        string            `yaml:"name"`
	If          string            `yaml:"if"`
	Needs       []string          `yaml:"needs"`
	Permissions map[string]string `yaml:"permissions"`
	Timeout     int               `yaml:"timeout-minutes"`
	Env         map[string]string `yaml:"env"`
	Steps       []step            `yaml:"steps"`
}

type step struct {
	Name string            `yaml:"name"`
	Uses string            `yaml:"uses"`
	With map[string]string `yaml:"with"`
	Env  map[string]string `yaml:"env"`
	Run  string            `yaml:"run"`
}

func workflows(t *testing.T) map[string]workflow {
	t.Helper()
	files, err := filepath.Glob(".github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no workflows: %v", err)
	}
	all := map[string]workflow{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var w workflow
		if err := yaml.Unmarshal(data, &w); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if !strings.Contains(string(data), "\npermissions: {}\n") {
			t.Errorf("%s does not begin with no permission at all", file)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".yml")] = w
	}
	return all
}

// TestWorkflowsGiveNothingAway: what a workflow could give to a stranger.
func TestWorkflowsGiveNothingAway(t *testing.T) {
	pinned := regexp.MustCompile(`^[\w-]+/[\w-]+@[0-9a-f]{40}$`)
	comment := regexp.MustCompile(`uses: \S+@[0-9a-f]{40} # v\d+\.\d+\.\d+\n`)
	for name, w := range workflows(t) {
		data, err := os.ReadFile(".github/workflows/" + name + ".yml")
		if err != nil {
			t.Fatal(err)
		}
		if uses, named := strings.Count(string(data), "uses: "), len(comment.FindAll(data, -1)); uses != named {
			t.Errorf("%s: %d of %d actions have their version in a comment", name, named, uses)
		}
		for _, event := range []string{"pull_request_target", "workflow_run", "issue_comment"} {
			if _, ok := w.On[event]; ok {
				t.Errorf("%s runs on %s, with the rights of the repository on what a stranger sent", name, event)
			}
		}
		for id, j := range w.Jobs {
			if j.Timeout == 0 {
				t.Errorf("%s, job %s can run for hours", name, id)
			}
			for _, s := range j.Steps {
				if s.Uses != "" && !pinned.MatchString(s.Uses) {
					t.Errorf("%s, job %s: %s is not a commit", name, id, s.Uses)
				}
				if strings.HasPrefix(s.Uses, "actions/checkout@") && s.With["persist-credentials"] != "false" {
					t.Errorf("%s, job %s leaves its token in the folder of the repository", name, id)
				}
				if strings.HasPrefix(s.Uses, "actions/setup-go@") && s.With["cache"] != "false" || strings.HasPrefix(s.Uses, "actions/cache") {
					t.Errorf("%s, job %s builds from a cache that the code of a change can write", name, id)
				}
				if strings.Contains(s.Run, "${{") {
					t.Errorf("%s, job %s puts an expression into a command, where its text can act: %s", name, id, s.Run)
				}
			}
		}
	}
}

// TestValidateIsTheRequiredCheck: one job with a name of its own says whether a
// change can be merged, and it can't be left out, waited for in vain or passed by a
// job that did not run.
func TestValidateIsTheRequiredCheck(t *testing.T) {
	all := workflows(t)
	w := all["validate"]
	if filter, ok := w.On["merge_group"]; !ok || filter.Kind != yaml.ScalarNode {
		t.Error("validate does not run on every merge_group")
	}
	checksEveryTarget(t, w.On["pull_request"])
	last := w.Jobs["rubric-library"]
	var others []string
	for id, j := range w.Jobs {
		if id == "rubric-library" {
			continue
		}
		others = append(others, id)
		for permission, value := range j.Permissions {
			if value != "read" {
				t.Errorf("job %s may %s %s", id, value, permission)
			}
		}
		if j.If != "" {
			t.Errorf("job %s can be left out: a job that was skipped is no success", id)
		}
	}
	slices.Sort(others)
	if needs := slices.Sorted(slices.Values(last.Needs)); !slices.Equal(needs, others) || last.If != "always()" {
		t.Errorf("the last job needs %q and runs if %q, and the others are %q", needs, last.If, others)
	}
	for name, w := range all {
		for id, j := range w.Jobs {
			if (id == "rubric-library" || j.Name == "rubric-library") && name != "validate" {
				t.Errorf("%s has a job of the same name, whose success would count", name)
			}
		}
	}

	s := &server{t: t}
	run := last.Steps[0].Run
	for results, want := range map[string]int{
		"success success success": 0,
		"success failure success": 1,
		"success success skipped": 1,
		"cancelled success":       1,
		"":                        1,
	} {
		if _, code := s.try(".", run, "RESULTS="+results); code != want {
			t.Errorf("%q gives %d, want %d", results, code, want)
		}
	}
	if len(last.Needs) != len(strings.Fields("success success success")) {
		t.Errorf("the last job compares with three results and needs %d jobs", len(last.Needs))
	}
}

// checksEveryTarget holds that a check runs on every pull request, and again when it
// gets another target, for which the old result would count otherwise.
func checksEveryTarget(t *testing.T, event yaml.Node) {
	t.Helper()
	var filter map[string][]string
	if err := event.Decode(&filter); err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{"types": {"opened", "synchronize", "reopened", "edited"}}
	if diff := cmp.Diff(want, filter); diff != "" {
		t.Errorf("the events of a pull request that are checked (-want +got):\n%s", diff)
	}
}

// TestValidateJudgesWithTheToolsOfTheBase runs the steps of validate.yml on pull
// requests, as they are checked out: the merge of a change with main.
func TestValidateJudgesWithTheToolsOfTheBase(t *testing.T) {
	s := newServer(t)
	jobs := workflows(t)["validate"].Jobs
	file := "rubrics/prd/prd_quality_v1.yaml"
	words := `sed -i 's/^description: >-/&\n  New words./' ` + file
	blind := `printf 'package main\n\nfunc main() {}\n' >cmd/rubric-lint/main.go`
	version := func(v string) string { return `sed -i 's/^version: .*/version: "` + v + `"/' ` + file }
	for _, test := range []struct {
		name, change string
		lint         int
		says         string
	}{
		{"with the version that it needs", words + "\n" + version("1.1.0"), 0, "compared with"},
		{"without", words, 1, "version-too-low"},
		{"with a linter that finds nothing", words + "\n" + blind, 1, "version-too-low"},
		{"of nothing that is graded", "echo >>README.md", 0, "compared with"},
	} {
		s.run(s.author, "git checkout --quiet -B change main\n"+test.change+"\ngit commit --quiet --all --message change && git push --quiet --force origin change")
		dir := s.clone("main")
		s.run(dir, "git merge --quiet --no-ff --message merge origin/change")
		out, code := s.try(dir, jobs["lint"].Steps[2].Run, "BASE=HEAD^1")
		if code != test.lint {
			t.Errorf("a change %s: lint exits with %d, want %d", test.name, code, test.lint)
		}
		contains(t, out, test.says)
		summary := filepath.Join(s.state, "summary.md")
		out, code = s.try(dir, jobs["change"].Steps[2].Run, "BASE=HEAD^1", "GITHUB_STEP_SUMMARY="+summary)
		if code != 0 {
			t.Errorf("a change %s: rubric-diff exits with %d:\n%s", test.name, code, out)
		}
		s.run(dir, `test -s "`+summary+`" && grep -q '<svg\|<table\|<h1' change.html`)
		s.try(dir, jobs["change"].Steps[4].Run, "DRAWN=https://example.org/1", "GITHUB_STEP_SUMMARY="+summary)
		s.run(dir, `tail -n 1 "`+summary+`" | grep -Fx '[The change, drawn](https://example.org/1)'`)
	}
}

// TestBundlesOfEveryMerge: each merge of a push has its bundle, also where the
// branch was not there before, where a person started the run, and where a later
// merge was released meanwhile.
func TestBundlesOfEveryMerge(t *testing.T) {
	s := newServer(t)
	before := strings.TrimSpace(s.run(s.author, "git rev-parse HEAD"))
	first := s.merge(reword("prd_quality_v1", "1.0.1", "1.0.2"))
	second := s.merge(reword("prd_quality_v1", "1.0.2", "1.0.3"))
	s.run(s.author, "git tag library-v1.0.0 "+before+" && git tag library-v1.0.2 "+second+" && git push --quiet --tags origin")
	for _, test := range []struct {
		before, after string
		want          []string
	}{
		{before, second, []string{first, second}},
		{strings.Repeat("0", 40), second, []string{second}},
		{strings.Repeat("1", 40), second, []string{second}},
		{second, second, []string{second}},
		{before, first, []string{first}},
	} {
		dir := s.clone(test.after)
		out := s.run(dir, "mkdir -p dist/bundles && touch dist/bundles/of-another-run && .ci/bundles "+test.before+" "+test.after)
		if test.after == first {
			contains(t, out, "library 1.0.1,")
		}
		got := strings.Fields(s.run(dir, "ls dist/bundles"))
		want := slices.Clone(test.want)
		for i := range want {
			want[i] += ".zip"
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("after %s: %q, want %q", test.before, got, want)
		}
	}
}

// TestToolsOfARevisionAreItsOwn: what lies in the working tree has no part in them.
func TestToolsOfARevisionAreItsOwn(t *testing.T) {
	s := newServer(t)
	rev := s.merge("printf '\n// A build of its own.\n' >>cmd/rubric-lint/main.go")
	dir := s.clone(rev)
	tools := s.run(dir, "printf 'go 1.22\nuse .\n' >go.work && GOFLAGS=-tags=other .ci/build-tools HEAD")
	s.run(dir, strings.TrimSpace(tools)+"/rubric-lint --version")
	out, code := s.try(dir, ".ci/build-tools 'no such'")
	if code != 2 {
		t.Errorf("a revision that is not there exits with %d", code)
	}
	contains(t, out, "git fetch --tags origin")
}

// TestProgramsOfWhatNobodyReviewed: a tag beside main is not built, and no tag is not
// blamed on Git.
func TestProgramsOfWhatNobodyReviewed(t *testing.T) {
	s := newServer(t)
	dir := s.clone("main")
	s.run(dir, "git commit --quiet --allow-empty --message side && git tag v0.2.0 && git tag -a -m x v0.3.0")
	for tag, says := range map[string]string{
		"v0.2.0": "not on main", "v0.3.0": "not on main",
		"v0.4.0": "there is no tag v0.4.0", "--detach": "there is no tag --detach",
	} {
		out, code := s.try(dir, ".ci/programs "+tag+" linux/amd64")
		if code != 2 {
			t.Errorf("%s exits with %d", tag, code)
		}
		contains(t, out, says)
	}
}

// TestProgramsOfATag builds and publishes the commands for one system, twice.
func TestProgramsOfATag(t *testing.T) {
	s := newServer(t)
	s.run(s.author, "git tag v0.1.0 && git push --quiet origin v0.1.0")
	for range 2 {
		dir := s.clone("v0.1.0")
		s.run(dir, ".ci/programs v0.1.0 linux/amd64")
		s.run(dir, `.ci/publish v0.1.0 "Tools v0.1.0" dist/programs/notes.md dist/programs/files --latest=false`)
	}
	files := filepath.Join(s.state, "releases", "v0.1.0", "files")
	s.run(files, "sha256sum --quiet -c SHA256SUMS")
	got := s.run(files, "tar -tf rubric-tools_0.1.0_linux_amd64.tar.gz")
	if want := "README.md\nrubric-bundle\nrubric-calibrate\nrubric-diff\nrubric-edit\nrubric-lint\nrubric-rules\n"; got != want {
		t.Errorf("the archive holds\n%swant\n%s", got, want)
	}
	if got := strings.TrimSpace(s.run(filepath.Join(files, ".."), "cat latest")); got != "--latest=false" {
		t.Errorf("the tools are marked %q: the latest release is that of the library", got)
	}
}

// TestAPIOfATag: a version of the module that is too small for what changed is found.
func TestAPIOfATag(t *testing.T) {
	s := newServer(t)
	tag := func(change, name string) (string, int) {
		s.run(s.author, change+"\ngit commit --quiet --all --allow-empty --message change && git tag "+name)
		return s.try(s.author, ".ci/api "+name)
	}
	add := `printf '\n// More is new.\nfunc More() {}\n' >>pkg/rubric/rubric.go`
	remove := `sed -i '/More/d' pkg/rubric/rubric.go`
	for _, test := range []struct {
		change, tag string
		code        int
		says        string
	}{
		{":", "v1.0.0", 0, "first version"},
		{add, "v1.0.1", 1, "next minor version"},
		{":", "v1.1.0", 0, "fits"},
		{remove, "v1.2.0", 1, "next major version"},
		{":", "v2.0.0", 0, "major version: any change fits"},
	} {
		out, code := tag(test.change, test.tag)
		if code != test.code {
			t.Errorf("%s exits with %d, want %d", test.tag, code, test.code)
		}
		contains(t, out, test.says)
		if test.code != 0 {
			s.run(s.author, "git tag -d "+test.tag)
		}
	}
}

// TestCalibrationIsOffered: the history comes as a pull request, once a day, and a
// week without news asks for nothing.
func TestCalibrationIsOffered(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not there")
	}
	s := newServer(t)
	// This judge writes down which secrets it can see.
	seen := filepath.Join(t.TempDir(), "seen")
	judge := []string{
		"JUDGE=length", "MODEL=length-1", "GH_TOKEN=of-the-repository", "JUDGE_API_KEY=of-the-judge",
		"COMMAND=echo $GH_TOKEN $JUDGE_API_KEY >" + seen + "; python3 examples/judges/length_judge.py",
	}
	dir := s.clone("main")
	for _, date := range []string{"''", "2026-01-05:refs/heads/main", "--all"} {
		out, code := s.try(dir, ".ci/calibrate "+date, judge...)
		if code != 2 {
			t.Errorf("the date %s exits with %d", date, code)
		}
		contains(t, out, "say the date")
	}
	out, code := s.try(dir, ".ci/calibrate 2026-01-05", judge...)
	if code > 1 {
		t.Fatalf("it exits with %d:\n%s", code, out)
	}
	if got := readText(t, seen); got != "of-the-judge\n" {
		t.Errorf("the judge sees %q", got)
	}
	changed := s.run(dir, "git show --stat --format= HEAD")
	contains(t, changed, "history.jsonl", "judges/length.jsonl")
	s.run(s.remote, "git rev-parse --verify refs/heads/calibration/2026-01-05")
	if _, err := os.Stat(filepath.Join(s.state, "pulls", "calibration", "2026-01-05")); err != nil {
		t.Error(err)
	}
	s.run(s.remote, "git update-ref refs/heads/main calibration/2026-01-05")
	out, code = s.try(s.clone("main"), ".ci/calibrate 2026-01-12")
	if code > 1 {
		t.Fatalf("it exits with %d:\n%s", code, out)
	}
	contains(t, out, "nothing new to commit")
}
