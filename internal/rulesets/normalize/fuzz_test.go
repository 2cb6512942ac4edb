package normalize

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/document/markdown"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// checkRead checks the properties of any result.
func checkRead(t *testing.T, f *source.File, rows []Row, problems []source.Problem) {
	t.Helper()
	if len(rows) == 0 && len(problems) == 0 {
		t.Fatal("neither a row nor a problem")
	}
	rules, more := Rules(rows, map[string]string{"a.b.c": "a constraint", "none": ""})
	for _, p := range append(problems, more...) {
		if p.Span.Start < 0 || p.Span.Start > p.Span.End || p.Span.End > len(f.Data) || p.Message == "" || p.Code == "" {
			t.Errorf("a problem out of place: %+v", p)
		}
	}
	for _, row := range rows {
		for _, field := range fields {
			if n := row.Field(field); n != nil && (n.Span.Start > n.Span.End || n.Span.End > len(f.Data)) {
				t.Errorf("%s of %s is at %v", field, row.Where, n.Span)
			}
		}
	}
	if len(rules) == 0 {
		return
	}
	written := source.NewFile("rules.json", EncodeJSON(rules, false))
	if len(written.Data) > yamltree.MaxBytes {
		return
	}
	again, wrong := YAML(written)
	same, more := Rules(again, nil)
	if diff := cmp.Diff(rules, same); diff != "" {
		t.Errorf("the rules change when they are written and read (-want +got):\n%s\n%s", diff, said(written, append(wrong, more...)))
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add(sample(f).Data)
	f.Add([]byte(head + "| a.b.c | d | fail | `e \\| f` | g |\n| a.b.d | d"))
	f.Add([]byte("- > 1. | ID |\r\n  > \t|-|\r\n  > | a\\|\r\n# x\ny\n===\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := source.NewFile("f.md", data)
		rows, problems := Markdown(file, "")
		checkRead(t, file, rows, problems)
		for _, row := range rows {
			for _, field := range fields {
				n := row.Field(field)
				if n == nil {
					continue
				}
				if raw := file.Text(n.Span); n.Value != trim(n.Value) || raw != strings.Trim(raw, " \t\r\n") {
					t.Errorf("%s is %q, from %q", field, n.Value, raw)
				}
			}
		}
		for _, section := range sectionsOf(file) {
			if _, problems := Markdown(file, section); len(problems) > 0 && problems[0].Code == CodeSection {
				t.Errorf("section %q has no table: %s", section, said(file, problems))
			}
		}
	})
}

func FuzzYAML(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte("rules:\n- {id: a.b.c, description: d, severity: fail, checks: [{type: executable, command: [a]}]}\n-\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"f.yaml", "f.json"} {
			file := source.NewFile(name, data)
			rows, problems := YAML(file)
			checkRead(t, file, rows, problems)
		}
	})
}

// TestHostileFilesTakeLittleTime reads files of maximum size that are designed to be slow.
// The duration of the test shows the result.
func TestHostileFilesTakeLittleTime(t *testing.T) {
	fill := func(beginning, unit string) string {
		return beginning + strings.Repeat(unit, (yamltree.MaxBytes-len(beginning))/len(unit))
	}
	const wide = 300
	files := map[string]string{
		"quotations":            fill("", ">"),
		"lists on one line":     fill("", "1. "),
		"lists in quotations":   fill("", "- > "),
		"blank lines in lists":  fill(strings.Repeat("- ", 60000)+"a", "\n"),
		"pipes":                 fill("", "|"),
		"a wide header":         fill(head, "|a"),
		"short rows":            fill("|ID"+strings.Repeat("|a", wide)+"\n|-"+strings.Repeat("|-", wide)+"\n", "|\n"),
		"empty rows":            fill(head, "|\n"),
		"rows with one ID":      fill(head, "|a.b.c|d|fail|e\n"),
		"rows of nothing but x": fill(head, "x\n"),
		"escaped pipes":         fill(head, "|`\\|`|`\\|`|`\\|`|`\\|`\n"),
		"tables":                fill("", head+"\n"),
		"headings":              fill("", "# a\n"+head+"\n"),
		"link definitions":      fill(head+"|[a]|[a]|[a]|[a]\n\n", "[a]: b\n"),
		"stray rows":            fill("", "|a\n\n"),
	}
	for _, unit := range []string{"_a*", "*a_ ", "[a](", "[](", "[a](<b", "<!--", "`a``", "![", "[*a*](b) "} {
		long := strings.Repeat(unit, markdown.MostInline/len(unit))
		files["in a cell: "+unit] = fill(head, "|a.b.c|d|fail|"+long+"\n")
		files["in one long cell: "+unit] = fill(head+"|a.b.c|d|fail|", unit)
		files["in a heading: "+unit] = fill(head+"\n# ", unit)
		files["in a paragraph: "+unit] = fill("", unit)
	}
	for name, text := range files {
		f := source.NewFile("f.md", []byte(text))
		rows, problems := Markdown(f, "")
		checkRead(t, f, rows, problems)
		if len(problems) == 0 {
			_, problems = Rules(rows, nil)
		}
		if len(problems) == 0 || len(problems) > mostProblems {
			t.Errorf("%s: %d problems", name, len(problems))
		}
	}
	constraints := map[string]string{}
	for i := range mostProblems {
		constraints[fmt.Sprintf("a.b.c%d", i)] = "x"
	}
	rows, _ := Markdown(source.NewFile("f.md", []byte(files["rows with one ID"])), "")
	if _, problems := Rules(rows, constraints); len(problems) != mostProblems {
		t.Errorf("%d problems, want %d", len(problems), mostProblems)
	}
}
