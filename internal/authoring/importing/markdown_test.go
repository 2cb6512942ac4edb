package importing

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

var update = flag.Bool("update", false, "rewrite what comes in of testdata")

// TestPublishedForms reads files as people publish them: tables, headings, lists, and prompts.
func TestPublishedForms(t *testing.T) {
	for _, pattern := range []string{"testdata/markdown/*.md", "testdata/prompts/*.txt", "testdata/prompts/*.py", "testdata/objects/*.yaml", "testdata/objects/*.yml", "testdata/objects/*.json", "testdata/objects/*.jsonl"} {
		for _, path := range must.Get(filepath.Glob(pattern))(t) {
			t.Run(filepath.Base(path), func(t *testing.T) {
				got := inShort(source.NewFile(filepath.Base(path), must.Get(os.ReadFile(path))(t)))
				if *update {
					must.Do(t, os.WriteFile(path+".want", []byte(got), 0o666))
				}
				if diff := cmp.Diff(string(must.Get(os.ReadFile(path+".want"))(t)), got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

// inShort is what an import makes of a file, in short.
func inShort(f *source.File) string {
	imported, problems := Read(f, intake.Options{})
	var b strings.Builder
	for _, p := range problems {
		fmt.Fprintln(&b, "problem:", p.Message)
	}
	if imported == nil {
		return b.String()
	}
	for _, d := range imported.Drafts {
		writeDraft(&b, d)
	}
	for _, r := range imported.Derived {
		fmt.Fprintf(&b, "derived (%d, %s): %s\n", r.Count, r.First, r.Text)
	}
	for _, r := range imported.Dropped {
		fmt.Fprintf(&b, "dropped (%d, %s): %s\n", r.Count, r.First, r.Text)
	}
	return b.String()
}

func writeDraft(b *strings.Builder, d authoring.Draft) {
	fmt.Fprintf(b, "%s %s %q %q\n", d.Kind.Name, d.ID, d.Name, d.Content.Get("description").Text())
	for _, c := range d.Content.Get("criteria").List() {
		name := c.Get("name").Text()
		fmt.Fprintf(b, "criterion %s: %q weight=%s threshold=%s relative_weight=%s\n", name, c.Get("description").Text(), c.Get("weight").Text(), c.Get("threshold").Text(), c.Get("relative_weight").Text())
		for _, key := range []string{"anchors", "examples"} {
			if c.Get(key) == nil {
				continue
			}
			for _, e := range c.Get(key).Entries {
				if e.Value.Text() != "" {
					fmt.Fprintf(b, "  %s: %q\n", e.Key.Value, e.Value.Value)
				}
			}
		}
		for _, note := range d.Notes[name] {
			fmt.Fprintf(b, "  # %s\n", note)
		}
	}
	for _, rule := range d.Content.Get("rules").List() {
		id := rule.Get("id").Text()
		fmt.Fprintf(b, "rule %s: %q severity=%s weight=%s check=%.40q\n", id, rule.Get("description").Text(), rule.Get("severity").Text(), rule.Get("weight").Text(), rule.Get("check").Text())
		for _, note := range d.Notes[id] {
			fmt.Fprintf(b, "  # %s\n", note)
		}
	}
	if text := d.Content.Get("scoring").Get("pass_threshold").Text(); text != "" {
		fmt.Fprintf(b, "pass_threshold=%s\n", text)
	}
}

// TestPagesOfOtherSystems reads a page with a byte order mark and the line ends of Windows.
func TestPagesOfOtherSystems(t *testing.T) {
	const page = "# Minutes\n\n## Owners\n\n- 1: none\n  at all\n- 5: each task has one\n"
	want := inShort(source.NewFile("f.md", []byte(page)))
	if got := inShort(source.NewFile("f.md", []byte("\ufeff"+strings.ReplaceAll(page, "\n", "\r\n")))); got != want || !strings.Contains(want, `1: "none\nat all"`) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestHostilePagesTakeLittleTime reads pages that are designed to be slow.
func TestHostilePagesTakeLittleTime(t *testing.T) {
	const size = 32 << 10
	for _, unit := range []string{
		"- a\n\nb:\n\n", "- 1: a\n", "# 1: a\n\n", "1: a\n\n", "**a**\n\n", "- - - - - 1: a\n", "a (1 %)\n\n# a (1 %)\n\n", "| 1 | 2 |\n|---|---|\n| a | b |\n\n",
		"- **a** (1 %): b\n", "[ ] a\n", "# a\n## b\n### c\n- 1: d\n- 2: e\n", "Excellent: a\n\nPoor: b\n\nc\n\n", "- [ ] a\n  - b\n    - c\n", "<!-- a -->\n\n", "> ",
	} {
		text := strings.Repeat(unit, size/len(unit))
		start := time.Now()
		Read(source.NewFile("f.md", []byte(text)), intake.Options{Format: "markdown", Lists: true})
		if spent := time.Since(start); spent > time.Minute {
			t.Errorf("%q takes %v", unit, spent)
		}
	}
}
