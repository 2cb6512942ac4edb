package importing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// objects reads a file in YAML, JSON, or JSON Lines: rubrics with a list or a map of criteria under
// any common key, or criteria in rows.
func (r *reader) objects() {
	values := r.parse()
	r.roots = nil // each object lists what it does not read
	switch {
	case len(r.problems) > 0:
	case len(values) > 1:
		var rows []*yamltree.Node
		for _, v := range values {
			rows = append(rows, v.Node)
		}
		r.rows(rows, "")
	case isSequence(values[0].Node):
		r.rows(values[0].Items, "")
	case values[0].Get("$schema") != nil && values[0].Get("properties") != nil:
		r.refuse("The file is a JSON Schema: it says what a rubric has, and has none. Import a file that follows it.")
	case isMapping(values[0].Node):
		r.root(r.object(values[0].Node, "", ""), draft{place: values[0].place})
	}
	if len(r.problems) == 0 && len(r.drafts) == 0 {
		r.refuse("The file has no criteria: expected a list or a map of them under a key such as criteria, dimensions, or metrics, each with a name or a description.")
	}
}

// rows reads a list of rubrics or of criteria. Criteria are those of one rubric, unless they have the
// IDs of several.
func (r *reader) rows(rows []*yamltree.Node, path string) {
	var made []*draft
	byID := map[string]*draft{}
	idOf, groups := r.rubricIDs(rows), r.areGroups(rows)
	for i, row := range rows {
		o := r.object(row, fmt.Sprintf("%s[%d]", path, i), "")
		if r.shapes.isDocument(row) && !groups {
			r.document(o, draft{place: o.place()})
			continue
		}
		id := idOf(o)
		d := byID[id]
		if d == nil || r.eachIsRubric() {
			d = &draft{id: id}
			made, byID[id] = append(made, d), d
			if id != "" || r.eachIsRubric() {
				d.place = o.place()
			}
		}
		if r.eachIsRubric() {
			r.aloneIn(o, d)
		}
		r.member(d, o, nil)
		if len(r.problems) > 0 {
			return
		}
	}
	for _, d := range made {
		r.add(*d)
		if len(r.problems) > 0 {
			return
		}
	}
}

// eachIsRubric reports whether each row is a rubric, as the name of the format says.
func (r *reader) eachIsRubric() bool {
	return r.GroupBy == "" && slices.Contains([]string{"prometheus", "ragas"}, r.Format)
}

// aloneIn reads the ID and the name of a rubric that is one row.
func (r *reader) aloneIn(o *object, d *draft) {
	if id := o.word(names("rubricid id")); id != "" {
		d.id = id
	} else if i := o.find(names("skill name task"), isText); i >= 0 { // also the name of the criterion
		d.id = strings.TrimSpace(o.Entries[i].Value.Value)
	} else if o.key != "" {
		d.id = o.key
	}
}

// areGroups reports whether rows with criteria of their own are groups of one rubric: they have a weight.
func (r *reader) areGroups(rows []*yamltree.Node) bool {
	return r.GroupBy == "" && slices.ContainsFunc(rows, func(row *yamltree.Node) bool {
		o := r.object(row, "", "")
		return o.find(slices.Concat(weights, points), isNumber) >= 0
	})
}

// rubricIDs returns how to find the ID of the rubric of a row: the key that the author names, or one that
// names a rubric, or "" for all.
func (r *reader) rubricIDs(rows []*yamltree.Node) func(*object) string {
	k := keys{fold(r.GroupBy)}
	if r.GroupBy == "" {
		k = names("rubricid rubricname rubrickey rubrictitle rubric")
		if !slices.ContainsFunc(rows, func(row *yamltree.Node) bool { return r.object(row, "", "").find(k, isName) >= 0 }) {
			return func(*object) string { return "" }
		}
	}
	return func(o *object) string {
		id := strings.TrimSpace(text(o.take(k, isName)))
		if id == "" && r.GroupBy != "" {
			r.refuse("--group-by: %s has no text under the key %s.", cmp.Or(o.place(), "the file"), schema.Quote(r.GroupBy))
		}
		return id
	}
}

// isName reports whether a value is a text on one line.
func isName(n *yamltree.Node) bool {
	return isText(n) && len(n.Value) <= 120 && !strings.Contains(strings.TrimSpace(n.Value), "\n")
}

// root reads a mapping: a rubric, a criterion, several of them by key, or one of these below other keys.
func (r *reader) root(o *object, outer draft) {
	s := r.shapes
	switch inner := r.inner(o); {
	case s.isDocument(o.Node):
		r.document(o, outer)
	case s.hasLevels(o.Node):
		if r.eachIsRubric() {
			r.aloneIn(o, &outer)
		}
		r.member(&outer, o, nil)
		r.add(outer)
	case len(inner) == 1:
		r.describe(o, &outer)
		r.root(r.object(o.use(inner[0]), o.below(o.Entries[inner[0]]), ""), outer)
		o.rest()
	case len(inner) > 0:
		r.several(o, inner, outer)
	}
}

