package clients_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/release/conformance"
)

// parse reads a document of the repository's own library.
func parse(t *testing.T, name string) *document.Document {
	t.Helper()
	data := must.Get(os.ReadFile(filepath.Join("..", "rubrics", name)))(t)
	d := document.Parse(source.NewFile(name, data))
	if !d.Valid() {
		t.Fatalf("%s: %v", name, d.Problems)
	}
	return d
}

const rules = `{"artifact_type":"api_design","name":"REST API design","rules":[` +
	`{"check":"Look.","description":"Lists have pages.","id":"a.lists.pages","phase":"A","severity":"fail","weight":2}],` +
	`"ruleset_id":"rest_api_design_v1","scoring":{"pass_threshold":0.8},"version":"0.3.0"}`

// contents is a bundle that is being built.
type contents struct {
	index []bundlefile.IndexLine
	files []bundlefile.File
	keeps bool // no version is yanked
	// previous is the digest of the bundle that this one continues; "" means one that no test has.
	previous string
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// add adds a document in several versions, with the JSON of the first one.
func (l *contents) add(line bundlefile.IndexLine, json string, versions ...string) {
	for _, v := range versions {
		data := []byte(strings.Replace(json, `"version":"`+versions[0]+`"`, `"version":"`+v+`"`, 1))
		l.files = append(l.files, bundlefile.File{Path: bundlefile.DocumentPath(line.Kind, line.ID, v), Data: data})
		line.Versions = append(line.Versions, bundlefile.Version{Version: v, Digest: "sha256:" + sumOf(data)})
	}
	line.Versions[0].Commit, line.Versions[0].Time, line.Versions[0].Release = strings.Repeat("c", 40), "2024-02-29T23:59:59Z", "1.0.0"
	if line.Parts == nil {
		line.Parts = sure(bundlefile.LineOf(line.ID, line.Kind, []byte(json), []bundlefile.Version{{}})).Parts
	}
	line.Latest = versions[len(versions)-1]
	l.index = append(l.index, line)
}

func (l *contents) write(t *testing.T) (data []byte, digest string) {
	t.Helper()
	var out bytes.Buffer
	m := bundlefile.Manifest{
		LibraryVersion: "1.4.0", Commit: strings.Repeat("a", 40), Previous: "sha256:" + strings.Repeat("0", 64),
		Refused:    []bundlefile.Omission{{ID: "broken_v1", Commit: strings.Repeat("b", 40), Reason: "It had a \"tab\"."}},
		Tombstones: []bundlefile.Omission{{ID: "hidden_v1", Version: "1.0.0", Reason: "It held a name."}, {ID: "prd_quality_v1", Version: "0.9.0", Reason: "It held a name."}},
	}
	if l.previous != "" {
		m.LibraryVersion, m.Previous = "1.4.1", l.previous
	}
	for _, line := range l.index {
		if len(line.Versions) > 1 && !l.keeps {
			m.Yanked = append(m.Yanked, bundlefile.Omission{ID: line.ID, Version: line.Versions[0].Version, Reason: "It failed good work."})
		}
	}
	digest = must.Get(bundlefile.Write(&out, m, l.index, l.files))(t)
	return out.Bytes(), digest
}

// sample is a library with one of everything.
func sample(t *testing.T) *contents {
	t.Helper()
	l := &contents{}
	canonical := func(name string) (json, version string) {
		d := parse(t, name)
		data := must.Get(d.Canonical())(t)
		return string(data), d.Version()
	}
	story, version := canonical("jira_tickets/user_story_quality_v1.yaml")
	l.add(bundlefile.IndexLine{
		ID: "user_story_quality_v1", Kind: bundlefile.KindRubric, Name: "User Story Quality", ArtifactType: "jira_tickets",
		Description: "Whether a story is TESTABLE\nand clear. Größe, \"<&>\" \u2028", Language: "en-GB",
		Calibration: &bundlefile.Calibration{Path: "calibration/stories/statistics.json", LabeledBy: bundlefile.People, Judges: judges()},
	}, story, version, "1.2.0", "1.2.3", "1.3.0", "1.10.0")
	prd, version := canonical("prd/prd_quality_v1.yaml")
	l.add(bundlefile.IndexLine{
		ID: "prd_quality_v1", Kind: bundlefile.KindRubric, Name: "PRD Quality", ArtifactType: "prd",
		Deprecated: &bundlefile.Deprecation{Reason: "Too long.", ReplacedBy: "user_story_quality_v1"},
		Calibration: &bundlefile.Calibration{Path: "calibration/stories/statistics.json", LabeledBy: bundlefile.People, Judges: []bundlefile.Judge{{
			Judge: "flat", Model: "f", Repeats: 1, Run: "first.1", Date: "2026-11-14", Rank: bundlefile.NotYet, Gate: bundlefile.No,
			Correlation: &bundlefile.Correlation{Criterion: "clarity", Undefined: "all scores are equal"}, Reason: "Zu \"wenige\" für 😀.",
		}}},
	}, prd, version)
	plan, version := canonical("test_plans/test_plan_quality_v1.yaml")
	l.add(bundlefile.IndexLine{
		ID: "test_plan_quality_v1", Kind: bundlefile.KindRubric, Name: "Test Plan Quality", ArtifactType: "test_plans",
		Retired: true, Deprecated: &bundlefile.Deprecation{Reason: "Nobody plans."}, Calibration: &bundlefile.Calibration{
			Path: "calibration/stories/statistics.json", LabeledBy: "authors",
			Judges: []bundlefile.Judge{{Judge: "demo", Model: "d", Repeats: 1, Run: "2026-11-14", Date: "2026-11-14", Rank: bundlefile.No, Gate: bundlefile.No, Reason: "A demonstration."}},
		},
	}, plan, version, "2.0.0")
	l.add(bundlefile.IndexLine{
		ID: "rest_api_design_v1", Kind: bundlefile.KindRuleSet, Name: "REST API design", ArtifactType: "api_design",
	}, rules, "0.3.0")
	l.files = append(l.files,
		bundlefile.File{Path: "calibration/stories/statistics.json", Data: []byte("{}")},
		bundlefile.File{Path: "calibration/stories/judges/gpt-4.jsonl"},
		bundlefile.File{Path: "retired.json", Data: []byte(
			`{"retired":[{"id":"test_plan_quality_v1","kind":"rubric","last_version":"2.0.0","reason":"Nobody plans."},{"id":"older_v1","kind":"rubric","last_version":"1.0.0","reason":"Nobody used it."}]}` + "\n",
		)},
	)
	l.files = append(l.files, vectors()...)
	return l
}

// judges are several judges of one rubric: one that may rank and not gate, with a prompt and
// repeats, one with an unknown prompt, and one without a run on the words of today.
func judges() []bundlefile.Judge {
	number := func(n bundlefile.Number) *bundlefile.Number { return &n }
	return []bundlefile.Judge{
		{
			Judge: "claude", Model: "claude \"4\" ü \u2028", PromptDigest: "sha256:" + strings.Repeat("e", 64), Repeats: 3, Run: "2026-11-21-2", Date: "2026-11-21",
			Rank: bundlefile.Yes, Gate: bundlefile.CannotTell, Correlation: &bundlefile.Correlation{Criterion: "testability", Value: number(0.75)}, Reason: "The labels can't tell.",
		},
		{
			Judge: "gpt-4", Model: "gpt-4-0613", Repeats: 1, Run: "2026-11-14", Date: "2026-11-14", Rank: bundlefile.Yes, Gate: bundlefile.LibraryLimits,
			Correlation: &bundlefile.Correlation{Criterion: "clarity", Value: number(0.8125), Low: number(-0.5), High: number(1)}, Reason: "The limits are loose.",
		},
		{Judge: "stale", Model: "s", Repeats: 1, Run: "2026-11-01", Date: "2026-11-01", Rank: bundlefile.NotYet, Gate: bundlefile.No, Reason: "The words have changed."},
	}
}

// vectors are the conformance vectors of each build.
func vectors() (files []bundlefile.File) {
	all := conformance.Files()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		files = append(files, bundlefile.File{Path: name, Data: all[name]})
	}
	return files
}

