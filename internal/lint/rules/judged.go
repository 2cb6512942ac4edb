package rules

import (
	"hash/maphash"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/duplicate"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

// judged is the part of a rubric that others are compared with. Deprecated rubrics
// are not compared, because their replacements repeat them. Places are spans of the
// file, which is read again for the few that are reported.
type judged struct {
	line         string // the ID without the major version at its end
	artifactType string
	labels       string // as calibration_dataset names them
	copied       bool   // whether it is a draft that began as a copy
	criteria     []judgedCriterion
	patterns     []Fail
}

// judgedCriterion is a criterion without its texts, except the example that deserves
// a 5.
type judgedCriterion struct {
	name     string
	at       source.Span // of the name
	sketch   *duplicate.Sketch
	best     string // the example for score 5
	bestAt   source.Span
	examples []uint64 // hashes of the words of all examples
}

// judgedOf returns what other rubrics are compared with, or nil if the document is
// not a rubric or is deprecated. A draft has the texts that are written.
var judgedOf = lint.Once(func(p *lint.DocumentPass) *judged {
	if !p.Is(&document.Rubric) || !p.Doc.IsWritten() || p.Root().Get("deprecated") != nil {
		return nil
	}
	j := &judged{
		line:         strings.TrimSuffix(p.Doc.ID(), change.IDMajor.FindString(p.Doc.ID())),
		artifactType: p.Root().Get("artifact_type").Text(),
		labels:       p.Root().Get("calibration_dataset").Text(),
		copied:       p.Root().Get("metadata").Get("derived_from") != nil && strings.HasPrefix(p.Doc.Version(), "0."),
		patterns:     Fails(p),
		criteria:     make([]judgedCriterion, 0, len(p.Root().Get("criteria").List())),
	}
	eachCriterion(p, func(c *criterionOf) {
		k := judgedCriterion{name: c.Name, at: c.Node.Span, sketch: c.Sketch, examples: make([]uint64, 0, len(c.Examples))}
		if name := c.Node.Get("name"); name != nil {
			k.at = name.Span
		}
		if best := c.Examples[len(c.Examples)-1].Node; best != nil {
			k.best, k.bestAt = best.Value, best.Span
		}
		for _, example := range c.Examples {
			if example.Words.Len > 0 {
				k.examples = append(k.examples, hashOf(example.Words))
			}
		}
		j.criteria = append(j.criteria, k)
	})
	return j
})

func keepJudged(p *lint.DocumentPass) any { return judgedOf(p) }

// seed is new in each run, so no library can be built to have colliding hashes.
var seed = maphash.MakeSeed()

// hashOf returns the same hash for texts with the same words.
func hashOf(t wording.Text) uint64 {
	return maphash.String(seed, t.Key())
}
