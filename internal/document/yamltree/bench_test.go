package yamltree

import (
	"fmt"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// typical is a document of about 5 KB, in the shape of a rubric.
func typical() []byte {
	var b strings.Builder
	b.WriteString("rubric_id: user_story_quality_v1\nname: User story quality # for tickets\nversion: \"1.2.0\"\n" +
		"artifact_type: jira_tickets\ndescription: >\n  How well a user story tells who wants what,\n  and why.\n\ncriteria:\n")
	for i := range 5 {
		fmt.Fprintf(&b, "  - name: criterion_%d\n    description: |\n      Does the story say who it is for?\n      A role is enough; a name is not needed.\n"+
			"    weight: essential\n    threshold: %d.5\n    anchors:\n", i, i)
		for k := 1; k <= 5; k++ {
			fmt.Fprintf(&b, "      %d: \"Level %d of the criterion: it says \\\"who\\\", and what for, in words that can be checked.\"\n", k, k)
		}
		b.WriteString("    examples:\n      score_1: 'Make it better, it''s slow.'\n      score_5: As a clerk I want to see\n        all open cases of today.\n")
	}
	b.WriteString("negative_criteria:\n")
	for i := range 4 {
		fmt.Fprintf(&b, "  - name: negative_%d\n    fail_patterns: ['\\bTBD\\b', 'as a user', \"to\\\\s+do\"]\n    ignore_case: true\n", i)
	}
	b.WriteString("scoring: {pass_threshold: 3.5, essential_minimum: 3.0}\n")
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	data := typical()
	b.Run("yamltree", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			if tree, problems := Parse(source.NewFile("x.yaml", data)); tree == nil || len(problems) > 0 {
				b.Fatal(problems)
			}
		}
	})
	b.Run("yaml.v3", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			var n yaml.Node
			if err := yaml.Unmarshal(data, &n); err != nil {
				b.Fatal(err)
			}
		}
	})
}
