package site

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// mostRows is how many entries a page of the site lists at most.
const mostRows = 100

// listPages are the pages of a list, each of which leads to all others.
type listPages struct {
	Number, Of int    // of the page, from 1
	All        int    // entries on all pages
	first      string // the file of the first page
}

// File returns the name of the page with a number in the folder of the list.
func (p listPages) File(number int) string { return pageOfList(path.Base(p.first), number) }

// pageOfList returns the path of a page of a list, from that of the first one.
func pageOfList(first string, number int) string {
	switch folder, name := path.Split(first); {
	case number == 1:
		return first
	case name == "index.html":
		return folder + fmt.Sprint(number) + ".html"
	default:
		return strings.TrimSuffix(first, ".html") + fmt.Sprintf("-page-%d.html", number)
	}
}

// title returns the title of the page, from that of the list.
func (p listPages) title(list string) string {
	if p.Of == 1 {
		return list
	}
	return fmt.Sprintf("%s, page %d of %d", list, p.Number, p.Of)
}

// inPages calls write with the entries of each page of a list in order, and the path of the page.
// An empty list has one page.
func inPages[T any](first string, all []T, write func(path string, part []T, p listPages) error) error {
	of := max(1, (len(all)+mostRows-1)/mostRows)
	for i := range of {
		p := listPages{Number: i + 1, Of: of, All: len(all), first: first}
		if err := write(pageOfList(first, i+1), all[i*mostRows:min((i+1)*mostRows, len(all))], p); err != nil {
			return err
		}
	}
	return nil
}

// table is a list as a table with pages, and with filters if it has a name for its data.
type table struct {
	page
	Pages   listPages
	Heading string // of the page
	Caption string
	Columns []string
	Rows    []tableRow
	// Notes are before the table, After behind it, and Nothing instead of an empty one.
	Notes, After []cell
	Nothing      string
	// Filters are offered on the first page. Data is the script with all rows, or "".
	Filters []filter
	Data    string
}

// tableRow is an entry of a list. Its first cell names it.
type tableRow struct {
	ID    string `json:"-"` // of the element, or ""
	Cells []cell `json:"cells"`
	// Values are those that filters choose by, one for each filter.
	Values []string `json:"values"`
}

// cell has a line for each piece.
type cell []piece

// piece is a sanitized text in a table.
type piece struct {
	Text string `json:"text"`
	// Page is an address on the site from the page of the list, and Link a web address elsewhere;
	// both are "" if the text leads nowhere.
	Page string `json:"page,omitempty"`
	Link string `json:"link,omitempty"`
	// Code reports whether the text is an ID, a digest, or a hash, and Class is its class in the
	// style sheet, or "".
	Code  bool   `json:"code,omitempty"`
	Class string `json:"class,omitempty"`
}

// filter chooses the rows with one value.
type filter struct {
	Name    string
	Options []option
}

type option struct {
	Value string
	Count int
}

// filtersOf returns a filter for each name, with the values that the rows have, the most frequent
// first.
func filtersOf(rows []tableRow, names ...string) []filter {
	filters := make([]filter, len(names))
	for i, name := range names {
		counts := map[string]int{}
		for _, row := range rows {
			counts[row.Values[i]]++
		}
		f := filter{Name: name}
		for _, value := range slices.Sorted(maps.Keys(counts)) {
			f.Options = append(f.Options, option{value, counts[value]})
		}
		slices.SortStableFunc(f.Options, func(x, y option) int { return y.Count - x.Count })
		filters[i] = f
	}
	return filters
}

func code(text string) piece { return piece{Text: sanitize.Line(text), Code: true} }

// recorded returns a text, or that it is not recorded.
func recorded(text string) piece { return said(cmp.Or(text, "not recorded")) }

// link returns a text that leads to a page of the site.
func link(text, page string) piece { return piece{Text: sanitize.Line(text), Page: page} }

// elsewhere returns a text that leads to a web address, unless the address is none.
func elsewhere(text, address string) piece {
	p := said(text)
	if isWeb().MatchString(address) {
		p.Link = address
	}
	return p
}

// writeTable writes the pages of a table. Without filters, it has no data.
func (b *builder) writeTable(first string, t table, rows []tableRow) error {
	if len(t.Filters) > 0 {
		t.Data = strings.TrimSuffix(first, ".html") + "-rows.js"
		if err := b.putPacked("assets/"+t.Data, "listRows", rows); err != nil {
			return err
		}
	}
	heading, summary := t.Heading, t.Summary
	return inPages(first, rows, func(name string, part []tableRow, p listPages) error {
		t.page = b.newPage(name, p.title(heading), scriptName, listsName)
		t.page.Style, t.Summary = documentName, summary
		t.Pages, t.Rows = p, part
		return b.putPage("table.html", t, name)
	})
}

func said(text string) piece { return piece{Text: sanitize.Line(text)} }
