package library_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// rubricYAML is a rubric with one of everything.
const rubricYAML = `rubric_id: ID
name: Story quality
version: "VERSION"
artifact_type: jira_tickets
description: Scores whether stories are Testable.
criteria:
  - name: clarity
    description: Whether the reader knows who does what.
    weight: essential
    threshold: 3.0
    anchors:
      1: Neither actor nor action is named.
      2: The actor or the action is named.
      3: Actor and action are named.
      4: Actor, action and object are named.
      5: Actor, action, object and reason are named.
    examples:
      score_1: Make it better.
      score_5: A clerk archives an invoice so that the audit finds it.
negative_criteria:
  - name: vague
    fail_patterns: ["etc[.]", "and so on"]
    fail_examples: ["Pens etc."]
    pass_examples: ["Pens."]
scoring:
  pass_threshold: 3.5
  essential_minimum: 3.0
metadata:
  owner: the tests
`

const ruleSetYAML = `ruleset_id: ID
name: REST API design
version: "VERSION"
artifact_type: api_design
scoring:
  pass_threshold: 0.8
rules:
  - id: a.correctness.endpoints
    description: All endpoints are there.
    severity: fail
    check: Compare the endpoints with the task.
    checks:
      - type: content
        pattern: "GET /[a-z]+"
        min_count: 2
      - type: executable
        command: [lint, spec.yaml]
`

func rubricOf(id, version string) string {
	return strings.NewReplacer("ID", id, "VERSION", version).Replace(rubricYAML)
}

func ruleSetOf(id, version string) string {
	return strings.NewReplacer("ID", id, "VERSION", version).Replace(ruleSetYAML)
}

const ledgerYAML = `retired:
  - id: gone_v1
    kind: rubric
    last_version: "1.1.0"
    reason: Nobody writes letters.
    replaced_by: story_v1
`

// sample has a document for every case.
func sample() bundletest.Library {
	return bundletest.Library{
		Version: "1.4.0",
		Documents: []string{
			rubricOf("story_v1", "1.2.0"), rubricOf("story_v1", "1.10.0"), rubricOf("story_v1", "1.2.3"), rubricOf("story_v1", "0.9.0"),
			strings.Replace(rubricOf("plan_v1", "1.0.0"), "jira_tickets", "test_plans", 1),
			rubricOf("old_v1", "1.0.0"),
			rubricOf("old_v1", "1.0.1") + "deprecated:\n  reason: Too old.\n  replaced_by: story_v1\n",
			rubricOf("draft_v1", "0.1.0"), rubricOf("draft_v1", "0.2.0"),
			rubricOf("gone_v1", "1.0.0"), rubricOf("gone_v1", "1.1.0") + "deprecated:\n  reason: Few letters.\n",
			ruleSetOf("api_v1", "1.0.0"),
		},
		Ledger:     ledgerYAML,
		Judges:     map[string][]bundlefile.Judge{"story_v1": {bundletest.Judge("steady", "m-1", 0.75), bundletest.Judge("tired", "m-2", math.NaN())}, "plan_v1": nil},
		Tombstones: []bundlefile.Omission{{ID: "story_v1", Version: "1.1.0", Reason: "It held a name."}},
	}
}

// bundle returns the content of a bundle and its digest.
func bundle(t testing.TB, l bundletest.Library) (data []byte, digest string) {
	t.Helper()
	var out bytes.Buffer
	digest = must.Get(bundletest.Write(&out, l))(t)
	return out.Bytes(), digest
}

// open opens a bundle of the sample.
func open(t testing.TB, opts ...library.Option) *library.Library {
	t.Helper()
	data, _ := bundle(t, sample())
	return openData(t, data, opts...)
}

func openData(t testing.TB, data []byte, opts ...library.Option) *library.Library {
	t.Helper()
	l := must.Get(library.NewReader(bytes.NewReader(data), int64(len(data)), opts...))(t)
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// file writes a bundle of the sample to disk.
func file(t testing.TB) (name, digest string) {
	t.Helper()
	data, digest := bundle(t, sample())
	name = filepath.Join(t.TempDir(), "rubrics.zip")
	must.Do(t, os.WriteFile(name, data, 0o666))
	return name, digest
}

// published is a release with its digest.
type published struct {
	data   []byte
	digest string
}

// consecutive returns consecutive releases with the given library versions, whose latest
// version of story_v1 is the same as that of the library.
func consecutive(versions ...string) []published { return releases(rubricYAML, versions) }

// another returns releases like consecutive of another library.
func another(versions ...string) []published {
	return releases(strings.ReplaceAll(rubricYAML, "Testable", "Other"), versions)
}

func releases(text string, versions []string) []published {
	var all []published
	l := bundletest.Library{Verifiable: true, Documents: []string{ruleSetOf("api_v1", "1.0.0")}}
	for _, version := range versions {
		l.Version = version
		l.Documents = append(l.Documents, strings.NewReplacer("ID", "story_v1", "VERSION", version).Replace(text))
		var out bytes.Buffer
		digest, err := bundletest.Write(&out, l)
		if err != nil {
			panic(err)
		}
		all = append(all, published{out.Bytes(), digest})
		l.Previous = digest
	}
	return all
}
