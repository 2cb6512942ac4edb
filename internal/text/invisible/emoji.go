package invisible

import (
	"strings"
	"unicode"
)

const (
	textForm  = '\ufe0e' // selects the form without colours
	emojiForm = '\ufe0f'
	keycap    = '\u20e3'
)

// joinsEmoji tells whether a joiner makes one emoji of the two beside it. The one
// before it can have a shade of skin or the selector of its form.
func joinsEmoji(before, after string) bool {
	if r := last(before); r == emojiForm || isSkin(r) {
		before = withoutLast(before)
	}
	return isPictograph(last(before)) && isPictograph(first(after))
}

// selectsEmoji tells whether a selector chooses the form of an emoji, or makes a
// keycap of a digit.
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

func isPictograph(r rune) bool { return unicode.Is(pictographs, r) }

func isSkin(r rune) bool { return 0x1f3fb <= r && r <= 0x1f3ff }

// flags are the only emoji with tags that are for general interchange (RGI of
// UTS #51): England, Scotland and Wales. Others of the form would be a place to
// hide text in.
var flags = []string{flag("gbeng"), flag("gbsct"), flag("gbwls")}

// flag spells the emoji of a region: a black flag, tags, and the tag that ends
// them.
func flag(region string) string {
	var b strings.Builder
	b.WriteRune(0x1f3f4)
	for _, r := range region {
		b.WriteRune(0xe0000 + r)
	}
	b.WriteRune(0xe007f)
	return b.String()
}

// inFlag tells whether the tag at text[start:] is part of a flag. Each of its
// characters has as many bytes as the others.
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
