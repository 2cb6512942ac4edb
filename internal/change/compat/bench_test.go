package compat

import (
	"os"
	"strings"
	"testing"
)

// BenchmarkCompare compares a rubric of the library with itself and with one in
// which a text is other.
func BenchmarkCompare(b *testing.B) {
	data, err := os.ReadFile("../../../rubrics/jira_tickets/user_story_quality_v1.yaml")
	if err != nil {
		b.Fatal(err)
	}
	base := parse(b, data)
	for name, head := range map[string]string{
		"same":  string(data),
		"other": strings.Replace(string(data), "threshold: 3.0", "threshold: 3.5", 1),
	} {
		doc := parse(b, []byte(head))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Compare(base, doc)
			}
		})
	}
}