// canonical is JSON by RFC 8785, of values without a backslash before these two characters.
func canonical(v any) []byte {
	data := bytes.ReplaceAll(sure(jsontext.Sorted(v)), []byte(`\u2028`), []byte("\u2028"))
	return bytes.ReplaceAll(data, []byte(`\u2029`), []byte("\u2029"))
}

// small is a bundle of a few KB that verifies, with every kind of record.
func small(t *testing.T) []byte {
	t.Helper()
	l := &contents{}
	document := func(line bundlefile.IndexLine, text string, extra map[string]any, versions ...string) {
		var doc map[string]any
		must.Do(t, json.Unmarshal([]byte(strings.Replace(text, "%s", line.ID, 1)), &doc))
		maps.Copy(doc, extra)
		doc["name"], doc["artifact_type"], doc["version"] = line.Name, line.ArtifactType, versions[0]
		l.add(line, string(canonical(doc)), versions...)
	}
	document(bundlefile.IndexLine{
		ID: "a", Kind: bundlefile.KindRubric, Name: "A \u2028 \"b\"", ArtifactType: "prd", Description: "Line\n<tag> & more",
		Language: "de", Deprecated: &bundlefile.Deprecation{Reason: "Too old.", ReplacedBy: "b"},
		Calibration: &bundlefile.Calibration{Path: "calibration/a/statistics.json", LabeledBy: bundlefile.People, Judges: []bundlefile.Judge{
			{
				Judge: "j", Model: "m", Repeats: 2, Run: "first", Date: "2024-02-29", Rank: bundlefile.Yes, Gate: bundlefile.No,
				Correlation: &bundlefile.Correlation{Criterion: "x", Value: new(bundlefile.Number(1e-7))}, Reason: "Low.",
			},
			{Judge: "k", Model: "m", Repeats: 1, Run: "r", Date: "2024-02-29", Rank: bundlefile.No, Gate: bundlefile.No, Reason: "Stale."},
		}},
	}, leanRubric, map[string]any{
		"description": "Line\n<tag> & more", "language": "de", "calibration_dataset": "calibration/a",
		"deprecated": map[string]any{"reason": "Too old.", "replaced_by": "b"},
	}, "1.2.0", "1.10.0")
	document(bundlefile.IndexLine{ID: "b", Kind: bundlefile.KindRuleSet, Name: "B", ArtifactType: "api", Retired: true}, rules, map[string]any{"ruleset_id": "b"}, "0.1.0")
	document(bundlefile.IndexLine{ID: "c", Kind: bundlefile.KindRubric, Name: "C", ArtifactType: "prd", Calibration: &bundlefile.Calibration{Reason: "Elsewhere."}},
		leanRubric, map[string]any{"calibration_dataset": "https://example.org/c"}, "0.1.0")
	l.files = append(l.files,
		bundlefile.File{Path: "calibration/a/statistics.json", Data: []byte("{}")},
		bundlefile.File{Path: bundlecheck.ChangelogName, Data: l.changelog(t)},
		bundlefile.File{Path: "conformance/hits.json", Data: []byte(`{"vectors":[]}`)}, bundlefile.File{Path: "conformance/verdict.json", Data: []byte(`{"vectors":[]}`)},
		bundlefile.File{Path: bundlecheck.LedgerName, Data: []byte(`{"retired":[{"id":"b","kind":"rule_set","last_version":"0.1.0","reason":"R."}]}` + "\n")},
	)
	data, _ := l.write(t)
	must.Get(bundlecheck.Structure(bytes.NewReader(data), int64(len(data)), bundlefile.Options{}))(t)
	return data
}

