package invisible

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// pictographText lists the characters with the property Extended_Pictographic in Unicode 17
// (emoji/emoji-data.txt of UTS #51), in order: everything that an emoji can begin with,
// except digits, two-letter flags, and skin tones. They include code points reserved for
// future emoji.
//
//go:embed pictographs.txt
var pictographText string

// pictographs are pairs of the first and the last character of a range.
var pictographs = sync.OnceValue(func() (ranges []rune) {
	for word := range strings.FieldsSeq(pictographText) {
		first, last, isRange := strings.Cut(word, "-")
		if !isRange {
			last = first
		}
		for _, end := range []string{first, last} {
			r, _ := strconv.ParseUint(end, 16, 32)
			ranges = append(ranges, rune(r))
		}
	}
	return ranges
})

func isPictograph(r rune) bool {
	at, found := slices.BinarySearch(pictographs(), r)
	return found || at%2 == 1
}
