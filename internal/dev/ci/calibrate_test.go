package ci_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// TestCalibrationIsOffered: new answers come as a pull request, once a day, and a week
// without news asks for nothing. The judge gets its own key and no token: not from its
// environment, and not from that of its parents.
func TestCalibrationIsOffered(t *testing.T) {
	weekly(t)
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not there")
	}
	s := newServer(t)
	ask := named(t, workflows(t)["library-calibrate"].Jobs["ask"].Steps, "Report, and record new answers")
	seen := filepath.Join(t.TempDir(), "seen")
	// This judge reads the environment of every process above it.
	look := filepath.Join(t.TempDir(), "judge")
	must.Do(t, os.WriteFile(look, []byte(`pid=$$
		while tr '\0' '\n' <"/proc/$pid/environ" | grep -q '^JUDGE_API_KEY='; do
			tr '\0' '\n' <"/proc/$pid/environ" | grep -E '^(GH_TOKEN|GITHUB_TOKEN|JUDGE_API_KEY)=' >>`+seen+`
			pid=$(awk '$1 == "PPid:" { print $2 }' "/proc/$pid/status")
		done
		exec python3 "$GITHUB_WORKSPACE/programs/examples/judges/length_judge.py"`), 0o666))
	env := []string{
		"RUNNER_TEMP=" + t.TempDir(), "GITHUB_RUN_ID=1", "GITHUB_REPOSITORY=o/r",
		"JUDGE=length", "MODEL=length-1", "COMMAND=bash " + look,
	}
	for key, value := range ask.Env {
		if strings.Contains(value, "github.token") {
			t.Errorf("the job of the judge has a token in %s", key)
		}
		if strings.Contains(value, "secrets.") {
			env = append(env, key+"=of-the-judge")
		}
	}
	s.merge("sed -i '4,$d' calibration/*/items.jsonl") // an answer takes as long as it takes to start Python
	library, workspace := s.clone("main"), t.TempDir()
	if err := os.Symlink(library, filepath.Join(workspace, "programs")); err != nil {
		t.Skip("links can not be made")
	}
	out, code := s.try(library, ask.Run, append(env, "GITHUB_WORKSPACE="+workspace)...)
	if code > 1 {
		t.Fatalf("it exits with %d:\n%s", code, out)
	}
	for line := range strings.Lines(scripttest.Text(t, seen)) {
		if line != "JUDGE_API_KEY=of-the-judge\n" {
			t.Errorf("the judge sees %q", line)
		}
	}
	recorded := filepath.Join(strings.TrimPrefix(env[0], "RUNNER_TEMP="), "recorded")
	for _, date := range []string{"''", "2026-01-05:refs/heads/main", "--all"} {
		out, code := s.try(s.clone("main"), ".ci/calibrate propose "+date+" "+recorded)
		if code != 2 {
			t.Errorf("the date %s exits with %d", date, code)
		}
		contains(t, out, "the date must have the form")
	}
	dir := s.clone("main")
	s.run(dir, ".ci/calibrate propose 2026-01-05 "+recorded)
	contains(t, s.run(dir, "git show --stat --format= HEAD"), "judges/length/")
	s.run(s.remote, "git rev-parse --verify refs/heads/calibration/2026-01-05")
	if _, err := os.Stat(filepath.Join(s.state, "pulls", "calibration", "2026-01-05")); err != nil {
		t.Error(err)
	}
	s.run(s.remote, "git update-ref refs/heads/main calibration/2026-01-05")
	contains(t, s.run(s.clone("main"), ".ci/calibrate propose 2026-01-12 "+recorded), "nothing new to commit")
	if out, code := s.try(s.clone("main"), "mkdir ../none && .ci/calibrate ask ../none && ls ../none | wc -l | grep -x 0"); code > 1 {
		t.Errorf("it exits with %d:\n%s", code, out)
	}
}

