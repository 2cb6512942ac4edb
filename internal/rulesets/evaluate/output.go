package evaluate

import (
	"strings"
	"unicode/utf8"
)

// maxOutput is how many bytes of a command's output are kept.
const maxOutput = 16 << 10

// hiddenAs stands in the output for the temporary folder, whose name is another
// one each time.
const hiddenAs = "$TMPDIR"

// output keeps the beginning of what a command writes. Paths are replaced before
// it is cut, so that the cut does not depend on how long they are.
type output struct {
	replacer *strings.Replacer
	enough   int // with so many bytes no path can begin within the first maxOutput and be incomplete
	kept     string
}

func newOutput(hidden []string) *output {
	o := &output{enough: maxOutput + 1}
	var pairs []string
	for _, path := range hidden {
		pairs = append(pairs, path, hiddenAs)
		o.enough = max(o.enough, maxOutput+len(path))
	}
	o.replacer = strings.NewReplacer(pairs...)
	return o
}

// Write never fails: what is not kept is left out.
func (o *output) Write(chunk []byte) (int, error) {
	if len(o.kept) < o.enough {
		o.kept = o.replacer.Replace(o.kept + string(chunk))
	}
	return len(chunk), nil
}

// text is what was kept until now, as valid UTF-8, and whether there was more.
// The cut splits no character.
func (o *output) text() (text string, truncated bool) {
	text = o.kept
	if truncated = len(text) > maxOutput; truncated {
		end := maxOutput
		for end > maxOutput-utf8.UTFMax && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	return strings.ToValidUTF8(text, string(utf8.RuneError)), truncated
}
