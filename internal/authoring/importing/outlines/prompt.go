package outlines

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// ReadPrompt reads the prompt of a judge: a text, or the strings of a Python module that have levels.
// Each text is in a draft or listed as dropped, except strings of a module that are a single word.
func ReadPrompt(r *intake.Reader) {
	if r.Problems = yamltree.CheckText(r.File); len(r.Problems) > 0 {
		return
	}
	if r.Kind == &document.RuleSet {
		r.Refuse("A prompt has scores, so it can't become a rule set, whose rules pass or fail. Use --as rubric.")
		return
	}
	text := string(bytes.TrimPrefix(r.File.Data, []byte("\uFEFF")))
	if strings.EqualFold(filepath.Ext(r.File.Path), ".py") {
		readModule(r, text)
		return
	}
	base := filepath.Base(r.File.Path)
	p := promptIn(r, intake.Lines(text), 1, strings.TrimSuffix(base, filepath.Ext(base)))
	d := intake.Draft{Description: p.general, Criteria: p.criteria}
	if len(d.Criteria) == 0 {
		reportTemplate(r, text, 1)
		r.AddDerived("", "The text has no levels, so all of it is the description of one criterion.")
		d.Description = ""
		d.Criteria = []intake.Criterion{{
			Key:         promptName([]string{strings.TrimSuffix(base, filepath.Ext(base))}),
			Description: strings.TrimSpace(text),
		}}
	}
	r.Drafts = []intake.Draft{d}
}

// readModule reads the strings of a module that have levels.
func readModule(r *intake.Reader, text string) {
	d := intake.Draft{}
	skipped := 0
	for _, s := range PythonStrings(intake.Lines(text)) {
		p := promptIn(r, s.Text, s.Line, promptName(s.Names))
		if len(p.criteria) == 0 {
			switch isLong := len(s.Text) > 200 && strings.Contains(s.Text, "\n"); {
			case isLong:
				r.AddDropped(place(s.Line), "Strings without levels are dropped. Write each level in a line of its own, such as `5: each claim has a source`.")
			case strings.Contains(strings.TrimSpace(s.Text), " "): // not a key or the name of a file
				r.AddDropped(place(s.Line), "Short strings without levels are dropped. To import criteria in lists or dictionaries of Python, write them as JSON.")
			}
			skipped++
			continue
		}
		if len(p.criteria) == 1 {
			p.criteria[0].Key = cmp.Or(promptName(s.Names), p.criteria[0].Key)
		}
		if p.general != "" {
			d.Description = strings.TrimSpace(d.Description + "\n\n" + p.general)
		}
		d.Criteria = append(d.Criteria, p.criteria...)
	}
	if len(d.Criteria) > intake.Most {
		r.TooMany()
		return
	}
	if len(d.Criteria) == 0 {
		r.Refuse("The module has no string with levels: expected two or more lines such as `5: each claim has a source` in one of its %d strings.", skipped)
		return
	}
	r.Drafts = []intake.Draft{d}
}

// promptWords are words in the names of prompts that say nothing of what they are about.
var promptWords = strings.Fields(`prompt prompts template templates rubric rubrics instruction
	instructions system user message text content eval evaluation evaluator judge judging grader grading
	scoring score criteria criterion description desc llm default get build make create the base str v1 v2`)

// promptName is the name of what a prompt is about: that of the innermost name that says it.
func promptName(names []string) string {
	for _, name := range names {
		about := slices.DeleteFunc(wordsOf(name), func(word string) bool { return slices.Contains(promptWords, word) })
		if len(about) > 0 {
			return strings.Join(about, " ")
		}
	}
	if len(names) > 0 {
		return strings.Join(wordsOf(names[len(names)-1]), " ")
	}
	return ""
}

// promptText is what a prompt has.
type promptText struct {
	general  string
	criteria []intake.Criterion
}

// rung is a line of a prompt: of a level, below one, or another.
type rung struct {
	text    string
	level   *levels.Level
	inside  bool // below a level
	heading string
}

var (
	// template matches what a program puts into a prompt.
	template = lazy.Expr(`\{\{?\s*[A-Za-z_][\w.\[\]'"]*\s*\}?\}|\{%|<<?[A-Z_]{3,}>>?|\$\{?[A-Za-z_]+\}?`)
	// promptHeading is a line that is the title of what follows.
	promptHeading = lazy.Expr(`^\s*(?:#{1,6}\s*(\S.*?)\s*#*|\*\*([^*]{1,80})\*\*\s*(?:\([^()]{1,40}\))?\s*:?|</?([a-zA-Z_-]{3,40})>|=+\s*(\S.{0,60}?)\s*=+|(?:(?:[0-9]{1,2}|[A-Z])[.)]\s+|[-*]\s+)\*{0,2}(\S.{0,80}?)\*{0,2}\s*:?|([A-Z][^.?!:{}]{0,60}):)\s*$`)
)

// choice is a line with another answer of a judge, such as "NOT_ATTEMPTED: it says nothing".
var choice = lazy.Expr(`^\s*(?:[-*]\s+)?[A-Z][A-Z_ ]{2,30}:\s`)

