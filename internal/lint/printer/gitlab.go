package printer

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/render"
)

// gitlabFinding has the properties that GitLab requires of an entry of a Code Quality
// report (https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format).
type gitlabFinding struct {
	Description string `json:"description"`
	CheckName   string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
		} `json:"lines"`
	} `json:"location"`
}

var gitlabSeverities = map[lint.Severity]string{lint.Error: "major", lint.Warning: "minor", lint.Note: "info"}

// GitLab writes findings as a Code Quality report. GitLab merges the reports of a pipeline
// and matches findings by fingerprint, so that of two libraries in one repository differ.
// prefix is the path from the repository's root to the library.
func GitLab(w io.Writer, r *lint.Report, prefix string) error {
	out := []gitlabFinding{}
	for _, f := range withAccepted(r) {
		sum := sha256.Sum256([]byte(prefix + "\x00" + f.Fingerprint))
		g := gitlabFinding{
			Description: inHistory(f.Message, f.Revision), CheckName: f.Rule.ID, Severity: gitlabSeverities[f.Severity],
			Fingerprint: hex.EncodeToString(sum[:16]),
		}
		g.Location.Path, g.Location.Lines.Begin = path.Join(prefix, f.File), placeOf(f.Location).Line
		out = append(out, g)
	}
	return render.WriteJSON(w, out)
}
