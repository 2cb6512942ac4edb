package importing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/markdown"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

var (
	headingLine = lazy.Expr(`^ {0,3}#{1,6}\s+(.*?)\s*#*$`)
	fenceLine   = lazy.Expr("^\\s*(?:```[^`]*$|~~~)")
	itemLine    = lazy.Expr(`^(\s*)(?:[-*+]|[0-9]{1,9}[.)])\s+(\[[ xX]?\]\s+)?(\S.*)$`)

	// The parts of an exported rule set.
	exportedID     = lazy.Expr("(?m)^`([a-z][a-z0-9_]*)@[0-9.]+#sha256:[0-9a-f]+`$")
	exportedHead   = lazy.Expr("(?ms)^A rule set for `([a-z0-9_]+)`\\. It passes if [^.]* score reaches ([0-9.]+)\\.\n\n(?:([^\n#*-].*?)\n\n)?(?:\\*\\*Deprecated|- |## Rules)")
	exportedRubric = lazy.Expr("(?m)^`[a-z][a-z0-9_]*@[0-9.]+#sha256:[0-9a-f]+`\n\nA rubric for `")
	exportedRule   = lazy.Expr("^Rule `([a-z0-9._-]+)`, severity `([a-z]+)`, weight ([0-9.]+), phase ([AB])$")
	exportedDetail = lazy.Expr(`^(?:Check|Materialized): `)
)

// item is an item of a checklist, with the items below it that have no box.
type item struct {
	text, section string
	boxed         bool
	indent, line  int
	details       []string
}

// markdown reads a checklist: each item with a box is a rule, or if no item has one, each
// item.
func (r *reader) markdown() {
	problems := yamltree.CheckText(r.file)
	if r.problems = slices.DeleteFunc(problems, func(p source.Problem) bool { return p.Code == yamltree.CodeLineEndings }); len(r.problems) > 0 {
		return
	}
	d := draft{}
	if exportedRubric().Match(r.file.Data) {
		r.refuse("The file is a rubric from `rubric export`, and its lists are not checklists. Import another format of it, such as promptfoo.")
		return
	}
	if m := exportedID().FindSubmatch(r.file.Data); m != nil {
		d.id, r.exported = string(m[1]), true
	}
	if m := exportedHead().FindSubmatch(r.file.Data); m != nil {
		d.artifactType, d.passThreshold, d.description = string(m[1]), string(m[2]), r.plain(string(m[3]), 1)
	}
	title, items := r.items()
	d.name = title
	if slices.ContainsFunc(items, func(i item) bool { return i.boxed }) {
		items = slices.DeleteFunc(items, func(i item) bool {
			if !i.boxed {
				r.dropped(fmt.Sprintf("line %d", i.line), "Items without a box are dropped, because others have one.")
			}
			return !i.boxed
		})
	}
	if len(items) > most {
		r.tooMany()
		return
	}
	if r.foreign = isRomance(items); r.foreign {
		r.derived("", "No item is marked for rewriting: that needs a text in English.")
	}
	for _, i := range items {
		place := fmt.Sprintf("line %d", i.line)
		d.rules = append(d.rules, r.rule(r.details(i, place), place))
	}
	if len(d.rules) == 0 {
		r.refuse("The file has no list: expected items such as `- [ ] Each endpoint has an example`.")
		return
	}
	r.drafts = []draft{d}
}

// items reads the lists of a file, and its first heading.
func (r *reader) items() (title string, items []item) {
	section, fenced, open := "", false, false
	for n := 1; n <= r.file.LineCount(); n++ {
		line := strings.ReplaceAll(r.file.Text(r.file.LineSpan(n)), "\t", "    ")
		if fenceLine().MatchString(line) {
			if fenced = !fenced; fenced {
				r.dropped(fmt.Sprintf("line %d", n), "Blocks of code are dropped.")
			}
		}
		m, last := itemLine().FindStringSubmatch(line), len(items)-1
		switch h := headingLine().FindStringSubmatch(line); {
		case fenced || fenceLine().MatchString(line):
		case h != nil:
			section = r.plain(h[1], n)
			title, open = cmp.Or(title, section), false
		case m != nil && m[2] == "" && last >= 0 && items[last].boxed && len(m[1]) > items[last].indent:
			items[last].details = append(items[last].details, m[3])
		case m != nil:
			items, open = append(items, item{text: m[3], section: section, boxed: m[2] != "", indent: len(m[1]), line: n}), true
		case strings.TrimSpace(line) == "":
			open = false
		case open && len(items[last].details) > 0 && len(items[last].details[len(items[last].details)-1]) < 16<<10:
			items[last].details[len(items[last].details)-1] += "\n" + strings.TrimSpace(line)
		case open && len(items[last].text) < 16<<10: // which plain refuses
			items[last].text += "\n" + strings.TrimSpace(line)
		default:
			r.dropped(fmt.Sprintf("line %d", n), "Text outside of lists is dropped.")
		}
	}
	for i := range items {
		items[i].text = r.plain(items[i].text, items[i].line)
		for j := range items[i].details {
			items[i].details[j] = r.plain(items[i].details[j], items[i].line)
		}
	}
	return title, items
}

// plain is a text without the markup that changes only its looks.
func (r *reader) plain(text string, line int) string {
	if len(text) > markdown.MostInline {
		r.refuse("Line %d: the text is too long for an item. Shorten it.", line)
		return ""
	}
	page, _ := markdown.Read(source.NewFile(r.file.Path, nil)) // an empty file can be read
	page.IsBare = func(code string) bool { return r.exported && !strings.Contains(code, " ") && render.Links(code) }
	return strings.ReplaceAll(page.Text([]byte(text)), "\n", " ")
}

// details is the rule of an item with what is below it.
func (r *reader) details(i item, place string) rule {
	out := rule{description: i.text, category: i.section}
	var more []string
	for _, detail := range i.details {
		kind := exportedDetail().FindString(detail)
		switch m := exportedRule().FindStringSubmatch(detail); {
		case m != nil:
			out.id, out.severity, out.weight, out.phase = m[1], m[2], m[3], m[4]
		case kind == "Check: ":
			out.check = detail[len(kind):]
		case kind != "":
			r.dropped(place, "Materialized checks are dropped. Run `rubric rules prepare` to create them again.")
		default:
			more = append(more, detail)
		}
	}
	if len(more) > 0 && out.check == "" {
		out.check = checkOf(i.text) + " " + document.Consider + " " + strings.Join(more, "; ") + "."
	}
	return out
}

// rule completes a rule, and marks it if the author has to rewrite it.
func (r *reader) rule(out rule, place string) rule {
	if out.check == "" {
		out.check = checkOf(out.description)
		r.derived(place, "A check is the same for every rule like it, because the file has none. Say where to look.")
	}
	for _, reason := range marks(out.description) {
		if r.foreign || out.id != "" { // an export is not rewritten
			break
		}
		out.notes = append(out.notes, "Rewrite: "+reason)
		r.derived(place, "An item is stated negatively or conditionally: a comment says why to rewrite it.")
	}
	return out
}

// checkOf is the check of a rule that has none in the file.
func checkOf(text string) string {
	if isNegative(text) {
		return document.ImportedNegativeCheck
	}
	return document.ImportedCheck
}
