package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// suggester is a server with one of the interfaces that fill_blanks.py asks.
type suggester struct {
	provider, path, base, key string
	// schema is the JSON Schema of the answer that a call asks for.
	schema func(call map[string]any) any
	// reply is a response with a text of the model, and refusal one without.
	reply   func(says string) any
	refusal any
}

type object = map[string]any

var suggesters = []suggester{
	{
		"openai", "/v1/chat/completions", "OPENAI_BASE_URL=%s/v1", "OPENAI_API_KEY=",
		func(call object) any {
			return call["response_format"].(object)["json_schema"].(object)["schema"]
		},
		func(says string) any {
			return object{"choices": []any{object{"message": object{"content": says}, "finish_reason": "stop"}}}
		},
		object{"choices": []any{object{"message": object{"refusal": "I can't."}, "finish_reason": "stop"}}},
	},
	{
		"anthropic", "/v1/messages", "ANTHROPIC_BASE_URL=%s", "ANTHROPIC_API_KEY=",
		func(call object) any { return call["tools"].([]any)[0].(object)["input_schema"] },
		func(says string) any {
			if !json.Valid([]byte(says)) {
				return object{"stop_reason": "end_turn", "content": []any{object{"type": "text", "text": says}}}
			}
			return object{"stop_reason": "tool_use", "content": []any{object{"type": "tool_use", "input": json.RawMessage(says)}}}
		},
		object{"stop_reason": "refusal", "content": []any{}},
	},
}

// asked is a call: the names of the texts, what each has to say, and the draft.
type asked struct {
	names []string
	Draft string
	Write map[string]string
}

// serve starts a server. answer is what the model writes, or has written the whole response if
// it returns "".
func (s suggester) serve(t *testing.T, answer func(w http.ResponseWriter, a asked) string) (env []string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		var call object
		if err != nil || json.Unmarshal(text, &call) != nil || r.URL.Path != s.path {
			t.Errorf("the server was asked for %s with %q, error %v", r.URL.Path, text, err)
			return
		}
		messages := call["messages"].([]any)
		var a asked
		must.Do(t, json.Unmarshal([]byte(messages[len(messages)-1].(object)["content"].(string)), &a))
		for name := range s.schema(call).(object)["properties"].(object) {
			a.names = append(a.names, name)
		}
		slices.Sort(a.names)
		if says := answer(w, a); says != "" {
			_ = json.NewEncoder(w).Encode(s.reply(says))
		}
	}))
	t.Cleanup(server.Close)
	return []string{fmt.Sprintf(s.base, server.URL), s.key + "secret-key-of-a-test"}
}

