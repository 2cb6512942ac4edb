package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/cli/stepoutput"
	"github.com/rubric-library/rubric-library/internal/diff"
	"github.com/rubric-library/rubric-library/internal/diff/printer"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/repository/history"
)

var diffFormats = []string{"text", "json", "markdown", "html"}

// diffFlags is what the user asked rubric-diff for.
type diffFlags struct {
	formats     []string
	check       bool
	nextVersion bool
	changelog   bool
	first       bool
	replay      bool
	stepOutputs stepOutputs
}

// diffCommand is one call of rubric-diff.
type diffCommand struct {
	Streams
	diffFlags
	outputs []output
	*diff.Workspace
	// prefix is the way from the working folder to the head's library, "" if it
	// is no folder.
	prefix string
	// played is what came of the recorded scores, nil without --replay.
	played *replay.Replay
}

// Diff is the command rubric-diff.
func Diff(s Streams) *cobra.Command {
	d := &diffCommand{Streams: s}
	cmd := &cobra.Command{
		Use:   "rubric-diff [BASE [HEAD]]",
		Short: "Show what a change does to scores and verdicts, and which version it needs",
		Long: `Show what a change of a library does: first what it does to scores and verdicts,
then the words that a judge reads, then the rest; and for each document which
version it needs.

BASE and HEAD are each a revision (a branch, a tag, a commit, HEAD~2), a folder
that holds rubrics/, or a bundle. rev: and path: before the name say which is
meant where it could be both. Without HEAD the working tree is compared, with its
uncommitted edits.

Without BASE it is compared with the branch that the change goes into, as
rubric-lint finds it: what changed is shown since the two parted, and versions
count from what that branch has now.

--replay shows besides whose verdict a change flips: the scores that judges and
people gave, in calibration/ of HEAD, are scored again under both sides of each
changed rubric, and the patterns are searched again. Where words changed it says
which judge runs must be repeated.

--next-version and --changelog compare with the last release instead, which is
the highest tag library-vX.Y.Z. Where there is none, --first-release says that
this is right: else a clone without tags would start at 1.0.0 again.

Exit codes: 0 compared, 1 with --check if a version does not fit, a document can't
be compared, or one is removed that neither the ledger nor an exception lists, 2
the comparison could not be done, or the library's version can't be told.`,
		Example: `  rubric-diff                                   what this branch changes
  rubric-diff main                              compare the working tree with main
  rubric-diff library-v1.0.0 library-v1.1.0     compare two releases
  rubric-diff path:../old path:.                compare two folders
  rubric-diff released.zip rubrics.zip          compare two bundles
  rubric-diff --check                           fail if a version does not fit
  rubric-diff --replay                          whose recorded verdicts this branch flips
  rubric-diff --format markdown=summary.md      write a summary for a pull request
  rubric-diff --format html=changes.html        draw it on a page that needs nothing else
  rubric-diff --next-version                    the version of the next release
  rubric-diff --changelog                       what changed since the last release
  rubric-diff --changelog 1.0.zip 1.1.zip       what changed between two released bundles`,
		RunE: func(cmd *cobra.Command, args []string) error { return d.run(cmd, args) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	formatFlag(cmd, &d.formats, diffFormats)
	d.stepOutputs.flag(cmd, "class and next-version (empty where they can't be told)")
	f.BoolVar(&d.check, "check", false, "exit with 1 if a document or its version does not fit")
	f.BoolVar(&d.replay, "replay", false, "score recorded answers again under both sides, and show which verdicts flip")
	f.BoolVar(&d.nextVersion, "next-version", false, "print the library's version of the next release")
	f.BoolVar(&d.changelog, "changelog", false, "write what changed since the last release, as markdown or json")
	f.BoolVar(&d.first, "first-release", false, firstReleaseUsage)
	return cmd
}

func (d *diffCommand) run(cmd *cobra.Command, args []string) error {
	if err := d.prepare(cmd.Flags().Changed("format"), args); err != nil {
		return err
	}
	d.Workspace = openWorkspace()
	defer d.Close()
	c, err := d.compare(args)
	if unknown, ok := errors.AsType[*diff.UnknownSideError](err); ok {
		return commandInstead(cmd, unknown)
	}
	if err != nil {
		return forDiff(err)
	}
	if err := d.setOutputs(c); err != nil {
		return forDiff(err)
	}
	if d.nextVersion {
		return d.printNextVersion(c)
	}
	if d.replay {
		if d.played, err = c.Replay(); err != nil {
			return err
		}
	}
	for _, o := range d.outputs {
		if err := o.write(d.Out, func(w io.Writer, toFile bool) error { return d.print(w, o.format, toFile, c) }); err != nil {
			return forDiff(err)
		}
	}
	if d.check && slices.ContainsFunc(c.Documents, func(d diff.Document) bool { return !d.Fits }) {
		return errFindings
	}
	return nil
}

// commandInstead names the command where one was probably meant as a side.
func commandInstead(cmd *cobra.Command, unknown *diff.UnknownSideError) error {
	instead := ""
	for _, c := range Rubric(Streams{}).Commands() {
		if c.Name() == unknown.Name {
			instead = "rubric " + c.Name()
		}
	}
	switch {
	case unknown.Name == "help":
		instead = cmd.CommandPath() + " --help"
	case unknown.Name == "version" && !cmd.HasParent():
		instead = cmd.CommandPath() + " --version"
	}
	if instead == "" {
		return unknown
	}
	return fmt.Errorf("%q is a command, not a revision, a folder, or a bundle. Run `%s`", unknown.Name, instead)
}

// openWorkspace opens the library and the repository around the working folder.
func openWorkspace() *diff.Workspace {
	root := ""
	if l, err := findLibrary(nil, ""); err == nil {
		root = l.root
	}
	return diff.OpenWorkspace(root)
}

// compare reads both sides and compares them.
func (d *diffCommand) compare(args []string) (*diff.Comparison, error) {
	sides, err := d.Sides(args)
	if err != nil {
		return nil, err
	}
	head := sides[len(sides)-1]
	if head.Dir != "" {
		abs, err := filepath.Abs(head.Dir)
		if err != nil {
			return nil, err
		}
		d.prefix = prefixTo(abs)
	}
	switch {
	case len(args) > 0:
		return d.Compare(sides[0], head)
	case d.nextVersion || d.changelog:
		return d.CompareWithRelease(head, lint.TagPrefix)
	}
	return d.CompareWithTarget(head, d.environment())
}

// prepare reads the flags. formatted tells that --format was given.
func (d *diffCommand) prepare(formatted bool, args []string) (err error) {
	known := diffFormats
	if d.changelog {
		known = []string{"markdown", "json"}
	}
	if d.outputs, err = outputsOf(d.formats, known); err != nil {
		return err
	}
	if err := d.stepOutputs.check(d.Streams); err != nil {
		return err
	}
	asked := 0
	for _, flag := range []bool{d.check, d.nextVersion, d.changelog} {
		if flag {
			asked++
		}
	}
	switch {
	case len(args) > 2:
		return fmt.Errorf("two libraries are compared, and %d are named", len(args))
	case asked > 1:
		return errors.New("--check, --next-version and --changelog exclude each other")
	case d.replay && (d.nextVersion || d.changelog):
		return errors.New("--replay is about a change, and --next-version and --changelog are about a release: ask for one of them")
	case d.nextVersion && formatted:
		return errors.New("--next-version prints the version alone. --changelog --format json has it too")
	}
	return nil
}

func (d *diffCommand) print(w io.Writer, format string, toFile bool, c *diff.Comparison) error {
	switch {
	case format == "json" && !d.changelog:
		r, err := c.Library(d.Repo, d.Folder, lint.TagPrefix)
		if err != nil {
			return err
		}
		return printer.JSON(w, c, r, d.played)
	case d.changelog:
		r, err := d.release(c)
		if err != nil {
			return err
		}
		if format == "json" {
			return printer.JSON(w, c, r, nil)
		}
		return printer.Changelog(w, c, r)
	case format == "markdown":
		return printer.Markdown(w, c, d.played)
	case format == "html":
		return printer.HTML(w, c, d.played)
	}
	return printer.Text(w, c, d.played, render.TextOptions{Color: !toFile && d.color(w), Prefix: d.prefix})
}

// printNextVersion prints the version alone, for scripts, and what a person
// should know besides on the error stream.
func (d *diffCommand) printNextVersion(c *diff.Comparison) error {
	r, err := d.release(c)
	if err != nil {
		return forDiff(err)
	}
	if r.Last == r.Next {
		fmt.Fprintf(d.Err, "Nothing changed since %s%s: there is nothing to release.\n", lint.TagPrefix, r.Last)
	}
	_, err = fmt.Fprintln(d.Out, r.Next)
	return err
}

// release is the library's own version, where there was a release or none is wanted.
func (d *diffCommand) release(c *diff.Comparison) (diff.Release, error) {
	r, err := c.Release(d.Repo, d.Folder, lint.TagPrefix)
	if err == nil && r.Last == "" && !d.first {
		err = noRelease(r.Next)
	}
	return r, err
}

// setOutputs tells later steps the class of the whole change and the library's
// version of the next release.
func (d *diffCommand) setOutputs(c *diff.Comparison) error {
	if !d.stepOutputs.asked {
		return nil
	}
	r, err := c.Library(d.Repo, d.Folder, lint.TagPrefix)
	if err != nil {
		return err
	}
	if r.Last == "" && !d.first {
		r.Next = "" // nobody said that this is the first release
	}
	return d.stepOutputs.set(d.Streams,
		stepoutput.Output{Name: "class", Value: r.Class.String()},
		stepoutput.Output{Name: "next-version", Value: r.Next},
	)
}

// forDiff words errors for this command.
func forDiff(err error) error {
	if moved := (*history.GoneError)(nil); errors.As(err, &moved) {
		return fmt.Errorf("%w.\nTo compare it with another folder, check that commit out somewhere:\n"+
			"git worktree add ../before %.12s\nrubric-diff path:../before/%s path:FOLDER", err, moved.Commit.Hash, moved.Folder)
	}
	return err
}
