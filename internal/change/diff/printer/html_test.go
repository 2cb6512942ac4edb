package printer

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// versionOf is a library of one rubric: its first anchor and its threshold differ
// from version to version.
func versionOf(version, anchor string, threshold float64) *holdings.Library {
	text := fmt.Sprintf(`rubric_id: story_v1
name: Story
version: %q
artifact_type: jira_tickets
criteria:
  - name: clarity
    description: How clear is it?
    weight: essential
    threshold: %v
    anchors: {1: %q, 2: Two., 3: Three., 4: Four., 5: Five.}
    examples: {score_1: Bad., score_5: Good.}
`, version, threshold, anchor)
	data, err := document.Parse(source.NewFile("story_v1.yaml", []byte(text))).Canonical()
	if err != nil {
		panic(err)
	}
	return holdings.Packed(version, version, map[string][]byte{"rubrics/story_v1/" + version + ".json": data}, nil)
}

// drawn is the comparison of the only document of two libraries.
func drawn(t *testing.T, before, after *holdings.Library) string {
	t.Helper()
	judged, err := change.Versus([]*holdings.Library{before}, before, after, true)
	if err != nil {
		t.Fatal(err)
	}
	c := diff.Of(judged)
	changes, err := Changes(&c.Documents[0])
	if err != nil {
		t.Fatal(err)
	}
	return string(changes)
}

var update = flag.Bool("update", false, "rewrite the golden files of testdata")

func TestChangesAreTheGoldenPart(t *testing.T) {
	got := drawn(t, versionOf("1.0.0", "No part of it is clear.", 3), versionOf("2.0.0", "No part of it can be read.", 3.5))
	name := filepath.Join("testdata", "changes.html")
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestMinimumsAreDrawnOnlyWhereTheyMoved(t *testing.T) {
	for _, test := range []struct {
		reason string
		after  float64
		drawn  bool
	}{
		{"a raised one", 3.5, true},
		{"a lowered one", 2.5, true},
		{"one that stays", 3, false},
	} {
		part := drawn(t, versionOf("1.0.0", "One.", 3), versionOf("1.1.0", "Another one.", test.after))
		if got := strings.Contains(part, `<path class="minimum"`); got != test.drawn {
			t.Errorf("%s: drawn is %v", test.reason, got)
		}
	}
}

// partTags are those of the part itself, except for pictures.
var partTags = regexp.MustCompile(`</?(h3|p|div|dl|dt|dd|span|ul|li|pre|del|ins|figure|figcaption|strong)\b[^<>]*>`)

// TestNothingActsInHTML holds that no text of a library becomes an element.
func TestNothingActsInHTML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyComparison(t)
		for i := range c.Documents {
			part, err := Changes(&c.Documents[i])
			if err != nil {
				t.Fatal(err)
			}
			if rest := partTags.ReplaceAllString(string(part), ""); strings.ContainsAny(rest, "<>") {
				t.Fatalf("an element comes through:\n%s", rest)
			}
			if strings.Contains(string(part), "<b>") || strings.Contains(string(part), "href=\"http") {
				t.Fatalf("an element or a link comes through:\n%s", part)
			}
		}
	})
}
