package ci_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// closedNetwork makes a job reach this machine only: everything else goes to a proxy that
// refuses it. Go has neither modules nor what it built before.
func closedNetwork(t *testing.T) *actionJob {
	t.Helper()
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, r.Host+" is not reachable from here", http.StatusForbidden)
	}))
	t.Cleanup(refuses.Close)
	j := onLinux(t)
	maps.Copy(j.env, map[string]string{
		"HTTPS_PROXY": refuses.URL, "https_proxy": refuses.URL, "http_proxy": refuses.URL, "HTTP_PROXY": refuses.URL,
		"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1", "CURL_HOME": t.TempDir(),
		"GOPROXY": "https://proxy.golang.org", "GOFLAGS": "-modcacherw", "GOMODCACHE": t.TempDir(), "GOCACHE": filepath.Join(t.TempDir(), "go-build"),
	})
	return j
}

// registryPath is where the package registry of Gitea and Forgejo has the archive, of the owner acme.
const registryPath = "/api/packages/acme/generic/rubric-tools/1/rubric-tools.tar.gz"

// forgePackages is a server in that network, without encryption, which answers for what it
// does not have with a status.
func forgePackages(t *testing.T, archive []byte, status int) (address string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != registryPath || archive == nil {
			http.Error(w, "no", status)
			return
		}
		w.Write(archive)
	}))
	t.Cleanup(server.Close)
	return server.URL + registryPath
}

// testActionTakesArchives checks libraries as the page shows: with an archive on a server of the
// same network, and without Go.
func testActionTakesArchives(t *testing.T, program string) {
	needs(t, "curl")
	archive := tarball(t, programs(t, program, ""))
	tools := toolbox(t, "curl", "git", "sha256sum")
	if tools == "" {
		t.Skip("a basic tool is not installed")
	}
	j := closedNetwork(t)
	j.env["PATH"] = tools
	j.library(t)
	contains(t, scripttest.Text(t, "docs/ci.md"), "          url: https://<server>"+strings.Replace(registryPath, "acme", "<owner>", 1)+"\n          checksum: <SHA-256>\n")
	with := from(forgePackages(t, archive, http.StatusNotFound), sha(archive))
	got := j.use(t, with)
	if got.code != 0 || !strings.Contains(got.log, "is not verified, which needs a release on github.com") {
		t.Fatalf("exit code %d:\n%s", got.code, got.log)
	}
	installs(t, got, j.temp, allCommands(t)...)
	j.write(t, "rubrics/prd/x_v1.yaml", "a: 1\n")
	j.commit(t)
	if got := j.use(t, with); got.code != 1 || !strings.Contains(got.log, "::error file=rubrics/prd/x_v1.yaml,") {
		t.Errorf("a file that is not a document: exit code %d:\n%s", got.code, got.log)
	}
}

// testActionRefusesInAClosedNetwork: what can't be had or is not what was pinned ends the job
// before the check, with what to do.
func testActionRefusesInAClosedNetwork(t *testing.T) {
	needs(t, "curl")
	archive := tarball(t, programs(t, strings.Repeat("it is never run", 100), ""))
	zeros := strings.Repeat("0", 64)
	const elsewhere = "If this network can't reach that server, put the archive on one that it reaches, and set url and checksum."
	for _, c := range []struct {
		name string
		with map[string]string
		says string
	}{
		{"another checksum than the pinned one", from(forgePackages(t, archive, 0), zeros), "expected " + zeros + ", got " + sha(archive)},
		{"no such archive", from(forgePackages(t, nil, http.StatusNotFound), zeros), "There is no rubric-tools.tar.gz in http://127.0.0.1:"},
		{"an archive for those who log in", from(forgePackages(t, nil, http.StatusUnauthorized), zeros), "let everyone on this network read the archive"},
		{"a release on a server that is not reachable", asks(zeros), elsewhere},
		{"an archive on a server that is not reachable", from("https://git.example.org/tools.tar.gz", zeros), elsewhere},
		{"a server that is down", from("http://127.0.0.1:1/tools.tar.gz", zeros), "no answer (000)"},
		{"no modules to build from source", nil, "set url and checksum to download the programs"},
	} {
		t.Run(c.name, func(t *testing.T) { refusesUse(t, closedNetwork(t), c.with, c.says) })
	}
}
