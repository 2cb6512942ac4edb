// Package comments puts one comment on a pull request through the API of its host, and later
// replaces its text. It promises:
//
//   - A comment is changed only if it begins with the mark and the user of the token wrote it.
//   - Of runs at once, or in another order than their commits, the last one for the newest commit
//     decides the text, and one comment is left.
//   - The token is sent to no other server, also if one redirects, and is in no error.
package comments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/files/httpclient"
)

// The limits of what a host answers: the bytes of an answer, and the comments that are read to find
// the earlier one.
const (
	maxAnswer   = 32 << 20
	maxComments = 10_000
)

// Result says what became of a comment.
type Result string

// The results. None means that there was nothing to say, and no earlier comment. Outdated means that
// the pull request has another commit or target by now, whose run has the comment.
const (
	Created   Result = "created"
	Updated   Result = "updated"
	Unchanged Result = "unchanged"
	None      Result = "none"
	Outdated  Result = "outdated"
)

// Comment is what to say about a pull request.
type Comment struct {
	// Start is how the text begins, and that of the earlier comment.
	Start, Text string
	// Quiet says that only an earlier comment is worth an update.
	Quiet bool
	// Commit is the last one of the pull request that was checked, and Target the branch that it was
	// checked for. Without a commit, it is taken for the newest.
	Commit, Target string
}

// PullRequest is a pull request on a host whose API is called with a token.
type PullRequest struct {
	api    *api
	server *url.URL
	token  string
	client *http.Client
	places
}

// Open returns a pull request of a repository. host is gitea, forgejo, or gitlab, and server the
// address with which a user opens it. The repository is OWNER/NAME, or on GitLab also the number of
// a project.
func Open(host string, server *url.URL, repository string, number int, token string) (*PullRequest, error) {
	a, found := apis[host]
	if !found {
		return nil, fmt.Errorf("the host must be gitea, forgejo, or gitlab, got %q", host)
	}
	var o httpclient.Options
	o.AddToken(token)
	client, err := o.Client(server, 30*time.Second, nil)
	if err != nil {
		return nil, err
	}
	client.Timeout = time.Minute
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	at, err := a.places(repository, number)
	return &PullRequest{api: a, server: server, token: token, client: client, places: at}, err
}

// Put creates the comment, or replaces the text of the earlier one. id is its number, 0 if there is
// none.
func (p *PullRequest) Put(ctx context.Context, c Comment) (result Result, id int64, err error) {
	outdated, err := p.isOutdated(ctx, c)
	if err != nil {
		return None, 0, fmt.Errorf("the newest commit can't be determined: %w", err)
	}
	if outdated {
		return Outdated, 0, nil
	}
	me, err := p.user(ctx)
	if err != nil {
		return None, 0, fmt.Errorf("the user of the token can't be determined: %w", err)
	}
	earlier, err := p.find(ctx, me, c.Start)
	switch {
	case err != nil:
		return None, 0, fmt.Errorf("the comments can't be read: %w", err)
	case earlier == nil && c.Quiet:
		return None, 0, nil
	case earlier == nil:
		return p.create(ctx, me, c)
	}
	return p.replace(ctx, earlier, c)
}

// isOutdated reports whether the pull request is no longer what was checked.
func (p *PullRequest) isOutdated(ctx context.Context, c Comment) (bool, error) {
	if c.Commit == "" {
		return false, nil
	}
	var now struct {
		Head struct{ SHA string } // of Gitea
		Base struct{ Ref string }
		SHA  string // of GitLab
		// Target is the branch on GitLab.
		Target string `json:"target_branch"`
	}
	if err := p.call(ctx, http.MethodGet, p.pull, nil, decode(&now)); err != nil {
		return false, err
	}
	commit, target := now.Head.SHA+now.SHA, now.Base.Ref+now.Target
	if commit == "" || target == "" {
		return false, errors.New("the server names none. Check the address")
	}
	return commit != c.Commit || target != c.Target, nil
}

