package ci_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// asks are the inputs that select the release of the tests.
func asks(checksum string, more ...string) map[string]string {
	with := map[string]string{"version": "1.2.0", "checksum": checksum}
	for i := 0; i < len(more); i += 2 {
		with[more[i]] = more[i+1]
	}
	return with
}

// from are the inputs that select an archive at an address.
func from(address, checksum string, more ...string) map[string]string {
	return asks(checksum, append([]string{"version", "none", "url", address}, more...)...)
}

// linuxArchive is the name of the archive for most runners.
const linuxArchive = "rubric-tools_1.2.0_linux_amd64.tar.gz"

// onLinux makes a job appear to run on Linux, with a gh that finds the attestation of a
// release if its bundle has the identity of the workflow.
func onLinux(t *testing.T) *actionJob {
	j := newActionJob(t)
	j.env["RUNNER_OS"], j.env["RUNNER_ARCH"] = "Linux", "X64"
	j.gh(t, `[ "$3" != --help ] || exit 0
		[ "$4 $6" = "--repo --bundle" ] && [ "$(cat "$7")" = "$5 $8 $9 ${10} ${11}" ] || { echo "no attestation for: $*" >&2; exit 1; }`)
	return j
}

// gh puts a script on PATH.
func (j *actionJob) gh(t *testing.T, script string) {
	t.Helper()
	folder := t.TempDir()
	script = "#!/bin/sh\n" + script + "\n"
	must.Do(t, os.WriteFile(filepath.Join(folder, "gh"), []byte(script), 0o777))
	j.env["PATH"] = folder + string(filepath.ListSeparator) + os.Getenv("PATH")
}

// released are the files of a release that a run of a workflow on a branch attested.
func released(name string, archive []byte, workflow, branch string) map[string][]byte {
	identity := repository + " --signer-workflow " + repository + "/.github/workflows/" + workflow + " --source-ref refs/heads/" + branch
	return map[string][]byte{name: archive, "release.sigstore.json": []byte(identity)}
}

func testActionTakesReleases(t *testing.T, program string) {
	needs(t, "curl")
	archive := tarball(t, programs(t, program, ""))
	files, alone := released(linuxArchive, archive, "tools.yml", "main"), map[string][]byte{linuxArchive: archive}
	windows := tarball(t, programs(t, program, ".exe"))
	const windowsArchive = "rubric-tools_1.2.0_windows_arm64.tar.gz"
	for i, c := range []struct {
		name   string
		server releaseServer
		with   map[string]string
		env    map[string]string
	}{
		{"with its checksum, from a busy server", releaseServer{files: files, busy: 1}, asks(sha(archive)), nil},
		{"with a checksum as a digest is written", releaseServer{files: files}, asks("sha256:"+strings.ToUpper(sha(archive)), "version", "v1.2.0"), nil},
		{"from a fork on another host", releaseServer{files: alone, fork: true}, asks(sha(archive)), map[string]string{"GITHUB_SERVER_URL": "https://" + anotherHost}},
		{"for Windows", releaseServer{files: released(windowsArchive, windows, "tools.yml", "main")}, asks(sha(windows), "install-mode", "binary"), map[string]string{"RUNNER_OS": "Windows", "RUNNER_ARCH": "ARM64"}},
		{"where only shasum is installed, as on macOS", releaseServer{files: alone}, asks(sha(archive)), map[string]string{"PATH": toolbox(t, "curl", "shasum", "perl")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if i > 0 {
				weekly(t)
			}
			j := onLinux(t)
			maps.Copy(j.env, c.env)
			if path, set := c.env["PATH"]; set && path == "" {
				t.Skip("shasum is not installed")
			}
			if c.server.fork {
				j.context["github.action_repository"] = "acme/tools"
			}
			c.server.serve(t, j)
			j.library(t)
			got := j.use(t, c.with)
			if got.code != 0 {
				t.Fatalf("exit code %d:\n%s", got.code, got.log)
			}
			installs(t, got, j.temp, allCommands(t)...)
			if verified := !strings.Contains(got.log, "is not verified"); verified != (c.server.files["release.sigstore.json"] != nil) {
				t.Errorf("the attestation is verified: %v\n%s", verified, got.log)
			}
			if other := filepath.Join(filepath.Dir(got.outputs["path"]), "rubric"); c.env == nil && scripttest.Text(t, other) != "the program rubric" {
				t.Errorf("%s is not what the archive holds", other)
			}
		})
	}
}

