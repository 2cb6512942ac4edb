package site

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
)

// The budgets of a library of 2,000 documents in bytes: a visitor with a slow phone opens it
// in about a second.
const (
	budgetDocuments = 2000
	budgetPage      = 100_000
	budgetLoaded    = 45_000
	budgetFeed      = 200_000
)

// TestALargeLibraryOpensFast adds up what the first page loads before the first key is
// pressed: the page, its style sheet, its scripts, and its icon.
func TestALargeLibraryOpensFast(t *testing.T) {
	made := files(t, build(t, many(t, budgetDocuments)))
	index := made["index.html"]
	if len(index) > budgetPage {
		t.Errorf("the first page has %d bytes", len(index))
	}
	loaded := len(index)
	for _, match := range regexp.MustCompile(`(?:href|src)="(assets/[^"]*)"`).FindAllStringSubmatch(index, -1) {
		loaded += len(made[match[1]])
	}
	if loaded > budgetLoaded || loaded < len(index)+len(made[styleName]) {
		t.Errorf("the first page loads %d bytes", loaded)
	}
	if len(made[feedName]) > budgetFeed {
		t.Errorf("the feed has %d bytes", len(made[feedName]))
	}
	for name, content := range made {
		if strings.HasSuffix(name, ".html") && len(content) > budgetPage {
			t.Errorf("%s has %d bytes", name, len(content))
		}
	}
}

// TestManyTypesStaySmall: each document has a type of its own, so no list may grow with them.
func TestManyTypesStaySmall(t *testing.T) {
	var l bundletest.Library
	story := text(t, "story_1.yaml")
	for i := range 2 * manyDocuments {
		id := fmt.Sprintf("story%d_v1", i)
		l.Documents = append(l.Documents, strings.NewReplacer("story_v1", id, "jira_tickets", "type_"+strings.Repeat("long_", 20)+fmt.Sprint(i)).Replace(story))
	}
	l.Documents = append(l.Documents, story)
	made := files(t, build(t, l))
	for name, budget := range map[string]int{"index.html": budgetPage, feedName: budgetFeed} {
		if len(made[name]) > budget {
			t.Errorf("%s has %d bytes", name, len(made[name]))
		}
	}
	if !strings.Contains(made["index.html"], fmt.Sprintf(`<a href="types/index.html">%d more artifact types</a>`, manyDocuments+1)) {
		t.Error("the first page does not lead to the other artifact types")
	}
}
