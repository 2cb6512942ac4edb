package forge_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

var usedAction = regexp.MustCompile(`uses: https://github.com/(actions/([\w-]+))@([0-9a-f]{40})`)

// mirror pushes the actions of the workflow and the programs to the server, under the names that
// they have on github.com.
func (f *forge) mirror() {
	f.t.Helper()
	workflow := scripttest.Text(f.t, "internal/authoring/starter/gitea.yml")
	for _, use := range usedAction.FindAllStringSubmatch(workflow, -1) {
		clone := filepath.Join(f.actions, use[2])
		out, code := f.try(admin, ".", "git -C '"+clone+"' rev-parse HEAD")
		if code != 0 || strings.TrimSpace(out) != use[3] {
			f.t.Fatalf("%s must be a clone of %s at the commit %s: %s", clone, use[1], use[3], out)
		}
		tip := folder(f.t) // without the history, whose objects the clone can lack
		f.run(admin, tip, "git init --quiet && git fetch --quiet --depth 1 'file://"+clone+"' HEAD")
		f.push(tip, use[3], use[1])
	}
	// The programs are those of the working tree, except files that Git does not know.
	f.commit = strings.TrimSpace(f.run(admin, ".", "git stash create"))
	if f.commit == "" {
		f.commit = strings.TrimSpace(f.run(admin, ".", "git rev-parse HEAD"))
	}
	f.push(must.Get(os.Getwd())(f.t), f.commit, authoring.Project)
}

// push creates a repository, with an organization of its own, from the commit of a clone.
func (f *forge) push(clone, commit, name string) {
	f.t.Helper()
	group, base, _ := strings.Cut(name, "/")
	f.call(admin, "POST", "/orgs", object{"username": group}, nil) // it can exist
	f.must(admin, "POST", "/orgs/"+group+"/repos", object{"name": base, "default_branch": "main"}, nil)
	f.must(admin, "PATCH", "/repos/"+name, object{"has_actions": false}, nil)
	f.run(admin, f.dir, "git -C '"+clone+"' push --quiet "+f.url+"/"+name+" "+commit+":refs/heads/main")
}

// jobEnvironment is that of a job, whose Go compiles what has changed since the last job on this
// machine, and has all modules but the one of the programs.
func (f *forge) jobEnvironment() []string {
	f.t.Helper()
	settings := strings.Split(strings.TrimSpace(f.goEnv("GOCACHE", "GOMODCACHE")), "\n")
	return append(f.proxy.environment(),
		"GOCACHE="+settings[0], "GOMODCACHE="+filepath.Join(f.dir, "modules"),
		"GOPROXY=file://"+filepath.ToSlash(settings[1])+"/cache/download", "GOSUMDB=off", "GOPRIVATE="+module,
		"GOFLAGS=-trimpath -modcacherw", "GOTOOLCHAIN=local", "CGO_ENABLED=0")
}

// goEnv asks the Go command of the user for settings.
func (f *forge) goEnv(names ...string) string {
	f.t.Helper()
	out, code := f.try(admin, ".", "go env "+strings.Join(names, " "), os.Environ()...)
	if code != 0 {
		f.t.Fatal(out)
	}
	return out
}

// install builds the programs as a user does, in a clone, so that they know their commit.
func (f *forge) install() {
	f.t.Helper()
	script := "git clone --quiet https://github.com/" + authoring.Project + " clone && go -C clone install ./cmd/..."
	out, code := f.try(admin, f.dir, script, append(f.jobEnvironment(), "GOBIN="+f.programs)...)
	if code != 0 {
		f.t.Fatal(out)
	}
}

const runnerSettings = `log: {level: debug} # with what the steps of a reusable workflow print
runner:
  file: %[1]s/.runner
  capacity: 2
  fetch_interval: 1s
  fetch_interval_max: 1s
  log_report_interval: 1s
  log_report_max_latency: 500ms
  state_report_interval: 1s
cache: {enabled: false}
host: {workdir_parent: %[1]s/work}
`

// startRunner registers a runner in host mode, and starts it. Its tool cache has this Go.
func (f *forge) startRunner() {
	f.t.Helper()
	dir := filepath.Join(f.dir, "runner")
	settings := f.write("runner/config.yaml", fmt.Sprintf(runnerSettings, dir))
	program := filepath.Join(f.built, "runner")
	f.run("runner", dir, "'"+program+"' register --no-interactive --config '"+settings+"' --instance "+f.url+
		" --token "+f.newToken("actions", "generate-runner-token")+" --name forge --labels ubuntu-latest:host")
	version := strings.TrimPrefix(runtime.Version(), "go") + "/" + toolArch()
	f.run("runner", filepath.Join(f.dir, "runner/work/tool_cache/go", filepath.Dir(version)),
		"ln -s '"+strings.TrimSpace(f.goEnv("GOROOT"))+"' "+toolArch()+" && touch "+toolArch()+".complete")
	// A job must install the programs itself.
	environment := append(f.environment("runner"), "PATH="+os.Getenv("PATH"))
	f.keepRunning("runner", append(environment, f.jobEnvironment()...), program, "daemon", "--config", settings)
}
