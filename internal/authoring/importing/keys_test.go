package importing

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// samples are files of each format with everything that it can express.
var samples = map[string]string{
	"prometheus": `{"id": "plan", "criteria": "c", "anchors": {"1": "a", "2": "b", "3": "d", "4": "e", "5": "f"}, "reference_answer": "g"}`,
	"ragas":      `{"name": "help", "rubrics": {"score0_description": "a", "score1_description": "b", "score2_description": "d"}, "x": 1}`,
	"deepeval":   `{"metrics": [{"name": "n", "criteria": "c", "threshold": 0.5, "rubric": [{"score_range": [0, 4], "expected_outcome": "a"}, {"score_range": [5, 10], "expected_outcome": "b"}]}]}`,
	"rubric-spec": `{"version": "auraone-rubric-v1", "rubric_id": "r", "label": "l", "criteria": [{"criterion_id": "c", "description": "d", "scale_type": "ordinal",
		"metadata": {"weight": "essential", "threshold": 3}, "anchors": [{"value": 1, "label": "a"}, {"value": 2, "label": "b"}], "examples": [{"score": 1, "output": "o"}]}]}`,
	"": `{"title": "t", "scale": {"min": 0, "max": 2}, "pass_threshold": 1, "weights": {"n": 2}, "shared": 1, "criteria": [
		{"id": "C1", "name": "n", "description": "d", "weight": 2, "required": true, "threshold": 1, "guidance": "g", "levels": {"0": "a", "1": {"label": "some", "description": "b", "examples": ["e"]}, "2": ["c", "f"]}},
		{"name": "group", "weight": 3, "items": ["(2 points) one", {"question": "two", "points": 4, "ratings": [{"label": "bad", "points": 0, "description": "h"}, {"label": "good", "points": 4}]}]},
		{"name": "m", "score_0": "i", "score_2": "j", "examples": [{"score": 2, "text": "k"}], "metadata": {"weight": "essential"}}, "a text"]}`,
	"promptfoo": `{"prompts": ["p"], "defaultTest": {"assert": [{"type": "llm-rubric", "metric": "m", "value": "Is it kind?"}, {"type": "not-contains", "value": "s"}]},
		"tests": [{"description": "t", "threshold": 0.5, "vars": {"v": "w"}, "assert": [{"type": "g-eval", "value": ["one", "two"], "weight": 2, "threshold": 0.7},
			{"type": "assert-set", "threshold": 0.5, "assert": [{"type": "llm-rubric", "value": "Is it short?", "config": {"k": "v"}}]}]}, {"vars": {"a": "b"}}]}`,
}

// TestEveryKeyIsAccountedFor puts a key, or a value of another kind, anywhere in a file: its
// texts are in a draft, the import reports that they are not, or it refuses the file.
func TestEveryKeyIsAccountedFor(t *testing.T) {
	for format, sample := range samples {
		t.Run(format, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				var root any
				if err := json.Unmarshal([]byte(sample), &root); err != nil {
					t.Fatal(err)
				}
				change(t, root)
				data, err := json.Marshal(root)
				if err != nil {
					t.Fatal(err)
				}
				imported, problems := Read(source.NewFile("f.json", data), intake.Options{Format: format})
				if len(problems) > 0 {
					return // refused
				}
				told := account(imported)
				leaves(root, nil, func(path []string, text string) {
					isReported := slices.ContainsFunc(path, func(key string) bool { return strings.Contains(told.dropped, fmt.Sprintf("%q", key)) })
					if !isReported && !strings.Contains(told.drafts+told.dropped, text) {
						t.Fatalf("%s under %s is lost:\n%s\n%s", text, strings.Join(path, "/"), data, told.dropped)
					}
				})
			})
		})
	}
}

// change puts a marked value into a random mapping.
func change(t *rapid.T, root any) {
	var mappings []map[string]any
	var find func(value any)
	find = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			mappings = append(mappings, value)
			for _, key := range sorted(value) {
				find(value[key])
			}
		case []any:
			for _, item := range value {
				find(item)
			}
		}
	}
	find(root)
	into := rapid.SampledFrom(mappings).Draw(t, "mapping")
	key := rapid.SampledFrom(append(sorted(into), "unknown", "weight", "threshold", "task", "label", "criteria", "metadata", "rating_levels")).Draw(t, "key")
	into[key] = rapid.SampledFrom([]any{
		"markone", []any{"markone", "marktwo"}, map[string]any{"inner": "markone", "other": []any{"marktwo"}}, []any{map[string]any{"inner": "markone"}},
	}).Draw(t, "value")
}

