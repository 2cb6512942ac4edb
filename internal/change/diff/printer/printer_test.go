package printer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/calibration/measure"
	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/comparison"
	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/dev/rendertest"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/textdiff"
)

// anyComparison draws one in which every text is hostile.
func anyComparison(t *rapid.T) *diff.Comparison {
	text := func(what string) string { return rendertest.Hostile(t, what) }
	value := func(what string) *compat.Value {
		if rapid.Bool().Draw(t, "no "+what) {
			return nil
		}
		return &compat.Value{Text: text(what), Position: source.Position{Line: 1, Column: 1}, File: "f"}
	}
	edition := func(what string) holdings.Edition {
		return holdings.Edition{Path: text(what), Kind: &document.Rubric}
	}
	base := &holdings.Library{Name: text("base"), Commit: gitrepo.Commit{Hash: strings.Repeat("a", 40)}}
	head := &holdings.Library{Name: text("head")}
	c := &diff.Comparison{Step: &change.Step{Comparison: &comparison.Comparison{Bases: []*holdings.Library{base}, Tip: base, Head: head}}, Base: change.Base{Target: text("target"), Why: text("why"), Tip: strings.Repeat("a", 40)}}
	if rapid.Bool().Draw(t, "with a target") {
		c.Tip = &holdings.Library{Name: text("tip"), Commit: gitrepo.Commit{Hash: strings.Repeat("b", 40)}}
	}
	for range rapid.IntRange(0, 3).Draw(t, "documents") {
		d := diff.DocumentDiff{
			ID: text("ID"), Advice: text("advice"), Required: render.Optional(text("required")),
			BaseVersion: render.Optional(text("base version")), HeadVersion: render.Optional(text("head version")),
			Status: rapid.SampledFrom([]diff.Status{diff.Added, diff.Removed, diff.Modified, diff.Moved}).Draw(t, "status"),
			Class:  rapid.SampledFrom([]schema.Class{0, schema.None, schema.Patch, schema.Minor, schema.Major}).Draw(t, "class"),
			Base:   edition("base"), Head: edition("head"), Fits: rapid.Bool().Draw(t, "fits"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			d.Changes = append(d.Changes, compat.MeaningChange{
				Kind: "reworded", Path: text("place"), Class: schema.Minor, Base: value("old text"), Head: value("new text"), Message: text("message"),
			})
		}
		c.Documents = append(c.Documents, d)
	}
	return c
}

// anyReplay draws one in which every text is hostile, or nil.
func anyReplay(t *rapid.T) *replay.Replay {
	optional := func(what string) render.Optional { return render.Optional(rendertest.Hostile(t, what)) }
	text := func(what string) string { return rendertest.Hostile(t, what) }
	texts := func(what string) []string {
		return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string { return rendertest.Hostile(t, what) }), 0, 2).Draw(t, what)
	}
	number := func(what string) int { return rapid.IntRange(0, 3).Draw(t, what) }
	switch number("kind of replay") {
	case 0:
		return nil
	case 1:
		return &replay.Replay{Missing: optional("why nothing was replayed")}
	}
	r := &replay.Replay{}
	for range number("rubrics") {
		rubric := replay.Rubric{ID: text("ID"), Replaces: optional("ID before"), Dataset: optional("dataset")}
		if rapid.Bool().Draw(t, "not replayed") {
			rubric.Missing = optional("why it was not replayed")
		}
		for range number("recordings") {
			rec := replay.Recording{
				Source: rapid.SampledFrom([]replay.Source{replay.Judge, replay.Labels}).Draw(t, "source"),
				Name:   text("name"), Run: optional("run"), Model: optional("model"), Items: 5, Replayed: number("replayed"),
				Unscored: texts("unscored"), Lost: texts("lost"), Indication: optional("indication"),
			}
			for range number("flips") {
				rec.Flips = append(rec.Flips, replay.Flip{Item: text("item"), To: replay.ToFail, Reasons: []replay.Reason{{Kind: replay.Criterion, Name: optional("criterion"), Message: text("reason")}}})
			}
			rec.Criteria = append(rec.Criteria, replay.Outcome{Kind: replay.Criterion, Name: text("outcome"), ToFail: 1})
			rubric.Recordings = append(rubric.Recordings, rec)
			rubric.Repeat = append(rubric.Repeat, replay.Run{Judge: rec.Name, Run: text("run"), Model: text("model")})
		}
		r.Rubrics = append(r.Rubrics, rubric)
	}
	return r
}

