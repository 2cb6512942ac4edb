package source

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPositionCountsCharacters(t *testing.T) {
	f := NewFile("x", []byte("ab\r\né漢x\n\nlast"))
	tests := []struct {
		reason       string
		offset       int
		line, column int
	}{
		{"the first byte", 0, 1, 1},
		{"a line end belongs to its line", 2, 1, 3},
		{"the first byte of the second line", 4, 2, 1},
		{"after a character of two bytes", 6, 2, 2},
		{"after a character of three bytes", 9, 2, 3},
		{"an empty line", 11, 3, 1},
		{"the end of the file", 16, 4, 5},
		{"before the file", -5, 1, 1},
		{"behind the file", 99, 4, 5},
	}
	for _, tt := range tests {
		if got := f.Position(tt.offset); got != (Position{tt.line, tt.column}) {
			t.Errorf("%s: Position(%d) = %v, want %d:%d", tt.reason, tt.offset, got, tt.line, tt.column)
		}
	}
}

func TestLineSpanLeavesLineEndsOut(t *testing.T) {
	f := NewFile("x", []byte("one\r\ntwo\nthree"))
	for i, want := range []string{"", "one", "two", "three", ""} {
		if got := f.Text(f.LineSpan(i)); got != want {
			t.Errorf("line %d is %q, want %q", i, got, want)
		}
	}
	if got := f.LineCount(); got != 3 {
		t.Errorf("LineCount = %d, want 3", got)
	}
}

func TestEveryOffsetIsOnItsLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(rapid.StringOfN(rapid.RuneFrom([]rune("aé漢\r\n")), 0, 40, -1).Draw(t, "data"))
		f := NewFile("x", data)
		offset := rapid.IntRange(0, len(data)).Draw(t, "offset")
		if want := 1 + bytes.Count(data[:offset], []byte("\n")); f.Position(offset).Line != want {
			t.Fatalf("offset %d of %q is on line %d, want %d", offset, data, f.Position(offset).Line, want)
		}
	})
}

func TestApply(t *testing.T) {
	edit := func(start, end int, text string) Edit { return Edit{Span{start, end}, text} }
	tests := []struct {
		reason string
		edits  []Edit
		want   string // "" means an error
	}{
		{"no edit changes nothing", nil, "0123456789"},
		{"a replacement moves nothing else", []Edit{edit(2, 4, "XYZ")}, "01XYZ456789"},
		{"edits come in any order", []Edit{edit(8, 9, "b"), edit(0, 1, "a")}, "a1234567b9"},
		{"an empty span inserts", []Edit{edit(10, 10, "!")}, "0123456789!"},
		{"an empty text deletes", []Edit{edit(0, 9, "")}, "9"},
		{"equal edits count once", []Edit{edit(3, 4, "x"), edit(3, 4, "x")}, "012x456789"},
		{"edits may touch", []Edit{edit(0, 2, "a"), edit(2, 4, "b")}, "ab456789"},
		{"edits must not overlap", []Edit{edit(0, 3, "a"), edit(2, 4, "b")}, ""},
		{"two insertions at one place have no order", []Edit{edit(3, 3, "a"), edit(3, 3, "b")}, ""},
		{"an edit must be inside", []Edit{edit(9, 11, "a")}, ""},
	}
	for _, tt := range tests {
		data := []byte("0123456789")
		got, err := Apply(data, tt.edits)
		if string(got) != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s: got %q, %v, want %q", tt.reason, got, err, tt.want)
		}
		if string(data) != "0123456789" {
			t.Errorf("%s: the input was changed to %q", tt.reason, data)
		}
	}
}

func TestApplyKeepsWhatIsOutside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := strings.Repeat("abcdefgh", 4)
		start := rapid.IntRange(0, len(data)).Draw(t, "start")
		end := rapid.IntRange(start, len(data)).Draw(t, "end")
		got, err := Apply([]byte(data), []Edit{{Span{start, end}, "new"}})
		if err != nil || string(got) != data[:start]+"new"+data[end:] {
			t.Fatalf("Apply(%d, %d) = %q, %v", start, end, got, err)
		}
	})
}
