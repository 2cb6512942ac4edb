package promptfoo

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// suite is a file for promptfoo.
type suite struct {
	*intake.Reader
	// hasChecks reports whether the file searches for texts.
	hasChecks bool
}

// ReadTests reads a configuration or a list of tests: the assertions of the default test
// are one document, and those of each test that has some are another.
func ReadTests(in *intake.Reader) {
	r := &suite{Reader: in}
	for _, v := range r.Parse() {
		r.replaceReferences(v.Node)
		everywhere := r.defaultTest(&v)
		r.tests(v.Get("tests"), "tests", everywhere)
		r.tests(v.Node, "tests", everywhere)
		for i, scenario := range v.Get("scenarios").List() {
			r.tests(scenario.Get("tests"), fmt.Sprintf("scenarios[%d].tests", i), everywhere)
		}
		if len(r.Drafts) == 0 && len(everywhere.Rules) > 0 { // no test has assertions of its own
			r.addDefault(everywhere, &v)
		}
	}
	switch {
	case len(r.Problems) > 0 || len(r.Drafts) > 0:
	case r.Kind == &document.RuleSet:
		r.Refuse("The file has no assertion that can become a rule: expected one of the type %s. Tests in other files are not read: import each of those files.",
			schema.Or(slices.Concat(graded, searched), "or"))
	case r.hasChecks:
		r.Refuse("The file has no text for a judge, only checks. Use --as ruleset to make rules of them.")
	default:
		r.Refuse("The file has no assertion of the type %s. Tests in other files are not read: import each of those files.", schema.Or(graded, "or"))
	}
}

// defaultTest reads the default test, which promptfoo adds to every test. What it searches for is
// part of each document. What a judge reads is a document of its own, because it is the same
// everywhere.
func (r *suite) defaultTest(file *intake.Value) (everywhere intake.Draft) {
	n := file.Get("defaultTest")
	if n.Text() != "" {
		r.otherFile(n, "defaultTest")
		return everywhere
	}
	d, v := intake.Draft{Place: "defaultTest"}, r.Value(n, "defaultTest")
	r.assertions(&d, v.Get("assert").List(), "defaultTest.assert", 1)
	r.passes(&d, &v)
	everywhere = d
	everywhere.Criteria = nil
	everywhere.Rules = slices.DeleteFunc(slices.Clone(d.Rules), func(made intake.Rule) bool {
		return len(made.Checks) == 0 || made.ID != ""
	})
	if len(d.Criteria) > 0 || len(d.Rules) > len(everywhere.Rules) {
		r.addDefault(d, file)
	}
	return everywhere
}

func (r *suite) addDefault(d intake.Draft, file *intake.Value) {
	if d.ID == "" { // not of an export
		own := r.Value(file.Get("defaultTest"), d.Place)
		if d.Name = own.Text("description"); d.Name == "" {
			d.Name = file.Text("description")
		}
		d.ID = document.Slug(d.Name, 6)
	}
	r.Add(d)
}

// tests reads a list of tests, unless it is in another file.
func (r *suite) tests(n *yamltree.Node, place string, everywhere intake.Draft) {
	if n.Text() != "" {
		r.otherFile(n, place)
	}
	for i, test := range n.List() {
		v := r.Value(test, fmt.Sprintf("%s[%d]", place, i))
		if test.Text() != "" {
			r.otherFile(test, v.Place)
			continue
		}
		r.test(&v, everywhere)
	}
}

func (r *suite) otherFile(n *yamltree.Node, place string) {
	r.AddDropped(place, "A file with tests is not read. Import it on its own.")
	r.Take(n)
}