func TestNothingComesThroughInMarkdown(t *testing.T) {
	check := func(t *rapid.T, out string) {
		for line := range strings.Lines(out) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") {
				t.Fatalf("a line begins a command: %q", line)
			}
		}
		if rest := outside(t, out); strings.ContainsFunc(rest, acting) {
			t.Fatalf("outside of code there is\n%s\nin\n%s", rest, out)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		c := anyComparison(t)
		var b bytes.Buffer
		if err := Markdown(&b, c, anyReplay(t)); err != nil {
			t.Fatal(err)
		}
		check(t, b.String())
		b.Reset()
		if err := Changelog(&b, c, change.Release{Last: "1.0.0", Next: "1.1.0", Class: schema.Minor}); err != nil {
			t.Fatal(err)
		}
		check(t, b.String())
	})
}

// acting reports whether a character is one of Markdown or HTML that the templates don't
// use and that an entity is not made of, or that GitHub finds in the decoded text.
func acting(r rune) bool {
	return strings.ContainsRune("<>[]@~_\\`", r) || r != '\n' && !unicode.IsPrint(r)
}

var (
	wordsBlock = regexp.MustCompile(`<blockquote>(.*)</blockquote>`)
	inCode     = regexp.MustCompile(`<code>[^<]*</code>`)
	entity     = regexp.MustCompile(`&(#[0-9]+|[a-z]+);`)
	inWord     = regexp.MustCompile(`[a-zA-Z0-9]_[a-zA-Z0-9]`) // no markup
)

// outside is Markdown without its code spans and the tags and entities of the templates,
// which have to be sound.
func outside(t *rapid.T, out string) string {
	out = wordsBlock.ReplaceAllStringFunc(out, func(block string) string {
		// GitHub looks for links in each text between tags.
		text := strings.NewReplacer("<del>", "\n", "</del>", "\n", "<ins>", "\n", "</ins>", "\n", "<br>", "\n").Replace(wordsBlock.FindStringSubmatch(block)[1])
		text = entity.ReplaceAllString(inCode.ReplaceAllString(text, ""), "")
		if strings.ContainsAny(text, "<>&@#") || strings.Contains(text, "://") || strings.Contains(text, "www.") {
			t.Fatalf("something acts in %q", block)
		}
		return ""
	})
	var rest strings.Builder
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "|") && strings.Count(line, "|") != 5 {
			t.Fatalf("a line of the table has other cells: %q", line)
		}
		rest.WriteString(inWord.ReplaceAllString(entity.ReplaceAllString(withoutSpans(t, line), ""), ""))
	}
	return rest.String()
}

// withoutSpans cuts code spans out of a line as CommonMark reads them: from a
// run of backticks to the next of the same length.
func withoutSpans(t *rapid.T, line string) string {
	runs := regexp.MustCompile("`+").FindAllStringIndex(line, -1)
	var rest strings.Builder
	at := 0
	for i := 0; i < len(runs); i++ {
		rest.WriteString(line[at:runs[i][0]])
		length := runs[i][1] - runs[i][0]
		for i++; i < len(runs) && runs[i][1]-runs[i][0] != length; i++ {
		}
		if i == len(runs) {
			t.Fatalf("a code span is not closed: %q", line)
		}
		at = runs[i][1]
	}
	return rest.String() + line[at:]
}

func TestNothingActsInText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		if err := Text(&b, anyComparison(t), anyReplay(t), render.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			line = strings.TrimSuffix(line, "\n")
			if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") ||
				strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Fatalf("this line acts: %q", line)
			}
		}
	})
}

