package generated

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// compile compiles the generated schema of a kind, under its own draft and under
// draft-07, which many editors use.
func compile(t *testing.T, k *document.Kind) map[string]*jsonschema.Schema {
	t.Helper()
	data := must.Get(k.JSONSchema())(t)
	schemas := map[string]*jsonschema.Schema{}
	for _, draft := range []string{"https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"} {
		text := strings.Replace(string(data), "https://json-schema.org/draft/2020-12/schema", draft, 1)
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		must.Do(t, c.AddResource("schema.json", doc))
		if schemas[draft], err = c.Compile("schema.json"); err != nil {
			t.Fatal(err)
		}
	}
	return schemas
}

// full is a valid document of each kind that uses every field.
var full = map[*document.Kind]string{
	&document.Rubric: `{
		"rubric_id": "full_v1", "name": "Full", "version": "1.2.3", "artifact_type": "prd", "description": "All fields.",
		"criteria": [
			{"name": "one", "description": "d", "weight": "essential", "threshold": 3.5,
			 "anchors": {"1": "a", "2": "b", "3": "c", "4": "d", "5": "e"},
			 "examples": {"score_1": "x", "score_3": "y", "score_5": "z"}},
			{"name": "two", "description": "d", "weight": "important", "threshold": 1,
			 "anchors": {"1": "a", "2": "b", "3": "c", "4": "d", "5": "e"},
			 "examples": {"score_1": "x", "score_5": "z"}}],
		"negative_criteria": [
			{"name": "bad", "description": "d", "fail_patterns": ["x", " "], "ignore_case": true, "effect": "report",
			 "fail_examples": ["x"], "pass_examples": ["y"]}],
		"scoring": {"pass_threshold": 3.5, "essential_minimum": 3},
		"calibration_dataset": "https://example.org/x", "language": "de",
		"deprecated": {"reason": "old", "replaced_by": "new_v1"}, "metadata": {"owner": "me"}}`,
	&document.RuleSet: `{
		"ruleset_id": "full_v1", "name": "Full", "version": "0.1.0", "artifact_type": "api_design", "description": "All fields.",
		"scoring": {"pass_threshold": 0.8},
		"rules": [
			{"id": "a.correctness.endpoints", "description": "d", "severity": "fail", "weight": 2, "phase": "A", "check": "c",
			 "checks": [
				{"type": "content", "pattern": "^GET", "multiline": true, "ignore_case": false, "expect": "present", "min_count": 1, "max_count": 3},
				{"type": "content", "literal": "x", "expect": "absent", "files": ["src/**/*.go", "..x/.y"]},
				{"type": "executable", "command": ["spectral", "lint"]}]},
			{"id": "b.style.naming-case", "description": "d", "severity": "info", "check": "c"}],
		"language": "en", "deprecated": {"reason": "old"}, "metadata": {"owner": "me"}}`,
	&document.Ledger: `{"retired": [
		{"id": "a_v1", "kind": "rubric", "last_version": "1.2.3", "reason": "old", "replaced_by": "b_v1"},
		{"id": "c_v1", "kind": "rule_set", "last_version": "0.1.0", "reason": "old"}],
		"yanked": [{"id": "b_v1", "version": "1.2.3", "reason": "bad"}]}`,
	&document.Exceptions: `{"exceptions": [
		{"rule": "major-change", "id": "a_v1", "version": "1.2.3", "reason": "agreed"},
		{"rule": "version-down", "id": "b_v1", "commit": "0123456789abcdef0123456789abcdef01234567", "reason": "too late"}]}`,
	&document.Baseline: `{"schema_version": 1, "findings": [
		{"rule": "no-calibration", "id": "full_v1", "count": 1},
		{"rule": "stale-run", "file": "calibration/x/judges/y.jsonl", "count": 12}]}`,
	&document.Run: `{
		"schema_version": 1, "task": {"type": "api_design", "ideal_result": "good"},
		"criteria": {
			"rule_set": {"id": "full_v1", "version": "1.2.3", "digest": "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"},
			"template": {"file": "CRITERIA-TEMPLATES.md", "section": "API", "digest": "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"},
			"pass_threshold": 0.8,
			"rules": [{"id": "a.correctness.endpoints", "description": "d", "severity": "fail", "weight": 2, "phase": "A", "check": "c",
				"checks": [{"type": "content", "literal": "x"}]}]},
		"prepared": {
			"phase": "B", "outside": ["b.style.naming"],
			"rules": [{"rule": "a.correctness.endpoints", "checks": [{"type": "executable", "command": ["true"]}], "supplied": true}]}}`,
	&document.Dataset: `{
		"description": "d", "applies_to": ["full_v1"], "labeled_by": "people", "method": "m", "license": "CC0-1.0", "share": "full",
		"criteria": [{"name": "clarity", "digest": "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}],
		"reaffirmed": [{"criterion": "clarity", "digest": "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "date": "2026-11-21", "reason": "r"}]}`,
	&document.Item: `{"id": "i-1", "artifact": "text", "inputs": {"task": "t"}, "labels": {"r1": {"clarity": 4}, "r2": {}}}`,
	&document.Answer: `{"run": "2026-11-21", "item": "i-1", "repeat": 2, "model": "m", "date": "2026-11-21",
		"digest": "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "scores": {"clarity": 4.5}, "reasons": {"clarity": "It is."}, "prompt_digest": "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "usage": {"input_tokens": 7}}`,
	&document.Checks: `{"checks": [{"rule": "a.correctness.endpoints", "checks": [{"type": "content", "literal": "x", "max_count": 3}]}]}`,
	&document.Verdicts: `{"verdicts": [
		{"rule": "a.correctness.endpoints", "verdict": "pass"},
		{"rule": "b.style.naming", "verdict": "skipped", "reason": "no time"}]}`,
	&document.Answers: `{
		"task_type": "api_design", "rule_set": "full_v1@~1.2", "template": "CRITERIA-TEMPLATES.md", "section": "API", "pass_threshold": 0.9,
		"mandatory_checks": ["a.style.naming"], "quality_preferences": ["No list without paging"], "ideal_result": "Complete.",
		"constraints": ["a.style.naming=Read it."], "remove": ["b.style.naming"], "adjust": ["a.style.naming.weight=3"],
		"add": [{"id": "a.correctness.endpoints", "description": "d", "severity": "fail"}]}`,
	&document.JudgeRequest: `{"schema_version": 1, "rubric_id": "full_v1", "rubric_version": "1.2.0",
		"digest": "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
		"rubric": {"criteria": [{"name": "clarity", "description": "d", "anchors": {"1": "a", "2": "b", "3": "c", "4": "d", "5": "e"},
			"examples": {"score_1": "x", "score_3": "y", "score_5": "z"}}]},
		"criteria": ["clarity"], "item": {"number": 3, "artifact": "text", "inputs": {"task": "t"}}, "repeat": 2}`,
	&document.JudgeResponse: `{"scores": {"clarity": 4, "scope": 3.5, "tone": 1, "reach": 5.0}, "model": "gpt-x", "number": 3, "reasons": {"clarity": "It is."}, "prompt_digest": "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "usage": {"input_tokens": 7}, "mine": "yes"}`,
}