// test adds the document of a test.
func (r *suite) test(v *intake.Value, everywhere intake.Draft) {
	d := intake.Draft{Place: v.Place}
	r.assertions(&d, v.Get("assert").List(), v.Place+".assert", 1)
	if len(d.Criteria)+len(d.Rules) == 0 {
		if len(d.Negatives) > 0 {
			r.AddDropped(v.Place, "A text that the output must not contain is dropped: the test has no text for a judge, and a rubric without criteria is none. With --as ruleset, it becomes a check.")
		}
		return
	}
	if len(d.Criteria) > 0 {
		d.Negatives = slices.Concat(everywhere.Negatives, d.Negatives)
	}
	d.Rules = slices.Concat(everywhere.Rules, d.Rules)
	if r.GroupBy != "" {
		d.ID = r.id(v)
	} else if d.ID == "" { // not of an export
		d.Name = v.Text("description")
		d.ID = document.Slug(d.Name, 6)
	}
	r.passes(&d, v)
	r.Add(d)
}

// passes reads when a test passes: promptfoo compares the mean of the assertions with a threshold
// from 0 to 1, or else all of them have to pass.
func (r *suite) passes(d *intake.Draft, v *intake.Value) {
	threshold := v.Word("threshold")
	if len(d.Rules) == 0 {
		if threshold != "" {
			r.AddDropped(v.Place, "The threshold of a test is dropped: it is a share of what assertions give. Set pass_threshold with --set, from 1 to 5.")
		}
		return
	}
	severity := "fail"
	if threshold != "" {
		severity = "warn"
		r.AddDerived(v.Place, "A test with a threshold passes by its mean: its rules have the severity warn.")
	} else if d.PassThreshold == "" {
		threshold = "1"
		r.AddDerived(v.Place, "A test without a threshold passes if each assertion does: its rules have the severity fail.")
	}
	d.PassThreshold = cmp.Or(d.PassThreshold, threshold)
	for i := range d.Rules {
		d.Rules[i].Severity = cmp.Or(d.Rules[i].Severity, severity)
	}
}

// deepestReference is how many references can lead to each other.
const deepestReference = 20

// replaceReferences puts the parts of the file that references name in their places, with the
// keys that are next to a reference.
func (r *suite) replaceReferences(root *yamltree.Node) {
	seen := map[*yamltree.Node]bool{}
	var walk func(n *yamltree.Node)
	walk = func(n *yamltree.Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		for i, e := range n.Entries {
			n.Entries[i].Value = r.resolve(root, e.Value)
			walk(n.Entries[i].Value)
		}
		for i, item := range n.Items {
			n.Items[i] = r.resolve(root, item)
			walk(n.Items[i])
		}
	}
	walk(root)
}

// resolve returns what a reference stands for, or the value itself.
func (r *suite) resolve(root, n *yamltree.Node) *yamltree.Node {
	for range deepestReference {
		reference := n.Get("$ref").Text()
		if reference == "" {
			return n
		}
		target := at(root, reference)
		if target == nil {
			return n // which is listed as not imported
		}
		r.Take(n.Get("$ref"))
		if len(n.Entries) == 1 || target.Kind != yamltree.Mapping {
			n = target
			continue
		}
		merged := &yamltree.Node{Kind: yamltree.Mapping, Span: n.Span}
		for _, e := range slices.Concat(n.Entries, target.Entries) {
			if merged.Get(e.Key.Value) == nil && (e.Key.Value != "$ref" || target.Get("$ref") == e.Value) {
				merged.Entries = append(merged.Entries, e)
			}
		}
		n = merged
	}
	r.Refuse("The references of the file lead to each other without an end, or over more than %d steps. Write the values themselves.", deepestReference)
	return &yamltree.Node{Kind: yamltree.Scalar, Type: yamltree.Null}
}

// at is the part of a value that a JSON Pointer (RFC 6901) such as "#/a/0" leads to, or nil.
func at(n *yamltree.Node, pointer string) *yamltree.Node {
	rest, found := strings.CutPrefix(pointer, "#/")
	if !found {
		return nil
	}
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for _, step := range strings.Split(rest, "/") {
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.List()) {
			n = n.Items[i]
			continue
		}
		if n = n.Get(unescape.Replace(step)); n == nil {
			return nil
		}
	}
	return n
}
