package outlines

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/markdown"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

var (
	exportedID     = lazy.Expr("(?m)^`([a-z][a-z0-9_]*)@[0-9.]+#sha256:[0-9a-f]+`$")
	exportedHead   = lazy.Expr("(?ms)^A rule set for `([a-z0-9_]+)`\\. Work passes if [^.]* at least ([0-9.]+)\\.\n\n(?:([^\n#*-].*?)\n\n)?(?:\\*\\*Deprecated|- |## Rules)")
	exportedRubric = lazy.Expr("(?m)^`[a-z][a-z0-9_]*@[0-9.]+#sha256:[0-9a-f]+`\n\nA rubric for `")
)

// ReadMarkdown reads a rubric or a checklist: what has levels, points, or a row in a table of criteria
// is a criterion, and what has a box is a rule.
func ReadMarkdown(r *intake.Reader) {
	if exportedRubric().Match(r.File.Data) {
		r.Refuse("The file is a rubric from `rubric export`, for people. Import another format of it, such as promptfoo.")
		return
	}
	r.File = source.NewFile(r.File.Path, bytes.TrimPrefix(r.File.Data, []byte("\uFEFF")))
	page, problems := markdown.Read(r.File)
	r.Problems = problems
	if page == nil {
		return
	}
	o := &outliner{Reader: r, page: page}
	d := o.readExport()
	o.frontMatter(&d)
	root := o.outline()
	title := titleSection(root)
	if title != nil {
		d.Name = cmp.Or(d.Name, title.title)
	}
	criteria := o.share(o.criteriaIn(root))
	o.rulesIn(root)
	o.readPassing(&d, root)
	if o.exports == "" {
		d.Description = cmp.Or(d.Description, o.introduction(root, title))
	}
	o.finishDrafts(d, criteria)
	o.leftovers(root)
}

// readExport returns what an export of a rule set says of it.
func (o *outliner) readExport() (d intake.Draft) {
	m := exportedID().FindSubmatch(o.File.Data)
	if m == nil {
		return d
	}
	d.ID, o.exports = string(m[1]), string(m[1])
	o.page.IsBare = func(code string) bool { return !strings.Contains(code, " ") && render.Links(code) }
	if m := exportedHead().FindSubmatch(o.File.Data); m != nil {
		d.ArtifactType, d.PassThreshold, d.Description = string(m[1]), string(m[2]), o.oneLine(m[3])
	}
	return d
}

// frontMatter reads the name and the description in the YAML at the beginning of a page.
func (o *outliner) frontMatter(d *intake.Draft) {
	for n := 2; n < o.File.LineCount() && o.File.LineSpan(n).Start < o.page.FrontMatter.End; n++ {
		line := o.File.Text(o.File.LineSpan(n))
		key, value, _ := strings.Cut(line, ":")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		switch {
		case strings.TrimSpace(line) == "" || line == "---":
		case value == "" || strings.ContainsAny(value[:1], "|>&*[{"):
			o.AddDropped(place(n), "The front matter of the page is dropped, except for a name and a description in one line.")
		case key == "name" || key == "title":
			d.Name = cmp.Or(d.Name, value)
		case key == "description":
			d.Description = value
		default:
			o.AddDropped(place(n), "The front matter of the page is dropped, except for a name and a description in one line.")
		}
	}
}

// titleSection is the section that a page is: its first heading, if all others are below it.
func titleSection(root *section) *section {
	at := slices.IndexFunc(root.body, func(p *block) bool { return p.below != nil })
	if at < 0 || root.body[at].below.level >= boldLine {
		return nil
	}
	first := root.body[at].below
	for _, p := range root.body[at+1:] {
		if p.below != nil && p.below.level <= first.level {
			return nil
		}
	}
	return first
}

// introduction is the text at the beginning of a page, and below its title.
func (o *outliner) introduction(root, title *section) string {
	var texts []string
	for _, s := range []*section{root, title} {
		for i := 0; s != nil && i < len(s.body) && s.body[i].text != ""; i++ {
			if p := s.body[i]; !p.taken {
				p.taken = true
				texts = append(texts, p.text)
			}
		}
	}
	return strings.Join(texts, "\n\n")
}

// passMark is a line that says where a document passes.
var passMark = lazy.Expr(`(?i)^(?:the\s+)?(?:minimum\s+|required\s+)?(?:pass(?:ing)?\s*(?:score|threshold|mark|grade|line|rate)?|minimum\s+(?:score|grade)|threshold|score\s+to\s+pass)\s*(?::|=|is|at|≥|>=)\s*(?:≥|>=|at least\s+)?([0-9]+(?:[.,][0-9]+)?\s*%?)(?:\s*(?:points?|pts|/|out of|of|or\s+(?:higher|more|above|better)).*)?\.?$`)

