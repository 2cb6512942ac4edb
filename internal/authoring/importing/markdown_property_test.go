package importing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// TestEachFormOfMarkdownKeepsTheOrder writes random rubrics in each form, scale, and order.
func TestEachFormOfMarkdownKeepsTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scale := rapid.SampledFrom(sheetScales).Draw(t, "scale")
		count := rapid.IntRange(1, 4).Draw(t, "criteria")
		text := func(criterion, level int) string { return fmt.Sprintf("kupa %d morin %d", criterion, level) }
		order := make([]int, len(scale))
		for i := range order {
			order[i] = i
		}
		if rapid.Bool().Draw(t, "best first") {
			slices.Reverse(order)
		}
		form := rapid.SampledFrom([]string{"wide", "transposed", "long", "lists", "bold lists", "tables", "headings", "items", "lines", "prompt", "module"}).Draw(t, "form")
		name, page := markdownOf(form, scale, order, count, text)
		read, problems := Read(source.NewFile(name, []byte(page)), intake.Options{})
		if len(problems) > 0 || len(read.Drafts) != 1 {
			t.Fatalf("%v\n%s", problems, page)
		}
		all := read.Drafts[0].Content.Get("criteria").List()
		if len(all) != count {
			t.Fatalf("%d criteria, want %d\n%s", len(all), count, page)
		}
		for c, criterion := range all {
			for level, at := range anchorsOf[len(scale)] {
				if got := criterion.Get("anchors").Get(at).Text(); got != text(c, level) {
					t.Fatalf("criterion %d, anchor %s: got %q, want %q\n%s", c, at, got, text(c, level), page)
				}
			}
		}
	})
}

// markdownOf is a file with criteria in a form.
func markdownOf(form string, scale []string, order []int, criteria int, text func(criterion, level int) string) (name, page string) {
	var b strings.Builder
	b.WriteString("# Wemo\n\n")
	if slices.Contains([]string{"wide", "transposed", "long"}, form) {
		for i, row := range sheetRows(form, scale, order, criteria, text) {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
			if i == 0 {
				fmt.Fprintln(&b, strings.Repeat("|---", len(row))+"|")
			}
		}
		return "f.md", b.String()
	}
	begin := map[string]string{
		"lists": "## Zelba%c\n\nIs it zelba?\n\n", "bold lists": "**Zelba%c**\n\n", "tables": "## Zelba%c\n\n| Score | Meaning |\n|---|---|\n", "headings": "## Zelba%c\n\n",
		"items": "- **Zelba%c**: Is it zelba?\n", "lines": "## Zelba%c\n\n", "prompt": "## Zelba%c\n\n", "module": "ZELBA_%c = \"\"\"\nIs it zelba?\n\n",
	}[form]
	level := map[string]string{
		"lists": "- %s: %s\n", "bold lists": "* **%s**: %s\n", "tables": "| %s | %s |\n", "headings": "### %s\n\n%s\n\n", "items": "  - %s: %s\n", "lines": "%s: %s\n",
		"prompt": "%s: %s\n", "module": "%s: %s\n",
	}[form]
	for c := range criteria {
		fmt.Fprintf(&b, begin, 'a'+c)
		for _, l := range order {
			fmt.Fprintf(&b, level, scale[l], text(c, l))
		}
		b.WriteString(map[string]string{"module": "\"\"\"\n"}[form] + "\n")
	}
	return map[string]string{"prompt": "f.txt", "module": "f.py"}[form] + map[bool]string{true: "f.md"}[form != "prompt" && form != "module"], b.String()
}
