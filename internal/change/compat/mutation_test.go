package compat

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// mutation is one way to change one field, with both documents.
type mutation struct {
	key, way   string // "rubric criteria[].threshold", "raised"
	base, head map[string]any
	want       []string // as lines gives them, sorted
}

// mirrored is the way of the same change the other way round.
func mirrored(w schema.Way) schema.Way {
	pairs := map[schema.Way]schema.Way{
		schema.Added: schema.Removed, schema.Removed: schema.Added,
		schema.Raised: schema.Lowered, schema.Lowered: schema.Raised,
	}
	if other, ok := pairs[w]; ok {
		return other
	}
	return w
}

// both are the mutation of a site in a way and its mirror. atBase and atHead are
// the paths at which each document is changed.
func (s site) both(w schema.Way, base, head map[string]any, atBase, atHead []string) []mutation {
	one := func(w schema.Way, base, head map[string]any, at []string) mutation {
		kind := string(w)
		if w == schema.Changed && prose(s.field.Value) {
			kind = string(Reworded)
		}
		m := mutation{s.key, string(w), base, head, nil}
		for _, path := range at {
			m.want = append(m.want, s.field.Class.ClassOf(w).String()+" "+kind+" "+path)
		}
		return m
	}
	return []mutation{one(w, base, head, atHead), one(mirrored(w), head, base, atBase)}
}

// mutations changes one field of a full document in every way that its shape
// has. Of two ways that mirror each other only the first is asked for.
func (s site) mutations(doc map[string]any, w schema.Way) []mutation {
	with := func(value any) map[string]any {
		return edited(doc, s.steps, func(o map[string]any) { o[s.field.Key] = value })
	}
	now := objectAt(doc, s.steps)[s.field.Key]
	at := []string{s.path}
	switch s.field.Value.Shape {
	case schema.List:
		return s.listMutations(doc, now.([]any), with, w)
	case schema.Map:
		entries := now.(map[string]any)
		more, other := clone(entries).(map[string]any), clone(entries).(map[string]any)
		more["added"], other["owner"] = "x", "x"
		if w == schema.Added {
			return s.both(w, doc, with(more), []string{s.path + ".added"}, []string{s.path + ".added"})
		}
		return s.both(w, doc, with(other), []string{s.path + ".owner"}, []string{s.path + ".owner"})
	}
	switch w {
	case schema.Added:
		return s.both(w, edited(doc, s.steps, func(o map[string]any) { delete(o, s.field.Key) }), doc, at, at)
	case schema.Moved:
		keys := []string{s.field.Value.Fields[0].Key, s.field.Value.Fields[1].Key}
		texts := clone(now).(map[string]any)
		texts[keys[0]], texts[keys[1]] = texts[keys[1]], texts[keys[0]]
		at := []string{s.path + "." + keys[0], s.path + "." + keys[1]}
		return s.both(w, doc, with(texts), at, at)
	case schema.Replaced:
		texts := clone(now).(map[string]any)
		for key, text := range texts {
			texts[key] = fmt.Sprint(text, " More.")
		}
		return s.both(w, doc, with(texts), at, at)
	}
	var out []mutation
	for _, p := range values(s.field, now, w) {
		out = append(out, s.both(w, with(p[0]), with(p[1]), at, at)...)
	}
	return out
}

// values are pairs of values of which the second is the first, changed.
func values(f *schema.Field, now any, w schema.Way) [][2]any {
	v := f.Value
	switch v.Shape {
	case schema.Number, schema.Integer:
		step := 1.0
		if v.Shape == schema.Number && v.Max <= 5 {
			step = 0.1
		}
		return [][2]any{{now, math.Round((now.(float64)+step)*10) / 10}}
	case schema.Flag:
		return [][2]any{{now, !now.(bool)}}
	case schema.Choice:
		var pairs [][2]any
		for i, strict := range v.Options {
			for _, loose := range v.Options[i+1:] {
				pairs = append(pairs, [2]any{loose.Word, strict.Word})
			}
		}
		return pairs
	}
	return [][2]any{{now, now.(string) + "x"}}
}

