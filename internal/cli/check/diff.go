package check

import (
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	"github.com/rubric-library/rubric-library/internal/change/diff/printer"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

var diffFormats = []string{"text", "json", "markdown"}

// diffCommand is one call of rubric-diff.
type diffCommand struct {
	command.Streams

	formats     []string
	check       bool
	nextVersion bool
	changelog   bool
	tagPrefix   bool
	first       bool
	replay      bool
	stepOutputs command.StepOutputs

	outputs []command.Output
	*diff.Workspace
	// prefix is the path from the working folder to the head's library, "" if that is
	// not a folder.
	prefix string
	// played is the result of scoring recorded answers again, nil without --replay.
	played *replay.Replay
}

// Diff is the command rubric-diff.
func Diff(s command.Streams) *cobra.Command {
	d := &diffCommand{Streams: s}
	cmd := &cobra.Command{
		Use: "rubric-diff [BASE [HEAD]]",
		PreRunE: command.Conflicts("next-version check changelog replay format", "changelog check replay",
			"tag-prefix next-version check changelog replay format first-release github-output"),
		RunE: func(_ *cobra.Command, args []string) error { return command.ForDiff(d.run(args)) },
	}
	f := command.InOrder(cmd)
	command.FormatFlag(cmd, &d.formats, diffFormats)
	d.stepOutputs.Flag(cmd, "class and next-version (empty if they can't be determined)")
	f.BoolVar(&d.check, "check", false, "exit with 1 if a document or its version does not fit")
	f.BoolVar(&d.replay, "replay", false, "score recorded answers again with both sides, and show which verdicts flip")
	f.BoolVar(&d.nextVersion, "next-version", false, "print the library's version of the next release")
	f.BoolVar(&d.changelog, "changelog", false, "write the changes since the last release, as markdown or json")
	f.BoolVar(&d.tagPrefix, "tag-prefix", false, "print what precedes the version in the library's release tags")
	f.BoolVar(&d.first, "first-release", false, command.FirstReleaseUsage)
	return command.Describe(cmd)
}

func (d *diffCommand) run(args []string) error {
	if err := d.prepare(args); err != nil {
		return err
	}
	// Most comparisons are over before it pays to collect memory.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	d.Workspace = command.OpenWorkspace()
	d.Gates, d.First = d.check, d.first
	defer d.Close()
	if d.tagPrefix {
		return d.printTagPrefix(args)
	}
	c, err := d.compare(args)
	if err != nil {
		return err
	}
	command.ReportIgnored(d.Err, c.Base.Ignored)
	if err := d.setOutputs(c); err != nil {
		return err
	}
	if d.nextVersion {
		return d.printNextVersion(c)
	}
	if d.replay {
		if d.played, err = c.Replay(); err != nil {
			return err
		}
	}
	if d.Repo == nil {
		fmt.Fprintln(d.Err, "Outside a Git repository, only the two sides were compared: the versions before them were not checked.")
	}
	print := func(w io.Writer, format string) error { return d.print(w, format, c) }
	if err := command.PrintOutputs(d.Out, d.outputs, print); err != nil {
		return err
	}
	if d.check && !c.Fits() {
		return command.ErrFindings
	}
	return nil
}

func (d *diffCommand) compare(args []string) (*diff.Comparison, error) {
	sides, err := d.Sides(args)
	if err != nil {
		return nil, err
	}
	if head := sides[len(sides)-1]; head.Dir != "" {
		abs, err := filepath.Abs(head.Dir)
		if err != nil {
			return nil, err
		}
		d.prefix = command.PrefixTo(abs)
	}
	return d.Compare(sides, d.nextVersion || d.changelog, d.Environment())
}

// prepare validates the flags and arguments.
func (d *diffCommand) prepare(args []string) (err error) {
	known := diffFormats
	if d.changelog {
		known = []string{"markdown", "json"}
	}
	if d.outputs, err = command.OutputsOf(d.formats, known); err != nil {
		return err
	}
	if len(args) > 2 {
		return fmt.Errorf("expected at most two libraries to compare, got %d", len(args))
	}
	return d.stepOutputs.Check(d.Streams)
}

func (d *diffCommand) print(w io.Writer, format string, c *diff.Comparison) (err error) {
	var r change.Release
	if d.changelog {
		r, err = d.release(c)
	} else if format == "json" {
		r, err = c.Outline(d.Repo)
	}
	switch {
	case err != nil:
		return err
	case format == "json":
		return printer.JSON(w, c, r, d.played)
	case d.changelog:
		return printer.Changelog(w, c, r)
	case format == "markdown":
		return printer.Markdown(w, c, d.played)
	}
	return printer.Text(w, c, d.played, d.TextOptions(w, d.prefix))
}

// printNextVersion prints only the version, for scripts, and a note for people on the
// error stream.
func (d *diffCommand) printNextVersion(c *diff.Comparison) error {
	r, err := d.release(c)
	if err != nil {
		return err
	}
	if r.Last == r.Next {
		fmt.Fprintf(d.Err, "Nothing changed since %s%s: there is nothing to release.\n", gitrepo.TagPrefix(d.Folder), r.Last)
	}
	_, err = fmt.Fprintln(d.Out, r.Next)
	return err
}

// printTagPrefix prints what precedes the version in the library's release tags, for scripts.
func (d *diffCommand) printTagPrefix(args []string) error {
	if d.Repo == nil {
		return d.Missing
	}
	if _, err := d.Sides(args); err != nil {
		return err
	}
	_, err := fmt.Fprintln(d.Out, gitrepo.TagPrefix(d.Folder))
	return err
}

// release is the library's version. It fails without an earlier release, unless
// --first-release is set, and if another tag has the name of the next one.
func (d *diffCommand) release(c *diff.Comparison) (change.Release, error) {
	r, err := c.Release(d.Repo)
	command.ReportIgnored(d.Err, r.Ignored)
	switch {
	case err != nil || c.Head.Packed: // a bundle names its own version
		return r, err
	case d.First:
		return r, d.checkFirst(c)
	case r.Last == "":
		return r, command.NoRelease(d.Folder, string(r.Next))
	}
	for _, tag := range r.Ignored {
		if tag.Version == string(r.Next) {
			return r, command.TagTaken(tag, tag.Problem)
		}
	}
	return r, nil
}

// checkFirst makes sure that no release precedes the head.
func (d *diffCommand) checkFirst(c *diff.Comparison) (err error) {
	head := c.Head.Commit
	if head.IsZero() { // the working tree
		if head, err = command.HeadOf(d.Repo); err != nil || head.IsZero() {
			return err
		}
	}
	return command.CheckFirstRelease(d.Repo, d.Folder, head, "")
}

// setOutputs sets the class of the whole change and the version of the library's next
// release for later steps.
func (d *diffCommand) setOutputs(c *diff.Comparison) error {
	if !d.stepOutputs.Asked {
		return nil
	}
	r, err := c.Outline(d.Repo)
	if err != nil {
		return err
	}
	if r.Last == "" && !d.First {
		r.Next = "" // --first-release is missing
	}
	return d.stepOutputs.Set(d.Streams,
		command.StepOutput{Name: "class", Value: r.Class.String()},
		command.StepOutput{Name: "next-version", Value: string(r.Next)},
	)
}
