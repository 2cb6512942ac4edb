package importing

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// TestRealRubricsComeInOrStop imports a file of many rubrics that nobody here wrote, and each of
// them alone, in both directions.
func TestRealRubricsComeInOrStop(t *testing.T) {
	data, err := os.ReadFile("../../../../shared/data/biggen-bench/rubrics.jsonl")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the data is not here")
	}
	var reversed strings.Builder
	stops := map[bool]int{}
	for line := range strings.Lines(string(data)) {
		var row struct {
			ID, Criteria string
			Anchors      map[string]string
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		for _, turned := range []bool{false, true} {
			out := map[string]any{"id": row.ID, "criteria": row.Criteria}
			for score := 1; score <= 5; score++ {
				from := score
				if turned {
					from = 6 - score
				}
				out[fmt.Sprintf("score%d_description", score)] = row.Anchors[fmt.Sprint(from)]
			}
			text, err := json.Marshal(out)
			if err != nil {
				t.Fatal(err)
			}
			if turned {
				reversed.Write(append(text, '\n'))
			}
			if _, problems := Read(source.NewFile("f.jsonl", text), intake.Options{Format: "prometheus"}); len(problems) > 0 {
				stops[turned]++
			}
		}
	}
	if stops[true] < 490 || stops[false] > 3 {
		t.Errorf("of 510 rubrics, %d stop upright and %d reversed", stops[false], stops[true])
	}
	if _, problems := Read(source.NewFile("f.jsonl", data), intake.Options{Format: "prometheus"}); len(problems) > 0 {
		t.Errorf("the whole file stops: %s", problems[0].Message)
	}
	if _, problems := Read(source.NewFile("f.jsonl", []byte(reversed.String())), intake.Options{Format: "prometheus"}); len(problems) == 0 {
		t.Error("the whole file does not stop where it is reversed")
	}
}
