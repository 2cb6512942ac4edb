package authoring

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/documenttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
)

func TestCheckReason(t *testing.T) {
	tests := []struct {
		reason, text string
		ok           bool
	}{
		{"a sentence", "Zu grob: drei Fragen in „Klarheit“ 🙂.", true},
		{"what YAML would take for something else", "- yes: # 'no' \"1.0\" {", true},
		{"nothing", "", false},
		{"blanks", "  ", false},
		{"two lines", "one\ntwo", false},
		{"an escape sequence of terminals", "\x1b[31mred", false},
		{"an invisible character", "a\u202eb", false},
		{"bytes that are no text", "a\xff", false},
	}
	for _, tt := range tests {
		if err := CheckReason(tt.text); (err == nil) != tt.ok {
			t.Errorf("%s: %q gives %v", tt.reason, tt.text, err)
		}
	}
}

func because(reason string) func(string) (string, error) {
	return func(string) (string, error) { return reason, nil }
}

// forked forks the only document of a library, at a path.
func forked(t testing.TB, name, text, reason string) (made, kept File) {
	t.Helper()
	id := parse(name, []byte(text)).ID()
	e, err := library(t, map[string]string{name: text}).Fork(id, because(reason))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return e.Files[0], e.Files[1]
}

// TestDeprecationKeepsTheFile shows where the deprecation goes. The text before {} is kept;
// want takes the place of {}.
func TestDeprecationKeepsTheFile(t *testing.T) {
	head := "rubric_id: x_v1\nname: X\nversion: 1.0.0\nartifact_type: prd\n"
	criteria := "criteria: [{name: a, description: d, weight: essential, threshold: 3, anchors: {1: a, 2: b, 3: c, 4: d, 5: e}, examples: {score_1: a, score_5: b}}]\n"
	const group = "deprecated:\n  reason: \"Why.\"\n  replaced_by: \"x_v2\"\n"
	crlf := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	tests := []struct {
		reason, text, want string
	}{
		{"at the end, after a blank line", head + criteria + "{}", "\n" + group},
		{"a blank line that is there is enough", head + criteria + "\n{}", group},
		{"after the last comment", head + criteria + "# The end.\n{}", "\n" + group},
		{"an indented document", strings.ReplaceAll("\n"+head, "\n", "\n  ")[1:] + criteria + "{}", "\n  " + strings.ReplaceAll(group, "\n  ", "\n    ")},
		{"with the line ends of the file", crlf(head+criteria) + "{}", crlf("\n" + group)},
		{"a last line without an end", head + strings.TrimSuffix(criteria, "\n") + "{}", "\n\n" + group},
		{"after blank lines that belong to the text above", head + criteria + "description: |+\n  text\n\n\n{}", group},
		{"before the end mark", head + "{}" + criteria + "...\n", group + "\n"},
		{"above a text whose end is that of the file", head + criteria + "{}description: |+\n  text", group + "\n"},
		{
			"inside the brackets of a document in brackets",
			`{"rubric_id": "x_v1", "name": "X", "version": "1.0.0", "artifact_type": "prd", "` + strings.Replace(strings.TrimSpace(criteria), ":", `":`, 1) + "{}}\n",
			`, deprecated: {reason: "Why.", replaced_by: "x_v2"}`,
		},
	}
	for _, tt := range tests {
		_, kept := forked(t, "rubrics/prd/x_v1.yaml", strings.Replace(tt.text, "{}", "", 1), "Why.")
		want := strings.Replace(strings.Replace(tt.text, "{}", tt.want, 1), "1.0.0", "1.0.1", 1)
		if diff := cmp.Diff(want, string(kept.After)); diff != "" {
			t.Errorf("%s:\n%s", tt.reason, diff)
		}
	}
}

