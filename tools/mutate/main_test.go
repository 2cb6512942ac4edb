package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestMutate(t *testing.T) {
	var out bytes.Buffer
	code, err := run(&out, "testdata/sample", ".", true)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"10 mutants: 0 survive, and 1 have no effect\n",
		" 9 killed,    4 by it alone",
		" 5 killed,    0 by it alone",
		"not a survivor: sample.go Weight: `2` plus one\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	out.Reset()
	if _, err := run(&out, "testdata/sample", "TestLimit", false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"unreached sample.go:9 Weight: `n > limit` always true\n", "survives  sample.go:6 Weight: `0` plus one\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
