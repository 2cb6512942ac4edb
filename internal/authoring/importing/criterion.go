package importing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

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
