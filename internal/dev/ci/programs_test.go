package ci_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// TestStepOfARelease: the version of a release is one step after the last one, and a step
// that is too small for the changes of the API is rejected.
func TestStepOfARelease(t *testing.T) {
	weekly(t)
	s := newServer(t)
	// The comparison takes long for what the script does not depend on.
	s.run(s.author, "git rm --quiet -- '*.go' && mkdir -p pkg/rubric && echo package rubric >pkg/rubric/rubric.go && git add pkg")
	add := `printf '\n// More is new.\nfunc More() {}\n' >>pkg/rubric/rubric.go`
	remove := `sed -i '/More/d' pkg/rubric/rubric.go`
	rename := "go mod edit -module " + module + "/v2"
	for _, test := range []struct {
		change, last, step string
		code               int
		says               string
	}{
		{":", "none", "minor", 0, "v0.1.0"},
		{":", "none", "major", 0, "v1.0.0"},
		{":", "none", "v9.0.0", 2, "must be patch, minor, or major"},
		{":", "--help", "minor", 2, "must be none or have the form vX.Y.Z"},
		{"git tag v0.4.0 && git tag v1.4.0 && git tag v9.9.9 && " + add, "v1.4.0", "patch", 1, "the API has additions. Choose the step minor"},
		{":", "v1.4.0", "minor", 0, "v1.5.0"},
		{"git tag v1.5.0 && " + remove, "v1.5.0", "minor", 1, "the API has incompatible changes. Choose the step major"},
		{"git tag v0.5.0 v1.5.0", "v0.5.0", "patch", 1, "the API has incompatible changes. Choose the step minor"},
		{":", "v0.5.0", "minor", 0, "v0.6.0"},
		{":", "v0.5.0", "major", 0, "v1.0.0"},
		{":", "v1.5.0", "major", 1, "Go ignores it: the module path of v2 is " + module + "/v2"},
		{rename, "v1.5.0", "major", 0, "v2.0.0"},
		{":", "v1.5.0", "minor", 1, "Go ignores it: the module path of v1 is " + module + "."},
	} {
		s.run(s.author, test.change+"\ngit commit --quiet --all --allow-empty --message change")
		out, code := s.try(s.author, ".ci/api "+test.last+" "+test.step)
		if code != test.code {
			t.Errorf("%s after %s exits with %d, want %d:\n%s", test.step, test.last, code, test.code, out)
		}
		contains(t, out, test.says)
	}
}

// TestReleaseOfThePrograms builds a release for this system from a commit with the tags of
// others, twice, as the job "build" of tools.yml does.
func TestReleaseOfThePrograms(t *testing.T) {
	weekly(t)
	needs(t, "goreleaser", "npm", "jq", "python3")
	s := newServer(t)
	s.run(s.author, `sed -i -e 's/goos: .*/goos: [`+runtime.GOOS+`]/' -e 's/goarch: .*/goarch: [`+runtime.GOARCH+`]/' .goreleaser.yaml
		git commit --quiet --all --message 'for one system' && git tag v9.9.9 && git tag library-v9.9.9 && git push --quiet --tags origin main`)
	rev := strings.TrimSpace(s.run(s.author, "git rev-parse main"))
	var results [2]string
	for i := range results {
		dir := s.clone("main")
		if out, code := s.toolsStep(dir, "build", 3, rev, "LAST=none", "STEP=minor"); code != 0 {
			t.Fatalf("the build exits with %d:\n%s", code, out)
		}
		results[i] = filepath.Join(filepath.Dir(dir), "release")
		s.outputs = stepOutputs(t, scripttest.Text(t, filepath.Join(dir, "outputs")))
	}
	s.run(results[0], "diff -r . "+results[1])
	archive := "rubric-tools_0.1.0_" + runtime.GOOS + "_" + runtime.GOARCH
	want := "SHA256SUMS\nnotes.md\nrelease.json\nrubric-bundle-0.1.0.tgz\n" + archive + ".cdx.json\n" + archive + ".tar.gz\nrubric_bundle-0.1.0-py3-none-any.whl\n"
	if got := s.run(results[0], "ls files | LC_ALL=C sort"); got != want {
		t.Errorf("the files are\n%swant\n%s", got, want)
	}
	files := filepath.Join(results[0], "files")
	if got, want := s.run(files, "tar -tf "+archive+".tar.gz | sort"), "README.md\nrubric\nrubric-diff\nrubric-lint\n"; got != want {
		t.Errorf("the archive holds\n%swant\n%s", got, want)
	}
	s.listsEveryModule(files, archive)

	s.run(s.state, "mkdir -p artifacts && cp -r '"+results[0]+"' artifacts/tools")
	s.protect("true", "main")
	if out, code := s.publishTools(rev); code != 0 {
		t.Fatalf("publishing exits with %d:\n%s", code, out)
	}
	last, _ := s.last("main")
	dir := s.clone("main")
	out, code := s.toolsStep(dir, "build", 3, rev, "LAST="+last, "STEP=major")
	if code != 2 {
		t.Errorf("another release of the same commit exits with %d", code)
	}
	contains(t, out, "is already released as v0.1.0")

	next := s.merge("echo >>README.md && git commit --quiet --all --message 'A change that people read'")
	dir = s.clone("main")
	out, code = s.toolsStep(dir, "build", 3, next, "LAST="+last, "STEP=patch")
	if code != 0 {
		t.Fatalf("the next release exits with %d:\n%s", code, out)
	}
	notes := s.run(filepath.Dir(dir), "cat release/files/notes.md && jq -r '.tag, .commit' release/files/release.json")
	contains(t, notes, "- A change that people read\n", "v0.1.1\n"+next)
	if strings.Contains(notes, "for one system") {
		t.Errorf("the notes list a change of the last release:\n%s", notes)
	}
}