// user is the user of the token.
func (p *PullRequest) user(ctx context.Context) (me user, err error) {
	if err := p.call(ctx, http.MethodGet, "user", nil, decode(&me)); err != nil {
		return user{}, err
	}
	if me.ID == 0 {
		return user{}, errors.New("the server names none. Check the address")
	}
	return me, nil
}

// create creates the comment. If another run created one since, that one gets the text.
func (p *PullRequest) create(ctx context.Context, me user, c Comment) (result Result, id int64, err error) {
	var made posted
	if err := p.call(ctx, http.MethodPost, p.comments, body(c), decode(&made)); err != nil {
		return None, 0, fmt.Errorf("the comment can't be created: %w", err)
	}
	first, err := p.find(ctx, me, c.Start)
	if err != nil {
		return None, 0, fmt.Errorf("the comment was created, but the others can't be read: %w", err)
	}
	if first == nil || first.ID == made.ID {
		return Created, made.ID, nil
	}
	if err := p.call(ctx, http.MethodDelete, p.one(made.ID), nil, nil); err != nil {
		return None, 0, fmt.Errorf("another run commented at the same time, and this comment can't be deleted: %w", err)
	}
	return p.replace(ctx, first, c)
}

// replace replaces the text of a comment.
func (p *PullRequest) replace(ctx context.Context, earlier *posted, c Comment) (result Result, id int64, err error) {
	if strings.TrimSpace(earlier.Body) == strings.TrimSpace(c.Text) {
		return Unchanged, earlier.ID, nil
	}
	if err := p.call(ctx, p.api.edit, p.one(earlier.ID), body(c), nil); err != nil {
		return None, 0, fmt.Errorf("the comment can't be updated: %w", err)
	}
	return Updated, earlier.ID, nil
}

// one is the path of a comment.
func (p *PullRequest) one(id int64) string { return p.edited + "/" + strconv.FormatInt(id, 10) }

func body(c Comment) map[string]string { return map[string]string{"body": c.Text} }

// decode reads a JSON answer into a value.
func decode(into any) func(io.Reader) error {
	return func(body io.Reader) error { return json.NewDecoder(body).Decode(into) }
}

type user struct {
	ID int64 `json:"id"`
}

// posted is a comment of a host: Gitea names its author User.
type posted struct {
	ID     int64  `json:"id"`
	Body   string `json:"body"`
	User   user   `json:"user"`
	Author user   `json:"author"`
}

// find returns the first comment of a user that begins with start, or nil.
func (p *PullRequest) find(ctx context.Context, me user, start string) (found *posted, err error) {
	read := 0
	for page := 1; ; page++ {
		more := false
		err := p.send(ctx, http.MethodGet, p.comments+"?"+p.api.page(page), nil, func(response *http.Response) error {
			more = slices.ContainsFunc(response.Header.Values("Link"), func(link string) bool {
				return strings.Contains(link, `rel="next"`)
			})
			return eachOf(response.Body, func(c *posted) (bool, error) {
				if read++; read > maxComments {
					return false, fmt.Errorf("there are more than %d, and the earlier one is not among the first. Delete some", maxComments)
				}
				if slices.Contains([]user{c.User, c.Author}, me) && strings.HasPrefix(strings.TrimSpace(c.Body), start) {
					found = c
				}
				return found == nil, nil
			})
		})
		if err != nil || found != nil || !more {
			return found, err
		}
	}
}

// eachOf reads a JSON list element by element, until do returns false.
func eachOf[T any](body io.Reader, do func(*T) (more bool, err error)) error {
	d := json.NewDecoder(body)
	if start, err := d.Token(); err != nil || start != json.Delim('[') {
		return errors.Join(errors.New("expected a JSON list"), err)
	}
	for d.More() {
		var one T
		if err := d.Decode(&one); err != nil {
			return err
		}
		if more, err := do(&one); !more || err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}
