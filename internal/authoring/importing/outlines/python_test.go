package outlines

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		for _, s := range PythonStrings(test.text) {
			got = append(got, strings.Join(s.Names, " ")+"="+s.Text)
		}
		if diff := cmp.Diff(test.want, strings.Join(got, "|")); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", test.reason, test.text, diff)
		}
	}
}
