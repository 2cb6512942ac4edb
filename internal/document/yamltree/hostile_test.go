package yamltree

import (
	"strconv"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// fill repeats s up to the size of the largest file, almost: a few bytes are
// left for what is put around it.
func fill(s string) string { return strings.Repeat(s, (MaxBytes-100)/len(s)) }

// hostile are files as large as a file can be, each made to cost time or memory.
var hostile = map[string]string{
	"open lists":             fill("["),
	"open mappings":          fill("{"),
	"dashes":                 fill("- "),
	"question marks":         fill("? "),
	"keys on one line":       fill("a: "),
	"double quotes":          fill(`"`),
	"single quotes":          fill(`'`),
	"quoted texts":           fill(`'a' `),
	"aliases":                "[&a x," + fill("*a,") + "*a]",
	"nested aliases":         "a: &a [x,x]\n" + fill("b: &a [*a,*a]\n"),
	"anchors":                fill("&a "),
	"tags":                   fill("!a "),
	"one long word":          fill("x"),
	"one long line":          fill("x "),
	"one long quoted line":   `"` + fill("é ") + `"`,
	"equal keys in brackets": "{" + fill("k: v,") + "}",
	"equal keys":             fill("k: v\n"),
	"pairs of equal keys":    pairsOfKeys(),
	"empty lists":            "[" + fill("[],") + "]",
	"keys without values":    "{" + fill("a,") + "}",
	"9,999 lists":            strings.Repeat("[", 9999) + strings.Repeat("]", 9999),
	"9,999 dashes":           strings.Repeat("- ", 9999) + "a",
	"dashes, then comments":  strings.Repeat("- ", 9990) + "a\n" + strings.Repeat("#\n #\n", 35000),
	"comments":               fill("#\n"),
	"comments after values":  fill("a: b #c\n"),
	"comments in brackets":   "[" + fill("#\n"),
	"blank lines":            fill("\n"),
	"blanks":                 fill(" "),
	"tabs":                   fill("\t"),
	"CRLF":                   fill("\r\n"),
	"block scalars":          fill("a: |\n b\n"),
	"blank block scalar":     "a: |\n b" + fill("\n"),
	"folded lines":           "a: >\n" + fill(" b\n"),
	"directives":             fill("%a\n"),
	"documents":              fill("---\n"),
	"document ends":          fill("...\n"),
	"stairs":                 stairs(),
	"bad characters":         fill("\x01\xFF\u2028\u0085\uFEFF\x7F"),
	"escapes":                `"` + fill(`\n`) + `"`,
	"unknown escapes":        `"` + fill(`\d`) + `"`,
	"merge keys":             fill("<<: b\n"),
	"broken brackets":        fill("[a\n"),
	"lists in the way":       "a: [" + fill("\nb,") + "\n:",
}

func pairsOfKeys() string {
	var b strings.Builder
	for i := 0; b.Len() < MaxBytes-100; i++ {
		b.WriteString(strings.Repeat(strconv.Itoa(i)+": 1\n", 2))
	}
	return b.String()
}

// stairs nests mappings as deeply as their indentation lets them.
func stairs() string {
	var b strings.Builder
	for i := 0; b.Len() < MaxBytes-800; i++ {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func TestHostileFiles(t *testing.T) {
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			if len(text) > MaxBytes {
				t.Fatalf("%d bytes are too many to be read at all", len(text))
			}
			_, strict := Parse(source.NewFile("x.yaml", []byte(text)))
			_, loose := ParseLoose(source.NewFile("x.yaml", []byte(text)))
			for _, problems := range [][]source.Problem{strict, loose} {
				if len(problems) > maxRepeated+3 {
					t.Errorf("%d problems", len(problems))
				}
				for _, p := range problems {
					if len(p.Message) > 500 {
						t.Errorf("a message of %d bytes: %.100s", len(p.Message), p.Message)
					}
				}
			}
		})
	}
}