func (s site) listMutations(doc map[string]any, list []any, with func(any) map[string]any, w schema.Way) []mutation {
	v := s.field.Value
	other := clone(list).([]any)
	changed := func(item any) any {
		if v.Identity == "" {
			if text, ok := item.(string); ok {
				return text + "x"
			}
			return item
		}
		item.(map[string]any)[v.Identity] = item.(map[string]any)[v.Identity].(string) + "x"
		return item
	}
	switch w {
	case schema.Added:
		other = append(other, changed(clone(list[0])))
		at := []string{s.path + name(v, other, len(list))}
		return s.both(w, doc, with(other), at, at)
	case schema.Reordered:
		if len(other) < 2 {
			panic(s.key + " has one element only")
		}
		other[0], other[1] = other[1], other[0]
		return s.both(w, doc, with(other), []string{s.path}, []string{s.path})
	}
	other[0] = changed(other[0])
	return s.both(w, doc, with(other), []string{s.path + name(v, list, 0)}, []string{s.path + name(v, other, 0)})
}

// specials are fields that can't change alone.
var specials = map[string]struct {
	reason string
	// base and head are the elements of the list; want is what changes, in both
	// directions.
	base, head     any
	want, mirrored []string
}{
	"rule_set rules[].checks[].type changed": {
		reason:   "the other type has other fields, which have nothing in common with these",
		base:     map[string]any{"type": "content", "literal": "x"},
		head:     map[string]any{"type": "executable", "command": []any{"x"}},
		want:     []string{"major changed rules[a.correctness.endpoints].checks[0].type"},
		mirrored: []string{"major changed rules[a.correctness.endpoints].checks[0].type"},
	},
	"rule_set rules[].checks[].pattern added": {
		reason: "a check has a pattern or a literal, so one comes and the other goes",
		base:   map[string]any{"type": "content", "literal": "x"},
		head:   map[string]any{"type": "content", "pattern": "x"},
		want: []string{
			"major added rules[a.correctness.endpoints].checks[0].pattern",
			"major removed rules[a.correctness.endpoints].checks[0].literal",
		},
		mirrored: []string{
			"major added rules[a.correctness.endpoints].checks[0].literal",
			"major removed rules[a.correctness.endpoints].checks[0].pattern",
		},
	},
	"rule_set rules[].checks[].literal added": {
		reason: "the same the other way round",
		base:   map[string]any{"type": "content", "pattern": "x"},
		head:   map[string]any{"type": "content", "literal": "x"},
		want: []string{
			"major added rules[a.correctness.endpoints].checks[0].literal",
			"major removed rules[a.correctness.endpoints].checks[0].pattern",
		},
		mirrored: []string{
			"major added rules[a.correctness.endpoints].checks[0].pattern",
			"major removed rules[a.correctness.endpoints].checks[0].literal",
		},
	},
}

// identities tell documents and elements apart. They have no class of their own:
// with another one it is another document or element.
var identities = []string{
	"rubric rubric_id", "rubric version", "rubric criteria[].name", "rubric negative_criteria[].name",
	"rule_set ruleset_id", "rule_set version", "rule_set rules[].id",
}

