package yamltree

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// place is where a span starts and the bytes that it covers.
func place(f *source.File, s source.Span) string {
	p := f.Position(s.Start)
	return fmt.Sprintf("%d:%d %s", p.Line, p.Column, f.Text(s))
}

// jargon is what authors do not know.
var jargon = regexp.MustCompile(`(?i)merge base|digest|\bNFC\b|RE2|\bnode|token|scalar|parse error|unmarshal|yaml:|line \d+:`)

// checkMessage holds what is true of all messages.
func checkMessage(t *testing.T, p source.Problem) {
	t.Helper()
	if word := jargon.FindString(p.Message); word != "" {
		t.Errorf("%q in a message: %s", word, p.Message)
	}
	if strings.Contains(p.Message, "%!") || strings.ContainsFunc(p.Message, func(r rune) bool { return r < ' ' }) {
		t.Errorf("a broken message: %q", p.Message)
	}
	if last := p.Message[len(p.Message)-1]; last != '.' && !strings.HasPrefix(p.Message, "Put a space after the colon: ") {
		t.Errorf("a message without an end: %q", p.Message)
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		reason, text string
		want         []string // "line:column bytes", then what the message has to say
	}{
		{"a tab indents", "a:\n\tb: 1\n", []string{"2:1 \t", "tab", "spaces"}},
		{"tabs after spaces", "a:\n  \t\tb: 1\n", []string{"2:3 \t\t", "tab", "spaces"}},
		{"a tab on a blank line", "a: 1\n\t\nb: 2\n", []string{"2:1 \t", "tab"}},
		{"a tab indents a block scalar", "a: |\n\tb\n", []string{"2:1 \t", "tab"}},
		{"a tab indents the second line of a block scalar", "a: |\n  b\n\tc\n", []string{"3:1 \t", "tab"}},
		{"a no-break space indents a key", "a: 1\n\u00a0\u00a0b: 2\nc: 3\n", []string{"2:1 \u00a0\u00a0", "U+00A0", "with spaces"}},
		{"a no-break space after spaces", "a:\n  b: 1\n \u00a0c: 2\n", []string{"3:2 \u00a0", "U+00A0", "with spaces"}},
		{"no-break spaces that match no line", "a:\n    b: 1\n  \u00a0\u00a0c: 2\n", []string{"3:3 \u00a0\u00a0", "U+00A0"}},
		{"a wide space at the beginning of an item", "a:\n\u3000- b\nc: 3\n", []string{"2:1 \u3000", "U+3000"}},
		{"a comment of another language", "// our rubric\na: 1\n", []string{"1:1 // our rubric", "Comments start with #"}},
		{"a comment of another language below a key", "a: 1\n// our rubric\n", []string{"2:1 // our rubric", "Comments start with #"}},
		{"a tab indents the second line of a text", "a: b\n\tc\n", []string{"2:1 \t", "tab"}},

		{"a double quote is never closed", "a: 1\nb: \"c\nd: 2\n", []string{`2:4 "`, "never closed", `Add " at the end`}},
		{"a single quote is never closed", "a: 'b\n", []string{"1:4 '", "never closed", "twice ('')"}},
		{"a quote is closed by the next one", "a: \"b\nc: \"d\"\n", []string{`1:4 "`, "not closed until line 2", `before "d\""`}},
		{"the end of the document comes before the quote", "a: \"b\n---\nc\"\n", []string{`1:4 "`, "never closed"}},
		{"a backslash is the end of the file", `a: "b\`, []string{`1:4 "`, "never closed"}},
		{"text after a double quote", `a: "b" c`, []string{"1:8 c", "Put all of it in quotes", `\"`}},
		{"a sign after a double quote", `a: "b" & c`, []string{"1:8 & c", "Put all of it in quotes"}},
		{"a bar after a double quote", `a: "b" | c`, []string{"1:8 | c", "Put all of it in quotes"}},
		{"a bracket after a double quote", `a: "b" [c]`, []string{"1:8 [c]", "Put all of it in quotes"}},
		{"a dash after a double quote", `a: "b" - c`, []string{"1:8 - c", "Put all of it in quotes"}},
		{"a quote inside of quotes", `a: "say "hi" now"`, []string{`1:10 hi" now"`, `\"`}},
		{"an apostrophe inside of quotes", `a: 'it's'`, []string{"1:8 s'", "apostrophe", "twice ('')"}},
		{"no blank behind the colon after a quote", `"a":b`, []string{"1:4 :b", "Put a space after the colon"}},
		{"an invalid escape, as in regular expressions", `a: "\d+"`, []string{`1:5 \d`, "single quotes", `'…\d…'`}},
		{"the first of several escapes", `a: "\n\w\d"`, []string{`1:7 \w`, "single quotes"}},
		{"an invalid escape before a character of two bytes", `a: "\é"`, []string{`1:5 \é`, "single quotes"}},
		{"too few digits", `a: "\x4"`, []string{`1:5 \x4`, "2 digits", "single quotes"}},
		{"a Windows path", `a: "C:\Users"`, []string{`1:7 \U`, "8 digits", "single quotes"}},
		{"half a character, as in JSON", `a: "\ud83d\ude00"`, []string{`1:5 \ud83d`, "the character itself"}},

		{"a second colon", "key: text: more\n", []string{"1:10 :", `"text: more"`}},
		{"a second colon after a quote", `a: "b": c`, []string{"1:7 :", `'"b": c'`}},
		{"a second colon in brackets", "a: {b: c: d}", []string{"1:9 :", `"c: d"`}},
		{"a second colon in a list", "- a: b: it's\n", []string{"1:7 :", `"b: it's"`}},
		{"a text starts with @", "a: @me\n", []string{"1:4 @", "can't start with \"@\""}},
		{"a text starts with a backtick", "a: `b`\n", []string{"1:4 `", "can't start with \"`\""}},
		{"a text starts with %", "a: %b\n", []string{"1:4 %", "can't start with \"%\""}},
		{"a text starts with a comma", "a: , b\n", []string{"1:4 ,", "can't start with \",\""}},
		{"a text starts with a closing bracket", "- ] b\n", []string{"1:3 ]", "can't start with \"]\""}},
		{"a text starts with >", "a: > 3\n", []string{"1:4 >", "next line", "quotes"}},
		{"a text starts with | in brackets", "a: [|b]\n", []string{"1:5 |", "quotes"}},
		{"a text starts with a bracket", "a: [Draft] b\n", []string{"1:12 b", "put it in quotes"}},
		{"a text starts with a dash", "a: - b\n", []string{"1:4 - b", "next line", "in quotes"}},

		{"a key without colon", "a: 1\nname b\nc: 2\n", []string{"2:1 name b", "\"name b\" has no colon"}},
		{"a key without colon at the end", "a: 1\nb\n", []string{"2:1 b", "\"b\" has no colon"}},
		{"a key without colon in the first line", "name b\nc: 2\n", []string{"1:1 name b", "\"name b\" has no colon"}},
		{"a quoted key without colon", "a: 1\n\"b\"\n", []string{`2:1 "b"`, "has no colon"}},
		{"a list where a key has to be", "a: 1\n[b]\n", []string{"2:1 [b]", "has no colon"}},
		{"a block scalar where a key has to be", "a: 1\n|\n b\n", []string{"2:1 |", "has no colon"}},
		{"no blank behind the colon", "a:\n  b:c\n  d: e\n", []string{"2:3 b:c", "Put a space after the colon: b: c"}},
		{"an address is not a key", "a: 1\nhttp://x\n", []string{"2:1 http://x", "has no colon"}},
		{"no key before the colon", "a: 1\n: b\n", []string{"2:1 :", "no key before this colon"}},
		{"no key before the colon in brackets", "{: b}", []string{"1:2 :", "no key before this colon"}},
		{"a key on two lines", "a: \"x\"\n\"b\n c\": d\n", []string{`2:1 "`, "not closed until line 3", "one line"}},
		{"a key that is too long", strings.Repeat("k", 1025) + ": 1", []string{"1:1 " + strings.Repeat("k", 1025), "1024 characters"}},
		{"a key that is too long in brackets", "{" + strings.Repeat("k", 1025) + ": 1}", []string{"1:2 " + strings.Repeat("k", 1025), "1024 characters"}},

		{"a line indented less than the one above, unlike any other", "a:\n    b: 1\n  c: 2\n", []string{"3:3 c: 2", "2 spaces", "0 spaces like line 1 or 4 spaces like line 2"}},
		{"a line indented more than the one above", "a:\n  b: 1\n   c: 2\n", []string{"3:4 c", "deeper than line 2", "2 spaces"}},
		{"a line indented more after a quoted text", "a: \"b\"\n  c: 1\n", []string{"2:3 c: 1", "0 spaces like line 1", "continues the text above"}},
		{"a line left of the first one", "  a: 1\nb: 2\n", []string{"2:1 b: 2", "0 spaces", "2 spaces like line 1"}},
		{"a text indented less than its block scalar", "a: |\n  b\n c\n", []string{"3:2 c", "1 space,", "0 spaces like line 1"}},
		{"a key of a list item below the dash", "a:\n  - b: 1\n  c: 2\n", []string{"3:3 c: 2", "Indent it with 4 spaces", "dash and a space"}},
		{"an item without its dash", "a:\n  - b: 1\n    c:\n      - d: 2\n  b: 3\n", []string{"5:3 b: 3", "\"b\" begins a list item", "line 2", "dash and a space"}},
		{"a key after a list", "- a\nb: 1\n", []string{"2:1 b: 1", "dash and a space"}},
		{"a list in brackets after a list", "- a\n[b]\n", []string{"2:1 [b]", "dash and a space"}},
		{"a dash beside keys", "a: 1\n- b\n", []string{"2:1 -", "next to keys"}},
		{"something after the only value", "\"a\"\n\"b\"\n", []string{`2:1 "b"`, "Put all of it in quotes"}},
		{"something after the only block scalar", "|\n a\nb\n", []string{"3:1 b", "can't follow the value"}},

		{"a conflict of a merge", "a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> feature/x\n", []string{"2:1 <<<<<<< HEAD", "merge conflict", "\"HEAD\" above line 4", "\"feature/x\" below", "remove the lines"}},
		{"a conflict that shows the common text", "<<<<<<< HEAD\nb: 2\n||||||| base\nb: 1\n=======\nb: 3\n>>>>>>> feature\n", []string{"1:1 <<<<<<< HEAD", "\"HEAD\" above line 5", "\"feature\""}},
		{"a conflict in a file with other mistakes", "a: \"\n<<<<<<< ours\nb\n=======\n>>>>>>> theirs", []string{"2:1 <<<<<<< ours", "\"ours\"", "\"theirs\""}},
		{"what is left of a conflict", "a: 1\n>>>>>>> feature\n", []string{"2:1 >>>>>>> feature", "left from a merge conflict. Remove it"}},
		{"a key indented less than its neighbors", "a:\n  b:\n    1: x\n  2: y\n    3: z\n", []string{"4:3 2: y", "2 spaces", "line 3 above and the line below are indented with 4 spaces. Indent it with 4 spaces"}},
		{"a key between a dash and the keys of its item", "a:\n  - b: 1\n    c: 2\n   d: 3\n", []string{"4:4 d: 3", "3 spaces", "Indent it with 4 spaces like line 2"}},
		{"a dash before only the first level", "a:\n  - 1: x\n  2: y\n", []string{"3:3 2: y", "Remove the dash in line 2"}},
		{"a dash before one of several keys", "- a: 1\n  - b: 2\n", []string{"2:3 -", "Remove the dash if this is a key"}},

		{"a [ is never closed", "a: [b, c\nd: 1\ne: 2\n", []string{"1:4 [", "never closed", "Add ]"}},
		{"a { is never closed", "a: {b: c\nd: \"e\"\nf: 1\n", []string{"1:4 {", "never closed", "Add }"}},
		{"a [ is open at the end of the file", "a: [b, [c]", []string{"1:4 [", "never closed"}},
		{"a [ is open at the end of the document", "[a\n---\n", []string{"1:1 [", "never closed"}},
		{"the wrong bracket", "a: [b}\n", []string{"1:6 }", "expected ], got }"}},
		{"no comma", `a: ["b" "c"]`, []string{`1:9 "`, "comma before this"}},
		{"no comma before a bracket", "a: [[b] [c]]", []string{"1:9 [", "comma before this"}},
		{"no comma, on the next line", "a: [\n  \"b\"\n  \"c\"\n]", []string{`3:3 "`, "comma before this"}},
		{"two commas", "a: [b,,c]", []string{"1:7 ,", "nothing before this comma"}},
		{"a dash in brackets", "a: [- b]", []string{"1:5 -", "commas separate"}},
		{"a question mark in brackets", "a: [what?, b]", []string{"1:9 ?", "in quotes"}},
	} {
		f, tree, problems := parse(c.text)
		if tree != nil || len(problems) != 1 || problems[0].Code != CodeSyntax {
			t.Errorf("%s: tree %v, problems %v", c.reason, tree != nil, problems)
			continue
		}
		checkWords(t, f, c.reason, problems[0], c.want)
		for _, r := range problems[0].Related {
			if r.Span.Len() == 0 || r.Message == "" {
				t.Errorf("%s: related place %+v", c.reason, r)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	deep := func(open, closing string, n int) string {
		return strings.Repeat(open, n) + "x" + strings.Repeat(closing, n)
	}
	for _, c := range []struct {
		reason, text, code string
		want               []string
	}{
		{"nothing", "", CodeEmpty, []string{"1:1 ", "empty"}},
		{"blank lines", "\n \n", CodeEmpty, []string{"1:1 ", "empty"}},
		{"a comment", "# a\n", CodeEmpty, []string{"1:1 ", "empty"}},
		{"the start of a document", "---\n", CodeEmpty, []string{"1:1 ", "empty"}},
		{"the end of a document", "...\n", CodeEmpty, []string{"1:1 ", "empty"}},
		{"start and end", "--- # a\n...\n", CodeEmpty, []string{"1:1 ", "empty"}},
		{"null", "~\n", CodeEmpty, []string{"1:1 ", "empty"}},

		{"a second document", "a: 1\n---\nb: 2\n", CodeSecondDocument, []string{"2:1 ---", "second document"}},
		{"an empty second document", "---\na: 1\n---\n", CodeSecondDocument, []string{"3:1 ---"}},
		{"an empty first document", "---\n---\na: 1\n", CodeSecondDocument, []string{"2:1 ---"}},
		{"a broken second document", "a: 1\n---\n@\n", CodeSecondDocument, []string{"2:1 ---"}},
		{"a broken second document, further on", "a: 1\n---\nb: 1\nc: 2\nd: [\n", CodeSecondDocument, []string{"2:1 ---"}},
		{"after the end of the first", "a: 1\n...\n---\nb: 1\n", CodeSecondDocument, []string{"3:1 ---"}},
		{"after the end of the first, without a start", "a: 1\n...\nb: 1\n", CodeSecondDocument, []string{"3:1 b: 1"}},

		{"an anchor", "a: &b c\n", CodeFeature, []string{"1:4 &b", "anchor", "in quotes"}},
		{"a text that starts like an anchor", "a: & b\n", CodeFeature, []string{"1:4 &", "anchor", "in quotes"}},
		{"an anchor of a list", "a: &b\n- c\n", CodeFeature, []string{"1:4 &b", "anchor"}},
		{"an alias without anchor", "a: *b\n", CodeFeature, []string{"1:4 *b", "Aliases", "in quotes"}},
		{"an alias as key", "*a : b\n", CodeFeature, []string{"1:1 *a", "Aliases"}},
		{"a text that starts like an alias", "a: *bold* text\n", CodeFeature, []string{"1:4 *bold*", "in quotes"}},
		{"a merge key", "a:\n  <<: {b: c}\n", CodeFeature, []string{"2:3 <<", "Merge keys"}},
		{"a merge key in brackets", "{<<: {b: c}}", CodeFeature, []string{"1:2 <<", "Merge keys"}},
		{"a merge key in a list", "[<<: {b: c}]", CodeFeature, []string{"1:2 <<", "Merge keys"}},
		{"a merge key without value", "{<<}", CodeFeature, []string{"1:2 <<", "Merge keys"}},
		{"a tag", "a: !!str 1\n", CodeFeature, []string{"1:4 !!str", "tag", "in quotes"}},
		{"a tag of its own", "a: !b/c {d: e}\n", CodeFeature, []string{"1:4 !b/c", "tag"}},
		{"a tag that is unknown", "a: !b!c d\n", CodeFeature, []string{"1:4 !b!c", "tag"}},
		{"a tag without name", "a: ! 1\n", CodeFeature, []string{"1:4 !", "tag"}},
		{"a tag without name or value", "a: !", CodeFeature, []string{"1:4 !", "tag"}},
		{"a tag of all keys", "! \na: 1\n", CodeFeature, []string{"1:1 !", "tag"}},
		{"a tag in brackets", "[!a]", CodeFeature, []string{"1:2 !a", "tag"}},
		{"a directive", "%YAML 1.1\n---\na: 1\n", CodeFeature, []string{"1:1 %YAML 1.1", "Directives"}},
		{"a directive of another version", "%YAML 1.2\n---\na: 1\n", CodeFeature, []string{"1:1 %YAML 1.2", "Directives"}},
		{"a line that starts like a directive", "a: 1\n%b: 2\n", CodeFeature, []string{"2:1 %b: 2", "in quotes"}},
		{"a complex key", "? a\n: b\n", CodeFeature, []string{"1:1 ?", "plain text on one line"}},
		{"a complex key in brackets", "{? a : b}", CodeFeature, []string{"1:2 ?", "plain text"}},
		{"a list as key", "[a, b]: c\n", CodeFeature, []string{"1:1 [a, b]", "plain text"}},
		{"a mapping as key", "a:\n  {b: c} : d\n", CodeFeature, []string{"2:3 {b: c}", "plain text"}},
		{"a list as key in brackets", "{[a]: b}", CodeFeature, []string{"1:2 [a]", "plain text"}},
		{"a list as key without value", "{[a]}", CodeFeature, []string{"1:2 [a]", "plain text"}},

		{"21 lists in each other", deep("[", "]", 21), CodeDepth, []string{"1:21 [", "20"}},
		{"21 mappings in each other", deep("{a: ", "}", 21), CodeDepth, []string{"1:81 {", "20"}},
		{"21 dashes in each other", deep("- ", "", 21), CodeDepth, []string{"1:41 -", "20"}},
		{"more than yaml.v3 reads", deep("[", "]", 10001), CodeDepth, []string{"1:21 ["}},
		{"a pair in 20 lists is a mapping in them", strings.Repeat("[", 20) + "x: y" + strings.Repeat("]", 20), CodeDepth, []string{"1:21 x", "20"}},
	} {
		f, tree, problems := parse(c.text)
		if tree != nil || len(problems) != 1 || problems[0].Code != c.code {
			t.Errorf("%s: tree %v, problems %v", c.reason, tree != nil, problems)
			continue
		}
		checkWords(t, f, c.reason, problems[0], c.want)
	}
}

func TestNestingUpToTheLimit(t *testing.T) {
	for _, c := range []struct{ reason, text string }{
		{"lists", strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth)},
		{"mappings", strings.Repeat("{a: ", MaxDepth) + "b" + strings.Repeat("}", MaxDepth)},
		{"dashes", strings.Repeat("- ", MaxDepth) + "a"},
		{"a list below a key at its column", strings.Repeat("[", MaxDepth-2) + "{a: [b]}" + strings.Repeat("]", MaxDepth-2)},
		{"many side by side", "[" + strings.Repeat("[[]],", 1000) + "]"},
		{"dashes that nest nothing", "a: |\n  " + strings.Repeat("- ", 100) + "\n"},
	} {
		if _, tree, problems := parse(c.text); tree == nil {
			t.Errorf("%s: %v", c.reason, problems)
		}
	}
}

func TestReadingEndsAtTheFirstFeature(t *testing.T) {
	f, _, problems := parse("a: x\nb: &b c\nd: *b\ne: \"f\n")
	if len(problems) != 1 || problems[0].Code != CodeFeature || place(f, problems[0].Span) != "2:4 &b" {
		t.Error(problems)
	}
}

func TestMessagesShowNothingThatActs(t *testing.T) {
	for _, c := range []struct{ reason, text, want string }{
		{"a right-to-left override", "a: 1\n\u202Ekey\n", "\"U+202Ekey\""},
		{"a long text", "a: 1\n" + strings.Repeat("k", 500) + "\n", "\"" + strings.Repeat("k", excerptLen) + "…\""},
		{"a repeated key that can't be seen", "a\u200B: 1\na\u200B: 2\n", "\"aU+200B\""},
		{"a repeated key with a line end", "\"a\\nb\": 1\n\"a\\nb\": 2\n", "\"a b\""},
	} {
		_, _, problems := parse(c.text)
		if len(problems) != 1 || !strings.Contains(problems[0].Message, c.want) {
			t.Errorf("%s: %v", c.reason, problems)
		}
	}
}
