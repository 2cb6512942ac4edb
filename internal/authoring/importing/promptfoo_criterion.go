package importing

import (
	"cmp"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// asserted adds the text of an assertion as a criterion.
func (r *suite) asserted(d *draft, v *value) {
	if len(d.criteria) == most {
		r.tooMany()
		return
	}
	c := criterion{place: v.place, key: v.word("metric")}
	config := r.value(v.get("config"), v.place)
	c.weight, c.threshold = config.text("weight"), config.text("threshold")
	if c.relativeWeight = config.text("relative_weight"); c.relativeWeight != "" {
		v.text("weight") // of an export, which follows from it
	}
	written := v.text("value", "outcome", "description", "criterion")
	if tree, problems := yamltree.ParseJSON("file", source.NewFile("", []byte(written)), len(written)); config.get("rubric") != nil && len(problems) == 0 {
		exported := r.object(tree.Root, v.place, "") // of an export
		d.id = config.text("rubric")
		d.reference = d.id
		config.text("criterion")
		exported.text(names("criterion"))
		exported.text(names("score"))
		c.description = exported.text(names("description"))
		c.levels = exported.levels().levels
		exported.samples(&c)
		exported.rest()
	} else {
		c.description, c.levels = levels.In(written)
	}
	c.required = v.word("required") == "true"
	if v.word("threshold") != "" {
		r.dropped(v.place, "The threshold is dropped: the scale differs. Set threshold with --set, from 1 to 5.")
	}
	if c.description == "" && len(c.levels) == 0 {
		r.dropped(v.place, "An assertion without a text is dropped.")
		return
	}
	r.rest(v.Node, v.place, "")
	d.criteria = append(d.criteria, c)
}

// id is the ID that a test has under the key of the options.
func (r *suite) id(v *value) string {
	id := v.word(r.GroupBy)
	if id == "" {
		r.refuse("--group-by: %s has no text under the key %s.", cmp.Or(v.place, "the file"), schema.Quote(r.GroupBy))
	}
	return id
}
