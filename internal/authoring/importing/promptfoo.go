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

// graded are the types of assertions of promptfoo whose value a judge reads.
var graded = []string{"llm-rubric", "g-eval", "model-graded-closedqa", "agent-rubric"}

// promptfoo reads a configuration or a list of tests: the assertions of the default test
// are one rubric, and those of each test that has some are another.
func (r *reader) promptfoo() {
	for _, v := range r.parse() {
		tests := append(v.Get("tests").List(), v.Items...)
		r.test(v.Get("tests"), "tests") // the name of a file
		r.test(v.Get("defaultTest"), "defaultTest")
		for i, test := range tests {
			r.test(test, fmt.Sprintf("tests[%d]", i))
		}
	}
	if len(r.drafts) == 0 {
		r.refuse("The file has no assertion of the types %s. Tests in other files are not read: import each of those files.", schema.Or(graded, "or"))
	}
}

// test adds the rubric of a test, unless another test has the same.
func (r *reader) test(n *yamltree.Node, place string) {
	d, v := draft{place: place}, r.value(n, place)
	if v.Text() != "" {
		r.dropped(place, "A file with tests is not read. Import it on its own.")
		r.take(n)
	}
	r.asserts(&d, v.Get("assert").List(), place+".assert")
	if len(d.criteria)+len(d.rules) > 0 {
		if d.description = v.text("description"); r.IDFrom != "" {
			d.id = r.id(&v)
		} else if d.id == "" { // not of an export
			d.id = document.Slug(d.description, 6)
		}
		r.add(d)
	}
	if len(d.criteria) == 0 && len(d.negatives) > 0 {
		r.dropped(place, "Texts that the output must not contain are dropped: only rubrics have negative criteria.")
	}
}

func (r *reader) asserts(d *draft, list []*yamltree.Node, place string) {
	for i, n := range list {
		if len(r.problems) > 0 {
			return
		}
		v := r.value(n, fmt.Sprintf("%s[%d]", place, i))
		kind, text := v.word("type"), v.get("value")
		definition := v.get("config").Get("definition").Text() // of a negative criterion in an export
		tree, problems := yamltree.ParseJSON("file", source.NewFile("", []byte(definition)), len(definition))
		switch {
		case kind == "assert-set":
			r.asserts(d, n.Get("assert").List(), v.place+".assert")
		case len(problems) == 0:
			d.negatives = append(d.negatives, tree.Root)
			for _, part := range []string{"config", "value", "metric"} {
				r.take(v.get(part))
			}
		case slices.Contains([]string{"not-contains", "not-icontains", "not-regex"}, kind) && text.Text() != "" && !strings.Contains(text.Text(), "{{"):
			d.negatives = append(d.negatives, negative(kind, r.take(text), len(d.negatives)+1))
		case !slices.Contains(graded, kind) || strings.HasPrefix(text.Text(), "file://"):
			r.dropped(v.place, fmt.Sprintf("Assertions of the type %s are dropped if the file has no text of them for a judge.", schema.Quote(kind)))
			r.take(n)
		case len(text.List()) > 0: // each is asked for on its own
			for j, item := range text.Items {
				r.asserts(d, []*yamltree.Node{authoring.Mapping("type", kind, "value", item)}, fmt.Sprintf("%s.value[%d]", v.place, j))
			}
		case r.Kind == &document.RuleSet:
			d.rules = append(d.rules, r.rule(rule{description: r.take(text), category: v.word("metric")}, v.place))
		default:
			r.criterion(d, &v)
		}
		if strings.Contains(text.Text(), "{{") {
			r.derived(v.place, "A text has a template such as {{name}}, which judges of the library do not fill in. Reword it.")
		}
	}
}

// negative is the negative criterion for a text or an expression that must not match.
func negative(kind, text string, number int) *yamltree.Node {
	pattern, ignoreCase := text, ""
	if kind != "not-regex" {
		pattern = regexp.QuoteMeta(text)
	}
	if kind == "not-icontains" {
		ignoreCase = "true"
	}
	patterns := list(authoring.Mapping("pattern", pattern).Entries[0].Value)
	return authoring.Mapping("name", fmt.Sprintf("%s_%d", cmp.Or(document.Slug(text, 4), "pattern"), number), "fail_patterns", patterns, "ignore_case", ignoreCase)
}
