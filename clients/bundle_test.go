package clients_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
)

func TestConstraintsMeanTheSame(t *testing.T) {
	constraints := []string{
		"1.2.0", "=1.2.0", "v1.2.0", "!=1.2.0", ">1.2.0", ">=1.2.0", "=>1.2.0", "<1.2.0", "<=1.2.0", "=<1.2.0", "> 1.2.0",
		"~1.2", "~1.2.3", "~1", "~>1.2", "~0", "~0.0", "~0.0.0", "~0.2", "~1.x", "~1.2.x", "~*",
		"^1", "^1.2", "^1.2.3", "^0", "^0.0", "^0.0.3", "^0.2", "^0.2.3", "^1.x",
		"1", "1.2", "1.x", "1.2.x", "1.X", "1.*", "*", "x", "=1", "=*", ">=*", "0", "0.0",
		"!=1", "!=1.2", ">1", ">1.2", ">=1", ">=1.2", "<1", "<1.2", "<=1", "<=1.2", "<=0",
		">=1.2, <2", ">=1.2 <2", ">=1.2,<2.0.0", "  >= 1.2 ,  < 2 ", "1.2 || 2", "~1.2||^2.0", "1.2.0 - 1.3.0", "1 - 2", "1.2 - 1.3 || 3.x", ">1 <3 !=2.0.0",
		"", " ", "||", "1.2 ||", ">=", "1.2.3.4", "latest", "1.2.0-beta", ">=1.2<2", "1,,2", "~~1", "^^1", "== 1", "1.2.0 and 2",
		">=1.0.0-0", "^1.1.1-0", "1.1.1-0 - 2", "1.2.0+b", ">=1+b", "~1.2.0-rc.1+b", "1-beta", "x-0",
		"01.2.0", "1.02.0", "1.2.00", "^1.02", "~01", ">=1.2, <02", "1.0 - 1.02", "01.0 - 2", "1 - 2.0.0.1", ">=1 1 - 2", "1 - 2||3 - 4", "00", "1.x.01", "x.01", "x.0.01", "0.x", "1.x.1", "*.*.*",
		"v1", "v1.2", "^v1.2", "v1 - v2", ">= v1.2", "V1", "vv1", "v", "v.1", "1.", ".1", "1..2",
		"\v1.2", "1.2\u00a0", "1.2 \u2003", "\u0661", "1.2\n", "\t1.2", "999999999999999.0.0", "1000000000000000.0.0", "<1000000000000000",
		"1 - 2 - 3", "1 -2", "1- 2", "1 - ", "^1 - 2", "1.2 - 1.3, !=1.2.3", strings.Repeat("1 || ", 40) + "1", strings.Repeat(" ", 600) + "1",
	}
	versions := []string{"0.0.0", "0.0.3", "0.0.4", "0.2.3", "0.3.0", "1.0.0", "1.1.9", "1.2.0", "1.2.3", "1.3.0", "1.10.0", "2.0.0", "2.1.0", "3.0.0", "999999999.0.0"}
	libraries := map[string]*library.Library{}
	for _, v := range versions {
		var data bytes.Buffer
		must.Get(bundletest.Write(&data, bundletest.Library{Documents: []string{scripttest.Rubric("story", v, "stories")}}))(t)
		libraries[v] = must.Get(library.NewReader(bytes.NewReader(data.Bytes()), int64(data.Len())))(t)
	}
	var requests []request
	for _, c := range constraints {
		for _, v := range versions {
			requests = append(requests, request{"op": "satisfies", "version": v, "constraint": c})
		}
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		for i, a := range ask(requests...) {
			text, version := requests[i]["constraint"].(string), requests[i]["version"].(string)
			if err := (library.Reference{ID: "any_v1", Version: text}).Check(); err != nil || text == "" { // "" is no constraint, but the latest version
				if a.Error == nil || a.Error.Type != "ConstraintError" {
					t.Errorf("%q: got %s, and Go says %v", text, a.Result, err)
				}
				continue
			}
			if a.Error != nil {
				t.Errorf("%q: got %v, and Go accepts it", text, a.Error)
				continue
			}
			_, err := libraries[version].Resolve("story", text)
			if got := into[bool](t, a); got != (err == nil) {
				t.Errorf("%q with %s: got %v, Go says %v", text, version, got, err)
			}
		}
	})
}

