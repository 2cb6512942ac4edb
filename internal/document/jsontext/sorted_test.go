package jsontext

import (
	"math"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

func TestSortedHasAllKeysInOrder(t *testing.T) {
	value := struct {
		B []map[string]any `json:"b"`
		A *int             `json:"a"`
		N uint64           `json:"n"`
	}{[]map[string]any{{"y": 1e21, "x": "<a> & b"}}, nil, math.MaxUint64}
	want := `{"a":null,"b":[{"x":"<a> & b","y":1e+21}],"n":18446744073709551615}`
	if got := string(must.Get(Sorted(value))(t)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, err := Sorted(math.NaN()); err == nil {
		t.Errorf("what JSON can't hold is written as %s", got)
	}
}
