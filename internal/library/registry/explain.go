package registry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"oras.land/oras-go/v2/registry"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/errcode"

	"github.com/rubric-library/rubric-library/internal/files/httpclient"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// explain says what an error of a call means. It leaves out addresses: registries redirect
// to ones that contain credentials.
func (r *Repository) explain(ref registry.Reference, err error) error {
	host := r.ref.Registry
	var answer *errcode.ErrorResponse
	var busy *httpclient.BusyError
	var failed *url.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &busy):
		return fmt.Errorf("%s: %w", ref, busy)
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%s: the call was interrupted: %w", ref, context.Canceled)
	case errors.Is(err, auth.ErrBasicCredentialNotFound):
		return r.refusedAccess("it asks for a user and a password, and there are none")
	case errors.As(err, &answer) &&
		(answer.StatusCode == http.StatusUnauthorized || answer.StatusCode == http.StatusForbidden):
		return r.refusedAccess(answerOf(answer))
	case errors.As(err, &answer):
		return fmt.Errorf("%s: %s", ref, answerOf(answer))
	case errors.As(err, &failed):
		advice := ""
		if host != "localhost" && !strings.ContainsAny(host, ".:") {
			advice = ". A reference begins with the host of the registry, such as ghcr.io"
		}
		return fmt.Errorf("%s can't be reached for %s: %w%s", host, r.ref.Repository,
			withoutSecrets{httpclient.Explain(failed.Err)}, advice)
	}
	return fmt.Errorf("%s: %w", ref, withoutSecrets{err})
}

// refusedAccess says what to do if access was refused.
func (r *Repository) refusedAccess(why string) error {
	advice := "the token or the header Authorization"
	if r.store != nil {
		advice = fmt.Sprintf("log in with `docker login %s` as a user who has access", r.ref.Registry)
		if unused := r.store.explainUnused(); unused != "" {
			advice += ". Note that " + unused
		}
	}
	return fmt.Errorf("%s refused access to %s: %s. Check the name, and %s", r.ref.Registry, r.ref.Repository, why, advice)
}

// mostAnswer is the limit of what is repeated of an answer, in bytes.
const mostAnswer = 500

// answerOf says what a registry answered, on one line and without the address.
func answerOf(answer *errcode.ErrorResponse) string {
	text := fmt.Sprintf("the registry answered %d %s", answer.StatusCode, http.StatusText(answer.StatusCode))
	if len(answer.Errors) > 0 {
		said := answer.Errors.Error()
		text += ": " + strings.TrimSuffix(sanitize.Line(strings.ToValidUTF8(said[:min(len(said), mostAnswer)], "")), ".")
	}
	return text
}

// withoutSecrets is an error without the credentials, queries, and fragments of the addresses in it.
type withoutSecrets struct{ error }

var inAddress = lazy.Expr(`("https?://)(?:[^/"?#]*@)?([^"?#]*)[^"]*"`)

func (e withoutSecrets) Error() string { return inAddress().ReplaceAllString(e.error.Error(), `$1$2"`) }

func (e withoutSecrets) Unwrap() error { return e.error }