// TestAnAuditThatNothingWaitsForIsRefused: no document is returned without its record.
func TestAnAuditThatNothingWaitsForIsRefused(t *testing.T) {
	path, _, _ := openSample(t)
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		want := []string{"asynchronous", "asynchronous", "asynchronous"}
		raised := into[[]string](t, ask(request{"op": "asynchronous_audit", "path": path, "id": "user_story_quality_v1"})[0])
		if diff := cmp.Diff(want, raised); diff != "" {
			t.Errorf("get with an asynchronous callback (-want +got):\n%s", diff)
		}
	})
}

// TestAnAuditIsAwaited gets, resolves, and gets an unknown document with three callbacks that
// store the record, at once or later, and three that fail.
func TestAnAuditIsAwaited(t *testing.T) {
	path, _, _ := openSample(t)
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		if strings.HasSuffix(t.Name(), "/python") {
			return
		}
		raised := into[[][]any](t, ask(request{"op": "awaited_audit", "path": path, "id": "user_story_quality_v1"})[0])
		if len(raised) != 18 {
			t.Fatalf("got %d results, want 18: %v", len(raised), raised)
		}
		for i, got := range raised {
			want := []any{"NotFoundError", 0.0, true}
			switch {
			case i%3 == 2:
			case i < 9:
				want = []any{got[0], 1.0, true}
				if name, _ := got[0].(string); !strings.HasPrefix(name, "user_story_quality_v1@") {
					t.Errorf("call %d ends with %v", i, got)
				}
			default:
				want[0] = "AuditError"
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("call %d (-want +got):\n%s", i, diff)
			}
		}
	})
}

// errorTypes are the clients' names for Go's errors.
func errorType(err error) string {
	switch {
	case errors.As(err, new(*library.NotFoundError)):
		return "NotFoundError"
	case errors.As(err, new(*library.RetiredError)):
		return "RetiredError"
	case errors.As(err, new(*library.ConstraintError)):
		return "ConstraintError"
	case errors.As(err, new(*library.DigestError)):
		return "DigestError"
	}
	return "BadReferenceError"
}

