package intake

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// Objects reads a file in YAML, JSON, or JSON Lines: rubrics with a list or a map of criteria under
// any common key, or criteria in rows.
func (r *Reader) Objects() {
	values := r.Parse()
	r.Roots = nil // each object lists what it does not read
	switch {
	case len(r.Problems) > 0:
	case len(values) > 1:
		var rows []*yamltree.Node
		for _, v := range values {
			rows = append(rows, v.Node)
		}
		r.rows(rows, "")
	case isSequence(values[0].Node):
		r.rows(values[0].Items, "")
	case values[0].Get("$schema") != nil && values[0].Get("properties") != nil:
		r.Refuse("The file is a JSON Schema: it says what a rubric has, and has none. Import a file that follows it.")
	case isMapping(values[0].Node):
		r.root(r.Object(values[0].Node, "", ""), Draft{Place: values[0].Place})
	}
	if len(r.Problems) == 0 && len(r.Drafts) == 0 {
		r.Refuse("The file has no criteria: expected a list or a map of them under a key such as criteria, dimensions, or metrics, each with a name or a description.")
	}
}

// rows reads a list of rubrics or of criteria. Criteria are those of one rubric, unless they have the
// IDs of several.
func (r *Reader) rows(rows []*yamltree.Node, path string) {
	var made []*Draft
	byID := map[string]*Draft{}
	idOf, groups := r.rubricIDs(rows), r.areGroups(rows)
	for i, row := range rows {
		o := r.Object(row, fmt.Sprintf("%s[%d]", path, i), "")
		if r.shapes.isDocument(row) && !groups {
			r.document(o, Draft{Place: o.place()})
			continue
		}
		id := idOf(o)
		d := byID[id]
		if d == nil || r.eachIsRubric() {
			d = &Draft{ID: id}
			made, byID[id] = append(made, d), d
			if id != "" || r.eachIsRubric() {
				d.Place = o.place()
			}
		}
		if r.eachIsRubric() {
			r.aloneIn(o, d)
		}
		r.member(d, o, nil)
		if len(r.Problems) > 0 {
			return
		}
	}
	for _, d := range made {
		r.Add(*d)
		if len(r.Problems) > 0 {
			return
		}
	}
}

// eachIsRubric reports whether each row is a rubric, as the name of the format says.
func (r *Reader) eachIsRubric() bool {
	return r.GroupBy == "" && slices.Contains([]string{"prometheus", "ragas"}, r.Format)
}

// aloneIn reads the ID and the name of a rubric that is one row.
func (r *Reader) aloneIn(o *Object, d *Draft) {
	if id := o.word(Names("rubricid id")); id != "" {
		d.ID = id
	} else if i := o.find(Names("skill name task"), isText); i >= 0 { // also the name of the criterion
		d.ID = strings.TrimSpace(o.Entries[i].Value.Value)
	} else if o.key != "" {
		d.ID = o.key
	}
}

// areGroups reports whether rows with criteria of their own are groups of one rubric: they have a weight.
func (r *Reader) areGroups(rows []*yamltree.Node) bool {
	return r.GroupBy == "" && slices.ContainsFunc(rows, func(row *yamltree.Node) bool {
		o := r.Object(row, "", "")
		return o.find(slices.Concat(Weights, Points), isNumber) >= 0
	})
}

// rubricIDs returns how to find the ID of the rubric of a row: the key that the author names, or one that
// names a rubric, or "" for all.
func (r *Reader) rubricIDs(rows []*yamltree.Node) func(*Object) string {
	k := Keys{Fold(r.GroupBy)}
	if r.GroupBy == "" {
		k = Names("rubricid rubricname rubrickey rubrictitle rubric")
		if !slices.ContainsFunc(rows, func(row *yamltree.Node) bool { return r.Object(row, "", "").find(k, isName) >= 0 }) {
			return func(*Object) string { return "" }
		}
	}
	return func(o *Object) string {
		id := strings.TrimSpace(text(o.take(k, isName)))
		if id == "" && r.GroupBy != "" {
			r.Refuse("--group-by: %s has no text under the key %s.", cmp.Or(o.place(), "the file"), schema.Quote(r.GroupBy))
		}
		return id
	}
}

