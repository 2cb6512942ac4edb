// Package bundletest makes bundles from YAML for tests and benchmarks, without a
// repository or a history: the caller provides every version.
package bundletest

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// Library is the content of a bundle.
type Library struct {
	// Version is the version of the library; "" means 1.0.0.
	Version string
	// Previous is the digest of the previous bundle, or "".
	Previous string
	// Verifiable adds what every build writes: the ledger, the changelog, without changes, and
	// vectors.
	Verifiable bool
	// Documents are versions of documents in YAML, in any order.
	Documents []string
	// Ledger is rubrics/retired.yaml, or "".
	Ledger string
	// Judges are those of calibrations by ID, by the labels of people; none are missing for the
	// reason NoJudges.
	Judges map[string][]bundlefile.Judge
	// Statistics are the statistics of calibrations by ID; a missing one is empty.
	Statistics map[string][]byte
	// Times are those of commits, in the form of the index, by ID and version: "x_v1 1.0.0".
	Times map[string]string
	// Releases are the versions of the library that first had a version, by the same keys.
	Releases map[string]string
	// Tombstones are the withdrawn versions.
	Tombstones []bundlefile.Omission
}

// NoJudges is the reason of calibrations without judges.
const NoJudges = "No judge has answered."

// Judge is a judge that may rank and gate, with the correlation of its newest run, or if that is
// NaN, one that gave every item the same score and may do neither.
func Judge(name, model string, correlation float64) bundlefile.Judge {
	j := bundlefile.Judge{
		Judge: name, Model: model, Repeats: 1, Run: "2026-11-21", Date: "2026-11-21",
		Rank: bundlefile.Yes, Gate: bundlefile.Yes,
		Correlation: &bundlefile.Correlation{Criterion: "clarity", Value: (*bundlefile.Number)(&correlation)},
	}
	if math.IsNaN(correlation) {
		j.Rank, j.Gate, j.Reason = bundlefile.No, bundlefile.No, "All scores are equal."
		j.Correlation.Value, j.Correlation.Undefined = nil, "all scores are equal"
	}
	return j
}

// Write writes a bundle and returns its digest.
func Write(w io.Writer, l Library) (digest string, err error) {
	m := bundlefile.Manifest{
		LibraryVersion: cmp.Or(l.Version, "1.0.0"), Commit: strings.Repeat("a", 40),
		Previous: l.Previous, Tombstones: l.Tombstones,
	}
	lines := map[string]*bundlefile.IndexLine{}
	var files []bundlefile.File
	if l.Verifiable && l.Ledger == "" {
		l.Ledger = "retired: []\n"
	}
	var ledger *document.Document
	if l.Ledger != "" {
		if ledger, err = readLedger(&m, l.Ledger); err != nil {
			return "", err
		}
	}
	for _, text := range l.Documents {
		f, err := add(&m, lines, &l, text)
		if err != nil {
			return "", err
		}
		files = append(files, f)
	}
	if ledger != nil {
		data := schema.Canonical(document.Retired.Table, ledger.Root())
		files = append(files, bundlefile.File{Path: "retired.json", Data: append(data, '\n')})
		for _, gone := range ledger.Root().Get("retired").Items {
			if line := lines[gone.Get("id").Value]; line != nil {
				line.Retired = true
			}
		}
	}
	files = append(files, calibrations(&l, lines)...)
	var index []bundlefile.IndexLine
	for _, id := range slices.Sorted(maps.Keys(lines)) {
		index = append(index, *lines[id])
	}
	if l.Verifiable {
		files = append(files, changelog(index))
		for _, name := range []string{"conformance/hits.json", "conformance/verdict.json"} {
			files = append(files, bundlefile.File{Path: name, Data: []byte("{\"vectors\":[]}\n")})
		}
	}
	return bundlefile.Write(w, m, index, files)
}

