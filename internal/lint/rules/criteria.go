package rules

import (
	"strconv"
	"sync"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/duplicate"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

// criterionOf is a criterion with its place in a document.
type criterionOf struct {
	// At and Node are its place, and Name is its name as written.
	At   *schema.Path
	Node *yamltree.Node
	Name string

	Description part
	Anchors     [highestScore - lowestScore + 1]part // starting at lowestScore
	Examples    [3]part                              // in the order of exampleKeys

	words   []wording.Text         // of the anchors, without those that are blank
	amounts func() wording.Amounts // of the anchors, also of those that are blank

	// Sketch is a sketch of the description and the anchors, which a judge scores by. It
	// is nil if these are too short to be compared.
	Sketch *duplicate.Sketch
}

// part is a text of a criterion. Its Node is nil if the criterion does not have it, as in a
// draft, or if it only stands for a text.
type part struct {
	Node  *yamltree.Node
	Words wording.Text

	at  *schema.Path // of the object that has it
	key string
}

// Path returns the place of the text.
func (p part) Path() *schema.Path { return p.at.Key(p.key, "") }

func partOf(p *lint.DocumentPass, n *yamltree.Node, at *schema.Path, key string) part {
	text := textOf(p, n.Get(key))
	return part{text, wording.Read(text.Text()), at, key}
}

// exampleKeys are the keys of examples, from the lowest score.
var exampleKeys = [...]string{"score_1", "score_3", "score_5"}

// lowestScore and highestScore are the ends of the scale.
const lowestScore, highestScore = 1, 5

// eachCriterion calls do with the criteria of a rubric, in order. They can lack any text.
func eachCriterion(p *lint.DocumentPass, do func(c *criterionOf)) {
	all := criteriaOf(p)
	for i := range all {
		do(&all[i])
	}
}

// allWords returns the words of each anchor, of which those that are blank have none.
func (c *criterionOf) allWords() []wording.Text {
	all := make([]wording.Text, len(c.Anchors))
	for i, anchor := range c.Anchors {
		all[i] = anchor.Words
	}
	return all
}

// anchorBefore returns the anchor before one that is not blank, either.
func (c *criterionOf) anchorBefore(i int) (anchor part, score int) {
	for i--; i > 0 && c.Anchors[i].Words.Len == 0; i-- {
	}
	return c.Anchors[i], lowestScore + i
}

// mostCriteria is how many criteria of a rubric are checked: each is compared with all
// others. A valid rubric has room for fewer.
const mostCriteria = 2000

var criteriaOf = lint.Once(func(p *lint.DocumentPass) []criterionOf {
	if !p.Is(&document.Rubric) {
		return nil
	}
	nodes := p.Root().Get("criteria").List()
	nodes = nodes[:min(len(nodes), mostCriteria)]
	all := make([]criterionOf, len(nodes))
	list := lint.Key("criteria")
	for i, n := range nodes {
		name := n.Get("name").Text()
		c := &all[i]
		c.At, c.Node, c.Name = list.Elem(i, name, "criterion"), n, name
		c.Description = partOf(p, n, c.At, "description")
		anchors, examples := c.At.Key("anchors", ""), c.At.Key("examples", "")
		for k := range c.Anchors {
			c.Anchors[k] = partOf(p, n.Get("anchors"), anchors, strconv.Itoa(lowestScore+k))
			if c.Anchors[k].Words.Len > 0 {
				c.words = append(c.words, c.Anchors[k].Words)
			}
		}
		c.amounts = sync.OnceValue(func() wording.Amounts { return wording.AmountsOf(c.allWords()) })
		for k := range c.Examples {
			c.Examples[k] = partOf(p, n.Get("examples"), examples, exampleKeys[k])
		}
		c.Sketch = duplicate.SketchOf(wording.All(append([]wording.Text{c.Description.Words}, c.words...)...))
	}
	return all
})

// bestExamples returns the examples that deserve a 5, and their texts. A missing one
// is nil.
func bestExamples(p *lint.DocumentPass) (examples []*yamltree.Node, texts []string) {
	eachCriterion(p, func(c *criterionOf) {
		example := c.Examples[len(c.Examples)-1].Node
		examples, texts = append(examples, example), append(texts, example.Text())
	})
	return examples, texts
}

// report adds a finding at a text.
func (t part) report(p *lint.DocumentPass, format string, args ...any) {
	p.ReportAt(t.Path(), t.Node, format, args...)
}

// reportBeside adds a finding at a text with another that explains it; what describes the other.
func (t part) reportBeside(p *lint.DocumentPass, other part, what, format string, args ...any) {
	p.ReportBeside(t.Path(), t.Node, other.Node, what, format, args...)
}

// reportIn adds a finding at a part of a text.
func (t part) reportIn(p *lint.DocumentPass, at wording.Place, format string, args ...any) {
	p.ReportIn(t.Path(), p.Doc.Tree.SpanInside(t.Node, at.Start, at.End), format, args...)
}
