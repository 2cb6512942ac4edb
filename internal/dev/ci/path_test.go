package ci_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// teamLibrary is the library that the pages create.
const teamLibrary = "acme/bug-rubrics"

// TestPathOfANewUser follows the README, the tutorial, the page for consumers, and the page about
// the first release in one folder, with an empty home and nothing but Git, Go, Python, Node.js, and
// GitHub's CLI: the library is on GitHub, its check rejects a pull request, programs compute a
// verdict with it, it is released, and a consumer verifies the release.
func TestPathOfANewUser(t *testing.T) {
	u := newUser(t)
	u.follow("README.md")
	u.folder, u.commands = filepath.Dir(u.folder), nil
	u.follow("docs/tutorial.md")
	u.pinned()

	pull := u.pull("lower-the-threshold", "")
	if pull.code != 1 {
		t.Errorf("the check of the pull request exits with %d:\n%s", pull.code, pull.log)
	}
	contains(t, pull.log, "::error file=rubrics/bug_reports/bug_report_quality_v1.yaml,line=4,", "Change version 1.0.0 to 1.1.0.")
	pull = u.pull("lower-the-threshold", `sed -i 's/^version: "1.0.0"/version: "1.1.0"/' rubrics/*/*.yaml`)
	if pull.code != 0 {
		t.Errorf("the check of the right version exits with %d:\n%s", pull.code, pull.log)
	}
	contains(t, pull.summary, "work that failed can now pass")
	u.merge("lower-the-threshold")
	u.consume()

	u.follow("docs/own-library.md")
	if len(u.commands) > 13 {
		t.Errorf("the path has %d commands, want 13 at most:\n%s", len(u.commands), strings.Join(u.commands, "\n"))
	}
	u.finds("README.md", filepath.Join(filepath.Dir(u.folder), "rubric-library"))
	u.finds("docs/tutorial.md", u.folder)
	u.finds("docs/own-library.md", u.folder)
}

// TestInitFromALocalCommit: a program that was built from a commit that is nowhere else says so,
// and the hash that its advice prints is one that workflows can fetch.
func TestInitFromALocalCommit(t *testing.T) {
	weekly(t)
	u := newUser(t)
	u.server.run(u.folder, "git clone --quiet "+u.server.remote+" rubric-library && git -C rubric-library commit --quiet --allow-empty --message local")
	u.team.try(u.folder, "go -C rubric-library install ./cmd/...", u.env...)
	out, code := u.team.try(u.folder, "git init -q -b main new && cd new && rubric init --yes --ci github", u.env...)
	if code != 0 {
		t.Fatalf("it exits with %d:\n%s", code, out)
	}
	local := strings.TrimSpace(u.server.run(u.folder, "git -C rubric-library rev-parse HEAD"))
	contains(t, out, "open https://github.com/"+authoring.Project+"/commit/"+local)
	advice := regexp.MustCompile("`(git ls-remote [^`]+)` prints").FindStringSubmatch(out)
	if advice == nil {
		t.Fatalf("it does not say what to do:\n%s", out)
	}
	there, _ := u.team.try(u.folder, advice[1], u.env...)
	hash, _, _ := strings.Cut(there, "\t")
	u.server.run(u.server.remote, "git cat-file -e "+hash+"^{commit} && ! git cat-file -e "+local+"^{commit}")
	u.server.run(u.folder, "cd new && grep -rlF "+local+" .github .pre-commit-config.yaml | xargs sed -i s/"+local+"/"+hash+"/")
	u.folder = filepath.Join(u.folder, "new")
	u.pinned()
}

// user is a person with a new machine.
type user struct {
	t *testing.T
	// server has the programs, and team the library.
	server, team *server
	// folder is the working folder of the commands.
	folder string
	env    []string
	// commands are those that were run.
	commands []string
	// printed is what each of them printed.
	printed map[string]string
	// built is the digest of the last bundle that was built.
	built string
}

