package intake

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// ladder reads levels, whatever their keys.
func (r *Reader) ladder(n *yamltree.Node, path string) (out levelSet) {
	for i := range n.Entries {
		e := &n.Entries[i]
		level, _ := levelOf(e.Key.Value)
		at := path + "." + e.Key.Value
		if e.Value.Kind == yamltree.Mapping {
			out.rung(r.Object(e.Value, at, e.Key.Value), level)
			continue
		}
		if value, isNumber := Quantity(e.Value.Value); e.Value.Kind == yamltree.Scalar && isNumber && level.IsNamed() {
			level.Low, level.High = value, value
		} else {
			level.Text = r.wordsOf(e.Value, at)
		}
		out.add(level)
	}
	for i, item := range n.Items {
		at := fmt.Sprintf("%s[%d]", path, i)
		switch item.Kind {
		case yamltree.Mapping:
			out.rung(r.Object(item, at, ""), levels.Named("", ""))
		case yamltree.Sequence:
			score, _ := Quantity(item.Items[0].Value)
			out.add(levels.Score(score, text(item.Items[1])))
			for _, more := range item.Items[2:] {
				r.AddDropped(r.placeOf(item, at), fmt.Sprintf(
					"The third part of a level is dropped, such as %s: expected a score and a text.", quote(more.Value),
				))
			}
		default:
			out.add(line(item))
		}
	}
	return out
}

// wordsOf is the text of a value or a list. What is not a text is listed.
func (r *Reader) wordsOf(n *yamltree.Node, path string) string {
	for _, item := range n.Items {
		if item.Kind != yamltree.Scalar {
			r.AddDropped(r.placeOf(item, path), fmt.Sprintf("A part of %s is dropped: expected texts.",
				quote(path[strings.LastIndexByte(path, '.')+1:])))
		}
	}
	return text(n)
}

// line reads an element of a list as a level, such as "3: some" or "Good - most of them".
func line(n *yamltree.Node) levels.Level {
	if level, ok := levels.Item(n.Value); ok {
		return level
	}
	return levels.Named(strings.TrimSpace(n.Value), "")
}

func (l *levelSet) add(level levels.Level) {
	if level.Text != "" || level.Name != "" {
		l.Levels = append(l.Levels, level)
	}
}

// rung reads a level that is a mapping. level is what its key says.
func (l *levelSet) rung(o *Object, level levels.Level) {
	level = l.levelWithScore(o, level)
	var texts []string
	if i := o.find(Names("longdescription"), isText); i >= 0 { // as learning platforms name the text
		level.Name = cmp.Or(level.Name, o.word(Names("description")))
		texts = append(texts, text(o.use(i)))
	}
	if name := o.Text(levelNames); strings.TrimSpace(name) != "" {
		if labeled, _ := levelOf(name); level.IsNamed() && !labeled.IsNamed() {
			level.Low, level.High, name = labeled.Low, labeled.High, labeled.Name
		}
		if level.Name != "" && o.key == "" {
			texts = append(texts, name)
		} else {
			level.Name = name
		}
	}
	texts = append(texts, o.levelTexts()...)
	if samples := o.take(LevelSamples, isWords); samples != nil && len(texts) > 0 {
		for _, sample := range append(samples.List(), single(samples)...) {
			l.samples = append(l.samples, Example{Text: Lines(sample.Value), Level: level.String()})
		}
	} else if samples != nil {
		texts = append(texts, text(samples))
	}
	if level.Text = strings.Join(texts, "\n"); level.Text == "" && o.key == "" && !isRanked(level.Name) {
		level.Name, level.Text = "", level.Name
	}
	l.add(level)
	o.Rest()
}

// levelWithScore returns a level with the score, or the range of scores, that a mapping has for it.
func (l *levelSet) levelWithScore(o *Object, level levels.Level) levels.Level {
	if i := o.find(levelNumbers, isNumber); i >= 0 && level.IsNamed() {
		level.Low, _ = Quantity(o.use(i).Value)
		level.High = level.Low
		key := Fold(o.Entries[i].Key.Value)
		l.pointed = l.pointed || key == "points" || key == "pts"
	}
	if i := o.find(Names("score value"), isText); i >= 0 && level.IsNamed() { // such as "n/a"
		level = levels.Label(o.use(i).Value)
	}
	low, high, ok := o.bounds()
	if ok && (level.IsNamed() || level.Low == level.High && low <= level.Low && level.Low <= high) {
		level.Low, level.High = low, high
	}
	return level
}

