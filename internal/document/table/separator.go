package table

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// separatorLine is the first line of a file for Excel, such as "sep=;". A program that reads it as
// a row writes it with quotes, or with more cells.
var separatorLine = lazy.Expr(`^(?i:"sep=([^"\r\n\x{FFFD}])"|sep=([^"\r\n\x{FFFD}]))([,;\t]*)(?:\r?\n|$)`)

// begin finds the first byte of the table, after a byte order mark and a line that declares the
// separator, and that separator, or 0.
func begin(data []byte) (start int, declared rune) {
	if bytes.HasPrefix(data, []byte(ByteOrderMark)) {
		start = len(ByteOrderMark)
	}
	m := separatorLine().FindSubmatch(data[start:])
	if m == nil {
		return start, 0
	}
	start += len(m[0])
	// A line with more cells was written with another separator since.
	separator, _ := utf8.DecodeRuneInString(string(m[1]) + string(m[2]))
	if len(m[3]) > 0 && !bytes.Contains(header(data[start:]), []byte(string(separator))) {
		return start, 0
	}
	return start, separator
}

// separatorOf returns the separator of the header: the most frequent of comma, semicolon,
// and tab outside of quotes.
func separatorOf(data []byte) rune {
	first := header(data)
	best := ","
	for _, separator := range []string{";", "\t"} {
		if bytes.Count(first, []byte(separator)) > bytes.Count(first, []byte(best)) {
			best = separator
		}
	}
	return rune(best[0])
}

// header is the first row without what is in quotes, which can contain separators and line
// ends.
func header(data []byte) []byte {
	var out []byte
	quoted := false
	for _, c := range bytes.TrimLeft(data, "\r\n") {
		switch {
		case c == '"':
			quoted = !quoted
		case !quoted && strings.ContainsRune("\r\n", rune(c)):
			return out
		case !quoted:
			out = append(out, c)
		}
	}
	return out
}
