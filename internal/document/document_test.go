package document_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/documenttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// parse parses a document that must be valid.
func parse(t interface{ Fatalf(string, ...any) }, data []byte) *document.Document {
	d := document.Parse(source.NewFile("x.yaml", data))
	if !d.Valid() {
		t.Fatalf("the document is not valid: %+v\n%s", d.Problems, data)
	}
	return d
}

func canonical(t interface{ Fatalf(string, ...any) }, d *document.Document) []byte {
	data, err := d.Canonical()
	if err != nil {
		t.Fatalf("%v", err)
	}
	return data
}

// TestModelIsWhatJSONGives checks that the typed model of a tree is what encoding/json
// decodes from the canonical form.
func TestModelIsWhatJSONGives(t *testing.T) {
	t.Run("rubric", rapid.MakeCheck(func(t *rapid.T) {
		d := parse(t, documenttest.JSON(documenttest.Any(&document.Rubric).Draw(t, "rubric")))
		var want rubric.Rubric
		must.Do(t, json.Unmarshal(canonical(t, d), &want))
		if diff := cmp.Diff(&want, d.Rubric()); diff != "" {
			t.Fatalf("the model differs from the JSON decoder (-json +model):\n%s", diff)
		}
		if d.RuleSet() != nil {
			t.Fatal("a rubric has a rule set's model")
		}
	}))
	t.Run("rule set", rapid.MakeCheck(func(t *rapid.T) {
		d := parse(t, documenttest.JSON(documenttest.Any(&document.RuleSet).Draw(t, "rule set")))
		var want ruleset.RuleSet
		must.Do(t, json.Unmarshal(canonical(t, d), &want))
		if diff := cmp.Diff(&want, d.RuleSet()); diff != "" {
			t.Fatalf("the model differs from the JSON decoder (-json +model):\n%s", diff)
		}
	}))
}

// TestOnlyTheCanonicalFormIsRead: the same meaning in another form is an error.
func TestOnlyTheCanonicalFormIsRead(t *testing.T) {
	for _, k := range document.Kinds() {
		t.Run(k.Name, rapid.MakeCheck(func(t *rapid.T) {
			d := parse(t, documenttest.JSON(documenttest.Any(k).Draw(t, "document")))
			data := canonical(t, d)
			again, err := document.ParseCanonical("x.json", data, k)
			if err != nil {
				t.Fatalf("%v\n%s", err, data)
			}
			if diff := cmp.Diff(d.Rubric(), again.Rubric()) + cmp.Diff(d.RuleSet(), again.RuleSet()); diff != "" {
				t.Errorf("it means something else:\n%s", diff)
			}
			for _, other := range [][]byte{append([]byte(" "), data...), append(slices.Clip(data), '\n'), bytes.Replace(data, []byte(`":`), []byte(`": `), 1)} {
				if _, err := document.ParseCanonical("x.json", other, k); err == nil {
					t.Errorf("another form is read:\n%s", other)
				}
			}
		}))
	}
}

// TestADamagedCanonicalFormIsNotRead changes bytes of it: what is read is JSON, and in canonical form.
func TestADamagedCanonicalFormIsNotRead(t *testing.T) {
	for _, k := range document.Kinds() {
		t.Run(k.Name, rapid.MakeCheck(func(t *rapid.T) {
			data := slices.Clone(canonical(t, parse(t, documenttest.JSON(documenttest.Any(k).Draw(t, "document")))))
			at := rapid.IntRange(0, len(data)-1).Draw(t, "at")
			n := rapid.IntRange(0, min(3, len(data)-at)).Draw(t, "removed")
			damage := rapid.SliceOfN(rapid.SampledFrom([]byte(`{}[],:"\ 0e1-tn`+"\x00\n\xff")), 0, 3).Draw(t, "damage")
			data = slices.Replace(data, at, at+n, damage...)
			d, err := document.ParseCanonical("x.json", data, k)
			if err != nil {
				return
			}
			if !json.Valid(data) {
				t.Fatalf("read what is not JSON:\n%s", data)
			}
			if again := must.Get(d.Canonical())(t); !bytes.Equal(again, data) {
				t.Fatalf("read another form:\n%s\nof:\n%s", data, again)
			}
		}))
	}
}

