package cli

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// hostileDocuments have what hostileRubric lacks.
var hostileDocuments = map[string]string{
	"negative_v1": `rubric_id: negative_v1
name: EVIL
version: "1.0.0"
artifact_type: prd
deprecated: {reason: EVIL}
criteria:
  - {name: a, description: EVIL, weight: important, threshold: 2, anchors: {1: EVIL, 2: EVIL, 3: EVIL, 4: EVIL, 5: EVIL}, examples: {score_1: EVIL, score_3: EVIL, score_5: EVIL}}
negative_criteria:
  - {name: b, description: EVIL, fail_patterns: ['x|[a-z_]{2}"` + "`" + `<b>'], fail_examples: [EVIL], pass_examples: [EVIL]}
`,
	"rules_v1": `ruleset_id: rules_v1
name: EVIL
version: "1.0.0"
artifact_type: prd
description: EVIL
scoring: {pass_threshold: 0.5}
rules:
  - {id: a.b.c, description: EVIL, severity: fail, check: EVIL, checks: [{type: content, literal: EVIL}, {type: executable, command: [EVIL]}]}
`,
}

// TestExportedMarkdownIsInert puts each hostile text wherever an author can write, and checks
// the exported files as GitHub reads them.
func TestExportedMarkdownIsInert(t *testing.T) {
	for _, text := range hostile {
		t.Chdir(t.TempDir())
		writeHostileLibraries(t, text)
		for id, document := range hostileDocuments {
			if err := os.WriteFile("texts/rubrics/prd/"+id+".yaml", []byte(strings.ReplaceAll(document, "EVIL", strconv.QuoteToASCII(text))), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for _, id := range []string{"good_v1", "negative_v1", "rules_v1"} {
			hold(t, []call{{Rubric, []string{"export", "./texts", id, "--to", "markdown", "-o", id}, nil, command.ExitOK}})
			data := must.Get(os.ReadFile(id + "/" + id + ".md"))(t)
			// The name of the document is its heading.
			holdInert(t, written{"export of " + id, "markdown", strings.TrimPrefix(string(data), "# ")})
		}
	}
}
