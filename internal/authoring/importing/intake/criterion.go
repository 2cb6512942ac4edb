package intake

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
func (r *Reader) criterion(d *Draft, o *Object, groups []Group) {
	c := Criterion{Place: o.place(), Groups: groups}
	meta := o.metadata(&c)
	o.levelsOf(&c)
	o.amounts(&c)
	forbids := o.marks(&c)
	o.ownScale(&c, d)
	o.readName(&c)
	o.Samples(&c)
	if r.AsksForRules() {
		o.ruleKeys(&c)
	}
	o.readDescription(&c)
	isTurned := len(c.Levels) == 0 && c.Scale.Direction == levels.LowIsBest
	c.Negative = c.Negative || isTurned || forbids && !isNegative(c.Description)
	if c.Description+c.Key == "" && len(c.Levels) == 0 {
		o.anyText(&c)
	}
	if c.Key != "" || c.Description != "" { // else the ID is the name
		for _, i := range o.ids {
			r.AddDropped(r.atKey(o, i),
				schema.Quote(o.Entries[i].Key.Value)+" is dropped: a criterion is identified by its name.")
		}
	}
	if meta != nil {
		meta.Rest()
	}
	o.Rest()
	r.AddCriterion(d, c, o)
}

// amounts reads how much a criterion counts, and its threshold.
func (o *Object) amounts(c *Criterion) {
	if stated := o.take(Weights, func(n *yamltree.Node) bool { return isStated(n.Value) }); stated != nil {
		c.stated = strings.ToLower(strings.TrimSpace(stated.Value))
	}
	c.RelativeWeight = cmp.Or(c.RelativeWeight, o.number(relative))
	if c.Weight = o.number(Weights); c.Weight == "" {
		c.Weight = o.word(Weights)
	}
	c.Points = o.number(Points)
	if i := o.find(Thresholds, isText); i >= 0 && c.Threshold == "" {
		c.Threshold, c.thresholdPlace = strings.TrimSpace(o.use(i).Value), o.Reader.atKey(o, i)
	}
}

// scaleTypes are types of scales that the levels show.
var scaleTypes = Names("binary boolean ordinal likert numeric scale scored score passfail categorical")

// ownScale reads the scale of a criterion, whose ends can be those of the draft.
func (o *Object) ownScale(c *Criterion, d *Draft) {
	c.Scale = o.scale()
	o.readDirection(c)
	if c.Scale.Direction != levels.Unknown && !c.Scale.IsKnown {
		c.Scale.Low, c.Scale.High, c.Scale.IsKnown = d.Scale.Low, d.Scale.High, d.Scale.IsKnown
	}
	i := o.find(Names("scaletype scoretype type"), isText)
	if i >= 0 && slices.Contains(scaleTypes, Fold(o.Entries[i].Value.Value)) {
		o.use(i)
	}
}

// anyText takes the first text of a criterion that has no other as its description.
func (o *Object) anyText(c *Criterion) {
	i := slices.IndexFunc(o.Entries, func(e yamltree.KeyValue) bool { return isText(e.Value) && !isNumber(e.Value) })
	if i < 0 || o.used[i] {
		return
	}
	c.Description = strings.TrimSpace(text(o.use(i)))
	o.Reader.AddDerived(c.Place, fmt.Sprintf("The text under %s became the description.",
		schema.Quote(o.Entries[i].Key.Value)))
}

// metadata reads what an export, or a file of another tool, has in a mapping for more keys.
func (o *Object) metadata(c *Criterion) *Object {
	n := o.take(Names("metadata config"), isMapping)
	if n == nil {
		return nil
	}
	meta := o.Reader.Object(n, o.Path+".metadata", "")
	if stated := meta.take(Weights, func(n *yamltree.Node) bool { return isStated(n.Value) }); stated != nil {
		c.stated = strings.ToLower(strings.TrimSpace(stated.Value))
		c.Threshold, c.RelativeWeight = meta.word(Thresholds), meta.number(relative)
	}
	return meta
}

// readName reads the name and the ID of a criterion.
func (o *Object) readName(c *Criterion) {
	name := o.word(criterionNames)
	if name == "" && o.find(Names("longdescription"), isText) >= 0 {
		name = o.word(Names("description")) // as learning platforms name it
	}
	c.Key = cmp.Or(name, o.key)
	if name != "" && o.key != "" && Fold(o.key) != Fold(name) {
		o.Reader.AddDropped(o.place(), "The key of a criterion is dropped: a criterion is identified by its name.")
	}
	for _, key := range CriterionIDs {
		i := o.find(Keys{key}, func(n *yamltree.Node) bool { return n.Kind == yamltree.Scalar })
		if i < 0 {
			continue
		}
		id := strings.TrimSpace(o.use(i).Value)
		if c.ID == "" {
			c.ID = id
		}
		if Fold(id) != Fold(c.Key) {
			o.ids = append(o.ids, i)
		}
	}
}

