package printer

import (
	"encoding/xml"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// elements are the elements that a section can have.
var elements = strings.Fields(`h3 h4 article div p span strong code bdi ul ol li figure figcaption details summary
	table caption thead tbody tr th td sup svg title desc g line circle rect path text`)

var (
	noNumber     = regexp.MustCompile(`\bNaN\b|[+-]Inf\b|%!`)
	coordinate   = regexp.MustCompile(`^-?[0-9]+(\.[0-9]{1,2})?%?$`)
	coordinates  = strings.Fields("x y x1 x2 y1 y2 cx cy r width height")
	topPictures  = regexp.MustCompile(`(?s)<svg role="img".*?</svg>\n<figcaption`)
	pictureNames = regexp.MustCompile(`aria-labelledby="([^" ]+) ([^" ]+)"`)
)

type reporter interface {
	Errorf(string, ...any)
	Fatalf(string, ...any)
}

// checkSection checks the properties that every section must have.
func checkSection(t reporter, section string) {
	if !utf8.ValidString(section) {
		t.Fatalf("the section is not UTF-8")
	}
	for _, c := range section {
		if c != '\n' && !unicode.IsPrint(c) && c != '\u200c' && c != '\u200d' {
			t.Errorf("the section has the character %U", c)
		}
	}
	if wrong := noNumber.FindString(section); wrong != "" {
		t.Errorf("the section shows %q", wrong)
	}
	ids := checkElements(t, section)
	for _, names := range pictureNames.FindAllStringSubmatch(section, -1) {
		for _, id := range names[1:] {
			if !ids[id] {
				t.Errorf("nothing has the ID %s, which names a picture", id)
			}
		}
	}
	pictures := topPictures.FindAllString(section, -1)
	if n := strings.Count(section, `role="img"`); n != len(pictures) {
		t.Fatalf("found %d of %d pictures", len(pictures), n)
	}
	for _, picture := range pictures {
		checkPicture(t, strings.TrimSuffix(picture, "\n<figcaption"))
	}
}

// checkElements checks that no element loads or executes anything, and returns the IDs.
func checkElements(t reporter, section string) map[string]bool {
	ids := map[string]bool{}
	decoder := xml.NewDecoder(strings.NewReader(section))
	decoder.Strict, decoder.Entity = false, xml.HTMLEntity
	eachStart(t, decoder, func(start xml.StartElement) {
		if !slices.Contains(elements, start.Name.Local) {
			t.Errorf("the section has the element %s", start.Name.Local)
		}
		for _, a := range start.Attr {
			switch name := a.Name.Local; {
			case strings.HasPrefix(name, "on"), name == "src", name == "style", name == "href":
				t.Errorf("%s has the attribute %s", start.Name.Local, name)
			case name == "id" && ids[a.Value]:
				t.Errorf("two elements have the ID %s", a.Value)
			case name == "id":
				ids[a.Value] = true
			}
		}
	})
	return ids
}

// checkPicture checks that a picture is XML with numbers as coordinates.
func checkPicture(t reporter, picture string) {
	eachStart(t, xml.NewDecoder(strings.NewReader(picture)), func(start xml.StartElement) {
		for _, a := range start.Attr {
			if slices.Contains(coordinates, a.Name.Local) && !coordinate.MatchString(a.Value) {
				t.Errorf("%s has %s=%q", start.Name.Local, a.Name.Local, a.Value)
			}
		}
	})
}

// eachStart calls do for each start tag up to the first error.
func eachStart(t reporter, decoder *xml.Decoder, do func(xml.StartElement)) {
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Errorf("%v", err)
			return
		}
		if start, ok := token.(xml.StartElement); ok {
			do(start)
		}
	}
}
