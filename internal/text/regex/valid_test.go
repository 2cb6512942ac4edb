package regex_test

import (
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/text/regex"
)

func TestValid(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("(", n) + "a" + strings.Repeat(")", n) }
	for pattern, want := range map[string]bool{
		deep(regex.MaxDepth): true, deep(regex.MaxDepth + 1): false, `[(]\Q` + strings.Repeat("(", 2*regex.MaxDepth): true, strings.Repeat("(?i)(a)", 2*regex.MaxDepth): true,
		"(?:a{10}){100}": true, "(?:a{11}){100}": false, "a{3,2}": false, "(?:abc|de": false, "(?=a)": false, "(?P<n>a)(?<m>b)": true, "(?P<n>a)(?<n>b)": false, `(?<n>a)\Q(?<n>`: true,
		`\p{Greek}`: true, `\p{Klingon}`: true, `[^a\P{^To come}]`: true, `\pX`: true, `\\p{1}`: true, `\p{1}`: false, `\p`: false, `\p{`: false, `[a-\pL]`: false, `\p{Klingon}(`: false,
		strings.Repeat("(?:abc|de)x{3} ", 20_000): true,
	} {
		if got := regex.Valid(pattern); got != want {
			t.Errorf("%.40q… (%d bytes) is valid: %v, want %v", pattern, len(pattern), got, want)
		}
	}
}
