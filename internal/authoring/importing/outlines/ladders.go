package outlines

import (
	"cmp"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
)

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
			last.Text = strings.TrimSpace(last.Text + "\n- " + item.wholeText())
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
	if below := s.textBelow(); below != "" {
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
		title := p.below.title
		isNumbered := strings.IndexAny(title, "0123456789") == 0 && l.Name == "" && !isLabel(title) // "1: Introduction"
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

func isLabel(text string) bool {
	_, ok := levels.ReadLabel(text)
	return ok
}
