package rubric

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

func TestNormalize(t *testing.T) {
	grave, below := "\u0300", "\u0323"
	tests := []struct {
		reason string
		given  string
		want   string
	}{
		{"30 marks in a row are the limit of package norm", "a" + strings.Repeat(grave, 30), "à" + strings.Repeat(grave, 29)},
		{"more get nothing inserted", "a" + strings.Repeat(grave, 40) + "b", "à" + strings.Repeat(grave, 39) + "b"},
		{
			"more are sorted as one run", "a" + strings.Repeat(grave, 40) + below + "b",
			"\u1EA1" + strings.Repeat(grave, 40) + "b",
		},
		{
			"many marks without a letter to join", strings.Repeat(grave, 40) + below,
			below + strings.Repeat(grave, 40),
		},
		{
			"a joiner that the author wrote stays where it is", "e\u034F" + grave + "a" + strings.Repeat(grave, 35),
			"e\u034F" + grave + "à" + strings.Repeat(grave, 34),
		},
		{
			"the rest of a text with many marks is composed too", "\u1112\u1161\u11AB \u212B e\u0301\u0302 a" + strings.Repeat(grave, 31),
			"\uD55C \u00C5 \u00E9\u0302 à" + strings.Repeat(grave, 30),
		},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			if got := Normalize(tt.given); got != tt.want {
				t.Errorf("got %+q, want %+q", got, tt.want)
			}
			if again := Normalize(tt.want); again != tt.want {
				t.Errorf("applied again it gives %+q", again)
			}
		})
	}
}

// anyText draws text with many characters that normalization changes.
func anyText() *rapid.Generator[string] {
	marks := []rune("\u0300\u0301\u0302\u0308\u0323\u0327\u0345\u034F\u05B0\u3099\u0F71\u0F72\u093C")
	letters := []rune("aeA\u00E5\u00C5\u212B\u212AsſK\u1EA1\u1E69q\u0344\u0340\u0958\u2ADC\u1112\u1161\u11A8\uAC00가각\u304B\u0F73\u0CC6\u0CC2\u0CD5\U0001D15E\U000110A5\r\n ")
	return rapid.StringOfN(rapid.OneOf(rapid.SampledFrom(marks), rapid.SampledFrom(letters), rapid.Rune()), 0, 60, -1)
}

// The slow path agrees with package norm where package norm is right.
func TestComposeIsNFC(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText().Draw(t, "text")
		want := norm.NFC.String(text)
		if strings.Count(want, graphemeJoiner) != strings.Count(text, graphemeJoiner) {
			t.Skip("package norm inserted a joiner")
		}
		if got := compose(decompose(text)); got != want {
			t.Fatalf("got %+q, want %+q", got, want)
		}
	})
}

// Text with more marks than package norm allows: the result has the same
// decomposition as the text, and can't be composed further.
func TestNormalizeManyMarks(t *testing.T) {
	mark := rapid.SampledFrom([]rune("\u0300\u0301\u0308\u0323\u0327\u0345\u05B0\u3099"))
	rapid.Check(t, func(t *rapid.T) {
		text := anyText().Draw(t, "before") + "a" +
			rapid.StringOfN(mark, 31, 80, -1).Draw(t, "marks") + anyText().Draw(t, "after")
		got := Normalize(text)
		if again := Normalize(got); again != got {
			t.Fatalf("%+q becomes %+q when normalized again", got, again)
		}
		lines := strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
		if strings.Count(got, graphemeJoiner) != strings.Count(lines, graphemeJoiner) {
			t.Fatalf("%+q has other joiners than %+q", got, lines)
		}
		want, have := decompose(lines), decompose(got)
		if len(want) != len(have) {
			t.Fatalf("%+q is not equivalent to %+q", got, lines)
		}
		for i := range want {
			if want[i] != have[i] {
				t.Fatalf("%+q is not equivalent to %+q at character %d", got, lines, i)
			}
		}
	})
}
