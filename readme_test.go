package repository_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadmeShowsRealOutput makes the mistake that the README shows and looks
// for what the command says in the README.
func TestReadmeShowsRealOutput(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "rubrics"), os.DirFS("rubrics")); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "rubrics", "prd", "prd_quality_v1.yaml")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	broken := strings.Replace(string(data), "    threshold:", "    treshold:", 1)
	if err := os.WriteFile(name, []byte(broken), 0o666); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "rubric-lint")
	if out, err := exec.Command("go", "build", "-o", binary, "./cmd/rubric-lint").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(binary)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err == nil {
		t.Fatal("the mistake was not found")
	}
	readme, err := os.ReadFile(filepath.Join(here, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	finding := string(out[:strings.LastIndex(strings.TrimSpace(string(out)), "\n")+1])
	if !strings.Contains(string(readme), finding) {
		t.Errorf("the README does not show what the command says:\n%s", finding)
	}
}
