package cli

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

// progress shows the progress of a run in one line on a terminal. It always prints
// unreadable answers.
type progress struct {
	out  io.Writer
	live bool
	// reasons counts the failures by reason: each is shown once.
	reasons map[string]int
	// width is the width of the line on the terminal.
	width int
}

func (p *progress) report(now judging.Progress, failure *judging.Failure) {
	if failure != nil {
		if p.reasons == nil {
			p.reasons = map[string]int{}
		}
		if p.reasons[failure.Reason]++; p.reasons[failure.Reason] == 1 {
			p.clear()
			fmt.Fprintf(p.out, "%s: %s\n", failure.Subject, sanitize.Line(failure.Reason))
			for line := range strings.Lines(strings.TrimRight(failure.Output, "\r\n")) { // of the judge
				fmt.Fprintf(p.out, "  | %s\n", sanitize.Line(strings.TrimRight(line, "\r\n")))
			}
		}
	}
	if !p.live {
		return
	}
	line := fmt.Sprintf("%d of %d", now.Done, now.Total)
	if now.Failed > 0 {
		line += fmt.Sprintf(", %d failed", now.Failed)
	}
	p.clear()
	fmt.Fprint(p.out, line)
	p.width = len(line)
}

func (p *progress) clear() {
	if p.width > 0 {
		fmt.Fprintf(p.out, "\r%s\r", strings.Repeat(" ", p.width))
		p.width = 0
	}
}

// end keeps the last line.
func (p *progress) end() {
	if p.width > 0 {
		fmt.Fprintln(p.out)
	}
	for _, reason := range slices.Sorted(maps.Keys(p.reasons)) {
		if n := p.reasons[reason]; n > 1 {
			fmt.Fprintf(p.out, "%s failed the same way: %s\n", render.Count(n-1, "more answer"), sanitize.Line(reason))
		}
	}
}
