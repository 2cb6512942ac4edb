package site

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// Options are the settings of a site.
type Options struct {
	// Progress, unless it is nil, is called with each step and how much of it is done; total is 0
	// if that is not known. Calls can be concurrent.
	Progress func(step string, done, total int)
	// Name is the name of the library, or "" for DefaultName.
	Name string
	// BaseURL is the future URL of the site, for the links in the feed, or "" if it is
	// unknown. It must be valid by CheckBaseURL.
	BaseURL string
	// Bundle is the file of the library that the site offers for download, or "".
	Bundle string
	// EditURL is the address of a forge's editor. The path of a document's file in the
	// library is appended to it. It is "" if there is none, and valid by CheckBaseURL.
	EditURL string
	// Committed is the time of the commit that the library is from, or zero if it is unknown.
	Committed time.Time
	// Ended returns the library release that yanked a version, or retired a document if the
	// version is "", and the time of its commit; "" and zero if unknown. Ended can be nil.
	Ended func(id, version string) (release string, at time.Time)
	// Reviewers returns who the message of a commit names as reviewers. It can be nil.
	Reviewers func(commit string) []string
	// Owners returns the owners of a file of the library by CODEOWNERS. It can be nil.
	Owners func(name string) []string
	// Forge is what the forge says about releases and approvals, or nil.
	Forge *Forge
	// Docs is the address of the documentation of the tools, such as
	// https://example.org/docs/, or "".
	Docs string
	// Accepted returns why the owners accepted that the changes of a version are larger
	// than its number says, or "". Accepted can be nil.
	Accepted func(id, version string) string
	// Runs measures the recorded runs of the judges of a rubric. It is called concurrently, and can
	// be nil.
	Runs func(id string) ([]report.Past, error)
	// Datasets are the valid datasets of the repository by name, for the verdicts that changes
	// flip. If it is nil, only those count that the bundle has.
	Datasets map[string]*calibration.Dataset
}

// Summary counts the documents, versions, and files of a site.
type Summary struct{ Documents, Versions, Files int }

// DefaultName is the name of a library that has no other.
const DefaultName = "Rubric library"

// CheckBaseURL returns an error if a text is not a valid base URL of a site.
func CheckBaseURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil ||
		strings.ContainsAny(text, "?# ") || sanitize.Line(text) != text {
		return fmt.Errorf("%q is not a base URL: expected a URL such as https://example.org/rubrics/", text)
	}
	return nil
}
