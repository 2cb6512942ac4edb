package wording

import (
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

var (
	// address is an e-mail address.
	address = lazy.Expr(`^[A-Za-z0-9][A-Za-z0-9._%+-]*@([A-Za-z0-9-]+\.)+[A-Za-z]{2,}$`)
	// reservedDomain ends an address that can't belong to anyone (RFC 2606, RFC 6761).
	reservedDomain = lazy.Expr(`[@.](example\.(com|net|org)|example|test|invalid|localhost)$`)
)

// Address returns where the e-mail address around the @ at an offset begins and ends; 0, 0 if
// there is none or if its domain is reserved.
func Address(data []byte, at int) (from, to int) {
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
	if !address().MatchString(text) || reservedDomain().MatchString(strings.ToLower(text)) {
		return 0, 0
	}
	return start, start + len(text)
}

func isAddressByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || strings.IndexByte("._%+-", b) >= 0
}
