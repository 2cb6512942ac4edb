package hosts

import "testing"

func TestRemotes(t *testing.T) {
	for _, c := range []struct{ address, host, site, path, reason string }{
		{"https://github.com/acme/rubrics.git", "github", "https://github.com", "acme/rubrics", "a URL"},
		{"git@github.com:acme/rubrics.git", "github", "https://github.com", "acme/rubrics", "the short form of SSH"},
		{"ssh://git@ssh.github.com:443/acme/rubrics", "github", "https://ssh.github.com", "acme/rubrics", "SSH at another port"},
		{"https://olga:secret@GITLAB.example.org:8443/a/b/c.git/", "gitlab", "https://gitlab.example.org:8443", "a/b/c", "a server of one's own, groups in groups, a password"},
		{"gitlab.com:a/b", "gitlab", "https://gitlab.com", "a/b", "no user"},
		{"ssh://git@codeberg.org/acme/rubrics.git", "forgejo", "https://codeberg.org", "acme/rubrics", "a server of Forgejo"},
		{"forgejo@forgejo.example.org:/acme/rubrics", "forgejo", "https://forgejo.example.org", "acme/rubrics", "a slash after the colon"},
		{"http://gitea.internal:3000/acme/rubrics.git", "gitea", "http://gitea.internal:3000", "acme/rubrics", "a port"},
		{"ssh://git@gitea.internal:2222/acme/rubrics.git", "gitea", "https://gitea.internal", "acme/rubrics", "the port of SSH is not that of the site"},
		{"git+ssh://gitea.internal./acme/rubrics.git", "gitea", "https://gitea.internal", "acme/rubrics", "a dot at the end"},
		{"https://git.example.org/github.com/rubrics", "", "https://git.example.org", "github.com/rubrics", "another name, whatever the path is"},
		{"https://github.com.example.org/acme/rubrics", "", "https://github.com.example.org", "acme/rubrics", "a name that begins like another"},
		{"https://notgitlab.com/acme/rubrics", "", "https://notgitlab.com", "acme/rubrics", "or ends like it"},
		{"git@[::1]:acme/rubrics.git", "", "https://[::1]", "acme/rubrics", "an address without a name"},
		{"file:///srv/git/github.com", "", "", "", "a path as a URL"},
		{"/srv/git/gitea.git", "", "", "", "a path"},
		{"../gitea.com:x/y", "", "", "", "a path with a colon"},
		{`C:\git\rubrics`, "", "", "", "a path of Windows"},
		{"C:/git/rubrics", "", "", "", "with other slashes"},
		{"https://", "", "", "", "no server"},
		{"https://gitea.com:port/x", "", "", "", "no URL"},
		{"", "", "", "", "nothing"},
	} {
		h, found := OfRemote(c.address)
		r, ok := ParseRemote(c.address)
		if h.ID != c.host || found != (c.host != "") || ok != (c.site != "") || r.Address != c.site || r.Path != c.path {
			t.Errorf("%q is on %q, at %q, as %q, but it is %s", c.address, h.ID, r.Address, r.Path, c.reason)
		}
	}
}

func FuzzParseRemote(f *testing.F) {
	f.Add("git@github.com:a/b")
	f.Add("https://x:y@[::1]:3/a")
	f.Fuzz(func(t *testing.T, text string) {
		r, ok := ParseRemote(text)
		if ok != (r.Server != "") || ok != (r.Address != "") {
			t.Errorf("%q is %+v, %t", text, r, ok)
		}
	})
}
