package outlines

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

var (
	// generic are titles of what has levels, such as a scale, and not of a criterion.
	generic = lazy.Expr(`(?i)^(?:the\s+)?(?:overall\s+)?(?:(?:scor(?:e|es|ing)|rating|ratings|grading|grade|marking|performance|quality|point|achievement|evaluation)\s*)?(?:scor(?:e|es|ing)|scale|levels?|rubrics?|ratings?|grading|grades?|guide(?:lines)?|guidance|anchors?|descriptors?|descriptions?|bands?|criteria|key|legend|definitions?|system|instructions?|points?)(?:\s+(?:scale|guide(?:lines)?|guidance|criteria|levels?|descriptions?|definitions?|rubric|instructions?|key))?(?:\s*\([^)]*\))?$`)
	// asideTitle matches titles of what is said around criteria.
	asideTitle = lazy.Expr(`(?i)^(?:notes?|comments?|remarks?|usage|how to use.*|introduction|overview|about.*|background|purpose|references?|resources?|change\s?log|license|output(?: format)?|response format|process|workflow|procedure|steps|context|summary|feedback|submission.*|deliverables?)$`)
	// rankings are titles of lists of words that rank something other than work.
	rankings = lazy.Expr(`(?i)\b(?:severit|priorit|impact|effort|status|legend|label|glossar|urgen|risk)`)
	// failing are titles of lists of what is bad, or of examples.
	failing = lazy.Expr(`(?i)\b(?:fail|fails|failing|failures?|failed|bad|worse|worst|wrong|incorrect|invalid|anti-?\s?patterns?|counter-?\s?examples?|examples?|samples?|mistakes?|pitfalls?|red flags?|smells?|don'?t|do not|dont|never|avoid|not acceptable|unacceptable|common (?:errors|issues|problems))\b`)
)

// criteria returns the criteria below a section, in the order of the page.
func (o *outliner) criteriaIn(s *section) []found {
	own := o.ladders(s)
	for _, l := range own {
		for _, p := range s.body[l.begin:l.end] {
			p.take()
		}
	}
	var all []found
	samples := o.samples(s, own)
	own = slices.DeleteFunc(own, func(l ownLadder) bool { return l.isSample })
	for i, l := range own {
		begin := 0
		if i > 0 {
			begin = own[i-1].end
		}
		all = append(all, o.criterionWithLevels(s, l, begin, len(own) > 1))
	}
	if len(own) > 0 {
		last := &all[len(all)-1]
		last.Examples = append(last.Examples, samples...)
	}
	for _, p := range s.body {
		all = append(all, o.criteriaOf(s, p)...)
	}
	o.group(s, all)
	switch {
	case len(all) == 0 && s.level > 0 && (intake.NoteOf(s.title) != (intake.TitleNote{}) || s.isOneOfMany()) &&
		!s.hasBoxes() && len(s.body) > 0:
		all = append(all, o.completeCriterion(s, intake.Criterion{}))
	case len(all) == 1 && s.title != "" && all[0].owner != s && isGeneric(all[0].owner.title):
		all[0] = o.completeCriterion(s, all[0].Criterion)
	}
	return all
}

// group makes a heading that says how much it counts the group of the criteria below it.
func (o *outliner) group(s *section, all []found) {
	note := intake.NoteOf(s.title)
	if note.Weight+note.Points == "" || s.level < 2 || s.level >= listItem ||
		slices.ContainsFunc(all, func(f found) bool { return f.owner == s }) {
		return
	}
	named := intake.Criterion{}
	o.settle(&named, s.title)
	o.GroupCount++
	group := intake.Group{Name: named.Key, Weight: named.Weight, Points: named.Points, Number: o.GroupCount}
	for i := range all {
		all[i].Groups = append([]intake.Group{group}, all[i].Groups...)
	}
}

// many are titles of what has several criteria.
var many = lazy.Expr(`(?i)\b(?:criteria|dimensions|metrics|aspects|axes|factors|categories|rubrics?)$`)

