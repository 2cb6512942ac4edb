package text

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFields(t *testing.T) {
	const embedded = "a: one: two\nb:\n\tthree\n\t\tfour\n\n\tfive\n\na: six\n\tseven\nlost\nc:\n"
	want := [][2]string{{"a", "one: two"}, {"b", "three\n\tfour\n\nfive"}, {"a", "six\nseven"}, {"lost", ""}, {"c", ""}}
	var got [][2]string
	for key, value := range Fields(embedded) {
		got = append(got, [2]string{key, value})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
