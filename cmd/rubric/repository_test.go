package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// isolateGit makes git independent of the machine, so that a script has the same
// hashes everywhere.
func isolateGit(env *testscript.Env) error {
	for _, v := range []string{
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C", "TZ=UTC",
		"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.org", "GIT_AUTHOR_DATE=2024-01-01T12:00:00Z",
		"GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.org", "GIT_COMMITTER_DATE=2024-01-01T12:00:00Z",
		"GIT_CONFIG_COUNT=6",
		"GIT_CONFIG_KEY_0=init.defaultBranch", "GIT_CONFIG_VALUE_0=main",
		"GIT_CONFIG_KEY_1=protocol.file.allow", "GIT_CONFIG_VALUE_1=always",
		"GIT_CONFIG_KEY_2=gc.auto", "GIT_CONFIG_VALUE_2=0",
		"GIT_CONFIG_KEY_3=core.fsync", "GIT_CONFIG_VALUE_3=none",
		"GIT_CONFIG_KEY_4=maintenance.auto", "GIT_CONFIG_VALUE_4=false",
		"GIT_CONFIG_KEY_5=receive.autogc", "GIT_CONFIG_VALUE_5=false",
	} {
		key, value, _ := strings.Cut(v, "=")
		env.Setenv(key, value)
	}
	return nil
}

// repository creates an empty repository with the branch main and changes to its
// folder: repository DIR [ARG...].
func repository(ts *testscript.TestScript, args []string) {
	ts.Check(os.MkdirAll(ts.MkAbs(args[0]), 0o777))
	ts.Check(ts.Chdir(args[0]))
	git(ts, false, append([]string{"init", "-q"}, args[1:]...))
}

// git runs git, which must succeed or, with !, fail: git ARG...
func git(ts *testscript.TestScript, neg bool, args []string) {
	if err := ts.Exec("git", args...); (err != nil) != neg {
		ts.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
}

// commit commits everything in the working tree and defines a variable for the commit,
// whose name is also its message: commit NAME. Files named want* are left out, so that
// expected outputs can contain hashes.
func commit(ts *testscript.TestScript, args []string) {
	git(ts, false, []string{"add", "-A", "--", ".", ":(exclude,glob)**/want*"})
	git(ts, false, []string{"commit", "-q", "--allow-empty", "-m", args[0]})
	define(ts, args)
}

// define sets $NAME to the full hash and $NAME_short to the short hash of a revision,
// by default HEAD: define NAME [REV].
func define(ts *testscript.TestScript, args []string) {
	hash := hashOf(ts, append(args, "HEAD")[1])
	ts.Setenv(args[0], hash)
	ts.Setenv(args[0]+"_short", hash[:12])
}

// release tags a commit, by default HEAD, as a release, with the digest of a bundle if
// there is one: release NAME [REV [BUNDLE]].
func release(ts *testscript.TestScript, args []string) {
	digest := "sha256:" + strings.Repeat("0", 64)
	if len(args) == 3 {
		ts.Check(ts.Exec("rubric", "verify", args[2]))
		digest = "sha256:" + strings.Fields(strings.SplitAfterN(ts.ReadFile("stdout"), "sha256:", 2)[1])[0]
	}
	git(ts, false, []string{"tag", "-a", "-m", "digest: " + digest, args[0], append(args, "HEAD")[1] + "^{commit}"})
}

func hashOf(ts *testscript.TestScript, revision string) string {
	git(ts, false, []string{"rev-parse", "--verify", "-q", revision + "^{commit}"})
	return strings.TrimSpace(ts.ReadFile("stdout"))
}

// event sets the variables of GitHub Actions at HEAD for the following commands: event
// pull_request BRANCH [FILE] for the merge ref of a pull request into a branch, event
// merge_group BASE for a queue with that base, event push BEFORE for a push to main after
// that commit, event none for none.
func event(ts *testscript.TestScript, neg bool, args []string) {
	vars := map[string]string{
		"GITHUB_EVENT_NAME": "", "GITHUB_EVENT_PATH": "", "GITHUB_BASE_REF": "", "GITHUB_REF": "", "GITHUB_SHA": "",
	}
	switch {
	case neg:
		ts.Fatalf("! is not supported for event")
	case (len(args) == 2 || len(args) == 3) && args[0] == "pull_request":
		vars["GITHUB_REF"], vars["GITHUB_SHA"], vars["GITHUB_BASE_REF"] = "refs/pull/1/merge", hashOf(ts, "HEAD"), args[1]
		if len(args) == 3 {
			vars["GITHUB_EVENT_PATH"] = ts.MkAbs(args[2])
		}
	case len(args) == 2 && (args[0] == "merge_group" || args[0] == "push"):
		file := filepath.Join(ts.Getenv("WORK"), "event.json")
		ts.Check(os.WriteFile(file, fmt.Appendf(nil, `{"merge_group": {"base_sha": %q}, "before": %[1]q}`, args[1]), 0o666))
		vars["GITHUB_EVENT_PATH"], vars["GITHUB_REF"] = file, map[string]string{"push": "refs/heads/main"}[args[0]]
	case len(args) != 1 || args[0] != "none":
		ts.Fatalf("usage: event pull_request BRANCH [FILE] | merge_group BASE | push BEFORE | none")
	}
	if args[0] != "none" {
		vars["GITHUB_EVENT_NAME"] = args[0]
	}
	for key, value := range vars {
		ts.Setenv(key, value)
	}
}

// sample writes a rubric without findings, with the ID of its file name and the
// artifact type of its folder: sample FILE VERSION.
func sample(ts *testscript.TestScript, args []string) {
	text := scripttest.Rubric(strings.TrimSuffix(path.Base(args[0]), ".yaml"), args[1], path.Base(path.Dir(args[0])))
	ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(args[0])), 0o777))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}

// replace replaces a text that occurs once in a file; NEW can have Go escapes: replace
// FILE OLD NEW.
func replace(ts *testscript.TestScript, args []string) {
	text := ts.ReadFile(args[0])
	if n := strings.Count(text, args[1]); n != 1 {
		ts.Fatalf("%s has %q %d times, want once", args[0], args[1], n)
	}
	with, err := strconv.Unquote(`"` + strings.ReplaceAll(args[2], `"`, `\"`) + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], with, 1)), 0o666))
}

var versionLine = regexp.MustCompile(`(?m)^version: .*$`)

// bump changes the version of a document: bump FILE VERSION.
func bump(ts *testscript.TestScript, args []string) {
	replace(ts, []string{args[0], versionLine.FindString(ts.ReadFile(args[0])), "version: " + strconv.Quote(args[1])})
}
