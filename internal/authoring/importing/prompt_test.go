package importing

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/outlines"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

func FuzzPrompt(f *testing.F) {
	f.Add([]byte("A = f'''1: {b}\\n2: c''' + r\"\\d\" # e\nx = {'a': b'1'}"))
	f.Add([]byte("# A\n\nScore 1: a\n- b\n2: c\n\n**D** (20 %)\n1 = e\n2 = f {{g}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"f.py", "f.txt"} {
			checkImported(t, source.NewFile(name, data), intake.Options{Format: "prompt"})
		}
		if !utf8.Valid(data) {
			return
		}
		for _, s := range outlines.PythonStrings(string(data)) {
			if !utf8.ValidString(s.Text) {
				t.Errorf("%q is not a text", s.Text)
			}
		}
	})
}

// TestTemplatesOfPrompts: no judge fills in a template, with levels or without.
func TestTemplatesOfPrompts(t *testing.T) {
	const want = "A text has a template such as {{name}}, which judges of the library do not fill in. Reword it."
	for _, tt := range []struct {
		name, text string
		reported   bool
	}{
		{"f.txt", "Grade {{story}}.\n5: good\n1: bad\n", true},
		{"f.txt", "Is {{story}} good?\n", true},
		{"f.txt", "Is the story good?\n", false},
		{"f.py", "A = '''Grade {story}.\n5: good\n1: bad\n'''\nB = 'of {{no}} criterion'\n", true},
		{"f.py", "A = '''Grade it.\n5: good\n1: bad\n'''\nB = 'of {{no}} criterion'\n", false},
	} {
		read, problems := Read(source.NewFile(tt.name, []byte(tt.text)), intake.Options{Format: "prompt"})
		if len(problems) > 0 {
			t.Errorf("%q: %v", tt.text, problems)
			continue
		}
		if got := slices.ContainsFunc(read.Derived, func(r Remark) bool { return r.Text == want }); got != tt.reported {
			t.Errorf("%q: the template is reported: %v, want %v", tt.text, got, tt.reported)
		}
	}
}

func TestHostilePromptsTakeLittleTime(t *testing.T) {
	const size = 64 << 10
	for _, unit := range []string{"f'{", "f\"{'", "'", "\\", "(", "1: a\n", "f'''{{", "#\n'a'\n", "a='b'+", "{'a':"} {
		for _, begin := range []string{"", "f'''"} {
			text := begin + strings.Repeat(unit, size/len(unit)-1)
			Read(source.NewFile("f.py", []byte(text)), intake.Options{Format: "prompt"})
		}
		Read(source.NewFile("f.txt", []byte(strings.Repeat(unit, size/len(unit)-1))), intake.Options{Format: "prompt"})
	}
}
