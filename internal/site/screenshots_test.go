package site

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestScreenshots writes screenshots of the pages, for people, to the folder in
// SITE_SCREENSHOTS.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("SITE_SCREENSHOTS")
	if dir == "" {
		t.Skip("SITE_SCREENSHOTS names no folder for pictures")
	}
	b := browse(t, folderURL(build(t, small(t))))
	for _, page := range []string{
		"index.html", "types/jira_tickets/index.html", "rubrics/story_v1/index.html", "rubrics/story_v1/1.0.0...2.0.0.html", "rulesets/api_v1/index.html",
	} {
		for _, look := range []struct {
			name, medium, scheme string
			width                int64
		}{{"narrow", "screen", "light", 320}, {"wide", "screen", "light", 1280}, {"dark", "screen", "dark", 1280}, {"print", "print", "light", 794}} {
			b.media(look.medium, look.scheme)
			b.resize(look.width)
			b.visit(page)
			b.fill(page)
			name := fmt.Sprintf("%s-%s.png", strings.NewReplacer("/", "-", ".html", "").Replace(page), look.name)
			if err := os.WriteFile(filepath.Join(dir, name), do(b, chromedp.FullScreenshot(100)), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// fill sets the controls of a page, so that screenshots show results.
func (b *tab) fill(page string) {
	b.t.Helper()
	values := map[string]string{}
	switch {
	case page == "index.html":
		values = map[string]string{"words": "story"}
	case strings.HasPrefix(page, "rubrics/") && strings.HasSuffix(page, "index.html"):
		values = map[string]string{"score-0": "3", "score-1": "4.5", "text": "Tables, lists etc and so on.\nTODO: the rest."}
	case strings.HasPrefix(page, "rulesets/") && strings.HasSuffix(page, "index.html"):
		values = map[string]string{"text": "GET /\n"}
	}
	for id, value := range values {
		b.enter(id, value)
	}
	if page == "index.html" {
		b.searched()
	} else if len(values) > 0 {
		b.judged()
	}
}
