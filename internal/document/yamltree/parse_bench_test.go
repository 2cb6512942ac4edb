package yamltree

import (
	"os"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// BenchmarkParse reads a document with this package and, for comparison, with yaml.v3, which finds
// neither the end of a value nor the place of a comment.
func BenchmarkParse(b *testing.B) {
	data := must.Get(os.ReadFile("../../../rubrics/prd/prd_quality_v1.yaml"))(b)
	b.Run("own", func(b *testing.B) {
		for b.Loop() {
			if _, problems := Parse(source.NewFile("prd_quality_v1.yaml", data)); len(problems) > 0 {
				b.Fatal(problems)
			}
		}
	})
	b.Run("yaml.v3", func(b *testing.B) {
		for b.Loop() {
			var n yaml.Node
			must.Do(b, yaml.Unmarshal(data, &n))
		}
	})
}
