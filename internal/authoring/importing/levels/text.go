package levels

import (
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// separator ends the label at the beginning of a line.
var separator = lazy.Expr(`[:=](?:[^0-9/=]|$)|\s[-–—]+\s|[–—]`)

// mark is what can precede a level in a line: the sign of a list or markup. The number of an item
// is not a score.
var mark = lazy.Expr(`^(?:\s*(?:[-*+•>]\s+|[0-9]{1,2}[.)]\s+|[*_#]+))*\s*`)

// Item reads a line of a text as the first line of a level: a label, then a colon, an equals
// sign, or a dash, and a text. The longest label counts: that of "5 - Excellent: all of it" is
// "5 - Excellent".
func Item(line string) (Level, bool) {
	line = line[len(mark().FindString(line)):]
	var found Level
	ok := false
	begin := line[:min(len(line), mostLabel+2)]
	for _, at := range separator().FindAllStringIndex(begin, 4) {
		end := at[1]
		if strings.ContainsAny(begin[at[0]:at[0]+1], ":=") {
			end = at[0] + 1
		}
		text := strings.TrimLeft(line[end:], " \t*_")
		if l, is := ReadLabel(line[:at[0]]); is && text != "" {
			l.Text = strings.TrimSpace(text)
			found, ok = l, true
		}
	}
	return found, ok
}

// In splits a text into levels, of which it has two or more or none, and the rest.
func In(text string) (rest string, levels []Level) {
	var others []string
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		level, isLevel := Item(line)
		switch {
		case isLevel:
			levels = append(levels, level)
			inside = true
		case inside && line != "":
			levels[len(levels)-1].Text += "\n" + strings.TrimSpace(line)
		default:
			inside = false
			others = append(others, line)
		}
	}
	if !AreLevels(levels) {
		return text, nil
	}
	return strings.TrimSpace(strings.Join(others, "\n")), levels
}

// AreLevels reports whether what looks like levels is a ladder: there are two or more, and not
// all of them have names that criteria have, too.
func AreLevels(levels []Level) bool {
	return len(levels) >= 2 && slices.ContainsFunc(levels, func(l Level) bool { return !l.IsNamed() || !isWeak(l.Name) })
}

// Label reads the name of a level in a place where there are only levels, such as the heading of
// a column or a key: a score, a range, or any words. The text of the level is empty.
func Label(label string) Level {
	if l, ok := ReadLabel(label); ok {
		return l
	}
	if l, ok := Item(label); ok {
		l.Name, l.Text = l.Text, ""
		return l
	}
	return Named(strings.TrimSpace(label), "")
}
