package site

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"cuelabs.dev/go/oci/ociregistry/ocimem"
	"cuelabs.dev/go/oci/ociregistry/ociserver"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// TestUseRuns runs the commands and programs of a page in its order, as they are, in one folder
// that is empty at first, against the site and registries on this machine.
func TestUseRuns(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	registry := httptest.NewServer(ociserver.New(ocimem.New(), nil))
	defer registry.Close()
	served := http.NewServeMux()
	server := httptest.NewServer(served)
	defer server.Close()
	at := strings.TrimPrefix(registry.URL, "http://") + "/acme/rubrics"
	site := shipped(t, func(o *Options) {
		o.BaseURL, o.Forge = server.URL+"/li/", &Forge{Registry: at}
	})
	served.Handle("/li/", http.StripPrefix("/li/", http.FileServer(http.Dir(site))))
	dir := must.Get(tools())(t)
	if out, err := exec.Command(filepath.Join(dir, "rubric"), "push", filepath.Join(dir, bundleName), at).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	env := append(goModules(t), "PATH="+dir+":"+os.Getenv("PATH"))
	for page, groups := range map[string][]string{
		"rubrics/user_story_quality_v1/index.html": {"version", "rubric"},
		"rulesets/code_change_v1/1.0.0.html":       {"version", "rule_set"},
		usePage:                                    {"library"},
	} {
		blocks := regexp.MustCompile(`data-copy="the (?:commands with|program in) ([^"]*)">([^<]*)<`).FindAllStringSubmatch(string(must.Get(os.ReadFile(filepath.Join(site, page)))(t)), -1)
		want := 0
		for _, group := range groups {
			want += strings.Count("\n"+commandTexts, "\n== "+group+":")
		}
		if len(blocks) != want {
			t.Fatalf("%s has %d blocks, want %d", page, len(blocks), want)
		}
		folder := t.TempDir()
		for _, block := range blocks {
			t.Run(page+" "+block[1], func(t *testing.T) { checkUse(t, folder, block[1], html.UnescapeString(block[2]), env) })
		}
	}
}

// uses are what each block needs to run, what it prints, and for a program, its file and how it is
// run.
var uses = map[string]struct{ needs, prints, file, run string }{
	"curl": {prints: "OK|verified"}, "rubric verify": {prints: "user_story_quality_v1"}, "rubric serve": {prints: `"(user_story_quality|code_change)_v1"`},
	"rubric get": {prints: "User Story Quality|Code [Cc]hange"}, "rubric pull": {prints: "User Story Quality|Code [Cc]hange"},
	"rubric new": {prints: "created rubrics/.*/my_copy_v1.yaml: .*, a copy of .*, findings of `rubric lint`: 0"},
	"pip":        {needs: "python3", prints: "User Story Quality|Code [Cc]hange"},
	"npm":        {needs: "npm", prints: "User Story Quality|Code [Cc]hange"},
	"go get":     {needs: "go", prints: "added github.com/rubric-library"},
	"Go":         {"go", "^true\n$", "verdict.go", "go run verdict.go"},
	"Python":     {"python3", "^True\n$", "verdict.py", ".venv/bin/python verdict.py"},
	"JavaScript": {"npm", "^true\n$", "verdict.mjs", "node verdict.mjs"},
}

// checkUse runs a block in a folder.
func checkUse(t *testing.T, folder, name, code string, env []string) {
	use := uses[name]
	if _, err := exec.LookPath(use.needs); use.needs != "" && err != nil {
		t.Skipf("%s is not installed", use.needs)
	}
	if use.file != "" {
		write(t, filepath.Join(folder, use.file), code)
		code = use.run
	}
	cmd := exec.Command("sh", "-e", "-c", code)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &out, time.Second
	must.Do(t, cmd.Start())
	done := make(chan error, 1)
	go func() {
		_, err := cmd.Process.Wait()
		done <- err
	}()
	select {
	case <-done:
	case <-time.After(3 * time.Minute):
	}
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // the server that it started
	_ = cmd.Wait()
	if use.prints == "" || !regexp.MustCompile(use.prints).MatchString(out.String()) {
		t.Errorf("%s\nprints\n%s", code, out.String())
	}
}

// goModules makes a registry of Go modules that has this repository as a release, and those that
// it needs, and returns the environment to use it.
func goModules(t *testing.T) []string {
	const module, version = "github.com/rubric-library/rubric-library", "v1.0.0"
	root, dir := "../../..", t.TempDir()
	list := exec.Command("git", "ls-files", "-z", "--", "go.mod", "pkg", "internal", "clients", "schema", "rubrics")
	list.Dir = root
	tracked := string(must.Get(list.Output())(t))
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for name := range strings.SplitSeq(strings.TrimSuffix(tracked, "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(root, name))
		if errors.Is(err, fs.ErrNotExist) || strings.Contains(name, "/testdata/") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file := must.Get(w.Create(module + "@" + version + "/" + name))(t)
		must.Get(file.Write(must.Get(data, err)(t)))(t)
	}
	must.Do(t, w.Close())
	at := filepath.Join(dir, filepath.FromSlash(module), "@v")
	write(t, filepath.Join(at, "list"), version+"\n")
	write(t, filepath.Join(at, version+".info"), fmt.Sprintf(`{"Version": %q, "Time": "2026-01-01T00:00:00Z"}`, version))
	write(t, filepath.Join(at, version+".mod"), string(must.Get(os.ReadFile(filepath.Join(root, "go.mod")))(t)))
	write(t, filepath.Join(at, version+".zip"), packed.String())
	cache := strings.TrimSpace(string(must.Get(exec.Command("go", "env", "GOMODCACHE").Output())(t)))
	return []string{
		"GOPROXY=file://" + dir + ",file://" + filepath.Join(cache, "cache/download"), "GOSUMDB=off", "GOTOOLCHAIN=local",
		"GOFLAGS=-modcacherw -trimpath -buildvcs=false", "GOMODCACHE=" + t.TempDir(),
	}
}

func TestAPreviewHasNoPrograms(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "rubrics/jira_tickets/story_v1.yaml"), text(t, "story_1.yaml"))
	b := &builder{library: must.Get(library.OpenDir(os.DirFS(dir)))(t), options: Options{Forge: &Forge{}}}
	if got := b.commands("rubric", &entry{Entry: &library.Entry{ID: "story_v1"}}, &version{}); got != nil {
		t.Errorf("got %v", got)
	}
}