func newUser(t *testing.T) *user {
	t.Helper()
	s := newServer(t)
	home := t.TempDir()
	team := *s
	team.programs, team.remote = s.remote, filepath.Join(home, "github", filepath.FromSlash(teamLibrary))
	u := &user{t: t, server: s, team: &team, folder: home, printed: map[string]string{}}
	s.run(home, "mkdir -p github/"+path.Dir(authoring.Project)+" && ln -s "+s.remote+" github/"+authoring.Project+
		" && git init --quiet --bare --initial-branch=main github/"+teamLibrary+" && echo "+teamLibrary+" >"+s.state+"/repository")
	u.env = []string{
		"HOME=" + t.TempDir(), "GOCACHE=" + goEnv(t, "GOCACHE"), "GOMODCACHE=" + goEnv(t, "GOMODCACHE"), "GOPROXY=off", "GOSUMDB=off",
		"GOBIN=" + home + "/bin", "GOFLAGS=-trimpath", "PATH=" + home + "/bin:" + must.Get(filepath.Abs("internal/dev/ci/testdata/bin"))(t) + ":" + os.Getenv("PATH"),
		"GIT_CONFIG_COUNT=4", "GIT_CONFIG_KEY_3=url." + home + "/github/.insteadOf", "GIT_CONFIG_VALUE_3=https://github.com/",
	}
	return u
}

// follow carries out the steps of a page. What the page lets the reader do on GitHub's pages
// comes before the first command that needs it.
func (u *user) follow(page string) {
	u.t.Helper()
	for _, step := range scripttest.Steps(u.t, page) {
		switch {
		case step.Run != "":
			u.team.run(u.folder, step.Run)
		case step.File != "":
			text := strings.Replace(step.Text, "sha256:…", u.built, 1)
			must.Do(u.t, os.WriteFile(filepath.Join(u.folder, step.File), []byte(text), 0o666))
		default:
			if strings.HasPrefix(step.Command, "gh release download") {
				u.release()
			}
			u.command(step)
		}
	}
}

// goEnv is a setting of the Go command, for a user whose home is empty.
func goEnv(t *testing.T, name string) string {
	t.Helper()
	return strings.TrimSpace(string(must.Get(exec.Command("go", "env", name).Output())(t)))
}

// command runs a command of a page, and compares its output with the page.
func (u *user) command(step scripttest.Step) {
	u.t.Helper()
	if program, _, _ := strings.Cut(step.Command, " "); program == "python3" || program == "node" {
		if _, err := exec.LookPath(program); err != nil {
			u.t.Logf("%s is not installed, so this did not run: %s", program, step.Command)
			return
		}
	}
	u.commands = append(u.commands, step.Command)
	if regexp.MustCompile(`[;&|<>$]`).MatchString(step.Command) {
		u.t.Errorf("%q is more than a command", step.Command)
	}
	if folder, found := strings.CutPrefix(step.Command, "cd "); found {
		u.folder = filepath.Join(u.folder, folder)
		return
	}
	command := strings.Replace(step.Command, "sha256:…", u.digest(), 1)
	out, code := u.team.try(u.folder, command, u.env...)
	if code != map[string]int{"0": 0, "1": 1}[step.Exit] {
		u.t.Fatalf("%s\nexits with %d, want %s:\n%s", command, code, step.Exit, out)
	}
	want := regexp.QuoteMeta(step.Output)
	if expr := scripttest.AnyHash(step.Output); expr != "" {
		want = expr
	}
	if want != "" && !regexp.MustCompile(`\A`+want+`\n\z`).MatchString(out) {
		u.t.Errorf("%s\nprints\n%s\nwant\n%s", command, out, step.Output)
	}
	if strings.HasPrefix(command, "rubric build ") {
		u.built = digest.FindString(out)
	}
	u.printed[command] = out
}

// digest matches the digest of a bundle or a document.
var digest = regexp.MustCompile(`sha256:[0-9a-f]{64}`)

// consume follows the page for consumers with the library of the tutorial. Its programs in all
// languages print what the page shows.
func (u *user) consume() {
	u.t.Helper()
	library, path := u.folder, len(u.commands)
	u.follow("docs/consuming.md")
	if want := filepath.Join(filepath.Dir(library), "grader"); u.folder != want {
		u.t.Errorf("the programs are in %s, want %s", u.folder, want)
	}
	const result = "passed: true, by bug_report_quality_v1@1.1.0#sha256:"
	contains(u.t, scripttest.Text(u.t, "docs/consuming.md"), "\n"+result+"…\n")
	for _, command := range u.commands[path:] {
		if strings.HasSuffix(command, " bug.txt") {
			contains(u.t, u.printed[command], result)
		}
	}
	u.folder, u.commands = library, u.commands[:path]
}

