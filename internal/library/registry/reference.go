package registry

import (
	"fmt"
	"strings"

	"oras.land/oras-go/v2/registry"

	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// parse parses a reference, HOST/REPOSITORY with :TAG or @DIGEST or neither. The error says what is
// wrong with it.
func parse(text string) (registry.Reference, error) {
	ref, err := registry.ParseReference(text)
	if err == nil && !strings.HasSuffix(text, ":") && !strings.HasSuffix(text, "@") { // with an empty variable
		return ref, nil
	}
	advice := wrong(text)
	if advice != "" {
		advice = ". " + advice
	}
	return ref, fmt.Errorf("%q is not a reference to a registry: expected HOST/REPOSITORY[:TAG], such as ghcr.io/acme/rubrics:1.4%s", text, advice)
}

// wrong says what is wrong with a text that is not a reference, or returns "".
func wrong(text string) string {
	if scheme, rest, has := strings.Cut(text, "://"); has {
		return fmt.Sprintf("A reference has no scheme: remove %s://%s", scheme, ifValid(rest))
	}
	host, rest, hasPath := strings.Cut(text, "/")
	name, digest, hasDigest := strings.Cut(rest, "@")
	repository, tag, hasTag := strings.Cut(name, ":")
	valid := func(r registry.Reference) bool { return r.ValidateRepository() == nil }
	switch {
	case !hasPath || rest == "":
		return "The repository after the host is missing"
	case (registry.Reference{Registry: host}).ValidateRegistry() != nil:
		return fmt.Sprintf("%q is not a host", host)
	case repository != strings.ToLower(repository) && valid(registry.Reference{Repository: strings.ToLower(repository)}):
		return "A repository is in lowercase" +
			ifValid(host+"/"+strings.ToLower(repository)+strings.TrimPrefix(rest, repository))
	case !valid(registry.Reference{Repository: repository}):
		return "A repository consists of lowercase letters and digits, with single dots, dashes, and underscores between them, and slashes"
	case hasTag && tag == "" || hasDigest && digest == "":
		return "Its end is missing. Check the variable that it comes from"
	case hasDigest && bundlefile.IsVersion(digest):
		return "A digest is after an @, and a tag is after a colon" + ifValid(host+"/"+name+":"+digest)
	case hasDigest:
		return fmt.Sprintf("What is after the @ %v", bundlefile.CheckDigest(digest))
	case strings.Contains(tag, "+"):
		return "A tag can't contain a +, and the version of a library has only three numbers, such as 1.4.0"
	case hasTag:
		return "A tag has at most 128 letters, digits, dots, dashes, and underscores, and does not begin with a dot or a dash"
	}
	return ""
}

// ifValid is the end of an advice that leads to a reference.
func ifValid(text string) string {
	if _, err := registry.ParseReference(text); err != nil {
		return ""
	}
	return ": " + text
}
