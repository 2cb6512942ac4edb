package serve

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// problem is an error in the format of RFC 9457. Its type is "about:blank", so that its
// title is that of the status; Code says more.
type problem struct {
	Type      string `json:"type"`
	Title     string `json:"title"`
	Status    int    `json:"status"`
	Code      string `json:"code"`
	Detail    string `json:"detail"`
	RequestID string `json:"request_id"`
	// Similar are IDs with a similar spelling.
	Similar []string `json:"similar,omitempty"`
	// Versions are those that no constraint excluded.
	Versions []string `json:"versions,omitempty"`
	// Reason, ReplacedBy, and LastVersion are those of a retired document, as far as they are known.
	Reason      string `json:"reason,omitempty"`
	ReplacedBy  string `json:"replaced_by,omitempty"`
	LastVersion string `json:"last_version,omitempty"`
}

func (p *problem) Error() string { return p.Detail }

// invalid is the problem of a request that is not as the OpenAPI document says.
func invalid(format string, args ...any) error {
	return &problem{Status: http.StatusBadRequest, Code: "invalid_request", Detail: fmt.Sprintf(format, args...)}
}

// unusable is the problem of a valid request whose input does not fit the document.
func unusable(format string, args ...any) error {
	return &problem{Status: http.StatusUnprocessableEntity, Code: "invalid_input", Detail: fmt.Sprintf(format, args...)}
}

var (
	errNoPath = &problem{
		Status: http.StatusNotFound, Code: "no_such_path",
		Detail: "there is no such path. /openapi.json lists all paths",
	}
	errNotReady = &problem{
		Status: http.StatusServiceUnavailable, Code: "not_ready", Detail: "the library is not verified yet",
	}
)

// problemOf returns the answer to a call that failed. The caller may change it.
func problemOf(err error) problem {
	var (
		known    *problem
		notFound *library.NotFoundError
		retired  *library.RetiredError
		version  *library.ConstraintError
	)
	switch {
	case errors.As(err, &known):
		return *known
	case errors.As(err, &notFound):
		p := problem{Status: http.StatusNotFound, Code: "not_found", Detail: err.Error(), Similar: notFound.Near()}
		if notFound.Found == "" && len(p.Similar) == 0 { // a caller may not have the program
			p.Detail = fmt.Sprintf("the library has no document %q. /v1/documents lists all documents", notFound.ID)
		}
		return p
	case errors.As(err, &retired):
		return problem{
			Status: http.StatusGone, Code: "retired", Detail: err.Error(),
			Reason: retired.Reason, ReplacedBy: retired.ReplacedBy, LastVersion: retired.LastVersion,
		}
	case errors.As(err, &version):
		return problem{Status: http.StatusNotFound, Code: "no_such_version", Detail: err.Error(), Versions: version.Versions}
	case errors.As(err, new(*rubric.InputError)), errors.As(err, new(*ruleset.InputError)):
		return problem{Status: http.StatusUnprocessableEntity, Code: "invalid_input", Detail: err.Error()}
	case errors.As(err, new(*library.AuditError)):
		return problem{
			Status: http.StatusServiceUnavailable, Code: "audit_failed",
			Detail: "the document was not returned because the audit could not record it",
		}
	}
	return problem{
		Status: http.StatusInternalServerError, Code: "internal",
		Detail: "the call failed because of an error in the server, which is in its log",
	}
}
