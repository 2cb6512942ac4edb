package gitignore

import (
	"strings"
	"testing"
)

// TestAPatternTakesLittleTime matches names with patterns that keep other matchers busy.
func TestAPatternTakesLittleTime(t *testing.T) {
	for _, line := range []string{
		strings.Repeat("*a", 2000) + "b", strings.Repeat("**/", 1300) + "b", strings.Repeat("[a-z]*", 600) + "b", strings.Repeat("?*", 2000) + "b",
	} {
		p := parsePattern(line, true)
		if p == nil || p.matches(strings.Repeat("a/", 100)+strings.Repeat("a", 3000), false) {
			t.Errorf("%.20q matches a name without b, or is not valid", line)
		}
	}
}
