package bundlefile

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestFindLine finds exactly the existing lines in random indexes.
func TestFindLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringMatching(`[ab]{1,3}(_v[12])?`)
		ids := rapid.SliceOfNDistinct(id, 0, 12, rapid.ID).Draw(t, "ids")
		slices.Sort(ids)
		lines := map[string]string{}
		var index strings.Builder
		for _, id := range ids {
			text := rapid.SampledFrom([]string{"", "a", `\"id\":\"a\"`, "ä"}).Draw(t, "text")
			lines[id] = `{"artifact_type":"x","description":"` + text + `","id":"` + id + `","kind":"rubric"}`
			index.WriteString(lines[id] + "\n")
		}
		for _, id := range append(ids, id.Draw(t, "another")) {
			line := findLine([]byte(index.String()), id)
			if string(line) != lines[id] {
				t.Fatalf("the line of %s is %s, want %s", id, line, lines[id])
			}
		}
	})
}