// isName reports whether a value is a text on one line.
func isName(n *yamltree.Node) bool {
	return isText(n) && len(n.Value) <= 120 && !strings.Contains(strings.TrimSpace(n.Value), "\n")
}

// root reads a mapping: a rubric, a criterion, several of them by key, or one of these below other keys.
func (r *Reader) root(o *Object, outer Draft) {
	s := r.shapes
	switch inner := r.innerEntries(o); {
	case s.isDocument(o.Node):
		r.document(o, outer)
	case s.hasLevels(o.Node):
		if r.eachIsRubric() {
			r.aloneIn(o, &outer)
		}
		r.member(&outer, o, nil)
		r.Add(outer)
	case len(inner) == 1:
		r.describe(o, &outer)
		r.root(r.Object(o.use(inner[0]), o.pathTo(o.Entries[inner[0]]), ""), outer)
		o.Rest()
	case len(inner) > 0:
		r.readSeveral(o, inner, outer)
	}
}

// innerEntries are the entries of a mapping that have rubrics or criteria.
func (r *Reader) innerEntries(o *Object) (at []int) {
	s := r.shapes
	for i, e := range o.Entries {
		if !asksForFaults(e.Key.Value) &&
			(s.leadsToDocument(e.Value) || s.isItems(e.Value) || isMapping(e.Value) && s.hasLevels(e.Value)) {
			at = append(at, i)
		}
	}
	return at
}

// leadsToDocument reports whether a value is a rubric, or has one below its keys.
func (s shapes) leadsToDocument(n *yamltree.Node) bool {
	return s.ask(n, "leads to a document", func() bool {
		return isMapping(n) &&
			(s.isDocument(n) ||
				slices.ContainsFunc(n.Entries, func(e yamltree.KeyValue) bool { return s.leadsToDocument(e.Value) }))
	})
}

// readSeveral reads a mapping whose keys are the names of rubrics, of groups, or of criteria.
func (r *Reader) readSeveral(o *Object, inner []int, outer Draft) {
	separate := r.eachIsRubric() || r.GroupBy == "" && !slices.ContainsFunc(inner, func(i int) bool {
		n := o.Entries[i].Value
		return !r.shapes.isDocument(n) || r.Object(n, "", "").find(slices.Concat(Weights, Points), isNumber) >= 0
	})
	d := outer
	if !separate {
		r.describe(o, &d)
	}
	for _, i := range inner {
		e := o.Entries[i]
		each := r.Object(o.use(i), o.pathTo(e), e.Key.Value)
		switch {
		case !separate:
			r.member(&d, each, nil)
		case r.shapes.isDocument(e.Value):
			r.document(each, Draft{ID: e.Key.Value, Place: schema.Quote(e.Key.Value)})
		default:
			alone := Draft{Place: schema.Quote(e.Key.Value)}
			r.aloneIn(each, &alone)
			r.member(&alone, each, nil)
			r.Add(alone)
		}
	}
	if !separate {
		r.complete(o, &d)
		r.Add(d)
	}
	o.Rest()
}

