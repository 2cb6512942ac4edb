package importing

import (
	"cmp"
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

// criterion reads a criterion from a mapping.
func (r *reader) criterion(d *draft, o *object, groups []group) {
	c := criterion{place: o.place(), groups: groups}
	meta := o.metadata(&c)
	o.levelsOf(&c)
	if stated := o.take(weights, func(n *yamltree.Node) bool { return isStated(n.Value) }); stated != nil {
		c.stated = strings.ToLower(strings.TrimSpace(stated.Value))
	}
	c.relativeWeight = cmp.Or(c.relativeWeight, o.number(relative))
	if c.weight = o.number(weights); c.weight == "" {
		c.weight = o.word(weights)
	}
	c.points = o.number(points)
	if i := o.find(thresholds, isText); i >= 0 && c.threshold == "" {
		c.threshold, c.thresholdPlace = strings.TrimSpace(o.use(i).Value), r.atKey(o, i)
	}
	forbids := o.marks(&c)
	c.scale = o.scale()
	o.turned(&c)
	if c.scale.Direction != levels.Unknown && !c.scale.IsKnown {
		c.scale.Low, c.scale.High, c.scale.IsKnown = d.scale.Low, d.scale.High, d.scale.IsKnown
	}
	if i := o.find(names("scaletype scoretype type"), isText); i >= 0 && slices.Contains(names("binary boolean ordinal likert numeric scale scored score passfail categorical"), fold(o.Entries[i].Value.Value)) {
		o.use(i) // which the levels follow
	}
	o.named(&c)
	o.samples(&c)
	if r.asksForRules() {
		o.ruleKeys(&c)
	}
	o.described(&c)
	isTurned := len(c.levels) == 0 && c.scale.Direction == levels.LowIsBest
	c.negative = c.negative || isTurned || forbids && !isNegative(c.description)
	if i := slices.IndexFunc(o.Entries, func(e yamltree.Entry) bool { return isText(e.Value) && !isNumber(e.Value) }); i >= 0 && c.description == "" && c.key == "" && len(c.levels) == 0 && !o.used[i] {
		c.description = strings.TrimSpace(text(o.use(i)))
		r.derived(c.place, fmt.Sprintf("The text under %s became the description.", schema.Quote(o.Entries[i].Key.Value)))
	}
	if c.key != "" || c.description != "" { // else the ID is the name
		for _, i := range o.ids {
			r.dropped(r.atKey(o, i), schema.Quote(o.Entries[i].Key.Value)+" is dropped: a criterion is identified by its name.")
		}
	}
	if meta != nil {
		meta.rest()
	}
	o.rest()
	r.addCriterion(d, c, o)
}

// metadata reads what an export, or a file of another tool, has in a mapping for more keys.
func (o *object) metadata(c *criterion) *object {
	n := o.take(names("metadata config"), isMapping)
	if n == nil {
		return nil
	}
	meta := o.reader.object(n, o.path+".metadata", "")
	if stated := meta.take(weights, func(n *yamltree.Node) bool { return isStated(n.Value) }); stated != nil {
		c.stated = strings.ToLower(strings.TrimSpace(stated.Value))
		c.threshold, c.relativeWeight = meta.word(thresholds), meta.number(relative)
	}
	return meta
}

// isStated reports whether a weight is one of a rubric of the library.
func isStated(weight string) bool {
	return slices.Contains([]string{"essential", "important"}, strings.ToLower(strings.TrimSpace(weight)))
}

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

// named reads the name and the ID of a criterion.
func (o *object) named(c *criterion) {
	name := o.word(criterionNames)
	if name == "" && o.find(names("longdescription"), isText) >= 0 {
		name = o.word(names("description")) // as learning platforms name it
	}
	c.key = cmp.Or(name, o.key)
	if name != "" && o.key != "" && fold(o.key) != fold(name) {
		o.reader.dropped(o.place(), "The key of a criterion is dropped: a criterion is identified by its name.")
	}
	for _, key := range criterionIDs {
		i := o.find(keys{key}, func(n *yamltree.Node) bool { return n.Kind == yamltree.Scalar })
		if i < 0 {
			continue
		}
		id := strings.TrimSpace(o.use(i).Value)
		if c.id == "" {
			c.id = id
		}
		if fold(id) != fold(c.key) {
			o.ids = append(o.ids, i)
		}
	}
}

// described reads the description, with the other texts that a judge needs.
func (o *object) described(c *criterion) {
	r := o.reader
	var texts []string
	if c.description != "" {
		texts = append(texts, c.description)
	} else if i := o.find(descriptions, isText); i >= 0 {
		whole := text(o.use(i))
		if len(c.levels) == 0 {
			whole, c.levels = levels.In(whole)
		}
		if len(c.levels) == 0 {
			whole, c.levels = manyInline(whole)
		}
		texts = append(texts, whole)
	} else if steps := o.steps(); steps != "" {
		texts = append(texts, steps)
	}
	if steps := o.find(stepLists, isTexts); steps >= 0 {
		more := o.steps()
		if len(texts) == 0 || !strings.HasSuffix(more, strings.TrimSpace(texts[0])) {
			texts = append(texts, more)
		}
	}
	for _, key := range slices.Concat(added, descriptions) {
		for {
			i := o.find(keys{key}, isWords)
			if i < 0 {
				break
			}
			more, label := strings.TrimSpace(text(o.use(i))), o.Entries[i].Key.Value
			if isTexts(o.Entries[i].Value) {
				more = "\n" + more
			}
			if len(texts) == 0 {
				texts = append(texts, strings.TrimSpace(more))
				continue
			}
			texts = append(texts, sentence(words(label))+": "+more)
			r.derived(r.atKey(o, i), fmt.Sprintf("The text under %s became a part of the description.", schema.Quote(label)))
		}
	}
	if len(texts) > 1 {
		texts[0] = strings.ReplaceAll(strings.Join(texts, "\n"), ": \n", ":\n")
	}
	c.description = strings.Join(texts[:min(len(texts), 1)], "")
}

func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// steps are the steps of an evaluation as a numbered list.
func (o *object) steps() string {
	var all []string
	for i, step := range o.take(stepLists, isTexts).List() {
		all = append(all, fmt.Sprintf("%d. %s", i+1, strings.TrimSpace(lines(step.Value))))
	}
	if len(all) == 1 {
		return strings.TrimPrefix(all[0], "1. ")
	}
	return strings.Join(all, "\n")
}

// marks reads whether a criterion is required, and whether it asks for a fault. It reports whether the
// file forbids what the criterion describes.
func (o *object) marks(c *criterion) (forbids bool) {
	for i, e := range o.Entries {
		key := fold(e.Key.Value)
		if o.used[i] || e.Value.Kind != yamltree.Scalar {
			continue
		}
		switch word := fold(e.Value.Value); {
		case slices.Contains(required, key) && slices.Contains(names("true yes 1 hard required always"), word):
			c.required = true
			o.use(i)
		case slices.Contains(required, key) && slices.Contains(names("false no 0 never"), word), slices.Contains(optionals, key) && e.Value.Type == yamltree.Bool:
			o.use(i)
		case slices.Contains(names("negative isnegative penalty ispenalty"), key) && e.Value.Type == yamltree.Bool:
			c.negative = word == "true"
			o.use(i)
		case slices.Contains(names("kind type polarity sign"), key) && slices.Contains(names("mustnot negative penalty forbidden prohibited antipattern"), word):
			forbids = true
			o.use(i)
		case slices.Contains(names("importance priority type kind severity weight level requirement"), key) && slices.Contains(names("required critical must mandatory blocker essential hardgate gate mustpass musthave blocking"), word):
			c.required = true
			o.use(i)
		}
	}
	if slices.Contains(names("required critical must mandatory vital"), fold(c.weight)) {
		c.required, c.weight = true, ""
	}
	return forbids
}

// samples reads texts that deserve a level.
func (o *object) samples(c *criterion) {
	r := o.reader
	if answer := o.take(references, isText); answer != nil {
		c.examples = append(c.examples, example{text: text(answer), anchor: 5})
	}
	i := o.find(examples, func(n *yamltree.Node) bool { return isMapping(n) || isSequence(n) && isMapping(n.Items[0]) })
	if i < 0 {
		return
	}
	list, path := o.use(i), o.below(o.Entries[i])
	for _, e := range list.Entries {
		level, _ := levelOf(e.Key.Value)
		score := slices.Index(names("score1 score2 score3 score4 score5"), fold(e.Key.Value)) + 1
		for _, sample := range append(e.Value.List(), single(e.Value)...) {
			if sample.Kind != yamltree.Scalar {
				r.dropped(r.at(sample, path), schema.Quote(e.Key.Value)+" is dropped: an example is a text.")
				continue
			}
			c.examples = append(c.examples, example{text: lines(sample.Value), level: level.String(), anchor: score})
		}
	}
	for j, item := range list.Items {
		each := r.object(item, fmt.Sprintf("%s[%d]", path, j), "")
		c.examples = append(c.examples, example{text: each.text(names("output response text answer content example excerpt")), level: each.word(names("score level rating label grade value"))})
		each.rest()
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
