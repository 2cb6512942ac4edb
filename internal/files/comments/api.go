package comments

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// api is how a host names what is called.
type api struct {
	// prefix is the path of the API below the server.
	prefix string
	// edit is the method that replaces the text of a comment.
	edit string
	// scopes are what a token needs, for messages.
	scopes string
	// page is the query for one page of the comments, the oldest first. Gitea has them all in one.
	page func(number int) string
	// paths returns the paths of the comments of a pull request, and of those that exist.
	paths func(repository string, number int) (comments, edited string, err error)
}

var gitea = &api{
	prefix: "/api/v1", edit: http.MethodPatch, scopes: "write:issue and read:user",
	page: func(number int) string { return fmt.Sprintf("page=%d&limit=50", number) },
	paths: func(repository string, number int) (comments, edited string, err error) {
		owner, name, ok := strings.Cut(repository, "/")
		if !ok || !plain(owner) || !plain(name) {
			return "", "", fmt.Errorf("the repository must be OWNER/NAME, got %q", repository)
		}
		issues := "repos/" + url.PathEscape(owner) + "/" + url.PathEscape(name) + "/issues"
		return fmt.Sprintf("%s/%d/comments", issues, number), issues + "/comments", nil
	},
}

// apis are the APIs of the hosts by ID.
var apis = map[string]*api{
	"gitea": gitea, "forgejo": gitea,
	"gitlab": {
		prefix: "/api/v4", edit: http.MethodPut, scopes: "api",
		page: func(number int) string {
			return fmt.Sprintf("page=%d&per_page=100&order_by=created_at&sort=asc", number)
		},
		paths: func(repository string, number int) (comments, edited string, err error) {
			for part := range strings.SplitSeq(repository, "/") {
				if !plain(part) {
					return "", "", errors.New("the repository must be GROUP/PROJECT, or the number of the project")
				}
			}
			notes := fmt.Sprintf("projects/%s/merge_requests/%d/notes", url.PathEscape(repository), number)
			return notes, notes, nil
		},
	},
}

// plain reports whether a part of a path names something: a server could take others away.
func plain(part string) bool { return part != "" && part != "." && part != ".." }
