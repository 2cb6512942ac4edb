package importing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// promptRubric is the rubric in a prompt for Prometheus.
var promptRubric = lazy.Expr(`(?s)###\s*Score Rubrics?:\s*(.*?)\s*(?:###|$)`)

// levelsOf reads the levels of a criterion. They can be in a mapping or a text with a description of
// their own.
func (o *object) levelsOf(c *criterion) {
	r := o.reader
	if i := o.find(names("scorerubric scoringrubric rubrics rubric"), func(n *yamltree.Node) bool {
		return isMapping(n) && !r.shapes.isLadder(n, false) && r.shapes.hasLevels(n)
	}); i >= 0 {
		inside := r.object(o.use(i), o.below(o.Entries[i]), "")
		found := inside.levels()
		c.levels, c.examples = found.levels, found.samples
		c.description = inside.text(descriptions)
		inside.rest()
		return
	}
	found := o.levels()
	if len(found.levels) == 0 {
		if i := o.find(names("instruction"), func(n *yamltree.Node) bool { return promptRubric().MatchString(n.Value) }); i >= 0 {
			rest, all := levels.In(promptRubric().FindStringSubmatch(text(o.use(i)))[1])
			o.reader.dropped(r.atKey(o, i), "The prompt around a rubric is dropped: only its criterion and levels are imported.")
			found.levels, o.extra = all, strings.TrimSuffix(strings.TrimPrefix(rest, "["), "]")
		}
	}
	c.levels, c.examples, c.pointed = found.levels, found.samples, found.pointed
	if o.extra != "" {
		c.description = strings.TrimSuffix(strings.TrimPrefix(o.extra, "["), "]")
	}
}

// turned reads which end of the scale of a criterion is best.
func (o *object) turned(c *criterion) {
	i := o.find(directions, func(n *yamltree.Node) bool { return n.Kind == yamltree.Scalar })
	if i < 0 {
		return
	}
	key, value := fold(o.Entries[i].Key.Value), fold(o.Entries[i].Value.Value)
	isLower := slices.Contains(names("lowerisbetter lower low lowest descending negative asc ascendingisworse"), value) ||
		slices.Contains(names("lowerisbetter inverted reversed reverse reversescored invert"), key) && value == "true" || key == "higherisbetter" && value == "false"
	isHigher := slices.Contains(names("higherisbetter higher high highest positive"), value) ||
		slices.Contains(names("higherisbetter"), key) && value == "true" || slices.Contains(names("lowerisbetter inverted reversed reverse reversescored invert"), key) && value == "false"
	if !isLower && !isHigher {
		return
	}
	c.scale.Direction, c.scale.IsCertain = levels.HighIsBest, true
	o.use(i)
	if isLower {
		c.scale.Direction = levels.LowIsBest
	}
}

// scale reads what an object says of the ends of its scale.
func (o *object) scale() (d levels.Declared) {
	ends := func(low, high float64) {
		if low < high {
			d = levels.Declared{Low: low, High: high, IsKnown: true}
		}
	}
	isEnds := func(n *yamltree.Node) bool {
		return isWords(n) && len(numbersIn(n)) == 2 && !strings.Contains(n.Value, ":")
	}
	if n := o.take(scales, isEnds); n != nil {
		all := numbersIn(n)
		ends(all[0], all[1])
	}
	if i := o.find(scales, isMapping); i >= 0 {
		inside := o.reader.object(o.Entries[i].Value, o.below(o.Entries[i]), "")
		if low, high := inside.find(scaleLows, isNumber), inside.find(scaleHighs, isNumber); low >= 0 && high >= 0 {
			a, _ := quantity(inside.Entries[low].Value.Value)
			b, _ := quantity(inside.Entries[high].Value.Value)
			ends(a, b)
			inside.use(low)
			inside.use(high)
			o.use(i)
			o.onScale = inside.describedLevels()
			o.onScale.key, o.onScale.place = o.Entries[i].Key.Value, o.reader.atKey(o, i)
			inside.rest()
		}
	}
	if low, high := o.find(scaleLows, isNumber), o.find(scaleHighs, isNumber); low >= 0 && high >= 0 {
		a, _ := quantity(o.Entries[low].Value.Value)
		b, _ := quantity(o.Entries[high].Value.Value)
		ends(a, b)
		o.use(low)
		o.use(high)
	}
	return d
}

// describedLevels are the levels in what a file says of its scale: under keys, or in a description.
func (o *object) describedLevels() levelSet {
	if found := o.levels(); len(found.levels) > 0 {
		return found
	}
	i := o.find(summaries, isText)
	if i < 0 {
		return levelSet{}
	}
	rest, all := manyInline(text(o.Entries[i].Value))
	if len(all) > 0 {
		o.use(i)
		if rest != "" {
			o.reader.dropped(o.reader.atKey(o, i), "A text before the levels of a scale is dropped: put it into the description of the rubric.")
		}
	}
	return levelSet{levels: all}
}

// shared reads levels that all criteria of a rubric have.
func (o *object) shared() (out levelSet) {
	r := o.reader
	for _, key := range sharedLadders {
		if i := o.find(keys{key}, func(n *yamltree.Node) bool { return r.shapes.isLadder(n, isOwnKey(key)) }); i >= 0 {
			if r.read[o.Entries[i].Value] { // an alias repeats it in a criterion
				o.use(i)
				continue
			}
			out = r.ladder(o.use(i), o.below(o.Entries[i]))
			out.key, out.place = o.Entries[i].Key.Value, r.atKey(o, i)
			return out
		}
	}
	return o.onScale
}

// share copies shared levels into each criterion that has none.
func (d *draft) share(r *reader, shared levelSet) {
	if len(shared.levels) == 0 {
		return
	}
	copied := 0
	for i := range d.criteria {
		if c := &d.criteria[i]; len(c.levels) == 0 {
			c.levels, c.examples, c.pointed = slices.Clone(shared.levels), append(c.examples, shared.samples...), shared.pointed
			copied++
		}
	}
	if copied == 0 {
		r.dropped(shared.place, schema.Quote(shared.key)+" is dropped: each criterion has levels of its own.")
		return
	}
	r.derived(shared.place, fmt.Sprintf("The levels for all criteria were copied into each that has none (%d).", copied))
}
