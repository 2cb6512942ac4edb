package yamltree

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// scraps are what YAML is made of. Random strings of them reach corners that
// random bytes reach only after a long time.
var scraps = []string{
	"a", "b c", "é", "1", ":", ": ", "- ", "-", "\n", "\n", "\n", "\r\n", " ", "  ", "    ", "\t",
	`"`, `'`, `"x"`, `'y'`, "''", "|", ">", "|2", ">-", "|+", "[", "]", "{", "}", ",", ", ",
	"#", " #", `\`, `\n`, `\u00e9`, "\\\n", "\n---\n", "\n...\n", "?", "? ", "&x ", "*x", "!t ", "! ", "<<", "%",
	"key: ", "\n  k: ", "\n- ", "\n  - ", "\n\n", "\n \n", "\n    text", "\n  text",
}

func TestParseOfScraps(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom(scraps), 1, 25).Draw(r, "parts")
		checkParse(t, []byte(strings.Join(parts, "")))
	})
}
