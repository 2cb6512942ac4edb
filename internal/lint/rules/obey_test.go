package rules

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// obeying is a document whose findings are obeyed to the letter.
type obeying struct {
	text  string
	lines []string
	edits []source.Edit
}

// obey does what the findings in a text say, by their words alone. ok is false if the words leave a choice to the author.
func obey(text string, findings []lint.Finding) (obeyed string, ok bool) {
	o := &obeying{text: text, lines: strings.SplitAfter(text, "\n")}
	for _, f := range findings {
		if f.Severity > lint.Note && !o.obey(f) { // notes ask for nothing
			return "", false
		}
	}
	slices.SortStableFunc(o.edits, func(a, b source.Edit) int { return b.Span.Start - a.Span.Start })
	for _, e := range o.edits {
		text = text[:e.Span.Start] + e.Text + text[e.Span.End:]
	}
	return text, true
}

func (o *obeying) obey(f lint.Finding) bool {
	for _, order := range orders {
		if m := order.words.FindStringSubmatch(f.Message); m != nil {
			order.do(o, f, m)
			return true
		}
	}
	return false
}

// lineStart is the offset of a line, from 1.
func (o *obeying) lineStart(line int) int { return len(strings.Join(o.lines[:line-1], "")) }

// offset is that of a column, in characters, of a line.
func (o *obeying) offset(p source.Position) int {
	return o.lineStart(p.Line) + len(string([]rune(o.lines[p.Line-1])[:p.Column-1]))
}

func (o *obeying) span(f lint.Finding) source.Span {
	return source.Span{Start: o.offset(f.Start), End: o.offset(f.End)}
}

func (o *obeying) replace(start, end int, text string) {
	o.edits = append(o.edits, source.Edit{Span: source.Span{Start: start, End: end}, Text: text})
}

func (o *obeying) replaceSpan(f lint.Finding, text string) {
	o.replace(o.span(f).Start, o.span(f).End, text)
}

func (o *obeying) removeLine(line int) {
	o.replace(o.lineStart(line), o.lineStart(line)+len(o.lines[line-1]), "")
}

// lineEnd is the offset of the end of a line, without its break.
func (o *obeying) lineEnd(line int) int {
	return o.lineStart(line) + len(strings.TrimRight(o.lines[line-1], "\n"))
}

