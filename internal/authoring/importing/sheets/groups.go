package sheets

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/table"
)

// sheetPart is the rows of one document.
type sheetPart struct {
	draft intake.Draft
	rows  []table.Row
}

// groups are the documents of a sheet: one for each value of a column, if the author or a heading
// says that there are several.
func (s *sheet) groups() []*sheetPart {
	at, names := s.columnOf(rubricField), -1
	if s.GroupBy != "" {
		at = s.heading(s.GroupBy)
	} else if at >= 0 && !s.areNames(at) {
		s.columns[at].field = "" // its texts are those of criteria
		at = -1
	}
	if at < 0 {
		whole := &sheetPart{rows: s.table.Rows}
		s.title(&whole.draft)
		return []*sheetPart{whole}
	}
	if i := s.heading("rubric name"); i != at && s.GroupBy == "" {
		names = i
	}
	s.columns[at].field = aboutField
	all := s.parts(at, names)
	if len(all) > intake.MostDocuments {
		s.TooMany()
	}
	for _, p := range all {
		p.draft.Name = cmp.Or(p.draft.Name, p.draft.ID)
	}
	s.constants(all)
	for _, p := range all {
		shorten(&p.draft)
	}
	return all
}

// parts groups the rows by the texts of a column. The names of the documents are in another one,
// unless it is -1.
func (s *sheet) parts(at, names int) (all []*sheetPart) {
	for _, row := range s.table.Rows {
		id := s.text(row, at)
		if id == "" && len(all) == 0 && s.GroupBy != "" {
			s.Refuse("--group-by: row %d has no text in the column %s.", row.Number, schema.Quote(s.columns[at].heading))
			return nil
		}
		if id == "" && len(all) > 0 { // cells below are joined with the one above, or left out
			id = all[len(all)-1].draft.ID
		}
		i := slices.IndexFunc(all, func(p *sheetPart) bool { return p.draft.ID == id })
		if i < 0 {
			i = len(all)
			all = append(all, &sheetPart{draft: intake.Draft{ID: id, Place: s.place(row)}})
		}
		all[i].draft.Name = cmp.Or(all[i].draft.Name, s.text(row, names))
		all[i].rows = append(all[i].rows, row)
	}
	return all
}

// areNames reports whether a column has names of rubrics, and not their texts.
func (s *sheet) areNames(at int) bool {
	return !slices.ContainsFunc(s.table.Rows, func(row table.Row) bool {
		text := strings.TrimSpace(row.Cell(at).Text)
		return len(text) > 120 || strings.Contains(text, "\n")
	})
}

// title makes the rows above the headings the name and the description of a document.
func (s *sheet) title(d *intake.Draft) {
	if len(s.Titles) > 0 {
		d.Name, d.Description = s.Titles[0], strings.Join(s.Titles[1:], "\n")
		shorten(d)
		s.AddDerived("", "The texts above the headings became the name and the description.")
	}
}

// mostName is the length of the name of a document from a table.
const mostName = 120

// shorten makes a name that is too long for one a part of the description.
func shorten(d *intake.Draft) {
	if name := strings.Join(strings.Fields(d.Name), " "); len(name) <= mostName {
		d.Name = name
		return
	}
	d.Description = strings.TrimSpace(d.Name + "\n" + d.Description)
	d.Name = ""
}

// constants makes the columns that have one value in each document its description, such as the prompt
// that its criteria are for.
func (s *sheet) constants(all []*sheetPart) {
	var found []int
	for i, c := range s.columns {
		varies := func(p *sheetPart) bool { return !isConstant(p.rows, i) }
		isOther := !c.isKnown() && c.sample == "" && !c.read && c.heading != ""
		if isOther && !slices.ContainsFunc(all, varies) {
			found = append(found, i)
		}
	}
	for _, p := range all {
		var texts []string
		for _, i := range found {
			text := ""
			for _, row := range p.rows {
				text = cmp.Or(text, s.text(row, i))
			}
			switch {
			case text == "":
			case len(found) == 1:
				texts = append(texts, text)
			default:
				texts = append(texts, s.columns[i].heading+": "+text)
			}
		}
		p.draft.Description = strings.Join(texts, "\n")
	}
	for _, i := range found {
		s.columns[i].field = aboutField
		s.AddDerived("", fmt.Sprintf("The column %s became the description of each document, because it has one value in each.",
			schema.Quote(s.columns[i].heading)))
	}
}

// isConstant reports whether the cells of a column that are not blank have one text.
func isConstant(rows []table.Row, i int) bool {
	var texts []string
	for _, row := range rows {
		if text := strings.TrimSpace(row.Cell(i).Text); text != "" {
			texts = append(texts, text)
		}
	}
	return len(slices.Compact(texts)) < 2
}
