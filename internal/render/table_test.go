package render

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

var update = flag.Bool("update", false, "rewrite testdata/tables.golden")

var header = []string{"ID", "VERSION", "KIND", "ARTIFACT TYPE", "NAME", ""}

// hardTables have texts that do not fit 80 columns, each among rows that do.
var hardTables = []struct {
	reason string
	rows   [][]string
}{
	{"one ID of 120 characters", [][]string{
		header,
		{"code_change_v1", "1.3.0", "rule set", "code_change", "Code Change", ""},
		{strings.Repeat("very_long_", 12), "1.0.2", "rubric", "prd", "PRD Quality", ""},
		{"technical_document_v1", "1.0.1", "rule set", "technical_document", "Technical Text", ""},
	}},
	{"one long name, and one long artifact type", [][]string{
		header,
		{"code_change_v1", "1.3.0", "rule set", "code_change", "Code Change", ""},
		{"prd_quality_v1", "1.0.2", "rubric", strings.Repeat("type_", 12), "PRD Quality", ""},
		{"technical_document_v1", "1.0.1", "rule set", "technical_document", strings.Repeat("A document and its name ", 8), ""},
	}},
	{"wide characters", [][]string{
		header,
		{"code_change_v1", "1.3.0", "rule set", "code_change", "Code Change", ""},
		{"yaoqiu_wendang_v1", "1.0.2", "rubric", "prd", strings.Repeat("产品需求文档质量评分标准，", 5), ""},
		{"user_story_v1", "12.10.1", "rubric", "jira_tickets", "ユーザーストーリーの品質を評価するルーブリック", "deprecated"},
	}},
	{"combining marks, emoji, and text from right to left", [][]string{
		header,
		{"code_change_v1", "1.3.0", "rule set", "code_change", "Code Change", ""},
		{"marks_v1", "1.0.2", "rubric", "prd", strings.Repeat("e\u0301t\u0323e\u0301 ", 12), ""},
		{"emoji_v1", "1.0.2", "rubric", "prd", strings.Repeat("👩\u200d🚀👍🏽🇩🇪", 6), ""},
		{"hebrew_v1", "1.0.2", "rubric", "prd", strings.Repeat("איכות סיפור משתמש ", 4), ""},
	}},
	{"names of criteria of 60 characters, beside numbers", [][]string{
		{"PERSON", "CRITERION", "ITEMS", "AGREES", "SEVERITY", "PASSES", "FAILS"},
		{"author_1", strings.Repeat("problem_definition_", 3), "16", "1.00", "-0.06", "1/1", "15/15"},
		{"", strings.Repeat("s", 60), "16", "1.00", "0.00", "", ""},
		{strings.Repeat("author_", 10), "scope", "16", "1.00", "0.00", "1/1", "15/15"},
	}},
	{"a long text in each row", [][]string{
		{"CRITERION", "WEIGHT", "MINIMUM", "QUESTION"},
		{"clarity", "essential", "3", strings.Repeat("How many parts of a story are named? ", 3)},
		{"testability", "important", "3.5", strings.Repeat("Can a tester decide from its text? ", 3)},
		{"unstated_assumption", "negative", "", "清楚吗？" + strings.Repeat("每个验收标准都可以测试", 6)},
	}},
}

