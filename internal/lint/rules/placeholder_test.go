package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// everyText is a document of each kind with all fields that have texts, which are complete.
var everyText = map[string]string{
	"rubrics/corpus/all_v1.yaml": `rubric_id: all_v1
name: Release notes
version: "1.0.0"
artifact_type: corpus
description: Scores the notes of a release.
criteria:
  - name: tickets
    description: How many of the merged tickets do the notes name?
    weight: essential
    threshold: 3.0
    anchors:
      1: No ticket is named.
      2: One ticket is named; most are missing.
      3: Half of the tickets are named.
      4: All but one of the tickets are named.
      5: Each ticket is named with its number.
    examples:
      score_1: We fixed some bugs.
      score_3: Fixed in this release is ABC-12; there is more.
      score_5: Tickets ABC-12 (login with a passkey) and ABC-13 (a faster export) are done.
negative_criteria:
  - name: internal_host
    description: A reader can't open the address of an internal host.
    fail_patterns: ['\bintranet\b']
    fail_examples: [See intranet for the notes]
    pass_examples: [See the wiki for the notes]
scoring:
  pass_threshold: 3.5
  essential_minimum: 3.0
deprecated:
  reason: The notes are now generated from the tickets.
metadata:
  owner: Release team
`,
	"rubrics/corpus/rules_v1.yaml": `ruleset_id: rules_v1
name: Names of services
version: "1.0.0"
artifact_type: corpus
description: Checks the names of services in a text.
scoring:
  pass_threshold: 0.8
rules:
  - id: a.correctness.names
    description: Each name is that of a service in the catalog.
    severity: fail
    check: List the names, and look for each in the catalog. Fail if one is not there.
    checks:
      - type: content
        literal: catalog
      - type: content
        pattern: 'cata+log'
        files: [notes.md]
      - type: executable
        command: [grep, catalog, "{artifact}"]
deprecated:
  reason: The catalog has no names.
`,
}

// lintOf lints the documents of everyText, one of them with another text, and returns the
// findings except for notes.
func lintOf(t *testing.T, name, text string) (findings []string) {
	t.Helper()
	files := map[string]string{}
	for other, content := range everyText {
		files[other] = content
	}
	files[name] = text
	for _, f := range linttest.Run(t, linttest.Library(files), All(), lint.Options{}).Findings {
		if f.Severity != lint.Note {
			findings = append(findings, fmt.Sprintf("%s %s %s", f.Rule.ID, f.File, f.Pointer))
		}
	}
	return findings
}

// TestEachTextCanStandForOne puts a marker, a text about markers, and a text of a draft into each
// text of both kinds of documents. The finding is the only one.
func TestEachTextCanStandForOne(t *testing.T) {
	verbatim := []string{"/fail_patterns/", "/fail_examples/", "/pass_examples/", "/metadata/", "/examples/score_1", "/checks/"}
	for name, content := range everyText {
		if found := lintOf(t, name, content); len(found) > 0 {
			t.Fatalf("the documents have findings: %v", found)
		}
		d := document.Parse(source.NewFile(name, []byte(content)))
		count := 0
		schema.EachText(d.Kind.Table, d.Root(), func(_ *schema.Field, v *schema.Value, n *yamltree.Node) {
			if v.Pattern != nil {
				return
			}
			count++
			at := schema.PathAt(d.Root(), n.Span.Start).Pointer()
			with := func(text string) []string {
				return lintOf(t, name, content[:n.Span.Start]+yamltree.Quote(text, yamltree.DoubleQuoted)+content[n.Span.End:])
			}
			finding := []string{"placeholder-text " + name + " " + at}
			isReported := func(found []string) bool { return slices.Contains(found, finding[0]) }
			canBeMarker := slices.ContainsFunc(verbatim, func(part string) bool { return strings.Contains(at, part) })
			for _, marker := range []string{"TODO", "TBD (ask Ann)", "???", "n/a", "...", "FIXME describe this", "lorem ipsum"} {
				switch found := with(marker); {
				case canBeMarker && isReported(found):
					t.Errorf("%q at %s is a finding", marker, at)
				case !canBeMarker && cmp.Diff(finding, found) != "":
					t.Errorf("%q at %s: the findings are %q, want %q", marker, at, found, finding)
				}
			}
			if found := with("Half of the statements of fact or more have a number, a quotation, or a link; two or more have none."); !isReported(found) {
				t.Errorf("a text of a draft at %s: the findings are %q", at, found)
			}
			if found := with("TODO markers are left in two sections"); isReported(found) {
				t.Errorf("a text about markers at %s is a finding", at)
			}
		})
		if count < 8 {
			t.Errorf("%s has %d texts", name, count)
		}
	}
}
