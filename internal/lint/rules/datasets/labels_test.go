package datasets

import (
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

func TestWhoseAddressItIs(t *testing.T) {
	tests := []struct {
		reason, text, want string
	}{
		{"a personal address", "ask jane.doe@acme-corp.com.", "jane.doe@acme-corp.com"},
		{"in brackets", "Jane <jane+x@mail.acme.co.uk>", "jane+x@mail.acme.co.uk"},
		{"behind an escape", `Hello\njane@acme.io`, "jane@acme.io"},
		{"example.com is nobody's", "jane@example.com", ""},
		{"and so is what ends in .test", "jane@shop.test", ""},
		{"a host without a dot is not one", "root@build7", ""},
		{"a decorator is not one", "@login.required", ""},
		{"a price is not one", "3 @ 4.50", ""},
		{"nothing before the @", "mail @acme.com", ""},
		{"a rater is found elsewhere", `"jane@acme.io": {"clarity": 4}`, ""},
	}
	for _, tt := range tests {
		data := []byte(tt.text)
		start, end := wording.Address(data, strings.IndexByte(tt.text, '@'))
		span := source.Span{Start: start, End: end}
		if got := tt.text[span.Start:span.End]; !isKey(data, span) && got != tt.want {
			t.Errorf("%s: %q is found in %q, want %q", tt.reason, got, tt.text, tt.want)
		} else if isKey(data, span) && tt.want != "" {
			t.Errorf("%s: %q is taken for a key", tt.reason, got)
		}
	}
}
