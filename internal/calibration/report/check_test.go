package report

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
var elements = strings.Fields(`h3 h4 article div p span strong small code bdi ul li details summary
	table caption thead tbody tr th td figure figcaption svg line circle path rect text`)

var (
	noNumber    = regexp.MustCompile(`\bNaN\b|[+-]Inf\b|%!`)
	coordinate  = regexp.MustCompile(`^-?[0-9]+(\.[0-9]{1,2})?%?$`)
	coordinates = strings.Fields("x y dy x1 x2 y1 y2 cx cy r width height")
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
	checkElements(t, section)
}

// checkElements checks that no element loads or executes anything, and that pictures have numbers as
// coordinates.
func checkElements(t reporter, section string) {
	decoder := xml.NewDecoder(strings.NewReader(section))
	decoder.Strict, decoder.Entity = false, xml.HTMLEntity
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Errorf("%v", err)
			return
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if !slices.Contains(elements, start.Name.Local) {
			t.Errorf("the section has the element %s", start.Name.Local)
		}
		for _, a := range start.Attr {
			switch name := a.Name.Local; {
			case strings.HasPrefix(name, "on"), name == "src", name == "style", name == "href", name == "id":
				t.Errorf("%s has the attribute %s", start.Name.Local, name)
			case slices.Contains(coordinates, name) && !coordinate.MatchString(a.Value):
				t.Errorf("%s has %s=%q", start.Name.Local, name, a.Value)
			}
		}
	}
}
