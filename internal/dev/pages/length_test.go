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
		{"all pages", pages, 46_040},
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

// agents is what a new library says to coding agents.
const agents = "internal/authoring/starter/AGENTS.md"

// TestAgentsReadLittle: an agent reads the file before each task, along with everything else.
func TestAgentsReadLittle(t *testing.T) {
	if lines := strings.Count(scripttest.Text(t, agents), "\n"); lines > 60 {
		t.Errorf("%s has %d lines, want 60 at most", agents, lines)
	}
}

// TestAgentsAreNamedCommandsThatExist checks the calls in sentences. Those in blocks are run.
func TestAgentsAreNamedCommandsThatExist(t *testing.T) {
	spans := codeSpan.FindAllString(codeBlock.ReplaceAllString(scripttest.Text(t, agents), ""), -1)
	calls := 0
	for _, span := range spans {
		words := strings.Fields(strings.Trim(span, "`"))
		if words[0] != "rubric" {
			continue
		}
		calls++
		if commandOf(words) == nil || commandOf(words).Name() != words[1] {
			t.Errorf("there is no command %s", span)
		}
	}
	if calls < 6 {
		t.Errorf("%s has %d calls of commands", agents, calls)
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