func TestDocumentsAreResolvedAsInGo(t *testing.T) {
	path, digest, open := openSample(t)
	lib := must.Get(library.Open(path, library.WithDigest(digest)))(t)
	defer func() {
		if err := lib.Close(); err != nil {
			t.Error(err)
		}
	}()
	full := must.Get(lib.Resolve("user_story_quality_v1", "1.2.0"))(t)
	plan := parse(t, "test_plans/test_plan_quality_v1.yaml").Version()
	yanked := parse(t, "jira_tickets/user_story_quality_v1.yaml").Version() // by the manifest
	if got, err := lib.Resolve(full.ID, "<1.2"); err == nil {
		t.Errorf("a constraint selects the yanked version %s", got.Version)
	}
	if got, err := lib.Resolve(full.ID, yanked); err != nil || got.Version != yanked {
		t.Errorf("the yanked version %s itself is %s, %v", yanked, got.Version, err)
	}
	other := library.Reference{ID: full.ID, Version: "1.2.3", Digest: full.Digest}
	texts := []string{
		"user_story_quality_v1", "user_story_quality_v1@1.2.0", "user_story_quality_v1@~1.2", "user_story_quality_v1@^1", "user_story_quality_v1@<1.3",
		"user_story_quality_v1@>=1.2 <1.3", "user_story_quality_v1@~7", "user_story_quality_v1@7.0.0", "user_story_quality_v1@soon", "user_story_quality_v1@1@2",
		"rest_api_design_v1", "prd_quality_v1", "test_plan_quality_v1", "test_plan_quality_v1@" + plan, "test_plan_quality_v1@*",
		"user_story_quality_v1@<1.2", "user_story_quality_v1@" + yanked, "user_story_quality_v1@=" + yanked,
		"older_v1", "older_v1@1.0.0", "older_v1@*", "hidden_v1", "hidden_v1@1.0.0", "hidden_v1@^1",
		"prd_quality_v1@0.9.0", "prd_quality_v1@~0.9",
		"user_stroy_quality_v1", "prd_quality_v2", "nothing_like_it", "__proto__",
		full.String(), other.String(), "user_story_quality_v1@~1.2#" + full.Digest,
		"", "@1.2.0", "user_story_quality_v1@", "user_story_quality_v1#" + full.Digest, full.String() + "0", "user_story_quality_v1@1.2.0#sha256:00", "a b", "a/b",
	}
	requests := []request{open}
	for _, text := range texts {
		requests = append(requests, request{"op": "resolve", "reference": text})
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		for i, a := range ask(requests...)[1:] {
			ref, err := goResolve(lib, texts[i])
			if err != nil {
				if a.Error == nil || a.Error.Type != errorType(err) {
					t.Errorf("%q: got %s %+v, and Go says %v", texts[i], a.Result, a.Error, err)
				}
				var none *library.ConstraintError
				if errors.As(err, &none) && none.Withdrawn != nil && (a.Error == nil || !strings.Contains(a.Error.Text, "was withdrawn: It held a name")) {
					t.Errorf("%q: %+v does not say why the version was withdrawn, as Go does: %v", texts[i], a.Error, err)
				}
				var near *library.NotFoundError
				if errors.As(err, &near) {
					for _, id := range near.Near() {
						if a.Error != nil && !bytes.Contains([]byte(a.Error.Text), []byte(id)) {
							t.Errorf("%q: %s does not name %s", texts[i], a.Error.Text, id)
						}
					}
				}
				continue
			}
			got := into[struct{ Reference string }](t, a)
			if got.Reference != ref.String() {
				t.Errorf("%q: got %s, Go gives %s", texts[i], got.Reference, ref)
			}
		}
	})
}

// goResolve resolves a reference with the Go package, whatever its kind.
func goResolve(lib *library.Library, text string) (library.Reference, error) {
	want, err := library.ParseReference(text)
	if err != nil {
		return want, err
	}
	got, err := lib.Resolve(want.ID, want.Version)
	if err == nil && want.Digest != "" && want.Digest != got.Digest {
		err = &library.DigestError{Reference: want, Found: got.Digest}
	}
	return got, err
}

// found is a result of a search.
type found struct {
	ID      string   `json:"id"`
	Score   int      `json:"score"`
	Matched []string `json:"matched"`
	Partial bool     `json:"partial"`
}

// TestSearchVectors searches bundles with the documents of the vectors.
func TestSearchVectors(t *testing.T) {
	vectors := readVectors(t, "search")
	var requests []request
	for i, v := range vectors {
		var documents []bundlefile.IndexLine
		data, err := json.Marshal(v.request["documents"])
		if err == nil {
			err = json.Unmarshal(data, &documents)
		}
		if err != nil {
			t.Fatal(err)
		}
		l := &contents{}
		for _, line := range documents {
			if line.Kind == "" {
				line.Kind = bundlefile.KindRubric
			}
			l.add(line, "{}", "1.0.0")
		}
		data, digest := l.write(t)
		path := filepath.Join(t.TempDir(), fmt.Sprint(i))
		must.Do(t, os.WriteFile(path, data, 0o666))
		requests = append(requests, request{"op": "open", "path": path, "digest": digest}, request{"op": "search", "type": "", "text": v.request["query"], "kind": v.request["kind"], "all": true})
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		answers := ask(requests...)
		for i, v := range vectors {
			if diff := cmp.Diff(into[[]found](t, answer{Result: v.Result}), into[[]found](t, answers[2*i+1])); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", v.Name, v.Reason, diff)
			}
		}
	})
}

