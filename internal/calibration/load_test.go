package calibration

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

func TestLoadReadsWhatIsRight(t *testing.T) {
	d, problems, err := Load(dataset(goodHead, goodItems, goodAnswers, "{\"date\":\"2026-11-21\"}\n\n"), "d")
	if err != nil || len(problems) > 0 {
		t.Fatalf("%v %q", err, told(problems))
	}
	wantItems := []Item{
		{ID: "i1", Artifact: "One.", Labels: map[string]map[string]float64{"r1": {"clarity": 4, "brevity": 2}, "r2": {"clarity": 5}}, Line: 1},
		{ID: "i2", Artifact: "Two.", Inputs: map[string]string{"task": "Count."}, Labels: map[string]map[string]float64{"r1": {"clarity": 1}}, Line: 2},
		{ID: "i3", Artifact: "Three.", Labels: map[string]map[string]float64{}, Line: 3},
	}
	for i := range d.Items {
		wantItems[i].Span = d.Items[i].Span
		if got := d.ItemsSource.Text(d.Items[i].Span); got != `"`+d.Items[i].Artifact+`"` {
			t.Errorf("the artifact of %s is at %s", d.Items[i].ID, got)
		}
	}
	if diff := cmp.Diff(wantItems, d.Items); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
	same := Answer{Run: "x", Item: "i1", Repeat: 1, Model: "m-1", Date: "2026-11-21", Digest: digestA}
	first, second, third := same, same, same
	first.Scores, first.Line = map[string]float64{"clarity": 4, "brevity": 2.5}, 1
	second.Scores, second.Line, second.Repeat = map[string]float64{"clarity": 4}, 2, 2
	third.Item, third.Error, third.Line = "i2", "invalid JSON", 3
	if diff := cmp.Diff([]Answer{first, second, third}, d.Judge("j").Answers, cmpopts.IgnoreFields(Answer{}, "File")); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	if d.Share != ShareStatistics || d.LabeledBy != People || !cmp.Equal(d.Raters(), []string{"r1", "r2"}) {
		t.Errorf("share %q, labeled by %q, raters %q", d.Share, d.LabeledBy, d.Raters())
	}
}

func TestLoadWithoutOptionalFiles(t *testing.T) {
	d, problems, err := Load(dataset(goodHead, "", "", ""), "d")
	if err != nil || len(problems) > 0 || len(d.Items) > 0 || len(d.Judges) > 0 || d.ItemsSource != nil {
		t.Errorf("%v %q %v", err, told(problems), d)
	}
}

func TestLoadRefuses(t *testing.T) {
	good := dataset(goodHead, goodItems, "", "")
	link := dataset("", goodItems, "", "")
	link["calibration/d/dataset.yaml"] = &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte("../../secret.yaml")}
	tests := []struct {
		reason, name string
		fsys         fs.FS
		want         string // in the error
	}{
		{"there is no such dataset", "e", good, "file does not exist"},
		{"a name must not lead out of the folder", "../d", good, `"../d" is not a valid name of a dataset`},
		{"a name has the form of an ID", "D", good, `"D" is not a valid name of a dataset`},
		{"nor is it a file", "dataset.yaml", good, "is not a valid name of a dataset"},
		{"a link can lead out of the library", "d", link, "calibration/d/dataset.yaml is not a regular file"},
		{"it can't be read", "d", failing{good, []string{"calibration/d/dataset.yaml"}}, "permission denied"},
	}
	for _, tt := range tests {
		d, _, err := Load(tt.fsys, tt.name)
		if d != nil || err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want %q", tt.reason, err, tt.want)
		}
	}
	if _, _, err := Load(good, "e"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the error is %v, want fs.ErrNotExist", err)
	}
}

