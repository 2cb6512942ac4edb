// Package comment has the command comment, which puts what a check found on the page of a pull
// request.
package comment

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
	"github.com/rubric-library/rubric-library/internal/files/plainhttp"
	"github.com/rubric-library/rubric-library/internal/lint/printer"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// tokenVariable is the environment variable with the token, which no argument can have: other users
// of a machine see the arguments.
const tokenVariable = "RUBRIC_COMMENT_TOKEN"

// commentCommand is one call of rubric comment.
type commentCommand struct {
	command.Streams

	server, repository string
	number             int
	plainHTTP          bool
}

// Command is the command comment.
func Command(s command.Streams) *cobra.Command {
	c := &commentCommand{Streams: s}
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

func (c *commentCommand) run(host, name string) error {
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
	result, id, err := p.Put(ctx, comments.Comment{Start: mark.Start(), Text: text, Quiet: mark.Clean})
	where := fmt.Sprintf("pull request %d of %s", c.number, c.repository)
	if err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	if result == comments.None {
		_, err = fmt.Fprintf(c.Out, "%s: nothing to report, and no earlier comment: none was created\n", sanitize.Line(where))
		return err
	}
	_, err = fmt.Fprintf(c.Out, "%s: comment %d %s\n", sanitize.Line(where), id, result)
	return err
}

// read reads the Markdown and its mark.
func (c *commentCommand) read(name string) (string, printer.Mark, error) {
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

// ofActions is the number of the pull request of a run with GitHub's variables, or 0.
func (c *commentCommand) ofActions() int {
	if ref := pullRequestRef.FindStringSubmatch(c.Getenv("GITHUB_REF")); ref != nil {
		return numberOf(ref[1])
	}
	var event struct{ Number int }
	if name := c.Getenv("GITHUB_EVENT_PATH"); name != "" {
		if f, err := command.ReadInput(name); err == nil {
			_ = json.Unmarshal(f.Data, &event) // an event without a number is not that of a pull request
		}
	}
	return event.Number
}

// complete takes what no flag sets from the variables of the run.
func (c *commentCommand) complete(host string) error {
	run := hosts.OfRun(c.Getenv)
	isGitLab := host == "gitlab"
	if run.ID != "" && c.server == "" && (run.Annotates || isGitLab != (run.ID == "gitlab")) {
		return fmt.Errorf("this run is on %s: name its host, or set --server, --repository, and --number", run.Name)
	}
	server, repository, number := strings.TrimSuffix(c.Getenv("GITHUB_SERVER_URL"), "/"), c.Getenv("GITHUB_REPOSITORY"), c.ofActions()
	if isGitLab {
		server, repository = strings.TrimSuffix(c.Getenv("CI_API_V4_URL"), "/api/v4"), c.Getenv("CI_MERGE_REQUEST_PROJECT_ID")
		number = numberOf(c.Getenv("CI_MERGE_REQUEST_IID"))
	}
	if c.server == "" {
		c.server = server
	}
	if c.repository == "" {
		c.repository = repository
	}
	if c.number == 0 {
		c.number = number
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
func (c *commentCommand) address() (*url.URL, error) {
	at, err := url.Parse(c.server)
	switch {
	case err != nil || at.Host == "" || at.User != nil || at.RawQuery != "" || at.Fragment != "" || at.Scheme != "https" && at.Scheme != "http":
		return nil, errors.New("the address of the server must be one such as https://git.example.org, without a user and a query")
	case at.Scheme == "http" && !plainhttp.Loopback(at.Hostname()) && !c.plainHTTP:
		return nil, fmt.Errorf("%s is not encrypted, so others could read the token. Use https, or add --plain-http", c.server)
	}
	return at, nil
}
