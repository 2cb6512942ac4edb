package sanitize

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

const (
	textForm  = '\ufe0e' // selects the text form
	emojiForm = '\ufe0f'
	keycap    = '\u20e3'
)

// joinsEmoji reports whether a joiner combines the two emoji around it. The first can
// have a skin tone or a variation selector.
func joinsEmoji(before, after string) bool {
	if r := last(before); r == emojiForm || isSkin(r) {
		before = withoutLast(before)
	}
	return isPictograph(last(before)) && isPictograph(first(after))
}

// selectsEmoji reports whether a selector chooses the form of an emoji, or turns a
// digit into a keycap.
func selectsEmoji(before, after string, selector rune) bool {
	switch previous := last(before); {
	case selector != textForm && selector != emojiForm:
		return false
	case strings.ContainsRune("0123456789#*", previous):
		return selector == emojiForm && first(after) == keycap
	default:
		return isPictograph(previous)
	}
}

func isSkin(r rune) bool { return 0x1f3fb <= r && r <= 0x1f3ff }

// flags are the only emoji with tags that are recommended for general interchange (RGI
// in UTS #51): England, Scotland, and Wales. Each is a black flag, the tags of gbeng, gbsct,
// or gbwls, and the cancel tag. Other tag sequences could hide text.
var flags = []string{
	"\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
	"\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
	"\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",
}

// inFlag reports whether the tag at text[start:] is part of a flag. All characters of a
// flag have the same number of bytes.
func inFlag(text string, start int) bool {
	const size = 4
	for _, f := range flags {
		for at := size; at < len(f) && at <= start; at += size {
			if strings.HasPrefix(text[start-at:], f) {
				return true
			}
		}
	}
	return false
}

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
		first, last := codeRange(word)
		ranges = append(ranges, first, last)
	}
	return ranges
})

func isPictograph(r rune) bool {
	at, found := slices.BinarySearch(pictographs(), r)
	return found || at%2 == 1
}
