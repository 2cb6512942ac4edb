package pages_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// others are the hidden steps of tests that stand for what another person or program than the
// reader does, or what the page asks the reader to do in words.
var others = map[string]string{
	"rate":    "a rater labels the items and sends the file back",
	"scores":  "the reader's judge gives scores",
	"release": "the page shows the command that creates the tag, with places for the digest and the commit",
	"printed": "the page asks to run the command that the last one printed",
	"commit":  "the page asks to commit",
	"merge":   "the page says that a change was merged",
	"rm":      "the page asks to finish the draft, after which it has no errors",
	"stdout":  "a check of the output",
}

var (
	hiddenStep = regexp.MustCompile("<!-- run: (.*?) -->")
	comment    = regexp.MustCompile("(?s)<!--.*?-->")
	// hiddenEdit matches an edit of a file, with the words before it and after it.
	hiddenEdit = regexp.MustCompile(`^(?:replace (\S+) '([^']*)' '([^']*)'|sed -i 's/([^/]*)/([^/]*)/' (\S+))$`)
)

// TestPagesHideNoStep checks that a reader who does what a page shows has what its tests have: a
// hidden step is an edit whose file and whose new words the page names, or one of others.
func TestPagesHideNoStep(t *testing.T) {
	var pages []string
	must.Do(t, fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(name) == ".md" && !strings.Contains(name, "testdata/") {
			pages = append(pages, name)
		}
		return err
	}))
	edits := 0
	for _, page := range pages {
		text := scripttest.Text(t, page)
		shown := comment.ReplaceAllString(text, "")
		for _, m := range hiddenStep.FindAllStringSubmatch(text, -1) {
			edit := hiddenEdit.FindStringSubmatch(m[1])
			if edit == nil {
				if verb, _, _ := strings.Cut(m[1], " "); others[verb] == "" {
					t.Errorf("%s hides the step %q, which its reader needs: show it", page, m[1])
				}
				continue
			}
			edits++
			file, before, after := edit[1]+edit[6], edit[2]+edit[4], edit[3]+edit[5]
			if id := strings.TrimSuffix(filepath.Base(file), ".yaml"); !strings.Contains(shown, id) {
				t.Errorf("%s hides that %s is edited", page, file)
			}
			for _, word := range strings.Fields(after) {
				if !slices.Contains(strings.Fields(before), word) && !strings.Contains(shown, strings.Trim(word, `"`)) {
					t.Errorf("%s hides the edit of %s: it does not show %q", page, file, word)
				}
			}
		}
	}
	if edits < 7 {
		t.Errorf("%d edits were found", edits)
	}
}
