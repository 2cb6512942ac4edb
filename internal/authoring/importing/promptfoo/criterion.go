package promptfoo

import (
	"cmp"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// addAssertion adds the text of an assertion as a criterion.
func (r *suite) addAssertion(d *intake.Draft, v *intake.Value) {
	if len(d.Criteria) == intake.Most {
		r.TooMany()
		return
	}
	c := intake.Criterion{Place: v.Place, Key: v.Word("metric")}
	config := r.Value(v.Get("config"), v.Place)
	c.Weight, c.Threshold = config.Text("weight"), config.Text("threshold")
	if c.RelativeWeight = config.Text("relative_weight"); c.RelativeWeight != "" {
		v.Text("weight") // of an export, which follows from it
	}
	written := v.Text("value", "outcome", "description", "criterion")
	tree, problems := yamltree.ParseJSON("file", source.NewFile("", []byte(written)), len(written))
	if config.Get("rubric") != nil && len(problems) == 0 {
		exported := r.Object(tree.Root, v.Place, "") // of an export
		d.ID = config.Text("rubric")
		d.Reference = d.ID
		config.Text("criterion")
		exported.Text(intake.Names("criterion"))
		exported.Text(intake.Names("score"))
		c.Description = exported.Text(intake.Names("description"))
		c.Levels = exported.Levels().Levels
		exported.Samples(&c)
		exported.Rest()
	} else {
		c.Description, c.Levels = levels.In(written)
	}
	c.Required = v.Word("required") == "true"
	if v.Word("threshold") != "" {
		r.AddDropped(v.Place, "The threshold is dropped: the scale differs. Set threshold with --set, from 1 to 5.")
	}
	if c.Description == "" && len(c.Levels) == 0 {
		r.AddDropped(v.Place, "An assertion without a text is dropped.")
		return
	}
	r.Rest(v.Node, v.Place, "")
	d.Criteria = append(d.Criteria, c)
}

// id is the ID that a test has under the key of the options.
func (r *suite) id(v *intake.Value) string {
	id := v.Word(r.GroupBy)
	if id == "" {
		r.Refuse("--group-by: %s has no text under the key %s.", cmp.Or(v.Place, "the file"), schema.Quote(r.GroupBy))
	}
	return id
}
