package main

import (
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
	h := &house{arrows: map[string]map[string]bool{"a": {"a": true}}, packages: map[string]int{"a": 3501, "b": 1}, lines: 3502, inRooms: 71}
	var out strings.Builder
	exceeded, err := h.report(&out, ".", false)
	if err != nil || exceeded != 3 || strings.Count(out.String(), "exceeded") != 3 {
		t.Errorf("%d limits are exceeded, %v:\n%s", exceeded, err, &out)
	}
}
