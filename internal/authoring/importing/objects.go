package importing

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// first is the first value that an object has under one of the keys, ignoring case, or
// nil.
func first(n *yamltree.Node, keys ...string) *yamltree.Node {
	if n == nil {
		return nil
	}
	for _, key := range keys {
		for _, e := range n.Entries {
			if strings.EqualFold(e.Key.Value, key) && e.Value.Type != yamltree.Null {
				return e.Value
			}
		}
	}
	return nil
}

// textOf is the text of the first value that is one, with LF at line ends.
func textOf(n *yamltree.Node, keys ...string) string {
	return lines(first(n, keys...).Text())
}

// lines is a text with LF at line ends.
func lines(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// word is textOf for a name or a number.
func word(n *yamltree.Node, keys ...string) string { return strings.TrimSpace(textOf(n, keys...)) }

// keep adds short texts under some keys to the metadata. The other keys of an object are
// dropped, except for those that were read.
func (d *draft) keep(r *reader, v value, kept, read []string) {
	for _, e := range v.Entries {
		text := strings.TrimSpace(e.Value.Value)
		switch {
		case slices.ContainsFunc(read, func(key string) bool { return strings.EqualFold(key, e.Key.Value) }):
		case slices.Contains(kept, e.Key.Value) && e.Value.Kind == yamltree.Scalar && text != "" && short(text) == text:
			d.metadata = append(d.metadata, e.Key.Value, text)
		case e.Value.Kind != yamltree.Scalar || text != "" && e.Value.Type != yamltree.Null:
			r.dropped(v.place, fmt.Sprintf("%s is dropped: a rubric has no place for it.", schema.Quote(e.Key.Value)))
		}
	}
}

var (
	scoreKey = regexp.MustCompile(`(?i)^(?:orig_)?score_?([0-9]{1,2})_description$`)
	// promptRubric is the rubric in a prompt for Prometheus.
	promptRubric = regexp.MustCompile(`(?s)###\s*Score Rubrics?:\s*(.*?)\s*(?:###|$)`)
)

// Keys of rows, most specific first.
var (
	nestedKeys    = []string{"score_rubric", "rubrics", "rubric"}
	criteriaKeys  = []string{"criteria", "orig_criteria"}
	levelKeys     = []string{"anchors", "Scoring"}
	referenceKeys = []string{"reference_answer", "orig_reference_answer"}
	nameKeys      = []string{"Skill", "name", "task"}
	idKeys        = []string{"rubric_id", "id"}
)

// prometheus reads the rows of BiGGen-Bench, FLASK, and the Feedback Collection, and the
// rubrics of ragas: each is one criterion with its levels.
func (r *reader) prometheus() {
	seen := map[string]bool{}
	values := r.each(func(n *yamltree.Node) bool {
		return first(n, slices.Concat(nestedKeys, criteriaKeys, levelKeys)...) != nil ||
			slices.ContainsFunc(n.Entries, func(e yamltree.Entry) bool { return scoreKey.MatchString(e.Key.Value) })
	})
	for _, v := range values {
		c, levels := r.row(v)
		if c.description == "" && len(levels) == 0 {
			r.refuse("%s is not a rubric: expected criteria and texts such as score1_description.", placeOf(v.place))
			return
		}
		exported := reference.FindStringSubmatch(first(v.Node, "rubric").Text())
		if exported != nil {
			r.exportedRow(exported[1], c, levels, v)
			continue
		}
		key := fmt.Sprintf("%q %q", c.description, levels)
		if seen[key] {
			r.derived(v.place, "A rubric that the file repeats is imported once.")
			continue
		}
		seen[key] = true
		d := draft{place: v.place, id: word(v.Node, idKeys...)}
		if d.id == "" {
			d.id = v.key
		}
		if c.key = word(v.Node, nameKeys...); d.id == "" {
			d.id = c.key
		}
		r.anchor(&c, levels, r.options.Format == "prometheus", v.place)
		d.criteria = []criterion{c}
		d.keep(r, v, []string{"capability", "task", "domain"}, slices.Concat(nestedKeys, criteriaKeys, levelKeys, referenceKeys, nameKeys, idKeys, scoreKeys(v.Node)))
		r.drafts = append(r.drafts, d)
	}
}

// reference matches the reference to a version of a document, from an export.
var reference = regexp.MustCompile(`^([a-z][a-z0-9_]*)@[0-9.]+#sha256:[0-9a-f]+$`)

// exportedRow adds a row of an exported rubric, which has one for each criterion.
func (r *reader) exportedRow(id string, c criterion, levels []level, v value) {
	i := slices.IndexFunc(r.drafts, func(d draft) bool { return d.id == id })
	if i < 0 {
		i = len(r.drafts)
		r.drafts = append(r.drafts, draft{place: v.place, id: id})
	}
	c.key = word(v.Node, "id")
	r.anchor(&c, levels, true, v.place)
	r.drafts[i].criteria = append(r.drafts[i].criteria, c)
}

func placeOf(place string) string {
	if place == "" {
		return "The file"
	}
	return strings.ToUpper(place[:1]) + place[1:]
}

func scoreKeys(n *yamltree.Node) (keys []string) {
	for _, e := range n.Entries {
		if scoreKey.MatchString(e.Key.Value) {
			keys = append(keys, e.Key.Value)
		}
	}
	return keys
}

// row reads the criterion of a row, and its levels.
func (r *reader) row(v value) (c criterion, levels []level) {
	from := v.Node
	if nested := first(v.Node, nestedKeys...); nested != nil {
		from = nested
	}
	text := ""
	if from.Kind == yamltree.Scalar {
		text = from.Value
	} else if m := promptRubric.FindStringSubmatch(first(v.Node, "instruction").Text()); m != nil && len(scoreKeys(from)) == 0 {
		text = m[1]
	}
	if text != "" {
		c.description, levels = levelsIn(text)
		if inner, ok := strings.CutPrefix(c.description, "["); ok {
			c.description = strings.TrimSuffix(inner, "]")
		}
	} else {
		c.description = textOf(from, criteriaKeys...)
	}
	for _, key := range scoreKeys(from) {
		levels = appendLevel(levels, scoreKey.FindStringSubmatch(key)[1], textOf(from, key))
	}
	if table := first(from, levelKeys...); table != nil {
		for _, e := range table.Entries {
			levels = appendLevel(levels, e.Key.Value, textOf(table, e.Key.Value))
		}
	}
	c.examples[2] = textOf(v.Node, referenceKeys...)
	return c, levels
}

// appendLevel adds a level whose score is a number and whose text is not blank.
func appendLevel(levels []level, score, text string) []level {
	if n, err := strconv.ParseFloat(score, 64); err == nil && text != "" {
		return append(levels, level{n, n, text})
	}
	return levels
}

// deepeval reads GEval metrics: each is a criterion of one rubric.
func (r *reader) deepeval() {
	d := draft{}
	for _, v := range r.each(func(n *yamltree.Node) bool {
		return first(n, "criteria", "evaluation_steps", "evaluationSteps", "rubric") != nil
	}) {
		if list := v.Items; v.key != "" && len(list) > 0 { // {"metrics": [...]}
			for i, item := range list {
				r.geval(&d, value{Node: item, place: fmt.Sprintf("element %d of %s", i+1, schema.Quote(v.key))})
			}
			continue
		}
		r.geval(&d, v)
	}
	r.drafts = append(r.drafts, d)
}

func (r *reader) geval(d *draft, v value) {
	c := criterion{key: word(v.Node, "name"), description: textOf(v.Node, "criteria")}
	if c.key == "" {
		c.key = v.key
	}
	steps := first(v.Node, "evaluation_steps", "evaluationSteps").List()
	if c.description == "" {
		for i, step := range steps {
			c.description += fmt.Sprintf("%d. %s\n", i+1, strings.TrimSpace(step.Value))
		}
		c.description = strings.TrimSpace(c.description)
	} else if len(steps) > 1 || len(steps) == 1 && lines(steps[0].Value) != c.description {
		r.dropped(v.place, "The evaluation steps are dropped: the criteria have precedence.")
	}
	var levels []level
	for _, item := range first(v.Node, "rubric").List() {
		bounds := first(item, "score_range", "scoreRange").List()
		if len(bounds) != 2 {
			r.refuse("%s: each level of the rubric needs a score_range of two numbers.", placeOf(v.place))
			return
		}
		low, wrong := strconv.ParseFloat(bounds[0].Value, 64)
		high, err := strconv.ParseFloat(bounds[1].Value, 64)
		if wrong != nil || err != nil {
			r.refuse("%s: a score_range must have two numbers, got %s and %s.", placeOf(v.place), schema.Quote(bounds[0].Value), schema.Quote(bounds[1].Value))
			return
		}
		levels = append(levels, level{low, high, textOf(item, "expected_outcome", "expectedOutcome")})
	}
	if c.description == "" && len(levels) == 0 {
		r.refuse("%s is not a GEval metric: expected criteria, evaluation_steps, or rubric.", placeOf(v.place))
		return
	}
	r.anchor(&c, levels, false, v.place)
	if share, err := strconv.ParseFloat(word(v.Node, "threshold"), 64); err == nil && len(levels) == 5 && isOwnScale(levels) {
		// DeepEval divides the distance from the lowest score by the range of the scores.
		c.threshold = strconv.FormatFloat(math.Round((1+4*share)*1e9)/1e9, 'f', -1, 64)
	} else if first(v.Node, "threshold") != nil {
		r.dropped(v.place, "The threshold is dropped: it is a share of a scale that is not 1 to 5.")
	}
	d.keep(r, v, nil, []string{"name", "criteria", "evaluation_steps", "evaluationSteps", "rubric", "threshold"})
	d.criteria = append(d.criteria, c)
}

// rubricSpec reads AuraOne Rubric Schema v1.
func (r *reader) rubricSpec() {
	isRubric := func(n *yamltree.Node) bool { return n.Get("criteria") != nil }
	for _, v := range r.each(isRubric) {
		if !isRubric(v.Node) {
			r.refuse("%s is not a rubric: expected the list criteria.", placeOf(v.place))
			return
		}
		d := draft{place: v.place, id: word(v.Node, "rubric_id"), name: textOf(v.Node, "label"), description: textOf(v.Node, "description")}
		for _, key := range []string{"source", "created_by", "created_at", "synthetic"} {
			if text := short(textOf(v.Get("provenance"), key)); text != "" {
				d.metadata = append(d.metadata, "provenance_"+key, text)
			}
		}
		for i, item := range v.Get("criteria").List() {
			place := strings.TrimPrefix(fmt.Sprintf("%s, criterion %d", v.place, i+1), ", ")
			d.criteria = append(d.criteria, r.specCriterion(&d, value{Node: item, place: place}))
		}
		if len(d.criteria) == 0 {
			r.refuse("%s has no criteria.", placeOf(v.place))
			return
		}
		d.keep(r, v, nil, []string{"version", "rubric_id", "label", "description", "criteria", "provenance"})
		r.drafts = append(r.drafts, d)
	}
}

func (r *reader) specCriterion(d *draft, v value) criterion {
	c := criterion{key: word(v.Node, "criterion_id"), description: textOf(v.Node, "description")}
	if label := textOf(v.Node, "label"); c.description == "" {
		c.description = label
	} else if label != c.key {
		r.dropped(v.place, "The label is dropped: the criterion has a name and a description.")
	}
	var levels []level
	for _, anchor := range v.Get("anchors").List() {
		label, text := textOf(anchor, "label"), textOf(anchor, "description")
		switch {
		case text == "" || strings.HasPrefix(text, label):
			text = label + strings.TrimPrefix(text, label)
		case label != "" && label != textOf(anchor, "value"):
			text = label + ": " + text
		}
		score, before := word(anchor, "value"), len(levels)
		if levels = appendLevel(levels, score, text); len(levels) == before {
			r.dropped(v.place, "An anchor without a number or a text is dropped.")
		}
	}
	r.specExamples(&c, v, levels)
	r.anchor(&c, levels, false, v.place)
	// Exports have weights and thresholds there.
	c.weight, c.threshold = word(v.Get("metadata"), "weight"), word(v.Get("metadata"), "threshold")
	if c.weight == "" && first(v.Node, "weight") != nil {
		r.dropped(v.place, "The weight is dropped: it is a share, and a criterion is either essential or important.")
	}
	d.keep(r, v, nil, []string{"criterion_id", "label", "description", "anchors", "examples", "weight", "scale_type", "metadata"})
	return c
}

// specExamples reads the examples for the lowest, the middle, and the highest level.
func (r *reader) specExamples(c *criterion, v value, levels []level) {
	for _, example := range v.Get("examples").List() {
		text := textOf(example, "output", "response", "text")
		score, err := strconv.ParseFloat(word(example, "score"), 64)
		at := slices.IndexFunc(levels, func(l level) bool { return l.low == score })
		i := slices.Index([]int{0, (len(levels) - 1) / 2, len(levels) - 1}, at)
		if err != nil || text == "" || at < 0 || i < 0 || len(levels)%2 == 0 && i == 1 || c.examples[i] != "" {
			r.dropped(v.place, "An example is dropped: it needs a text and the score of the lowest, the middle, or the highest level, and there is one for each.")
			continue
		}
		c.examples[i] = text
	}
}
