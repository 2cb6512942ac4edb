package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cuelabs.dev/go/oci/ociregistry/ocimem"
	"cuelabs.dev/go/oci/ociregistry/ociserver"
	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
	"github.com/rubric-library/rubric-library/internal/release/conformance"
	"github.com/rubric-library/rubric-library/internal/release/serve"
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/library/registry"
)

// resolved is what a constraint selects: a version and why it is yanked, or no version.
type resolved struct {
	Version     string `json:"version,omitempty"`
	Yanked      string `json:"yanked,omitempty"`
	Unsatisfied bool   `json:"unsatisfied,omitempty"`
}

const withPython = `import json, sys
sys.path.insert(0, sys.argv[1])
import rubric_bundle
bundle = rubric_bundle.open(sys.argv[2])
bundle.verify()
for constraint in json.loads(sys.argv[3]):
    try:
        document = bundle.get("story_v1", constraint)
        print(json.dumps({"version": document.version, "yanked": document.yanked}))
    except rubric_bundle.ConstraintError as error:
        print(json.dumps({"unsatisfied": "was yanked: It passes vague work" in str(error)}))
`

const withJavaScript = `import { pathToFileURL } from "node:url";
const [folder, file, constraints] = process.argv.slice(1);
const { openFile, ConstraintError } = await import(pathToFileURL(folder + "/rubric-bundle.mjs"));
const bundle = await openFile(file);
bundle.verify();
for (const constraint of JSON.parse(constraints)) {
  try {
    const { version, yanked } = bundle.get("story_v1", constraint);
    console.log(JSON.stringify({ version, yanked }));
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error;
    console.log(JSON.stringify({ unsatisfied: error.message.includes("was yanked: It passes vague work") }));
  }
}
`

// services are a program in Go and a server that follow a registry, and the files of programs
// in Python and JavaScript.
type services struct {
	t        *testing.T
	registry string
	clients  string // their folder
	live     *library.Live
	followed *library.Live // by the server
	server   *httptest.Server
}

// TestARollbackReachesEveryService releases a bad minor version to a registry and yanks it. Each
// service selects the version before it after one check, no call fails meanwhile, and what is
// pinned stays as it is. The conformance vectors of constraints say what each selects.
func TestARollbackReachesEveryService(t *testing.T) {
	var file struct {
		Vectors []struct {
			Versions   []string
			Yanked     map[string]string
			Constraint string
			Result     resolved
			Error      struct{ Unsatisfied, Constraint bool }
		}
	}
	must.Do(t, json.Unmarshal(conformance.Files()["conformance/resolve.json"], &file))
	var constraints []string
	var want []resolved
	for _, v := range file.Vectors {
		if v.Error.Constraint || len(v.Yanked) == 0 {
			continue // not of this release
		}
		constraints = append(constraints, v.Constraint)
		want = append(want, resolved{v.Result.Version, v.Result.Yanked, v.Error.Unsatisfied})
	}
	versions, yanked := file.Vectors[0].Versions, file.Vectors[0].Yanked

	s := &services{t: t, clients: must.Get(filepath.Abs("../../clients"))(t)}
	d := newDepot(t)
	t.Chdir(d.dir)
	command := func(words ...string) string {
		t.Helper()
		code, out := runWords(words...)
		if code != 0 {
			t.Fatalf("rubric %s: %d\n%s", strings.Join(words, " "), code, out)
		}
		return out
	}
	commit, files := "", map[string]string{}
	for i, version := range versions {
		text := scripttest.Rubric("story_v1", version, "stories")
		if i > 0 {
			text = strings.Replace(text, "Make it better.", "Make it faster.", 1) // minor
		}
		if yanked[version] != "" {
			text = strings.Replace(text, "pass_threshold: 3.5", "pass_threshold: 3.1", 1)
		}
		files["rubrics/stories/story_v1.yaml"] = text
		commit = d.commit(files, strings.Fields(commit)...)
	}
	d.checkOut(files)
	d.refs("refs/heads/main", map[string]string{"refs/heads/main": commit})
	s.start()
	command("build", "-o", "one.zip", "--version", "1.0.0")
	command("push", "one.zip", s.registry)
	s.follow()
	one := must.Get(library.Open("one.zip"))(t)
	tag := d.release("library-v1.0.0", commit, one.Digest())
	must.Do(t, one.Close())
	pinned := must.Get(s.live.Get(t.Context(), "story_v1", "1.3.0"))(t)
	stop := s.load(pinned)

	for version, reason := range yanked {
		command("yank", "story_v1", version, "--reason", reason)
	}
	files = maps.Clone(files)
	files["rubrics/retired.yaml"] = string(must.Get(os.ReadFile("rubrics/retired.yaml"))(t))
	d.refs("refs/heads/main", map[string]string{"refs/heads/main": d.commit(files, commit), "refs/tags/library-v1.0.0": tag})
	command("lint")
	if next := command("diff", "--next-version"); next != "2.0.0\n" { // a verdict can get stricter
		t.Errorf("the next version of the library is %s", next)
	}
	command("build", "-o", "two.zip", "--previous", "one.zip")
	command("verify", "two.zip", "--after", "one.zip")
	command("push", "two.zip", s.registry)
	must.Do(t, errors.Join(s.live.Check(t.Context()), s.followed.Check(t.Context())))
	for name, got := range s.resolve(constraints) {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s selects other versions (-want +got):\n%s", name, diff)
		}
	}
	if seen := stop(); !seen["1.3.0"] || !seen["1.2.0"] || len(seen) != 2 {
		t.Errorf("under load, ^1 was %v", seen)
	}
}

