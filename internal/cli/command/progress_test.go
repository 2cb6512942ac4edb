package command

import (
	"bytes"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration/judging"
)

func TestProgress(t *testing.T) {
	failure := &judging.Failure{Subject: "item i7, repeat 2", Reason: "the command failed with exit code 1", Output: "no\x1b key\r\nmore\n\n"}
	const said = "item i7, repeat 2: the command failed with exit code 1\n  | no<U+001B> key\n  | more\n"
	for _, tt := range []struct {
		reason string
		live   bool
		want   string
	}{
		{"a file gets the failures only", false, said},
		{"a terminal has one line that changes, below the failures", true, "9 of 60\r       \r" + said + "10 of 60, 1 failed\n"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			var out bytes.Buffer
			p := &Progress{out: &out}
			if tt.live {
				p.status = &status{out: &out, columns: 80}
			}
			p.Report(judging.Progress{Done: 9, Total: 60}, nil)
			p.Report(judging.Progress{Done: 10, Failed: 1, Total: 60}, failure)
			p.End()
			if got := out.String(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
