package serve

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestHostileRequests checks the status, the code, and the methods of what is refused.
func TestHostileRequests(t *testing.T) {
	s := start(t, sample())
	const hits, verdict, score = "/v1/documents/story_v1/hits", "/v1/documents/story_v1/verdict", "/v1/documents/api_v1/score"
	scores := func(value string) string { return `{"scores":{"clarity":` + value + `},"hits":[]}` }
	for _, c := range []struct {
		method, target, body string
		status               int
		says                 string
	}{
		{"GET", "/", "", 404, `"code":"no_such_path"`},
		{"GET", "/v1", "", 404, "no_such_path"},
		{"GET", "/v1/documents/", "", 404, "no_such_path"},
		{"GET", "/v1/documents/story_v1/", "", 404, "no_such_path"},
		{"GET", "/v1/documents/story_v1/unknown", "", 404, "no_such_path"},
		{"GET", "/v1/documents/rubrics/story_v1/1.0.0.json", "", 404, "no_such_path"},
		{"GET", "/debug/pprof/", "", 404, "no_such_path"},
		{"GET", "/v1/documents/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "", 404, `"code":"not_found"`},
		{"GET", "/v1/documents/..%2Fmanifest.json", "", 404, "not_found"},
		{"GET", "/v1/documents/story_v1%2F1.0.0", "", 404, "not_found"},
		{"GET", "/v1/documents/story_v1%00", "", 404, "not_found"},
		{"GET", "/v1/documents/%ff%fe", "", 404, "not_found"},
		{"GET", "/v1/documents/" + strings.Repeat("a", 8000), "", 404, "not_found"},
		{"GET", "/v1/documents/story_v2", "", 404, `"similar":["story_v1"]`},
		{"GET", "/v1/documents/Story-v1", "", 404, `"similar":["story_v1"]`},
		{"GET", "/v1/documents/gone_v1", "", 410, `"reason":"Nobody writes letters.","replaced_by":"story_v1","last_version":"1.1.0"`},
		{"GET", "/v1/documents/gone_v1?version=1.1.0", "", 200, ""},
		{"GET", "/v1/documents/api_v1/judge-view", "", 404, "is a rule set, not a rubric"},
		{"GET", "/v1/documents/story_v1?version=9.9.9", "", 404, `"versions":["1.0.0","1.2.0"]`},
		{"GET", "/v1/documents/story_v1?version=%3E%3D1.1%2C%20%3C2", "", 200, ""},
		{"GET", "/v1/documents/story_v1?version=banana", "", 400, "is not a version or a constraint"},
		{"GET", "/v1/documents/story_v1?version=%3E%3D1.0.0-0", "", 400, "is not a version or a constraint"},
		{"GET", "/v1/documents/story_v1?version=1.1.1%2Bb", "", 400, "is not a version or a constraint"},
		{"GET", "/v1/documents/story_v1?version=%5E1.01", "", 400, "is not a version or a constraint"},
		{"GET", "/v1/documents/story_v1?version=..%2F..%2F1.0.0", "", 400, "is not a version or a constraint"},
		{"GET", "/v1/documents/story_v1?version=" + strings.Repeat("%7C%7C1", 1000), "", 400, "constraint"},
		{"GET", "/v1/documents/story_v1?version=", "", 400, "empty"},
		{"GET", "/v1/documents/story_v1?version=1.0.0&version=1.2.0", "", 400, "repeated"},
		{"GET", "/v1/documents/story_v1?Version=1.0.0", "", 400, `the parameter \"Version\" is unknown`},
		{"GET", "/v1/documents/story_v1?version=%ff", "", 400, "not UTF-8"},
		{"GET", "/v1/documents/story_v1?version=%zz", "", 400, "the query is not valid"},
		{"GET", "/v1/documents?kind=banana", "", 400, `must be rubric or rule_set, got \"banana\"`},
		{"GET", "/v1/search?kind=ruleset", "", 400, `must be rubric or rule_set, got \"ruleset\"`},
		{"GET", "/v1/search?q=&artifact_type=", "", 200, ""},
		{"GET", "/v1/documents?artifact_type=&kind=", "", 200, ""},
		{"GET", "/v1/search?q=%00%1b[2J<script>", "", 200, ""},
		{"GET", "/v1/search?q=" + strings.Repeat("word+", 2000), "", 200, ""},
		{"GET", "/v1/library?x=1", "", 400, "unknown"},
		{"GET", "/v1/search?q=" + strings.Repeat("a", 17_000), "", 431, `"code":"too_large"`},
		{"GET", "/v1/" + strings.Repeat("a", 17_000), "", 431, `"code":"too_large"`},

		{"POST", "/v1/documents", "{}", 405, "GET, HEAD"},
		{"DELETE", "/v1/documents/story_v1", "", 405, "GET, HEAD"},
		{"PUT", "/healthz", "", 405, "GET, HEAD"},
		{"OPTIONS", hits, "", 405, "POST"},
		{"GET", verdict, "", 405, "POST"},
		{"BREW", "/metrics", "", 405, "GET, HEAD"},

		{"POST", hits, `{"text":"` + strings.Repeat("a", maxBody) + `"}`, 413, `"code":"too_large"`},
		{"POST", hits, `{"text":"` + strings.Repeat("etc.", mostHits) + `"}`, 200, ""},
		{"POST", hits, `{"text":"` + strings.Repeat("etc.", mostHits+1) + `"}`, 422, "the text has 10001 hits: at most 10000"},
		{"POST", hits, "", 400, "empty"},
		{"POST", hits, " \n", 400, "the body is empty"},
		{"POST", hits, `{`, 400, "ends in the middle"},
		{"POST", hits, `{"text":"a"} {"text":"b"}`, 400, "Extra content after the first value"},
		{"POST", hits, `{"text":"a","text":"b"}`, 400, "appears twice"},
		{"POST", hits, `{"text":"a","t\u0065xt":"b"}`, 400, "appears twice"},
		{"POST", hits, `{"Text":"a"}`, 400, `lacks the key \"text\"`},
		{"POST", hits, `{"text":"a","Text":"b"}`, 400, `unknown key \"Text\"`},
		{"POST", hits, `{"text":null}`, 400, "must have the type string"},
		{"POST", hits, `{"text":["a"]}`, 400, "must have the type string"},
		{"POST", hits, `{"text":"` + "\xff" + `"}`, 400, "not UTF-8"},
		{"POST", hits, `{"text":"a\ud800b"}`, 400, "half of a surrogate pair"},
		{"POST", hits, `{"text":"\udc00"}`, 400, "half of a surrogate pair"},
		{"POST", hits, `{"text":"\ude00\ud83d"}`, 400, "half of a surrogate pair"},
		{"POST", hits, `{"text":"\ud83d\ude00"}`, 200, `"hits":[]`},
		{"POST", verdict, `{"scores":{"clarity\ud800":5},"hits":[]}`, 400, "half of a surrogate pair"},
		{"POST", verdict, `{"scores":{"clarity":5},"hits":["\ud800"]}`, 400, "half of a surrogate pair"},
		{"POST", hits, `["a"]`, 400, "the body must have the type object"},
		{"POST", hits, `null`, 400, "must have the type object"},
		{"POST", hits, strings.Repeat("[", 100_000), 400, "nesting is too deep"},
		{"POST", hits, strings.Repeat(`{"text":`, 100_000), 400, "nesting is too deep"},
		{"POST", verdict, `{"scores":{"clarity":5}}`, 400, `lacks the key \"hits\"`},
		{"POST", verdict, `{"scores":{"clarity":5},"hits":null}`, 400, "must have the type array"},
		{"POST", verdict, scores("NaN"), 400, "Invalid JSON"},
		{"POST", verdict, scores("Infinity"), 400, "Invalid JSON"},
		{"POST", verdict, scores("1e999"), 400, "out of range"},
		{"POST", verdict, scores(`"5"`), 400, "must have the type number"},
		{"POST", verdict, scores("null"), 400, "must have the type number"},
		{"POST", verdict, scores("0"), 422, `"code":"invalid_input"`},
		{"POST", verdict, scores("5.0000001"), 422, "invalid_input"},
		{"POST", verdict, `{"scores":{},"hits":[]}`, 422, "clarity"},
		{"POST", verdict, `{"scores":{"clarity":5,"other":5},"hits":["vague","x"]}`, 422, "other"},
		{"POST", verdict, `{"scores":{"clarity":5,"clarity":1},"hits":[]}`, 400, "appears twice"},
		{"POST", verdict, `{"scores":{"` + strings.Repeat("x", 100_000) + `":null},"hits":[]}`, 400, "type number"},
		{"POST", verdict, `{"scores":{},"hits":["x` + strings.Repeat(`","é`, 100_000) + `"]}`, 422, "a hit of"},
		{"POST", "/v1/documents/api_v1/verdict", scores("5"), 404, "is a rule set, not a rubric"},
		{"POST", "/v1/documents/nothing/verdict", scores("5"), 404, "not_found"},
		{"POST", "/v1/documents/story_v1/score", `{"phase":"A","verdicts":[]}`, 404, "is a rubric, not a rule set"},
		{"POST", score, `{"phase":"C","verdicts":[]}`, 422, "invalid_input"},
		{"POST", score, `{"phase":"A","verdicts":[]}`, 422, "a.correctness.endpoints"},
		{"POST", score, `{"phase":"A","verdicts":[{"rule":"a.correctness.endpoints","verdict":"pass"},{"rule":"a.correctness.endpoints","verdict":"pass"}]}`, 422, "two verdicts"},
		{"POST", score, `{"phase":"A","verdicts":[{"rule":"a.correctness.endpoints","verdict":"maybe"}]}`, 422, "invalid_input"},
		{"POST", score, `{"phase":"A","verdicts":[{"rule":"a.correctness.endpoints","verdict":"skipped"}]}`, 422, "reason"},
		{"POST", score, `{"phase":"A","verdicts":[{"rule":"a.correctness.endpoints","verdict":"pass","note":"x"}]}`, 400, `unknown key \"note\"`},
		{"POST", score, `{"phase":"A","verdicts":{"a.correctness.endpoints":"pass"}}`, 400, "must have the type array"},
	} {
		name := fmt.Sprintf("%s %.80s %.80q", c.method, c.target, c.body)
		a := s.send(c.method, c.target, c.body)
		if a.StatusCode != c.status || !strings.Contains(string(a.body), c.says) || !utf8.Valid(a.body) {
			t.Errorf("%s: %s, want %d and %q\n%.500s", name, a.Status, c.status, c.says, a.body)
		}
		if c.status == http.StatusMethodNotAllowed && a.Header.Get("Allow") != c.says {
			t.Errorf("%s: Allow is %q, want %q", name, a.Header.Get("Allow"), c.says)
		}
		if c.status != 200 && len(a.body) > 20_000 {
			t.Errorf("%s: the answer has %d bytes", name, len(a.body))
		}
	}
}

// TestHostileHeaders checks headers that are refused or made harmless.
func TestHostileHeaders(t *testing.T) {
	s := start(t, sample())
	const body = `{"text":"etc."}`
	for _, c := range []struct {
		status  int
		headers []string
	}{
		{415, []string{"Content-Encoding", "gzip"}},
		{431, []string{"X-Long", strings.Repeat("x", 17_000)}},
		{431, slices.Repeat([]string{"X-Many", ""}, 3_000)},
		{400, []string{"X-Forwarded-User", "ann", "X-Forwarded-User", "bob"}},
		{400, []string{"x-forwarded-user", "ann", "X-FORWARDED-USER", "bob"}},
		{200, []string{"X-Forwarded-User", strings.Repeat("\x80é\t", 1000)}},
		{200, []string{"X-Request-ID", strings.Repeat("\xff", 5000)}},
		{200, []string{"Accept-Encoding", strings.Repeat(",;q=,", 1000)}},
	} {
		a := s.send("POST", "/v1/documents/story_v1/hits", body, c.headers...)
		if a.StatusCode != c.status || len(a.Header.Get("X-Request-ID")) > 128 {
			t.Errorf("%.60q: %s %v\n%s", c.headers, a.Status, a.Header, a.body)
		}
	}
	for _, media := range []string{"", "text/plain", "application/x-www-form-urlencoded", "application/json/x", "multipart/form-data"} {
		r := must.Get(http.NewRequest("POST", s.url+"/v1/documents/story_v1/hits", strings.NewReader(body)))(t)
		r.Header.Set("Content-Type", media)
		response := must.Get(client.Do(r))(t)
		_ = response.Body.Close()
		if response.StatusCode != http.StatusUnsupportedMediaType {
			t.Errorf("the media type %q gives %s", media, response.Status)
		}
	}
	for line := range strings.Lines(s.audit.String()) {
		if strings.ContainsFunc(strings.TrimSuffix(line, "\n"), func(c rune) bool { return c < ' ' || c > '~' }) || len(line) > 1000 {
			t.Errorf("the audit has %q", line)
		}
	}
}

// TestUncleanPathsAreNotFound: a path is never made clean, and no answer is a redirect or HTML.
func TestUncleanPathsAreNotFound(t *testing.T) {
	s := start(t, sample())
	for _, path := range []string{
		"/v1/documents/../../etc/passwd", "/v1/../etc/passwd", "/v1/./library", "/v1//library", "//v1/library", "/v1/library/", "/v1/library/.", "/v1/documents/",
		"/v1/documents/story_v1/../story_v1", "/v1/documents/%2e%2e/%2e%2e/etc/passwd", "/v1/documents/..", "/v1/documents/%2e", "/v1/documents//judge-view", "/v1%2Flibrary", "/V1/library",
	} {
		for _, method := range []string{"GET", "HEAD", "POST", "DELETE"} {
			want := http.StatusNotFound
			if (path == "/v1/documents/.." || path == "/v1/documents/%2e") && (method == "POST" || method == "DELETE") {
				want = http.StatusMethodNotAllowed // these are IDs
			}
			if a := s.send(method, path, ""); a.StatusCode != want {
				t.Errorf("%s %s: %s", method, path, a.Status)
			}
		}
	}
	if a := s.send("GET", "/v1/lib%72ary", ""); a.StatusCode != http.StatusOK {
		t.Errorf("a letter as an escape: %s", a.Status)
	}
}
