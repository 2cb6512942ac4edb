package check

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	diffprinter "github.com/rubric-library/rubric-library/internal/change/diff/printer"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/files/hosts"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/printer"
	"github.com/rubric-library/rubric-library/internal/render"
)

// effect is what a change does to scores and verdicts, as `rubric diff --replay` shows it.
type effect struct {
	change  *diff.Comparison
	release change.Release
	played  *replay.Replay
}

// effect describes the change that was checked. It is nil if nothing was compared.
func (l *lintCommand) effect(r *lint.Report) (*effect, error) {
	if r.Judged == nil || l.span != nil {
		return nil, nil
	}
	e := &effect{change: diff.Of(r.Judged)}
	if l.library.Commit != nil {
		e.change.Head.Name = fmt.Sprintf("commit %.12s", l.opts.History.Commit.Hash)
	}
	var err error
	if e.release, err = e.change.Outline(l.opts.History.Repo); err != nil {
		return nil, err
	}
	e.played, err = e.change.Replay()
	return e, err
}

// endsLog reports whether text on a stream is all that a reviewer sees of the run.
func (l *lintCommand) endsLog(w io.Writer) bool {
	host := hosts.OfRun(l.Getenv)
	return w == l.Out && !command.Terminal(w) && host.ID != "" && !host.Annotates
}

// describes reports whether an output describes the change in addition to the findings.
func (l *lintCommand) describes(o command.Output) bool {
	return o.Format == "markdown" ||
		slices.Contains([]string{"text", "github"}, o.Format) && o.File == "" && l.endsLog(l.Out)
}

// end is the end of a text, nil if it has none.
func (l *lintCommand) end(w io.Writer, r *lint.Report) *printer.End {
	if !l.endsLog(w) {
		return nil
	}
	e, err := l.effect(r)
	switch {
	case err != nil:
		return &printer.End{Effect: []string{unknownEffect(err)}}
	case e == nil:
		return &printer.End{}
	}
	return &printer.End{Effect: diffprinter.Brief(e.change, e.release, e.played)}
}

// unknownEffect says why there is no effect. The exit code is that of the check, which reports what
// is wrong with the files.
func unknownEffect(err error) string {
	return fmt.Sprintf("What the change does to verdicts can't be determined: %v.", err)
}

// comment writes the findings and what the change does for a comment on a pull request. The findings
// leave room for the rest.
func (l *lintCommand) comment(w io.Writer, r *lint.Report) error {
	e, wrong := l.effect(r)
	prefix := l.library.InRepository()
	clean := r.Summary.Errors+r.Summary.Warnings == 0 && wrong == nil && (e == nil || e.change.IsSame())
	var b strings.Builder
	b.WriteString(printer.MarkOf(prefix, clean).String())
	if err := printer.Markdown(&b, r, prefix, "", printer.MaxComment/2); err != nil {
		return err
	}
	switch {
	case wrong != nil:
		b.WriteString("\n" + render.Plain(unknownEffect(wrong)) + "\n")
	case e != nil && !clean:
		b.WriteString("\n### Change\n\n")
		if class := diffprinter.Class(e.release); class != "" {
			b.WriteString(class + "\n\n")
		}
		if err := diffprinter.Markdown(&b, e.change, e.played); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, render.CutMarkdown(b.String(), printer.MaxComment))
	return err
}