// TestCanonicalFormForgetsTheLayout writes a document in many layouts; all have the
// same canonical form, which is its own canonical form.
func TestCanonicalFormForgetsTheLayout(t *testing.T) {
	for _, k := range document.Kinds() {
		t.Run(k.Name, rapid.MakeCheck(func(t *rapid.T) {
			doc := documenttest.Any(k).Draw(t, "document")
			want := canonical(t, parse(t, documenttest.JSON(doc)))
			shuffle := func(keys []string) { copy(keys, rapid.Permutation(keys).Draw(t, "keys")) }
			style := func() int { return rapid.IntRange(0, 2).Draw(t, "style") }
			yaml := documenttest.YAML(doc, shuffle, style)
			if got := canonical(t, parse(t, yaml)); !bytes.Equal(got, want) {
				t.Fatalf("the layout changes the canonical form\n%s\ngot  %s\nwant %s", yaml, got, want)
			}
			if got := canonical(t, parse(t, want)); !bytes.Equal(got, want) {
				t.Fatalf("the canonical form is not its own canonical form\ngot  %s\nwant %s", got, want)
			}
			var compact bytes.Buffer
			if err := json.Compact(&compact, want); err != nil || !bytes.Equal(compact.Bytes(), want) {
				t.Fatalf("the canonical form has blanks or is no JSON: %v", err)
			}
		}))
	}
}