// describe reads what a mapping says of the whole rubric.
func (r *Reader) describe(o *Object, d *Draft) {
	if id := o.word(documentIDs); id != "" {
		d.ID = id
	}
	d.Name = cmp.Or(o.Text(documentNames), d.Name)
	d.Description = cmp.Or(o.Text(summaries), d.Description)
	if kind := o.word(artifactTypes); kind != "" {
		d.ArtifactType = kind
	}
	if mark := o.find(passMarks, isText); mark >= 0 {
		d.PassThreshold, d.PassPlace = strings.TrimSpace(o.use(mark).Value), r.atKey(o, mark)
	}
	i := o.find(Names("scoring passing evaluation grading settings config"), func(n *yamltree.Node) bool {
		return isMapping(n) && !r.shapes.leadsToDocument(n)
	})
	if i >= 0 && d.PassThreshold == "" {
		inside := r.Object(o.Entries[i].Value, o.pathTo(o.Entries[i]), "")
		if mark := inside.find(passMarks, isText); mark >= 0 {
			o.use(i)
			d.PassThreshold, d.PassPlace = strings.TrimSpace(inside.use(mark).Value), r.atKey(inside, mark)
			inside.Rest()
		}
	}
	if scale := o.scale(); scale.IsKnown {
		d.Scale = scale
	}
	if source := o.Get("provenance").Get("source").Text(); exportOf().MatchString(source) {
		d.Reference = source
	}
}

// exportOf matches the reference to a version of a document, in an export.
var exportOf = lazy.Expr(`^[a-z][a-z0-9_]*@[0-9.]+#sha256:[0-9a-f]+$`)

// document reads a rubric whose criteria are under a key for them.
func (r *Reader) document(o *Object, d Draft) {
	r.describe(o, &d)
	if r.GroupBy != "" {
		if i := o.find(Keys{Fold(r.GroupBy)}, isName); i >= 0 {
			d.ID = strings.TrimSpace(o.use(i).Value)
		}
	}
	if r.readGroups(o, &d) {
		return
	}
	for _, i := range r.containersOf(o) {
		if r.areRubrics(o.Entries[i]) {
			r.rows(o.use(i).Items, o.pathTo(o.Entries[i]))
			continue
		}
		r.members(&d, o.use(i), o.pathTo(o.Entries[i]), nil)
	}
	d.share(r, o.readShared())
	r.complete(o, &d)
	r.Add(d)
	o.Rest()
}

// readGroups reads a rubric as one for each ID that its criteria have under the key of the options, and reports
// whether they have it.
func (r *Reader) readGroups(o *Object, d *Draft) bool {
	at := slices.IndexFunc(o.Entries, func(e yamltree.KeyValue) bool {
		return r.GroupBy != "" && slices.ContainsFunc(e.Value.Items, func(item *yamltree.Node) bool {
			return r.Object(item, "", "").find(Keys{Fold(r.GroupBy)}, isName) >= 0
		})
	})
	if at < 0 {
		return false
	}
	before := len(r.Drafts)
	r.rows(o.use(at).Items, o.pathTo(o.Entries[at]))
	shared := o.readShared()
	for i := range r.Drafts[min(before, len(r.Drafts)):] {
		part := &r.Drafts[before+i]
		part.Description, part.Scale = d.Description, d.Scale
		part.PassThreshold, part.PassPlace = d.PassThreshold, d.PassPlace
		part.share(r, shared)
		r.complete(o, part)
	}
	if d.Name != "" {
		r.AddDropped(o.place(), schema.Quote(d.Name)+" is dropped: with --group-by, each rubric has a name of its own.")
	}
	o.Rest()
	return true
}

// areRubrics reports whether a key has a list of rubrics: it is called so, and each has criteria of
// its own and no weight.
func (r *Reader) areRubrics(e yamltree.KeyValue) bool {
	isNone := func(item *yamltree.Node) bool { return !r.shapes.isDocument(item) }
	all := parts(e.Key.Value)
	return len(all) > 0 && all[len(all)-1] == "rubrics" && isSequence(e.Value) &&
		!slices.ContainsFunc(e.Value.Items, isNone) && !r.areGroups(e.Value.Items)
}