// readPassing reads where a document passes from the lines outside of criteria.
func (o *outliner) readPassing(d *intake.Draft, s *section) {
	for _, p := range s.body {
		if p.taken {
			continue
		}
		if p.below != nil {
			o.readPassing(d, p.below)
		}
		m := passMark().FindStringSubmatch(p.text)
		if m != nil && d.PassThreshold == "" {
			d.PassThreshold, d.PassPlace, p.taken = m[1], place(p.line), true
		}
	}
}

// overall are titles of levels for all of a document.
var overall = lazy.Expr(`(?i)^(?:overall|total|final)\b|\binterpret|\bverdict\b|^(?:score|grade|result|rating)s?\s+(?:bands?|ranges?|thresholds?|meanings?|bounds)|^(?:decision|recommendation|result|outcome)s?$`)

// isOverall reports whether levels are for all of a document: their title says so, and they go
// further than those of all others.
func (f found) isOverall(all []found) bool {
	highest := func(c intake.Criterion) (most float64) {
		for _, l := range c.Levels {
			if !l.IsNamed() {
				most = max(most, l.High)
			}
		}
		return most
	}
	return overall().MatchString(f.Key) && !slices.ContainsFunc(all, func(other found) bool {
		return other.owner != f.owner && highest(other.Criterion) >= highest(f.Criterion)
	})
}

// share gives the levels that belong to no criterion to those that have none.
func (o *outliner) share(all []found) (out []intake.Criterion) {
	var shared []found
	for _, f := range all {
		if len(all) > 1 && len(f.Levels) > 0 && (isGeneric(f.Key) || f.isOverall(all) || f.owner.level < 2) {
			shared = append(shared, f)
			continue
		}
		out = append(out, f.Criterion)
	}
	if len(out) == 0 {
		for _, f := range shared {
			out = append(out, f.Criterion)
		}
		return out
	}
	lacking := func(c intake.Criterion) bool { return len(c.Levels) == 0 }
	for _, f := range shared {
		if f.isOverall(all) || !slices.ContainsFunc(out, lacking) {
			o.AddDropped(f.Place, "Levels for all of the document are dropped: they belong to no criterion. Set pass_threshold to where a document passes.")
			continue
		}
		for i := range out {
			if lacking(out[i]) {
				out[i].Levels = f.Levels
			}
		}
		o.AddDerived(f.Place, "The levels that are for all criteria were copied into each one that has none of its own.")
	}
	return out
}

// finishDrafts makes a rubric of criteria, and a rule set of rules.
func (o *outliner) finishDrafts(d intake.Draft, criteria []intake.Criterion) {
	switch {
	case len(o.Problems) > 0:
		return
	case len(criteria) > intake.Most || len(o.found) > intake.Most:
		o.TooMany()
	case o.Kind == &document.Rubric && len(criteria) == 0 && len(o.found) > 0:
		o.Refuse("A checklist has no scores, so it can't become a rubric. Use --as ruleset.")
	case len(criteria)+len(o.found) == 0:
		o.Refuse("%s", o.explainNothing())
	case o.Kind == &document.RuleSet:
		o.ruleSet(d, criteria)
	case len(criteria) == 0:
		o.ruleSet(d, nil)
	default:
		d.Criteria, d.Scale = apart(criteria), o.scale
		for _, rule := range o.found {
			o.AddDropped(rule.Place, "Items with a box are dropped, because the file has criteria, too. Import it again with --as ruleset and another --id to get them as rules.")
		}
		o.Drafts = []intake.Draft{d}
	}
}

// explainNothing says what a file without criteria and boxes could have.
func (o *outliner) explainNothing() string {
	const expected = "expected a table of criteria, headings with levels below them such as `- 5: each claim has a source`, or items such as `- [ ] Each endpoint has an example`."
	if o.lists > 0 && !o.Lists {
		return fmt.Sprintf("The file has no criteria and no boxes: %s If each item of its lists is a rule, use --lists.", expected)
	}
	return "The file has no list and no criteria: " + expected
}

// leftovers lists what is in no draft.
func (o *outliner) leftovers(s *section) {
	for _, p := range s.body {
		switch {
		case p.taken:
		case p.below != nil:
			o.leftovers(p.below)
		case p.table != nil:
			o.AddDropped(place(p.line), "A table is dropped: it has no column of criteria, such as Criterion, or of levels, such as 1 to 5.")
		case p.items != nil:
			o.leftList(s, p)
		default:
			o.AddDropped(place(p.line), "Text outside of criteria and rules is dropped.")
		}
	}
}

func (o *outliner) leftList(s *section, p *block) {
	for _, item := range p.items {
		switch {
		case item.taken:
		case failing().MatchString(o.titleAbove(s, p)):
			o.AddDropped(place(item.line), "Lists of failures and examples are dropped: their items say what is wrong, so they are not rules.")
		case o.Lists:
			o.AddDropped(place(item.line), "Items that belong to no criterion or rule are dropped.")
		case len(o.found) > 0:
			o.AddDropped(place(item.line), "Items without a box are dropped, because others have one.")
		default:
			o.AddDropped(place(item.line), "Items without a box and without levels are dropped. If each is a rule, use --lists.")
		}
		o.leftovers(item)
	}
}
