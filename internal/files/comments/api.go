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
	// places returns the paths of a pull request.
	places func(repository string, number int) (places, error)
}

// places are paths below the API: of a pull request, of its comments, and of those that exist.
type places struct{ pull, comments, edited string }

var gitea = &api{
	prefix: "/api/v1", edit: http.MethodPatch, scopes: "write:issue, read:repository, and read:user",
	page: func(number int) string { return fmt.Sprintf("page=%d&limit=50", number) },
	places: func(repository string, number int) (places, error) {
		owner, name, ok := strings.Cut(repository, "/")
		if !ok || !plain(owner) || !plain(name) {
			return places{}, fmt.Errorf("the repository must be OWNER/NAME, got %q", repository)
		}
		root := "repos/" + url.PathEscape(owner) + "/" + url.PathEscape(name)
		return places{
			pull:     fmt.Sprintf("%s/pulls/%d", root, number),
			comments: fmt.Sprintf("%s/issues/%d/comments", root, number),
			edited:   root + "/issues/comments",
		}, nil
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
		places: func(repository string, number int) (places, error) {
			for part := range strings.SplitSeq(repository, "/") {
				if !plain(part) {
					return places{}, errors.New("the repository must be GROUP/PROJECT, or the number of the project")
				}
			}
			pull := fmt.Sprintf("projects/%s/merge_requests/%d", url.PathEscape(repository), number)
			return places{pull, pull + "/notes", pull + "/notes"}, nil
		},
	},
}

// plain reports whether a part of a path names something: a server could take others away.
func plain(part string) bool { return part != "" && part != "." && part != ".." }
