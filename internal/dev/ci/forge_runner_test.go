package ci_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// forge is a server whose workflows act runs in host mode, with a folder of repositories
// instead of github.com.
type forge struct {
	*server
	act  []string // the program and its arguments
	host string   // the folder of repositories
	dir  string   // the folder of act
}

// newForge needs the variables that .ci/forge sets: FORGE_ACT, the program, and
// FORGE_ACTIONS, the folder with clones of the actions.
func newForge(t *testing.T) *forge {
	t.Helper()
	act, actions := os.Getenv("FORGE_ACT"), os.Getenv("FORGE_ACTIONS")
	if act == "" || actions == "" {
		t.Skip("run .ci/forge")
	}
	s, dir := newServer(t), t.TempDir()
	// Actions write to Git's global configuration, which is /dev/null in these tests, and
	// root would replace that device. With a home of its own, act reads none of the user's.
	f := &forge{server: s, host: filepath.Join(dir, "github"), dir: dir, act: []string{
		"env", "-u", "GIT_CONFIG_GLOBAL", "-u", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM=1", "HOME=" + dir + "/home",
		s.run(".", `for name in GOPATH GOMODCACHE GOCACHE GOPROXY GOSUMDB; do printf "%s='%s' " $name "$(go env $name)"; done`),
		act, "-P", "ubuntu-latest=-self-hosted", "--no-skip-checkout", "--no-cache-server", "-s", "GITHUB_TOKEN=a-token-of-nobody",
		"--action-cache-path", dir + "/act",
	}}
	for _, name := range []string{"o/r", repository} {
		s.run(dir, "mkdir -p home github/team $(dirname github/"+name+") && ln -s "+s.remote+" github/"+name)
	}
	// actions/setup-go finds this Go in the runner's tool cache.
	version := strings.TrimPrefix(runtime.Version(), "go") + "/" + map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	s.run(".", "cache="+dir+"/act/tool_cache/go/"+version+` && mkdir -p "$(dirname $cache)" && ln -s "$(go env GOROOT)" $cache && touch $cache.complete`)
	// act can lose what a step writes right before its end.
	s.run(dir, `echo "unset BASH_ENV; trap 'sleep 0.3' EXIT" >steps`)
	f.addActions(t, actions)
	return f
}

var pinnedAction = regexp.MustCompile(`uses: (actions/([\w-]+)@([0-9a-f]{40}))`)

// addActions serves the actions of the workflows: some from the clones, which must be at
// the commit, and stand-ins for those that need GitHub.
func (f *forge) addActions(t *testing.T, clones string) {
	t.Helper()
	standIns := must.Get(filepath.Abs("internal/dev/ci/testdata/actions"))(t)
	served := map[string]bool{}
	for _, workflow := range []string{"validate", "release", "library-release"} {
		for _, use := range pinnedAction.FindAllStringSubmatch(scripttest.Text(t, ".github/workflows/"+workflow+".yml"), -1) {
			folder := filepath.Join(standIns, use[2])
			switch use[2] {
			case "checkout", "setup-go":
				folder = filepath.Join(clones, use[2])
				if out, code := f.try(".", "git -C '"+folder+"' rev-parse HEAD"); code != 0 || strings.TrimSpace(out) != use[3] {
					t.Fatalf("%s must be a clone of actions/%s at the commit %s: %s", folder, use[2], use[3], out)
				}
			}
			if !served[use[1]] {
				f.provide(use[1], folder)
			}
			served[use[1]] = true
		}
	}
}

// provide serves the action of a folder.
func (f *forge) provide(use, folder string) {
	f.act = append(f.act, "--local-repository", use+"="+folder)
}

// on returns the forge for a subtest.
func (f *forge) on(t *testing.T) *forge {
	other, s := *f, *f.server
	other.server, s.t = &s, t
	return &other
}

// pull merges a change of the clone's branch main as GitHub does to check a pull request,
// and returns the merge commit.
func (f *forge) pull(clone, change string) (rev string) {
	f.t.Helper()
	return f.run(clone, "git switch --quiet --force-create topic main\n"+change+`
		git commit --quiet --all --message change
		git switch --quiet --detach main
		git merge --quiet --no-ff --message merge topic
		git push --quiet --force origin HEAD:refs/pull/1/merge
		git rev-parse HEAD
		git switch --quiet main`)
}

// summaries matches what a step wrote to the summary, which act prints.
var summaries = regexp.MustCompile(`(?m)^\[[^\]]*\]\s+\S+\s+Summary - ([^\[].*\n|\n)*`)

// ran is the result of a workflow.
type ran struct {
	code         int
	log, summary string
}

// workflow runs a workflow of a commit for an event: its kind, and its content.
func (f *forge) workflow(repository, rev, file, kind, event string, env ...string) ran {
	f.t.Helper()
	dir := f.t.TempDir()
	clone, payload := filepath.Join(dir, "clone"), filepath.Join(dir, "event.json")
	f.run(dir, "git clone --quiet "+f.host+"/"+repository+" clone && cd clone && git fetch --quiet origin "+strings.TrimSpace(rev)+
		" && git checkout --quiet "+strings.TrimSpace(rev)+" && git remote set-url origin https://github.com/"+repository)
	must.Do(f.t, os.WriteFile(payload, []byte(event), 0o666))
	f.run(f.dir, "find act -mindepth 1 -maxdepth 1 ! -name tool_cache -exec rm -r {} +")
	env = append(env, "BASH_ENV="+f.dir+"/steps", "GIT_CONFIG_COUNT=4", "GIT_CONFIG_KEY_3=url."+f.host+"/.insteadOf", "GIT_CONFIG_VALUE_3=https://github.com/")
	log, code := f.try(clone, strings.Join(f.act, " ")+" "+kind+" --eventpath "+payload+" --workflows .github/workflows/"+file, env...)
	return ran{code, log, strings.Join(summaries.FindAllString(log, -1), "")}
}

// expect compares the exit code, and texts that the log and the summary must contain.
func (r ran) expect(t *testing.T, code int, says, summary []string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d", r.code, code)
	}
	for _, text := range says {
		if !strings.Contains(r.log, text) {
			t.Errorf("the log lacks %q", text)
		}
	}
	contains(t, r.summary, summary...)
	if t.Failed() {
		file := filepath.Join("dist", "forge", strings.ReplaceAll(t.Name(), "/", "-")+".log")
		must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(r.log), 0o666)))
		t.Log("the log is in " + file)
	}
}