// fillBlanks is the command that fills in a draft, in a folder that has nothing else. TestMain puts
// `rubric` into PATH.
func fillBlanks(t *testing.T, provider, draft string, env []string, args ...string) (cmd *exec.Cmd, file string) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	file = filepath.Join(t.TempDir(), "draft.yaml")
	must.Do(t, os.WriteFile(file, []byte(draft), 0o640))
	cmd = exec.Command(python, append([]string{"examples/authoring/fill_blanks.py", file, "--model", "m-1", "--provider", provider}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	return cmd, file
}

// unchanged checks that a failed call left the file, and nothing else, as it was.
func unchanged(t *testing.T, file, draft string) {
	t.Helper()
	if got := string(must.Get(os.ReadFile(file))(t)); got != draft {
		t.Errorf("the file changed:\n%s", cmp.Diff(draft, got))
	}
	if entries := must.Get(os.ReadDir(filepath.Dir(file)))(t); len(entries) != 1 {
		t.Errorf("there are other files: %v", entries)
	}
}

// each answers each text with a value of JSON.
func each(value string) func(http.ResponseWriter, asked) string {
	return func(_ http.ResponseWriter, a asked) string {
		var pairs []string
		for _, name := range a.names {
			pairs = append(pairs, fmt.Sprintf("%q: %s", name, value))
		}
		return "{" + strings.Join(pairs, ", ") + "}"
	}
}

func eachSuggester(t *testing.T, test func(t *testing.T, s suggester)) {
	for _, s := range suggesters {
		t.Run(s.provider, func(t *testing.T) { t.Parallel(); test(t, s) })
	}
}

// blankDraft has a gap in each layout, and what stays: settings, names, texts, and comments.
const blankDraft = `# A draft.
rubric_id: "plan_v1"
name: "Plan"
version: "0.1.0"
artifact_type: "plans"
description:

criteria:
  # Level 0 in the imported file: Bad.
  - name: "times"
    description: "Does the plan name a time?"
    weight:
    threshold:
    anchors:
      1: "No activity has a time."
      2:
      3: TODO
      4: "" # from the table
      5: >- # ask Ann
        TBD (ask
        Ann)
    examples:
      score_1:
      score_3: '  '
      score_5: |-
        9:00, museum
        5:
        # suggested by Ann: reviewed

  - name: "places"
    description:
      TODO
    weight: essential
    threshold: 3
    anchors: {1: TODO, 2: "One.", 3: "Two.", 4: "Three.",
      5: TBD
    }
    examples:
      score_1:   ` + `
      score_5: "A museum."

scoring:
  pass_threshold:

metadata:
  owner: TODO
`

const filledDraft = `# A draft.
rubric_id: "plan_v1"
name: "Plan"
version: "0.1.0"
artifact_type: "plans"
description: "Write what the rubric is for" # suggested by m-1: not reviewed

criteria:
  # Level 0 in the imported file: Bad.
  - name: "times"
    description: "Does the plan name a time?"
    weight:
    threshold:
    anchors:
      1: "No activity has a time."
      2: "Write what can be observed in an artifact that scores 2" # suggested by m-1: not reviewed
      3: "Write what can be observed in an artifact that scores 3" # suggested by m-1: not reviewed
      # suggested by m-1: not reviewed
      4: "Write what can be observed in an artifact that scores 4" # from the table
      # suggested by m-1: not reviewed
      # ask Ann
      5: "Write what can be observed in an artifact that scores 5"
    examples:
      score_1: "Write an excerpt from an artifact that scores 1" # suggested by m-1: not reviewed
      score_3: "Write an excerpt from an artifact that scores 3" # suggested by m-1: not reviewed
      score_5: |-
        9:00, museum
        5:
        # suggested by Ann: reviewed

  - name: "places"
    description:
      "Write what the criterion judges" # suggested by m-1: not reviewed
    weight: essential
    threshold: 3
    # suggested by m-1: not reviewed
    anchors: {1: "Write what can be observed in an artifact that scores 1", 2: "One.", 3: "Two.", 4: "Three.",
      5: "Write what can be observed in an artifact that scores 5" # suggested by m-1: not reviewed
    }
    examples:
      score_1: "Write an excerpt from an artifact that scores 1" # suggested by m-1: not reviewed   ` + `
      score_5: "A museum."

scoring:
  pass_threshold:

metadata:
  owner: TODO
`

// TestBlanksAreFilledIn: each missing text is asked for by what it has to say, and nothing else
// changes.
func TestBlanksAreFilledIn(t *testing.T) {
	eachSuggester(t, func(t *testing.T, s suggester) {
		calls := 0
		env := s.serve(t, func(_ http.ResponseWriter, a asked) string {
			calls++
			for _, name := range a.names {
				if strings.Count(a.Draft, "["+name+"]") != 1 {
					t.Errorf("%s is not once in the draft:\n%s", name, a.Draft)
				}
			}
			for name, write := range a.Write {
				said, remark, _ := strings.Cut(write, ": ")
				if a.Write[name] = said; strings.HasSuffix(said, "scores 5") && len(a.Write) > 4 && !strings.Contains(remark, "TBD (ask Ann)") {
					t.Errorf("the remark of the author is %q", remark)
				}
			}
			return string(must.Get(json.Marshal(a.Write))(t))
		})
		for _, newline := range []string{"\n", "\r\n"} {
			crlf := func(text string) string { return strings.ReplaceAll(text, "\n", newline) }
			calls = 0
			cmd, file := fillBlanks(t, s.provider, crlf(blankDraft), env)
			out := must.Get(cmd.CombinedOutput())(t)
			if want := file + ": 11 suggested texts. Read each one, correct it, and remove its comment"; strings.TrimSpace(string(out)) != want {
				t.Errorf("the output is %q", out)
			}
			if diff := cmp.Diff(crlf(filledDraft), string(must.Get(os.ReadFile(file))(t))); diff != "" {
				t.Error(diff)
			}
			if calls != 3 {
				t.Errorf("%d calls, want one for the rubric and one for each criterion", calls)
			}
			if mode := must.Get(os.Stat(file))(t).Mode().Perm(); mode != 0o640 && runtime.GOOS != "windows" {
				t.Errorf("the mode is %v", mode)
			}
			// A second call has nothing to ask.
			cmd, _ = fillBlanks(t, s.provider, crlf(filledDraft), []string{"OPENAI_BASE_URL=http://127.0.0.1:9", "ANTHROPIC_BASE_URL=http://127.0.0.1:9"})
			if out, err := cmd.CombinedOutput(); err != nil || !strings.HasSuffix(strings.TrimSpace(string(out)), ": no text to suggest. `rubric lint` says what else is missing") {
				t.Errorf("%q, error %v", out, err)
			}
		}
	})
}

// checklist is a rule set as an import writes it, and a check in a form that only a person writes.
const checklist = `ruleset_id: "api_v1"
name: "API"
version: "0.1.0"
artifact_type: "api"

scoring:
  pass_threshold: 0.8

rules:
  - id: "a.security.authentication"
    description: "Each endpoint requires authentication."
    severity:
    check: >-
      Find the places in the artifact that show what the description says. Pass
      if they show all of it; fail if a part is missing or contradicted.
      Consider: tokens
      expire; "scopes" are documented.

  - id: "a.security.secrets"
    description: "No secrets in the code"
    severity: fail
    check: "Search the artifact for a place that contradicts the description. Pass if there is none. Consider: tests."

  - id: "a.security.logs"
    description: "No secrets in logs"
    severity: fail
    check: |-
      Search the artifact for a place that contradicts the description. Pass if there is none.
      Consider: tests.
`

// TestWhatAChecklistSaysStays: a suggestion replaces the sentence that every imported check has, and
// not what the file says about the rule.
func TestWhatAChecklistSaysStays(t *testing.T) {
	want := strings.NewReplacer(`    check: >-
      Find the places in the artifact that show what the description says. Pass
      if they show all of it; fail if a part is missing or contradicted.
      Consider: tokens
      expire; "scopes" are documented.
`, `    # suggested by m-1: not reviewed
    check: "Read each endpoint. Consider: tokens expire; \"scopes\" are
      documented."
`, `check: "Search the artifact for a place that contradicts the description. Pass if there is none. Consider: tests."`,
		`check: "Read each endpoint. Consider: tests." # suggested by m-1: not reviewed`).Replace(checklist)
	s := suggesters[1]
	cmd, file := fillBlanks(t, s.provider, checklist, s.serve(t, each(`"Read each endpoint."`)))
	out := must.Get(cmd.CombinedOutput())(t)
	if diff := cmp.Diff(want, string(must.Get(os.ReadFile(file))(t))); diff != "" || !bytes.Contains(out, []byte("2 suggested texts")) {
		t.Errorf("%s\n%s", out, diff)
	}
}

// TestSuggestionsAreReadBack: whatever a text says, YAML reads that text, and each comment is one.
func TestSuggestionsAreReadBack(t *testing.T) {
	texts := []string{
		"Names it: the actor, and why.", `"], 2: {x: "y`, `' "" ''`, `C:\dir\`, `\n is no line end`, "# not a comment", "a # b", "- [ ] a box", "> folded", "| literal", "&a *b !c %d @e `f`",
		"? key", "--- a", "...and so on", "null", "yes", "1.0", "{{ x }} ${y} $(z)", "  spaces  around  ", "é 😀 漢字 עברית", "a\u00a0b",
		strings.Repeat("word ", 60) + "end", strings.Repeat("y", 200), strings.Repeat(`\ " `, 60) + "end", "a" + strings.Repeat(" ", 100) + "b", strings.Repeat("'# : ", 50) + "x",
	}
	eachSuggester(t, func(t *testing.T, s suggester) {
		said, next := map[string]string{}, 0
		env := s.serve(t, func(_ http.ResponseWriter, a asked) string {
			answer := map[string]string{}
			for _, name := range a.names {
				said[name] = texts[next%len(texts)]
				answer[name] = said[name]
				next++
			}
			return string(must.Get(json.Marshal(answer))(t))
		})
		for next < len(texts) {
			clear(said)
			cmd, file := fillBlanks(t, s.provider, blankDraft, env)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s%v", out, err)
			}
			d := document.Parse(must.Get(source.Read(file, must.Get(os.ReadFile(file))(t), nil))(t))
			if n := len(d.UnreviewedTexts()); n != 11 {
				t.Errorf("%d comments for 11 texts", n)
			}
			got := map[string]bool{}
			schema.EachText(d.Kind.Table, d.Root(), func(_ *schema.Field, _ *schema.Value, n *yamltree.Node) { got[n.Value] = true })
			for _, text := range said {
				if !got[text] {
					t.Errorf("%q is not in the draft:\n%s", text, d.File.Data)
				}
			}
		}
	})
}