func TestJSONFitsItsSchema(t *testing.T) {
	compiled, err := jsonschema.NewCompiler().Compile("../../../../schema/diff-output.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		c := anyComparison(t)
		var b bytes.Buffer
		if err := JSON(&b, c, change.Release{}, anyReplay(t)); err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(&b)
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(v); err != nil {
			t.Fatal(err)
		}
	})
}

// TestSchemaOfJSONIsStrict changes one value at a time of an output, each of
// which the schema has to refuse.
func TestSchemaOfJSONIsStrict(t *testing.T) {
	compiled, err := jsonschema.NewCompiler().Compile("../../../../schema/diff-output.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	measured := []report.NumbersChange{{Dataset: "m", After: &measure.Numbers{Items: 3, Raters: 2, Removed: 4, Judges: []measure.JudgeNumbers{{Name: "n", Model: "v", Run: "w"}}}}}
	c := &diff.Comparison{Step: &change.Step{Comparison: &comparison.Comparison{Measured: measured}}, Documents: []diff.DocumentDiff{{
		ID: "x_v1", Status: diff.Modified, Class: schema.Minor, Required: "1.1.0", Fits: true,
		Kind: "rubric", BaseVersion: "1.0.0", HeadVersion: "1.1.0",
		Changes: []compat.MeaningChange{{Kind: "reworded", Path: "name", Class: schema.Minor, Message: "m", Head: &compat.Value{Text: "t", File: "f", Position: source.Position{Line: 1, Column: 2}}}},
	}}}
	played := &replay.Replay{Rubrics: []replay.Rubric{{ID: "x_v1", Dataset: "d", Repeat: []replay.Run{{Judge: "j", Run: "r", Model: "m"}}, Recordings: []replay.Recording{{
		Source: replay.Judge, Name: "j", Run: "r", Model: "m", Items: 7, Replayed: 6, Indication: "old",
		Flips:    []replay.Flip{{Item: "i", To: replay.ToFail, Reasons: []replay.Reason{{Kind: replay.Overall, Message: "why"}}}},
		Criteria: []replay.Outcome{{Kind: replay.NegativeCriterion, Name: "n", ToFail: 8, ToPass: 9}},
	}}}}}
	var b bytes.Buffer
	if err := JSON(&b, c, change.Release{Class: schema.Minor, Last: "1.0.0", Next: "1.1.0"}, played); err != nil {
		t.Fatal(err)
	}
	for _, tt := range [][2]string{
		{`"schema_version": 1`, `"schema_version": 2`}, {`"status": "modified"`, `"status": "other"`}, {`"kind": "rubric"`, `"kind": "ruleset"`},
		{`"kind": "reworded"`, `"kind": "other"`}, {`"class": "minor"`, `"class": ""`}, {`"ok": true`, `"ok": "yes"`}, {`"line": 1`, `"line": 0`},
		{`"column": 2`, `"column": 1.5`}, {`"message": "m"`, `"message": ""`}, {`"file": "f"`, `"path": "f"`}, {`"revision": ""`, `"revision": "main"`},
		{`"next_version": "1.1.0"`, `"next_version": 1`}, {`"id": "x_v1",`, ``}, {`"base": null,`, ``}, {`"required_version": "1.1.0"`, `"required_version": 1`},
		{`"dataset": "d"`, `"dataset": 1`}, {`"judge": "j",`, ``}, {`"source": "judge"`, `"source": "people"`}, {`"items": 7`, `"items": -1`},
		{`"replayed": 6`, `"replayed": 0.5`}, {`"indication": "old"`, `"indication": ""`}, {`"item": "i"`, `"item": 1`}, {`"to": "fail"`, `"to": "report"`},
		{`"kind": "overall"`, `"kind": "x"`}, {`"message": "why"`, `"message": ""`}, {`"kind": "negative_criterion"`, `"kind": "overall"`},
		{`"to_fail": 8`, `"to_fail": "8"`}, {`"to_pass": 9`, `"to_past": 9`}, {`"unscored": [],`, ``}, {`"lost": [],`, ``},
		{`"dataset": "m"`, `"dataset": 1`}, {`"before": null`, `"before": 1`}, {`"items": 3`, `"items": -1`}, {`"raters": 2,`, ``}, {`"removed": 4`, `"removed": "4"`}, {`"run": "w"`, `"runs": "w"`}, {`"model": "v",`, ``},
	} {
		if !strings.Contains(b.String(), tt[0]) {
			t.Fatalf("the output has no %s:\n%s", tt[0], &b)
		}
		var v any
		if err := json.Unmarshal([]byte(strings.Replace(b.String(), tt[0], tt[1], 1)), &v); err != nil {
			t.Fatal(err)
		}
		if compiled.Validate(v) == nil {
			t.Errorf("the schema accepts %s instead of %s", tt[1], tt[0])
		}
	}
}

func TestMarkdownHasALimit(t *testing.T) {
	base := &holdings.Library{Name: "a"}
	long := strings.Repeat("<word> ", 2000)
	c := &diff.Comparison{Step: &change.Step{Comparison: &comparison.Comparison{Bases: []*holdings.Library{base}, Tip: base, Head: base}}}
	for i := range 5000 {
		d := diff.DocumentDiff{ID: fmt.Sprintf("%0100d", i), Status: diff.Modified, Class: schema.Minor, Fits: true}
		for range 40 {
			d.Changes = append(d.Changes, compat.MeaningChange{Kind: "reworded", Class: schema.Minor, Message: "m", Head: &compat.Value{Text: long}})
		}
		c.Documents = append(c.Documents, d)
	}
	var b bytes.Buffer
	if err := Markdown(&b, c, nil); err != nil {
		t.Fatal(err)
	}
	out := b.String()
	if len(out) > 1_000_000 || len(out) < 500_000 {
		t.Errorf("the output has %d bytes, want about 900,000 at most", len(out))
	}
	text := strings.Join(strings.Fields(out), " ")
	if cut := regexp.MustCompile(`\n\| \d+ more documents \| \| \| \|\n`); !cut.MatchString(out) {
		t.Error("the table does not say how many documents it leaves out")
	}
	if cut := regexp.MustCompile(`\n\n\d+ more documents\n$`); !cut.MatchString(out) {
		t.Errorf("the end does not say how many documents it leaves out: %q", out[len(out)-200:])
	}
	for _, want := range []string{" more characters)</ins>", "</blockquote> - 2", " more changes "} {
		if !strings.Contains(text, want) {
			t.Errorf("the output does not say what it leaves out: %q", want)
		}
	}
}

// TestReplayInMarkdownHasALimit leaves room for the changes themselves.
func TestReplayInMarkdownHasALimit(t *testing.T) {
	base := &holdings.Library{Name: "a"}
	c := &diff.Comparison{Step: &change.Step{Comparison: &comparison.Comparison{Bases: []*holdings.Library{base}, Tip: base, Head: base}}}
	reasons := slices.Repeat([]replay.Reason{{Message: strings.Repeat("why ", 50)}}, 100)
	flips := slices.Repeat([]replay.Flip{{Item: "i", To: replay.ToFail, Reasons: reasons}}, 1000)
	r := &replay.Replay{}
	for i := range 2000 {
		r.Rubrics = append(r.Rubrics, replay.Rubric{ID: fmt.Sprint(i), Recordings: []replay.Recording{{Source: replay.Judge, Items: 1000, Replayed: 1000, Flips: flips}}})
	}
	var b bytes.Buffer
	if err := Markdown(&b, c, r); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 250_000 || b.Len() < 150_000 {
		t.Errorf("the output has %d bytes, want about 200,000", b.Len())
	}
	for _, want := range []string{" more rubrics\n", "; and 95 more", "- and 980 more items\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the output does not say what it leaves out: %q", want)
		}
	}
}

