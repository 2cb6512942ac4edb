package suggest

import (
	"strings"
	"testing"
)

func TestWord(t *testing.T) {
	known := []string{"name", "description", "threshold", "weight", "anchors", "examples"}
	tests := []struct {
		reason, got, want string
	}{
		{"a letter is missing", "treshold", "threshold"},
		{"a letter is too much", "weightt", "weight"},
		{"two neighbors are swapped", "anhcors", "anchors"},
		{"the singular is meant as the plural", "example", "examples"},
		{"another case is near", "Name", "name"},
		{"a word of another meaning is not near", "owner", ""},
		{"an opposite is not a typo", "maxthreshold", ""},
		{"nor is a negation", "nonweight", ""},
		{"nor is a word with an answer", "weight=no", ""},
		{"a short word allows one edit only", "nm", ""},
		{"nothing is near to nothing", "", ""},
		{"a long hostile key costs nothing and is near to nothing", strings.Repeat("x", 1<<16), ""},
	}
	for _, tt := range tests {
		if got := Word(tt.got, known); got != tt.want {
			t.Errorf("%s: Word(%.20q) = %q, want %q", tt.reason, tt.got, got, tt.want)
		}
	}
}

func TestAnOppositeIsNoneInAnyCase(t *testing.T) {
	for _, got := range []string{"pass_patterns", "Pass_patterns"} {
		if word := Word(got, []string{"fail_patterns"}); word != "" {
			t.Errorf("Word(%q) = %q", got, word)
		}
	}
}

func TestWordsAreNearestFirst(t *testing.T) {
	got := Words("prd_quality_v1", []string{"prd_quantity_v2", "test_plan_v1", "prd_quality_v2", "prd_quality_v1x"}, 3)
	want := "prd_quality_v2 prd_quality_v1x prd_quantity_v2"
	if strings.Join(got, " ") != want {
		t.Errorf("Words = %q, want %q", got, want)
	}
}
