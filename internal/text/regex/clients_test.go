package regex_test

import (
	"testing"

	"github.com/rubric-library/rubric-library/internal/text/regex"
)

func TestEveryRefusalHasAnExample(t *testing.T) {
	for _, r := range regex.Refusals() {
		d := regex.Refused(r.Example, none)
		switch {
		case !regex.Valid(r.Example):
			t.Errorf("%s: Go refuses %q, too", r.Name, r.Example)
		case d == nil:
			t.Errorf("%s: %q is not refused", r.Name, r.Example)
		case d.Portable == "" && d.Advice == "":
			t.Errorf("%s: nothing says what to write instead of %q", r.Name, r.Example)
		}
	}
}

// TestECMAScriptHasWhatClientsAccept: an export never lacks a check that the clients can apply.
func TestECMAScriptHasWhatClientsAccept(t *testing.T) {
	accepted := 0
	for i := range 5000 {
		s := subjects.Example(i)
		if !regex.Valid(s.pattern) || regex.Refused(s.pattern, s.flags) != nil {
			continue
		}
		accepted++
		if _, ok := regex.ECMAScript(s.pattern); !ok {
			t.Errorf("the clients accept %q, which has no form of ECMAScript", s.pattern)
		}
	}
	if accepted < 1000 {
		t.Errorf("%d expressions are accepted, which shows little", accepted)
	}
}