// leanRubric has only what is required. %s is the ID.
const leanRubric = `{"rubric_id":"%s","criteria":[{"name":"x","description":"d","weight":"important","threshold":1,
	"anchors":{"1":"a","2":"b","3":"c","4":"d","5":"e"},"examples":{"score_1":"x","score_3":"y","score_5":"z"}}]}`

// changelog is the changelog of a bundle in which no version changes anything.
func (l *contents) changelog(t *testing.T) []byte {
	t.Helper()
	log := bundlecheck.Changelog{SchemaVersion: 1}
	for _, line := range l.index {
		document := bundlecheck.ChangelogDocument{ID: line.ID, Kind: line.Kind}
		for i, v := range line.Versions {
			entry := bundlecheck.ChangelogVersion{Version: v.Version, Changes: []bundlecheck.ChangelogChange{}}
			if i > 0 {
				entry.Since, entry.Class = &line.Versions[i-1].Version, new("none")
			}
			document.Versions = append(document.Versions, entry)
		}
		log.Documents = append(log.Documents, document)
	}
	return sure(log.Encode())
}

// openSample writes the sample to a file, and returns the request that opens it.
func openSample(t *testing.T) (path, digest string, open request) {
	t.Helper()
	data, digest := sample(t).write(t)
	path = filepath.Join(t.TempDir(), "rubrics.zip")
	must.Do(t, os.WriteFile(path, data, 0o666))
	return path, digest, request{"op": "open", "path": path, "digest": digest}
}