// inner are the entries of a mapping that have rubrics or criteria.
func (r *reader) inner(o *object) (at []int) {
	s := r.shapes
	for i, e := range o.Entries {
		if !asksForFaults(e.Key.Value) && (s.leadsToDocument(e.Value) || s.isItems(e.Value) || isMapping(e.Value) && s.hasLevels(e.Value)) {
			at = append(at, i)
		}
	}
	return at
}

// leadsToDocument reports whether a value is a rubric, or has one below its keys.
func (s shapes) leadsToDocument(n *yamltree.Node) bool {
	return s.ask(n, "leads to a document", func() bool {
		return isMapping(n) && (s.isDocument(n) || slices.ContainsFunc(n.Entries, func(e yamltree.Entry) bool { return s.leadsToDocument(e.Value) }))
	})
}

// several reads a mapping whose keys are the names of rubrics, of groups, or of criteria.
func (r *reader) several(o *object, inner []int, outer draft) {
	separate := r.eachIsRubric() || r.GroupBy == "" && !slices.ContainsFunc(inner, func(i int) bool {
		n := o.Entries[i].Value
		return !r.shapes.isDocument(n) || r.object(n, "", "").find(slices.Concat(weights, points), isNumber) >= 0
	})
	d := outer
	if !separate {
		r.describe(o, &d)
	}
	for _, i := range inner {
		e := o.Entries[i]
		each := r.object(o.use(i), o.below(e), e.Key.Value)
		switch {
		case !separate:
			r.member(&d, each, nil)
		case r.shapes.isDocument(e.Value):
			r.document(each, draft{id: e.Key.Value, place: schema.Quote(e.Key.Value)})
		default:
			alone := draft{place: schema.Quote(e.Key.Value)}
			r.aloneIn(each, &alone)
			r.member(&alone, each, nil)
			r.add(alone)
		}
	}
	if !separate {
		r.complete(o, &d)
		r.add(d)
	}
	o.rest()
}

// describe reads what a mapping says of the whole rubric.
func (r *reader) describe(o *object, d *draft) {
	if id := o.word(documentIDs); id != "" {
		d.id = id
	}
	d.name = cmp.Or(o.text(documentNames), d.name)
	d.description = cmp.Or(o.text(summaries), d.description)
	if kind := o.word(artifactTypes); kind != "" {
		d.artifactType = kind
	}
	if mark := o.find(passMarks, isText); mark >= 0 {
		d.passThreshold, d.passPlace = strings.TrimSpace(o.use(mark).Value), r.atKey(o, mark)
	}
	if i := o.find(names("scoring passing evaluation grading settings config"), func(n *yamltree.Node) bool { return isMapping(n) && !r.shapes.leadsToDocument(n) }); i >= 0 && d.passThreshold == "" {
		inside := r.object(o.Entries[i].Value, o.below(o.Entries[i]), "")
		if mark := inside.find(passMarks, isText); mark >= 0 {
			o.use(i)
			d.passThreshold, d.passPlace = strings.TrimSpace(inside.use(mark).Value), r.atKey(inside, mark)
			inside.rest()
		}
	}
	if scale := o.scale(); scale.IsKnown {
		d.scale = scale
	}
	if source := o.Get("provenance").Get("source").Text(); exportOf().MatchString(source) {
		d.reference = source
	}
}

// exportOf matches the reference to a version of a document, in an export.
var exportOf = lazy.Expr(`^[a-z][a-z0-9_]*@[0-9.]+#sha256:[0-9a-f]+$`)

// document reads a rubric whose criteria are under a key for them.
func (r *reader) document(o *object, d draft) {
	r.describe(o, &d)
	if r.GroupBy != "" {
		if i := o.find(keys{fold(r.GroupBy)}, isName); i >= 0 {
			d.id = strings.TrimSpace(o.use(i).Value)
		}
	}
	if r.grouped(o, &d) {
		return
	}
	for _, i := range r.containersOf(o) {
		if r.areRubrics(o.Entries[i]) {
			r.rows(o.use(i).Items, o.below(o.Entries[i]))
			continue
		}
		r.members(&d, o.use(i), o.below(o.Entries[i]), nil)
	}
	d.share(r, o.shared())
	r.complete(o, &d)
	r.add(d)
	o.rest()
}

// grouped reads a rubric as one for each ID that its criteria have under the key of the options, and reports
// whether they have it.
func (r *reader) grouped(o *object, d *draft) bool {
	at := slices.IndexFunc(o.Entries, func(e yamltree.Entry) bool {
		return r.GroupBy != "" && slices.ContainsFunc(e.Value.Items, func(item *yamltree.Node) bool {
			return r.object(item, "", "").find(keys{fold(r.GroupBy)}, isName) >= 0
		})
	})
	if at < 0 {
		return false
	}
	before := len(r.drafts)
	r.rows(o.use(at).Items, o.below(o.Entries[at]))
	shared := o.shared()
	for i := range r.drafts[min(before, len(r.drafts)):] {
		part := &r.drafts[before+i]
		part.description, part.passThreshold, part.passPlace, part.scale = d.description, d.passThreshold, d.passPlace, d.scale
		part.share(r, shared)
		r.complete(o, part)
	}
	if d.name != "" {
		r.dropped(o.place(), schema.Quote(d.name)+" is dropped: with --group-by, each rubric has a name of its own.")
	}
	o.rest()
	return true
}