// levelTexts are the texts of a level: one, and lists with more.
func (o *Object) levelTexts() (texts []string) {
	if words := o.take(levelTexts, isText); words != nil {
		texts = append(texts, text(words))
	}
	for more := o.take(levelLists, isWords); more != nil; more = o.take(levelLists, isWords) {
		if len(more.Items) == 1 {
			more = more.Items[0]
		}
		texts = append(texts, text(more))
	}
	return texts
}

// single is a scalar as a list.
func single(n *yamltree.Node) []*yamltree.Node {
	if n.Kind == yamltree.Scalar {
		return []*yamltree.Node{n}
	}
	return nil
}

// bounds are the ends of the range of a level.
func (o *Object) bounds() (low, high float64, ok bool) {
	if n := o.take(levelRanges, func(n *yamltree.Node) bool { return isWords(n) && len(numbersIn(n)) == 2 }); n != nil {
		all := numbersIn(n)
		return min(all[0], all[1]), max(all[0], all[1]), true
	}
	i, j := o.find(levelLows, isNumber), o.find(levelHighs, isNumber)
	if i < 0 || j < 0 {
		return 0, 0, false
	}
	low, _ = Quantity(o.use(i).Value)
	high, _ = Quantity(o.use(j).Value)
	return low, high, true
}

var AnyNumber = lazy.Expr(`[0-9]+(?:\.[0-9]+)?`)

// numbersIn are the numbers of a list or a text such as "1-5".
func numbersIn(n *yamltree.Node) (all []float64) {
	for _, item := range append(n.List(), single(n)...) {
		for _, digits := range AnyNumber().FindAllString(item.Value, 3) {
			value, _ := Quantity(digits)
			all = append(all, value)
		}
	}
	return all
}

// inlineLevel matches the beginning of a level within a text such as "10: all. 7-9: most. 0: none."
var inlineLevel = lazy.Expr(`(?:^|[.;,|\n]\s*|\s)\(?([0-9]{1,3}(?:\.[0-9]+)?)(?:\s*[-–]\s*([0-9]{1,3}(?:\.[0-9]+)?))?\)?\s*[:=]\s*`)

// LadderIn reads the text under a key for levels: a level on each line, or all on one.
func LadderIn(text string) (rest string, all []levels.Level) {
	if rest, all = levels.In(text); len(all) > 0 {
		return rest, all
	}
	marks := inlineLevel().FindAllStringSubmatchIndex(text, -1)
	if len(marks) < 2 {
		return text, nil
	}
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		level := levels.Level{Text: strings.TrimSpace(strings.Trim(strings.TrimSpace(text[m[1]:end]), ",;|"))}
		level.Low, _ = Quantity(text[m[2]:m[3]])
		level.High = level.Low
		if m[4] >= 0 {
			level.High, _ = Quantity(text[m[4]:m[5]])
		}
		if level.Text == "" || math.IsNaN(level.Low) {
			return text, nil
		}
		all = append(all, level)
	}
	return strings.TrimSpace(text[:marks[0][0]]), all
}

// manyInline reads levels at the end of a description, such as "1=much worse, 3=the same, 5=much better": three
// or more whose scores rise or fall.
func manyInline(text string) (rest string, all []levels.Level) {
	rest, all = LadderIn(text)
	rises := slices.IsSortedFunc(all, func(a, b levels.Level) int { return cmp.Compare(a.Low, b.Low) })
	falls := slices.IsSortedFunc(all, func(a, b levels.Level) int { return cmp.Compare(b.Low, a.Low) })
	if len(all) < 3 || !rises && !falls {
		return text, nil
	}
	return rest, all
}

// Levels reads the levels of a criterion: under a key for them, or as keys of the criterion.
func (o *Object) Levels() (out levelSet) {
	r := o.Reader
	for _, key := range Ladders {
		i := o.find(Keys{key}, func(n *yamltree.Node) bool { return r.shapes.isLadder(n, isOwnKey(key)) })
		if i >= 0 {
			return r.ladder(o.use(i), o.pathTo(o.Entries[i]))
		}
	}
	for i := range o.Entries {
		e := &o.Entries[i]
		level, isLevel := levelOf(e.Key.Value)
		if isLevel && !o.used[i] && isWords(e.Value) && (isScored(e.Key.Value) || isPair(e.Key.Value)) {
			level.Text = text(o.use(i))
			out.add(level)
		}
	}
	if len(out.Levels) > 0 {
		return out
	}
	for _, key := range slices.Concat(LadderTexts,
		Names("scoringguide scoringguidance scoring levels anchors scale scores ratings scoringcriteria guide")) {
		i := o.find(Keys{key}, isText)
		if i < 0 {
			continue
		}
		rest, all := LadderIn(text(o.Entries[i].Value))
		if len(all) > 0 {
			o.use(i)
			o.extra = rest
			return levelSet{Levels: all}
		}
	}
	return out
}
