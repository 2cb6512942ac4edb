package serve

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
	"github.com/rubric-library/rubric-library/pkg/library"
)

const negative = "negative_criteria:\n  - name: vague\n    fail_patterns: [\"etc[.]\", \"and so on\"]\n"

const ruleSet = `ruleset_id: api_v1
name: REST API design
version: "1.0.0"
artifact_type: api_design
scoring:
  pass_threshold: 0.8
rules:
  - {id: a.correctness.endpoints, description: All endpoints are there., severity: fail, check: Compare them.}
  - {id: b.style.names, description: Names are <plain> & short., severity: warn, check: "Read, all of them."}
`

// rubricOf returns the text of a rubric without a dataset.
func rubricOf(id, version, artifactType string) string {
	text, _, _ := strings.Cut(scripttest.Rubric(id, version, artifactType), "calibration_dataset:")
	return text
}

// sample is a library with a document for every case.
func sample() bundletest.Library {
	return bundletest.Library{
		Version: "1.4.0", Verifiable: true,
		Documents: []string{
			rubricOf("story_v1", "1.0.0", "stories") + negative, rubricOf("story_v1", "1.2.0", "stories") + negative + "metadata: {note: \"<b> & \\u2028\"}\n",
			rubricOf("gone_v1", "1.1.0", "letters"),
			rubricOf("old_v1", "1.0.0", "stories") + "deprecated:\n  reason: Too old.\n  replaced_by: story_v1\n",
			ruleSet,
		},
		Ledger: "retired:\n  - {id: gone_v1, kind: rubric, last_version: \"1.1.0\", reason: Nobody writes letters., replaced_by: story_v1}\n",
	}
}

// started is a server over HTTP with a library.
type started struct {
	*testing.T
	server *Server
	live   *library.Live
	path   string // of the bundle
	url    string
	audit  *bytes.Buffer
	api    map[string]*jsonschema.Compiler // by address of the OpenAPI document
}

const apiAddress, api30Address = "https://example.org/openapi.json", "https://example.org/openapi-3.0.json"

// start serves a library.
func start(t *testing.T, l bundletest.Library, opts ...library.Option) *started {
	t.Helper()
	s := &started{T: t, server: New("X-Forwarded-User"), path: filepath.Join(t.TempDir(), "rubrics.zip"), audit: &bytes.Buffer{}, api: map[string]*jsonschema.Compiler{}}
	s.publish(l)
	opts = append([]library.Option{library.WithAnyDigest(), library.WithTelemetry(s.server.Telemetry()), library.WithInterval(time.Hour),
		library.WithAudit(auditTo(s.audit))}, opts...)
	live := must.Get(library.Follow(t.Context(), library.File(s.path), opts...))(t)
	s.live = live
	s.server.Use(live)
	server := httptest.NewServer(s.server)
	s.url = server.URL
	t.Cleanup(func() {
		server.Close()
		if err := live.Close(); err != nil {
			t.Error(err)
		}
	})
	for address, data := range map[string][]byte{apiAddress: openAPI, api30Address: openAPI30} {
		s.api[address] = jsonschema.NewCompiler()
		must.Do(t, s.api[address].AddResource(address, must.Get(jsonschema.UnmarshalJSON(bytes.NewReader(data)))(t)))
	}
	s.api[api30Address].DefaultDraft(jsonschema.Draft4)
	return s
}

// publish replaces the bundle of the source.
func (s *started) publish(l bundletest.Library) (digest string) {
	s.Helper()
	var out bytes.Buffer
	digest, err := bundletest.Write(&out, l)
	if err == nil {
		err = os.WriteFile(s.path, out.Bytes(), 0o666)
	}
	if err != nil {
		s.Fatal(err)
	}
	return digest
}

// answer is an answer with its whole body.
type answer struct {
	*http.Response
	body []byte
}

var client = &http.Client{
	Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 100},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// send sends a request, and checks the answer with the OpenAPI document. headers are names
