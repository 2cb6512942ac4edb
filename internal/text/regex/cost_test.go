package regex

import (
	"regexp/syntax"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

func TestEffortCountsRounds(t *testing.T) {
	tests := []struct {
		reason, expr string
		want         int
	}{
		{"a word", `TBD`, 1},
		{"alternatives", `TBD|TODO|N/A`, 4},
		{"rounds", `a{100}`, 51},
		{"rounds of rounds", `(?:(?:ab?){10}){10}`, 153},
		{"no limit", `a{1000,}`, 501},
	}
	for _, tt := range tests {
		tree := must.Get(syntax.Parse(tt.expr, syntax.Perl))(t)
		if got := Effort(tree); got != tt.want {
			t.Errorf("%s: the effort of %s is %d, want %d", tt.reason, tt.expr, got, tt.want)
		}
	}
}
