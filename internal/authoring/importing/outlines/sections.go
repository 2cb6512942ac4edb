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
		all = append(all, o.laddered(s, l, begin, len(own) > 1))
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
	case len(all) == 0 && s.level > 0 && (intake.NoteOf(s.title) != (intake.TitleNote{}) || s.isOneOfMany()) && !s.hasBoxes() && len(s.body) > 0:
		all = append(all, o.described(s, intake.Criterion{}))
	case len(all) == 1 && s.title != "" && all[0].owner != s && isGeneric(all[0].owner.title):
		all[0] = o.described(s, all[0].Criterion)
	}
	return all
}

// group makes a heading that says how much it counts the group of the criteria below it.
func (o *outliner) group(s *section, all []found) {
	note := intake.NoteOf(s.title)
	if note.Weight+note.Points == "" || s.level < 2 || s.level >= listItem || slices.ContainsFunc(all, func(f found) bool { return f.owner == s }) {
		return
	}
	named := intake.Criterion{}
	o.settle(&named, s.title)
	o.GroupCount++
	for i := range all {
		all[i].Groups = append([]intake.Group{{Name: named.Key, Weight: named.Weight, Points: named.Points, Number: o.GroupCount}}, all[i].Groups...)
	}
}

// many are titles of what has several criteria.
var many = lazy.Expr(`(?i)\b(?:criteria|dimensions|metrics|aspects|axes|factors|categories|rubrics?)$`)

// isOneOfMany reports whether a heading is below one such as "Criteria".
func (s *section) isOneOfMany() bool {
	return s.level < listItem && s.up != nil && s.up.level > 0 && many().MatchString(s.up.title) && !isGeneric(s.title) && !failing().MatchString(s.title) && !asideTitle().MatchString(s.title)
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
				all = append(all, o.described(item, intake.Criterion{}))
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
		return p.below != nil && p.below.hasBoxes() || slices.ContainsFunc(p.items, func(i *section) bool { return i.boxed || i.hasBoxes() })
	})
}

// ownLadder is the levels of a criterion: the parts of a section from begin up to end.
type ownLadder struct {
	levels     []levels.Level
	begin, end int
	line       int
	rest       string // of a text with levels
	isSample   bool   // whether the texts are examples
}

// ladders returns the levels that are directly in a section.
func (o *outliner) ladders(s *section) (all []ownLadder) {
	add := func(l ownLadder) {
		l.line = s.body[l.begin].line
		all = append(all, l)
	}
	for i := 0; i < len(s.body); i++ {
		p := s.body[i]
		switch {
		case p.taken:
		case p.items != nil:
			if found := levelsOfItems(p.items, cmp.Or(s.heading(), s.title)); found != nil {
				add(ownLadder{levels: found, begin: i, end: i + 1})
			}
		case p.below != nil:
			if found, end := levelsOfSections(s.body[i:]); found != nil {
				add(ownLadder{levels: found, begin: i, end: i + end})
				i += end - 1
			}
		case p.table != nil:
			if found := o.levelsOfTable(p.table); found != nil {
				add(ownLadder{levels: found, begin: i, end: i + 1})
			}
		default:
			text, end := textsFrom(s.body[i:])
			if rest, found := levels.In(text); len(found) > 0 {
				add(ownLadder{levels: found, begin: i, end: i + end, rest: rest})
			}
			i += end - 1
		}
	}
	return all
}

// textsFrom joins the paragraphs at the beginning of some blocks, up to the end of the first levels
// in them: another text, or a label that they have.
func textsFrom(parts []*block) (text string, end int) {
	var texts []string
	for _, p := range parts {
		if p.text == "" || p.taken {
			break
		}
		_, before := levels.In(text)
		if len(before) > 0 {
			_, after := levels.In(text + "\n\n" + p.text)
			if !hasLevel(p.text) || !levels.AreLevels(after) {
				break
			}
		}
		texts = append(texts, p.text)
		text = strings.Join(texts, "\n\n")
	}
	return text, max(len(texts), 1)
}

// hasLevel reports whether a line of a text is a level.
func hasLevel(text string) bool {
	for line := range strings.Lines(text) {
		if _, ok := levels.Item(line); ok {
			return true
		}
	}
	return false
}