func testActionRefusesReleases(t *testing.T) {
	needs(t, "curl")
	right := programs(t, strings.Repeat("it is never run", 100), "")
	archive := tarball(t, right)
	packed := func(data []byte) map[string][]byte { return released(linuxArchive, data, "tools.yml", "main") }
	for _, c := range []struct {
		name   string
		server releaseServer
		with   map[string]string // asks for the archive's own checksum if it is nil
		says   string
	}{
		{"another checksum than the pinned one", releaseServer{files: packed(archive)}, asks(strings.Repeat("0", 64)), "expected " + strings.Repeat("0", 64) + ", got " + sha(archive)},
		{"no attestation", releaseServer{files: map[string][]byte{linuxArchive: archive}}, nil, "There is no release.sigstore.json in "},
		{"an attestation of another workflow", releaseServer{files: released(linuxArchive, archive, "validate.yml", "main")}, nil, "expected one by tools.yml"},
		{"an attestation on another branch", releaseServer{files: released(linuxArchive, archive, "tools.yml", "topic")}, nil, "expected one by tools.yml"},
		{"no such release", releaseServer{}, asks(sha(archive)), "There is no " + linuxArchive + " in https://github.com/" + repository + "/releases/download/v1.2.0, "},
		{"a server that sends to plain HTTP", releaseServer{files: packed(archive), plain: true}, nil, "Downloading "},
		{"a server that is not GitHub", releaseServer{files: packed(archive), stranger: true}, nil, "Downloading "},
		{"a member outside the folder", releaseServer{files: packed(tarball(t, append(right, member{name: "../escaped", text: "x"})))}, nil, "outside its own folder"},
		{"a member at the root", releaseServer{files: packed(tarball(t, append(right, member{name: "/tmp/escaped", text: "x"})))}, nil, "outside its own folder"},
		{"a program twice", releaseServer{files: packed(tarball(t, append(right, member{name: "rubric-lint", text: "x"})))}, nil, "must contain rubric-lint exactly once"},
		{"a program missing", releaseServer{files: packed(tarball(t, right[:len(right)-1]))}, nil, "once"},
		{"a link for a program", releaseServer{files: packed(tarball(t, append(right[:len(right)-1:len(right)-1], member{name: "rubric-lint", link: "/bin/sh"})))}, nil, "is empty or not a file"},
		{"a program that is none", releaseServer{files: packed(tarball(t, programs(t, "echo hello", "")))}, nil, "does not run on this system"},
		{"an archive that is cut off", releaseServer{files: packed(archive[:1000])}, nil, "is not a readable archive"},
		{"an archive that is none", releaseServer{files: packed([]byte("<html>"))}, nil, "is not a readable archive"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := onLinux(t)
			c.server.serve(t, j)
			if c.with == nil {
				c.with = asks(sha(c.server.files[linuxArchive]))
			}
			refusesUse(t, j, c.with, c.says)
		})
	}
}

// refusesUse checks that the action ends before it checks anything, gives the reason
// in one line, and has put nothing on PATH.
func refusesUse(t *testing.T, j *actionJob, with map[string]string, says string) {
	t.Helper()
	got := j.use(t, with)
	lines := strings.Split(strings.TrimSpace(got.log), "\n")
	last := lines[len(lines)-1]
	if got.code != 2 || !strings.HasPrefix(last, "::error title=rubric-lint::") || !strings.Contains(last, says) {
		t.Errorf("exit code %d, want 2 with %q in the last line:\n%s", got.code, says, got.log)
	}
	if got.path != "" || got.outputs["path"] != "" {
		t.Errorf("installed: PATH %q, outputs %v", got.path, got.outputs)
	}
	if escaped := filesNamed(t, j.temp, "escaped"); len(escaped) > 0 {
		t.Errorf("the archive wrote %v", escaped)
	}
}

// testActionWithAnOldCLI: a GitHub CLI without the command for attestations is like none.
func testActionWithAnOldCLI(t *testing.T, program string) {
	weekly(t)
	needs(t, "curl")
	archive := tarball(t, programs(t, program, ""))
	j := onLinux(t)
	j.gh(t, "exit 1")
	s := releaseServer{files: map[string][]byte{linuxArchive: archive}}
	s.serve(t, j)
	got := j.use(t, asks(sha(archive), "install-only", "true"))
	if got.code != 0 || !strings.Contains(got.log, "is not verified") {
		t.Errorf("exit code %d:\n%s", got.code, got.log)
	}
}