func TestSearchFindsWhatGoFinds(t *testing.T) {
	path, _, open := openSample(t)
	lib := must.Get(library.Open(path))(t)
	defer func() {
		if err := lib.Close(); err != nil {
			t.Error(err)
		}
	}()
	texts := []string{
		"", "testable", "QUALITY", "quality  user", "größe", "api", "no such word", "user story rubric", "userstories", "stories nowhere", "quality\tplan", "tset", "\x1ctest\ufeffplan", "plan\u2003@v1", "a",
	}
	// Parts of words of the documents, with what can separate words or begin a constraint.
	words := strings.Fields("user story quality api test plan team größe rubric")
	separators := []string{" ", "_", "@", " @", "@1", "@v", "@^1.0 ", "@ ", "\t@2", "#", "/", "\n", ""}
	random := rand.New(rand.NewPCG(51, 3))
	for range 150 {
		text := ""
		for range 1 + random.IntN(4) {
			word := []rune(words[random.IntN(len(words))])
			from := random.IntN(len(word))
			text += string(word[from:from+1+random.IntN(len(word)-from)]) + separators[random.IntN(len(separators))]
		}
		texts = append(texts, text)
	}
	requests := []request{open}
	var want [][]found
	for _, artifactType := range []string{"", "jira_tickets", "prd", "jira", "test_plans"} {
		for _, text := range texts {
			for _, all := range []bool{false, true} {
				matches, err := lib.Search(library.Query{ArtifactType: artifactType, Text: text, IncludeDeprecated: all, IncludeRetired: all})
				if err != nil {
					t.Fatal(err)
				}
				result := []found{}
				for _, m := range matches {
					result = append(result, found{m.ID, m.Score, m.Matched, m.Partial})
				}
				want = append(want, result)
				requests = append(requests, request{"op": "search", "type": artifactType, "text": text, "all": all})
			}
		}
	}
	if !slices.ContainsFunc(want, func(found []found) bool { return len(found) == 4 }) {
		t.Error("no query finds all four documents")
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		for i, a := range ask(requests...)[1:] {
			if diff := cmp.Diff(want[i], into[[]found](t, a)); diff != "" {
				t.Errorf("%v (-want +got):\n%s", requests[i+1], diff)
			}
		}
	})
}

// TestJudgeViewIsWhatTheJudgeDigestCovers checks the shape of the view, and that its parts
// are exactly what the tools' judge digest covers.
func TestJudgeViewIsWhatTheJudgeDigestCovers(t *testing.T) {
	_, _, open := openSample(t)
	ruleSet := document.Parse(source.NewFile("rest_api_design_v1.yaml", []byte(rules)))
	wants := map[string]*document.Document{"user_story_quality_v1": parse(t, "jira_tickets/user_story_quality_v1.yaml"), "rest_api_design_v1": ruleSet}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		for id, want := range wants {
			digests := must.Get(want.JudgeDigests())(t)
			view := into[map[string]any](t, ask(open, request{"op": "judge_view", "id": id})[1])
			said := map[string]any{"id": view["id"], "digest": view["digest"]}
			if diff := cmp.Diff(map[string]any{"id": id, "digest": digests.Whole}, said); diff != "" {
				t.Errorf("the view of %s (-want +got):\n%s", id, diff)
			}
			if _, ok := view["version"].(string); !ok || len(view) != 4 {
				t.Errorf("the view of %s has %d keys and the version %v", id, len(view), view["version"])
			}
			for _, key := range []string{"id", "version", "digest"} {
				delete(view, key)
			}
			if got := "sha256:" + sumOf(canonical(view)); got != digests.Whole {
				t.Errorf("the parts of the view of %s have the digest %s, want %s", id, got, digests.Whole)
			}
		}
	})
}

