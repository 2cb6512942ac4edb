package compat

import (
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// TestLongTextsAreShownWhereTheyDiffer checks that two long patterns are not cut to the
// same text.
func TestLongTextsAreShownWhereTheyDiffer(t *testing.T) {
	long := strings.Repeat("é(a|b)", 50)
	for _, c := range []struct{ before, after, want string }{
		{"a", "b", `from "a" to "b":`},
		{long + "x", long + "y", `from "…b)é(a|b)é(a|b)é(a|b)x" to "…b)é(a|b)é(a|b)é(a|b)y":`},
		{long, long + "y", `from "…b)é(a|b)é(a|b)é(a|b)" to "…b)é(a|b)é(a|b)é(a|b)y":`},
	} {
		f := &finding{MeaningChange: MeaningChange{Kind: Changed, Base: &Value{Text: c.before}, Head: &Value{Text: c.after}}, field: &schema.Field{Value: &schema.Value{Shape: schema.Text}}}
		if got := f.message(); !strings.Contains(got, c.want) {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