// areRubrics reports whether a key has a list of rubrics: it is called so, and each has criteria of its own and no
// weight.
func (r *reader) areRubrics(e yamltree.Entry) bool {
	isNone := func(item *yamltree.Node) bool { return !r.shapes.isDocument(item) }
	all := parts(e.Key.Value)
	return len(all) > 0 && all[len(all)-1] == "rubrics" && isSequence(e.Value) && !slices.ContainsFunc(e.Value.Items, isNone) && !r.areGroups(e.Value.Items)
}

// containersOf are the entries of a mapping that have its criteria. Lists of short names count only if
// nothing else has criteria.
func (r *reader) containersOf(o *object) (at []int) {
	var bare []int
	for i, e := range o.Entries {
		if o.used[i] || !r.shapes.holdsCriteria(e, false) {
			continue
		}
		if isTexts(e.Value) && !slices.ContainsFunc(e.Value.Items, func(item *yamltree.Node) bool { return strings.Contains(item.Value, " ") }) {
			bare = append(bare, i)
			continue
		}
		at = append(at, i)
	}
	if len(at) == 0 && o.find(weightMaps, isMapping) < 0 {
		return bare
	}
	return at
}

// members reads a list or a map of criteria and groups.
func (r *reader) members(d *draft, n *yamltree.Node, path string, groups []group) {
	for i, item := range n.Items {
		r.member(d, r.object(item, fmt.Sprintf("%s[%d]", path, i), ""), groups)
	}
	for _, e := range n.Entries {
		r.member(d, r.object(e.Value, path+"."+e.Key.Value, e.Key.Value), groups)
	}
}

// member reads a criterion or a group.
func (r *reader) member(d *draft, o *object, groups []group) {
	switch {
	case len(r.problems) > 0:
	case len(d.criteria)+len(d.rules) >= most:
		r.tooMany()
	case isSequence(o.Node) && r.shapes.isLadder(o.Node, false):
		found := r.ladder(o.Node, o.path)
		r.addCriterion(d, criterion{key: o.key, levels: found.levels, place: o.place(), groups: groups}, o)
	case isSequence(o.Node):
		r.members(d, o.Node, o.path, append(groups, group{name: o.key, number: r.count()}))
	case o.Kind == yamltree.Scalar:
		r.scalar(d, o, groups)
	case isMapping(o.Node) && r.shapes.isLadder(o.Node, false):
		found := r.ladder(o.Node, o.path)
		r.addCriterion(d, criterion{key: o.key, levels: found.levels, examples: found.samples, place: o.place(), groups: groups}, o)
	case r.shapes.isGroup(o.Node):
		r.group(d, o, groups)
	case r.shapes.isCriterion(o.Node) || o.key != "" && isMapping(o.Node):
		r.criterion(d, o, groups)
	default:
		r.dropped(o.place(), "A part of a list of criteria is dropped: expected a text, or keys such as name, description, or levels.")
	}
}

// group reads a group: its name begins those of its criteria.
func (r *reader) group(d *draft, o *object, groups []group) {
	g := group{number: r.count(), weight: o.number(weights), points: o.number(points)}
	named := o.word(criterionNames)
	g.name = cmp.Or(named, o.key, o.word(criterionIDs))
	if named != "" {
		o.word(criterionIDs)
	}
	first := len(d.criteria)
	about := o.text(descriptions)
	for i := range o.Entries {
		if e := o.Entries[i]; !o.used[i] && r.shapes.holdsCriteria(e, true) {
			r.members(d, o.use(i), o.below(e), append(slices.Clone(groups), g))
		}
	}
	shared := o.shared()
	if part := d.criteria[min(first, len(d.criteria)):]; len(part) > 0 {
		if about != "" {
			part[0].notes = append(part[0].notes, strings.TrimSpace(g.name+": "+about))
			r.derived(o.place(), "The description of a group is a comment above its first criterion.")
		}
		(&draft{criteria: part}).share(r, shared)
	}
	o.rest()
}

// scalar reads a criterion that is one text, or the points of one that has only a name.
func (r *reader) scalar(d *draft, o *object, groups []group) {
	c := criterion{key: o.key, groups: groups, place: o.place()}
	value := strings.TrimSpace(text(o.Node))
	switch m := pointedText().FindStringSubmatch(value); {
	case value == "" || o.Type == yamltree.Null:
		return
	case isNumber(o.Node) && o.key != "":
		c.description, c.points = words(o.key), value
	case m != nil:
		c.points, c.description = cmp.Or(m[1], m[2]), m[3]
	default:
		c.description = value
	}
	r.addCriterion(d, c, o)
}
