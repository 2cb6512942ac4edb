package author

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/lint/codeowners"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

func (c *editCommand) initCommand() *cobra.Command {
	s := &authoring.Starter{}
	yes := false
	cmd := &cobra.Command{
		Use:  "init",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return c.start(s, yes) },
	}
	f := command.InOrder(cmd)
	f.StringVar(&s.ArtifactType, "artifact-type", "", "the artifact type of the first draft, such as bug_reports; also its folder")
	f.StringVar(&s.Name, "name", "", "the name of the first draft")
	f.StringVar(&s.ID, "id", "", "the ID of the first draft (default: from the name)")
	f.StringVar(&s.Owner, "owner", "", "who reviews every change: @organization/team, @user, an email address, or on GitLab @group/subgroup/team")
	f.StringVar(&s.CI, "ci", "", "where pull requests are checked: "+schema.Or(authoring.CINames(), "or")+" (default: github)")
	f.BoolVarP(&yes, "yes", "y", false, "accept all defaults without asking")
	f.BoolVar(&c.dryRun, "dry-run", false, "show the files as a diff, and write nothing")
	c.Flag(cmd)
	return cmd
}

func (c *editCommand) start(s *authoring.Starter, yes bool) error {
	around, err := startPaths()
	if err != nil {
		return err
	}
	if err := authoring.CheckCI(cmp.Or(s.CI, authoring.CINone)); err != nil {
		return err
	}
	c.library = around
	repository, folder, found := around.Repository()
	s.Inside = found && folder != ""
	if s.Inside && (s.Owner != "" || cmp.Or(s.CI, authoring.CINone) != authoring.CINone) {
		return fmt.Errorf("--owner and --ci are for a library at the root of its repository, which is %s. Run `rubric init` there, or leave them out", repository)
	}
	l, err := authoring.OpenNew(safefile.DirFS(around.Root))
	if err != nil {
		return err
	}
	if err := c.askStarter(l, s, yes); err != nil {
		return err
	}
	b := command.ThisBuild()
	s.Release = b.Release
	if b.Clean {
		s.Commit = b.Commit
	}
	e, err := l.Start(s)
	if err != nil {
		return err
	}
	if err := c.carryOut(e); err != nil || c.dryRun {
		return err
	}
	for _, step := range c.nextSteps(e, found, s) {
		if _, err := fmt.Fprintln(c.Out, sanitize.Line(step)); err != nil {
			return err
		}
	}
	return nil
}

// startPaths is the library that contains the working folder if both are in the same
// repository, or else the working folder.
func startPaths() (*command.Paths, error) {
	dir, _, err := command.Locate(".")
	if err != nil {
		return nil, fmt.Errorf("the working folder can't be read: %w", safefile.Reason(err))
	}
	here := &command.Paths{Root: dir}
	if root, ok := library.Find(dir); ok {
		around := &command.Paths{Root: root, Prefix: command.PrefixTo(root)}
		outer, _, _ := around.Repository()
		if inner, _, _ := here.Repository(); inner == outer {
			return around, nil
		}
	}
	return here, nil
}

func (c *editCommand) askStarter(l *authoring.Local, s *authoring.Starter, yes bool) error {
	kind := &document.Rubric
	ask := func(q *command.Question) error {
		if yes && *q.Value == "" {
			*q.Value, q.Given = q.Standard, true
		}
		return c.Answer(q)
	}
	if !l.HasDocuments() {
		if err := c.missingNames(s, yes); err != nil {
			return err
		}
		err := ask(&command.Question{
			Flag: "--artifact-type", Text: "What does the first rubric score, such as bug_reports", Value: &s.ArtifactType, Standard: "documents",
			Check: func(t string) error { return authoring.CheckArtifactType(kind, t) },
		})
		if err != nil {
			return err
		}
		err = ask(&command.Question{
			Flag: "--name", Text: "Its name", Value: &s.Name, Standard: nameFor(s.ArtifactType),
			Check: func(name string) error { return authoring.CheckName(kind, name) },
		})
		if err != nil {
			return err
		}
		if err := ask(&command.Question{Flag: "--id", Text: "Its ID", Value: &s.ID, Standard: authoring.FirstID(s.Name), Check: func(id string) error { return l.CheckID(kind, id) }}); err != nil {
			return err
		}
	} else if s.ID == "" && s.Name != "" {
		s.ID = authoring.FirstID(s.Name)
	}
	if s.Inside {
		s.CI = authoring.CINone
		return nil
	}
	owned := l.Holds(codeowners.Locations...)
	err := ask(&command.Question{
		Flag: "--owner", Text: "Who reviews every change: a code owner such as @acme/quality, or Enter for a placeholder", Value: &s.Owner,
		Optional: true, Given: owned && s.Owner == "", Check: s.CheckOwner,
	})
	if err != nil {
		return err
	}
	ci := &command.Question{Flag: "--ci", Text: "Where are pull requests checked: " + schema.Or(authoring.CINames(), "or"), Value: &s.CI, Standard: authoring.CIGitHub, Check: authoring.CheckCI}
	if s.CI == "" {
		s.CI = l.FindCI()
	}
	return cmp.Or(ask(ci), s.CheckOwner(s.Owner)) // now that the host is known
}

// missingNames is the error if there is no terminal to ask for the names of the first
// draft.
func (c *editCommand) missingNames(s *authoring.Starter, yes bool) error {
	if yes || c.CanAsk() {
		return nil
	}
	var missing []string
	if s.ArtifactType == "" {
		missing = append(missing, "--artifact-type")
	}
	if s.Name == "" {
		missing = append(missing, "--name")
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("%s %s required when standard input is not a terminal. --yes accepts the defaults instead", schema.Or(missing, "and"), command.IsOrAre(len(missing)))
}

var plural = regexp.MustCompile(`([^ius])s$`)

// nameFor is a name for a rubric about a type of artifact: "Bug report quality".
func nameFor(artifactType string) string {
	words := plural.ReplaceAllString(strings.ReplaceAll(artifactType, "_", " "), "$1")
	return strings.ToUpper(words[:1]) + words[1:] + " quality"
}

// nextSteps are the author's steps after the files are written.
func (c *editCommand) nextSteps(e *authoring.Edit, inRepository bool, s *authoring.Starter) []string {
	if len(e.Files) == 0 {
		return []string{"nothing was written: every file of `rubric init` exists"}
	}
	steps := []string{"", "Next steps:"}
	if !inRepository {
		steps = append(steps, "  git init -b main (this folder is not in a Git repository, and Git keeps the versions)")
	}
	if first := e.Files[0]; s.ID != "" && strings.HasSuffix(first.Path, s.ID+".yaml") {
		steps = append(steps, "  write your rubric into "+path.Join(c.library.Prefix, first.Path)+", and run `rubric lint`")
	}
	if step := s.FillIn(e); step != "" {
		steps = append(steps, "  "+step)
	}
	if s.Owner == "" && slices.ContainsFunc(e.Files, func(f authoring.File) bool { return path.Base(f.Path) == "CODEOWNERS" }) {
		steps = append(steps, "  replace the owner in CODEOWNERS with those who must review every change")
	}
	steps = append(steps, "  git add . && git commit -m \"Start a library of rubrics\"")
	switch s.CI {
	case authoring.CIGitHub:
		steps = append(steps, "  protect the branch, and release the library: "+authoring.Page("own-library.md"))
	case authoring.CINone:
	default:
		steps = append(steps, "  enforce the check: "+authoring.Page("ci.md"))
	}
	return steps
}