// TestADraftCanHaveMoreBlanksThanLintLists at once.
func TestADraftCanHaveMoreBlanksThanLintLists(t *testing.T) {
	var draft strings.Builder
	draft.WriteString("rubric_id: plan_v1\nname: Plan\nversion: 0.1.0\nartifact_type: plans\ncriteria:\n")
	for i := range 30 {
		fmt.Fprintf(&draft, "  - name: c_%d\n    description: What is it?\n    anchors:\n      1:\n      2:\n      3: TODO\n      4:\n      5:\n", i)
	}
	s, calls := suggesters[0], 0
	env := s.serve(t, func(w http.ResponseWriter, a asked) string { calls++; return each(`"Nobody reviewed it."`)(w, a) })
	cmd, file := fillBlanks(t, s.provider, draft.String(), env)
	out := must.Get(cmd.CombinedOutput())(t)
	got := must.Get(os.ReadFile(file))(t)
	if n := bytes.Count(got, []byte(`: "Nobody reviewed it." # suggested by m-1: not reviewed`+"\n")); n != 150 || calls != 30 || !bytes.Contains(out, []byte(": 150 suggested texts.")) {
		t.Errorf("%d texts in %d calls, want 150 in 30: %s", n, calls, out)
	}
}

// TestFailuresLeaveTheDraft: whatever goes wrong, the file stays as it was. What a text says is
// checked in the same way for both providers, so each such case runs with one of them.
func TestFailuresLeaveTheDraft(t *testing.T) {
	status := func(code int) func(http.ResponseWriter, asked) string {
		return func(w http.ResponseWriter, _ asked) string { w.WriteHeader(code); return "" }
	}
	tests := []struct {
		reason string
		answer func(http.ResponseWriter, asked) string // nil for a refusal
		want   string
	}{
		{"a wrong key", status(http.StatusUnauthorized), "the server answered 401 Unauthorized"},
		{"a server that fails", status(http.StatusInternalServerError), "the server answered 500 Internal Server Error, 1 times"},
		{"a response that is not JSON", func(w http.ResponseWriter, _ asked) string { _, _ = io.WriteString(w, "<html>"); return "" }, "no answer of the server"},
		{"a response that is cut off", func(w http.ResponseWriter, _ asked) string {
			w.Header().Set("Content-Length", "5000")
			_, _ = io.WriteString(w, "{")
			return ""
		}, "no answer of the server: IncompleteRead"},
		{"a refusal", nil, "the model refused to answer"},
		{"prose", func(http.ResponseWriter, asked) string { return "Here you are: 1. Bad." }, "not exactly one JSON object"},
		{"a list", func(http.ResponseWriter, asked) string { return "[1]" }, "the "},
		{"no texts", func(http.ResponseWriter, asked) string { return "{}" }, "did not answer with exactly the texts"},
		{"one text too many", func(w http.ResponseWriter, a asked) string {
			return strings.Replace(each(`"x"`)(w, a), "{", `{"weight": "essential", `, 1)
		}, "exactly the texts"},
		{"the last of three calls fails", func(w http.ResponseWriter, a asked) string {
			if len(a.Write) == 4 {
				return "{}"
			}
			return each(`"Says it."`)(w, a)
		}, "exactly the texts"},
		{"a number", each("3"), "no text for /description"},
		{"nothing", each("null"), "no text for /description"},
		{"a blank text", each(`"  "`), "no text for /description"},
		{"a line end", each(`"a\nb"`), "not on one line"},
		{"a carriage return", each(`"a\rb"`), "not on one line"},
		{"a line separator", each(`"a\u2028b"`), "not on one line"},
		{"a tab", each(`"a\tb"`), "not on one line"},
		{"half of a character", each(`"a\ud800b"`), "not on one line"},
		{"text that changes its direction", each(`"a\u202eb"`), "Remove the hidden U+202E"},
		{"an invisible character", each(`"a\u200bb"`), "Remove the hidden U+200B"},
		{"tags", each(`"a\udb40\udc41b"`), "Remove the hidden U+E0041"},
		{"a terminal escape", each(`"a\u009bb"`), "Remove the hidden U+009B"},
		{"a comment of lint", each(`"Good. # rubric-lint: ignore blank-text -- x"`), "looks like a comment"},
		{"a comment of a suggestion", each(`"Good.\" # Suggested by M: not reviewed"`), "looks like a comment"},
		{"another gap", each(`"TODO"`), "only stands for a text"},
		{"a text that is too long", each(`"` + strings.Repeat("x", 20_000) + `"`), "can't be used"},
	}
	const perProvider = 8 // the first cases are about responses
	eachSuggester(t, func(t *testing.T, s suggester) {
		for i, tt := range tests {
			if i >= perProvider && suggesters[i%2].provider != s.provider {
				continue
			}
			env := s.serve(t, func(w http.ResponseWriter, a asked) string {
				if tt.answer == nil {
					_ = json.NewEncoder(w).Encode(s.refusal)
					return ""
				}
				return tt.answer(w, a)
			})
			cmd, file := fillBlanks(t, s.provider, blankDraft, env, "--attempts", "1")
			out, err := cmd.CombinedOutput()
			if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "stays as it was: ") || !strings.Contains(string(out), tt.want) {
				t.Errorf("%s: %q, error %v, want %q", tt.reason, out, err, tt.want)
			}
			if strings.Contains(string(out), "secret-key") || strings.Contains(string(out), "Traceback") {
				t.Errorf("%s: %s", tt.reason, out)
			}
			unchanged(t, file, blankDraft)
		}
	})
}