// listsEveryModule compares the bill of materials with the modules of all programs.
func (s *server) listsEveryModule(files, archive string) {
	s.t.Helper()
	var bill struct {
		Components []struct{ Name, Version string }
	}
	must.Do(s.t, json.Unmarshal([]byte(s.run(files, "cat "+archive+".cdx.json")), &bill))
	listed := map[string]bool{}
	for _, c := range bill.Components {
		listed[c.Name+" "+c.Version] = true
	}
	modules := s.run(files, `mkdir ../unpacked && tar -xzf `+archive+`.tar.gz -C ../unpacked
		go version -m ../unpacked/rubric* | awk '$1 == "dep" { print $2, $3 }' | sort -u`)
	for line := range strings.Lines(modules) {
		if !listed[strings.TrimSpace(line)] {
			s.t.Errorf("the bill of materials lacks %s", line)
		}
	}
	if len(listed) < 10 || !strings.Contains(modules, "go-git") {
		s.t.Errorf("%d components, of the modules\n%s", len(listed), modules)
	}
}

func TestGoReleaserAcceptsItsConfiguration(t *testing.T) {
	needs(t, "goreleaser")
	if out, err := exec.Command("goreleaser", "check", "--quiet").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestGoInstallsTheLatestVersion: tags of the library don't get in the way of
// `go install …@latest`, which takes the module from Git, and the next major version can
// be installed too.
func TestGoInstallsTheLatestVersion(t *testing.T) {
	weekly(t)
	s := newServer(t)
	s.run(s.author, `git rm --quiet -- '*.go' && mkdir -p cmd/rubric && git add go.mod
		printf 'package main\n\nimport "runtime/debug"\n\nfunc main() {\n\tinfo, _ := debug.ReadBuildInfo()\n\tprint(info.Main.Version)\n}\n' >cmd/rubric/main.go
		printf 'module `+module+`\n\ngo 1.26.0\n' >go.mod
		git add cmd && git commit --quiet --all --message 'a small program'
		git tag v0.9.0 && git tag library-v1.0.0 && git commit --quiet --allow-empty --message next
		git tag v0.10.0 && git tag library-v9.0.0 && git push --quiet --tags origin main`)
	cache := t.TempDir()
	install := func(what string) string {
		t.Helper()
		out, code := s.try(cache, "go install "+what+" && bin/rubric",
			"GOPATH="+cache, "GOMODCACHE="+filepath.Join(cache, "mod"), "GOBIN="+filepath.Join(cache, "bin"), "GOFLAGS=-modcacherw", "GOPROXY=direct", "GONOSUMDB=*", "GOSUMDB=off",
			"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url.file://"+s.remote+".insteadOf", "GIT_CONFIG_VALUE_0=https://"+module)
		if code != 0 {
			t.Fatalf("%s exits with %d:\n%s", what, code, out)
		}
		return out[strings.LastIndexByte(strings.TrimSpace(out), '\n')+1:]
	}
	if got := install(module + "/cmd/rubric@latest"); got != "v0.10.0" {
		t.Errorf("the latest version is %q", got)
	}
	s.run(s.author, `go mod edit -module `+module+`/v2 && git commit --quiet --all --message 'the next major version' && git tag v2.0.0 && git push --quiet --tags origin main`)
	if got := install(module + "/v2/cmd/rubric@latest"); got != "v2.0.0" {
		t.Errorf("the latest version of the next module is %q", got)
	}
	if got := install(module + "/cmd/rubric@latest"); got != "v0.10.0" {
		t.Errorf("the latest version of the old module is %q", got)
	}
}
