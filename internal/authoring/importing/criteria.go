package importing

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

var (
	scoreKey = lazy.Expr(`(?i)^(?:orig_)?score_?([0-9]{1,2})_description$`)
	// promptRubric is the rubric in a prompt for Prometheus.
	promptRubric = lazy.Expr(`(?s)###\s*Score Rubrics?:\s*(.*?)\s*(?:###|$)`)
	// reference matches the reference to a version of a document, from an export.
	reference = lazy.Expr(`^([a-z][a-z0-9_]*)@[0-9.]+#sha256:[0-9a-f]+$`)
)

// objects reads a file whose objects are criteria or rubrics: the rows of BiGGen-Bench,
// FLASK, and the Feedback Collection, the rubrics of ragas, GEval metrics, and rubrics of
// rubric-spec. They are in lines, a list, or the values of a mapping.
func (r *reader) objects() {
	for _, v := range r.parse() {
		switch {
		case v.Kind == yamltree.Sequence:
			r.list(v.Items, v.place)
		case v.Kind == yamltree.Mapping && !slices.ContainsFunc(v.Entries, func(e yamltree.Entry) bool { return e.Value.Kind == yamltree.Scalar }):
			for _, e := range v.Entries {
				if e.Value.Kind == yamltree.Sequence { // {"metrics": [...]}
					r.list(e.Value.Items, schema.Quote(e.Key.Value))
					continue
				}
				each := r.value(e.Value, schema.Quote(e.Key.Value))
				each.key = e.Key.Value
				r.object(each)
			}
		default:
			r.object(v)
		}
	}
}

func (r *reader) list(items []*yamltree.Node, place string) {
	for i, item := range items {
		r.object(r.value(item, strings.TrimSpace(fmt.Sprintf("%s element %d", place, i+1))))
	}
}

func (r *reader) object(v value) {
	d := draft{place: v.place, id: v.key}
	exported := reference().FindStringSubmatch(v.get("rubric").Text())
	switch {
	case len(r.problems) > 0:
		return
	case r.Format == "rubric-spec":
		d.id, d.name, d.description = r.id(&v, "rubric_id"), v.text("label"), v.text("description")
		for i, item := range v.get("criteria").List() {
			c := r.value(item, strings.TrimSpace(fmt.Sprintf("%s criterion %d", v.place, i+1)))
			r.criterion(&d, &c)
		}
		if len(d.criteria) == 0 {
			r.refuse("Not a rubric: %s. Expected the list criteria.", cmp.Or(v.place, "the file"))
		}
		if strings.HasPrefix(v.get("version").Text(), "auraone-rubric-") { // of the format
			v.text("version")
		}
	case exported != nil || r.Format == "deepeval": // several are one rubric
		if d.id = ""; exported != nil {
			d.reference, d.id = v.text("rubric"), exported[1]
		}
		i := slices.IndexFunc(r.drafts, func(other draft) bool { return other.reference == d.reference })
		if i >= 0 {
			r.criterion(&r.drafts[i], &v)
			return
		}
		d.place = ""
		r.criterion(&d, &v)
	default:
		if d.id == "" || r.IDFrom != "" {
			d.id = r.id(&v, "rubric_id", "id", "Skill", "name", "task")
		}
		r.criterion(&d, &v)
	}
	r.add(d)
}

// id is the ID that a row has under one of the keys, or under that of the options.
func (r *reader) id(v *value, keys ...string) string {
	if r.IDFrom == "" {
		return v.word(keys...)
	}
	id := v.word(r.IDFrom)
	if id == "" {
		r.refuse("--id-from: %s has no text under the key %s.", cmp.Or(v.place, "the file"), schema.Quote(r.IDFrom))
	}
	return id
}

// criterion adds a criterion, whatever the format.
func (r *reader) criterion(d *draft, v *value) {
	c := criterion{place: v.place, key: v.word("criterion_id", "metric", "Skill", "name", "task", "id", "rubric_id")}
	from := r.describe(d, v, &c)
	switch {
	case len(d.criteria) == most:
		r.tooMany()
		return
	case c.description == "" && len(c.levels) == 0:
		r.refuse("Not a rubric: %s. Expected criteria, or texts such as score1_description.", cmp.Or(v.place, "the file"))
		return
	case len(c.levels) == 0 && (r.Format == "ragas" || r.Format == "prometheus"):
		r.refuse("Not a rubric of %s: %s. It has no levels: expected texts such as score1_description. If the file is of another tool, change --from.", r.Format, cmp.Or(v.place, "the file"))
		return
	}
	r.examples(&c, v, from)
	share, isNumber := number(v.word("threshold"))
	if isNumber && c.threshold == "" && r.Format == "deepeval" && (levels.Ladder{Levels: c.levels}).IsOwn() {
		// DeepEval divides the distance from the lowest score by the range of the scores.
		c.threshold = schema.Plain(math.Round((1+4*share)*1e9) / 1e9)
	} else if v.word("threshold") != "" {
		r.dropped(v.place, "The threshold is dropped: it is not a score on the scale from 1 to 5.")
	}
	if scale := v.get("scale_type"); slices.Contains([]string{"binary", "ordinal"}, scale.Text()) {
		r.take(scale) // which the levels follow
	}
	r.rest(v.Node, v.place, "")
	r.rest(from.Node, v.place, "")
	d.criteria = append(d.criteria, c)
}

