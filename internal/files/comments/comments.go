// Package comments puts one comment on a pull request through the API of its host, and later
// replaces its text. It promises:
//
//   - A comment is changed only if it begins with the mark and the user of the token wrote it.
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

// The results. None means that there was nothing to say, and no earlier comment.
const (
	Created   Result = "created"
	Updated   Result = "updated"
	Unchanged Result = "unchanged"
	None      Result = "none"
)

// Comment is what to say about a pull request.
type Comment struct {
	// Start is how the text begins, and that of the earlier comment.
	Start, Text string
	// Quiet says that only an earlier comment is worth an update.
	Quiet bool
}

// PullRequest is a pull request on a host whose API is called with a token.
type PullRequest struct {
	api    *api
	server *url.URL
	token  string
	client *http.Client
	// comments is the path of its comments, and edited that of those that exist, relative to the API.
	comments, edited string
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
	p := &PullRequest{api: a, server: server, token: token, client: client}
	p.comments, p.edited, err = a.paths(repository, number)
	return p, err
}

// Put creates the comment, or replaces the text of the earlier one. id is its number, 0 if there is
// none.
func (p *PullRequest) Put(ctx context.Context, c Comment) (result Result, id int64, err error) {
	var me user
	if err := p.call(ctx, http.MethodGet, "user", nil, func(body io.Reader) error { return json.NewDecoder(body).Decode(&me) }); err != nil {
		return None, 0, fmt.Errorf("the user of the token can't be determined: %w", err)
	}
	if me.ID == 0 {
		return None, 0, errors.New("the user of the token can't be determined: the server names none. Check the address")
	}
	earlier, err := p.find(ctx, me, c.Start)
	body := map[string]string{"body": c.Text}
	switch {
	case err != nil:
		return None, 0, fmt.Errorf("the comments can't be read: %w", err)
	case earlier == nil && c.Quiet:
		return None, 0, nil
	case earlier == nil:
		var made posted
		err := p.call(ctx, http.MethodPost, p.comments, body, func(body io.Reader) error { return json.NewDecoder(body).Decode(&made) })
		if err != nil {
			return None, 0, fmt.Errorf("the comment can't be created: %w", err)
		}
		return Created, made.ID, nil
	case strings.TrimSpace(earlier.Body) == strings.TrimSpace(c.Text):
		return Unchanged, earlier.ID, nil
	}
	path := p.edited + "/" + strconv.FormatInt(earlier.ID, 10)
	if err := p.call(ctx, p.api.edit, path, body, nil); err != nil {
		return None, 0, fmt.Errorf("the comment can't be updated: %w", err)
	}
	return Updated, earlier.ID, nil
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
			more = slices.ContainsFunc(response.Header.Values("Link"), func(link string) bool { return strings.Contains(link, `rel="next"`) })
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