// calibrations returns the statistics of the judges, and adds the judges to the lines of the index.
func calibrations(l *Library, lines map[string]*bundlefile.IndexLine) (files []bundlefile.File) {
	for id, judges := range l.Judges {
		path := "calibration/" + id + "/statistics.json"
		lines[id].Calibration = &bundlefile.Calibration{Path: path, LabeledBy: bundlefile.People, Judges: judges}
		if len(judges) == 0 {
			lines[id].Calibration.Reason = NoJudges
		}
		statistics := l.Statistics[id]
		if statistics == nil {
			statistics = []byte("{}")
		}
		files = append(files, bundlefile.File{Path: path, Data: statistics})
	}
	return files
}

// readLedger parses a ledger, and adds the versions that it yanks to the manifest.
func readLedger(m *bundlefile.Manifest, text string) (*document.Document, error) {
	ledger := document.ParseAs(source.NewFile("retired.yaml", []byte(text)), &document.Ledger)
	if !ledger.Valid() {
		return nil, fmt.Errorf("the ledger is invalid: %v", ledger.Problems)
	}
	for _, n := range ledger.Root().Get("yanked").List() {
		m.Yanked = append(m.Yanked, bundlefile.Omission{
			ID: n.Get("id").Text(), Version: n.Get("version").Text(), Reason: n.Get("reason").Text(),
		})
	}
	return ledger, nil
}

// changelog returns the changelog of versions without changes.
func changelog(index []bundlefile.IndexLine) bundlefile.File {
	var documents []string
	for _, line := range index {
		slices.SortFunc(line.Versions, func(a, b bundlefile.Version) int {
			return bundlefile.CompareVersions(a.Version, b.Version)
		})
		var versions []string
		for i, v := range line.Versions {
			since, class := "null", "null"
			if i > 0 {
				since, class = strconv.Quote(line.Versions[i-1].Version), `"none"`
			}
			versions = append(versions, fmt.Sprintf(`{"version":%q,"since":%s,"class":%s,"changes":[]}`, v.Version,
				since, class))
		}
		documents = append(documents, fmt.Sprintf(`{"id":%q,"kind":%q,"versions":[%s]}`, line.ID, line.Kind,
			strings.Join(versions, ",")))
	}
	return bundlefile.File{
		Path: "changelog.json",
		Data: fmt.Appendf(nil, "{\"schema_version\":1,\"documents\":[%s]}\n", strings.Join(documents, ",")),
	}
}

// add adds a version to the index and returns its file.
func add(
	m *bundlefile.Manifest, lines map[string]*bundlefile.IndexLine, l *Library, text string,
) (bundlefile.File, error) {
	d := document.Parse(source.NewFile("document.yaml", []byte(text)))
	data, err := d.Canonical()
	if err != nil {
		return bundlefile.File{}, fmt.Errorf("%w: %v", err, d.Problems)
	}
	digest, err := d.Digest()
	if err != nil {
		return bundlefile.File{}, err
	}
	line := lines[d.ID()]
	if line == nil {
		line = &bundlefile.IndexLine{}
		lines[d.ID()] = line
	}
	key := d.ID() + " " + d.Version()
	version := bundlefile.Version{Version: d.Version(), Digest: digest, Time: l.Times[key], Release: l.Releases[key]}
	if version.Time != "" {
		version.Commit = m.Commit
	}
	all := append(line.Versions, version)
	if line.Latest == "" ||
		m.YankOf(d.ID(), version.Version) == "" && bundlefile.CompareVersions(line.Latest, version.Version) < 0 {
		if *line, err = bundlefile.LineOf(d.ID(), d.Kind.Name, data, []bundlefile.Version{version}); err != nil {
			return bundlefile.File{}, err
		}
		if dataset := d.Text("calibration_dataset"); dataset != "" {
			line.Calibration = &bundlefile.Calibration{Reason: "The labeled items are not in this library: " + dataset}
		}
	}
	line.Versions = all
	return bundlefile.File{Path: bundlefile.DocumentPath(d.Kind.Name, d.ID(), d.Version()), Data: data}, nil
}
