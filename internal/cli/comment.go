package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/files/comments"
	"github.com/rubric-library/rubric-library/internal/files/hosts"
	"github.com/rubric-library/rubric-library/internal/files/httpclient"
	"github.com/rubric-library/rubric-library/internal/lint/printer"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// tokenVariable is the environment variable with the token, which no argument can have: other users
// of a machine see the arguments.
const tokenVariable = "RUBRIC_COMMENT_TOKEN"

// commentCall is one call of rubric comment.
type commentCall struct {
	command.Streams

	server, repository string
	number             int
	plainHTTP          bool
	// commit and target are what the run checked, if it chose the pull request.
	commit, target string
}

// commentCommand is the command comment, which puts what a check found on the page of a pull request.
func commentCommand(s command.Streams) *cobra.Command {
	c := &commentCall{Streams: s}
	cmd := &cobra.Command{
		Use:  "comment gitea|forgejo|gitlab FILE",
		Args: command.Arguments(2, 2, "a host (gitea, forgejo, or gitlab), and the file that `rubric lint --format markdown=FILE` wrote"),
		RunE: func(_ *cobra.Command, args []string) error { return c.run(args[0], args[1]) },
	}
	f := command.InOrder(cmd)
	f.StringVar(&c.server, "server", "", "the `address` of the server (default: that of the run)")
	f.StringVar(&c.repository, "repository", "", "the repository, `OWNER/NAME` (default: that of the run)")
	f.IntVar(&c.number, "number", 0, "the number of the pull request (default: that of the run)")
	f.BoolVar(&c.plainHTTP, "plain-http", false, "also send the token to an http address, where others can read it")
	return cmd
}

func (c *commentCall) run(host, name string) error {
	text, mark, err := c.read(name)
	if err != nil {
		return err
	}
	token := c.Getenv(tokenVariable)
	if token == "" {
		return fmt.Errorf("%s is not set: expected a token of a user who may comment", tokenVariable)
	}
	if err := c.complete(host); err != nil {
		return err
	}
	server, err := c.address()
	if err != nil {
		return err
	}
	p, err := comments.Open(host, server, c.repository, c.number, token)
	if err != nil {
		return err
	}
	ctx, stop := command.UntilInterrupted()
	defer stop()
	result, id, err := p.Put(ctx, comments.Comment{
		Start: mark.Start(), Text: text, Quiet: mark.Clean, Commit: c.commit, Target: c.target,
	})
	where := fmt.Sprintf("pull request %d of %s", c.number, c.repository)
	if err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	_, err = fmt.Fprintf(c.Out, "%s: %s\n", sanitize.Line(where), outcome(result, id))
	return err
}

// outcome says what became of a comment.
func outcome(result comments.Result, id int64) string {
	switch result {
	case comments.None:
		return "nothing to report, and no earlier comment: none was created"
	case comments.Outdated:
		return "it has another commit or target by now, whose run comments: nothing was posted"
	}
	return fmt.Sprintf("comment %d %s", id, result)
}

// read reads the Markdown and its mark.
func (c *commentCall) read(name string) (string, printer.Mark, error) {
	f, err := command.ReadInput(name)
	if err != nil {
		return "", printer.Mark{}, err
	}
	mark, found := printer.ReadMark(f.Data)
	if !found || len(f.Data) > printer.MaxComment {
		return "", mark, fmt.Errorf("%s is not a comment: expected what `rubric lint --format markdown=%[1]s` writes", name)
	}
	return string(f.Data), mark, nil
}

// pullRequestRef matches the reference of a pull request.
var pullRequestRef = regexp.MustCompile(`^refs/pull/([1-9][0-9]*)/(?:head|merge)$`)

// numberOf reads a number, or returns 0.
func numberOf(text string) int {
	number, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return number
}

// checked is what a run checked. A number of 0 means no pull request, and no commit an unknown one.
type checked struct {
	server, repository string
	number             int
	commit, target     string
}

// ofActions is what a run with GitHub's variables checked.
func (c *commentCall) ofActions() checked {
	run := checked{
		server: strings.TrimSuffix(c.Getenv("GITHUB_SERVER_URL"), "/"), repository: c.Getenv("GITHUB_REPOSITORY"),
	}
	var event struct {
		Number int
		Pull   struct {
			Head struct{ SHA string }
			Base struct{ Ref string }
		} `json:"pull_request"`
	}
	if name := c.Getenv("GITHUB_EVENT_PATH"); name != "" {
		if f, err := command.ReadInput(name); err == nil {
			_ = json.Unmarshal(f.Data, &event) // an event without a number is not that of a pull request
		}
	}
	run.number, run.commit, run.target = event.Number, event.Pull.Head.SHA, event.Pull.Base.Ref
	if ref := pullRequestRef.FindStringSubmatch(c.Getenv("GITHUB_REF")); ref != nil {
		run.number = numberOf(ref[1])
	}
	return run
}

// ofGitLab is what a run on GitLab checked, which can be a merge of the commit.
func (c *commentCall) ofGitLab() checked {
	run := checked{
		server:     strings.TrimSuffix(c.Getenv("CI_API_V4_URL"), "/api/v4"),
		repository: c.Getenv("CI_MERGE_REQUEST_PROJECT_ID"),
		number:     numberOf(c.Getenv("CI_MERGE_REQUEST_IID")),
		commit:     c.Getenv("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"),
		target:     c.Getenv("CI_MERGE_REQUEST_TARGET_BRANCH_NAME"),
	}
	if run.commit == "" {
		run.commit = c.Getenv("CI_COMMIT_SHA")
	}
	return run
}

// complete takes what no flag sets from the variables of the run.
func (c *commentCall) complete(host string) error {
	run := hosts.OfRun(c.Getenv)
	isGitLab := host == "gitlab"
	if run.ID != "" && c.server == "" && (run.Annotates || isGitLab != (run.ID == "gitlab")) {
		return fmt.Errorf("this run is on %s: name its host, or set --server, --repository, and --number", run.Name)
	}
	found := c.ofActions()
	if isGitLab {
		found = c.ofGitLab()
	}
	if c.server == "" && c.repository == "" && c.number == 0 {
		c.commit, c.target = found.commit, found.target
	}
	if c.server == "" {
		c.server = found.server
	}
	if c.repository == "" {
		c.repository = found.repository
	}
	if c.number == 0 {
		c.number = found.number
	}
	switch {
	case c.server == "":
		return errors.New("the server is unknown outside of a run of its CI: set --server, --repository, and --number")
	case c.repository == "":
		return errors.New("the repository is unknown outside of a run of the host's CI: set --repository")
	case c.number < 1:
		return errors.New("this is not a run for a pull request: set --number to the number of one, or run the command for pull requests only")
	}
	return nil
}

// address parses the address of the server.
func (c *commentCall) address() (*url.URL, error) {
	at, err := url.Parse(c.server)
	switch {
	case err != nil || at.Host == "" || at.User != nil || at.RawQuery != "" || at.Fragment != "" ||
		at.Scheme != "https" && at.Scheme != "http":
		return nil, errors.New("the address of the server must be one such as https://git.example.org, without a user and a query")
	case at.Scheme == "http" && !httpclient.Loopback(at.Hostname()) && !c.plainHTTP:
		return nil, fmt.Errorf("%s is not encrypted, so others could read the token. Use https, or add --plain-http", c.server)
	}
	return at, nil
}
