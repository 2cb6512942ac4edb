package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/judging"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// progress shows how far a run is: on a terminal in one line that changes, and
// answers that could not be read everywhere.
type progress struct {
	out io.Writer
	// live tells that out is a terminal.
	live bool
	// width is that of the line which stands on the terminal.
	width int
}

// report shows the state after an answer.
func (p *progress) report(now judging.Progress, failure *judging.Failure) {
	if failure != nil {
		p.clear()
		fmt.Fprint(p.out, failureText(failure))
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

// end leaves the last line where it is.
func (p *progress) end() {
	if p.width > 0 {
		fmt.Fprintln(p.out)
	}
}

// failureText is what went wrong, with what the judge said of it.
func failureText(f *judging.Failure) string {
	var b strings.Builder
	fmt.Fprintf(&b, "item %s", f.Item)
	if f.Repeat > 1 {
		fmt.Fprintf(&b, ", repeat %d", f.Repeat)
	}
	fmt.Fprintf(&b, ": %s\n", sanitize.Line(f.Reason))
	for line := range strings.Lines(strings.TrimRight(f.Output, "\r\n")) {
		fmt.Fprintf(&b, "  | %s\n", sanitize.Line(strings.TrimRight(line, "\r\n")))
	}
	return b.String()
}