// TestTextsMeanTheSameInNFC holds that letters with marks mean the same however they are written,
// and that a canonical form from before is still read.
func TestTextsMeanTheSameInNFC(t *testing.T) {
	text := read(t, "rubric.yaml")
	write := func(word string) *document.Document {
		return parse(t, []byte(strings.Replace(text, "Make it better.", word, 1)))
	}
	want := write(`"A résumé \u0915\u093c"`) // NFC writes the letter U+0958 as these two characters
	for _, word := range []string{"\"A re\u0301sume\u0301 \u0958\"", `"A re\u0301sume\u0301 \u0958"`} {
		d := write(word)
		if diff := cmp.Diff(string(canonical(t, want)), string(canonical(t, d))) + cmp.Diff(want.Rubric(), d.Rubric()); diff != "" {
			t.Errorf("%q means something else (-want +got):\n%s", word, diff)
		}
		if diff := cmp.Diff(must.Get(want.JudgeDigests())(t), must.Get(d.JudgeDigests())(t)); diff != "" {
			t.Errorf("%q has other judge digests (-want +got):\n%s", word, diff)
		}
		before := bytes.Replace(canonical(t, d), []byte("résumé"), []byte("re\u0301sume\u0301"), 1)
		if again, err := document.ParseCanonical("x.json", before, &document.Rubric); err != nil || must.Get(again.Digest())(t) != must.Get(want.Digest())(t) {
			t.Errorf("a canonical form from before is not read: %v", err)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	return string(must.Get(os.ReadFile(filepath.Join("testdata", name)))(t))
}

func digest(t *testing.T, text string) string {
	t.Helper()
	return must.Get(parse(t, []byte(text)).Digest())(t)
}

// TestCanonicalFormAndDigestsAreFrozen protects what consumers store with their
// scores: neither may change for an unchanged document.
func TestCanonicalFormAndDigestsAreFrozen(t *testing.T) {
	for _, name := range []string{"rubric", "ruleset"} {
		d := parse(t, []byte(read(t, name+".yaml")))
		if got, want := string(canonical(t, d)), strings.TrimSpace(read(t, name+".canonical.json")); got != want {
			t.Errorf("%s: the canonical form changed\ngot  %s\nwant %s", name, got, want)
		}
	}
	if got, want := digest(t, read(t, "rubric.yaml")), "sha256:"+strings.TrimSpace(read(t, "rubric.sha256")); got != want {
		t.Errorf("the document digest is %s, want %s", got, want)
	}
}

func TestExplicitDefaultsChangeNoDigest(t *testing.T) {
	text := read(t, "rubric.yaml")
	want := digest(t, text)
	for _, one := range []string{"1", "1.0"} {
		changed := strings.ReplaceAll(text, "    threshold:", "    relative_weight: "+one+"\n    threshold:")
		if got := digest(t, changed); got != want || changed == text {
			t.Errorf("a relative weight of %s changes the digest", one)
		}
	}
	for reason, added := range map[string]string{
		"the default language":        "\nlanguage: en\n",
		"an empty group of metadata":  "\nmetadata: {}\n",
		"a comment":                   "\n# more\n",
		"an explicit document marker": "",
	} {
		changed := text + added
		if added == "" {
			changed = "---\n" + text
		}
		if got := digest(t, changed); got != want {
			t.Errorf("%s changes the digest", reason)
		}
	}
	if got := digest(t, strings.Replace(text, `name: "Frozen"`, `name: "Other"`, 1)); got == want {
		t.Error("another name does not change the digest")
	}
}

func TestJudgeDigestsCoverWhatAJudgeReads(t *testing.T) {
	text := read(t, "rubric.yaml")
	sums := func(text string) document.JudgeDigests {
		return must.Get(parse(t, []byte(text)).JudgeDigests())(t)
	}
	before := sums(text)
	if len(before.Parts) != 2 || before.Parts["clarity"] == before.Parts["scope"] {
		t.Fatalf("the criteria have the digests %v", before.Parts)
	}
	for _, tt := range []struct {
		reason, old, new         string
		whole, clarity, anyScope bool // whether each changes
	}{
		{"the ID is not read", "rubric_id: frozen_v1", "rubric_id: fork_v1", false, false, false},
		{"the version is not read", `"1.0.0"`, `"1.0.1"`, false, false, false},
		{"the rubric's description is not read", "What it is for.", "Another.", false, false, false},
		{"a threshold is not read", "threshold: 3.5", "threshold: 4", false, false, false},
		{"a relative weight is not read", "threshold: 3.5", "threshold: 3.5\n    relative_weight: 2", false, false, false},
		{"an anchor is read", "Neither is named.", "None is named.", true, true, false},
		{"an example is read", "Make it better.", "Improve it.", true, true, false},
		{"another criterion has its own", "Whether it has one goal.", "Whether the goal is one.", true, false, true},
	} {
		changed := strings.Replace(text, tt.old, tt.new, 1)
		if changed == text {
			t.Fatalf("%s: %q is not in the document", tt.reason, tt.old)
		}
		after := sums(changed)
		got := []bool{after.Whole != before.Whole, after.Parts["clarity"] != before.Parts["clarity"], after.Parts["scope"] != before.Parts["scope"]}
		if diff := cmp.Diff([]bool{tt.whole, tt.clarity, tt.anyScope}, got); diff != "" {
			t.Errorf("%s: %s", tt.reason, diff)
		}
	}
}

// TestJudgeDigestsAndOrder checks that a judge reads criteria in order, and rules one
// by one.
func TestJudgeDigestsAndOrder(t *testing.T) {
	turned := func(name, list string) (before, after document.JudgeDigests) {
		var doc map[string]any
		must.Do(t, json.Unmarshal(canonical(t, parse(t, []byte(read(t, name)))), &doc))
		for _, digests := range []*document.JudgeDigests{&before, &after} {
			var err error
			if *digests, err = parse(t, documenttest.JSON(doc)).JudgeDigests(); err != nil {
				t.Fatal(err)
			}
			slices.Reverse(doc[list].([]any))
		}
		return before, after
	}
	if before, after := turned("rubric.yaml", "criteria"); before.Whole == after.Whole || !cmp.Equal(before.Parts, after.Parts) {
		t.Errorf("criteria in another order: before %v, after %v", before, after)
	}
	if before, after := turned("ruleset.yaml", "rules"); !cmp.Equal(before, after) {
		t.Errorf("rules in another order: before %v, after %v", before, after)
	}
}

func TestInvalidDocumentsHaveNoCanonicalForm(t *testing.T) {
	d := document.Parse(source.NewFile("x.yaml", []byte("rubric_id: x_v1\n")))
	if _, err := d.Canonical(); err == nil {
		t.Error("a document that lacks everything has a canonical form")
	}
	if _, err := d.Digest(); err == nil {
		t.Error("it has a digest")
	}
	if _, err := d.JudgeDigests(); err == nil {
		t.Error("it has judge digests")
	}
	if d.Rubric() != nil || d.RuleSet() != nil {
		t.Error("it has a model")
	}
}

func TestSlugs(t *testing.T) {
	for text, want := range map[string]string{
		"Clarity": "clarity", "Is it clear?": "is_it_clear", "2nd draft": "draft", "überprüft": "", "": "", "– ?": "",
		"Does the response cite each of its sources?": "cite_sources", "Logical Correctness (v2)": "logical_correctness_v2",
		"Tests für alle Endpunkte": "tests_alle_endpunkte",
	} {
		if got := document.Slug(text, 4); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
