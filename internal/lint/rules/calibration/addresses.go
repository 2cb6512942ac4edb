package calibration

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
)

var (
	// address is an e-mail address.
	address = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._%+-]*@([A-Za-z0-9-]+\.)+[A-Za-z]{2,}$`)
	// reservedDomain ends an address that can't belong to anyone (RFC 2606, RFC 6761).
	reservedDomain = regexp.MustCompile(`[@.](example\.(com|net|org)|example|test|invalid|localhost)$`)
)

// addressInText looks for e-mail addresses in all files of a dataset.
func addressInText(p *lint.CalibrationPass) {
	files := []*source.File{p.Dataset.File}
	if p.Dataset.ItemsSource != nil {
		files = append(files, p.Dataset.ItemsSource)
	}
	for i := range p.Dataset.Judges {
		files = append(files, p.Dataset.Judges[i].File)
	}
	for _, f := range files {
		for at := 0; ; at++ {
			next := bytes.IndexByte(f.Data[at:], '@')
			if next < 0 {
				break
			}
			at += next
			if span := addressAt(f.Data, at); span.Len() > 0 && !isKey(f.Data, span) {
				p.Report(f, span, fmt.Sprintf("%s:%d", f.Path, at), nil,
					"Replace this e-mail address with one at example.com, or remove it: it is personal data, and everyone with a copy of the library can read it.")
			}
		}
	}
}

// addressAt returns the e-mail address around the @ at an offset, empty if there is
// none or if its domain is reserved.
func addressAt(data []byte, at int) source.Span {
	const most = 254 // the longest address
	start, end := at, at+1
	for start > 0 && at-start < most && isAddressByte(data[start-1]) {
		start--
	}
	if start > 0 && data[start-1] == '\\' {
		start++ // the letter of an escape, such as \n
	}
	for end < len(data) && end-at < most && isAddressByte(data[end]) {
		end++
	}
	text := strings.TrimRight(string(data[min(start, at):end]), ".-_")
	if !address.MatchString(text) || reservedDomain.MatchString(strings.ToLower(text)) {
		return source.Span{}
	}
	return source.Span{Start: start, End: start + len(text)}
}

func isAddressByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || strings.IndexByte("._%+-", b) >= 0
}

// isKey reports whether a text is a JSON key: a rater, which rater-address reports.
func isKey(data []byte, s source.Span) bool {
	rest, quoted := bytes.CutPrefix(data[s.End:], []byte(`"`))
	return quoted && bytes.HasPrefix(bytes.TrimLeft(rest[:min(len(rest), 16)], " \t"), []byte(":"))
}