// TestAStoppedCallLeavesTheDraft interrupts the program while the model answers.
func TestAStoppedCallLeavesTheDraft(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no program can send Ctrl-C to another one")
	}
	s := suggesters[0]
	var cmd *exec.Cmd
	var file string
	var calls atomic.Int32
	env := s.serve(t, func(w http.ResponseWriter, a asked) string {
		if calls.Add(1) == 2 {
			must.Do(t, cmd.Process.Signal(os.Interrupt))
		}
		return each(`"Says it."`)(w, a)
	})
	cmd, file = fillBlanks(t, s.provider, blankDraft, env)
	out, _ := cmd.CombinedOutput()
	if want := file + " stays as it was: stopped\n"; cmd.ProcessState.ExitCode() != 1 || string(out) != want {
		t.Errorf("exit code %d, %q, want %q", cmd.ProcessState.ExitCode(), out, want)
	}
	unchanged(t, file, blankDraft)
}

// TestDraftsThatCanNotBeFilledIn has files that are no drafts, or that someone else changes.
func TestDraftsThatCanNotBeFilledIn(t *testing.T) {
	s := suggesters[1]
	for _, tt := range []struct{ reason, draft, want string }{
		{"no YAML", "rubric_id: [", "this is not a draft of a rubric or a rule set: line 1: This bracket is never closed."},
		{"another file", "a: b\n", "this is not a draft of a rubric or a rule set: line 1: The kind of the document is missing."},
		{"no text", "a: \xff\n", "utf-8"},
	} {
		cmd, file := fillBlanks(t, s.provider, tt.draft, nil)
		out, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), tt.want) {
			t.Errorf("%s: exit code %d, %q", tt.reason, cmd.ProcessState.ExitCode(), out)
		}
		unchanged(t, file, tt.draft)
	}
	var file string
	env := s.serve(t, func(w http.ResponseWriter, a asked) string {
		must.Do(t, os.WriteFile(file, []byte("edited"), 0o666))
		return each(`"Says it."`)(w, a)
	})
	cmd, name := fillBlanks(t, s.provider, blankDraft, env)
	file = name
	if out, _ := cmd.CombinedOutput(); !bytes.Contains(out, []byte("stays as it was: it was changed while the model answered")) {
		t.Errorf("%s", out)
	}
	unchanged(t, file, "edited")
}
