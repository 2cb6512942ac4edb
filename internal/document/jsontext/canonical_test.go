package jsontext

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

func TestCanonicalIsTheFormOfRFC8785(t *testing.T) {
	tests := []struct {
		reason string
		value  any
		want   string
	}{
		{"the numbers of section 3.2.2.3", []float64{333333333.33333329, 1e30, 4.5, 2e-3, 1e-27}, `[333333333.3333333,1e+30,4.5,0.002,1e-27]`},
		{"there is one zero", []float64{0, math.Copysign(0, -1)}, `[0,0]`},
		{"keys are sorted by UTF-16, as in section 3.2.3", map[string]any{
			"\u20ac": "Euro", "\r": "CR", "\ufb33": "Dalet", "1": "One", "\U0001f600": "Smile", "\u0080": "Control", "\u00f6": "Umlaut",
		}, "{\"\\r\":\"CR\",\"1\":\"One\",\"\u0080\":\"Control\",\"\u00f6\":\"Umlaut\",\"\u20ac\":\"Euro\",\"\U0001f600\":\"Smile\",\"\ufb33\":\"Dalet\"}"},
		{"nothing is escaped that need not be", "<a> & \u2028", "\"<a> & \u2028\""},
		{"the fields of a struct have the order of their keys", struct {
			B bool `json:"b"`
			A *int `json:"a"`
		}{true, nil}, `{"a":null,"b":true}`},
		{"a seed is more than a float64 can hold", uint64(math.MaxUint64), `18446744073709551615`},
		{"nothing is not null", []string{}, `[]`},
	}
	for _, tt := range tests {
		got, err := Canonical(tt.value)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: got %s, %v, expected %s", tt.reason, got, err, tt.want)
		}
	}
	if got, err := Canonical(math.NaN()); err == nil {
		t.Errorf("what JSON can't hold is written as %s", got)
	}
}

// TestCanonicalLosesNothing: the decoded value equals the original, and its canonical
// form is the same.
func TestCanonicalLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := map[string]any{}
		for _, key := range rapid.SliceOf(rapid.String()).Draw(t, "keys") {
			want[key] = []any{rapid.String().Draw(t, "text"), rapid.Bool().Draw(t, "bool"), rapid.Float64Range(-1e300, 1e300).Draw(t, "number") + 0, nil}
		}
		data := must.Get(Canonical(want))(t)
		var got map[string]any
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
		if again, err := Canonical(got); err != nil || string(again) != string(data) {
			t.Fatalf("%v\n%s\n%s", err, data, again)
		}
	})
}
