package clients_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/cli"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/release/serve"
	"github.com/rubric-library/rubric-library/internal/release/site"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// query is what a user types, and the ID of the document that the user expects first, or ""
// for nonsense.
type query struct{ text, want string }

func queries(t *testing.T) []query {
	t.Helper()
	var all []query
	for line := range strings.Lines(string(must.Get(os.ReadFile("testdata/queries.tsv"))(t))) {
		if text, want, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			all = append(all, query{text, strings.TrimPrefix(want, "-")})
		}
	}
	return all
}

// shippedBundle is a bundle of the shipped library, without its history.
func shippedBundle(t *testing.T) (path, digest string) {
	t.Helper()
	l := bundletest.Library{Verifiable: true, Judges: map[string][]bundlefile.Judge{}}
	for _, path := range must.Get(filepath.Glob("../rubrics/*/*.yaml"))(t) {
		text := string(must.Get(os.ReadFile(path))(t))
		l.Documents = append(l.Documents, text)
		if strings.Contains(text, "\ncalibration_dataset:") {
			l.Judges[strings.TrimSuffix(filepath.Base(path), ".yaml")] = nil
		}
	}
	var out bytes.Buffer
	digest = must.Get(bundletest.Write(&out, l))(t)
	path = filepath.Join(t.TempDir(), "shipped.zip")
	must.Do(t, os.WriteFile(path, out.Bytes(), 0o666))
	return path, digest
}

// matched are the results of a search in JSON, whose other fields don't count here.
type matched []struct {
	ID      string `json:"id"`
	Score   int    `json:"score"`
	Partial bool   `json:"partial"`
}

// TestQueriesFindTheSameEverywhere types the queries in the command, the server, the site, and
// the clients. The document that the user expects is the first for at least 29 of the first 30
// and for all others, and all four places show the same in the same order.
func TestQueriesFindTheSameEverywhere(t *testing.T) {
	path, digest := shippedBundle(t)
	all := queries(t)
	want := make([]matched, len(all))
	missed := 0
	for i, q := range all {
		var out bytes.Buffer
		if code := command.Main(cli.Rubric, []string{"search", path, q.text, "--format", "json"}, command.Streams{Out: &out, Err: io.Discard}); code != 0 {
			t.Fatalf("%q ends with %d", q.text, code)
		}
		want[i] = results[struct{ Documents matched }](t, out.Bytes()).Documents
		first := ""
		if len(want[i]) > 0 {
			first = want[i][0].ID
		}
		if first != q.want && i < 30 {
			missed++
		}
		if first != q.want && (i >= 30 || missed > 1) {
			t.Errorf("%q finds %q first, expected %q", q.text, first, q.want)
		}
	}
	t.Run("server", func(t *testing.T) {
		live := must.Get(library.Follow(t.Context(), library.File(path), library.WithAnyDigest()))(t)
		t.Cleanup(func() { must.Do(t, live.Close()) })
		server := serve.New("")
		server.Use(live)
		for i, q := range all {
			answer := httptest.NewRecorder()
			server.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/v1/search?q="+url.QueryEscape(q.text), nil))
			same(t, q, want[i], results[struct{ Matches matched }](t, answer.Body.Bytes()).Matches)
		}
	})
	t.Run("site", func(t *testing.T) {
		l := must.Get(library.Open(path))(t)
		defer l.Close()
		dir := filepath.Join(t.TempDir(), "site")
		must.Get(site.Build(l, dir, site.Options{}))(t)
		for i, found := range inNode(t, dir, all) {
			same(t, all[i], want[i], found)
		}
	})
	requests := []request{{"op": "open", "path": path, "digest": digest}}
	for _, q := range all {
		requests = append(requests, request{"op": "search", "type": "", "text": q.text, "all": false})
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		for i, a := range ask(requests...)[1:] {
			same(t, all[i], want[i], into[matched](t, a))
		}
	})
}

func same(t *testing.T, q query, want, got matched) {
	t.Helper()
	if diff := cmp.Diff(append(matched{}, want...), append(matched{}, got...)); diff != "" {
		t.Errorf("%q (-command +here):\n%s", q.text, diff)
	}
}

func results[T any](t *testing.T, data []byte) (value T) {
	t.Helper()
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return value
}

// inNode searches with the scripts and the data of a site.
func inNode(t *testing.T, dir string, all []query) []matched {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed, so the search of the site was not tested")
	}
	var texts []string
	for _, q := range all {
		texts = append(texts, q.text)
	}
	cmd := exec.Command(node, "-e", `
		const fs = require("node:fs"), [dir, texts] = process.argv.slice(1);
		const read = new Function(["client.js", "search-data.js"].map((name) => fs.readFileSync(dir + "/assets/" + name, "utf8")).join("\n") + "; return { makeClient, librarySearch };");
		const { makeClient, librarySearch } = read(), client = makeClient();
		const { documents: data } = JSON.parse(require("node:zlib").inflateRawSync(Buffer.from(librarySearch, "base64")));
		const places = new Map(data.map(({ line }) => [line.id, client.placesOf(line)]));
		console.log(JSON.stringify(JSON.parse(texts).map((text) => client.searchPlaces(places, text))));`, dir, string(must.Get(json.Marshal(texts))(t)))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	return results[[]matched](t, out)
}

