package serve

import (
	"encoding/json"
	"io/fs"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

func TestLibraryRoutes(t *testing.T) {
	s := start(t, sample())
	want := libraryInfo{Source: "bundle", Version: "1.4.0", Digest: s.live.Current().Digest(), Rubrics: 2, RuleSets: 1}
	if got := get[libraryInfo](s, "/v1/library"); got != want {
		t.Errorf("the library is %+v, want %+v", got, want)
	}
	ids := func(target string) (found []string) {
		for _, e := range get[documentList](s, target).Documents {
			found = append(found, e.ID)
		}
		for _, e := range get[searchResult](s, strings.Replace(target, "documents", "search", 1)).Matches {
			found = append(found, "+"+e.ID)
		}
		return found
	}
	for target, want := range map[string][]string{
		"/v1/documents":                       {"api_v1", "gone_v1", "old_v1", "story_v1", "+api_v1", "+story_v1"},
		"/v1/documents?artifact_type=stories": {"old_v1", "story_v1", "+story_v1"},
		"/v1/documents?artifact_type=none":    nil,
	} {
		if diff := cmp.Diff(want, ids(target)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", target, diff)
		}
	}
	if got := get[documentList](s, "/v1/documents?kind=rule_set").Documents; len(got) != 1 || got[0].ID != "api_v1" {
		t.Errorf("the rule sets are %v", got)
	}
	found := get[searchResult](s, "/v1/search?q=clarity+storie").Matches
	if len(found) != 1 || found[0].ID != "story_v1" || !slices.Contains(found[0].Matched, "name") {
		t.Errorf("the search finds %+v", found)
	}
	if found := get[searchResult](s, "/v1/search?kind=rule_set").Matches; len(found) != 1 || found[0].ID != "api_v1" {
		t.Errorf("a search for rule sets finds %v", found)
	}
	if body := string(s.send("GET", "/v1/search?q=zzzzzzzz", "").body); body != `{"matches":[]}` {
		t.Errorf("a search without a result gives %s", body)
	}
}

// TestCalibrationRoute: a caller gets all judges, or its own, or none.
func TestCalibrationRoute(t *testing.T) {
	l := sample()
	l.Documents[1] += "calibration_dataset: https://example.org/labels\n"
	l.Judges = map[string][]bundlefile.Judge{"story_v1": {bundletest.Judge("lively", "m 2", 0.5), bundletest.Judge("steady", "m-1", 0.75), bundletest.Judge("tired", "m-1", math.NaN())}}
	s := start(t, l)
	for query, want := range map[string]string{
		"": "lively steady tired", "?judge=steady&model=m-1": "steady", "?judge=lively&model=m+2": "lively", "?model=m-1": "steady tired",
		"?judge=steady&model=m-2": "", "?judge=nobody": "", "?judge=": "", "?judge=&model=": "",
	} {
		var names []string
		for _, j := range get[library.Calibration](s, "/v1/documents/story_v1/calibration"+query).Judges {
			names = append(names, j.Judge)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s gives %q, want %q", query, got, want)
		}
	}
	want := `{"path":"calibration/story_v1/statistics.json","labeled_by":"people","judges":[{"judge":"tired","model":"m-1","prompt_digest":"","repeats":1,"run":"2026-11-21","date":"2026-11-21",` +
		`"rank":"no","gate":"no","correlation":{"criterion":"clarity","undefined":"all scores are equal"},"reason":"All scores are equal."}]}`
	if got := string(s.send("GET", "/v1/documents/story_v1/calibration?judge=tired", "").body); got != want {
		t.Errorf("a judge without a correlation is %s", got)
	}
	for path, want := range map[string]string{"api_v1": `{"judges":[]}`, "gone_v1": `{"judges":[]}`, "none_v1": `"not_found"`} {
		if got := string(s.send("GET", "/v1/documents/"+path+"/calibration", "").body); !strings.Contains(got, want) {
			t.Errorf("%s gives %s", path, got)
		}
	}
}

// TestDocumentIsItsDigest checks the bodies of all versions of all documents, and that their
// references get them again.
func TestDocumentIsItsDigest(t *testing.T) {
	s := start(t, sample())
	for _, e := range get[documentList](s, "/v1/documents").Documents {
		for _, v := range e.Versions {
			a := s.send("GET", "/v1/documents/"+e.ID+"?version="+v.Version, "")
			if got := digestOf(a.body); got != v.Digest || a.Header.Get("ETag") != `"`+v.Digest+`"` {
				t.Errorf("%s %s has the digest %s, the ETag %s, and the body %s, want %s", e.ID, v.Version, got, a.Header.Get("ETag"), a.body, v.Digest)
			}
			if got, want := a.Header.Get("Rubric-Reference"), e.ID+"@"+v.Version+"#"+v.Digest; got != want {
				t.Errorf("the reference is %s, want %s", got, want)
			}
		}
	}
	if a := s.send("GET", "/v1/documents/story_v1", ""); !strings.HasPrefix(a.Header.Get("Rubric-Reference"), "story_v1@1.2.0#") {
		t.Errorf("the latest version is %s", a.Header.Get("Rubric-Reference"))
	}
	if a := s.send("GET", "/v1/documents/story_v1?version=~1.0", ""); !strings.HasPrefix(a.Header.Get("Rubric-Reference"), "story_v1@1.0.0#") {
		t.Errorf("~1.0 is %s", a.Header.Get("Rubric-Reference"))
	}
}

func TestJudgeRoutes(t *testing.T) {
	s := start(t, sample())
	r := must.Get(s.live.Current().Rubric(t.Context(), "story_v1", "1.0.0"))(t)
	if diff := cmp.Diff(r.JudgeView(), get[rubric.JudgeView](s, "/v1/documents/story_v1/judge-view?version=1.0.0")); diff != "" {
		t.Errorf("the judge view (-want +got):\n%s", diff)
	}
	a := s.send("GET", "/v1/documents/story_v1/answer-schema?version=1.0.0", "")
	if string(a.body) != string(r.AnswerSchema()) {
		t.Errorf("the answer schema is %s", a.body)
	}
}

func TestComputations(t *testing.T) {
	s := start(t, sample())
	post := func(target, body string) answer { return s.send("POST", "/v1/documents/"+target, body) }
	found := decoded[hits](s, post("story_v1/hits?version=1.0.0", `{"text":"Pens etc. and more, etc."}`))
	if len(found.Hits) != 2 || found.Hits[1].Start != 20 || !slices.Equal(found.Names, []string{"vague"}) || !strings.HasPrefix(found.Reference, "story_v1@1.0.0#sha256:") {
		t.Errorf("the hits are %+v", found)
	}
	if body := string(post("story_v1/hits", `{"text":""}`).body); !strings.Contains(body, `"hits":[],"names":[]`) {
		t.Errorf("an empty text gives %s", body)
	}
	passed := decoded[verdict](s, post("story_v1/verdict", `{"scores":{"clarity":3.5},"hits":[]}`))
	failed := decoded[verdict](s, post("story_v1/verdict", `{"scores":{"clarity":5},"hits":["vague"]}`))
	if !passed.Passed || failed.Passed || failed.Reasons[0].Kind != rubric.ReasonHit || !strings.HasPrefix(failed.Reference, "story_v1@1.2.0#sha256:") {
		t.Errorf("the verdicts are %+v and %+v", passed, failed)
	}
	scored := decoded[score](s, post("api_v1/score", `{"phase":"B","verdicts":[{"rule":"a.correctness.endpoints","verdict":"pass"},{"rule":"b.style.names","verdict":"skipped","reason":"No names."}]}`))
	if scored.Passed || scored.Score.Score != 2.0/3 || scored.Rules[1].Reason != "No names." {
		t.Errorf("the score is %+v", scored)
	}
}

// TestAudit checks the records of what was returned, which have no text, and that none is
// missing.
func TestAudit(t *testing.T) {
	s := start(t, sample())
	s.send("POST", "/v1/documents/story_v1/hits?version=1.0.0", `{"text":"SECRET etc."}`, "X-Request-ID", "request-17", "X-Forwarded-User", "ann@example.org")
	s.send("GET", "/v1/documents/api_v1", "", "If-None-Match", "*", "X-Request-ID", "a\tb\u0085"+strings.Repeat("x", 200))
	s.send("GET", "/v1/documents/nothing_v1", "")
	s.send("GET", "/v1/documents", "")
	lines := strings.Split(strings.TrimSpace(s.audit.String()), "\n")
	if len(lines) != 2 || strings.Contains(s.audit.String(), "SECRET") || strings.Contains(s.audit.String(), "vague") {
		t.Fatalf("the audit is\n%s", s.audit)
	}
	var got [2]map[string]any
	for i, line := range lines {
		must.Do(t, json.Unmarshal([]byte(line), &got[i]))
		delete(got[i], "time")
	}
	lib := s.live.Current()
	story := must.Get(lib.Resolve("story_v1", "1.0.0"))(t)
	want := map[string]any{
		"level": "INFO", "msg": library.AuditMessage, "kind": "rubric", "id": "story_v1", "version": "1.0.0", "digest": story.Digest,
		"bundle_version": "1.4.0", "bundle_digest": lib.Digest(), "request_id": "request-17", "actor": "ann@example.org", "yanked": "",
	}
	if diff := cmp.Diff(want, got[0]); diff != "" {
		t.Errorf("the record (-want +got):\n%s", diff)
	}
	if id := got[1]["request_id"].(string); !strings.HasPrefix(id, "a_b_xxx") || len(id) > 128 || got[1]["actor"] != "" {
		t.Errorf("the hostile request ID is %q, and the actor %q", id, got[1]["actor"])
	}
}

// full is a disk without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, fs.ErrPermission }

// TestFailingAuditReturnsNothing checks that a document that can't be recorded is not
// returned, and that the caller sees why, but not where the log is.
func TestFailingAuditReturnsNothing(t *testing.T) {
	s := start(t, sample(), library.WithAudit(auditTo(full{})))
	for _, target := range []string{"/v1/documents/story_v1", "/v1/documents/story_v1/judge-view"} {
		a := s.send("GET", target, "")
		if a.StatusCode != http.StatusServiceUnavailable || !strings.Contains(string(a.body), `"code":"audit_failed"`) || strings.Contains(string(a.body), "permission") {
			t.Errorf("%s: %s\n%s", target, a.Status, a.body)
		}
	}
	if a := s.send("GET", "/v1/documents", ""); a.StatusCode != http.StatusOK {
		t.Errorf("the list needs no audit, and gives %s", a.Status)
	}
}

func TestEveryRouteIsDescribed(t *testing.T) {
	s := start(t, sample())
	described := get[struct {
		Paths map[string]map[string]struct{ OperationID string }
	}](s, "/openapi.json")
	for _, r := range routes {
		if got := described.Paths[r.path][strings.ToLower(r.method)].OperationID; got != r.name {
			t.Errorf("%s has the operation %q, want %q", r.path, got, r.name)
		}
	}
	for _, probe := range []string{"/healthz", "/readyz"} {
		if got := get[status](s, probe); got.Status == "" || probe == "/readyz" && (got.Version != "1.4.0" || got.Confirmed == "") {
			t.Errorf("%s gives %+v", probe, got)
		}
	}
}
