package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/pkg/library"
)

// writeGovernance writes the list of all documents, and that of the decisions about them.
func (b *builder) writeGovernance(gone []library.Entry) error {
	var rows []tableRow
	for _, e := range b.entries {
		rows = append(rows, b.rowOf(e))
	}
	for _, e := range gone {
		_, at := b.endOf(e.ID, "")
		rows = append(rows, tableRow{
			Cells: []cell{
				{code(e.ID)}, b.state(&e, retired, at), {said(e.Latest + ", no text is left")}, {said("not recorded")},
				{said("not recorded")}, {said("not recorded")}, {said("not recorded")},
			},
			Values: []string{retired, "not recorded"},
		})
	}
	slices.SortStableFunc(rows, func(x, y tableRow) int { return strings.Compare(x.id(), y.id()) })
	t := table{
		Heading: "Governance", Caption: "Documents by ID, with the approval of their latest versions",
		Columns: []string{"Document", "State", "Latest version", "Dates (UTC)", "Owner", "Approval", "Evidence"},
		Filters: filtersOf(rows, "State", "Approval"),
		Nothing: "The library has no documents.",
	}
	t.Summary = "Who owns each document, who approved its latest version, and what became of it."
	if len(b.options.Forge.Changes) == 0 {
		t.Notes = append(t.Notes, cell{said("No approvals from the forge were recorded with this site. Names in commits are not verified.")})
	}
	t.Notes = append(t.Notes, cell{
		link("Decisions", decisionsPage),
		said(": what was accepted, deprecated, withdrawn, yanked, or retired. To see which version was valid on a date, and who approved it, choose a document."),
	})
	t.After = []cell{{said("The data of this page for programs is in "), link("index.json", indexDataName), said(".")}}
	if docs := b.options.Docs; docs != "" {
		t.After = append(t.After, cell{
			said("The tools document "), elsewhere("their controls", docs+"gate.md#governance-controls"), said("."),
		})
	}
	return b.writeTable(governancePage, t, rows)
}

// id returns the ID of the document of a row.
func (r *tableRow) id() string { return r.Cells[0][len(r.Cells[0])-1].Text }

// rowOf returns the row of a document.
func (b *builder) rowOf(e *entry) tableRow {
	v := e.Newest()
	_, at := b.endOf(e.ID, "")
	var evidence cell
	for _, f := range e.Evidence() {
		evidence = append(evidence, said(f.Text()))
	}
	return tableRow{
		Cells: []cell{
			{link(e.Name, e.Page+"#section-history"), code(e.ID)},
			b.state(e.Entry, e.Status, at),
			{link(e.Latest, e.Folder+"/"+v.Page()), code(v.Digest)},
			{said(v.Dates()), recorded(v.Interval())},
			{recorded(e.Owner)}, {said(v.Approval())}, evidence,
		},
		Values: []string{e.Status, v.approvalKind()},
	}
}

// state says in which state a document is, since when it is retired, and what replaces it.
func (b *builder) state(e *library.Entry, status string, ended time.Time) cell {
	c := cell{said(status)}
	if status != active {
		c[0].Class = status
	}
	instead := ""
	switch {
	case e.Retired != nil:
		c = append(c, said(cmp.Or(date(ended), "on a day that is not recorded")))
		instead = e.Retired.ReplacedBy
	case e.Deprecated != nil:
		instead = e.Deprecated.ReplacedBy
	}
	if instead == "" {
		return c
	}
	if other := b.entryOf(instead); other != nil {
		return append(c, link("use "+instead, other.Page))
	}
	return append(c, said("use "+instead))
}

// decision is what the owners decided about a version or a document.
type decision struct {
	What    string
	At      time.Time // zero if it is not recorded
	Release string    // of the library, or ""
	Subject cell
	Reason  string
}

// writeDecisions writes the list of the decisions, the newest first.
func (b *builder) writeDecisions(gone []library.Entry) error {
	all := b.decisions(gone)
	slices.SortStableFunc(all, func(x, y decision) int { return y.At.Compare(x.At) })
	var rows []tableRow
	for _, d := range all {
		rows = append(rows, tableRow{
			Cells: []cell{
				d.Subject, {{Text: d.What, Class: retired}},
				{said(cmp.Or(date(d.At), "date not recorded")), said("library " + cmp.Or(d.Release, "not recorded"))},
				{recorded(d.Reason)},
			},
			Values: []string{d.What},
		})
	}
	t := table{
		Heading: "Decisions", Caption: "Decisions about documents, the newest first",
		Columns: []string{"Document", "Decision", "When (UTC)", "Reason"},
		Filters: filtersOf(rows, "Decision"),
		Nothing: "Nothing was accepted, deprecated, withdrawn, yanked, or retired.",
		After:   []cell{{link("Governance", governancePage)}},
	}
	t.Summary = "What was accepted although its number says less, deprecated, withdrawn, yanked, or retired."
	return b.writeTable(decisionsPage, t, rows)
}

// decisions returns all decisions in the order of the IDs and versions.
func (b *builder) decisions(gone []library.Entry) (all []decision) {
	for _, e := range b.entries {
		for i := range e.Versions {
			v := &e.Versions[i]
			subject := cell{link(e.Name+" "+v.Version, e.Folder+"/"+v.Page()), code(e.ID), code(v.Digest)}
			if v.Exceeds() {
				subject := slices.Clone(subject)
				subject[0].Page = e.Folder + "/" + v.Comparison()
				reason := cmp.Or(v.Accepted, fmt.Sprintf("The changes are %s, but the number says less.", v.Class()))
				all = append(all, decision{"accepted", v.from, v.Release, subject, reason})
			}
			if v.Yanked != "" {
				all = append(all, decision{"yanked", v.end, v.ending, subject, v.Yanked})
			}
		}
		subject := cell{link(e.Name, e.Page), code(e.ID)}
		if e.Retired != nil {
			release, at := b.endOf(e.ID, "")
			all = append(all, decision{retired, at, release, subject, e.Retired.Reason})
		} else if e.Deprecated != nil {
			v := e.firstDeprecated()
			all = append(all, decision{deprecated, v.from, v.Release, subject, e.Deprecated.Reason})
		}
	}
	for _, e := range gone {
		release, at := b.endOf(e.ID, "")
		all = append(all, decision{retired, at, release, cell{code(e.ID)}, e.Retired.Reason})
	}
	for _, w := range b.withdrawn {
		all = append(all, decision{
			"withdrawn", w.At, w.Release, cell{link(w.ID+" "+w.Version, w.Page), code(w.ID)}, w.Reason,
		})
	}
	return all
}

// firstDeprecated returns the version with which the document became deprecated.
func (e *entry) firstDeprecated() *version {
	first := e.Newest()
	for i := latestOf(e.Entry); i >= 0 && e.Versions[i].isDeprecated(); i-- {
		first = &e.Versions[i]
	}
	return first
}
