package importing

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/python"
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
		for _, s := range python.Strings(string(data)) {
			if !utf8.ValidString(s.Text) {
				t.Errorf("%q is not a text", s.Text)
			}
		}
	})
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