// levelsOfItems returns the levels of a list of which at least half of the items are levels, and
// none has a box.
func levelsOfItems(items []*section, title string) []levels.Level {
	var all []levels.Level
	named := true
	for _, item := range items {
		l, ok := item.asLevel()
		if item.boxed {
			return nil
		}
		if ok {
			all, named = append(all, l), named && l.IsNamed()
		} else if len(all) > 0 {
			last := &all[len(all)-1]
			last.Text = strings.TrimSpace(last.Text + "\n- " + item.whole())
		}
	}
	if !levels.AreLevels(all) || 2*len(all) < len(items) || named && rankings().MatchString(title) {
		return nil
	}
	return all
}

// asLevel reads an item, or a section whose title is the name of a level, as a level.
func (s *section) asLevel() (l levels.Level, ok bool) {
	first, more, _ := strings.Cut(s.title, "\n")
	label, isLead := s.title, false
	if s.lead != "" && strings.HasPrefix(s.title, s.lead) && isLabel(s.lead) {
		label, isLead = s.lead, true
	}
	switch l, ok = levels.Item(first); {
	case ok && (len(s.body) == 0 || !isLabel(s.title)): // which "1 - Poor" above a text is as a whole
		l.Text = strings.TrimSpace(l.Text + "\n" + more)
	case isLabel(label) && (isLead || len(s.body) > 0):
		l, ok = levels.Label(label), true
		l.Text = strings.TrimLeft(s.title[len(label):], " \t\n:=–—-")
	default:
		return l, false
	}
	if below := s.below(); below != "" {
		l.Text = strings.TrimSpace(l.Text + "\n" + below)
	}
	return l, true
}

// levelsOfSections returns the levels at the beginning of some parts whose titles are those of
// levels, and the end of the parts.
func levelsOfSections(parts []*block) (all []levels.Level, end int) {
	for _, p := range parts {
		if p.below == nil || p.taken {
			break
		}
		l, ok := p.below.asLevel()
		isNumbered := strings.IndexAny(p.below.title, "0123456789") == 0 && l.Name == "" && !isLabel(p.below.title) // such as "1: Introduction"
		if !ok || isNumbered || end == mostLevels {
			break
		}
		all, end = append(all, l), end+1
	}
	if !levels.AreLevels(all) {
		return nil, 0
	}
	return all, end
}

// mostLevels is how many headings in a row are looked at for levels.
const mostLevels = 50

// take marks a part as part of a draft, with all that is in it.
func (p *block) take() {
	p.taken = true
	if p.below != nil {
		p.below.take()
	}
	for _, item := range p.items {
		item.take()
	}
}

func (s *section) take() {
	s.taken = true
	for _, p := range s.body {
		p.take()
	}
}

// below is the text below the title of a section.
func (s *section) below() string {
	var all []string
	for _, p := range s.body {
		if text := p.words(); text != "" && !p.taken {
			all = append(all, text)
		}
	}
	return strings.Join(all, "\n")
}

// words is the text of a part of which nothing else has it: that of a list has a dash before each
// item.
func (p *block) words() string {
	var all []string
	for _, item := range p.items {
		if text := item.whole(); !item.taken && text != "" {
			all = append(all, "- "+strings.ReplaceAll(text, "\n", "\n  "))
		}
	}
	if p.below != nil {
		if text := p.below.below(); text != "" {
			all = append(all, p.below.title+":\n"+text)
		}
	}
	return strings.TrimSpace(p.text + strings.Join(all, "\n"))
}

// whole is the text of an item with what is below it.
func (s *section) whole() string { return strings.TrimSpace(s.title + "\n" + s.below()) }

// laddered is the criterion with some levels. If a section has several, the texts before its
// levels say what each is about.
func (o *outliner) laddered(s *section, l ownLadder, begin int, several bool) found {
	c := intake.Criterion{Levels: l.levels, Place: place(l.line)}
	if !several {
		c.Description = l.rest
		return o.described(s, c)
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

// described completes the criterion that a section is about with the title and the texts of the
// section.
func (o *outliner) described(s *section, c intake.Criterion) found {
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

func isLabel(text string) bool {
	_, ok := levels.ReadLabel(text)
	return ok
}

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
			if c.Description != "" && other.Key != "" && other.Key != other.Description && !strings.HasPrefix(other.Description, other.Key+": ") && all[at].Key != c.Key {
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