// TestSimilarArtifactTypesAreTheSameEverywhere asks the command, the server, and the clients for
// documents of artifact types that no document has, and of some that one has.
func TestSimilarArtifactTypesAreTheSameEverywhere(t *testing.T) {
	l := bundletest.Library{Verifiable: true}
	for i, artifactType := range []string{"specs_d", "specs_b", "specs_c", "specs_a", "jira_tickets", "prd", "old_specs"} {
		text, _, _ := strings.Cut(scripttest.Rubric(fmt.Sprintf("d%d_v1", i), "1.0.0", artifactType), "calibration_dataset:")
		l.Documents = append(l.Documents, text)
	}
	l.Ledger = "retired:\n  - {id: d6_v1, kind: rubric, last_version: 1.0.0, reason: Old.}\n"
	var bundle bytes.Buffer
	digest := must.Get(bundletest.Write(&bundle, l))(t)
	path := filepath.Join(t.TempDir(), "specs.zip")
	must.Do(t, os.WriteFile(path, bundle.Bytes(), 0o666))
	cases := []struct{ reason, artifactType, want string }{
		{"the singular", "jira_ticket", "jira_tickets"},
		{"another character between words", "jira-tickets", "jira_tickets"},
		{"another case", "Prd", "prd"},
		{"two letters swapped", "pdr", "prd"},
		{"a character of two bytes is two edits", "prdä", ""},
		{"and is also allowed more", "specs_aä", "specs_a specs_b specs_c"},
		{"a character of four bytes", "jira_tickets😀", "jira_tickets"},
		{"of four that are as near, the first three", "specs_x", "specs_a specs_b specs_c"},
		{"the nearest first", "specs_dx", "specs_d specs_a specs_b"},
		{"only a retired document has it", "old_spec", "old_specs"},
		{"a type that only a retired document has", "old_specs", ""},
		{"a type that a document has", "specs_b", ""},
		{"nothing near", "poem", ""},
		{"the length of a hostile request", strings.Repeat("specs_a", 1000), ""},
	}
	live := must.Get(library.Follow(t.Context(), library.File(path), library.WithAnyDigest()))(t)
	t.Cleanup(func() { must.Do(t, live.Close()) })
	server := serve.New("")
	server.Use(live)
	requests := []request{{"op": "open", "path": path, "digest": digest}}
	for _, c := range cases {
		var errors bytes.Buffer
		code := command.Main(cli.Rubric, []string{"search", path, "--artifact-type", c.artifactType}, command.Streams{Out: io.Discard, Err: &errors})
		said := ""
		if c.want != "" {
			said = fmt.Sprintf("No document has the artifact type %q. Did you mean %s?\n", c.artifactType, strings.ReplaceAll(c.want, " ", " or "))
		}
		if code != 0 || errors.String() != said {
			t.Errorf("%s: the command ends with %d and says %q, want %q", c.reason, code, &errors, said)
		}
		answer := httptest.NewRecorder()
		server.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/v1/search?artifact_type="+url.QueryEscape(c.artifactType), nil))
		got := results[struct {
			Similar []string `json:"similar_artifact_types"`
		}](t, answer.Body.Bytes()).Similar
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: the server suggests %q, want %q", c.reason, got, c.want)
		}
		requests = append(requests, request{"op": "similar_types", "type": c.artifactType})
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		for i, a := range ask(requests...)[1:] {
			if got := strings.Join(into[[]string](t, a), " "); got != cases[i].want {
				t.Errorf("%s: the client suggests %q, want %q", cases[i].reason, got, cases[i].want)
			}
		}
	})
}

// TestShippedDocumentsAreReturned gets every document of the shipped library, of which some have
// keywords.
func TestShippedDocumentsAreReturned(t *testing.T) {
	path, digest := shippedBundle(t)
	l := must.Get(library.Open(path))(t)
	defer l.Close()
	requests := []request{{"op": "open", "path": path, "digest": digest}}
	var want []string
	for _, id := range must.Get(l.IDs())(t) {
		want = append(want, must.Get(l.Resolve(id.ID, ""))(t).String())
		requests = append(requests, request{"op": "get", "id": id.ID, "constraint": ""})
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		for i, a := range ask(requests...)[1:] {
			if got := into[struct{ Reference string }](t, a).Reference; got != want[i] {
				t.Errorf("got %s, want %s", got, want[i])
			}
		}
	})
}