// TestAnswerSchemas checks the text of the schema, because models answer in the order of
// its properties.
func TestAnswerSchemas(t *testing.T) {
	_, _, open := openSample(t)
	const each = `{"type":"object","properties":{"reason":{"type":"string"},"score":{"type":"integer","minimum":1,"maximum":5}},` +
		`"required":["reason","score"],"additionalProperties":false}`
	var names, properties []string
	for _, c := range parse(t, "jira_tickets/user_story_quality_v1.yaml").Rubric().Criteria {
		names, properties = append(names, `"`+c.Name+`"`), append(properties, `"`+c.Name+`":`+each)
	}
	want := `{"type":"object","properties":{"criteria":{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":[` +
		strings.Join(names, ",") + `],"additionalProperties":false}},"required":["criteria"],"additionalProperties":false}`
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		answers := ask(open, request{"op": "answer_schema", "id": "user_story_quality_v1"}, request{"op": "answer_schema", "id": "rest_api_design_v1"})
		var got bytes.Buffer
		must.Do(t, json.Compact(&got, answers[1].Result))
		if diff := cmp.Diff(want, got.String()); diff != "" {
			t.Errorf("the schema (-want +got):\n%s", diff)
		}
		if e := answers[2].Error; e == nil || e.Type != "InputError" {
			t.Errorf("a rule set gives %s %+v, expected an InputError", answers[2].Result, e)
		}
	})
}

func TestWhatIsHandedOutCannotBeChanged(t *testing.T) {
	_, _, open := openSample(t)
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		answers := ask(open, request{"op": "change", "id": "user_story_quality_v1"})
		if got := into[int](t, answers[1]); got != 0 {
			t.Errorf("%d attempts to change a document or a verdict succeeded", got)
		}
	})
}

// TestAudit compares the records with those of Go, except for what slog adds.
func TestAudit(t *testing.T) {
	path, _, open := openSample(t)
	const id = "user_story_quality_v1"
	var log bytes.Buffer
	lib := must.Get(library.Open(path, library.WithAudit(slog.New(slog.NewJSONHandler(&log, nil)))))(t)
	defer lib.Close()
	yanked := parse(t, "jira_tickets/user_story_quality_v1.yaml").Version() // by the manifest
	var want []map[string]string
	for _, constraint := range []string{"~1.2", yanked} {
		log.Reset()
		must.Get(lib.Rubric(library.WithActor(library.WithRequestID(t.Context(), "r-17"), "ann"), id, constraint))(t)
		var record map[string]string
		must.Do(t, json.Unmarshal(log.Bytes(), &record))
		for _, key := range []string{slog.TimeKey, slog.LevelKey, slog.MessageKey} {
			delete(record, key)
		}
		want = append(want, record)
	}
	if first, second := want[0]["yanked"], want[1]["yanked"]; first != "" || second != "It failed good work." {
		t.Errorf("the records say %q and %q about a yank", first, second)
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		answers := ask(open,
			request{"op": "get", "id": id, "constraint": "~1.2", "request": "r-17", "actor": "ann"},
			request{"op": "get", "id": id, "constraint": yanked, "request": "r-17", "actor": "ann"},
			request{"op": "get", "id": "none", "constraint": "", "request": "r-18"},
			request{"op": "get", "id": id, "constraint": "", "request": "broken"},
			request{"op": "audited"},
		)
		if e := answers[4].Error; e == nil || e.Type != "AuditError" {
			t.Errorf("an audit that fails gives %s %+v, expected an AuditError", answers[4].Result, e)
		}
		if diff := cmp.Diff(want, into[[]map[string]string](t, answers[5])); diff != "" {
			t.Errorf("audited (-want +got):\n%s", diff)
		}
	})
}
