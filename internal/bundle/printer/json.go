package printer

import (
	"io"

	"github.com/rubric-library/rubric-library/internal/bundle"
	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// SchemaVersion is the schema_version of the output of the commands about bundles. It
// increases with changes that break programs that read the output.
const SchemaVersion = 1

type jsonBuilt struct {
	SchemaVersion  int                   `json:"schema_version"`
	OK             bool                  `json:"ok"`
	File           *string               `json:"file"` // null if not written
	Digest         *string               `json:"digest"`
	Size           int                   `json:"size"`
	LibraryVersion string                `json:"library_version"`
	Commit         string                `json:"commit"`
	Previous       *string               `json:"previous"`
	Counts         bundlefile.Counts     `json:"counts"`
	Problems       []bundle.Problem      `json:"problems"`
	Notes          []bundle.Problem      `json:"notes"`
	Refused        []bundlefile.Omission `json:"refused"`
	Tombstones     []bundlefile.Omission `json:"tombstones"`
}

// BuiltJSON writes the result of a build as one object.
func BuiltJSON(w io.Writer, b *Built) error {
	m := &b.Manifest
	out := jsonBuilt{
		SchemaVersion: SchemaVersion, OK: len(b.Problems) == 0, Digest: render.OrNull(b.Digest), Size: b.Size,
		LibraryVersion: m.LibraryVersion, Commit: m.Commit, Previous: render.OrNull(m.Previous), Counts: bundlefile.Count(b.Index),
		Problems: render.OrEmpty(b.Problems), Notes: render.OrEmpty(b.Notes),
		Refused: render.OrEmpty(m.Refused), Tombstones: render.OrEmpty(m.Tombstones),
	}
	if out.OK {
		out.File = &b.File
	}
	return render.WriteJSON(w, out)
}

type jsonVerification struct {
	SchemaVersion int                  `json:"schema_version"`
	OK            bool                 `json:"ok"`
	File          string               `json:"file"`
	Digest        *string              `json:"digest"`
	Manifest      *bundlefile.Manifest `json:"manifest"`
	Problems      []string             `json:"problems"`
	Texts         *jsonTexts           `json:"texts"` // null if something else is wrong
}

type jsonTexts struct {
	OK       bool     `json:"ok"`
	Problems []string `json:"problems"`
}

// VerificationJSON writes the result of a verification as one object.
func VerificationJSON(w io.Writer, v *Verification) error {
	out := jsonVerification{SchemaVersion: SchemaVersion, OK: v.OK(), File: v.File, Digest: render.OrNull(v.Digest), Problems: problemsOf(v.Err)}
	if v.Err == nil {
		out.Texts = &jsonTexts{v.Texts == nil, problemsOf(v.Texts)}
		m := *v.Manifest
		m.Refused, m.Tombstones = render.OrEmpty(m.Refused), render.OrEmpty(m.Tombstones)
		out.Manifest = &m
	}
	return render.WriteJSON(w, out)
}

type jsonBundle struct {
	Version string `json:"version"`
	Digest  string `json:"digest"`
}

// bundleJSON identifies a bundle; nil for a folder.
func bundleJSON(l *library.Library) *jsonBundle {
	if l.Digest() == "" {
		return nil
	}
	return &jsonBundle{l.Version(), l.Digest()}
}

// jsonList is a list of documents.
type jsonList[D any] struct {
	SchemaVersion int         `json:"schema_version"`
	Bundle        *jsonBundle `json:"bundle"`
	Documents     []D         `json:"documents"`
}

// ListJSON lists documents as one object.
func ListJSON(w io.Writer, l *library.Library, lines []*bundlefile.IndexLine) error {
	return render.WriteJSON(w, jsonList[*bundlefile.IndexLine]{SchemaVersion, bundleJSON(l), render.OrEmpty(lines)})
}

type jsonMatch struct {
	*bundlefile.IndexLine
	Score   int      `json:"score"`
	Matched []string `json:"matched"`
}

// SearchJSON writes the results of a search as one object.
func SearchJSON(w io.Writer, l *library.Library, matches []library.Match) error {
	documents := []jsonMatch{}
	for _, m := range matches {
		documents = append(documents, jsonMatch{bundle.LineOf(&m.Entry), m.Score, m.Matched})
	}
	return render.WriteJSON(w, jsonList[jsonMatch]{SchemaVersion, bundleJSON(l), documents})
}

type jsonContractFinding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	ID       string `json:"id"`
	Message  string `json:"message"`
}

// RefsJSON writes the findings in contracts as one object.
func RefsJSON(w io.Writer, contracts []bundle.Contract) error {
	findings, references, errs, warnings := []jsonContractFinding{}, 0, 0, 0
	for _, c := range contracts {
		references += c.References
		for _, f := range c.Findings {
			if f.Warning {
				warnings++
			} else {
				errs++
			}
			findings = append(findings, jsonContractFinding{f.Code, severityOf(&f), f.File, f.At.Line, f.At.Column, f.ID, f.Message})
		}
	}
	return render.WriteJSON(w, struct {
		SchemaVersion int                   `json:"schema_version"`
		Findings      []jsonContractFinding `json:"findings"`
		Summary       any                   `json:"summary"`
	}{SchemaVersion, findings, map[string]int{"files": len(contracts), "references": references, "errors": errs, "warnings": warnings}})
}