// parse reads a text as the kind under test.
func parse(k *document.Kind, text []byte) *document.Document {
	f := source.NewFile("x.yaml", text)
	switch {
	case slices.Contains(document.Kinds(), k):
		return document.Parse(f)
	case slices.Contains(slices.Concat([]*document.Kind{&document.Baseline}, runKinds, calibrationKinds, judgeKinds), k):
		return document.ParseRun(f, k)
	}
	return document.ParseAs(f, k)
}

// values replace any value in a mutation.
var values = []any{
	nil, true, "", " ", "\u00a0", "\ufeff", "x", "X", "a_b", "_a", "1", "1.2.3", "1.02.3", "v1.0.0", "essential", "fail", "content", "A", "a.b.c", "c.b.a",
	strings.Repeat("0", 40), "rubric", "calibration/x", "calibration/", "http://x", "ftp:", "no uri", "de-AT", "x y", strings.Repeat("a", 128), strings.Repeat("a", 129),
	-1.0, 0.0, 0.5, 0.99, 1.0, 2.5, 5.0, 5.01, 1e6, 1e7, 1e300, []any{}, []any{"x"}, []any{nil}, []any{map[string]any{}}, map[string]any{}, map[string]any{"x": "y"},
	map[string]any{"X": "y"}, map[string]any{"x": ""}, map[string]any{"x": 1.0},
}

// mutations calls do with every document that differs from doc in one place.
func mutations(doc any, do func(reason string, mutated any)) {
	var walk func(at string, v any, put func(any) any)
	walk = func(at string, v any, put func(any) any) {
		for i, other := range values {
			do(fmt.Sprintf("%s = value %d (%.20q)", at, i, fmt.Sprint(other)), put(other))
		}
		switch v := v.(type) {
		case map[string]any:
			with := func(key string, value any) any {
				c := maps.Clone(v)
				c[key] = value
				return put(c)
			}
			do(at+" with an unknown key", with("unknown", "x"))
			for _, key := range slices.Sorted(maps.Keys(v)) {
				without := maps.Clone(v)
				delete(without, key)
				do(at+" without "+key, put(without))
				renamed := maps.Clone(without)
				renamed[key+"x"] = v[key]
				do(at+" with "+key+" misspelled", put(renamed))
				walk(at+"."+key, v[key], func(value any) any { return with(key, value) })
			}
		case []any:
			do(at+" twice as long", put(append(slices.Clone(v), v...)))
			for i := range v {
				do(fmt.Sprintf("%s without %d", at, i), put(slices.Delete(slices.Clone(v), i, i+1)))
				walk(fmt.Sprintf("%s[%d]", at, i), v[i], func(value any) any {
					c := slices.Clone(v)
					c[i] = value
					return put(c)
				})
			}
		}
	}
	walk("document", doc, func(v any) any { return v })
}

