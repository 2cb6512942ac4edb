package regex

import (
	"strings"
)

func (c *checker) open(t token) {
	f := frame{before: never, mode: c.topFrame().mode, start: t.Start, begins: []int{t.End}}
	switch name, isNamed := strings.CutSuffix(t.Group, ">"); {
	case isNamed:
		c.name(t, name)
	case len(t.Group) > 1:
		c.flags(t, &f)
	}
	c.frames = append(c.frames, f)
	if len(c.frames) == MaxDepth+2 {
		c.add(refused(t, Depth, Python), "", "Remove groups: 100 levels are enough for any pattern.")
	}
}

// name finds names of groups, which have a different form in each language.
func (c *checker) name(t token, group string) {
	name, ofPython := strings.CutPrefix(group, "?P<")
	name = strings.TrimPrefix(name, "?<")
	engines := andPython
	if isDigit(name[0]) || c.names[name] {
		engines = withEveryOther
	} else if ofPython {
		engines = andJavaScript
	}
	if c.names == nil {
		c.names = map[string]bool{}
	}
	c.names[name] = true
	c.add(refused(t, Group, engines...), "(", "")
}

// flags finds flags for one group, such as (?i:…), or for the rest of one, such as (?i).
func (c *checker) flags(t token, f *frame) {
	flags := strings.TrimPrefix(t.Group, "?")
	on, off, hasOff := strings.Cut(flags, "-")
	engines := withEveryOther
	switch {
	case hasOff && off == "" || strings.Contains(off, "-"):
		engines = []Engine{Go, Python, JavaScript}
	case strings.Contains(flags, "U") || strings.ContainsAny(on, off):
	case t.Kind == openToken, !c.begun && on != "" && !hasOff:
		engines = andJavaScript
	}
	c.add(refused(t, Flag, engines...), "", adviceOn(on+off))
	f.last.repeated = false
	f.mode = t.Flags(f.mode)
}

func adviceOn(flags string) string {
	var advice []string
	for _, a := range []struct{ flag, what string }{
		{"i", "Set ignore_case to true next to the pattern, or write [Aa] for a letter in either case."},
		{"m", `Set multiline to true next to the pattern of a check. In fail_patterns, write (?:^|\n) for the beginning of a line.`},
		{"s", `Write [\s\S] instead of . to also match a line end.`},
		{"U", "Write a ? after each repetition that should match as little as possible."},
	} {
		if strings.Contains(flags, a.flag) {
			advice = append(advice, a.what)
		}
	}
	if len(advice) == 0 {
		return "Remove it: it has no effect."
	}
	return strings.Join(advice, " ")
}

// findStrange finds constructs that Go does not support.
func (c *checker) findStrange(t token) {
	known := strangerAt(c.text[t.Start:])
	c.addStranger(t, known)
	if t.Group == "" || strings.HasSuffix(t.Group, ")") {
		c.atom(atom{order: anywhere, start: t.Start, repeatable: true})
		return
	}
	c.frames = append(c.frames, frame{before: never, mode: c.topFrame().mode, start: t.Start, begins: []int{t.End}})
}

func (c *checker) addStranger(t token, known stranger) {
	c.add(refused(t, known.construct, append([]Engine{Go}, known.others...)...), known.portable, known.advice)
}

// stranger is a construct that Go refuses and another language supports.
type stranger struct {
	construct        Construct
	others           []Engine // also refuse it
	portable, advice string
}

var (
	onlyGo         []Engine
	andPython      = []Engine{Python}
	andJavaScript  = []Engine{JavaScript}
	withEveryOther = []Engine{Python, JavaScript}
)

const (
	noLook      = "Match the surrounding text too, or use a second pattern."
	noReference = "A pattern can't refer to the match of a group: write the text out."
)

// strangers are listed by their beginning; the first that matches applies.
var strangers = []struct {
	begins string
	stranger
}{
	{"(?=", stranger{Group, onlyGo, "", noLook}},
	{"(?!", stranger{Group, onlyGo, "", noLook}},
	{"(?<=", stranger{Group, onlyGo, "", noLook}},
	{"(?<!", stranger{Group, onlyGo, "", noLook}},
	{"(?>", stranger{Group, andJavaScript, "(?:", ""}},
	{"(?#", stranger{Group, andJavaScript, "", "Put the comment in the document, next to the pattern."}},
	{"(?P=", stranger{Group, andJavaScript, "", noReference}},
	{"(?(", stranger{Group, andJavaScript, "", "Write both cases as alternatives."}},
	{"(?x", stranger{Flag, andJavaScript, "", "Write the pattern without spaces and comments."}},
	{"(?", stranger{Group, withEveryOther, "", ""}},
	{`\Z`, stranger{Position, andJavaScript, "", atEnd}},
	{`\k`, stranger{Escape, andPython, "", noReference}},
	{`\g`, stranger{Escape, withEveryOther, "", noReference}},
	{`\h`, stranger{Escape, withEveryOther, `[ \t]`, ""}},
	{`\R`, stranger{Escape, withEveryOther, `\n`, ""}},
	{`\N{`, stranger{Escape, andJavaScript, "", "Write the character itself."}},
	{`\N`, stranger{Escape, withEveryOther, `[^\n]`, ""}},
	{`\e`, stranger{Escape, withEveryOther, `\x1B`, ""}},
	{`\c`, stranger{Escape, andPython, "", "Write the character as \\x with two digits."}},
	{`\U`, stranger{Escape, andJavaScript, "", "Write the character itself."}},
	{`\u{`, stranger{Escape, andPython, "", "Write the character itself."}},
	{`\u`, stranger{Escape, onlyGo, "", "Write the character itself."}},
	{`\C`, stranger{Escape, withEveryOther, `[\s\S]`, ""}},
}

func strangerAt(text string) stranger {
	if len(text) > 1 && '1' <= text[1] && text[1] <= '9' && text[0] == '\\' {
		return stranger{Escape, onlyGo, "", noReference}
	}
	for _, s := range strangers {
		if strings.HasPrefix(text, s.begins) {
			return s.stranger
		}
	}
	return stranger{construct: Escape, others: withEveryOther}
}
