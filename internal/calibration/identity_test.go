package calibration

import (
	"fmt"
	"strings"
	"testing"
)

// TestAnswersOfARunAreByOneJudge: neither the model nor the prompt can change within a run.
func TestAnswersOfARunAreByOneJudge(t *testing.T) {
	one := answer(`"item":"i1"`, `"scores":{"clarity":4,"brevity":2}`)
	two := strings.Replace(one, "i1", "i2", 1)
	for _, tt := range []struct{ reason, second, says string }{
		{"another model", strings.Replace(two, "m-1", "m-2", 1), `All answers of a run must have the same model`},
		{"a prompt in some answers", strings.Replace(two, `"scores"`, fmt.Sprintf(`"prompt_digest":%q,"scores"`, digestB), 1), "All answers of a run must have the same `prompt_digest`"},
	} {
		_, problems, err := Load(dataset(goodHead, goodItems, lines(one, tt.second), ""), "d")
		if got := strings.Join(told(problems), "|"); err != nil || !strings.Contains(got, tt.says) {
			t.Errorf("%s: %s, %v, want %s", tt.reason, got, err, tt.says)
		}
	}
}