func TestLongTextsAreShortened(t *testing.T) {
	same := strings.Repeat("word ", 200)
	tests := []struct {
		reason string
		parts  []textdiff.Part
		want   []textdiff.Part
	}{
		{"short texts stay", []textdiff.Part{{Side: textdiff.Both, Text: "a b"}, {Side: textdiff.New, Text: "c"}}, []textdiff.Part{{Side: textdiff.Both, Text: "a b"}, {Side: textdiff.New, Text: "c"}}},
		{"before a change its end stays", []textdiff.Part{{Side: textdiff.Both, Text: same}, {Side: textdiff.New, Text: "c"}}, []textdiff.Part{{Side: textdiff.Both, Text: "… " + strings.Repeat("word ", 23)}, {Side: textdiff.New, Text: "c"}}},
		{"after a change its beginning stays", []textdiff.Part{{Side: textdiff.Old, Text: "c"}, {Side: textdiff.Both, Text: same}}, []textdiff.Part{{Side: textdiff.Old, Text: "c"}, {Side: textdiff.Both, Text: strings.Repeat("word ", 24) + "…"}}},
		{"a text without blanks", []textdiff.Part{{Side: textdiff.Old, Text: "c"}, {Side: textdiff.Both, Text: strings.Repeat("字", 400)}}, []textdiff.Part{{Side: textdiff.Old, Text: "c"}, {Side: textdiff.Both, Text: strings.Repeat("字", 120) + "…"}}},
		{"a very long change", []textdiff.Part{{Side: textdiff.New, Text: strings.Repeat("é", 4100)}}, []textdiff.Part{{Side: textdiff.New, Text: strings.Repeat("é", 4000) + "… (100 more characters)"}}},
	}
	for _, tt := range tests {
		got := shortened(tt.parts)
		if fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%s: %q, want %q", tt.reason, got, tt.want)
		}
	}
}

