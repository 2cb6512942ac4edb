package printer

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/diff"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// versionOf is a library of one rubric: its first anchor and its threshold differ
// from version to version.
func versionOf(version, anchor string, threshold float64) *diff.Library {
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
	return diff.Packed(version, version, map[string][]byte{"rubrics/story_v1/" + version + ".json": data}, nil, nil)
}

func drawn(t *testing.T, before, after *diff.Library) string {
	t.Helper()
	c, err := diff.Compare([]*diff.Library{before}, before, after)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := HTML(&out, c, nil); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

var update = flag.Bool("update", false, "rewrite the golden files of testdata")

func TestHTMLIsTheGoldenPage(t *testing.T) {
	got := drawn(t, versionOf("1.0.0", "No part of it is clear.", 3), versionOf("2.0.0", "No part of it can be read.", 3.5))
	got = strings.Replace(got, Style(), "STYLE", 1)
	got = regexp.MustCompile(`sha256-(?:[0-9A-Za-z+/=]|&#43;)+`).ReplaceAllString(got, "sha256-DIGEST")
	name := filepath.Join("testdata", "diff.html")
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
		page := drawn(t, versionOf("1.0.0", "One.", 3), versionOf("1.1.0", "Another one.", test.after))
		if got := strings.Contains(page, "<title id=\"document-1-minimums-title\">"); got != test.drawn {
			t.Errorf("%s: drawn is %v", test.reason, got)
		}
	}
}

// tags of the page itself, but for those of pictures.
var diffTags = regexp.MustCompile(`</?(html|head|meta|link|title|style|body|main|h1|h2|h3|p|section|div|bdi|span|ul|li|pre|del|ins|figure|figcaption|strong)\b[^<>]*>|<!DOCTYPE html>`)

// TestNothingActsInHTML holds that no text of a library becomes an element.
func TestNothingActsInHTML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var out bytes.Buffer
		if err := HTML(&out, comparison(t), anyReplay(t)); err != nil {
			t.Fatal(err)
		}
		page := strings.Replace(out.String(), Style(), "", 1)
		if rest := diffTags.ReplaceAllString(page, ""); strings.ContainsAny(rest, "<>") {
			t.Fatalf("an element comes through:\n%s", rest)
		}
		if strings.Contains(page, "<b>") || strings.Contains(page, "href=\"http") {
			t.Fatalf("an element or a link comes through:\n%s", page)
		}
	})
}