// isOneOfMany reports whether a heading is below one such as "Criteria".
func (s *section) isOneOfMany() bool {
	return s.level < listItem && s.up != nil && s.up.level > 0 && many().MatchString(s.up.title) &&
		!isGeneric(s.title) && !failing().MatchString(s.title) && !asideTitle().MatchString(s.title)
}

// samples takes the levels below a title such as "Examples" for examples of the levels before
// them.
func (o *outliner) samples(s *section, own []ownLadder) (all []intake.Example) {
	add := func(from []levels.Level) {
		for _, l := range from {
			all = append(all, intake.Example{Text: l.Text, Level: l.String()})
		}
	}
	for i := range own {
		l := &own[i]
		if l.isSample = i > 0 && l.begin > 0 && exampleTitle().MatchString(s.body[l.begin-1].text); l.isSample {
			s.body[l.begin-1].taken = true
			add(l.levels)
		}
	}
	for _, p := range s.body {
		if p.below == nil || p.taken || len(own) == 0 || !exampleTitle().MatchString(p.below.title) {
			continue
		}
		for _, l := range o.ladders(p.below) {
			p.taken = true
			p.below.take()
			add(l.levels)
		}
	}
	return all
}

var exampleTitle = lazy.Expr(`(?i)^(?:scored\s+)?(?:examples?|samples?)(?:\s+(?:of|for|by)\s+.*|\s+(?:answers?|responses?|outputs?|scores?))?\s*:?$`)

// criteriaOf returns the criteria of a part of a section.
func (o *outliner) criteriaOf(s *section, p *block) (all []found) {
	switch {
	case p.taken:
	case p.below != nil:
		all = o.criteriaIn(p.below)
	case p.table != nil:
		all = o.tableCriteria(s, p)
	default:
		isList := o.areCriteria(s, p.items)
		for _, item := range p.items {
			switch {
			case item.boxed:
			case isList && !slices.ContainsFunc(item.body, o.hasCriteria):
				all = append(all, o.completeCriterion(item, intake.Criterion{}))
				item.taken = true
			default:
				below := o.criteriaIn(item)
				all, item.taken = append(all, below...), item.taken || len(below) > 0
			}
		}
		p.taken = len(p.items) > 0 && !slices.ContainsFunc(p.items, func(i *section) bool { return !i.taken })
	}
	return all
}

// areCriteria reports whether the items of a list are criteria without levels: most say how much
// they count, or the title above them says what they are, and each has a name.
func (o *outliner) areCriteria(s *section, items []*section) bool {
	weighed, named := 0, 0
	for _, item := range items {
		if item.boxed {
			return false
		}
		name, rest := titledItem(item)
		if intake.NoteOf(name) != (intake.TitleNote{}) || intake.NoteOf(inLine(item.title)) != (intake.TitleNote{}) {
			weighed++
		}
		if name != "" && rest != "" {
			named++
		}
	}
	return weighed > 1 && 2*weighed > len(items) || named > 1 && named == len(items) && many().MatchString(s.heading())
}

// hasCriteria reports whether a part has criteria of its own.
func (o *outliner) hasCriteria(p *block) bool {
	of := func(s *section) bool { return len(o.ladders(s)) > 0 || slices.ContainsFunc(s.body, o.hasCriteria) }
	return p.table != nil || p.below != nil && of(p.below) || slices.ContainsFunc(p.items, of)
}

// hasBoxes reports whether there is a checklist below a section.
func (s *section) hasBoxes() bool {
	return slices.ContainsFunc(s.body, func(p *block) bool {
		return p.below != nil && p.below.hasBoxes() ||
			slices.ContainsFunc(p.items, func(i *section) bool { return i.boxed || i.hasBoxes() })
	})
}

// criterionWithLevels returns the criterion with some levels. If a section has several, the texts before its
// levels say what each is about.
func (o *outliner) criterionWithLevels(s *section, l ownLadder, begin int, several bool) found {
	c := intake.Criterion{Levels: l.levels, Place: place(l.line)}
	if !several {
		c.Description = l.rest
		return o.completeCriterion(s, c)
	}
	var texts []string
	for _, p := range s.body[begin:l.begin] {
		if p.text != "" && !p.taken {
			p.taken = true
			texts = append(texts, p.text)
		}
	}
	text := strings.TrimSpace(strings.Join(append(texts, l.rest), "\n\n"))
	c.Key, c.Description = titled(text)
	own := &section{title: cmp.Or(c.Key, s.title), line: l.line, level: listItem, up: s}
	o.settle(&c, own.title)
	c.Description = cmp.Or(c.Description, c.Key)
	return found{c, own}
}

