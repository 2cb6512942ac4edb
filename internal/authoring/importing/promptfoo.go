package importing

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// graded are the types of assertions whose value a judge reads.
var graded = []string{"llm-rubric", "g-eval", "model-graded-closedqa", "agent-rubric"}

// promptfoo reads the assertions of a configuration or a list of tests: those of the
// default test are one rubric, and those of each test that has some are another.
func (r *reader) promptfoo() {
	for _, v := range r.values {
		tests := v.Get("tests").List()
		if v.Kind == yamltree.Sequence {
			tests = v.Items
		} else if v.Get("assert") != nil { // a single test
			tests = append(tests, v.Node)
		}
		r.test(v.Get("defaultTest"), "defaultTest", "")
		for i, test := range tests {
			place := fmt.Sprintf("tests[%d]", i)
			if strings.HasPrefix(test.Value, "file://") {
				r.dropped(place, "A file with tests is not read. Import it on its own.")
			}
			r.test(test, place, word(test, "description"))
		}
	}
	if len(r.drafts) == 0 && len(r.problems) == 0 {
		r.refuse("The file has no assertion of the types %s in defaultTest or tests.", schema.Or(graded, "or"))
	}
}

// test adds the rubric of a test, unless another test has the same.
func (r *reader) test(n *yamltree.Node, place, description string) {
	d := draft{place: place, id: description, description: description}
	if short(description) != description || len(strings.Fields(description)) > 8 {
		d.id = slug(description, 6)
	}
	r.asserts(&d, n.Get("assert").List(), place+".assert")
	switch {
	case len(d.criteria)+len(d.rules) == 0:
		if len(d.negatives) > 0 {
			r.dropped(place, "A test whose assertions no judge reads is dropped.")
		}
		return
	case slices.ContainsFunc(r.drafts, func(other draft) bool {
		return fmt.Sprint(other.criteria, other.rules) == fmt.Sprint(d.criteria, d.rules)
	}):
		r.derived(place, "A rubric that the file repeats is imported once.")
		return
	}
	if d.negatives != nil && len(d.rules) > 0 {
		r.dropped(place, "Texts that the output must not contain are dropped: write them as content checks.")
	}
	r.drafts = append(r.drafts, d)
}

func (r *reader) asserts(d *draft, list []*yamltree.Node, place string) {
	for i, n := range list {
		v := value{Node: n, place: fmt.Sprintf("%s[%d]", place, i)}
		kind := word(n, "type")
		values := n.Get("value").List()
		if len(values) == 0 {
			values = []*yamltree.Node{n.Get("value")}
		}
		switch {
		case kind == "assert-set":
			r.asserts(d, n.Get("assert").List(), v.place+".assert")
		case slices.Contains(graded, kind):
			for _, each := range values {
				r.assertion(d, v, lines(each.Text()))
			}
			if n.Get("threshold") != nil || n.Get("weight") != nil {
				r.dropped(v.place, "The threshold or weight is dropped: it is for scores from 0 to 1 and their mean.")
			}
			d.keep(r, v, nil, []string{"type", "value", "metric", "config", "provider", "threshold", "weight"})
		case n.Get("config").Get("negative_criterion") != nil:
			r.exportedNegative(d, v)
		case slices.Contains([]string{"not-contains", "not-icontains", "not-contains-any", "not-icontains-any", "not-regex"}, kind):
			r.negative(d, v, kind, values)
		default:
			r.dropped(v.place, fmt.Sprintf("Assertions of the type %s are dropped: a rubric has no place for them.", schema.Quote(kind)))
		}
	}
}

// assertion adds a text that a judge reads.
func (r *reader) assertion(d *draft, v value, text string) {
	c := criterion{key: word(v.Node, "metric")}
	config := v.Get("config")
	switch {
	case strings.TrimSpace(text) == "":
		r.dropped(v.place, "An assertion without a text is dropped.")
		return
	case strings.HasPrefix(text, "file://"):
		r.dropped(v.place, "An assertion is dropped: its text is in another file, which is not read.")
		return
	case strings.Contains(text, "{{"):
		r.derived(v.place, "A text has a template such as {{name}}, which judges of the library do not fill in. Reword it.")
	}
	// In an export, the text is a description of the criterion in JSON.
	tree, problems := yamltree.ParseJSON(source.NewFile("", []byte(text)), len(text))
	if exported := word(config, "rubric"); exported != "" && len(problems) == 0 {
		d.id, c.weight, c.threshold = exported, word(config, "weight"), word(config, "threshold")
		c.description = textOf(tree.Root, "description")
		for i := range c.anchors {
			c.anchors[i] = textOf(tree.Root.Get("anchors"), fmt.Sprint(i+1))
		}
		for i, key := range []string{"score_1", "score_3", "score_5"} {
			c.examples[i] = textOf(tree.Root.Get("examples"), key)
		}
		d.criteria = append(d.criteria, c)
		return
	}
	if r.options.Kind == &document.RuleSet {
		one := r.rule(text, cmp.Or(c.key, "output"))
		r.marked(&one, v.place)
		d.rules = append(d.rules, one)
		return
	}
	var levels []level
	c.description, levels = levelsIn(text)
	if len(levels) > 0 {
		r.anchor(&c, levels, false, v.place)
	}
	if slices.ContainsFunc(d.criteria, func(other criterion) bool { return other.description == c.description }) {
		return
	}
	d.criteria = append(d.criteria, c)
}

// exportedNegative reads a negative criterion of an export, which is in JSON.
func (r *reader) exportedNegative(d *draft, v value) {
	text := v.Get("config").Get("definition").Text()
	tree, problems := yamltree.ParseJSON(source.NewFile("", []byte(text)), len(text))
	if len(problems) > 0 || tree.Root.Get("name") == nil {
		r.refuse("%s: the definition of a negative criterion must be JSON, as `rubric export` writes it.", placeOf(v.place))
		return
	}
	d.negatives = append(d.negatives, tree.Root)
}

// negative adds texts or an expression that the output must not contain.
func (r *reader) negative(d *draft, v value, kind string, values []*yamltree.Node) {
	var patterns []string
	ignoreCase := ""
	if strings.Contains(kind, "-icontains") {
		ignoreCase = "true"
	}
	for _, each := range values {
		text := each.Text()
		switch {
		case text == "" || strings.Contains(text, "{{") || strings.HasPrefix(text, "file://"):
			r.dropped(v.place, "A text that the output must not contain is dropped: it is empty, a template, or in another file.")
		case kind == "not-regex":
			patterns = append(patterns, text)
		default:
			patterns = append(patterns, regexp.QuoteMeta(text))
		}
	}
	if len(patterns) == 0 {
		return
	}
	name := cmp.Or(slug(word(v.Node, "metric"), 5), slug(values[0].Text(), 4), "pattern")
	taken := namer{}
	for _, other := range d.negatives {
		taken[other.Get("name").Text()] = true
	}
	d.negatives = append(d.negatives, authoring.Mapping("name", taken.unique(name), "fail_patterns", authoring.Texts(patterns...), "ignore_case", ignoreCase))
}