// allMutations changes every field of both tables in every way, one at a time.
func allMutations(t *testing.T) []mutation {
	t.Helper()
	var out []mutation
	for _, k := range document.Kinds() {
		doc := full(t, k)
		for _, s := range sites(t, k) {
			if slices.Contains(identities, s.key) {
				continue
			}
			for _, w := range s.field.Ways() {
				if class := s.field.Class.ClassOf(w); class < schema.Patch || class > schema.Major {
					t.Errorf("%s: %s has no class", s.key, w)
				}
				if w == schema.Removed || w == schema.Lowered {
					continue // the mirrors of Added and Raised
				}
				special, ok := specials[s.key+" "+string(w)]
				if !ok {
					out = append(out, s.mutations(doc, w)...)
					continue
				}
				list, inner := s.steps[:len(s.steps)-2], s.steps[len(s.steps)-2].(string)
				base := edited(doc, list, func(o map[string]any) { o[inner] = []any{special.base} })
				head := edited(doc, list, func(o map[string]any) { o[inner] = []any{special.head} })
				out = append(out,
					mutation{s.key, string(w), base, head, special.want},
					mutation{s.key, string(mirrored(w)), head, base, special.mirrored})
			}
		}
	}
	return out
}

// TestEveryWayOfEveryFieldHasItsClass walks the tables: whatever is changed, and
// in whichever direction, exactly that change is reported, with the class that
// the table has for it.
func TestEveryWayOfEveryFieldHasItsClass(t *testing.T) {
	seen := map[string]int{}
	for _, m := range allMutations(t) {
		seen[m.key+" "+m.way]++
		base, head := made(t, m.base), made(t, m.head)
		changes := Compare(base, head)
		got := lines(changes)
		slices.Sort(got)
		if diff := cmp.Diff(m.want, got); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", m.key, m.way, diff)
		}
		for _, c := range changes {
			checkPlaces(t, c, base, head)
		}
	}
	if len(seen) < 120 {
		t.Errorf("only %d ways were tried", len(seen))
	}
	for _, k := range document.Kinds() {
		for _, s := range sites(t, k) {
			for _, w := range s.field.Ways() {
				if !slices.Contains(identities, s.key) && seen[s.key+" "+string(w)] == 0 {
					t.Errorf("%s: %s was not tried", s.key, w)
				}
			}
		}
	}
}

// checkPlaces holds that a change shows each side where it is.
func checkPlaces(t *testing.T, c MeaningChange, base, head *document.Document) {
	t.Helper()
	at := c.Path + " " + string(c.Kind)
	if (c.Base == nil) != (c.Kind == Added) || (c.Head == nil) != (c.Kind == Removed) {
		t.Errorf("%s has the base %v and the head %v", at, c.Base, c.Head)
	}
	for v, d := range map[*Value]*document.Document{c.Base: base, c.Head: head} {
		if v != nil && (v.Text == "" || v.Span.Len() == 0 || v.Span.End > len(d.File.Data)) {
			t.Errorf("%s: %+v is not a place", at, v)
		}
	}
	if c.Message == "" {
		t.Errorf("%s: it has no message", at)
	}
}

var update = flag.Bool("update", false, "write the golden files anew")

// jargon is what authors do not know.
var jargon = regexp.MustCompile(`(?i)merge base|digest|\bNFC\b|RE2|\bnode|token|scalar|parse error|unmarshal|canonical|semver|schema`)

// TestMessages keeps the message of every change that there is.
func TestMessages(t *testing.T) {
	var out strings.Builder
	seen := map[string]bool{}
	for _, m := range allMutations(t) {
		for _, c := range Compare(made(t, m.base), made(t, m.head)) {
			if seen[c.Message] {
				continue
			}
			seen[c.Message] = true
			fmt.Fprintf(&out, "%-5s %s\n", c.Class, c.Message)
			if word := jargon.FindString(c.Message); word != "" {
				t.Errorf("%q mentions %q", c.Message, word)
			}
			if !strings.HasSuffix(c.Message, ".") || strings.Contains(c.Message, "  ") {
				t.Errorf("%q is not a sentence", c.Message)
			}
		}
	}
	path := filepath.Join("testdata", "messages.golden")
	if *update {
		if err := os.WriteFile(path, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(read(t, "messages.golden"), out.String()); diff != "" {
		t.Errorf("the messages changed; if they should, run go test ./internal/change/compat -update (-want +got):\n%s", diff)
	}
}