func TestTablesOf80Columns(t *testing.T) {
	var out strings.Builder
	for _, tt := range hardTables {
		out.WriteString("== " + tt.reason + "\n")
		must.Do(t, Table(&out, tt.rows, 80))
	}
	const name = "testdata/tables.golden"
	if *update {
		must.Do(t, os.WriteFile(name, []byte(out.String()), 0o666))
	}
	if diff := cmp.Diff(string(must.Get(os.ReadFile(name))(t)), out.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// TestOneLongTextChangesNoOtherRow: a row that fits is one line, whatever is in other rows.
func TestOneLongTextChangesNoOtherRow(t *testing.T) {
	blanks := regexp.MustCompile(" +")
	for _, tt := range hardTables[:3] {
		for i, row := range Rows(tt.rows, 0, 80) {
			fits := Columns(tt.rows[i][0]) < 40 && Columns(tt.rows[i][3]) < 20 && Columns(tt.rows[i][4]) < 20
			if want := strings.TrimSpace(strings.Join(tt.rows[i], " ")); fits && blanks.ReplaceAllString(row, " ") != want {
				t.Errorf("%s: got %q, want %q on one line", tt.reason, row, want)
			}
		}
	}
}

// TestTablesKeepTheirTexts: whatever the texts, a table in a file has a line for each row; no line
// on a terminal is wider than it, unless it is a name; names are whole; and no text is lost.
func TestTablesKeepTheirTexts(t *testing.T) {
	text := rapid.StringOfN(rapid.SampledFrom([]rune("abcdefg_-. 漢字語é\u0301🙂👍\u200d🏽שם\u202e\t:")), 0, 200, -1)
	short := rapid.StringOfN(rapid.SampledFrom([]rune("ab1 漢é")), 0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		count, columns := rapid.IntRange(1, 6).Draw(t, "cells"), rapid.IntRange(40, 200).Draw(t, "columns")
		name := rapid.IntRange(0, min(1, count-1)).Draw(t, "name")
		row := rapid.SliceOfN(rapid.OneOf(short, short, text), count, count)
		rows := rapid.SliceOfN(row, 1, 12).Draw(t, "rows")
		for i := range rows {
			rows[i][name] = strings.ReplaceAll(rows[i][name], " ", "_")
		}
		rows[0][name] = "ID"
		for i, shown := range Rows(rows, name, columns) {
			checkRow(t, rows[i], shown, name, columns)
		}
		if lines := Rows(rows, name, 0); slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, "\n") }) {
			t.Errorf("a table in a file has a row of several lines: %q", lines)
		}
	})
}

func checkRow(t *rapid.T, row []string, shown string, name, columns int) {
	t.Helper()
	id := sanitize.Line(row[name])
	lines := strings.Split(shown, "\n")
	if !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, strings.TrimRight(id, " ")) }) {
		t.Errorf("the name %q is broken: %q", id, shown)
	}
	for _, line := range lines {
		if Columns(line) > columns && !(Columns(id) > columns/2 && strings.HasSuffix(line, strings.TrimRight(id, " "))) {
			t.Errorf("%d columns of %d: %q", Columns(line), columns, line)
		}
	}
	count := func(text string) map[rune]int {
		n := map[rune]int{}
		for _, c := range text {
			n[c]++
		}
		delete(n, ' ')
		delete(n, '\n')
		return n
	}
	if diff := cmp.Diff(count(sanitize.Line(strings.Join(row, " | "))), count(shown+strings.Repeat("|", len(row)-1))); diff != "" {
		t.Errorf("texts are lost or added (-row +shown):\n%s\n%q", diff, shown)
	}
}

// TestCharactersStayWhole: marks, joined emoji, and skin colors stay with their character where a
// word is broken.
func TestCharactersStayWhole(t *testing.T) {
	for text, want := range map[string][]string{
		"abcdefghij":                    {"abcd", "efgh", "ij"},
		"ab_cdefgh":                     {"ab_", "cdef", "gh"},
		"e\u0301e\u0301e\u0301e\u0301e": {"e\u0301e\u0301e\u0301e\u0301", "e"},
		"漢字漢字":                          {"漢字", "漢字"},
		"x 漢字":                          {"x 漢", "字"},
		"👍🏽👍🏽":                          {"👍🏽", "👍🏽"},
		"a👩\u200d🚀":                     {"a", "👩\u200d🚀"},
		"one  two":                      {"one", "two"},
		"a\u202eb":                      {"a<U+", "202E", ">b"},
	} {
		if got := wrapCell(text, 4); !slices.Equal(got, want) {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}
