// Package rendertest helps tests check that text from a library has no effect where it is
// printed.
package rendertest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// elements are the elements that a page can have.
var elements = strings.Fields(`html head meta link title style body main h1 h2 h3 h4 section article div p span strong bdi ul ol li dl dt dd a
	figure figcaption details summary table caption thead tbody tr th td sup pre svg desc g line circle rect path text`)

var (
	noNumber     = regexp.MustCompile(`\bNaN\b|[+-]Inf\b|%!`)
	coordinate   = regexp.MustCompile(`^-?[0-9]+(\.[0-9]{1,2})?%?$`)
	coordinates  = strings.Fields("x y x1 x2 y1 y2 cx cy r width height")
	topPictures  = regexp.MustCompile(`(?s)<svg role="img".*?</svg>\n(?:<figcaption|</div>)`)
	pictureNames = regexp.MustCompile(`aria-labelledby="([^" ]+)(?: ([^" ]+))?"`)
)

// CheckPage checks the properties that every page must have.
func CheckPage(t interface {
	Errorf(string, ...any)
	Fatalf(string, ...any)
}, page string,
) {
	if !utf8.ValidString(page) {
		t.Fatalf("the page is not UTF-8")
	}
	for _, c := range page {
		if c != '\n' && !unicode.IsPrint(c) && c != '\u200c' && c != '\u200d' {
			t.Errorf("the page has the character %U", c)
		}
	}
	if wrong := noNumber.FindString(page); wrong != "" {
		t.Errorf("the page shows %q", wrong)
	}
	ids := map[string]bool{}
	checkElements(t.Errorf, page, ids)
	for _, names := range pictureNames.FindAllStringSubmatch(page, -1) {
		for _, id := range names[1:] {
			if id != "" && !ids[id] {
				t.Errorf("nothing has the ID %s, which names a part of the page", id)
			}
		}
	}
	if strings.Count(page, "<figure>") != strings.Count(page, "<figcaption>") {
		t.Errorf("a figure has no caption")
	}
	pictures := topPictures.FindAllString(page, -1)
	if n := strings.Count(page, `role="img"`); n != len(pictures) {
		t.Fatalf("found %d of %d pictures", len(pictures), n)
	}
	for _, picture := range pictures {
		checkPicture(t.Errorf, picture[:strings.LastIndex(picture, "</svg>")+len("</svg>")])
	}
}

// checkElements checks that no element loads anything, and that the policy names what
// executes.
func checkElements(errorf func(string, ...any), page string, ids map[string]bool) {
	policy, _, _ := strings.Cut(html.UnescapeString(page), "<title>")
	decoder := xml.NewDecoder(strings.NewReader(page))
	decoder.Strict, decoder.AutoClose, decoder.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	eachStart(decoder, errorf, func(start xml.StartElement) {
		if start.Name.Local == "script" {
			text, _ := decoder.Token()
			data, _ := text.(xml.CharData)
			if sum := sha256.Sum256(data); !strings.Contains(policy, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
				errorf("the policy of the page does not allow the script %q", data)
			}
		} else if !slices.Contains(elements, start.Name.Local) {
			errorf("the page has the element %s", start.Name.Local)
		}
		for _, a := range start.Attr {
			switch name := a.Name.Local; {
			case strings.HasPrefix(name, "on"), name == "src", name == "style":
				errorf("%s has the attribute %s", start.Name.Local, name)
			case name == "href" && !strings.HasPrefix(a.Value, "#") && a.Value != "data:,":
				errorf("the page leads to %q", a.Value)
			case name == "id" && ids[a.Value]:
				errorf("two elements have the ID %s", a.Value)
			case name == "id":
				ids[a.Value] = true
			}
		}
	})
}

// checkPicture checks that a picture is XML with numbers as coordinates.
func checkPicture(errorf func(string, ...any), picture string) {
	eachStart(xml.NewDecoder(strings.NewReader(picture)), errorf, func(start xml.StartElement) {
		for _, a := range start.Attr {
			if slices.Contains(coordinates, a.Name.Local) && !coordinate.MatchString(a.Value) {
				errorf("%s has %s=%q", start.Name.Local, a.Name.Local, a.Value)
			}
		}
	})
}

// eachStart calls do for each start tag up to the first error.
func eachStart(decoder *xml.Decoder, errorf func(string, ...any), do func(xml.StartElement)) {
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			errorf("%v", err)
			return
		}
		if start, ok := token.(xml.StartElement); ok {
			do(start)
		}
	}
}

// Hostile draws a text that would have an effect if it were not escaped. It contains Mark.
func Hostile(t *rapid.T, what string) string {
	pieces := rapid.SliceOfN(rapid.SampledFrom([]string{
		"`", "``", "|", "\\", "@", "#1", "<b>", "</pre>", "</code>", "<!--", "-->", "[", "](x)", "**", "_", "~~", "\n", "\n\n", "\r", "\n::error::", "##[error]",
		"::", ":", " ", "  ", "\x1b[31m", "\u202e", "\u200b", "\u2028", "https://x.example", "www.x.example", "&lt;", "&#64;", "- ", "# ", "> ", "    ", "[-", "-]", "é", "\xff",
	}), 0, 8).Draw(t, what)
	at := rapid.IntRange(0, len(pieces)).Draw(t, "place of the mark")
	return strings.Join(pieces[:at], "") + Mark + strings.Join(pieces[at:], "")
}

// Mark marks hostile texts in output.
const Mark = "MARK"
