package lint

import (
	"hash/fnv"
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/resemblance"
	"github.com/rubric-library/rubric-library/internal/wording"
)

// judged is what is kept of a rubric that others are compared with: what it asks
// for, and what passes and fails by its words. Deprecated rubrics are compared with
// nothing: their replacements repeat them.
type judged struct {
	artifactType string
	labels       string // as calibration_dataset names them
	criteria     []judgedCriterion
	patterns     []failPattern
}

// judgedCriterion is a criterion without its texts but the example that deserves a
// 5.
type judgedCriterion struct {
	name   string
	at     Location // of the name
	sketch resemblance.Sketch
	best   string   // the example for score 5
	bestAt Location // without excerpt
	// examples are hashes of the words of all examples.
	examples []uint64
}

// failPattern is a pattern that fails an artifact.
type failPattern struct {
	expr          string
	ignoreCase    bool
	at            Location
	pointer, path string
}

// judgedOf keeps what other rubrics are compared with, nil if the document is no
// valid rubric or is deprecated.
func judgedOf(p *DocumentPass) *judged {
	if !p.is(&document.Rubric) || !p.Doc.Valid() || p.Root().Get("deprecated") != nil {
		return nil
	}
	j := &judged{
		artifactType: strings.Clone(text(p.Root().Get("artifact_type"))),
		labels:       strings.Clone(text(p.Root().Get("calibration_dataset"))),
	}
	eachCriterion(p, func(c *criterionNode) {
		_, best := c.example("score_5")
		place := Locate(p.Doc.File, best.Span)
		place.Excerpt = nil // the texts themselves are kept already
		k := judgedCriterion{
			name: strings.Clone(c.name), at: Locate(p.Doc.File, c.node.Get("name").Span), sketch: p.sketch(c),
			best: strings.Clone(best.Value), bestAt: place,
		}
		for _, score := range exampleKeys {
			if _, n := c.example(score); len(p.words(n).Words) > 0 {
				k.examples = append(k.examples, hashOf(p.words(n)))
			}
		}
		j.criteria = append(j.criteria, k)
	})
	for i, negative := range items(p.Root().Get("negative_criteria")) {
		if effect := text(negative.Get("effect")); effect != "" && effect != "fail" {
			continue // a hit changes nothing
		}
		at := key("negative_criteria").Elem(i, text(negative.Get("name")), "negative criterion").Key("fail_patterns", "")
		for k, n := range items(negative.Get("fail_patterns")) {
			place := at.Elem(k, "", "pattern")
			j.patterns = append(j.patterns, failPattern{
				expr: strings.Clone(n.Value), ignoreCase: isTrue(negative.Get("ignore_case")),
				at: Locate(p.Doc.File, n.Span), pointer: place.Pointer(), path: place.String(),
			})
		}
	}
	return j
}

// hashOf is the same for texts with the same words.
func hashOf(t wording.Text) uint64 {
	h := fnv.New64a()
	io.WriteString(h, t.Key())
	return h.Sum64()
}
