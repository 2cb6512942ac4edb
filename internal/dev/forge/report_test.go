package forge_test

import (
	"fmt"
	"testing"
)

// attempt is one way around the gate.
type attempt struct {
	name string
	// page promises that the attempt is held, or if open, says that it gets through.
	page string
	open bool
}

// show prints the line of an attempt. The test fails if a page promises something else.
func (a attempt) show(t *testing.T, through bool, why string) {
	t.Helper()
	switch {
	case !through:
		fmt.Printf("held  %s\n", a.name)
		if a.open {
			t.Logf("%s says that it gets through, and it was held: %s", a.page, why)
		}
	case a.open:
		fmt.Printf("got through  %s  (documented: %s)\n", a.name, a.page)
	default:
		fmt.Printf("got through  %s  (%s)\n", a.name, a.page)
		t.Errorf("%s promises that this is held: %s", a.page, why)
	}
}

// works prints the line of what a page says how to do, which was done.
func works(name, page string) { fmt.Printf("works  %s  (%s)\n", name, page) }
