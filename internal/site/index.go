package site

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// indexPage is the index page.
type indexPage struct {
	page
	Counts   counts
	Groups   []group
	Statuses []string
	Gone     []library.Entry
}

// group has the documents of one artifact type.
type group struct {
	Type    string
	Count   int
	Entries []*entry // nil if there are too many for one page
}

// Root returns the path from the index page to the root of the site.
func (group) Root() string { return "" }

// counts is the size of the library.
type counts struct {
	Documents    int `json:"documents"`
	Rubrics      int `json:"rubrics"`
	RuleSets     int `json:"rule_sets"`
	Versions     int `json:"versions"`
	Criteria     int `json:"criteria"`
	Rules        int `json:"rules"`
	Types        int `json:"artifact_types"`
	Calibrated   int `json:"calibrated"`
	Drafts       int `json:"drafts"`
	Deprecated   int `json:"deprecated"`
	RetiredCount int `json:"retired"`
}

func (b *builder) counts() counts {
	c := counts{Documents: len(b.entries), Types: len(byType(b.lines))}
	for _, e := range b.entries {
		c.Versions += len(e.Versions)
		if e.Kind == bundlefile.KindRuleSet {
			c.RuleSets++
			c.Rules += e.Count
		} else {
			c.Rubrics++
			c.Criteria += e.Count
		}
		if e.Measure != nil && e.Measure.Correlation != nil {
			c.Calibrated++
		}
		switch e.Status() {
		case draft:
			c.Drafts++
		case deprecated:
			c.Deprecated++
		case retired:
			c.RetiredCount++
		}
	}
	return c
}

// Lines returns the counts with their nouns. Except for the first two, it omits zeros.
func (c counts) Lines() []string {
	lines := []string{count(c.Rubrics, "rubric", "rubrics"), count(c.RuleSets, "rule set", "rule sets")}
	for _, one := range []struct {
		n          int
		word, many string
	}{
		{c.Versions, "version", "versions"}, {c.Types, "artifact type", "artifact types"},
		{c.Criteria, "criterion", "criteria"}, {c.Rules, "rule", "rules"}, {c.Calibrated, "calibrated", "calibrated"},
		{c.Drafts, "draft", "drafts"}, {c.Deprecated, "deprecated", "deprecated"}, {c.RetiredCount, "retired", "retired"},
	} {
		if one.n > 0 {
			lines = append(lines, count(one.n, one.word, one.many))
		}
	}
	return lines
}

func (b *builder) writeIndex() error {
	title := "Rubric library"
	if version := b.library.Version(); version != "" {
		title += " " + version
	}
	p := indexPage{page: b.newPage("index.html", title, searchDataName, clientName, scriptName, searchName), Counts: b.counts(), Statuses: statuses}
	groups := byType(b.lines)
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		g := group{Type: name, Count: len(groups[name])}
		if len(b.entries) <= manyDocuments {
			g.Entries = b.entriesOf(groups[name])
		}
		p.Groups = append(p.Groups, g)
	}
	retired, err := b.library.Retired()
	for _, id := range retired {
		var gone library.Entry
		if gone, err = b.library.Entry(id); err != nil {
			break
		}
		if len(gone.Versions) == 0 {
			p.Gone = append(p.Gone, gone)
		}
	}
	return errors.Join(err, b.putPage("index.html", p, "index.html"))
}

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
func listPages(lines []*bundlefile.IndexLine) []listPage {
	var pages []listPage
	groups := byType(lines)
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

func (b *builder) entriesOf(lines []int) []*entry {
	entries := make([]*entry, len(lines))
	for i, at := range lines {
		entries[i] = b.entries[at]
	}
	return entries
}

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
