package pages_test

import (
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// TestPagesAreFewAndShort keeps the pages from growing back: what a page gains, it or another
// one loses. The path of a new user has a limit of its own.
func TestPagesAreFewAndShort(t *testing.T) {
	pages := allPages(t)
	for _, limit := range []struct {
		of    string
		pages []string
		words int
	}{
		{"all pages", pages, 44_000},
		{"the path of a new user", []string{"docs/tutorial.md", "docs/own-library.md"}, 3_000},
	} {
		words := 0
		for _, page := range limit.pages {
			words += len(strings.Fields(scripttest.Text(t, page)))
		}
		if words > limit.words {
			t.Errorf("%s have %d words, want %d at most", limit.of, words, limit.words)
		}
	}
	if len(pages) > 30 {
		t.Errorf("there are %d pages, want 30 at most", len(pages))
	}
}

// TestTablesAreWhole finds an empty line inside a table, after which the rest is plain text.
func TestTablesAreWhole(t *testing.T) {
	for _, page := range allPages(t) {
		for _, block := range strings.Split(scripttest.Text(t, page), "\n\n") {
			first, rest, _ := strings.Cut(strings.TrimLeft(block, "\n"), "\n")
			if strings.HasPrefix(first, "|") && !strings.HasPrefix(rest, "|-") {
				t.Errorf("%s: the row %q is part of no table", page, first)
			}
		}
	}
}