// reportTemplate reports a text that a program completes.
func reportTemplate(r *intake.Reader, text string, line int) {
	if template().MatchString(text) {
		r.AddDerived(place(line), "A text has a template such as {{name}}, which judges of the library do not fill in. Reword it.")
	}
}

// promptIn reads the levels of a prompt. Those of several criteria begin anew with a score that
// was there before; the heading above them says what each is about.
func promptIn(r *intake.Reader, text string, line int, name string) (p promptText) {
	all := rungs(text)
	ends := ladderEnds(all)
	if len(ends) == 0 {
		return p
	}
	reportTemplate(r, text, line)
	begin := 0
	for _, end := range ends {
		part, c := all[begin:end], intake.Criterion{Place: place(line + begin)}
		switch {
		case len(ends) == 1:
			part = all
		default:
			at := headingOf(part)
			p.general, part = strings.TrimSpace(p.general+"\n\n"+textOf(part[:at])), part[at:]
		}
		c.Key, c.Description, c.Levels = criterionOf(part, len(ends) > 1)
		c.Key = strings.Trim(c.Key, "*: ")
		p.criteria = append(p.criteria, c)
		begin = end
	}
	if len(ends) > 1 {
		p.general = strings.TrimSpace(p.general + "\n\n" + textOf(all[begin:]))
	}
	if len(ends) == 1 {
		p.criteria[0].Key = cmp.Or(name, p.criteria[0].Key)
	}
	o := outliner{Reader: r}
	for i := range p.criteria {
		c := &p.criteria[i]
		o.settle(c, c.Key)
		c.Description = cmp.Or(c.Description, c.Key)
	}
	return p
}

// labelAlone reads a line that has only the label of a level, and a colon.
func labelAlone(line string) (levels.Level, bool) {
	l, ok := levels.ReadLabel(strings.TrimLeft(line, " \t-*#"))
	return l, ok && strings.HasSuffix(strings.TrimRight(line, "* "), ":")
}

// rungs are the lines of a prompt.
func rungs(text string) (all []rung) {
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\n")
		each := rung{text: line}
		if m := promptHeading().FindStringSubmatch(line); m != nil {
			each.heading = strings.Join(m[1:], "")
		}
		if l, ok := levels.Item(line); ok {
			each.level, inside = &l, true
		} else if l, ok := labelAlone(line); ok {
			each.level, inside = &l, true
		} else if inside && line != "" && each.heading == "" && !choice().MatchString(line) {
			each.inside = true
		} else {
			inside = false
		}
		all = append(all, each)
	}
	return all
}

// ladderEnds are the ends of the lines with the levels of each criterion.
func ladderEnds(all []rung) (ends []int) {
	var ladder []levels.Level
	end := 0
	for i, each := range all {
		switch {
		case each.level == nil && !each.inside:
			continue
		case each.level != nil:
			again := slices.ContainsFunc(ladder, func(l levels.Level) bool {
				return l.ScoreAndName() == each.level.ScoreAndName() || !l.IsNamed() && l.Low == each.level.Low
			})
			if again && levels.AreLevels(ladder) {
				ends, ladder = append(ends, end), nil
			} else if again {
				ladder = nil
			}
			ladder = append(ladder, *each.level)
		}
		end = i + 1
	}
	if levels.AreLevels(ladder) {
		ends = append(ends, end)
	}
	return ends
}

// headingOf is the heading of the first levels in some lines: the last one before them that is not
// a word such as "Scoring".
func headingOf(part []rung) int {
	first := slices.IndexFunc(part, func(each rung) bool { return each.level != nil })
	last := 0
	for i := first - 1; i >= 0; i-- {
		if part[i].heading != "" && !isGeneric(strings.Trim(part[i].heading, "*: ")) {
			return i
		}
		if part[i].heading != "" || last == 0 && part[i].text == "" {
			last = i
		}
	}
	return last
}

func textOf(all []rung) string {
	var out []string
	for _, each := range all {
		out = append(out, each.text)
	}
	return strings.TrimSpace(blankLines().ReplaceAllString(strings.Join(out, "\n"), "\n\n"))
}

// blankLines are those that levels leave behind.
var blankLines = lazy.Expr(`\n{3,}`)

// criterionOf is the title, the text, and the levels of some lines. The title of one of several
// criteria is no part of its text.
func criterionOf(all []rung, isNamed bool) (title, description string, found []levels.Level) {
	var others []rung
	for _, each := range all {
		switch {
		case each.level != nil:
			found = append(found, *each.level)
		case each.inside && len(found) > 0:
			last := &found[len(found)-1]
			last.Text = strings.TrimSpace(last.Text + "\n" + strings.TrimSpace(each.text))
		default:
			if title == "" && each.heading != "" && len(found) == 0 && !isGeneric(strings.Trim(each.heading, "*: ")) {
				title = each.heading
				if isNamed {
					continue
				}
			}
			others = append(others, each)
		}
	}
	return title, textOf(others), found
}

// wordsOf are the words of a name in a program.
func wordsOf(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("_ -.", r) })
}
