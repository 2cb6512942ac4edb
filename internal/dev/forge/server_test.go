package forge_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/files/process"
)

// forge is a Gitea with its runner, both on a loopback address and in a temporary folder.
type forge struct {
	t *testing.T
	// built is the folder of Gitea, its runner, and its sources. actions is the folder with the
	// clones of the actions.
	built, actions string
	// dir is the temporary folder, and url the address of the server.
	dir, url string
	// commit is the commit of the programs, which are in the folder programs.
	commit, programs string
	// users are accounts by their names.
	users map[string]user
	proxy *standIn
}

// The accounts: an administrator of the server and of the organization, two code owners, two
// colleagues with write access, and a person without any.
const (
	admin     = "ada"
	owner     = "olga"
	owner2    = "oscar"
	author    = "anna"
	colleague = "carl"
	stranger  = "eve"
)

// startForge needs the variables that .ci/gitea sets.
func startForge(t *testing.T) *forge {
	t.Helper()
	built, actions := os.Getenv("FORGE_GITEA"), os.Getenv("FORGE_ACTIONS")
	if built == "" || actions == "" {
		t.Skip("run .ci/gitea")
	}
	dir := t.TempDir()
	f := &forge{t: t, built: built, actions: actions, dir: dir, users: map[string]user{}}
	f.programs = filepath.Join(dir, "programs")
	f.startGitea()
	for _, name := range []string{admin, owner, owner2, author, colleague, stranger} {
		f.addUser(name)
	}
	f.addOrganization()
	f.mirror()
	f.proxy = startStandIn(f)
	f.install()
	f.startRunner()
	return f
}

// on returns the forge for a subtest.
func (f *forge) on(t *testing.T) *forge {
	other := *f
	other.t = t
	return &other
}

// freePort returns a port of the loopback address that nothing listens on.
func freePort(t *testing.T) int {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func secret() string {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // it never fails
	return base64.RawURLEncoding.EncodeToString(key)
}

func (f *forge) write(name, text string) string {
	f.t.Helper()
	file := filepath.Join(f.dir, name)
	must.Do(f.t, os.MkdirAll(filepath.Dir(file), 0o777))
	must.Do(f.t, os.WriteFile(file, []byte(text), 0o666))
	return file
}

const giteaSettings = `RUN_USER = %[1]s
RUN_MODE = prod
WORK_PATH = %[2]s
I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = %[3]d
ROOT_URL = http://127.0.0.1:%[3]d/
STATIC_ROOT_PATH = %[4]s
DISABLE_SSH = true
OFFLINE_MODE = true
[database]
DB_TYPE = sqlite3
PATH = %[2]s/gitea.db
SQLITE_JOURNAL_MODE = WAL
[security]
INSTALL_LOCK = true
SECRET_KEY = %[5]s
DISABLE_GIT_HOOKS = false
[oauth2]
JWT_SECRET = %[5]s
[session]
PROVIDER = memory
[indexer]
ISSUE_INDEXER_TYPE = db
[service]
DISABLE_REGISTRATION = true
[log]
MODE = file
LEVEL = warn
[actions]
ENABLED = true
[repository]
DEFAULT_BRANCH = main
[git.config]
receive.shallowUpdate = true
`

// startGitea starts the server and waits until it answers.
func (f *forge) startGitea() {
	f.t.Helper()
	port := freePort(f.t)
	f.url = fmt.Sprintf("http://127.0.0.1:%d", port)
	f.write("gitea/app.ini", fmt.Sprintf(giteaSettings, accountName(f.t), filepath.Join(f.dir, "gitea"), port,
		filepath.Join(f.built, "gitea.sources"), secret()))
	f.gitea("migrate")
	f.keepRunning("gitea", f.environment("gitea"), filepath.Join(f.built, "gitea"), "web", "--config", f.settings())
	f.wait("Gitea answers", time.Minute, func() bool {
		answer, err := http.Get(f.url + "/api/healthz")
		if err != nil {
			return false
		}
		defer answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
}

func accountName(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	process.Run(t.Context(), process.Command{Program: "/usr/bin/id", Args: []string{"id", "-un"}, Output: &out})
	return strings.TrimSpace(out.String())
}

func (f *forge) settings() string { return filepath.Join(f.dir, "gitea", "app.ini") }

// gitea runs a command of the server's program, and returns its output, with warnings.
func (f *forge) gitea(args ...string) string {
	f.t.Helper()
	var out bytes.Buffer
	program := filepath.Join(f.built, "gitea") // it finds itself by its first argument
	end := process.Run(f.t.Context(), process.Command{
		Program: program, Args: slices.Concat([]string{program}, args, []string{"--config", f.settings()}),
		Environment: f.environment("gitea"), Output: &out, Limit: time.Minute,
	})
	if end.ExitCode == nil || *end.ExitCode != 0 {
		f.t.Fatalf("gitea %s: %+v\n%s", strings.Join(args, " "), end, &out)
	}
	return out.String()
}

var tokenText = regexp.MustCompile(`(?m)^[0-9A-Za-z]{40}$`)

// newToken returns the token that a command of the server's program makes.
func (f *forge) newToken(args ...string) string {
	f.t.Helper()
	out := f.gitea(args...)
	token := tokenText.FindString(out)
	if token == "" {
		f.t.Fatalf("gitea %s prints no token: %s", strings.Join(args, " "), out)
	}
	return token
}

// environment is that of a program with a home of its own, which reads none of the user's
// settings. It finds the commands of the library.
func (f *forge) environment(home string) []string {
	home = filepath.Join(f.dir, "home", home)
	must.Do(f.t, os.MkdirAll(home, 0o777))
	return []string{
		"PATH=" + f.programs + string(filepath.ListSeparator) + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + os.TempDir(),
		"LANG=C.UTF-8", "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1", "GIT_TERMINAL_PROMPT=0",
	}
}

// keepRunning starts a program that runs until the end of the test. Its output is in a log file.
func (f *forge) keepRunning(name string, environment []string, program string, args ...string) {
	f.t.Helper()
	must.Do(f.t, os.MkdirAll(filepath.Join(f.dir, name), 0o777))
	log := must.Get(os.Create(filepath.Join(f.dir, name+".log")))(f.t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan process.Ending, 1)
	go func() {
		ended <- process.Run(ctx, process.Command{
			Program: program, Args: append([]string{program}, args...),
			Folder: filepath.Join(f.dir, name), Environment: environment, Output: log,
		})
	}()
	f.t.Cleanup(func() {
		stop()
		if end := <-ended; end.ExitCode != nil || end.NotStarted != nil {
			text, _ := os.ReadFile(log.Name())
			f.t.Errorf("%s ended by itself: %+v\n%s", name, end, text)
		}
		log.Close()
	})
}

// wait asks for a condition until it is true. The test fails if it takes longer than the limit.
func (f *forge) wait(what string, limit time.Duration, condition func() bool) {
	f.t.Helper()
	for end := time.Now().Add(limit); !condition(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			f.t.Fatalf("after %s, it is not so that %s", limit, what)
		}
	}
}
