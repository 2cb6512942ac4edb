package importing

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

func TestStringsOfPython(t *testing.T) {
	for _, test := range []struct{ reason, text, want string }{
		{"a variable", `A = "b"`, "A=b"},
		{"a variable with a type", `A: Final[str] = 'b'`, "A=b"},
		{"escapes", `A = 'b\n\'\\\x41\u00e9\101\z\tc'`, "A=b\n'\\AéA\\z\tc"},
		{"characters that texts do not have", `A = "\x00\ud800\N{DASH}"`, `A=\x00\ud800\N{DASH}`},
		{"raw", `A = r"b\n\""`, `A=b\n\"`},
		{"three quotes", "A = '''b\n  \"\"\"c\n  d'''", "A=b\n\"\"\"c\nd"},
		{"parts in brackets", "A = ('b'  # c\n  \"d\"\n  r'\\e')", `A=bd\e`},
		{"parts with a plus and a backslash", "A = 'b' + \\\n  'c'", "A=bc"},
		{"lines are parts only in brackets", "A = 'b'\n'c'", "A=b|=c"},
		{"f-strings", `A = f"b {c['d']:>{e}} {{f}} {g!r}"`, `A=b {c['d']:>{e}} {f} {g!r}`},
		{"f-strings with the same quote", `A = f"b {c["d"]}"`, `A=b {c["d"]}`},
		{"an expression that does not end", `A = f"b {c"`, "A=b {c"},
		{"braces of other strings", `A = "{{b}}"`, "A={{b}}"},
		{"bytes are no text", `A = b"c" B = "d"`, "B=d"},
		{"comments", "# 'a'\nB = 'c' # 'd'", "B=c"},
		{"keys", `A = {"b": "c", "d": ["e", "f"]}`, "b A=c|d A=e|d A=f"},
		{"arguments", `A = f(x, b="c", d="e") == "g"`, "b A=c|d A=e|A=g"},
		{"functions and classes", "def a(b='c'):\n  return 'd'\nclass E:\n  '''f'''", "b a=c|a=d|E=f"},
		{"not closed", "A = 'b\nC = 'd'", "A=b|C=d"},
		{"not closed at all", `A = """b`, "A=b"},
		{"Windows line ends", "A = '''b\r\nc\\\r\nd'''", "A=b\ncd"},
		{"a word that ends like a prefix", `bar"b"`, "=b"},
	} {
		var got []string
		for _, s := range pythonStrings(test.text) {
			got = append(got, strings.Join(s.names, " ")+"="+s.text)
		}
		if diff := cmp.Diff(test.want, strings.Join(got, "|")); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", test.reason, test.text, diff)
		}
	}
}

func TestNamesOfPrompts(t *testing.T) {
	for _, test := range []struct{ names, want string }{
		{"CLARITY_PROMPT", "clarity"}, {"template JUDGE_PROMPT", "judge prompt"}, {"template tone_of_voice", "tone of voice"}, {"", ""},
		{"system harmlessness JUDGES", "harmlessness"},
	} {
		if got := promptName(strings.Fields(test.names)); got != test.want {
			t.Errorf("%s: got %q, want %q", test.names, got, test.want)
		}
	}
}

func FuzzPrompt(f *testing.F) {
	f.Add([]byte("A = f'''1: {b}\\n2: c''' + r\"\\d\" # e\nx = {'a': b'1'}"))
	f.Add([]byte("# A\n\nScore 1: a\n- b\n2: c\n\n**D** (20 %)\n1 = e\n2 = f {{g}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"f.py", "f.txt"} {
			checkImported(t, source.NewFile(name, data), Options{Format: "prompt"})
		}
		if !utf8.Valid(data) {
			return
		}
		for _, s := range pythonStrings(string(data)) {
			if !utf8.ValidString(s.text) {
				t.Errorf("%q is not a text", s.text)
			}
		}
	})
}

func TestHostilePromptsTakeLittleTime(t *testing.T) {
	const size = 64 << 10
	for _, unit := range []string{"f'{", "f\"{'", "'", "\\", "(", "1: a\n", "f'''{{", "#\n'a'\n", "a='b'+", "{'a':"} {
		for _, begin := range []string{"", "f'''"} {
			text := begin + strings.Repeat(unit, size/len(unit)-1)
			Read(source.NewFile("f.py", []byte(text)), Options{Format: "prompt"})
		}
		Read(source.NewFile("f.txt", []byte(strings.Repeat(unit, size/len(unit)-1))), Options{Format: "prompt"})
	}
}