// TestSchemaAndChecksAgree runs every one-place mutation of a full document through
// the JSON Schema and through our own checks.
func TestSchemaAndChecksAgree(t *testing.T) {
	for _, k := range slices.Concat(kinds(), []*document.Kind{&document.Baseline}, runKinds, calibrationKinds, judgeKinds) {
		schemas := compile(t, k)
		var doc any
		must.Do(t, json.Unmarshal([]byte(full[k]), &doc))
		count := map[bool]int{}
		compare := func(reason string, v any) {
			text := must.Get(json.Marshal(v))(t)
			text = bytes.ReplaceAll(text, []byte("\ufeff"), []byte(`\ufeff`)) // raw, it is refused as a byte
			ours := parse(k, text)
			valid := ours.Valid() && ours.Kind == k
			count[valid]++
			for draft, s := range schemas {
				if err := s.Validate(v); (err == nil) != valid {
					t.Errorf("%s: %s\nour checks: valid=%v %+v\n%s: %v", k.Name, reason, valid, ours.Problems, draft, err)
				}
			}
		}
		compare("the document itself", doc)
		mutations(doc, compare)
		t.Logf("%s: %d documents are valid, %d are not", k.Name, count[true], count[false])
		if count[true] < 30 || count[false] < 300 {
			t.Errorf("%s: the mutations are too one-sided to show anything: %v", k.Name, count)
		}
	}
}

// brokenDocuments returns the documents of the archives of lint rules that are not part of a
// larger library.
func brokenDocuments(t *testing.T) map[string][]byte {
	documents := map[string][]byte{}
	for _, archive := range must.Get(filepath.Glob("../../lint/rules/testdata/*.txtar"))(t) {
		for _, f := range must.Get(txtar.ParseFile(archive))(t).Files {
			name, quoted := strings.CutSuffix(f.Name, ".quoted")
			if path.Ext(name) != ".yaml" || path.Dir(name) != "." {
				continue
			}
			var data []byte
			for line := range bytes.Lines(f.Data) {
				if quoted {
					line = []byte(must.Get(strconv.Unquote(strings.TrimSuffix(string(line), "\n")))(t))
				}
				data = append(data, line...)
			}
			documents[name] = data
		}
	}
	return documents
}

// TestSchemaAgreesOnWrittenDocuments does the same with the corpus of invalid
// documents and with the documents in the repository.
func TestSchemaAgreesOnWrittenDocuments(t *testing.T) {
	documents := brokenDocuments(t)
	shipped, err := filepath.Glob("../../../rubrics/*/*.yaml")
	if err != nil || len(shipped) == 0 {
		t.Fatalf("no documents are shipped: %v", err)
	}
	for _, name := range shipped {
		if documents[name], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	schemas := map[*document.Kind]map[string]*jsonschema.Schema{}
	for _, k := range document.Kinds() {
		schemas[k] = compile(t, k)
	}
	compared := 0
	for name, data := range documents {
		d := document.Parse(source.NewFile(name, data))
		if d.Kind == nil || slices.ContainsFunc(d.Problems, func(p source.Problem) bool { return p.Code == yamltree.CodeDuplicateKey }) {
			continue
		}
		compared++
		for draft, s := range schemas[d.Kind] {
			if err := s.Validate(plain(d.Root())); (err == nil) != d.Valid() {
				t.Errorf("%s: our checks: valid=%v %+v\n%s: %v", name, d.Valid(), d.Problems, draft, err)
			}
		}
	}
	t.Logf("compared %d of %d documents", compared, len(documents))
}

// plain returns a tree in the form of encoding/json. A number that is not valid JSON
// is a text, because JSON has no other spelling.
func plain(n *yamltree.Node) any {
	switch n.Kind {
	case yamltree.Mapping:
		m := map[string]any{}
		for _, e := range n.Entries {
			m[e.Key.Value] = plain(e.Value)
		}
		return m
	case yamltree.Sequence:
		list := []any{}
		for _, item := range n.Items {
			list = append(list, plain(item))
		}
		return list
	}
	switch n.Type {
	case yamltree.Null:
		return nil
	case yamltree.Bool:
		return strings.EqualFold(n.Value, "true")
	case yamltree.Integer, yamltree.Float:
		var f float64
		if json.Unmarshal([]byte(n.Value), &f) == nil && len(n.Value) <= 15 {
			return f
		}
	}
	return n.Value
}
