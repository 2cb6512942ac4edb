package forge_test

import (
	"fmt"
	"strings"
	"testing"
)

// attempt is one way around the gate.
type attempt struct {
	name string
	// page promises that the attempt is held, or if open, says that it gets through.
	page string
	open bool
	// says is a part of the server's answer that shows why the attempt was held, if it has one.
	says string
	// try makes the attempt, and reports whether it got through, and what the server said.
	try func(l *library) (through bool, why string)
}

// held is an attempt that the protection stops, as its page says.
func held(name, says string, try func(*library) (through bool, why string)) attempt {
	return attempt{name: name, page: gitea, says: says, try: try}
}

// show prints the line of an attempt. The test fails if a page promises something else.
func (a attempt) show(t *testing.T, through bool, why string) {
	t.Helper()
	switch {
	case !through && a.open:
		fmt.Printf("held  %s\n", a.name)
		t.Errorf("%s says that this gets through: %s", a.page, why)
	case !through:
		fmt.Printf("held  %s\n", a.name)
		if !strings.Contains(why, a.says) {
			t.Errorf("it was held for another reason than %q: %s", a.says, why)
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
