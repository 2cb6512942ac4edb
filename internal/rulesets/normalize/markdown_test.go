package normalize

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/markdown"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

var update = flag.Bool("update", false, "rewrite the golden files of testdata")

func sample(t testing.TB) *source.File {
	t.Helper()
	data := must.Get(os.ReadFile("testdata/CRITERIA-TEMPLATES.md"))(t)
	return source.NewFile("CRITERIA-TEMPLATES.md", data)
}

// said formats problems like the command, one on each line.
func said(f *source.File, problems []source.Problem) string {
	var b strings.Builder
	place := func(s source.Span) string {
		from, to := f.Position(s.Start), f.Position(s.End)
		return fmt.Sprintf("%d:%d-%d:%d", from.Line, from.Column, to.Line, to.Column)
	}
	for _, p := range problems {
		at := place(p.Span)
		if p.Code == CodeConstraint {
			at = "-"
		}
		fmt.Fprintf(&b, "%s [%s] %s\n", at, p.Code, p.Message)
		for _, r := range p.Related {
			fmt.Fprintf(&b, "  %s %s\n", place(r.Span), r.Message)
		}
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := "testdata/" + name
	if *update {
		must.Do(t, os.WriteFile(path, []byte(got), 0o666))
	}
	want := must.Get(os.ReadFile(path))(t)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestTemplatesBecomeRules(t *testing.T) {
	f := sample(t)
	rows, problems := Markdown(f, "")
	rules, more := Rules(rows, nil)
	if text := said(f, append(problems, more...)); text != "" {
		t.Fatal(text)
	}
	golden(t, "templates.json", string(EncodeJSON(rules, false)))
}

// sectionsOf returns the headings for which Markdown finds a rule table, none for a file
// that can't be read.
func sectionsOf(f *source.File) []string {
	p, _ := readPage(f)
	if p == nil {
		return nil
	}
	return p.sections()
}

func TestSectionsOfTemplates(t *testing.T) {
	f := sample(t)
	want := map[string]int{"Criteria Templates": 8, "API design": 4, "Security": 1, "Code change": 2, "Document": 2}
	got := map[string]int{}
	for _, section := range sectionsOf(f) {
		rows, problems := Markdown(f, "  "+strings.ToUpper(section))
		if len(problems) > 0 {
			t.Errorf("%s: %s", section, said(f, problems))
		}
		got[section] = len(rows)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows by section (-want +got):\n%s", diff)
	}
}

// head is the start of a rule table.
const head = "| ID | Description | Severity | Check |\n|---|---|---|---|\n"

func TestMarkdownProblems(t *testing.T) {
	tests := []struct {
		reason, section, text, want string
	}{
		{
			"an unknown word", "", head + "| a.b.c | d | blocker | e |\n",
			`3:15-3:22 [invalid-value] Row 1, column "Severity": "severity" must be "fail", "warn", or "info", got "blocker".`,
		},
		{
			"the row is counted with the blank ones", "", "Text\n\n" + head + "| | | | |\n| a.b.c | d | fial | e |\n",
			`6:15-6:19 [invalid-value] Row 2, column "Severity": "severity" must be "fail", "warn", or "info", got "fial". Did you mean "fail"?`,
		},
		{
			"an ID of two parts", "", head + "| `a.b` | d | fail | e |\n",
			`3:3-3:8 [invalid-value] Row 1, column "ID": "id" must be three lowercase parts joined by dots: the phase a or b, the category, and the aspect, such as a.correctness.endpoints, got "a.b".`,
		},
		{
			"fields that are needed", "", head + "| – | d | - | e |\n",
			`3:7-3:8 [missing-key] Row 1, column "ID": Add "id" to the rule. Meaning: The ID of the rule: phase.category.aspect, such as a.correctness.endpoints.
3:7-3:8 [missing-key] Row 1, column "Severity": Add "severity" to the rule. Meaning: The effect of a failure.`,
		},
		{
			"a column that is needed", "", "|ID|Severity|Check|\n|-|-|-|\n| a.b.c | fail | e |\n",
			`3:3-3:8 [missing-key] Row 1 of the table in line 1: Add "description" to the rule "a.b.c". Meaning: What the rule checks.`,
		},
		{
			"no check", "", head + "| a.b.c | d | fail | — |\n",
			`3:3-3:8 [missing-key] Row 1, column "Check": The rule "a.b.c" has no check. Add in the column "Check" how to verify it, or add a constraint for it.`,
		},
		{
			"no column for the check", "", "|ID|Severity|Description|\n|-|-|-|\n| a.b.c | fail | d |\n",
			`3:3-3:8 [missing-key] Row 1 of the table in line 1: The rule "a.b.c" has no check. Add in a column "Check" how to verify it, or add a constraint for it.`,
		},
		{
			"a phase that is not the one of the ID", "", "ID|Phase|Description|Severity|Check\n-|-|-|-|-\na.b.c|b|d|fail|e\nb.b.c|C|d|fail|e",
			`3:7-3:8 [rule-phase] Row 1, column "Phase": Write phase A, or begin the ID with b: people read the phase from the ID.
4:7-4:8 [invalid-value] Row 2, column "Phase": "phase" must be "A" or "B", got "C".`,
		},
		{
			"weights", "", "ID|Description|Check|Severity|Weight\n-|-|-|-|-\na.b.c|d|e|fail|0\na.b.d|d|e|info|1\na.b.e|d|e|warn|heavy\na.b.f|d|e|warn|1e3\na.b.g|d|e|fail|-1\na.b.h|d|e|fail|nan\na.b.i|d|e|fail|1,5\na.b.j|d|e|info|0\na.b.k|d|e|info|-2",
			`3:16-3:17 [rule-weight] Row 1, column "Weight": Write a weight above 0, or make the rule info: with 0, it does not count in the score.
4:16-4:17 [rule-weight] Row 2, column "Weight": Remove the weight or write 0: the rule is info, so it is recorded but never scored.
5:16-5:21 [wrong-type] Row 3, column "Weight": "weight" must be a number such as 3.5, got "heavy". Meaning: How much the rule counts. Default: 2 for fail, 1 for warn, 0 for info.
6:16-6:19 [wrong-type] Row 4, column "Weight": Write "1e3" as a plain decimal number such as 3.5: programs read other forms differently.
7:16-7:18 [invalid-value] Row 5, column "Weight": "weight" must be from 0.0 to 1000000.0, got -1. Meaning: How much the rule counts. Default: 2 for fail, 1 for warn, 0 for info.
8:16-8:19 [wrong-type] Row 6, column "Weight": Write "nan" as a plain decimal number such as 3.5: programs read other forms differently.
9:16-9:19 [wrong-type] Row 7, column "Weight": "weight" must be a number such as 3.5, got "1,5". Did you mean 1.5?
11:16-11:18 [invalid-value] Row 9, column "Weight": "weight" must be from 0.0 to 1000000.0, got -2. Meaning: How much the rule counts. Default: 2 for fail, 1 for warn, 0 for info.`,
		},
		{
			"one ID twice", "", head + "| a.b.c | d | fail | e |\n\n" + head + "| a.b.c | f | warn | g |\n",
			`7:3-7:8 [duplicate-id] Row 1, column "ID": row 1 of the table in line 1 already has the ID "a.b.c", and verdicts refer to rules by ID. Choose another ID.
  3:3-3:8 first used here`,
		},
		{
			"a cell too many", "", head + "| a.b.c | d | fail | e | f \\| g | h |\n| a.b.d | d | fail | e | |\n| a.b.e | d | fail | e\n",
			`3:26-3:36 [rule-table] Row 1 of the table in line 1: "f \\| g | h" is after the last column, so it is ignored. The header has 4 columns. Escape a | in a cell as \|.`,
		},
		{
			"a misspelled column and one that is there twice", "", "|ID|Severty|Description|Check|Rule ID|Owner|\n|-|-|-|-|-|-|\n",
			`1:5-1:12 [rule-table] The column "Severty" is not a field of a rule. Did you mean "Severity"? If not, rename the column.
1:31-1:38 [rule-table] The columns "ID" and "Rule ID" both have the rule's id. Remove one of them.
  1:2-1:4 the other column`,
		},
		{
			"no table", "", "# API design\n\nText\n",
			"1:1-1:1 [no-rules] The file has no rule table. A rule table needs the columns ID, Description, Severity, and Check; Weight and Phase are optional.",
		},
		{
			"a table without rows", "", head,
			"1:1-1:40 [no-rules] The table has no rows. Add at least one rule below its header.",
		},
		{
			"a section without a table", "code", "# API\n" + head + "| a.b.c | d | fail | e |\n# Code\nText\n",
			`5:3-5:7 [section] This section has no rule table. A rule table needs the columns ID, Description, Severity, and Check; Weight and Phase are optional. Sections with rule tables include "API".`,
		},
		{
			"an unknown section", "Documnt", "# Templates\n## API\n" + head + "## Document\n" + head + "## Text\n",
			`1:1-1:1 [section] The file has no heading "Documnt". Did you mean "Document"? Sections with rule tables include "Templates", "API", and "Document".`,
		},
		{
			"a header and a line below it that don't fit", "", head + "| a.b.c | d | fail | e |\n\n| ID | Description | Severity |\n|---|---|\n| a.b.d | d | fail |\n",
			`5:1-5:32 [rule-table] This line is not in a table, so it is ignored. A table starts with a header, directly followed by a line such as |---|---| with as many columns, has no blank lines between its rows, and at most 262144 cells.`,
		},
		{
			"a blank line within a table", "", head + "| a.b.c | d | fail | e |\n\n| a.b.d | d | fail | e |\n",
			`5:1-5:25 [rule-table] This line is not in a table, so it is ignored. A table starts with a header, directly followed by a line such as |---|---| with as many columns, has no blank lines between its rows, and at most 262144 cells.`,
		},
		{
			"a very long cell", "", head + "| a.b.c | d | fail | " + strings.Repeat("é", 5000) + " |\n",
			`3:22-3:5022 [rule-table] Row 1, column "Check": The cell has 10000 bytes, more than the limit of 8192. Shorten its text.`,
		},
		{
			"a file that is not UTF-8", "", head + "| a.b.c | d | fail | \xff |\n",
			"3:22-3:23 [encoding] Byte 0xFF is not UTF-8 text. Save the file as UTF-8.",
		},
		{
			"cells that nobody wrote", "", strings.Repeat("|a", 2000) + "|\n" + strings.Repeat("|-", 2000) + "|\n" + strings.Repeat("|\n", 2000),
			"1:1-1:4002 [rule-table] This line is not in a table, so it is ignored. A table starts with a header, directly followed by a line such as |---|---| with as many columns, has no blank lines between its rows, and at most 262144 cells.\n" +
				"1:1-1:1 [no-rules] The file has no rule table. A rule table needs the columns ID, Description, Severity, and Check; Weight and Phase are optional.",
		},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			f := source.NewFile("f.md", []byte(tt.text))
			rows, problems := Markdown(f, tt.section)
			_, more := Rules(rows, nil)
			if diff := cmp.Diff(tt.want+"\n", said(f, append(problems, more...))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestCellsAreReadAsTheyShow(t *testing.T) {
	tests := []struct{ reason, cell, want string }{
		{"emphasis", "*one* __two__ snake_case", "one two snake_case"},
		{"code", "`a  b` and ``c`d``", "`a  b` and ``c`d``"},
		{"an escaped pipe", `a \| b`, "a | b"},
		{"an escaped pipe in code", "`a \\| b`", "`a | b`"},
		{"an escape in code is kept", "`a\\*b`", "`a\\*b`"},
		{"escapes", `\*a\* \_b \[c\] \\d`, `*a* _b [c] \d`},
		{"entities, once", "&lt;id&gt; &amp;lt; &#x41; &nosuch;", "<id> &lt; A &nosuch;"},
		{"an escaped entity", `\&lt;`, "&lt;"},
		{"links", "[text *x*](https://example.org 'title') <https://example.org>", `text x (https://example.org "title") https://example.org`},
		{"a link that is defined elsewhere", "[see][ref] [other][none]", "see (https://example.org) [other][none]"},
		{"an image", "![alt](x.png)", "alt (x.png)"},
		{"line breaks", "one<br>two <BR/> three", "one two three"},
		{"a comment", "a <!-- b --> c", "a (b) c"},
		{"a placeholder", "GET /users/<id>", "GET /users/<id>"},
		{"what begins a block elsewhere", "- # > 1. a", "- # > 1. a"},
		{"blanks of Unicode", "\u00a0a b\u3000", "a b"},
		{"a text of several bytes", "Größe 漢字 🙂", "Größe 漢字 🙂"},
	}
	for _, tt := range tests {
		text := "| Check | ID | Description | Severity |\n|---|---|---|---|\n| " + tt.cell + " | a.b.c | d | fail |\n\n[ref]: https://example.org\n"
		f := source.NewFile("f.md", []byte(text))
		rows, problems := Markdown(f, "")
		rules, more := Rules(rows, nil)
		if len(rules) != 1 {
			t.Errorf("%s: %s", tt.reason, said(f, append(problems, more...)))
		} else if rules[0].Check != tt.want {
			t.Errorf("%s: %s is read as %q, want %q", tt.reason, tt.cell, rules[0].Check, tt.want)
		}
	}
}

func TestCellsHaveTheirPlace(t *testing.T) {
	lines := func(prefix, eol string) string {
		return strings.ReplaceAll(prefix+"| Größe | ID | Check |\n"+prefix+"|---|---|---|\n"+prefix+"| `ü \\| 漢` | a.b.c | **x** `y\\|z` |\n", "\n", eol)
	}
	tests := []struct {
		reason, text string
		want         source.Position // of the check
	}{
		{"a plain table", lines("", "\n"), source.Position{Line: 3, Column: 22}},
		{"CRLF", "Text\r\n\r\n" + lines("", "\r\n"), source.Position{Line: 5, Column: 22}},
		{"an indented table", lines("   ", "\n"), source.Position{Line: 3, Column: 25}},
		{"a table in a list", "- a\n\n" + lines("  ", "\n"), source.Position{Line: 5, Column: 24}},
		{"a table in a list, with tabs", "- a\n\n" + lines("\t", "\n"), source.Position{Line: 5, Column: 23}},
		{"a table in a quotation", lines("> ", "\n"), source.Position{Line: 3, Column: 24}},
		{"a table in a quotation, with a tab", lines(">\t", "\n"), source.Position{Line: 3, Column: 24}},
		{"a table behind a paragraph", "é\n" + lines("", "\n"), source.Position{Line: 4, Column: 22}},
		{"the last line without an end", strings.TrimSuffix(lines("", "\n"), " |\n"), source.Position{Line: 3, Column: 22}},
		{"an escaped pipe at the end", strings.Replace(lines("", "\n"), "z` |", `z\|`, 1), source.Position{Line: 3, Column: 22}},
	}
	for _, tt := range tests {
		f := source.NewFile("f.md", []byte(tt.text))
		rows, _ := Markdown(f, "")
		if len(rows) != 1 {
			t.Errorf("%s: %d rows", tt.reason, len(rows))
			continue
		}
		check := rows[0].Field("check")
		if at := f.Position(check.Span.Start); at != tt.want {
			t.Errorf("%s: the check is at %v, want %v", tt.reason, at, tt.want)
		}
		if raw := f.Text(check.Span); !strings.HasPrefix(raw, "**x** `y\\|z") || !strings.HasPrefix(check.Value, "x ") || strings.Contains(check.Value, `\`) {
			t.Errorf("%s: the check is %q, from %q", tt.reason, check.Value, raw)
		}
	}
}

func TestWhatLooksLikeATableElsewhereIsNone(t *testing.T) {
	table := head + "| a.b.c | d | fail | e |\n"
	tests := map[string]string{
		"fenced code":    "```\n" + table + "```\n",
		"indented code":  "    " + strings.ReplaceAll(table, "\n", "\n    "),
		"a comment":      "<!--\n" + table + "-->\n",
		"no column ID":   strings.Replace(table, "| ID ", "| Key ", 1),
		"a nested quote": strings.Repeat("> ", markdown.MostNested+1) + "a\n",
	}
	for reason, text := range tests {
		f := source.NewFile("f.md", []byte(text))
		rows, problems := Markdown(f, "")
		if len(rows) > 0 || len(problems) != 1 || problems[0].Code != CodeNoRules {
			t.Errorf("%s: %d rows, %s", reason, len(rows), said(f, problems))
		}
	}
}