func sorted(values map[string]any) (keys []string) {
	for key := range values {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// leaves calls do for each marked text with the keys that lead to it.
func leaves(value any, path []string, do func(path []string, text string)) {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range sorted(value) {
			leaves(value[key], append(slices.Clone(path), key), do)
		}
	case []any:
		for _, item := range value {
			leaves(item, path, do)
		}
	case string:
		if strings.HasPrefix(value, "mark") {
			do(path, value)
		}
	}
}

// reported are the keys that remarks of other words are about.
var reported = map[string]string{
	"The threshold is dropped": `"threshold"`, "A level without": `"anchors" "rubrics"`, "An example is dropped": `"examples"`,
	"Assertions of the type": `"assert"`, "An assertion": `"assert"`, "A text that the output": `"assert"`, "An expression is": `"assert"`, "A file with tests": `"tests" "defaultTest"`,
}

type accounted struct{ drafts, dropped string }

// account is what an import says: the texts of the drafts, and what is not in them.
func account(imported *intake.Imported) (out accounted) {
	for _, d := range imported.Drafts {
		out.drafts += fmt.Sprintln(d.ID, d.Name, d.Notes)
		d.Content.EachScalar(func(n *yamltree.Node, _ bool) { out.drafts += n.Value + "\n" })
	}
	for _, r := range imported.Dropped {
		text := r.Text
		for phrase, keys := range reported {
			if strings.Contains(text, phrase) {
				text += keys
			}
		}
		out.dropped += text + "\n"
	}
	return out
}

// TestNamedRowsKeepTheirIDs: another row before them changes the ID of none.
func TestNamedRowsKeepTheirIDs(t *testing.T) {
	rows := []string{
		`{"task": "travel plan", "criteria": "a", "score1_description": "x"}`,
		`{"id": "plan_0", "criteria": "b", "score1_description": "x"}`,
		`{"name": "Tone of voice", "criteria": "c", "score1_description": "x"}`,
		`{"criteria": "Are all claims sourced?", "score1_description": "x"}`,
	}
	ids := func(rows []string, o intake.Options) (ids []string) {
		imported, problems := Read(source.NewFile("rows.jsonl", []byte(strings.Join(rows, "\n"))), o)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		for _, d := range imported.Drafts {
			ids = append(ids, d.ID)
		}
		return ids
	}
	o := intake.Options{Format: "prometheus"}
	before := ids(rows, o)
	want := []string{"travel_plan_v1", "plan_0_v1", "tone_of_voice_v1", "are_all_claims_sourced_v1"}
	if !slices.Equal(before, want) {
		t.Errorf("the IDs are %q, want %q", before, want)
	}
	for n := range rows {
		after := ids(append([]string{`{"criteria": "Another one?", "score1_description": "y"}`}, rows[n:]...), o)
		if !slices.Equal(after[1:], want[n:]) {
			t.Errorf("after a row in front of %d rows, the IDs are %q, want %q", len(rows)-n, after[1:], want[n:])
		}
	}
	keyed := []string{`{"id": "a", "key": "One", "criteria": "a", "score1_description": "x"}`, `{"id": "b", "key": "Two", "criteria": "b", "score1_description": "x"}`}
	if got := ids(keyed, intake.Options{Format: "prometheus", GroupBy: "key"}); !slices.Equal(got, []string{"one_v1", "two_v1"}) {
		t.Errorf("the IDs from the key are %q", got)
	}
}

func TestIDsFromAKeyAreRefused(t *testing.T) {
	for _, test := range []struct{ format, text, id, want string }{
		{"prometheus", `[{"id": "a", "criteria": "c", "score1_description": "x"}]`, "", `[0] has no text under the key "key"`},
		{"prometheus", `{"key": "a", "criteria": "c", "score1_description": "x"}`, "a_v1", "Omit it with --id"},
		{"deepeval", `[{"name": "a", "criteria": "c"}]`, "", "for a deepeval file, which is one document"},
		{"promptfoo", `[{"assert": [{"type": "llm-rubric", "value": "x"}]}]`, "", `tests[0] has no text under the key "key"`},
	} {
		_, problems := Read(source.NewFile("f", []byte(test.text)), intake.Options{Format: test.format, ID: test.id, GroupBy: "key"})
		if len(problems) == 0 || !strings.Contains(problems[0].Message, test.want) {
			t.Errorf("%s: %v, want %q", test.format, problems, test.want)
		}
	}
}

// TestLevelsUnderAnyKey: levels under another tool's key were five empty anchors.
func TestLevelsUnderAnyKey(t *testing.T) {
	text := `{"name": "help", "description": "Does it help?", "rating_levels": [{"level": 1, "text": "no"}, {"level": 5, "text": "yes"}]}`
	for _, format := range []string{"ragas", "prometheus", ""} {
		imported, problems := Read(source.NewFile("f.json", []byte(text)), intake.Options{Format: format})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if got := imported.Drafts[0].Content.Get("criteria").Items[0].Get("anchors"); got.Get("1").Text() != "no" || got.Get("5").Text() != "yes" {
			t.Errorf("%s: %v", format, got)
		}
	}
}

// TestWhatHasNoKeyIsReported: columns, items, and blocks of code have none.
func TestWhatHasNoKeyIsReported(t *testing.T) {
	for _, test := range []struct{ format, text, want string }{
		{"csv", "criterion,\na,lost\n", "A column without a heading is dropped"},
		{"markdown", "- [ ] one\n- two\n", "Items without a box are dropped"},
		{"markdown", "- [ ] one\n\n```\ncode\n```\n", "Blocks of code are dropped"},
	} {
		imported, problems := Read(source.NewFile("f", []byte(test.text)), intake.Options{Format: test.format})
		if len(problems) > 0 || !slices.ContainsFunc(imported.Dropped, func(r intake.Remark) bool { return strings.HasPrefix(r.Text, test.want) }) {
			t.Errorf("%s: %v %v, want %q", test.format, imported, problems, test.want)
		}
	}
}
