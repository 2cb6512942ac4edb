package site

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/bundle"
	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
)

// onePage is how many documents a page lists.
const onePage = 100

// manyDocuments is the number of documents from which the index page lists only artifact
// types.
const manyDocuments = 300

// listPage is a page of the documents of one artifact type.
type listPage struct {
	artifactType string
	number, of   int   // from 1
	lines        []int // of the library
	all          int   // documents of the type
}

func (l *listPage) path() string { return "types/" + l.artifactType + "/" + listPageName(l.number) }

func listPageName(number int) string {
	if number == 1 {
		return "index.html"
	}
	return fmt.Sprintf("%d.html", number)
}

// byType returns the positions of the lines of each artifact type.
func byType(lines []*bundlefile.IndexLine) map[string][]int {
	out := map[string][]int{}
	for i := range lines {
		out[lines[i].ArtifactType] = append(out[lines[i].ArtifactType], i)
	}
	return out
}

// listPages returns the pages of all artifact types, sorted by type.
func listPages(l *bundle.Library) []listPage {
	var pages []listPage
	groups := byType(l.Lines)
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		all := groups[name]
		of := (len(all) + onePage - 1) / onePage
		number := 1
		for lines := range slices.Chunk(all, onePage) {
			pages = append(pages, listPage{name, number, of, lines, len(all)})
			number++
		}
	}
	return pages
}

// entriesOf returns the entries of lines.
func (b *builder) entriesOf(lines []int) []*entry {
	entries := make([]*entry, len(lines))
	for i, at := range lines {
		entries[i] = b.entries[at]
	}
	return entries
}

// listData is the data of the template of a list.
type listData struct {
	page
	Type       string
	Number, Of int
	All        int
	Entries    []*entry
	Pages      []pageLink
}

// pageLink is a link to a page of the same list. Name is "" for the page itself.
type pageLink struct {
	Number int
	Name   string
}

func (b *builder) writeLists() error {
	return each(len(b.lists), func(i int) error {
		l := &b.lists[i]
		title := l.artifactType
		if l.of > 1 {
			title = fmt.Sprintf("%s, page %d of %d", title, l.number, l.of)
		}
		d := listData{page: b.newPage(l.path(), title), Type: l.artifactType, Number: l.number, Of: l.of, All: l.all, Entries: b.entriesOf(l.lines)}
		for n := 1; n <= l.of && l.of > 1; n++ {
			link := pageLink{Number: n}
			if n != l.number {
				link.Name = listPageName(n)
			}
			d.Pages = append(d.Pages, link)
		}
		return b.putPage("list.html", d, l.path())
	})
}
