package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/rubric-library/rubric-library/internal/dev/quick"
)

const moduleRoot = "../../.."

// copyOfRules returns a copy of the packages of rules, with their archives, below a
// folder that looks like the module.
func copyOfRules(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, rulesDir), os.DirFS(filepath.Join(moduleRoot, rulesDir))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module copy\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestSkeletonsOfAllFamiliesWork writes a rule into each family of a copy, compiles
// the rules, and runs the tests of all rules.
func TestSkeletonsOfAllFamiliesWork(t *testing.T) {
	dir := copyOfRules(t)
	families, err := readFamilies(dir)
	if err != nil || len(families) < 10 {
		t.Fatalf("%d families are found: %v", len(families), err)
	}
	here, err := filepath.Abs(moduleRoot)
	if err != nil {
		t.Fatal(err)
	}
	replaced := map[string]string{}
	var cases []string
	for name := range families {
		s, err := newSkeleton(dir, name, "trial-"+name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.write(dir); err != nil {
			t.Fatal(err)
		}
		replaced[filepath.Join(here, s.source)] = filepath.Join(dir, s.source)
		for _, name := range []string{s.files.list, s.files.texts} {
			replaced[filepath.Join(here, name)] = filepath.Join(dir, name)
		}
		cases = append(cases, "--- PASS: TestCorpus/trial-"+name+"/trial-"+name+" ")
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o666); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "rules.test")
	build := exec.Command("go", "test", "-c", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, "./internal/lint/rules")
	build.Dir = here
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("the skeletons don't compile: %v\n%s", err, out)
	}
	run := exec.Command(program, "-test.v", "-test.run", "TestCorpus|TestAMistakeIsOneFinding|TestRulesAreWellFormed|TestFamiliesAreTogether|TestMessagesArePlain")
	run.Dir = filepath.Join(dir, rulesDir)
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("tests fail with the skeletons: %v\n%s", err, out)
	}
	for _, want := range cases {
		if !strings.Contains(string(out), want) {
			t.Errorf("the tests ran without %q", want)
		}
	}
}

func TestTheFamilyFollowsFromTheFirstWord(t *testing.T) {
	for id, want := range map[string]string{"anchor-short": "wording", "pattern-long": "patterns", "ignore-late": "ignores"} {
		s, err := newSkeleton(moduleRoot, "", id)
		if err != nil {
			t.Errorf("%s: %v", id, err)
		} else if s.family != want {
			t.Errorf("%s: the family is %s, want %s", id, s.family, want)
		}
	}
}

func TestWhatIsNoNewRuleIsRefused(t *testing.T) {
	for _, tt := range []struct{ reason, family, id, want string }{
		{"capitals", "wording", "Anchor", "not the ID"},
		{"a rule that exists", "wording", "anchor-empty", "already"},
		{"a family that does not exist", "words", "anchor-short", `no family is named "words"`},
		{"no rule begins like this", "", "zebra-striped", "--family is required"},
		{"rules of several families begin like this", "", "duplicate-things", "--family is required"},
	} {
		if _, err := newSkeleton(moduleRoot, tt.family, tt.id); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want one with %q", tt.reason, err, tt.want)
		}
	}
}

func TestNothingIsOverwritten(t *testing.T) {
	dir := copyOfRules(t)
	s, err := newSkeleton(dir, "wording", "anchor-short")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.write(dir); err != nil {
		t.Fatal(err)
	}
	if written, err := s.write(dir); err == nil || len(written) > 0 {
		t.Errorf("a second time it wrote %v, %v", written, err)
	}
}