func testActionRefusesInputs(t *testing.T) {
	tools, zeros := toolbox(t), strings.Repeat("0", 64)
	for _, c := range []struct {
		name string
		with map[string]string
		env  map[string]string
		says string
	}{
		{"a path in a version", asks(zeros, "version", "v1.2.0/../x"), nil, "such as 1.2.0"},
		{"a range of versions", asks(zeros, "version", "1.x"), nil, "such as 1.2.0"},
		{"the latest version", asks(zeros, "version", "latest"), nil, "such as 1.2.0"},
		{"a command of GitHub in a version", asks(zeros, "version", "v1.2.0\n::add-mask::a"), nil, "%0A::add-mask::a"},
		{"an empty version", asks(zeros, "version", ""), nil, "The input version is empty"},
		{"a version without a checksum", map[string]string{"version": "1.2.0"}, nil, "The input checksum is required with version or url"},
		{"an empty checksum", asks(""), nil, "The input checksum is empty"},
		{"a checksum without digits", asks("sha256:"), nil, `got "sha256:"`},
		{"half a checksum", asks("abc"), nil, `got "abc"`},
		{"a checksum for nothing", map[string]string{"checksum": zeros}, nil, `such as 1.2.0, got "none"`},
		{"a host without encryption", asks(zeros), map[string]string{"GITHUB_SERVER_URL": "http://git.example.org"}, "over HTTPS"},
		{"a host that is an option", asks(zeros), map[string]string{"GITHUB_SERVER_URL": "--upload-pack=x"}, "over HTTPS"},
		{"an unknown mode", map[string]string{"install-mode": "docker"}, nil, `binary, source, or auto, got "docker"`},
		{"an empty mode", map[string]string{"install-mode": ""}, nil, "The input install-mode is empty"},
		{"a release without a version", map[string]string{"install-mode": "binary"}, nil, "The input version is required with install-mode binary"},
		{"a version for nothing", asks(zeros, "install-mode", "source"), nil, "have no effect with install-mode source"},
		{"neither true nor false", map[string]string{"install-only": "yes"}, nil, `got "yes"`},
		{"two archives", asks(zeros, "url", "https://git.example.org/tools.tar.gz"), nil, "The inputs version and url exclude each other"},
		{"an empty address", asks(zeros, "url", ""), nil, "The input url is empty"},
		{"an address without a checksum", from("https://git.example.org/tools.tar.gz", "none"), nil, "The input checksum is required with version or url"},
		{"an address with a password", from("https://me:secret@git.example.org/tools.tar.gz", zeros), nil, "The input url must be"},
		{"an address with a pattern of curl", from("https://git.example.org/[1-9]/tools.tar.gz", zeros), nil, "The input url must be"},
		{"an address that is a file", from("file:///etc/tools.tar.gz", zeros), nil, "The input url must be"},
		{"an address of a folder", from("https://git.example.org/tools/", zeros), nil, "The input url must be"},
		{"a file that is an option", from("https://git.example.org/--checkpoint-action=exec=sh", zeros), nil, "The input url must be"},
		{"a command of GitHub in an address", from("https://git.example.org/a\n::add-mask::b", zeros), nil, "%0A::add-mask::b"},
		{"an address for nothing", from("https://git.example.org/tools.tar.gz", zeros, "install-mode", "source"), nil, "have no effect with install-mode source"},
		{"a system without programs", asks(zeros), map[string]string{"RUNNER_ARCH": "ARM"}, "no programs for Linux on ARM"},
		{"no Go", nil, map[string]string{"PATH": tools}, "Go is not installed."},
		{"no curl", asks(zeros), map[string]string{"PATH": tools}, "curl is not installed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := onLinux(t)
			maps.Copy(j.env, c.env)
			if path, set := c.env["PATH"]; set && path == "" {
				t.Skip("a basic tool is not installed")
			}
			refusesUse(t, j, c.with, c.says)
		})
	}
}

// toolbox returns a folder for PATH with basic programs and some more, or "" if one of
// them is missing.
func toolbox(t *testing.T, more ...string) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range append([]string{"awk", "bash", "chmod", "cut", "env", "grep", "gzip", "ls", "mkdir", "mktemp", "sed", "tar", "tr"}, more...) {
		program, err := exec.LookPath(name)
		if err != nil || os.Symlink(program, filepath.Join(folder, name)) != nil {
			return ""
		}
	}
	return folder
}