func TestProblemsOfTheHead(t *testing.T) {
	reaffirmed := func(criterion, digest, date string) string {
		return fmt.Sprintf("  - {criterion: %s, digest: \"%s\", date: \"%s\", reason: A typo.}\n", criterion, digest, date)
	}
	tests := []struct {
		reason, head string
		want         []string
	}{
		{"a folder of labels says what they are", strings.Replace(goodHead, "method: By hand.\n", "", 1), []string{
			`dataset.yaml:1:1 missing-key: Add "method" to the dataset. Meaning: How the items were labeled, for people.`,
		}},
		{"a key that nothing reads", head("owner: me\n"), []string{
			`dataset.yaml:10:1 unknown-key: "owner" is not a key of the dataset, so it has no effect. The keys here are description, applies_to, labeled_by, method, license, share, criteria, reaffirmed, and accepted.`,
		}},
		{"a word that is none of the three", strings.Replace(goodHead, "people", "person", 1), []string{
			`dataset.yaml:2:13 invalid-value: "labeled_by" must be "people", "authors", or "model", got "person".`,
		}},
		{"a dataset is for some rubric", strings.Replace(goodHead, "[a_v1]", "[]", 1), []string{
			`dataset.yaml:1:13 invalid-value: "applies_to" is an empty list: at least one ID of a rubric is required. Meaning: The rubrics that the labels are for. Each must also name this dataset.`,
		}},
		{"a fingerprint that was cut off", strings.Replace(goodHead, digestB, "sha256:bbb", 1), []string{
			`dataset.yaml:9:13 invalid-value: "digest" must be sha256: followed by 64 digits from 0 to 9 and a to f, got "sha256:bbb".`,
		}},
		{"a rubric twice", strings.Replace(goodHead, "[a_v1]", "[a_v1, b_v1, a_v1]", 1), []string{
			`dataset.yaml:1:26 duplicate-entry: The rubric "a_v1" is listed twice. Remove one of the entries.`,
		}},
		{"a criterion twice", strings.Replace(goodHead, "brevity", "clarity", 1), []string{
			`dataset.yaml:8:11 duplicate-entry: The criterion "clarity" is listed twice. Remove one of the entries.`,
		}},
		{"a criterion that is not labeled is reaffirmed", head("reaffirmed:\n" + reaffirmed("brevty", digestA, "2026-11-21")), []string{
			`dataset.yaml:11:17 unknown-name: "brevty" is not a criterion of this dataset. Did you mean "brevity"?`,
		}},
		{"one that resembles none", head("reaffirmed:\n" + reaffirmed("tone", digestA, "2026-11-21")), []string{
			`dataset.yaml:11:17 unknown-name: "tone" is not a criterion of this dataset. dataset.yaml lists clarity and brevity.`,
		}},
		{"the same words are reaffirmed twice", head("reaffirmed:\n" + reaffirmed("clarity", digestB, "2026-11-21") + reaffirmed("clarity", digestB, "2026-11-22")), []string{
			`dataset.yaml:12:34 duplicate-entry: The labels of "clarity" are reaffirmed twice for this wording. Remove one of the entries.`,
		}},
		{"two criteria with the same fingerprint are two", head("reaffirmed:\n" + reaffirmed("clarity", digestB, "2026-11-21") + reaffirmed("brevity", digestB, "2026-11-21")), []string{}},
		{"a day that no calendar has", head("reaffirmed:\n" + reaffirmed("clarity", digestB, "2026-02-30")), []string{
			`dataset.yaml:11:115 invalid-value: The date 2026-02-30 does not exist. Fix the date.`,
		}},
		{"a leap day", head("reaffirmed:\n" + reaffirmed("clarity", digestB, "2028-02-29")), []string{}},
		{"what is no YAML", "applies_to: [a_v1\n", []string{
			"dataset.yaml:1:13 yaml-syntax: This bracket is never closed. Add ] where its content ends, or put the text in quotes if it starts with a bracket.",
		}},
	}
	for _, tt := range tests {
		_, problems, err := Load(dataset(tt.head, "", "", ""), "d")
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
		}
		if diff := cmp.Diff(tt.want, told(problems)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestProblemsOfItems(t *testing.T) {
	const second = `{"id":"i2","artifact":"Two.","labels":{"r1":{"clarity":1}}}`
	tests := []struct {
		reason, line string // the second of three
		want         []string
		items        int // that are taken
	}{
		{"nothing is wrong", second, []string{}, 3},
		{"a blank line says nothing", "  ", []string{}, 2},
		{"Windows ends its lines otherwise", second + "\r", []string{}, 3},
		{"a line that was cut off", second[:30], []string{
			"items.jsonl:2:31 json-syntax: The line ends in the middle of a value: a bracket or quotation mark is not closed, or the line is truncated.",
		}, 2},
		{"a comma too many", strings.Replace(second, `"i2",`, `"i2",,`, 1), []string{
			"items.jsonl:2:12 json-syntax: Invalid JSON: unexpected \",\". Check for a missing comma, an extra comma, or a missing quotation mark.",
		}, 2},
		{"two items on a line", second + second, []string{
			"items.jsonl:2:60 several-documents: Extra content after the first value: only one value is allowed. Remove the rest.",
		}, 2},
		{"Latin-1", strings.Replace(second, "Two", "Tw\xf6", 1), []string{"items.jsonl:2:26 encoding: This is not UTF-8. Save the file as UTF-8."}, 2},
		{"half of a surrogate pair", strings.Replace(second, "Two", `Tw\ud800`, 1), []string{
			`items.jsonl:2:26 encoding: This escape is half of a surrogate pair, which is not a character. Write the character itself, or both halves, such as \ud83d\ude00.`,
		}, 2},
		{"both halves of a pair", strings.Replace(second, "Two", `Tw\ud83d\ude00`, 1), []string{}, 3},
		{"a list", "[]", []string{
			"items.jsonl:2:1 wrong-type: The item must be a group of keys, not a list. Write its keys in braces: id: …, artifact: …, inputs: …, split: …, tags: ….",
		}, 2},
		{"no ID", strings.Replace(second, `"id":"i2",`, "", 1), []string{
			`items.jsonl:2:2 missing-key: Add "id" to the item. Meaning: The ID of the item, unique in the dataset.`,
		}, 2},
		{"an ID with a blank", strings.Replace(second, "i2", "i 2", 1), []string{
			`items.jsonl:2:7 invalid-value: "id" must be letters, digits, dots, dashes, and underscores, starting with a letter or digit, got "i 2".`,
		}, 2},
		{"an ID that is taken", strings.Replace(second, "i2", "i1", 1), []string{
			`items.jsonl:2:7 duplicate-entry: The item "i1" is already in line 1. Change the ID of this item or remove it.`,
		}, 2},
		{"a blank text", strings.Replace(second, "Two.", " ", 1), []string{
			`items.jsonl:2:23 blank-text: "artifact" is blank. Write its value after the colon: it is required. Meaning: The text that was labeled.`,
		}, 2},
		{"byte order marks between blanks are a blank text, too", strings.Replace(second, "Two.", " \ufeff\u00a0\ufeff ", 1), []string{
			`items.jsonl:2:23 blank-text: "artifact" is blank. Write its value after the colon: it is required. Meaning: The text that was labeled.`,
		}, 2},
		{"a byte order mark in a text is part of it", strings.Replace(second, "Two.", " \ufeffx", 1), []string{}, 3},
		{"a label above the scale", strings.Replace(second, ":1}", ":6}", 1), []string{
			`items.jsonl:2:56 invalid-value: "clarity" must be from 1.0 to 5.0, got 6.`,
		}, 2},
		{"a label below it", strings.Replace(second, ":1}", ":0}", 1), []string{
			`items.jsonl:2:56 invalid-value: "clarity" must be from 1.0 to 5.0, got 0.`,
		}, 2},
		{"a label in quotes", strings.Replace(second, ":1}", `:"1"}`, 1), []string{
			`items.jsonl:2:56 wrong-type: Remove the quotes: "clarity" must be a number, and quotes make it text.`,
		}, 2},
		{"a missing label is left out, not null", strings.Replace(second, ":1}", ":null}", 1), []string{
			`items.jsonl:2:56 blank-text: "clarity" is null. Write its value after the colon, or leave the key out.`,
		}, 2},
		{"a criterion that is misspelled", strings.Replace(second, "clarity", "clarty", 1), []string{
			`items.jsonl:2:46 unknown-name: "clarty" is not a criterion of this dataset. Did you mean "clarity"?`,
		}, 2},
		{"a label of a criterion that the rater cannot tell", strings.Replace(second, `}}}`, `}},"cannot_tell":{"r1":["clarity"],"r2":["brevty","brevity","brevity"]}}`, 1), []string{
			`items.jsonl:2:81 duplicate-entry: "r1" has two answers for clarity. Keep one of them.`,
			`items.jsonl:2:98 unknown-name: "brevty" is not a criterion of this dataset. Did you mean "brevity"?`,
			`items.jsonl:2:117 duplicate-entry: "r2" has two answers for brevity. Keep one of them.`,
		}, 2},
		{"a criterion twice for a rater", strings.Replace(second, `"clarity":1`, `"clarity":1,"clarity":2`, 1), []string{
			`items.jsonl:2:58 duplicate-key: The key "clarity" appears twice. Remove all but one: some programs use the first, others the last.`,
		}, 2},
		{"a rater twice", strings.Replace(second, `"r1":{`, `"r1":{},"r1":{`, 1), []string{
			`items.jsonl:2:48 duplicate-key: The key "r1" appears twice. Remove all but one: some programs use the first, others the last.`,
		}, 2},
		{"a rater who is an address", strings.Replace(second, "r1", "jane@acme.io", 1), []string{
			"items.jsonl:2:40 rater-address: A rater must be a pseudonym, not an email address, which every user of the library could read. Use a pseudonym such as r1.",
		}, 2},
		{"a rater with a name", strings.Replace(second, "r1", "Jane Doe", 1), []string{
			`items.jsonl:2:40 invalid-value: This key must be letters, digits, dots, dashes, and underscores, starting with a letter or digit, got "Jane Doe".`,
		}, 2},
		{"a key that nothing reads", strings.Replace(second, "{", `{"lables":{},`, 1), []string{
			`items.jsonl:2:2 unknown-key: "lables" is not a key of the item, so it has no effect. The keys here are id, artifact, inputs, split, tags, labels, and cannot_tell.`,
		}, 2},
	}
	first, third := `{"id":"i1","artifact":"One.","labels":{}}`, `{"id":"i3","artifact":"Three.","labels":{}}`
	for _, tt := range tests {
		d, problems, err := Load(dataset(goodHead, lines(first, tt.line, third), "", ""), "d")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, told(problems)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
		if len(d.Items) != tt.items {
			t.Errorf("%s: %d items are taken, want %d", tt.reason, len(d.Items), tt.items)
		}
	}
}

// TestARunHasNoNewItems: items that are added do not make up for those without an answer.
func TestARunHasNoNewItems(t *testing.T) {
	var answers []string
	for _, item := range []string{"i1", "i2", "i3"} {
		answers = append(answers, answer(`"items":2,"item":"`+item+`"`, `"error":"none"`), answer(`"items":2,"repeat":2,"item":"`+item+`"`, `"error":"none"`))
	}
	_, problems, err := Load(dataset(goodHead, goodItems, lines(answers[:4]...), ""), "d")
	if err != nil || len(problems) > 0 {
		t.Error(err, told(problems))
	}
	_, problems, err = Load(dataset(goodHead, goodItems, lines(answers[:5]...), ""), "d")
	want := []string{`judges/j.jsonl:5:146 mixed-run: Run "x" began when the dataset had 2 items, and this is one more. Move the answers to newer items to another run.`}
	if diff := cmp.Diff(want, told(problems)); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestProblemsOfAnswers(t *testing.T) {
	const scores = `"scores":{"clarity":3}`
	tests := []struct {
		reason, line string // behind two that are right
		want         []string
	}{
		{"nothing is wrong", answer(`"item":"i3"`, scores), []string{}},
		{"the first answer again", answer(`"item":"i1"`, scores), []string{
			`judges/j.jsonl:3:136 duplicate-entry: Run "x" already has answer 1 for "i1", in line 1. Number the repeats or remove one answer.`,
		}},
		{"a repeat is another answer", answer(`"item":"i1","repeat":2`, scores), []string{}},
		{"a judge that was not available", answer(`"item":"i3"`, `"unavailable":"503"`), []string{}},
		{"an attempt beside the answer", answer(`"item":"i1","attempt":2`, `"unavailable":"503"`), []string{}},
		{"an attempt that is there", answer(`"item":"i1"`, `"unavailable":"503"`), []string{
			`judges/j.jsonl:3:136 duplicate-entry: Run "x" already has answer 1 for "i1", in line 1. Number the repeats or remove one answer.`,
		}},
		{"another attempt after an answer", answer(`"item":"i1","attempt":2`, scores), []string{
			`judges/j.jsonl:3:136 duplicate-entry: Run "x" already has answer 1 for "i1", in line 1. Number the repeats or remove one answer.`,
		}},
		{"a fourth attempt", answer(`"item":"i3","attempt":4`, scores), []string{
			`judges/j.jsonl:3:151 invalid-value: "attempt" must be from 1 to 3, got 4. Meaning: The number of the attempt at this repeat. Only an attempt that was unavailable is followed by another.`,
		}},
		{"repeats count from 1", answer(`"item":"i1","repeat":0`, scores), []string{
			`judges/j.jsonl:3:150 invalid-value: "repeat" must be from 1 to 1000, got 0. Meaning: The number of the repeat in this run.`,
		}},
		{"an item that is not there", answer(`"item":"i9"`, scores), []string{
			`judges/j.jsonl:3:136 unknown-name: The item "i9" is not in items.jsonl. Restore the item or remove the answer.`,
		}},
		{"a criterion of another rubric", answer(`"item":"i3"`, `"scores":{"tone":3}`), []string{
			`judges/j.jsonl:3:151 unknown-name: "tone" is not a criterion of this dataset. dataset.yaml lists clarity and brevity.`,
		}},
		{"a score above the scale", answer(`"item":"i3"`, `"scores":{"clarity":5.5}`), []string{
			`judges/j.jsonl:3:161 invalid-value: "clarity" must be from 1.0 to 5.0, got 5.5.`,
		}},
		{"neither scores nor the reason why there are none", answer(`"item":"i3"`), []string{
			`judges/j.jsonl:3:2 missing-key: Add "scores", "error", or "unavailable" to the answer: one of them is required.`,
		}},
		{"scores without a score", answer(`"item":"i3"`, `"scores":{}`), []string{
			`judges/j.jsonl:3:150 invalid-value: "scores" is empty. Add a score, or if the answer could not be read, replace "scores" with "error" and the reason.`,
		}},
		{"both", answer(`"item":"i3"`, scores, `"error":"cut off"`), []string{
			`judges/j.jsonl:3:164 invalid-value: Keep one of "scores" and "error": the answer has both.`,
		}},
		{"a model that changed within the run", strings.Replace(answer(`"item":"i3"`, scores), "m-1", "m-2", 1), []string{
			`judges/j.jsonl:3:20 mixed-run: All answers of a run must have the same model: run "x" has "m-1" in line 1, got "m-2". Move these answers to another run.`,
		}},
		{"a date that changed", strings.Replace(answer(`"item":"i3"`, scores), "11-21", "11-22", 1), []string{
			`judges/j.jsonl:3:33 mixed-run: All answers of a run must have the same date: run "x" has "2026-11-21" in line 1, got "2026-11-22". Move these answers to another run.`,
		}},
		{"words that changed", strings.Replace(answer(`"item":"i3"`, scores), digestA, digestB, 1), []string{
			"judges/j.jsonl:3:55 mixed-run: All answers of a run must have the same `digest`: run \"x\" has \"sha256:" + strings.Repeat("a", 53) + "…\" in line 1, got \"sha256:" + strings.Repeat("b", 53) + `…". Move these answers to another run.`,
		}},
		{"a prompt that changed", answer(`"item":"i3"`, scores, `"prompt_digest":"`+digestB+`"`), []string{
			"judges/j.jsonl:3:180 mixed-run: All answers of a run must have the same `prompt_digest`: run \"x\" has \"\" in line 1, got \"sha256:" + strings.Repeat("b", 53) + `…". Move these answers to another run.`,
		}},
		{"an answer that could not be read, which names no prompt", answer(`"item":"i3"`, `"error":"cut off"`), []string{}},
		{"another run can have all of them", strings.Replace(strings.Replace(answer(`"item":"i3"`, scores), digestA, digestB, 1), `"run":"x"`, `"run":"y"`, 1), []string{}},
		{"a day that no calendar has", strings.NewReplacer(`"x"`, `"z"`, "11-21", "11-31").Replace(answer(`"item":"i3"`, scores)), []string{
			"judges/j.jsonl:3:33 invalid-value: The date 2026-11-31 does not exist. Fix the date.",
		}},
	}
	for _, tt := range tests {
		answers := lines(answer(`"item":"i1"`, scores), answer(`"item":"i2"`, scores), tt.line)
		d, problems, err := Load(dataset(goodHead, goodItems, answers, ""), "d")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, told(problems)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
		if want := 3 - min(len(tt.want), 1); len(d.Judges[0].Answers) != want {
			t.Errorf("%s: %d answers are taken, want %d", tt.reason, len(d.Judges[0].Answers), want)
		}
	}
}

func TestProblemsOfFiles(t *testing.T) {
	with := func(change func(fstest.MapFS)) fstest.MapFS {
		fsys := dataset(goodHead, goodItems, goodAnswers, "{}\n")
		change(fsys)
		return fsys
	}
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	tests := []struct {
		reason string
		fsys   fs.FS
		want   []string
	}{
		{"items behind a link", with(func(f fstest.MapFS) {
			f["calibration/d/items.jsonl"] = &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte("other.jsonl")}
		}), []string{"items.jsonl:1:1 not-a-file: This is a link, a folder, or a device: only regular files are read. Replace it with the file itself."}},
		{"items that can't be read", failing{with(func(fstest.MapFS) {}), []string{"calibration/d/items.jsonl"}}, []string{
			"items.jsonl:1:1 unreadable-file: The file or folder can't be read: permission denied. Check its permissions.",
		}},
		{"a folder in the place of answers", with(func(f fstest.MapFS) { f["calibration/d/judges/k.jsonl/x"] = file("") }), []string{
			"judges/k.jsonl:1:1 not-a-file: This is a link, a folder, or a device: only regular files are read. Replace it with the file itself.",
		}},
		{"answers under a name with capitals", with(func(f fstest.MapFS) { f["calibration/d/judges/My Judge.jsonl"] = file("") }), []string{
			"judges/My Judge.jsonl:1:1 stray-calibration-file: This is not a file of answers, and no command reads it. Rename it after its judge, in at most 64 lowercase letters and digits with single dashes or underscores, such as my-judge.jsonl, or move it elsewhere.",
		}},
		{"a byte order mark", with(func(f fstest.MapFS) { f["calibration/d/items.jsonl"] = file("\ufeff" + goodItems) }), []string{
			"items.jsonl:1:1 encoding: Remove the invisible byte order mark (U+FEFF): JSON does not allow it.",
		}},
		{"a file of an earlier program, which is not read", with(func(f fstest.MapFS) { f["calibration/d/history.jsonl"] = file("{") }), []string{}},
		{"a long line", with(func(f fstest.MapFS) {
			f["calibration/d/judges/j.jsonl"] = file("\n\"" + strings.Repeat("a", 1<<20) + "\"\n")
		}), []string{"judges/j.jsonl:2:1 line-too-long: The line has 1048578 bytes, more than the limit of 1048576. Shorten its texts."}},
		{"a run that was accepted on a day that does not exist", with(func(f fstest.MapFS) {
			f["calibration/d/dataset.yaml"] = file(goodHead + "accepted:\n  - {judge: j, model: m-1, repeats: 1, run: x, date: \"2026-02-30\", reason: It is as good.}\n")
		}), []string{"dataset.yaml:11:54 invalid-value: The date 2026-02-30 does not exist. Fix the date."}},
		{"runs that were accepted before they were recorded", with(func(f fstest.MapFS) {
			f["calibration/d/dataset.yaml"] = file(goodHead + "accepted:\n" +
				"  - {judge: j, model: m-1, repeats: 2, run: x, date: \"2026-11-21\", reason: It is as good.}\n" +
				"  - {judge: j, model: m-1, repeats: 2, run: z, date: \"2026-11-21\", reason: The next one.}\n" +
				"  - {judge: k, model: m-1, repeats: 2, run: x, date: \"2026-11-21\", reason: Of nobody.}\n")
		}), []string{
			`dataset.yaml:12:45 unknown-name: "j" has no run "z", so it can't be accepted. Remove the entry, and accept a recorded run with ` + "`rubric calibrate weekly --accept`.",
			`dataset.yaml:13:45 unknown-name: "k" has no run "x", so it can't be accepted. Remove the entry, and accept a recorded run with ` + "`rubric calibrate weekly --accept`.",
		}},
	}
	for _, tt := range tests {
		_, problems, err := Load(tt.fsys, "d")
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
		}
		if diff := cmp.Diff(tt.want, told(problems)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// TestOneMistakeIsOneProblem: the consequences of a mistake are not reported.
func TestOneMistakeIsOneProblem(t *testing.T) {
	tests := []struct{ reason, head, items string }{
		{"the answers to an item that can't be read", goodHead, strings.Replace(goodItems, `"i1",`, `"i1"`, 1)},
		{"the answers to an item with a wrong label", goodHead, strings.Replace(goodItems, `"clarity":4`, `"clarity":9`, 1)},
		{"labels where the criteria are not known", strings.Replace(goodHead, "people", "nobody", 1), goodItems},
	}
	for _, tt := range tests {
		_, problems, err := Load(dataset(tt.head, tt.items, goodAnswers, ""), "d")
		if err != nil || len(problems) != 1 {
			t.Errorf("%s: %v %q, want one problem", tt.reason, err, told(problems))
		}
	}
}

func TestManyProblemsAreCounted(t *testing.T) {
	d, problems, err := Load(dataset(goodHead, strings.Repeat("{\n", 150)+goodItems, "", ""), "d")
	if err != nil || len(problems) != mostProblems+1 || len(d.Items) != 3 {
		t.Fatalf("%v, %d problems and %d items, want %d and those behind them", err, len(problems), len(d.Items), mostProblems+1)
	}
	want := "items.jsonl:100:2 json-syntax: There are 50 more problems in this file. Fix the listed problems first."
	if got := told(problems)[mostProblems]; got != want {
		t.Errorf("the last is %q, want %q", got, want)
	}
}

func TestNames(t *testing.T) {
	fsys := fstest.MapFS{
		"calibration/b/dataset.yaml":      {},
		"calibration/a/dataset.yaml":      {},
		"calibration/drafts/items.jsonl":  {},
		"calibration/E-2/dataset.yaml":    {},
		"calibration/README.md":           {},
		"calibration/c/x/y/dataset.yaml":  {},
		"rubrics/calibration/d/other.txt": {},
	}
	if got, err := Names(fsys); err != nil || !cmp.Equal(got, []string{"a", "b"}) {
		t.Errorf("the datasets are %q %v, want a and b: no command reads E-2", got, err)
	}
	if got, err := Names(fstest.MapFS{}); err != nil || len(got) > 0 {
		t.Errorf("a library without datasets has %q %v", got, err)
	}
}

// TestLinksAreNoFolders: a link could lead out of the library.
func TestLinksAreNoFolders(t *testing.T) {
	library := t.TempDir()
	for name, file := range dataset(goodHead, goodItems, goodAnswers, "") {
		name = filepath.Join(library, "elsewhere", filepath.FromSlash(strings.TrimPrefix(name, Root+"/")))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, file.Data, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct{ reason, link, to string }{
		{"all datasets are behind it", Root, "elsewhere"},
		{"one dataset is", Root + "/d", "../elsewhere/d"},
	}
	for _, tt := range tests {
		root := filepath.Join(library, Root)
		link := filepath.Join(library, filepath.FromSlash(tt.link))
		if err := errors.Join(os.RemoveAll(root), os.MkdirAll(filepath.Dir(link), 0o777), os.Symlink(filepath.FromSlash(tt.to), link)); err != nil {
			t.Fatal(err)
		}
		want := tt.link + " is a file or a link: expected a folder. Replace it with the folder itself"
		if _, _, err := Load(os.DirFS(library), "d"); err == nil || err.Error() != want {
			t.Errorf("%s: the error is %v, want %s", tt.reason, err, want)
		}
		if names, _ := Names(os.DirFS(library)); len(names) > 0 {
			t.Errorf("%s: the datasets are %q, want none", tt.reason, names)
		}
	}
}

func TestNameOf(t *testing.T) {
	tests := []struct{ reason, path, want string }{
		{"the file", "calibration/a/dataset.yaml", "a"},
		{"the folder", "calibration/a", "a"},
		{"an address", "https://example.org/calibration/a", ""},
		{"a file below the folder", "calibration/a/items.jsonl", ""},
		{"a file beside the datasets", "calibration/dataset.yaml", ""},
		{"the way out", "calibration/..", ""},
		{"a slash at the end", "calibration/a/", ""},
		{"all datasets", "calibration/", ""},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		if got := NameOf(tt.path); got != tt.want {
			t.Errorf("%s: the name is %q, want %q", tt.reason, got, tt.want)
		}
	}
}

func TestItemsToLabelNeedNoLabels(t *testing.T) {
	items, found := ReadItems(source.NewFile("items.jsonl", []byte(`{"id":"i1","artifact":"a"}`+"\n\n"+`{"id":"i2","artifact":"b","inputs":{"task":"t"},"labels":{"ada":{"clarity":4}}}`+"\n")))
	if len(items) != 2 || len(found) > 0 {
		t.Errorf("got %v %v", items, found)
	}
	_, found = ReadItems(source.NewFile("items.jsonl", []byte(`{"id":"i1"}`+"\n"+`{"id":"i2","artifact":"a"}`+"\n"+`{"id":"i2","artifact":"b"}`+"\nx")))
	var got []string
	for _, p := range found {
		got = append(got, p.Message)
	}
	if len(got) != 3 || !strings.Contains(got[0], `Add "artifact"`) || !strings.Contains(got[1], "already in line 2") {
		t.Errorf("got %q", got)
	}
}

// TestAttemptsOfARun: of the attempts at a question, the answer counts, wherever its line
// is, and a question that no attempt answered counts as one without an answer.
func TestAttemptsOfARun(t *testing.T) {
	prompt := `"prompt_digest":"` + digestA + `"`
	answers := lines(
		answer(`"item":"i1","attempt":2`, `"scores":{"clarity":4}`, prompt), answer(`"item":"i1"`, `"unavailable":"503"`),
		answer(`"item":"i1","attempt":3`, `"unavailable":"late"`),
		answer(`"item":"i2"`, `"error":"refused"`),
		answer(`"item":"i3"`, `"unavailable":"503"`), answer(`"item":"i3","attempt":2`, `"unavailable":"504"`),
	)
	d, problems, err := Load(dataset(goodHead, goodItems, answers, ""), "d")
	if err != nil || len(problems) > 0 {
		t.Fatalf("%v %q", err, told(problems))
	}
	run := d.Judges[0].Runs()[0]
	var got []string
	for _, a := range run.Answers {
		got = append(got, fmt.Sprint(a.Item, a.Scores, a.Error))
	}
	if diff := cmp.Diff([]string{"i1map[clarity:4]", "i2map[]refused", "i3map[]504"}, got); diff != "" || run.Prompt != digestA {
		t.Errorf("the prompt is %q, and the answers (-want +got):\n%s", run.Prompt, diff)
	}
	if run.Unavailable != 4 {
		t.Errorf("the judge was unavailable in %d attempts, want 4", run.Unavailable)
	}
}
