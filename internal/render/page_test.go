package render

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestColorsCanBeRead checks the contrast of every text color with its background, as
// WCAG 2.2 requires: at least 4.5 for text.
func TestColorsCanBeRead(t *testing.T) {
	schemes := colorSchemes()
	if len(schemes) != 3 {
		t.Fatalf("found %d color schemes, want light, dark and print", len(schemes))
	}
	for i, colors := range schemes {
		for _, text := range []string{"text", "soft", "accent", "mark", "met", "undecided", "not-met", "refused"} {
			for _, ground := range []string{"page", "surface"} {
				if c := contrast(colors[text], colors[ground]); !(c >= 4.5) {
					t.Errorf("scheme %d: %s on %s has a contrast of %.2f", i, text, ground, c)
				}
			}
		}
		if c := contrast(colors["text"], blended(colors["accent"], colors["surface"], darkestShade(t))); !(c >= 4.5) {
			t.Errorf("scheme %d: a count on the darkest cell has a contrast of %.2f", i, c)
		}
	}
}

type color [3]float64 // red, green and blue, 0 to 1

// colorSchemes are the variables of each :root of the style sheet that are colors.
func colorSchemes() []map[string]color {
	var schemes []map[string]color
	for _, block := range regexp.MustCompile(`:root \{([^}]*)\}`).FindAllStringSubmatch(PageStyle, -1) {
		colors := map[string]color{}
		for _, v := range regexp.MustCompile(`--([a-z-]+): #([0-9a-f]+);`).FindAllStringSubmatch(block[1], -1) {
			colors[v[1]] = parseColor(v[2])
		}
		schemes = append(schemes, colors)
	}
	return schemes
}

func parseColor(digits string) color {
	if len(digits) == 3 {
		digits = strings.Join([]string{digits[:1], digits[:1], digits[1:2], digits[1:2], digits[2:], digits[2:]}, "")
	}
	var c color
	for i := range c {
		n, _ := strconv.ParseUint(digits[2*i:2*i+2], 16, 8)
		c[i] = float64(n) / 255
	}
	return c
}

func darkestShade(t *testing.T) float64 {
	found := regexp.MustCompile(`\.shade-5 \{ background: color-mix\(in srgb, var\(--accent\) ([0-9]+)%, transparent\); \}`).FindStringSubmatch(PageStyle)
	if found == nil {
		t.Fatal("the style sheet has no shade-5")
	}
	opacity, _ := strconv.ParseFloat(found[1], 64)
	return opacity / 100
}

func blended(over, ground color, opacity float64) color {
	for i := range over {
		over[i] = opacity*over[i] + (1-opacity)*ground[i]
	}
	return over
}

func contrast(a, b color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(c color) float64 {
	for i, x := range c {
		if x <= 0.04045 {
			c[i] = x / 12.92
		} else {
			c[i] = math.Pow((x+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2]
}
