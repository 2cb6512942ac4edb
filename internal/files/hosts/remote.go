package hosts

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Remote is where a repository is on a server.
type Remote struct {
	// Server is the name of the server in lowercase, Address the probable address of its site.
	Server, Address string
	// Path is the repository on the server, without ".git": "acme/rubrics".
	Path string
}

// scpLike matches the short form of an SSH address: user@server:path.
var scpLike = regexp.MustCompile(`^(?:[^/@:]+@)?(\[[^\]/]+\]|[^/@:\[\]]{2,}):(.*)$`)

// ParseRemote reads the address of a remote as Git does: a URL, or user@server:path. ok is false for
// a path on this machine, and for what is not an address.
func ParseRemote(text string) (r Remote, ok bool) {
	if !strings.Contains(text, "://") {
		m := scpLike.FindStringSubmatch(text)
		if m == nil {
			return Remote{}, false
		}
		text = "ssh://" + m[1] + "/" + strings.TrimPrefix(m[2], "/")
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme == "file" {
		return Remote{}, false
	}
	r = Remote{
		Server: strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")),
		Path:   strings.TrimSuffix(strings.Trim(u.Path, "/"), ".git"),
	}
	r.Address = "https://" + r.Server
	if strings.Contains(r.Server, ":") {
		r.Address = "https://[" + r.Server + "]"
	}
	if u.Scheme == "http" || u.Scheme == "https" {
		r.Address = u.Scheme + "://" + strings.ToLower(u.Host)
	}
	return r, true
}

// OfRemote returns the host that the name of a server says, in the address of a remote.
func OfRemote(address string) (h Host, found bool) {
	r, ok := ParseRemote(address)
	if !ok {
		return Host{}, false
	}
	name := sshName.ReplaceAllString(r.Server, "")
	i := slices.IndexFunc(Table, func(h Host) bool {
		return slices.ContainsFunc(h.Servers, func(pattern string) bool {
			matches, _ := path.Match(pattern, name) // the patterns are valid
			return matches
		})
	})
	if i < 0 {
		return Host{}, false
	}
	return Table[i], true
}

// sshName is what hosts put before their name where SSH has another port.
var sshName = regexp.MustCompile(`^(ssh|altssh)\.`)