// containersOf are the entries of a mapping that have its criteria. Lists of short names count only if
// nothing else has criteria.
func (r *Reader) containersOf(o *Object) (at []int) {
	var bare []int
	for i, e := range o.Entries {
		if o.used[i] || !r.shapes.holdsCriteria(e, false) {
			continue
		}
		if isTexts(e.Value) &&
			!slices.ContainsFunc(e.Value.Items, func(item *yamltree.Node) bool { return strings.Contains(item.Value, " ") }) {
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
func (r *Reader) members(d *Draft, n *yamltree.Node, path string, groups []Group) {
	for i, item := range n.Items {
		r.member(d, r.Object(item, fmt.Sprintf("%s[%d]", path, i), ""), groups)
	}
	for _, e := range n.Entries {
		r.member(d, r.Object(e.Value, path+"."+e.Key.Value, e.Key.Value), groups)
	}
}

// member reads a criterion or a group.
func (r *Reader) member(d *Draft, o *Object, groups []Group) {
	switch {
	case len(r.Problems) > 0:
	case len(d.Criteria)+len(d.Rules) >= Most:
		r.TooMany()
	case isSequence(o.Node) && r.shapes.isLadder(o.Node, false):
		found := r.ladder(o.Node, o.Path)
		r.AddCriterion(d, Criterion{Key: o.key, Levels: found.Levels, Place: o.place(), Groups: groups}, o)
	case isSequence(o.Node):
		r.members(d, o.Node, o.Path, append(groups, Group{Name: o.key, Number: r.count()}))
	case o.Kind == yamltree.Scalar:
		r.scalar(d, o, groups)
	case isMapping(o.Node) && r.shapes.isLadder(o.Node, false):
		found := r.ladder(o.Node, o.Path)
		c := Criterion{Key: o.key, Levels: found.Levels, Examples: found.samples, Place: o.place(), Groups: groups}
		r.AddCriterion(d, c, o)
	case r.shapes.isGroup(o.Node):
		r.group(d, o, groups)
	case r.shapes.isCriterion(o.Node) || o.key != "" && isMapping(o.Node):
		r.criterion(d, o, groups)
	default:
		r.AddDropped(o.place(), "A part of a list of criteria is dropped: expected a text, or keys such as name, description, or levels.")
	}
}

// group reads a group: its name begins those of its criteria.
func (r *Reader) group(d *Draft, o *Object, groups []Group) {
	g := Group{Number: r.count(), Weight: o.number(Weights), Points: o.number(Points)}
	named := o.word(criterionNames)
	g.Name = cmp.Or(named, o.key, o.word(CriterionIDs))
	if named != "" {
		o.word(CriterionIDs)
	}
	first := len(d.Criteria)
	about := o.Text(Descriptions)
	for i := range o.Entries {
		if e := o.Entries[i]; !o.used[i] && r.shapes.holdsCriteria(e, true) {
			r.members(d, o.use(i), o.pathTo(e), append(slices.Clone(groups), g))
		}
	}
	shared := o.readShared()
	if part := d.Criteria[min(first, len(d.Criteria)):]; len(part) > 0 {
		if about != "" {
			part[0].notes = append(part[0].notes, strings.TrimSpace(g.Name+": "+about))
			r.AddDerived(o.place(), "The description of a group is a comment above its first criterion.")
		}
		(&Draft{Criteria: part}).share(r, shared)
	}
	o.Rest()
}

// scalar reads a criterion that is one text, or the points of one that has only a name.
func (r *Reader) scalar(d *Draft, o *Object, groups []Group) {
	c := Criterion{Key: o.key, Groups: groups, Place: o.place()}
	value := strings.TrimSpace(text(o.Node))
	switch m := pointedText().FindStringSubmatch(value); {
	case value == "" || o.Type == yamltree.Null:
		return
	case isNumber(o.Node) && o.key != "":
		c.Description, c.Points = Words(o.key), value
	case m != nil:
		c.Points, c.Description = cmp.Or(m[1], m[2]), m[3]
	default:
		c.Description = value
	}
	r.AddCriterion(d, c, o)
}
