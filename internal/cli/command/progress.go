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

// Progress shows the progress of a run in one line on a terminal. It always prints
// unreadable answers.
type Progress struct {
	Out  io.Writer
	Live bool
	// reasons counts the failures by reason: each is shown once.
	reasons map[string]int
	// width is the width of the line on the terminal.
	width int
}

// Report shows what is done, after a failure if there is one.
func (p *Progress) Report(now judging.Progress, failure *judging.Failure) {
	if failure != nil {
		if p.reasons == nil {
			p.reasons = map[string]int{}
		}
		if p.reasons[failure.Reason]++; p.reasons[failure.Reason] == 1 {
			p.Clear()
			fmt.Fprintf(p.Out, "%s: %s\n", failure.Subject, sanitize.Line(failure.Reason))
			for line := range strings.Lines(strings.TrimRight(failure.Output, "\r\n")) { // of the judge
				fmt.Fprintf(p.Out, "  | %s\n", sanitize.Line(strings.TrimRight(line, "\r\n")))
			}
		}
	}
	if !p.Live {
		return
	}
	line := fmt.Sprintf("%d of %d", now.Done, now.Total)
	if now.Failed > 0 {
		line += fmt.Sprintf(", %d failed", now.Failed)
	}
	p.Clear()
	fmt.Fprint(p.Out, line)
	p.width = len(line)
}

// Say shows what is being done, only on a terminal.
func (p *Progress) Say(format string, args ...any) {
	if p.Live {
		p.Clear()
		line := sanitize.Line(fmt.Sprintf(format, args...))
		fmt.Fprint(p.Out, line)
		p.width = len([]rune(line))
	}
}

// Clear removes the line.
func (p *Progress) Clear() {
	if p.width > 0 {
		fmt.Fprintf(p.Out, "\r%s\r", strings.Repeat(" ", p.width))
		p.width = 0
	}
}

// End keeps the last line.
func (p *Progress) End() {
	if p.width > 0 {
		fmt.Fprintln(p.Out)
	}
	for _, reason := range slices.Sorted(maps.Keys(p.reasons)) {
		if n := p.reasons[reason]; n > 1 {
			fmt.Fprintf(p.Out, "%s failed the same way: %s\n", render.Count(n-1, "more answer"), sanitize.Line(reason))
		}
	}
}
