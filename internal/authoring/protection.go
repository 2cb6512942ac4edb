package authoring

import (
	"cmp"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/rubric-library/rubric-library/internal/files/hosts"
	"github.com/rubric-library/rubric-library/internal/lint/codeowners"
)

// protections are the requests that protect a library on a host, by its ID: data for the API, with
// names to fill in.
var protections = map[string]string{"gitea": "gitea-protection.txt", "forgejo": "gitea-protection.txt"}

// Protection returns the requests to the API of the host that protect the main branch and the release
// tags, or "" if there are none for the host. Each is a line with its method and path, below /api/v1, and
// its JSON.
func (s *Starter) Protection() (string, error) {
	text := protections[s.CI]
	if text == "" {
		return "", nil
	}
	requests, err := starterTexts.ReadFile("starter/" + text)
	if err != nil {
		return "", err
	}
	users, teams := []string{}, []string{}
	owner := strings.TrimPrefix(cmp.Or(s.Owner, codeowners.Placeholder), "@")
	if _, team, ok := strings.Cut(owner, "/"); ok {
		teams = append(teams, team)
	} else {
		users = append(users, owner)
	}
	_, repository := s.server()
	return strings.NewReplacer("{{REPOSITORY}}", repository, "{{MAIN}}", asJSON(cmp.Or(s.Branch, "main")),
		"{{USERS}}", asJSON(users), "{{TEAMS}}", asJSON(teams)).Replace(string(requests)), nil
}

// API returns the address that the paths of Protection are relative to.
func (s *Starter) API() string {
	site, _ := s.server()
	return site + "/api/v1"
}

// server is the site of the host and the repository there, or placeholders for what the remote does
// not say.
func (s *Starter) server() (site, repository string) {
	remote, ok := hosts.ParseRemote(s.Remote)
	names := strings.Split(remote.Path, "/")
	of, known := hosts.OfRemote(s.Remote)
	if !ok || len(names) < 2 || known && of.ID != s.CI {
		return "https://HOST", "OWNER/REPOSITORY"
	}
	for i, name := range names {
		names[i] = url.PathEscape(name)
	}
	last := len(names) - 2
	return strings.Join(append([]string{remote.Address}, names[:last]...), "/"), strings.Join(names[last:], "/")
}

// asJSON is a text or a list of texts as JSON on one line.
func asJSON(value any) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // texts can't fail
	return strings.TrimSpace(out.String())
}
