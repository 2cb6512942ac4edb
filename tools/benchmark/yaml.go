package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

// style is the way a text is written in YAML.
type style int

const (
	plain style = iota
	singleQuoted
	doubleQuoted
	folded
	literal
)

// house is the YAML style of one rubric's authors.
type house struct {
	short, long style
	dash        string // the indentation of a list below its key
	flow        bool   // short lists in brackets
	comments    bool
}

var houses = []house{
	{short: doubleQuoted, long: folded, dash: "  "},
	{short: plain, long: folded, dash: "  ", comments: true},
	{short: doubleQuoted, long: doubleQuoted, dash: ""},
	{short: plain, long: singleQuoted, dash: "", flow: true},
	{short: singleQuoted, long: literal, dash: "  ", comments: true},
}

// yamlWriter writes a document in the style of a house.
type yamlWriter struct {
	house
	bytes.Buffer
}

func newYAMLWriter(r *rand.Rand) *yamlWriter {
	return &yamlWriter{house: houses[r.IntN(len(houses))]}
}

// line writes a line unchanged.
func (w *yamlWriter) line(indent, format string, args ...any) {
	w.WriteString(indent)
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
}

func (w *yamlWriter) comment(indent, text string) {
	if w.comments {
		w.line(indent, "# %s", text)
	}
}

// styleOf returns the style in which the house writes a text.
func (h house) styleOf(text string) style {
	s := h.short
	if len(text) > 60 {
		s = h.long
	}
	switch {
	case strings.Contains(text, "\n"):
		return literal
	case s == literal && len(text) <= 90, s == plain && !plainSafe(text):
		return doubleQuoted
	}
	return s
}

// text writes a key with a text.
func (w *yamlWriter) text(indent, key, text string) {
	switch s := w.styleOf(text); s {
	case plain, singleQuoted, doubleQuoted:
		w.line(indent, "%s: %s", key, quote(s, text))
	case folded:
		w.line(indent, "%s: >-", key)
		w.wrapped(indent+"  ", text)
	case literal:
		w.line(indent, "%s: |", key)
		for line := range strings.Lines(text) {
			w.wrapped(indent+"  ", strings.TrimSuffix(line, "\n"))
		}
	}
}

// list writes a key with a list of texts, all with the same quotes.
func (w *yamlWriter) list(indent, key string, s style, texts []string) {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = quote(s, text)
	}
	if all := strings.Join(quoted, ", "); w.flow && len(all) < 90 {
		w.line(indent, "%s: [%s]", key, all)
		return
	}
	w.line(indent, "%s:", key)
	for _, text := range quoted {
		w.line(indent+w.dash, "- %s", text)
	}
}

// wrapped breaks a text at single spaces into lines of 80 columns.
func (w *yamlWriter) wrapped(indent, text string) {
	line := ""
	for word := range strings.SplitSeq(text, " ") {
		if line != "" && len(indent)+len(line)+1+len(word) > 80 {
			w.line(indent, "%s", line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	w.line(indent, "%s", line)
}

var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func quote(s style, text string) string {
	switch s {
	case singleQuoted:
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	case doubleQuoted:
		return `"` + escapes.Replace(text) + `"`
	}
	return text
}

// plainSafe reports whether a text of letters needs no quotes.
func plainSafe(text string) bool {
	first := text[0] | 0x20
	return 'a' <= first && first <= 'z' && !strings.Contains(text, ": ") && !strings.Contains(text, " #")
}