// and values in turn.
func (s *started) send(method, target, body string, headers ...string) answer {
	s.Helper()
	r := must.Get(http.NewRequest(method, s.url+target, strings.NewReader(body)))(s)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for pair := range slices.Chunk(headers, 2) {
		r.Header.Add(pair[0], pair[1])
	}
	response := must.Get(client.Do(r))(s)
	defer response.Body.Close()
	data := must.Get(io.ReadAll(response.Body))(s)
	a := answer{response, data}
	s.validate(method, target, a)
	return a
}

// validate checks an answer with both OpenAPI documents.
func (s *started) validate(method, target string, a answer) {
	s.Helper()
	response := "default"
	if a.StatusCode < http.StatusBadRequest {
		response = strconv.Itoa(a.StatusCode)
	}
	rt, _ := routeOf(must.Get(url.Parse(target))(s).EscapedPath())
	if rt == nil && response == "default" {
		rt = &routes[0] // that there is no such route is a problem as any
	} else if rt == nil {
		s.Fatalf("%s %s is in no row of the table", method, target)
	}
	for api, data := range map[string][]byte{apiAddress: openAPI, api30Address: openAPI30} {
		s.validateHeaders(data, rt, response, a)
		if len(a.body) > 0 {
			s.validateBody(api, rt, response, a)
		}
	}
}

// validateHeaders checks that an answer has the headers that it must have, and no others.
func (s *started) validateHeaders(api []byte, rt *route, response string, a answer) {
	s.Helper()
	var described struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct{ Headers object }
		}
	}
	must.Do(s, json.Unmarshal(api, &described))
	want, ok := described.Paths[rt.path][strings.ToLower(rt.method)].Responses[response]
	if !ok {
		s.Errorf("%s: the answer %s is not described", rt.path, response)
	}
	for name := range want.Headers {
		if _, ok := a.Header[http.CanonicalHeaderKey(name)]; !ok && headers[name].(object)["required"] == true {
			s.Errorf("%s: the answer %s lacks the header %s", rt.path, response, name)
		}
	}
	for name := range a.Header {
		described := slices.ContainsFunc(slices.Collect(maps.Keys(want.Headers)), func(n string) bool { return http.CanonicalHeaderKey(n) == name })
		if !described && !slices.Contains([]string{"Content-Type", "Content-Length", "Date", "Connection"}, name) {
			s.Errorf("%s: the header %s of the answer %s is not described", rt.path, name, response)
		}
	}
}

func (s *started) validateBody(api string, rt *route, response string, a answer) {
	s.Helper()
	media, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
	pointer := ""
	for _, step := range []string{"paths", rt.path, strings.ToLower(rt.method), "responses", response, "content", media, "schema"} {
		pointer += "/" + strings.ReplaceAll(step, "/", "~1")
	}
	schema, err := s.api[api].Compile(api + "#" + pointer)
	if err != nil {
		s.Fatalf("%s: %v", rt.path, err)
	}
	var value any = string(a.body)
	if strings.Contains(media, "json") {
		if value, err = jsonschema.UnmarshalJSON(bytes.NewReader(a.body)); err != nil {
			s.Fatalf("%s: %v\n%s", rt.path, err, a.body)
		}
	}
	if err := schema.Validate(value); err != nil {
		s.Errorf("%s: %v\n%s", rt.path, err, a.body)
	}
}

// get decodes the answer to a request that has to succeed.
func get[T any](s *started, target string) (result T) {
	s.Helper()
	return decoded[T](s, s.send("GET", target, ""))
}

func decoded[T any](s *started, a answer) (result T) {
	s.Helper()
	if a.StatusCode != http.StatusOK {
		s.Fatalf("%s: %s\n%s", a.Request.URL, a.Status, a.body)
	}
	must.Do(s, json.Unmarshal(a.body, &result))
	return result
}

func auditTo(w io.Writer) *slog.Logger { return slog.New(slog.NewJSONHandler(w, nil)) }
