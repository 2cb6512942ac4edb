package author

import (
	"cmp"
	"errors"
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
	"github.com/rubric-library/rubric-library/internal/files/hosts"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

func (c *editCommand) initCommand() *cobra.Command {
	s := &authoring.Starter{Draft: authoring.Draft{Kind: &document.Rubric}}
	cmd := &cobra.Command{
		Use:  "init",
		Args: command.NoArguments(": it sets up the working folder. Change to another folder first"),
		RunE: func(*cobra.Command, []string) error { return c.start(s) },
	}
	f := command.InOrder(cmd)
	f.StringVar(&s.ArtifactType, "artifact-type", "",
		"the artifact type of the first draft, such as bug_reports; also its folder")
	f.StringVar(&s.Name, "name", "", "the name of the first draft")
	f.StringVar(&s.ID, "id", "", "the ID of the first draft (default: from the name)")
	f.StringVar(&s.Owner, "owner", "", "who reviews every change: @organization/team, @user, an email address, or on GitLab @group/subgroup/team")
	f.StringVar(&s.CI, "ci", "",
		"where pull requests are checked: "+schema.Or(authoring.CINames(), "or")+
			" (default: the host of the repository's files or of its remote, or else github)")
	f.BoolVarP(&c.Yes, "yes", "y", false, "accept all defaults without asking")
	f.BoolVar(&c.dryRun, "dry-run", false, "show the files as a diff, and write nothing")
	c.Flag(cmd)
	return cmd
}

func (c *editCommand) start(s *authoring.Starter) error {
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
	if s.Remote, err = gitrepo.Origin(around.Root); err != nil {
		return err
	}
	why, err := c.askStarter(l, s)
	if errors.Is(err, command.ErrNoTerminal) {
		return fmt.Errorf("%w. --yes accepts the defaults instead", err)
	} else if err != nil {
		return err
	}
	useBuild(s)
	if s.Branch, err = gitrepo.DefaultBranch(around.Root); err != nil {
		return err
	}
	e, err := l.Start(s)
	if err != nil {
		return err
	}
	if err := c.carryOut(e); err != nil || c.dryRun {
		return err
	}
	return c.printSteps(e, found, s, why)
}

// printSteps prints what is left for the author. why says how the host of the CI is known, or is "".
func (c *editCommand) printSteps(e *authoring.Edit, found bool, s *authoring.Starter, why string) error {
	steps := c.nextSteps(e, found, s)
	if len(e.Files) > 0 && why != "" {
		steps = slices.Insert(steps, 0, why)
	}
	if len(e.Files) > 0 || why == "" {
		protection, err := protectionSteps(s)
		if err != nil {
			return err
		}
		steps = append(steps, protection...)
	}
	return c.printLines(steps)
}

// useBuild sets by which release and commit a library refers to these programs.
func useBuild(s *authoring.Starter) {
	b := command.ThisBuild()
	s.Release = b.Release
	if b.Clean {
		s.Commit = b.Commit
	}
}

func (c *editCommand) printLines(lines []string) error {
	for _, line := range lines {
		if _, err := fmt.Fprintln(c.Out, sanitize.Line(line)); err != nil {
			return err
		}
	}
	return nil
}

// startPaths is the library that contains the working folder if both are in the same
// repository, or else the working folder.
func startPaths() (*command.Located, error) {
	dir, _, err := command.Locate(".")
	if err != nil {
		return nil, fmt.Errorf("the working folder can't be read: %w", safefile.Reason(err))
	}
	here := &command.Located{Root: dir}
	if why := gitrepo.Missing(dir, library.Root); why != nil && why.Sparse {
		return nil, fmt.Errorf("there is a library here already: %w", why)
	}
	around, err := command.FindLibrary(command.Place{Anywhere: true}, nil)
	if err != nil {
		return nil, err
	}
	if around.Root != "" {
		outer, _, _ := around.Repository()
		if inner, _, _ := here.Repository(); inner == outer {
			return around, nil
		}
	}
	return here, nil
}

// askStarter asks for what no flag says. why says which host was taken without a question, and why.
func (c *editCommand) askStarter(l *authoring.Local, s *authoring.Starter) (why string, err error) {
	if !l.HasDocuments() {
		if err := c.Answer(c.names(l, &s.Draft)...); err != nil {
			return "", err
		}
	} else if s.ID == "" && s.Name != "" {
		s.ID = authoring.FirstID(s.Name)
	}
	if s.Inside {
		s.CI = authoring.CINone
		return "", nil
	}
	found, asked := authoring.FoundCI{}, false
	if s.CI == "" {
		found = l.FindCI(s.Remote)
		asked = !found.InFiles && c.CanAsk() && !c.Yes
	}
	if found.InFiles {
		s.CI = found.ID
	}
	if s.CI == "" && found.ID == "" && !asked {
		return "", authoring.UnknownHost(s.Remote)
	}
	owned := slices.ContainsFunc(hosts.Table, func(h hosts.Host) bool { return l.Holds(h.Owners...) })
	err = c.Answer(&command.Question{
		Flag: "--owner", Text: "Who reviews every change: a code owner such as @acme/quality, or Enter for a placeholder", Value: &s.Owner,
		Optional: true, Given: owned && s.Owner == "", Check: s.CheckOwner,
	}, &command.Question{
		Flag: "--ci", Text: "Where are pull requests checked: " + schema.Or(authoring.CINames(), "or"), Value: &s.CI,
		Standard: func() string { return cmp.Or(found.ID, authoring.CIGitHub) }, Check: authoring.CheckCI,
	})
	if found.Why != "" && !asked {
		why = fmt.Sprintf("the CI is %s, because %s: --ci chooses another one", s.CI, found.Why)
	}
	return why, cmp.Or(err, s.CheckOwner(s.Owner)) // now that the host is known
}

var plural = regexp.MustCompile(`([^ius])s$`)

// nameFor is a name for a document about a type of artifact: "Bug report quality" for a rubric.
func nameFor(kind *document.Kind, artifactType string) string {
	words := plural.ReplaceAllString(strings.ReplaceAll(artifactType, "_", " "), "$1")
	if kind == &document.Rubric {
		words += " quality"
	}
	return strings.ToUpper(words[:1]) + words[1:]
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
	if step := s.UnpublishedFiles(e); step != "" {
		steps = append(steps, "  "+step)
	}
	isOwners := func(f authoring.File) bool { return path.Base(f.Path) == "CODEOWNERS" }
	if s.Owner == "" && slices.ContainsFunc(e.Files, isOwners) {
		steps = append(steps, "  replace the owner in CODEOWNERS with those who must review every change")
	}
	steps = append(steps, "  git add . && git commit -m \"Start a library of rubrics\"")
	switch s.CI {
	case authoring.CIGitHub:
		steps = append(steps, "  protect the branch, and release the library: "+authoring.Page("own-library.md"))
	case authoring.CINone:
	default:
		steps = append(steps, "  protect the branch, so that the check is required: "+authoring.Page("ci.md"))
	}
	return steps
}

// protectionSteps are the requests that protect the branch, where the host has an API for it.
func protectionSteps(s *authoring.Starter) ([]string, error) {
	requests, err := s.Protection()
	if err != nil || requests == "" {
		return nil, err
	}
	steps := []string{
		"", "These requests to " + s.API() + ", sent by an administrator, protect the branch and the release tags:",
	}
	return append(steps, strings.Split(strings.TrimSpace(requests), "\n")...), nil
}
