package site

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/pkg/library"
)

type indexPage struct {
	page
	Counts counts
	Groups []group
	Facets []facet
	// Tiles reports whether the groups are too large to list their documents.
	Tiles bool
	// MoreTypes is the number of artifact types that the page leaves out.
	MoreTypes int
	News      []releaseChange
	// Gone are retired documents of which no text is left, and MoreGone is how many others there are.
	Gone     []library.Entry
	MoreGone int
	Pages    listPages // of the list of types
}

// group has the documents of one artifact type. Page is the path of their list from the root
// of the site, or of the document if there is only one.
type group struct {
	Type, Page string
	Count      int
	Entries    []*entry
}

// Root returns the path from the index page to the root of the site.
func (group) Root() string { return "" }

type counts struct {
	Documents  int            `json:"documents"`
	Versions   int            `json:"versions"`
	Criteria   int            `json:"criteria"`
	Rules      int            `json:"rules"`
	Calibrated int            `json:"calibrated"`
	Kinds      map[string]int `json:"kinds"`
	Statuses   map[string]int `json:"statuses"`
}

func (b *builder) counts() counts {
	c := counts{Documents: len(b.entries), Kinds: map[string]int{}, Statuses: map[string]int{}}
	for _, e := range b.entries {
		c.Versions += len(e.Versions)
		c.Criteria += e.Criteria
		c.Rules += e.Rules
		c.Kinds[string(e.Kind)]++
		c.Statuses[e.Status]++
		if e.isCalibrated() {
			c.Calibrated++
		}
	}
	return c
}

// about says what a library is and for whom.
const about = "Reviewed, versioned definitions of how work is graded. Open one to read it, to see graded examples if there are any, or to try it on your own text."

func (b *builder) writeIndex() error {
	p := indexPage{
		page: b.newPage("index.html", b.options.Name, scriptName, searchName), Counts: b.counts(), News: b.news(),
	}
	p.Summary = about
	p.Groups = b.groups()
	p.Tiles = len(b.entries) > manyDocuments
	if p.Tiles && len(p.Groups) > mostRows {
		p.MoreTypes = len(p.Groups) - mostRows
		slices.SortStableFunc(p.Groups, func(x, y group) int { return y.Count - x.Count })
		p.Groups = p.Groups[:mostRows]
	}
	p.Facets = b.facets()
	var err error
	p.Gone, err = b.retiredEntries()
	p.MoreGone = max(0, len(p.Gone)-mostRows)
	p.Gone = p.Gone[:len(p.Gone)-p.MoreGone]
	return errors.Join(err, b.putPage("index.html", p, "index.html"))
}

// groups returns the documents by artifact type, sorted by type.
func (b *builder) groups() []group {
	var groups []group
	for _, name := range slices.Sorted(maps.Keys(b.types)) {
		g := group{Type: name, Page: "types/" + name + "/index.html", Count: len(b.types[name]), Entries: b.types[name]}
		if g.Count == 1 {
			g.Page = g.Entries[0].Page
		}
		groups = append(groups, g)
	}
	return groups
}

// news returns the latest changes since the first release of the library, newest first.
func (b *builder) news() (changes []releaseChange) {
	releases := b.releases()
	for _, r := range releases[:max(0, len(releases)-1)] {
		changes = append(changes, r.Changes...)
	}
	return changes[:min(mostNews, len(changes))]
}

// writeTypes writes the list of the artifact types, sorted by name.
func (b *builder) writeTypes() error {
	groups := b.groups()
	if len(groups) <= mostRows && !slices.ContainsFunc(groups, func(g group) bool { return g.Count > 1 }) {
		return nil // no page links to it
	}
	return inPages(typesName, groups, func(file string, part []group, pages listPages) error {
		p := indexPage{page: b.newPage(file, pages.title("Artifact types")), Groups: part, Pages: pages}
		p.Summary = fmt.Sprintf("The %s that the documents of this library grade.",
			count(len(groups), "type of artifact", "types of artifacts"))
		return b.putPage("types.html", p, file)
	})
}

// manyDocuments is the number of documents from which the index page lists only artifact
// types.
const manyDocuments = mostRows

// mostNews is how many changes the index page lists.
const mostNews = 6

type listPage struct {
	page
	Type    string
	Pages   listPages
	Entries []*entry
}

// writeLists writes the pages of the artifact types that have more than one document.
func (b *builder) writeLists() error {
	for name, all := range b.types {
		if len(all) == 1 {
			continue
		}
		err := inPages("types/"+name+"/index.html", all, func(file string, part []*entry, pages listPages) error {
			l := listPage{page: b.newPage(file, pages.title(typeWords(name))), Type: name, Pages: pages, Entries: part}
			l.Summary = fmt.Sprintf("%d documents grade artifacts of the type %s.", pages.All, typeWords(name))
			return b.putPage("list.html", l, file)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
