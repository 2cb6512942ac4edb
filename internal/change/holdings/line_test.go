package holdings

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/repotest"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/library"
)

func TestTheStartOfADocumentSaysItsID(t *testing.T) {
	tests := []struct{ reason, text, want string }{
		{"the first key", "rubric_id: a_v1\nname: A\n", "a_v1"},
		{"of a rule set", "ruleset_id: a\n", "a"},
		{"in quotes, after comments", "# Owned by A.\n\n  # B\nrubric_id: \"a\" # the ID\r\nname: A\n", "a"},
		{"letters of other languages in comments", "# Café – Straße\nrubric_id: a\n", "a"},
		{"a comment that is not in UTF-8", "# Caf\xe9\nrubric_id: a\n", ""},
		{"not the first key", "name: A\nrubric_id: a\n", ""},
		{"cut off", "rubric_id: a_v", ""},
		{"nothing", "", ""},
		{"a longer text", "rubric_id: a b\n", ""},
		{"a reference", "rubric_id: *a\n", ""},
		{"a line that ends in the middle of a comment", "# A\u2028x: \"\nrubric_id: b\n\"\n", ""},
		{"after the start of a document", "%YAML 1.2\n---\nrubric_id: a\n", ""},
		{"a text of several lines", "|\nrubric_id: a\n", ""},
	}
	for _, tt := range tests {
		if got := startingID([]byte(tt.text)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.reason, got, tt.want)
		}
	}
}

// TestTheStartOfADocumentNeverLies completes starts in ways that a parser could read as another ID.
func TestTheStartOfADocumentNeverLies(t *testing.T) {
	valid := repotest.Story("other", "1.0.0", repotest.Level1)
	pieces := []string{
		"rubric_id: other\n", "rubric_id: a\n", "ruleset_id: other\n", "\"rubric_id\": other\n", "? rubric_id\n: other\n",
		"# comment\n", "# é\n", "# \u2028rubric_id: other\n", "# \u2029x: |\n", "# \u0085\"\n", "# \u00a0\n", "# \xff\n", "\n", "  ", "---\n", "...\n", "%YAML 1.1\n", "\ufeff", "<<: {rubric_id: other}\n", "&x ", "|\n", "\"\n", "'", "{", "}\n", "x: ",
		valid,
	}
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for _, piece := range rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 6).Draw(t, "pieces") {
			text += piece
		}
		text += rapid.SampledFrom([]string{"", valid, valid[len("rubric_id: other\n"):]}).Draw(t, "rest")
		id := startingID([]byte(text))
		d := document.Parse(source.NewFile("x", []byte(text)))
		if id != "" && d.Valid() && d.ID() != id {
			t.Fatalf("the start says %q, and the document has the ID %q:\n%s", id, d.ID(), text)
		}
	})
}

// TestPastHasDocumentsUnderAnyName reads a history in which a document has been in files that are not
// named after it, in objects that are stored as differences.
func TestPastHasDocumentsUnderAnyName(t *testing.T) {
	r := repotest.New(t)
	for i := range 12 {
		r.Commit(map[string]string{fmt.Sprintf("rubrics/prd/a%d.yaml", i): repotest.Story(fmt.Sprintf("a%d", i), "1.0.0", repotest.Level1)})
	}
	r.Commit(map[string]string{"rubrics/prd/a3.yaml": repotest.Story("gone", "1.0.0", "One.")})
	r.Commit(map[string]string{"rubrics/prd/a3.yaml": "name: x\n" + repotest.Story("gone", "1.1.0", "Two.")})
	r.Commit(map[string]string{"rubrics/prd/a3.yaml": "# x\n" + repotest.Story("gone", "1.2.0", "Three.")})
	r.Commit(map[string]string{"rubrics/prd/a3.yaml": repotest.Story("a3", "1.0.0", repotest.Level1), "rubrics/prd/gone.yaml": repotest.Story("a4", "2.0.0", repotest.Level1)})
	head := r.Commit(map[string]string{"rubrics/prd/gone.yaml": ""})
	for _, packed := range []bool{false, true} {
		if packed {
			r.Git("gc", "-q")
		}
		past, err := Published(r.Open(), head, "", []string{"gone", "a4"})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range append(past["gone"], past["a4"]...) {
			got = append(got, e.ID+" "+e.Version+" "+e.Path)
		}
		want := []string{
			"gone 1.2.0 rubrics/prd/a3.yaml", "gone 1.0.0 rubrics/prd/a3.yaml",
			"a4 2.0.0 rubrics/prd/gone.yaml", "a4 1.0.0 rubrics/prd/a4.yaml",
		}
		if !slices.Equal(got, want) {
			t.Errorf("packed: %t: %q, want %q", packed, got, want)
		}
	}
}

func TestLineSaysWhatEachCommitReplaces(t *testing.T) {
	r := repotest.New(t)
	r.Commit(map[string]string{"rubrics/prd/a.yaml": repotest.Story("a", "1.0.0", repotest.Level1), "x": "1"})
	r.Commit(map[string]string{"rubrics/prd/b.yaml": repotest.Story("b", "1.0.0", repotest.Level1), "x": "2", "rubrics/retired.yaml": "retired: []\n"})
	head := r.Commit(map[string]string{"rubrics/prd/a.yaml": "", "rubrics/prd/b.yaml": repotest.Story("b", "1.0.1", repotest.Level1), "x": "3"})
	for _, below := range []string{"", library.Root} {
		var got []string
		for p, err := range Line(r.Open(), head, "", below) {
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range p.Documents {
				for _, c := range []*Content{d.Before, d.After} {
					if c == nil {
						got = append(got, "none")
					} else {
						got = append(got, c.Path)
					}
				}
			}
			got = append(got, p.Others...)
		}
		want := []string{"rubrics/prd/a.yaml", "none", "rubrics/prd/b.yaml", "rubrics/prd/b.yaml", "x", "none", "rubrics/prd/b.yaml", "rubrics/retired.yaml", "x"}
		if below != "" {
			want = slices.DeleteFunc(want, func(name string) bool { return name == "x" })
		}
		if !slices.Equal(got, want) {
			t.Errorf("below %q: %q, want %q", below, got, want)
		}
	}
}