// pinned checks that every workflow of the library names the programs by their commit.
func (u *user) pinned() {
	u.t.Helper()
	commit := strings.TrimSpace(u.server.run(u.server.remote, "git rev-parse main"))
	files := must.Get(filepath.Glob(filepath.Join(u.folder, ".github/workflows/*.yml")))(u.t)
	for _, file := range files {
		if !strings.Contains(scripttest.Text(u.t, file), "@"+commit) {
			u.t.Errorf("%s does not name the programs by the commit %s", filepath.Base(file), commit)
		}
	}
	if len(files) != 3 {
		u.t.Errorf("the library has %d workflows", len(files))
	}
}

// pull changes a branch as on GitHub's pages, and runs the check on the merge with main.
func (u *user) pull(branch, change string) actionResult {
	u.t.Helper()
	if change != "" {
		u.team.run(u.team.clone("origin/"+branch), change+" && git commit --quiet --all --message change && git push --quiet origin HEAD:"+branch)
	}
	j := newActionJob(u.t)
	j.workspace = u.team.clone("main")
	u.team.run(j.workspace, "git merge --quiet --no-ff --no-edit origin/"+branch)
	j.env["GITHUB_EVENT_NAME"], j.env["GITHUB_REF"], j.env["GITHUB_BASE_REF"] = "pull_request", "refs/pull/1/merge", "main"
	j.env["GITHUB_SHA"] = strings.TrimSpace(u.team.run(j.workspace, "git rev-parse HEAD"))
	return j.check(u.t, filepath.Join(filepath.Dir(u.folder), "bin/rubric-lint"), nil)
}

// merge merges a pull request.
func (u *user) merge(branch string) {
	u.t.Helper()
	u.team.run(u.team.clone("main"), "git merge --quiet --no-ff --no-edit origin/"+branch+" && git push --quiet origin HEAD:main")
}

// release merges what the page changed, and publishes the first release.
func (u *user) release() {
	u.t.Helper()
	u.team.run(u.team.clone("main"), "cp "+u.folder+"/.rubric-lint.yaml . && git commit --quiet --all --message conventions && git push --quiet origin HEAD:main")
	contains(u.t, u.team.mustRelease("main"), "no release yet")
	contains(u.t, u.team.mustRelease("main", first), "library-v1.0.0: published")
}

// digest is the one in the record of the release that was downloaded.
func (u *user) digest() string {
	data, _ := os.ReadFile(filepath.Join(u.folder, "release.json"))
	var record struct{ Digest string }
	_ = json.Unmarshal(data, &record) // before the release, there is none
	return record.Digest
}

var (
	// code matches what a page has in backquotes.
	code = regexp.MustCompile("`([^`\n]+)`")
	// fileName matches a file or a folder of the library.
	fileName = regexp.MustCompile(`^\.?\w[\w./-]*/$|^\.[a-z]|^[\w./-]+\.(yml|yaml|json|zip)$|^CODEOWNERS$`)
	// jobOf matches a row of a file of a workflow, and its job.
	jobOf = regexp.MustCompile("\\| `(\\.github/workflows/[\\w.-]+)` \\| the job `([\\w-]+)`")
	flag  = regexp.MustCompile(`--[a-z-]+`)
)

// finds checks that the files, jobs, commands, and flags that a page names are those of a
// folder and of the programs.
func (u *user) finds(page, folder string) {
	u.t.Helper()
	text := scripttest.Text(u.t, page)
	for _, m := range jobOf.FindAllStringSubmatch(text, -1) {
		if loadYAML(u.t, filepath.Join(folder, m[1])).Get("jobs").Get(m[2]) == nil {
			u.t.Errorf("%s names the job %s of %s, which has none of that name", page, m[2], m[1])
		}
	}
	found := 0
	for _, m := range code.FindAllStringSubmatch(text, -1) {
		switch word := m[1]; {
		case strings.HasPrefix(word, "rubric "):
			found++
			command := strings.Fields(flag.ReplaceAllString(word, ""))
			help, status := u.team.try(u.folder, strings.Join(command, " ")+" --help", u.env...)
			if status != 0 {
				u.t.Errorf("%s names the command %q: %s", page, word, help)
			}
			for _, f := range flag.FindAllString(word, -1) {
				if !strings.Contains(help, f) {
					u.t.Errorf("%s names %q, and the command has no such flag", page, word)
				}
			}
		case fileName.MatchString(word) && !strings.Contains(text, "<!-- protection: "+word):
			found++
			if _, err := os.Stat(filepath.Join(folder, word)); err != nil {
				u.t.Errorf("%s names %s, which is not in %s", page, word, folder)
			}
		}
	}
	if found < 3 {
		u.t.Errorf("%s names nothing", page)
	}
}