func TestForkRefuses(t *testing.T) {
	const name = "rubrics/prd/x_v1.yaml"
	text := "ruleset_id: x_v1\nname: X\nversion: 1.0.0\nartifact_type: prd\nscoring: {pass_threshold: 0.8}\n" +
		"rules: [{id: a.b.c, description: d, severity: fail, check: c}]\n"
	tests := []struct {
		reason, id string
		files      map[string]string
		want       string
	}{
		{"no such document", "y_v1", map[string]string{name: text}, `this library has no document "y_v1". Did you mean x_v1?`},
		{"its file can't be read", "x_v1", map[string]string{name: "rubric_id: x_v1\ncriteria:\n\t- name: x\n"}, "rubrics/prd/x_v1.yaml can't be read as the document x_v1. Fix what"},
		{"a path is not an ID", name, map[string]string{name: text}, "Did you mean x_v1?"},
		{"mistakes come first", "x_v1", map[string]string{name: "ruleset_id: x_v1\n"}, "rubrics/prd/x_v1.yaml has errors"},
		{"it is forked already", "x_v1", map[string]string{name: text, "rubrics/prd/x_v2.yaml": "rubric_id: x_v2\n"}, "x_v2 is already the ID of a rubric"},
		{"a file has the new name", "x_v1", map[string]string{name: text, "rubrics/prd/x_v2.yaml": "no: id\n"}, "rubrics/prd/x_v2.yaml already exists"},
		{
			"the next ID is retired", "x_v1",
			map[string]string{name: text, "rubrics/retired.yaml": "retired: [{id: x_v2, kind: rubric, last_version: 2.0.0, reason: r}]"}, "x_v2 is retired",
		},
		{"the ledger has mistakes", "x_v1", map[string]string{name: text, "rubrics/retired.yaml": "retired: {}"}, "rubrics/retired.yaml has errors"},
		{"it is deprecated", "x_v1", map[string]string{name: text + "deprecated: {reason: r, replaced_by: z_v1}"}, "x_v1 is already deprecated and replaced by z_v1"},
		{"two documents have the ID", "x_v1", map[string]string{name: text, "rubrics/api/x_v1.yaml": text}, "two documents have the ID x_v1"},
		{"the next ID is too long", strings.Repeat("x", 126), map[string]string{name: strings.Replace(text, "x_v1", strings.Repeat("x", 126), 1)}, "129 characters"},
		{"there is no next version", "x_v999999999", map[string]string{name: strings.Replace(text, "x_v1", "x_v999999999", 1)}, "The new version must be"},
	}
	for _, tt := range tests {
		_, err := library(t, tt.files).Fork(tt.id, because("Why."))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want %q in it", tt.reason, err, tt.want)
		}
	}
}

// anyDocument draws a valid document without a deprecation, in any layout.
func anyDocument(t *rapid.T) (k *document.Kind, name, text string) {
	k = rapid.SampledFrom(document.Kinds()).Draw(t, "kind")
	doc := documenttest.Any(k).Draw(t, "document")
	delete(doc, deprecatedKey)
	id := doc[k.IDKey].(string) + rapid.SampledFrom([]string{"", "_v1", "_v2", "_v19"}).Draw(t, "major")
	doc[k.IDKey] = id
	doc[versionKey] = rapid.StringMatching(`(0|[1-9][0-9]{0,2})\.(0|[1-9][0-9]?)\.(0|[1-9][0-9]?)`).Draw(t, "version")
	if rapid.Bool().Draw(t, "JSON") {
		text = string(documenttest.JSON(doc))
	} else {
		keys := func(keys []string) {
			for i, j := range rapid.Permutation(slices.Clone(keys)).Draw(t, "keys") {
				keys[i] = j
			}
		}
		text = string(documenttest.YAML(doc, keys, func() int { return rapid.IntRange(0, 2).Draw(t, "style") }))
		if rapid.Bool().Draw(t, "no last line end") {
			text = strings.TrimSuffix(text, "\n")
		}
	}
	return k, documentPath(doc["artifact_type"].(string), id), text
}

// decoded is the canonical form of a document, decoded.
func decoded(t *rapid.T, name string, data []byte) map[string]any {
	canonical, err := parse(name, data).Canonical()
	if err != nil {
		t.Fatalf("%v in\n%s", err, data)
	}
	var m map[string]any
	must.Do(t, json.Unmarshal(canonical, &m))
	return m
}

