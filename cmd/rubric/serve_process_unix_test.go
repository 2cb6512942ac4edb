//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
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

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// process is `rubric` with arguments, as a process of its own.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self := must.Get(os.Executable())(t)
	name := filepath.Join(t.TempDir(), "rubric")
	if err := os.Symlink(self, name); err != nil {
		t.Skipf("no links here: %v", err)
	}
	return exec.Command(name, args...)
}

// serving is a process of `rubric serve` that is ready.
type serving struct {
	*exec.Cmd
	url string
	log *bytes.Buffer // complete after stop
	end chan struct{}
}

func serve(t *testing.T, from string, flags ...string) *serving {
	t.Helper()
	s := &serving{Cmd: process(t, append([]string{"serve", from, "--listen", "127.0.0.1:0"}, flags...)...), log: &bytes.Buffer{}, end: make(chan struct{})}
	stderr, err := s.StderrPipe()
	if err == nil {
		err = s.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Process.Kill() }) // of this process only, and without effect after stop
	lines := bufio.NewScanner(io.TeeReader(stderr, s.log))
	for lines.Scan() {
		var line struct{ Msg, Address string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatalf("%v in %s", err, lines.Text())
		}
		if line.Address != "" {
			s.url = "http://" + line.Address
		}
		if line.Msg == "ready" {
			go func() {
				defer close(s.end)
				_, _ = io.Copy(s.log, stderr)
			}()
			return s
		}
	}
	t.Fatalf("the server does not start: %s", s.log)
	return nil
}

// stop ends the server with a signal and returns its log.
func (s *serving) stop(t *testing.T, signal os.Signal) string {
	t.Helper()
	must.Do(t, s.Process.Signal(signal))
	<-s.end
	if err := s.Wait(); err != nil {
		t.Errorf("%v ends the server with %v\n%s", signal, err, s.log)
	}
	return s.log.String()
}

// get gets a path and decodes the answer.
func (s *serving) get(t *testing.T, path string) (answer map[string]any) {
	t.Helper()
	r := must.Get(http.NewRequest("GET", s.url+path, nil))(t)
	r.Header.Set("X-User", "ann")
	response := must.Get(http.DefaultClient.Do(r))(t)
	defer response.Body.Close()
	must.Do(t, json.NewDecoder(response.Body).Decode(&answer))
	return answer
}

// version is the version of the library that is served.
func (s *serving) version(t *testing.T) string {
	t.Helper()
	version, _ := s.get(t, "/v1/library")["version"].(string)
	return version
}

// published writes two consecutive releases and returns their paths.
func published(t *testing.T) (paths [2]string) {
	t.Helper()
	l := bundletest.Library{Verifiable: true}
	for i := range paths {
		text, _, _ := strings.Cut(scripttest.Rubric("story_v1", fmt.Sprintf("1.%d.0", i), "stories"), "calibration_dataset:")
		l.Version, l.Documents = fmt.Sprintf("1.%d.0", i), append(l.Documents, text)
		var out bytes.Buffer
		digest := must.Get(bundletest.Write(&out, l))(t)
		l.Previous, paths[i] = digest, filepath.Join(t.TempDir(), "rubrics.zip")
		must.Do(t, os.WriteFile(paths[i], out.Bytes(), 0o666))
	}
	return paths
}

// TestServeFollowsAFile checks a reload, the audit log in a file whose last line is torn, and
// that the signals end the server with exit code 0.
func TestServeFollowsAFile(t *testing.T) {
	paths := published(t)
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		served, audit := filepath.Join(t.TempDir(), "rubrics.zip"), filepath.Join(t.TempDir(), "audit.jsonl")
		must.Do(t, os.Link(paths[0], served))
		must.Do(t, os.WriteFile(audit, []byte(`{"time":"20`), 0o600))
		s := serve(t, served, "--interval", "20ms", "--audit", audit)
		if got := s.version(t); got != "1.0.0" {
			t.Errorf("served is %s", got)
		}
		next := served + ".next"
		must.Do(t, os.Link(paths[1], next))
		must.Do(t, os.Rename(next, served))
		for end := time.Now().Add(20 * time.Second); s.version(t) != "1.1.0"; {
			time.Sleep(10 * time.Millisecond)
			if time.Now().After(end) {
				t.Fatal("the new bundle is not served")
			}
		}
		s.get(t, "/v1/documents/story_v1")
		log := s.stop(t, signal)
		inUse := regexp.MustCompile(`"msg":"rubric library: a new bundle is in use","bundle_version":"1.1.0","bundle_digest":"sha256:[0-9a-f]{64}","previous_version":"1.0.0","previous_digest":"sha256:[0-9a-f]{64}"}\n`)
		if got := len(inUse.FindAllString(log, -1)); got != 1 {
			t.Errorf("the log says %d times that the new bundle is in use:\n%s", got, log)
		}
		if lines := scripttest.Text(t, audit); !strings.HasPrefix(lines, `{"time":"20`+"\n{") || strings.Count(lines, "\n") != 2 || !strings.Contains(lines, `"id":"story_v1","version":"1.1.0"`) || strings.Contains(log, "story_v1") {
			t.Errorf("the audit is\n%sand the log\n%s", lines, log)
		}
		if info, err := os.Stat(audit); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the audit log has the mode %v, %v", info.Mode(), err)
		}
	}
}

