// Package criteria reads the criteria of a rubric once for all lint rules: their places in
// the document, and the words of their texts.
package criteria

import (
	"strconv"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/minhash"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

// Criterion is a criterion with its place in a document.
type Criterion struct {
	// At and Node are its place, and Name is its name as written.
	At   *schema.Path
	Node *yamltree.Node
	Name string

	Description Part
	Anchors     [HighestScore - LowestScore + 1]Part // starting at LowestScore
	Examples    [3]Part                              // in the order of ExampleKeys

	// Sketch is a sketch of the description and the anchors, which a judge scores by. It
	// is nil if these are too short to be compared.
	Sketch *minhash.Sketch
}

// Part is a text of a criterion. Its Node is nil if the criterion does not have it.
type Part struct {
	Node  *yamltree.Node
	Words wording.Text

	at  *schema.Path // of the object that has it
	key string
}

// Path returns the place of the text.
func (p Part) Path() *schema.Path { return p.at.Key(p.key, "") }

func partOf(n *yamltree.Node, at *schema.Path, key string) Part {
	text := n.Get(key)
	return Part{text, wording.Read(text.Text()), at, key}
}

// ExampleKeys are the keys of examples, from the lowest score.
var ExampleKeys = [...]string{"score_1", "score_3", "score_5"}

// LowestScore and HighestScore are the ends of the scale.
const LowestScore, HighestScore = 1, 5

// Each calls do with the criteria of a rubric, in order, if its structure is valid.
func Each(p *lint.DocumentPass, do func(c *Criterion)) {
	all := criteriaOf(p)
	for i := range all {
		do(&all[i])
	}
}

var criteriaOf = lint.Once(func(p *lint.DocumentPass) []Criterion {
	if !p.Is(&document.Rubric) || !p.Doc.Valid() {
		return nil
	}
	nodes := p.Root().Get("criteria").List()
	all := make([]Criterion, len(nodes))
	list := lint.Key("criteria")
	for i, n := range nodes {
		name := n.Get("name").Text()
		c := &all[i]
		c.At, c.Node, c.Name = list.Elem(i, name, "criterion"), n, name
		c.Description = partOf(n, c.At, "description")
		read := []wording.Text{c.Description.Words}
		anchors, examples := c.At.Key("anchors", ""), c.At.Key("examples", "")
		for k := range c.Anchors {
			c.Anchors[k] = partOf(n.Get("anchors"), anchors, strconv.Itoa(LowestScore+k))
			read = append(read, c.Anchors[k].Words)
		}
		for k := range c.Examples {
			c.Examples[k] = partOf(n.Get("examples"), examples, ExampleKeys[k])
		}
		c.Sketch = minhash.Of(wording.All(read...))
	}
	return all
})
