package rules

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/printer"
)

// corpusReport checks the corpus of broken documents as one library, with texts before
// each that XML forbids.
func corpusReport(t *testing.T, before string) *lint.Report {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, data := range corpusDocuments(t) {
		to := path.Join("rubrics/corpus", strings.ReplaceAll(name, "-", "_")+".yaml")
		fsys[to] = &fstest.MapFile{Data: append([]byte(before), data...), Mode: 0o644}
	}
	report := must.Get(lint.Run(fsys, All(), lint.Options{}))(t)
	if len(report.Findings) < 400 {
		t.Errorf("the corpus has only %d findings", len(report.Findings))
	}
	return report
}

// TestGitLabReadsTheReport checks what GitLab requires of a Code Quality report: each
// property, a known severity, and a fingerprint that no other finding has, in another
// library of the repository either, and that stays if lines move.
func TestGitLabReadsTheReport(t *testing.T) {
	fingerprints := func(prefix, before string) []string {
		var out bytes.Buffer
		must.Do(t, printer.GitLab(&out, corpusReport(t, before), prefix))
		decoder := json.NewDecoder(&out)
		decoder.DisallowUnknownFields()
		var list []struct {
			Description, Fingerprint, Severity string
			CheckName                          string `json:"check_name"`
			Location                           struct {
				Path  string
				Lines struct{ Begin int }
			}
		}
		must.Do(t, decoder.Decode(&list))
		var all []string
		for _, f := range list {
			if f.Description == "" || f.CheckName == "" || f.Location.Lines.Begin < 1 || !strings.HasPrefix(f.Location.Path, path.Join(prefix, "rubrics/")) ||
				!slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, f.Severity) {
				t.Errorf("GitLab rejects %+v", f)
			}
			all = append(all, f.Fingerprint)
		}
		slices.Sort(all)
		return all
	}
	here, moved, other := fingerprints("", ""), fingerprints("", "# a line\n\n"), fingerprints("teams/docs", "")
	if !slices.Equal(here, moved) {
		t.Error("fingerprints change if lines move")
	}
	if all := slices.Sorted(slices.Values(slices.Concat(here, other))); len(slices.Compact(all)) != len(here)+len(other) {
		t.Error("two findings have one fingerprint")
	}
}