// TestJudgeThatWritesMore: the job that can write to the repository accepts nothing but
// answers from the job of the judge.
func TestJudgeThatWritesMore(t *testing.T) {
	s := newServer(t)
	before := s.snapshot()
	dataset := "calibration/prd_quality"
	for _, test := range []struct{ reason, make, says string }{
		{"a workflow", "mkdir -p .github/workflows && echo x >.github/workflows/x.yml", "unexpected file .github/workflows/x.yml"},
		{"a document", "mkdir -p rubrics/prd && echo x >rubrics/prd/x.yaml", "unexpected file"},
		{"items", "echo '{}' >" + dataset + "/items.jsonl", "unexpected file"},
		{"a path out of it", "mkdir '" + dataset + "/judges/..jsonl' && echo x >'" + dataset + "/judges/..jsonl/a.jsonl'", "unexpected file"},
		{"the runs of an earlier program", "echo x >" + dataset + "/judges/a.jsonl", "unexpected file"},
		{"a name with a line break", "echo x >'" + dataset + "/judges/j/a\nb.jsonl'; touch \"" + dataset + "/judges/j/$(printf 'a\\nb').jsonl\"", "unexpected file"},
		{"a link", "ln -s /etc/passwd " + dataset + "/judges/j/a.jsonl", "is not a regular file"},
		{"a named pipe", "mkfifo " + dataset + "/judges/j/a.jsonl", "is not a regular file"},
		{"too much", "truncate --size 17M " + dataset + "/judges/j/a.jsonl", "is larger than 16 MiB"},
		{"another dataset", "mkdir -p calibration/new/judges/j && echo x >calibration/new/judges/j/a.jsonl", "belongs to no dataset"},
		{"a file of earlier programs", "echo '{}' >" + dataset + "/history.jsonl", "unexpected file"},
	} {
		dir := s.clone("main")
		if !strings.Contains(scripttest.Text(t, filepath.Join(dir, dataset, "dataset.yaml")), "applies_to") {
			t.Fatal("there is no such dataset")
		}
		s.run(dir, "mkdir -p ../recorded/"+dataset+"/judges/j && cd ../recorded\n"+test.make)
		out, code := s.try(dir, ".ci/calibrate propose 2026-01-05 ../recorded")
		if code != 2 {
			t.Errorf("%s: it exits with %d:\n%s", test.reason, code, out)
		}
		contains(t, out, test.says)
	}
	if diff := cmp.Diff(before, s.snapshot()); diff != "" {
		t.Errorf("something of it is on the server: %s", diff)
	}
}

// TestCalibrationsOfTwoLibraries: each library of a repository has a pull request of its own, so
// that none replaces that of another on the same day.
func TestCalibrationsOfTwoLibraries(t *testing.T) {
	s := newServer(t)
	s.merge("mkdir -p 'my team/calibration' && cp -r calibration/prd_quality 'my team/calibration/' && git add .")
	for _, folder := range []string{".", "my team"} {
		s.run(s.clone("main"), "mkdir -p ../recorded/calibration/prd_quality/judges/j && echo '"+folder+"' >../recorded/calibration/prd_quality/judges/j/a.jsonl\n"+
			"recorded=$PWD/../recorded script=$PWD/.ci/calibrate && cd '"+folder+"' && \"$script\" propose 2026-01-05 \"$recorded\"")
	}
	branches := strings.Fields(s.run(s.remote, "git for-each-ref --format='%(refname:lstrip=2)' refs/heads/calibration"))
	if len(branches) != 2 || branches[0] != "calibration/2026-01-05" || !strings.HasPrefix(branches[1], "calibration/2026-01-05-") {
		t.Fatalf("the branches are %q", branches)
	}
	contains(t, s.run(s.remote, "git show --stat --format= "+branches[0]), " calibration/prd_quality/judges/j/a.jsonl")
	contains(t, s.run(s.remote, "git show --stat --format= "+branches[1]), "my team/calibration/prd_quality/judges/j/a.jsonl")
}
