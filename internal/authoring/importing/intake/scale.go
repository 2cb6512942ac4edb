package intake

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
func (o *Object) levelsOf(c *Criterion) {
	r := o.Reader
	if i := o.find(Names("scorerubric scoringrubric rubrics rubric"), func(n *yamltree.Node) bool {
		return isMapping(n) && !r.shapes.isLadder(n, false) && r.shapes.hasLevels(n)
	}); i >= 0 {
		inside := r.Object(o.use(i), o.pathTo(o.Entries[i]), "")
		found := inside.Levels()
		c.Levels, c.Examples = found.Levels, found.samples
		c.Description = inside.Text(Descriptions)
		inside.Rest()
		return
	}
	found := o.Levels()
	if len(found.Levels) == 0 {
		isPrompt := func(n *yamltree.Node) bool { return promptRubric().MatchString(n.Value) }
		if i := o.find(Names("instruction"), isPrompt); i >= 0 {
			rest, all := levels.In(promptRubric().FindStringSubmatch(text(o.use(i)))[1])
			o.Reader.AddDropped(r.atKey(o, i), "The prompt around a rubric is dropped: only its criterion and levels are imported.")
			found.Levels, o.extra = all, strings.TrimSuffix(strings.TrimPrefix(rest, "["), "]")
		}
	}
	c.Levels, c.Examples, c.Pointed = found.Levels, found.samples, found.pointed
	if o.extra != "" {
		c.Description = strings.TrimSuffix(strings.TrimPrefix(o.extra, "["), "]")
	}
}

// readDirection reads which end of the scale of a criterion is best.
func (o *Object) readDirection(c *Criterion) {
	i := o.find(directions, func(n *yamltree.Node) bool { return n.Kind == yamltree.Scalar })
	if i < 0 {
		return
	}
	key, value := Fold(o.Entries[i].Key.Value), Fold(o.Entries[i].Value.Value)
	asksForLower := slices.Contains(Names("lowerisbetter inverted reversed reverse reversescored invert"), key)
	asksForHigher := key == "higherisbetter"
	isLower := slices.Contains(Names("lowerisbetter lower low lowest descending negative asc ascendingisworse"), value) ||
		asksForLower && value == "true" || asksForHigher && value == "false"
	isHigher := slices.Contains(Names("higherisbetter higher high highest positive"), value) ||
		asksForHigher && value == "true" || asksForLower && value == "false"
	if !isLower && !isHigher {
		return
	}
	c.Scale.Direction, c.Scale.IsCertain = levels.HighIsBest, true
	o.use(i)
	if isLower {
		c.Scale.Direction = levels.LowIsBest
	}
}

// scale reads what an object says of the ends of its scale.
func (o *Object) scale() (d levels.Declared) {
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
		inside := o.Reader.Object(o.Entries[i].Value, o.pathTo(o.Entries[i]), "")
		if low, high := inside.find(scaleLows, isNumber), inside.find(scaleHighs, isNumber); low >= 0 && high >= 0 {
			a, _ := Quantity(inside.Entries[low].Value.Value)
			b, _ := Quantity(inside.Entries[high].Value.Value)
			ends(a, b)
			inside.use(low)
			inside.use(high)
			o.use(i)
			o.onScale = inside.describedLevels()
			o.onScale.key, o.onScale.place = o.Entries[i].Key.Value, o.Reader.atKey(o, i)
			inside.Rest()
		}
	}
	if low, high := o.find(scaleLows, isNumber), o.find(scaleHighs, isNumber); low >= 0 && high >= 0 {
		a, _ := Quantity(o.Entries[low].Value.Value)
		b, _ := Quantity(o.Entries[high].Value.Value)
		ends(a, b)
		o.use(low)
		o.use(high)
	}
	return d
}

// describedLevels are the levels in what a file says of its scale: under keys, or in a description.
func (o *Object) describedLevels() levelSet {
	if found := o.Levels(); len(found.Levels) > 0 {
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
			o.Reader.AddDropped(o.Reader.atKey(o, i),
				"A text before the levels of a scale is dropped: put it into the description of the rubric.")
		}
	}
	return levelSet{Levels: all}
}

// readShared reads levels that all criteria of a rubric have.
func (o *Object) readShared() (out levelSet) {
	r := o.Reader
	for _, key := range sharedLadders {
		if i := o.find(Keys{key}, func(n *yamltree.Node) bool { return r.shapes.isLadder(n, isOwnKey(key)) }); i >= 0 {
			if r.read[o.Entries[i].Value] { // an alias repeats it in a criterion
				o.use(i)
				continue
			}
			out = r.ladder(o.use(i), o.pathTo(o.Entries[i]))
			out.key, out.place = o.Entries[i].Key.Value, r.atKey(o, i)
			return out
		}
	}
	return o.onScale
}

// share copies shared levels into each criterion that has none.
func (d *Draft) share(r *Reader, shared levelSet) {
	if len(shared.Levels) == 0 {
		return
	}
	copied := 0
	for i := range d.Criteria {
		if c := &d.Criteria[i]; len(c.Levels) == 0 {
			c.Levels, c.Examples, c.Pointed = slices.Clone(shared.Levels), append(c.Examples, shared.samples...), shared.pointed
			copied++
		}
	}
	if copied == 0 {
		r.AddDropped(shared.place, schema.Quote(shared.key)+" is dropped: each criterion has levels of its own.")
		return
	}
	r.AddDerived(shared.place,
		fmt.Sprintf("The levels for all criteria were copied into each that has none (%d).", copied))
}