// readDescription reads the description, with the other texts that a judge needs.
func (o *Object) readDescription(c *Criterion) {
	var texts []string
	if c.Description != "" {
		texts = append(texts, c.Description)
	} else if i := o.find(Descriptions, isText); i >= 0 {
		whole := text(o.use(i))
		if len(c.Levels) == 0 {
			whole, c.Levels = levels.In(whole)
		}
		if len(c.Levels) == 0 {
			whole, c.Levels = manyInline(whole)
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
	for _, key := range slices.Concat(Added, Descriptions) {
		for i := o.find(Keys{key}, isWords); i >= 0; i = o.find(Keys{key}, isWords) {
			texts = append(texts, o.more(i, len(texts) == 0))
		}
	}
	if len(texts) > 1 {
		texts[0] = strings.ReplaceAll(strings.Join(texts, "\n"), ": \n", ":\n")
	}
	c.Description = strings.Join(texts[:min(len(texts), 1)], "")
}

// more is the text of an entry, with its key in front unless it is the first one.
func (o *Object) more(i int, isFirst bool) string {
	more, label := strings.TrimSpace(text(o.use(i))), o.Entries[i].Key.Value
	if isFirst {
		return more
	}
	if isTexts(o.Entries[i].Value) {
		more = "\n" + more
	}
	o.Reader.AddDerived(o.Reader.atKey(o, i), fmt.Sprintf("The text under %s became a part of the description.",
		schema.Quote(label)))
	return sentence(Words(label)) + ": " + more
}

func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// steps are the steps of an evaluation as a numbered list.
func (o *Object) steps() string {
	var all []string
	for i, step := range o.take(stepLists, isTexts).List() {
		all = append(all, fmt.Sprintf("%d. %s", i+1, strings.TrimSpace(Lines(step.Value))))
	}
	if len(all) == 1 {
		return strings.TrimPrefix(all[0], "1. ")
	}
	return strings.Join(all, "\n")
}

var (
	// prohibitions are words for a criterion that asks for a fault, and obligations for one that is
	// required.
	prohibitions = Names("mustnot negative penalty forbidden prohibited antipattern")
	obligations  = Names(`required critical must mandatory blocker essential hardgate gate mustpass musthave
		blocking`)
)

// marks reads whether a criterion is required, and whether it asks for a fault. It reports whether the
// file forbids what the criterion describes.
func (o *Object) marks(c *Criterion) (forbids bool) {
	for i, e := range o.Entries {
		key := Fold(e.Key.Value)
		if o.used[i] || e.Value.Kind != yamltree.Scalar {
			continue
		}
		switch word := Fold(e.Value.Value); {
		case slices.Contains(Required, key) && slices.Contains(Names("true yes 1 hard required always"), word):
			c.Required = true
			o.use(i)
		case slices.Contains(Required, key) && slices.Contains(Names("false no 0 never"), word),
			slices.Contains(optionals, key) && e.Value.Type == yamltree.Bool:
			o.use(i)
		case slices.Contains(Names("negative isnegative penalty ispenalty"), key) && e.Value.Type == yamltree.Bool:
			c.Negative = word == "true"
			o.use(i)
		case slices.Contains(Names("kind type polarity sign"), key) && slices.Contains(prohibitions, word):
			forbids = true
			o.use(i)
		case slices.Contains(Names("importance priority type kind severity weight level requirement"), key) &&
			slices.Contains(obligations, word):
			c.Required = true
			o.use(i)
		}
	}
	if slices.Contains(Names("required critical must mandatory vital"), Fold(c.Weight)) {
		c.Required, c.Weight = true, ""
	}
	return forbids
}

// Samples reads texts that deserve a level.
func (o *Object) Samples(c *Criterion) {
	r := o.Reader
	if answer := o.take(references, isText); answer != nil {
		c.Examples = append(c.Examples, Example{Text: text(answer), Anchor: 5})
	}
	i := o.find(examples, func(n *yamltree.Node) bool { return isMapping(n) || isSequence(n) && isMapping(n.Items[0]) })
	if i < 0 {
		return
	}
	list, path := o.use(i), o.pathTo(o.Entries[i])
	for _, e := range list.Entries {
		level, _ := levelOf(e.Key.Value)
		score := slices.Index(Names("score1 score2 score3 score4 score5"), Fold(e.Key.Value)) + 1
		for _, sample := range append(e.Value.List(), single(e.Value)...) {
			if sample.Kind != yamltree.Scalar {
				r.AddDropped(r.placeOf(sample, path), schema.Quote(e.Key.Value)+" is dropped: an example is a text.")
				continue
			}
			c.Examples = append(c.Examples, Example{Text: Lines(sample.Value), Level: level.String(), Anchor: score})
		}
	}
	for j, item := range list.Items {
		each := r.Object(item, fmt.Sprintf("%s[%d]", path, j), "")
		c.Examples = append(c.Examples, Example{
			Text:  each.Text(Names("output response text answer content example excerpt")),
			Level: each.word(Names("score level rating label grade value")),
		})
		each.Rest()
	}
}
