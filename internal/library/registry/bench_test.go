package registry

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// rubric is a rubric of about 5 KB. %d is part of its ID.
var rubric = `
rubric_id: story_%d_v1
name: User Story
version: "1.0.0"
artifact_type: jira_tickets
criteria:
  - name: clarity
    description: Is it clear?
    weight: essential
    threshold: 3.0
    anchors: {1: Neither actor nor action, 2: One of both, 3: Both, 4: Both and a reason, 5: Also the result}
    examples:
      score_1: ` + strings.Repeat("A clerk archives an invoice so that the audit finds it. ", 80) + `
      score_5: The clerk opens the case.
scoring: {pass_threshold: 3.5, essential_minimum: 3.0}
`

// BenchmarkRegistry pushes, polls, and pulls a bundle of 10,000 rubrics. The registry is in
// the same process.
func BenchmarkRegistry(b *testing.B) {
	repository := serve(b, nil)
	library := bundletest.Library{Verifiable: true, Version: "1.4.0"}
	for i := range 10_000 {
		library.Documents = append(library.Documents, fmt.Sprintf(rubric, i))
	}
	var out bytes.Buffer
	must.Get(bundletest.Write(&out, library))(b)
	open := func(reference string) *Repository {
		return must.Get(Open(reference, Options{}))(b)
	}
	digest := ""
	b.Run("push", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			pushed := must.Get(open(fmt.Sprintf("%s-%d", repository, n)).Push(b.Context(), out.Bytes(), nil))(b)
			_, digest, _ = strings.Cut(pushed.Reference, "@")
		}
	})
	r := open(repository + "-0:1.4")
	b.Run("poll", func(b *testing.B) {
		for b.Loop() {
			if a, err := r.Fetch(b.Context(), digest); err != nil || a.Data != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("pull", func(b *testing.B) {
		for b.Loop() {
			if a, err := r.Fetch(b.Context(), ""); err != nil || len(a.Data) != out.Len() {
				b.Fatal(err)
			}
		}
	})
}