// TestServeReopensTheAuditFile: SIGHUP closes the file that was renamed, and does not end the server.
// A file that can't be opened again changes nothing until the next record, which then is refused.
func TestServeReopensTheAuditFile(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "logs")
	audit := filepath.Join(folder, "audit.jsonl")
	must.Do(t, os.Mkdir(folder, 0o700))
	s := serve(t, published(t)[0], "--audit", audit)
	s.get(t, "/v1/documents/story_v1")
	must.Do(t, os.Rename(audit, audit+".1"))
	must.Do(t, s.Process.Signal(syscall.SIGHUP))
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(audit); err == nil {
			break
		} else if time.Now().After(end) {
			t.Fatal("the audit file is not opened again")
		}
	}
	s.get(t, "/v1/documents/story_v1")
	for _, path := range []string{audit, audit + ".1"} {
		if got := strings.Count(scripttest.Text(t, path), "\n"); got != 1 {
			t.Errorf("%s has %d records", path, got)
		}
	}
	must.Do(t, os.Rename(folder, folder+".1"))
	must.Do(t, s.Process.Signal(syscall.SIGHUP))
	if got := s.get(t, "/v1/documents/story_v1"); got["code"] != "audit_failed" || got["rubric_id"] != nil {
		t.Errorf("without a folder for the audit, the answer is %v", got)
	}
	must.Do(t, os.Rename(folder+".1", folder))
	if got := s.get(t, "/v1/documents/story_v1"); got["rubric_id"] != "story_v1" {
		t.Errorf("the answer is %v", got)
	}
	log := s.stop(t, syscall.SIGTERM)
	for _, want := range []string{`"msg":"the audit file was opened again"`, `"msg":"a call failed"`} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %s:\n%s", want, log)
		}
	}
}

// TestServeFollowsAnAddress checks that a server starts from a web server, and writes the
// audit log to standard error.
func TestServeFollowsAnAddress(t *testing.T) {
	web := httptest.NewServer(http.FileServer(http.Dir(filepath.Dir(published(t)[0]))))
	defer web.Close()
	s := serve(t, web.URL+"/rubrics.zip", "--actor-header", "X-User")
	if got := s.get(t, "/v1/documents/story_v1")["rubric_id"]; got != "story_v1" {
		t.Errorf("the document is %v", got)
	}
	if log := s.stop(t, syscall.SIGTERM); !strings.Contains(log, `"id":"story_v1","version":"1.0.0"`) || !strings.Contains(log, `"actor":"ann"`) {
		t.Errorf("the log is\n%s", log)
	}
}

// TestServeFollowsARegistry checks that a server starts from a registry, and without it
// from the last good bundle.
func TestServeFollowsARegistry(t *testing.T) {
	registry := httptest.NewServer(ociserver.New(ocimem.New(), nil))
	defer registry.Close()
	reference := strings.TrimPrefix(registry.URL, "http://") + "/acme/rubrics"
	if out, err := process(t, "push", published(t)[0], reference).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	kept := t.TempDir()
	s := serve(t, reference+":1", "--last-good", kept)
	if got := s.version(t); got != "1.0.0" {
		t.Errorf("served is %s", got)
	}
	s.stop(t, syscall.SIGTERM)
	registry.Close()
	s = serve(t, reference+":1", "--last-good", kept)
	if got := s.version(t); got != "1.0.0" {
		t.Errorf("served is %s without the registry", got)
	}
	s.stop(t, syscall.SIGTERM)
}

// TestServeFollowsAFolder checks that what is valid in a folder is taken up, that the log says
// which document is broken, once, and that nothing is said to be a release.
func TestServeFollowsAFolder(t *testing.T) {
	root := t.TempDir()
	folder := filepath.Join(root, "rubrics", "stories")
	must.Do(t, os.MkdirAll(folder, 0o777))
	write := func(id, text string) {
		must.Do(t, os.WriteFile(filepath.Join(folder, id+".yaml"), []byte(text), 0o666))
	}
	story := func(version string) string {
		text, _, _ := strings.Cut(scripttest.Rubric("story_v1", version, "stories"), "calibration_dataset:")
		return text
	}
	write("story_v1", story("1.0.0"))
	s := serve(t, root, "--interval", "10ms")
	until := func(what, path, key string, want any) {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); s.get(t, path)[key] != want; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s: %s is %v", what, path, s.get(t, path))
			}
		}
	}
	about := s.get(t, "/v1/library")
	if about["source"] != "folder" || about["version"] != "" || about["digest"] != "" || s.get(t, "/readyz")["source"] != "folder" {
		t.Errorf("the library is %v", about)
	}
	if c := s.get(t, "/v1/documents/story_v1/calibration"); !strings.Contains(fmt.Sprint(c["reason"]), "folder") {
		t.Errorf("the calibration is %v", c)
	}
	if c := s.get(t, "/v1/documents/story_v1?version=0.9.0"); !strings.Contains(fmt.Sprint(c["detail"]), "a folder has only the current version") {
		t.Errorf("an earlier version gives %v", c)
	}
	write("broken_v1", "rubric_id: broken_v1\n")
	write("story_v1", story("1.1.0"))
	time.Sleep(200 * time.Millisecond) // for several checks
	if got := s.get(t, "/v1/documents/story_v1")["version"]; got != "1.0.0" {
		t.Errorf("beside a broken document, version %v is served", got)
	}
	must.Do(t, os.Remove(filepath.Join(folder, "broken_v1.yaml")))
	until("without the broken document", "/v1/documents/story_v1", "version", "1.1.0")
	log := s.stop(t, syscall.SIGTERM)
	// Each of the two files that are written can be seen twice, empty and whole.
	for text, times := range map[string][2]int{
		"only for trying it out": {1, 1}, "the library is not valid": {1, 4}, "rubrics/stories/broken_v1.yaml:1:1: ": {1, 100},
		"its new content is in use": {1, 1}, `"bundle_version":"1`: {0, 0},
	} {
		if got := strings.Count(log, text); got < times[0] || got > times[1] {
			t.Errorf("%q is %d times in the log, want %d:\n%s", text, got, times, log)
		}
	}
}