// TestForkDiffersInIDAndVersionOnly holds it for any document, in what it says
// and in its lines. The old document differs in its version and its deprecation.
func TestForkDiffersInIDAndVersionOnly(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		k, name, text := anyDocument(rt)
		reason := "x" + rapid.StringOf(rapid.SampledFrom([]rune("aé漢🙂 .,:;#'\"\\|>-[]{}?*&!%@`"))).Draw(rt, "reason")
		before := decoded(rt, name, []byte(text))
		made, kept := forked(t, name, text, reason)

		fresh, old := decoded(rt, made.Path, made.After), decoded(rt, kept.Path, kept.After)
		wantDeprecated := map[string]any{"reason": reason, "replaced_by": fresh[k.IDKey]}
		if diff := cmp.Diff(wantDeprecated, old[deprecatedKey]); diff != "" {
			rt.Errorf("the deprecation: %s", diff)
		}
		if old[versionKey] == before[versionKey] || fresh[k.IDKey] == before[k.IDKey] {
			rt.Errorf("the versions are %v, then %v; the IDs %v and %v", before[versionKey], old[versionKey], before[k.IDKey], fresh[k.IDKey])
		}
		delete(old, deprecatedKey)
		old[versionKey], fresh[versionKey], fresh[k.IDKey] = before[versionKey], before[versionKey], before[k.IDKey]
		if diff := cmp.Diff(before, fresh); diff != "" {
			rt.Errorf("the fork says something else: %s", diff)
		}
		if diff := cmp.Diff(before, old); diff != "" {
			rt.Errorf("the old document says something else: %s", diff)
		}

		lines := func(data []byte) []string { return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") }
		was, is := lines([]byte(text)), lines(made.After)
		differing := 0
		for i := range min(len(was), len(is)) {
			if was[i] != is[i] {
				differing++
			}
		}
		if len(was) != len(is) || differing > 2 {
			rt.Errorf("the fork changes more than two lines:\n%s\n\n%s", text, made.After)
		}
		if gone := missing(was, lines(kept.After)); len(was) > 1 && len(gone) > 1 {
			rt.Errorf("the old document loses the lines %q:\n%s\n\n%s", gone, text, kept.After)
		}
	})
}

// missing are the lines of a that b does not have in their order.
func missing(a, b []string) []string {
	var gone []string
	for _, line := range a {
		if i := slices.Index(b, line); i >= 0 {
			b = b[i+1:]
		} else {
			gone = append(gone, line)
		}
	}
	return gone
}

// FuzzFork forks whatever can be read as a document.
func FuzzFork(f *testing.F) {
	for _, d := range drafts {
		f.Add(d.text())
	}
	f.Add([]byte("ruleset_id: x_v1\nname: X\nversion: 1.0.0\nartifact_type: prd\nscoring: {pass_threshold: 0.8}\nrules: [{id: a.b.c, description: d, severity: fail, check: |+\n c\n\n}]"))
	f.Add([]byte(`{"ruleset_id": "x", "name": "X", "version": "1.0.0", "artifact_type": "prd", "scoring": {"pass_threshold": 0.8}, "rules": [{"id": "a.b.c", "description": "d", "severity": "fail", "check": "c"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		const name = "rubrics/x/x.yaml"
		d := parse(name, data)
		if !d.Valid() || d.Root().Get(deprecatedKey) != nil {
			return
		}
		e, err := library(t, map[string]string{name: string(data)}).Fork(d.ID(), because("Why."))
		if err != nil {
			return
		}
		made, kept := e.Files[0], e.Files[1]
		if !same(d, parse(made.Path, made.After), d.Kind.IDKey, versionKey) || !same(d, parse(kept.Path, kept.After), versionKey, deprecatedKey) {
			t.Errorf("%q becomes\n%q and\n%q", data, made.After, kept.After)
		}
	})
}
