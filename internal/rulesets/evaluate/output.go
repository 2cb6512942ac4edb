package evaluate

import (
	"strings"
	"unicode/utf8"
)

// maxOutput is the maximum number of bytes of output to keep.
const maxOutput = 16 << 10

// hiddenAs replaces the temporary folder, whose name varies, in the output.
const hiddenAs = "$TMPDIR"

// output keeps the start of a command's output. It replaces paths before it truncates,
// so that the result does not depend on their lengths.
type output struct {
	replacer *strings.Replacer
	enough   int // the number of bytes after which every path that starts in the first maxOutput is complete
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

// Write never fails; it discards what is not kept.
func (o *output) Write(chunk []byte) (int, error) {
	if len(o.kept) < o.enough {
		o.kept = o.replacer.Replace(o.kept + string(chunk))
	}
	return len(chunk), nil
}

// text returns the kept output as valid UTF-8, and whether there was more. It never
// splits a character.
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
