package compat

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// count is how many pairs came up with a class: those whose base passed with some
// input, those in which something that passed was lost, and those of which no
// input fits both because other scores are needed.
type count struct{ pairs, passed, lost, reshaped int }

func (c *count) add(passed, lost bool) {
	if passed {
		c.passed++
	}
	if lost {
		c.lost++
	}
}

// tally counts what the pairs were.
type tally struct {
	class map[schema.Class]*count
	// changes counts the changes as kindOf names them.
	changes map[string]int
}

// pairing is a pair of documents and how they differ.
type pairing struct {
	base, head *document.Document
	changes    []MeaningChange
	class      schema.Class
}

// forPairs draws pairs of documents and calls with for each. The number of pairs
// is that of the flag -rapid.checks if it is set, else of the environment variable
// CHANGE_PAIRS, else one that takes seconds.
func forPairs(t *testing.T, k *document.Kind, draw func(*rapid.T, *document.Kind) (base, head *document.Document), with func(*rapid.T, pairing)) {
	t.Helper()
	if testing.Short() {
		t.Skip("with -short, too few pairs are drawn to have each kind of change")
	}
	number := flag.Lookup("rapid.checks")
	if number.Value.String() == number.DefValue {
		pairs := os.Getenv("CHANGE_PAIRS")
		if pairs == "" {
			pairs = "8000"
		}
		if err := number.Value.Set(pairs); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { number.Value.Set(number.DefValue) })
	}
	rapid.Check(t, func(t *rapid.T) {
		base, head := draw(t, k)
		changes := compared(t, base, head)
		with(t, pairing{base, head, changes, Class(changes)})
	})
}

// check calls with for many pairs and counts what they are.
func check(t *testing.T, k *document.Kind, with func(t *rapid.T, p pairing, c *count)) {
	counts := tally{map[schema.Class]*count{}, map[string]int{}}
	for _, class := range []schema.Class{schema.None, schema.Patch, schema.Minor, schema.Major} {
		counts.class[class] = &count{}
	}
	forPairs(t, k, anyPair, func(t *rapid.T, p pairing) {
		counts.class[p.class].pairs++
		for _, c := range p.changes {
			counts.changes[kindOf(c)]++
		}
		with(t, p, counts.class[p.class])
	})
	counts.report(t, k)
}

// kindOf names the kind of a change: "major raised criteria[].threshold". A text
// that moved is named by its group, an entry of a map by the map, an element of a
// list by the list.
func kindOf(c MeaningChange) string {
	key := element.ReplaceAllString(c.Path, "[]")
	if c.Kind == Moved || strings.HasPrefix(key, "metadata.") {
		key = key[:strings.LastIndex(key, ".")]
	}
	return c.Class.String() + " " + string(c.Kind) + " " + strings.TrimSuffix(key, "[]")
}

// hidden are kinds of changes whose class is not the one in the table, because
// another value decides.
var hidden = map[*document.Kind][]string{
	&document.Rubric: {
		"patch raised criteria[].relative_weight", "patch lowered criteria[].relative_weight",
		"minor raised criteria[].relative_weight", "minor lowered criteria[].relative_weight",
		"patch raised criteria[].threshold", "patch lowered criteria[].threshold", "minor raised criteria[].threshold", "major lowered criteria[].threshold",
		"patch added scoring.essential_minimum", "patch removed scoring.essential_minimum",
		"patch raised scoring.essential_minimum", "patch lowered scoring.essential_minimum",
		"patch added scoring.pass_threshold", "patch removed scoring.pass_threshold",
		"patch raised scoring.pass_threshold", "patch lowered scoring.pass_threshold",
		"patch added negative_criteria[].fail_patterns", "patch removed negative_criteria[].fail_patterns",
		"minor changed negative_criteria[].fail_patterns",
		"minor added negative_criteria[].fail_patterns", "minor changed negative_criteria[].ignore_case",
		"minor added negative_criteria", "minor renamed negative_criteria",
	},
}

// kinds are the kinds of changes that have to come up: all that the table has,
// and those that are hidden.
func kinds(t *testing.T, k *document.Kind) []string {
	all := slices.Clone(hidden[k])
	for _, s := range sites(t, k) {
		if slices.Contains(identities, s.key) {
			continue
		}
		for _, w := range s.field.Ways() {
			kind := string(w)
			if w == schema.Changed && prose(s.field.Value) {
				kind = string(Reworded)
			}
			all = append(all, s.field.Class.ClassOf(w).String()+" "+kind+" "+strings.TrimPrefix(s.key, k.Name+" "))
		}
	}
	return all
}

// report fails the test if a class hardly came up, or hardly with a pass, and if
// a kind of change did not.
func (counts tally) report(t *testing.T, k *document.Kind) {
	t.Helper()
	total := 0
	for _, c := range counts.class {
		total += c.pairs
	}
	for _, class := range slices.Sorted(maps.Keys(counts.class)) {
		c := counts.class[class]
		t.Logf("%-5s %7d pairs: the base passed in %d, a pass was lost in %d, other scores were needed in %d", class, c.pairs, c.passed, c.lost, c.reshaped)
		if c.pairs*50 < total || c.passed*8 < c.pairs {
			t.Errorf("%s: too few pairs, or too few that passed, to show anything", class)
		}
	}
	if counts.class[schema.Major].lost == 0 {
		t.Error("no major change lost a pass")
	}
	for _, kind := range kinds(t, k) {
		t.Logf("%7d %s", counts.changes[kind], kind)
		if counts.changes[kind] == 0 {
			t.Errorf("no pair had the change %q", kind)
		}
	}
}

// anyPair draws two documents of a kind: the head mostly the base with a few
// mutations.
func anyPair(t *rapid.T, k *document.Kind) (base, head *document.Document) {
	doc := anyDocument(t, k)
	base = made(t, doc)
	if oneIn(t, 10) {
		return base, made(t, anyDocument(t, k))
	}
	for range oneOf(t, []int{1, 1, 1, 1, 2, 2, 3, 4}) {
		mutate(t, k, doc)
	}
	return base, made(t, doc)
}

// compared holds what is true of all pairs, and returns the changes.
func compared(t *rapid.T, base, head *document.Document) []MeaningChange {
	changes := Compare(base, head)
	same := bytes.Equal(Content(base), Content(head))
	if same != (len(changes) == 0) || same != (Class(changes) == schema.None) {
		t.Fatalf("the same content is %v, and the changes are %q", same, lines(changes))
	}
	for _, c := range changes {
		if c.Kind == Unclassified || c.Class <= schema.None {
			t.Fatalf("unclassified: %+v", c)
		}
	}
	class := Class(changes)
	if class < schema.Major && (base.ID() != head.ID() || base.ArtifactType() != head.ArtifactType()) {
		t.Fatalf("a search no longer finds it, and the class is %s", class)
	}
	if class <= schema.Patch {
		if diff := cmp.Diff(judgeDigests(t, base), judgeDigests(t, head)); diff != "" {
			t.Fatalf("a judge reads other words after %q:\n%s", lines(changes), diff)
		}
	}
	return changes
}

func judgeDigests(t *rapid.T, d *document.Document) document.JudgeDigests {
	digests, err := d.JudgeDigests()
	if err != nil {
		t.Fatal(err)
	}
	return digests
}
