package registry

import (
	"strings"
	"testing"
)

func TestWrongReferencesSayWhatIsWrong(t *testing.T) {
	digits := strings.Repeat("0123456789abcdef", 4)
	for _, c := range []struct{ reason, reference, says string }{
		{"an uppercase letter", "registry.example.com/Acme/x:1", "A repository is in lowercase: registry.example.com/acme/x:1"},
		{"uppercase letters and a tag that is wrong, too", "ghcr.io/Acme/X:1+2", "A repository is in lowercase"},
		{"the build of a version", "ghcr.io/acme/x:1.0.0+build", "A tag can't contain a +"},
		{"a scheme", "oci://ghcr.io/acme/x:1.4", "A reference has no scheme: remove oci://: ghcr.io/acme/x:1.4"},
		{"a scheme before something else that is wrong", "https://ghcr.io/Acme", "A reference has no scheme: remove https://"},
		{"only a host", "ghcr.io", "The repository after the host is missing"},
		{"a host and a slash", "ghcr.io/", "The repository after the host is missing"},
		{"no host", "/acme/x", `"" is not a host`},
		{"a space", "ghcr.io/acme/ru brics", "A repository consists of lowercase letters"},
		{"two dashes and a dot", "ghcr.io/acme/x-.y", "A repository consists of lowercase letters"},
		{"a tag after an @", "ghcr.io/acme/x@1.4.0", "a tag is after a colon: ghcr.io/acme/x:1.4.0"},
		{"a digest without its algorithm", "ghcr.io/acme/x@" + digits, "Write sha256:" + digits},
		{"an unset variable in a tag", "ghcr.io/acme/x:", "Check the variable"},
		{"an unset variable in a digest", "ghcr.io/acme/x@", "Check the variable"},
		{"a tag that begins with a dash", "ghcr.io/acme/x:-1", "does not begin with a dot or a dash"},
		{"a tag with a slash", "ghcr.io/acme/x:a/b", "A tag has at most 128 letters"},
	} {
		_, err := Open(c.reference, Options{})
		if err == nil || !strings.Contains(err.Error(), "is not a reference to a registry: expected HOST/REPOSITORY[:TAG]") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: the error is %v, want %s", c.reason, err, c.says)
		}
	}
	for _, sound := range []string{"ghcr.io/acme/x", "localhost:5000/x:1.4", "ghcr.io/acme/x:latest@sha256:" + digits, "[::1]:5000/x"} {
		if _, err := Open(sound, Options{}); err != nil {
			t.Errorf("%s gives %v", sound, err)
		}
	}
}