// start starts a registry.
func (s *services) start() {
	s.t.Setenv("DOCKER_CONFIG", s.t.TempDir())
	server := httptest.NewServer(ociserver.New(ocimem.New(), nil))
	s.t.Cleanup(server.Close)
	s.registry = strings.TrimPrefix(server.URL, "http://") + "/acme/rubrics"
}

// follow starts the services, which check the registry only when the test says so.
func (s *services) follow() {
	handler := serve.New("")
	for _, live := range []**library.Live{&s.live, &s.followed} {
		*live = must.Get(library.Follow(s.t.Context(), registry.OCI(s.registry), library.WithAnyDigest(), library.WithLastGood(s.t.TempDir()), library.WithInterval(time.Hour)))(s.t)
		s.t.Cleanup(func() { _ = (*live).Close() })
	}
	handler.Use(s.followed)
	s.server = httptest.NewServer(handler)
	s.t.Cleanup(s.server.Close)
}

// load calls the services until stop, which returns the versions that ^1 was.
func (s *services) load(pinned *library.Document) (stop func() map[string]bool) {
	var wg sync.WaitGroup
	var ended atomic.Bool
	var calls atomic.Int64
	var seen sync.Map
	for range 4 {
		wg.Go(func() {
			for !ended.Load() {
				calls.Add(1)
				caret, err := s.live.Get(s.t.Context(), "story_v1", "^1")
				exact, exactErr := s.live.Current().GetReference(s.t.Context(), pinned.Reference.String())
				if err := errors.Join(err, exactErr); err != nil {
					s.t.Error(err)
					return
				}
				seen.Store(caret.Reference.Version, true)
				status, header, _ := s.get("^1")
				exactStatus, _, body := s.get("1.3.0")
				if status != http.StatusOK || exactStatus != http.StatusOK || !bytes.Equal(body, pinned.JSON()) || !bytes.Equal(exact.JSON(), pinned.JSON()) {
					s.t.Errorf("a call failed: %d, %d\n%s", status, exactStatus, body)
					return
				}
				_, version, _ := strings.Cut(strings.TrimSuffix(header.Get("Rubric-Reference"), "#"), "@")
				version, _, _ = strings.Cut(version, "#")
				seen.Store(version, true)
			}
		})
	}
	return func() map[string]bool {
		ended.Store(true)
		wg.Wait()
		if calls.Load() < 10 {
			s.t.Errorf("there were only %d rounds of calls", calls.Load())
		}
		versions := map[string]bool{}
		seen.Range(func(version, _ any) bool { versions[version.(string)] = true; return true })
		return versions
	}
}

func (s *services) get(constraint string) (status int, header http.Header, body []byte) {
	address := s.server.URL + "/v1/documents/story_v1"
	if constraint != "" {
		address += "?version=" + url.QueryEscape(constraint)
	}
	answer, err := http.Get(address)
	if err != nil {
		return 0, nil, []byte(err.Error())
	}
	defer answer.Body.Close()
	body, err = io.ReadAll(answer.Body)
	if err != nil {
		return 0, nil, []byte(err.Error())
	}
	return answer.StatusCode, answer.Header, body
}

// resolve asks each service for the constraints. A program in Python or JavaScript checks the
// registry with the command.
func (s *services) resolve(constraints []string) map[string][]resolved {
	out := map[string][]resolved{}
	for _, c := range constraints {
		one := resolved{}
		d, err := s.live.Get(s.t.Context(), "story_v1", c)
		if err == nil {
			one = resolved{Version: d.Reference.Version, Yanked: d.Yanked}
		} else {
			one.Unsatisfied = errors.As(err, new(*library.ConstraintError)) && strings.Contains(err.Error(), "was yanked: It passes vague work")
		}
		out["Go"] = append(out["Go"], one)
		status, header, body := s.get(c)
		reference, _ := library.ParseReference(header.Get("Rubric-Reference"))
		one = resolved{Version: reference.Version, Yanked: header.Get("Rubric-Yanked")}
		if status != http.StatusOK {
			one.Unsatisfied = strings.Contains(string(body), "was yanked: It passes vague work")
		}
		out["the server"] = append(out["the server"], one)
	}
	if code, text := runWords("pull", s.registry, "-o", "pulled.zip"); code != 0 {
		s.t.Fatal(text)
	}
	asked := string(must.Get(json.Marshal(constraints))(s.t))
	for name, call := range map[string][]string{
		"Python":     {"python3", "-c", withPython, filepath.Join(s.clients, "python")},
		"JavaScript": {"node", "--input-type=module", "-e", withJavaScript, filepath.Join(s.clients, "javascript")},
	} {
		if _, err := exec.LookPath(call[0]); err != nil {
			s.t.Logf("%s is not installed, so it was not tested", name)
			continue
		}
		answers, err := exec.Command(call[0], append(call[1:], "pulled.zip", asked)...).Output()
		if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
			s.t.Fatalf("%s: %s", name, failed.Stderr)
		}
		must.Do(s.t, err)
		for line := range strings.Lines(string(answers)) {
			var one resolved
			must.Do(s.t, json.Unmarshal([]byte(line), &one))
			out[name] = append(out[name], one)
		}
	}
	return out
}
