package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestRooms(t *testing.T) {
	for path, want := range map[string]string{
		module + "cmd/rubric":                "cmd",
		module + "internal/change/compat":    "internal/change",
		module + "pkg/library":               "pkg/library",
		module + "internal/dev/structure":    "",
		module + "clients/python":            "",
		"github.com/go-git/go-git/v5/config": "",
	} {
		if got := room(path); got != want {
			t.Errorf("%s is in %q, want %q", path, got, want)
		}
	}
}

func TestACircleIsFound(t *testing.T) {
	h := &house{arrows: map[string]map[string]bool{"a": {"b": true}, "b": {"c": true}, "c": {"b": true}, "d": {"a": true}}}
	if got := h.circle(); !slices.Equal(got, []string{"b", "c"}) {
		t.Errorf("the circle has %q", got)
	}
}

func TestExceededLimitsAreCounted(t *testing.T) {
	h := &house{
		arrows: map[string]map[string]bool{"a": {"a": true}}, packages: map[string]int{"a": 6501, "b": 1},
		files: map[string]int{"a/a.go": 501, "b/b.go": 1}, back: map[string]int{"a": 1, "b": 9}, inRooms: 99,
	}
	var out strings.Builder
	exceeded, err := h.report(&out, ".", false)
	if err != nil || exceeded != 5 || strings.Count(out.String(), "exceeded") != 5 {
		t.Errorf("%d limits are exceeded, %v:\n%s", exceeded, err, &out)
	}
}

func TestTheFewestArrowsRunBackUp(t *testing.T) {
	tests := []struct {
		name, reason string
		uses         [][]int
		want         int
	}{
		{"a chain", "each uses only the next one", [][]int{{0, 1, 0}, {0, 0, 1}, {0, 0, 0}}, 0},
		{"a circle", "one arrow has to go, and the number of its uses does not matter", [][]int{{0, 9, 0}, {0, 0, 9}, {9, 0, 0}}, 1},
		{"all use all", "each pair has one arrow too many", [][]int{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}, 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := files{names: []string{"a.go", "b.go", "c.go"}, uses: test.uses}
			if got := f.back(); len(got.arrows) != test.want {
				t.Errorf("%s: %q in the order %q, want %d", test.reason, got.arrows, got.order, test.want)
			}
		})
	}
}

// A circle of more files than the exact search can take is not counted as an order.
func TestALargeCircleHasAnOrder(t *testing.T) {
	const n = 30
	f := files{uses: make([][]int, n)}
	for i := range n {
		f.names = append(f.names, fmt.Sprintf("%02d.go", i))
		f.uses[i] = make([]int, n)
		f.uses[i][(i+1)%n] = 1
	}
	got := f.back()
	if len(got.arrows) != 1 || len(slices.Compact(slices.Sorted(slices.Values(got.order)))) != n {
		t.Errorf("%q in the order %q, want 1", got.arrows, got.order)
	}
}