func TestWordsInMarkdown(t *testing.T) {
	tests := []struct {
		reason string
		parts  []textdiff.Part
		want   string
	}{
		{"what changed is marked", []textdiff.Part{{Side: textdiff.Both, Text: "a "}, {Side: textdiff.Old, Text: "b"}, {Side: textdiff.New, Text: "c"}}, "a <del>b</del><ins>c</ins>"},
		{"lines end where the text's do", []textdiff.Part{{Side: textdiff.Both, Text: "a\n  b\n\nc\n"}}, "a<br>&nbsp;&nbsp;b<br><br>c"},
		{"a space stays one", []textdiff.Part{{Side: textdiff.Both, Text: strings.Repeat("word ", 200) + "end"}}, strings.Repeat("word ", 200) + "end"},
		{"a line end that becomes a space is seen", []textdiff.Part{{Side: textdiff.Both, Text: "a"}, {Side: textdiff.Old, Text: "\n"}, {Side: textdiff.New, Text: " "}}, "a<del>↵<br></del><ins> </ins>"},
		{"no word becomes a link or a mention", []textdiff.Part{{Side: textdiff.Both, Text: "ask @team <b>"}}, "ask <code>@team</code> &lt;b&gt;"},
	}
	for _, tt := range tests {
		if got := words(tt.parts); got != tt.want {
			t.Errorf("%s:\ngot  %q\nwant %q", tt.reason, got, tt.want)
		}
	}
}

func TestWordsOnATerminal(t *testing.T) {
	parts := []textdiff.Part{{Side: textdiff.Both, Text: "a "}, {Side: textdiff.Old, Text: "b\nc"}, {Side: textdiff.New, Text: "d"}, {Side: textdiff.Both, Text: " e\n"}}
	for _, tt := range []struct {
		reason string
		color  bool
		want   string
	}{
		{"without colors the marks are those of git", false, "    | a [-b-]\n    | [-c-]{+d+} e\n"},
		{"a color ends with its line", true, "    \x1b[2m|\x1b[0m a \x1b[9;31mb\x1b[0m\n    \x1b[2m|\x1b[0m \x1b[9;31mc\x1b[0m\x1b[4;32md\x1b[0m e\n"},
	} {
		out := text{render.Text{Options: render.TextOptions{Color: tt.color}}}
		out.words(parts)
		if got := out.String(); got != tt.want {
			t.Errorf("%s:\ngot  %q\nwant %q", tt.reason, got, tt.want)
		}
	}
}
