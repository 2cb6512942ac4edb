package document

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// TestNFCByParts: a text is in NFC after its unusual parts are replaced.
func TestNFCByParts(t *testing.T) {
	letters := []rune("aeKc \n\r=<`é\u0300\u0301\u0323\u0338\u0345\u0958\u09df\u09af\u09bc\u212a\u1fef\u1100\u1161\u11a8\uac00\u0f73")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom(letters), 0, 60, -1).Draw(t, "text")
		var b strings.Builder
		at := 0
		for _, s := range unusual(text, true) {
			b.WriteString(text[at:s.start] + s.nfc)
			at = s.end
		}
		b.WriteString(text[at:])
		if got, want := rubric.Normalize(b.String()), rubric.Normalize(text); got != want {
			t.Fatalf("%+q became %+q, whose NFC is %+q, want %+q", text, b.String(), got, want)
		}
		if again := unusual(b.String(), true); len(again) > 0 {
			t.Fatalf("%+q became %+q, which is not NFC at %v", text, b.String(), again)
		}
	})
}

func TestManyMarksAreNoFaultOfNFC(t *testing.T) {
	if odd := unusual("a"+strings.Repeat("\u0323", 40), true); len(odd) != 1 || strings.Contains(odd[0].nfc, "\u034f") {
		t.Errorf("of 40 marks in a row only the first joins its letter, and nothing comes between them: %+v", odd)
	}
	if odd := unusual("q"+strings.Repeat("\u0301", 40), true); odd != nil {
		t.Errorf("40 marks that join nothing are in NFC: %+v", odd)
	}
}

// TestHiddenPlacesAreInTheFile draws documents with everything that makes places
// difficult.
func TestHiddenPlacesAreInTheFile(t *testing.T) {
	pieces := []string{"\u202e", `\u202e`, "\u200d", `\u200D`, "👩", `\U0001F4BB`, "a", " ", `\n`, "é", "\n  ", "e\u0301"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 20).Draw(t, "pieces"), "")
		f := source.NewFile("broken_v1.yaml", []byte("name: \"x"+text+"x\" # \u200b"+strings.ReplaceAll(text, "\n", "")+"\n"))
		d := Parse(f)
		if d.Tree == nil {
			t.Skip("no YAML")
		}
		problems := HiddenText(d)
		last := 0
		for _, p := range problems {
			if p.Span.Start < last || p.Span.End <= p.Span.Start || p.Span.End > len(f.Data) {
				t.Fatalf("the place %v after byte %d of %+q", p.Span, last, f.Data)
			}
			last = p.Span.End
		}
		if want := sanitize.FindHidden(d.Root().Get("name").Value); len(want) > 0 && len(problems) < 2 {
			t.Fatalf("%v is hidden in %+q, and %d problems are found", want, f.Data, len(problems))
		}
	})
}