// describe reads the description of a criterion, and its levels. They can be in an object or
// a text of their own, which it returns.
func (r *reader) describe(d *draft, v *value, c *criterion) (from *value) {
	from = v
	nested, text := v.get("score_rubric", "rubrics", "rubric", "value"), ""
	if m := promptRubric().FindStringSubmatch(v.Get("instruction").Text()); m != nil && v.get("criteria", "orig_criteria") == nil {
		text = m[1]
	} else if nested != nil && nested.Kind == yamltree.Scalar {
		text = r.take(nested)
	} else if nested != nil && nested.Kind == yamltree.Mapping {
		in := r.value(nested, v.place)
		from = &in
	}
	meta := r.value(v.get("metadata", "config"), v.place)
	c.weight, c.threshold = meta.text("weight"), meta.text("threshold")
	if c.relativeWeight = meta.text("relative_weight"); c.relativeWeight != "" {
		v.text("weight") // of an export, which follows from it
	}
	if tree, problems := yamltree.ParseJSON("file", source.NewFile("", []byte(text)), len(text)); meta.get("rubric") != nil && len(problems) == 0 {
		of := r.value(tree.Root, v.place) // of an export
		d.id, text, from = meta.text("rubric"), "", &of
		meta.text("criterion")
		of.text("criterion")
		of.text("score")
	}
	if c.description, c.levels = levels.In(text); strings.HasPrefix(c.description, "[") {
		c.description = strings.TrimSuffix(c.description[1:], "]")
	}
	if c.description == "" {
		c.description = from.text("criteria", "orig_criteria", "description", "label")
	}
	if c.description == "" {
		for i, step := range v.get("evaluation_steps", "evaluationSteps").List() {
			if step.Kind == yamltree.Scalar {
				c.description = strings.TrimSpace(fmt.Sprintf("%s\n%d. %s", c.description, i+1, strings.TrimSpace(r.take(step))))
			}
		}
	}
	c.levels = slices.Concat(c.levels, r.levels(from), r.ranges(v, nested))
	return from
}

func number(text string) (float64, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
}

// levels are the levels of an object, under keys such as score1_description, or in a
// mapping or a list.
func (r *reader) levels(v *value) (all []levels.Level) {
	add := func(label, text string) {
		if text != "" {
			level := levels.Label(label)
			level.Text = text
			all = append(all, level)
		}
	}
	for _, e := range v.Entries {
		if m := scoreKey().FindStringSubmatch(e.Key.Value); m != nil {
			add(m[1], v.text(e.Key.Value))
		}
	}
	table := v.get("anchors", "Scoring")
	if table == nil {
		return all
	}
	for _, e := range table.Entries {
		if e.Value.Kind == yamltree.Scalar {
			add(e.Key.Value, r.take(e.Value))
		}
	}
	for _, item := range table.Items {
		anchor := r.value(item, v.place)
		text := anchor.text("label")
		if more := anchor.text("description"); more != "" && more != text {
			text = strings.TrimPrefix(text+": "+more, ": ")
		}
		add(anchor.text("value"), text)
	}
	return all
}

func (r *reader) ranges(v *value, list *yamltree.Node) (all []levels.Level) {
	for _, item := range list.List() {
		each := r.value(item, v.place)
		bounds := append(each.get("score_range", "scoreRange").List(), &yamltree.Node{}, &yamltree.Node{})
		low, isLow := number(bounds[0].Value)
		high, isHigh := number(bounds[1].Value)
		if !isLow || !isHigh {
			r.refuse("Each level of the rubric needs a score_range of two numbers: see %s.", cmp.Or(v.place, "the file"))
			return nil
		}
		r.take(bounds[0])
		r.take(bounds[1])
		all = append(all, levels.Level{Low: low, High: high, Text: each.text("expected_outcome", "expectedOutcome")})
	}
	return all
}

// examples reads texts that deserve a score.
func (r *reader) examples(c *criterion, v, from *value) {
	if text := v.text("reference_answer", "orig_reference_answer"); text != "" {
		c.examples = append(c.examples, example{text: text, anchor: 5})
	}
	list := from.get("examples")
	for score := 1; score <= 5; score += 2 {
		if text := list.Get(fmt.Sprintf("score_%d", score)); text != nil && text.Kind == yamltree.Scalar {
			c.examples = append(c.examples, example{text: r.take(text), anchor: score})
		}
	}
	for _, item := range list.List() {
		each := r.value(item, v.place)
		c.examples = append(c.examples, example{text: each.text("output", "response", "text"), level: each.word("score")})
	}
}