// titled cuts the title off a text: a short first line before a colon or a line break.
func titled(text string) (title, rest string) {
	first, rest, _ := strings.Cut(text, "\n")
	if before, after, found := strings.Cut(first, ": "); found && len(strings.Fields(before)) <= 6 {
		return before, strings.TrimSpace(after + "\n" + rest)
	}
	if len(first) <= 80 && (rest != "" || strings.HasSuffix(first, ":")) {
		return strings.TrimRight(first, " :"), strings.TrimSpace(rest)
	}
	return "", text
}

// completeCriterion completes the criterion that a section is about with the title and the texts of the
// section.
func (o *outliner) completeCriterion(s *section, c intake.Criterion) found {
	c.Place = cmp.Or(c.Place, place(s.line))
	title, texts := s.title, []string{}
	if s.level == listItem {
		var rest string
		if title, rest = titledItem(s); rest != "" {
			texts = append(texts, rest)
		}
	}
	for _, p := range s.body {
		if p.taken || p.hasBoxes() || o.hasCriteria(p) {
			continue
		}
		texts = append(texts, p.words())
		p.take()
	}
	texts = append(texts, c.Description)
	o.settle(&c, title)
	text := strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), "\n")
	c.Description = cmp.Or(o.settings(&c, text), c.Key, c.ID)
	return found{c, s}
}

func (p *block) hasBoxes() bool {
	return (&section{body: []*block{p}}).hasBoxes()
}

// titledItem cuts the name of a criterion off an item: the text in bold, or what precedes a colon
// or a dash.
func titledItem(s *section) (title, rest string) {
	if s.lead != "" && strings.HasPrefix(s.title, s.lead) {
		title, rest = s.lead, s.title[len(s.lead):]
		if note := leadNote().FindString(rest); note != "" {
			title, rest = title+" "+strings.Trim(note, " :–—-"), rest[len(note):]
		}
		return strings.TrimRight(title, " :–—-"), strings.TrimLeft(rest, " \n:–—-")
	}
	if at := itemTitle().FindStringSubmatch(s.title); at != nil {
		return at[1], strings.TrimSpace(s.title[len(at[0]):])
	}
	if len(s.body) > 0 && len(s.title) <= 80 {
		return strings.TrimRight(s.title, " :"), ""
	}
	return "", s.title
}

var (
	// leadNote is a note in parentheses after a name.
	leadNote = lazy.Expr(`^\s*[(\[][^()\[\]\n]{1,30}[)\]]\s*:?`)
	// itemTitle is a name at the beginning of an item.
	itemTitle = lazy.Expr(`^([^:\n.?!–—]{1,60}?)(?:\s*:\s+|\s+[-–—]\s+)`)
)

// apart puts the heading in front of descriptions that recur below several.
func apart(all []intake.Criterion) []intake.Criterion {
	first := map[string]int{}
	for i := range all {
		c := &all[i]
		at, again := first[c.Description]
		if !again {
			first[c.Description] = i
			continue
		}
		for _, other := range []*intake.Criterion{&all[at], c} {
			if c.Description != "" && other.Key != "" && other.Key != other.Description &&
				!strings.HasPrefix(other.Description, other.Key+": ") && all[at].Key != c.Key {
				other.Description = other.Key + ": " + other.Description
			}
		}
	}
	return all
}

// titleAbove is the title of the sections around a list, with the line before it.
func (o *outliner) titleAbove(s *section, list *block) string {
	var titles []string
	if i := slices.Index(s.body, list); i > 0 && strings.HasSuffix(s.body[i-1].text, ":") {
		titles = append(titles, s.body[i-1].text)
	}
	for ; s != nil; s = s.up {
		if s.level > 1 {
			titles = append(titles, s.title)
		}
	}
	return strings.Join(titles, "\n")
}
