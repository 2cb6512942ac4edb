package command

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/judging"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// Progress shows the progress of a run of a judge in one line on a terminal. It always prints
// unreadable answers.
type Progress struct {
	out    io.Writer
	status *status
	// reasons counts the failures by reason: each is shown once.
	reasons map[string]int
}

// Progress shows the progress of a run on the error stream.
func (s Streams) Progress() *Progress { return &Progress{out: s.Err, status: s.status()} }

// Report shows what is done, after a failure if there is one.
func (p *Progress) Report(now judging.Progress, failure *judging.Failure) {
	if failure != nil {
		if p.reasons == nil {
			p.reasons = map[string]int{}
		}
		if p.reasons[failure.Reason]++; p.reasons[failure.Reason] == 1 {
			p.status.clear()
			fmt.Fprintf(p.out, "%s: %s\n", failure.Subject, sanitize.Line(failure.Reason))
			for line := range strings.Lines(strings.TrimRight(failure.Output, "\r\n")) { // of the judge
				fmt.Fprintf(p.out, "  | %s\n", sanitize.Line(strings.TrimRight(line, "\r\n")))
			}
		}
	}
	line := fmt.Sprintf("%d of %d", now.Done, now.Total)
	if now.Failed > 0 {
		line += fmt.Sprintf(", %d failed", now.Failed)
	}
	p.status.show(line)
}

// End keeps the last line.
func (p *Progress) End() {
	p.status.keep()
	for _, reason := range slices.Sorted(maps.Keys(p.reasons)) {
		if n := p.reasons[reason]; n > 1 {
			fmt.Fprintf(p.out, "%s failed the same way: %s\n", render.Count(n-1, "more answer"), sanitize.Line(reason))
		}
	}
}