// valueStart is the offset of the value that begins in a line: after its key and colon, or its dash.
func (o *obeying) valueStart(line int) int {
	return o.lineStart(line) + len(regexp.MustCompile(`^ *(?:- )?(?:[\w"]+: )?`).FindString(o.lines[line-1]))
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// renumber gives the keys of the lines around one, which are indented like it, other names.
func (o *obeying) renumber(line int, keys []string) {
	isLevel := func(n int) bool {
		return n > 0 && n <= len(o.lines) && indent(o.lines[n-1]) == indent(o.lines[line-1]) && strings.Contains(o.lines[n-1], ": ")
	}
	first := line
	for isLevel(first - 1) {
		first--
	}
	for i, key := range keys {
		start := o.lineStart(first+i) + indent(o.lines[first+i-1])
		o.replace(start, start+strings.Index(o.text[start:], ":"), key)
	}
}

// addIgnoreCase adds the key beside that of the pattern in a line, after the list of patterns.
func (o *obeying) addIgnoreCase(line int) {
	n, col := line, indent(o.lines[line-1])
	for strings.HasPrefix(strings.TrimSpace(o.lines[n-1]), "- ") && indent(o.lines[n-1]) == col {
		n++
	}
	if n == line {
		n++
	} else {
		col -= 2
	}
	o.replace(o.lineStart(n), o.lineStart(n), strings.Repeat(" ", col)+"ignore_case: true\n")
}

var quotedWord = regexp.MustCompile(`"([^"]+)"`)

// orders are the forms of advice that leave no choice, each with what it asks for.
var orders = []struct {
	words *regexp.Regexp
	do    func(o *obeying, f lint.Finding, m []string)
}{
	{regexp.MustCompile(`Replace the space in column (\d+) with a dash`), func(o *obeying, f lint.Finding, m []string) {
		column, _ := strconv.Atoi(m[1])
		at := o.offset(source.Position{Line: f.Start.Line, Column: column})
		o.replace(at, at+1, "-")
	}},
	{regexp.MustCompile(`: write (\w+) (?:here|instead)\.$`), func(o *obeying, f lint.Finding, m []string) { o.replaceSpan(f, m[1]) }},
	{regexp.MustCompile(`(?:give these texts the keys (.+) in their order|number the levels from 1 to 5)`), func(o *obeying, f lint.Finding, m []string) {
		keys := []string{"1", "2", "3", "4", "5"}
		if m[1] != "" {
			keys = regexp.MustCompile(`\w+_?\d|\d`).FindAllString(m[1], -1)
		}
		o.renumber(f.Start.Line, keys)
	}},
	{regexp.MustCompile(`Write (\[.+?\])(?:\. Meaning|: no shell|, or one)`), func(o *obeying, f lint.Finding, m []string) {
		if o.text[o.span(f).Start-1] == '[' {
			m[1] = strings.Trim(m[1], "[]")
		}
		o.replaceSpan(f, m[1])
	}},
	{regexp.MustCompile(`^Remove (?:the comma|this colon)`), func(o *obeying, f lint.Finding, _ []string) { o.replaceSpan(f, "") }},
	{regexp.MustCompile(`^Remove this line(?: and line (\d+))?`), func(o *obeying, f lint.Finding, m []string) {
		o.removeLine(f.Start.Line)
		if other, err := strconv.Atoi(m[1]); err == nil {
			o.removeLine(other)
		}
	}},
	{regexp.MustCompile(`Remove all but one \(they are the same\)`), func(o *obeying, f lint.Finding, _ []string) { o.removeLine(f.Start.Line) }},
	{regexp.MustCompile(`^Put a space after the dash`), func(o *obeying, f lint.Finding, _ []string) { o.replace(o.span(f).End, o.span(f).End, " ") }},
	{regexp.MustCompile(`^Replace the no-break or other special space`), func(o *obeying, f lint.Finding, _ []string) {
		o.replaceSpan(f, strings.Repeat(" ", f.End.Column-f.Start.Column))
	}},
	{regexp.MustCompile(`Replace the two slashes with #`), func(o *obeying, f lint.Finding, _ []string) {
		at := o.span(f).Start + strings.Index(o.text[o.span(f).Start:], "//")
		o.replace(at, at+len("//"), "#")
	}},
	{regexp.MustCompile(`Put the whole value(?:, from line \d+ to line (\d+),)? in quotes: (.+)\.$`), func(o *obeying, f lint.Finding, m []string) {
		last := f.Start.Line
		if n, err := strconv.Atoi(m[1]); err == nil {
			last = n
		}
		o.replace(o.valueStart(f.Start.Line), o.lineEnd(last), m[2])
	}},
	{regexp.MustCompile(`^Put the text in quotes: (.+)\. At its start`), func(o *obeying, f lint.Finding, m []string) {
		o.replace(o.span(f).Start, o.lineEnd(f.Start.Line), m[1])
	}},
	{regexp.MustCompile(`Put the whole text in quotes: it ends before this #.* Write (.+)\.$`), func(o *obeying, f lint.Finding, m []string) {
		o.replace(o.valueStart(f.Start.Line), o.span(f).End, m[1])
	}},
	{regexp.MustCompile(`Put the text in quotes, because # begins a comment: (.+)\. Without`), func(o *obeying, f lint.Finding, m []string) {
		at := o.lineStart(f.Start.Line) + strings.Index(o.lines[f.Start.Line-1], "#")
		o.replace(at, o.lineEnd(f.Start.Line), m[1])
	}},
	{regexp.MustCompile(`Use single quotes, which keep a backslash: '…`), func(o *obeying, f lint.Finding, _ []string) {
		start := o.valueStart(f.Start.Line)
		inside := o.text[start+1 : o.lineEnd(f.Start.Line)-1]
		o.replace(start, o.lineEnd(f.Start.Line), "'"+strings.ReplaceAll(inside, "'", "''")+"'")
	}},
	{regexp.MustCompile(`Use single quotes, which keep a backslash: ('.+')\.$`), func(o *obeying, f lint.Finding, m []string) { o.replaceSpan(f, m[1]) }},
	{regexp.MustCompile(`Did you mean ("?[^"?]+"?)\?`), func(o *obeying, f lint.Finding, m []string) { o.replaceSpan(f, m[1]) }},
	{regexp.MustCompile(`Write (".+") in straight quotes`), func(o *obeying, f lint.Finding, m []string) { o.replaceSpan(f, m[1]) }},
	{regexp.MustCompile(`^Write ('.+')( and ignore_case: true)?(?:: the signs| on one line|: only in double)`), func(o *obeying, f lint.Finding, m []string) {
		o.replaceSpan(f, m[1])
		if m[2] != "" {
			o.addIgnoreCase(f.Start.Line)
		}
	}},
	{regexp.MustCompile(`Add a dash and a space before it\.`), func(o *obeying, f lint.Finding, _ []string) { o.replace(o.span(f).Start, o.span(f).Start, "- ") }},
	{regexp.MustCompile(`in line (\d+)\. Write a dash and a space before it, and begin its other lines with 2 spaces more`), func(o *obeying, f lint.Finding, m []string) {
		o.replace(o.span(f).Start, o.span(f).Start, "- ")
		next, _ := strconv.Atoi(m[1])
		for n := f.Start.Line + 1; n < next; n++ {
			o.replace(o.lineStart(n), o.lineStart(n), "  ")
		}
	}},
	{regexp.MustCompile(`Begin the line with (\d+) spaces, a dash, and a space`), func(o *obeying, f lint.Finding, m []string) {
		n, _ := strconv.Atoi(m[1])
		o.replace(o.lineStart(f.Start.Line), o.span(f).Start, strings.Repeat(" ", n)+"- ")
	}},
	{regexp.MustCompile(`^Put a colon and a space after the key: ([^…]+)$`), func(o *obeying, f lint.Finding, m []string) { o.replaceSpan(f, m[1]) }},
	{regexp.MustCompile(`^Replace "[^"]+" with a dash`), func(o *obeying, f lint.Finding, _ []string) { o.replaceSpan(f, "-") }},
	{regexp.MustCompile(`^Replace the dash before `), func(o *obeying, f lint.Finding, _ []string) {
		at := o.lineStart(f.Start.Line) + indent(o.lines[f.Start.Line-1])
		o.replace(at, at+1, " ")
	}},
	{regexp.MustCompile(`^Indent (.+) by 2 spaces: these keys`), func(o *obeying, f lint.Finding, m []string) {
		n := f.Start.Line + 1
		for range quotedWord.FindAllString(m[1], -1) {
			o.replace(o.lineStart(n), o.lineStart(n), "  ")
			n++
		}
	}},
	{regexp.MustCompile(`^Write a line "(\w+:)" before this item`), func(o *obeying, f lint.Finding, m []string) {
		o.replace(o.lineStart(f.Start.Line), o.lineStart(f.Start.Line), m[1]+"\n")
	}},
	{regexp.MustCompile(`^This pattern must be text.* Put the whole text in quotes: ('.+?')\. Meaning`), func(o *obeying, f lint.Finding, m []string) {
		o.replace(o.span(f).Start, o.lineEnd(f.Start.Line), m[1])
	}},
	{regexp.MustCompile(`^Remove each backslash at the end of a line`), func(o *obeying, f lint.Finding, _ []string) {
		span := o.span(f)
		o.replaceSpan(f, strings.ReplaceAll(o.text[span.Start:span.End], " \\\n", "\n"))
	}},
	{regexp.MustCompile(`^Write \{artifact\}(?::| for the artifact|, or run)`), func(o *obeying, f lint.Finding, _ []string) { o.replaceSpan(f, `"{artifact}"`) }},
	{regexp.MustCompile(`^Remove the quotes inside of "['\\"]+(\{artifact\})`), func(o *obeying, f lint.Finding, m []string) { o.replaceSpan(f, `"`+m[1]+`"`) }},
	{regexp.MustCompile(`^Remove the byte order mark`), func(o *obeying, f lint.Finding, _ []string) { o.replaceSpan(f, "") }},
}
