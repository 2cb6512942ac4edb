package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

func TestMutate(t *testing.T) {
	var out bytes.Buffer
	code := must.Get(run(&out, []string{"testdata/sample"}, options{matrix: true, run: ".", keep: "none"}))(t)
	for _, want := range []string{
		"10 mutants: 0 survive, and 1 have no effect\n",
		"9 killed, 4 by it alone  TestWeight\n",
		"5 killed, 0 by it alone  TestLimit: not needed\n",
		"not a survivor: sample.go Weight: `2` plus one in `2 * n`\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	out.Reset()
	must.Get(run(&out, []string{"testdata/sample"}, options{run: "TestLimit"}))(t)
	for _, want := range []string{"unreached sample.go:9 Weight: `n > limit` always true\n", "survives  sample.go:6 Weight: `0` plus one in `n < 0`\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
