// Package criteria reads the criteria of a rubric once for all lint rules: their
// places in the document, and their texts in words.
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

// Criterion is a criterion with its place in a document. Its texts are looked
// up once, and read in words once, for all lint rules.
type Criterion struct {
	// At and Node are its place, and Name is its name as written.
	At   *schema.Path
	Node *yamltree.Node
	Name string

	describes *yamltree.Node
	anchors   [HighestScore - LowestScore + 1]*yamltree.Node
	examples  [3]*yamltree.Node // as ExampleKeys

	words    [1 + HighestScore - LowestScore + 1 + 3]reading
	sketched bool
	sketch   *minhash.Sketch
}

// reading is a text in words, once it was read.
type reading struct {
	text wording.Text
	done bool
}

// ExampleKeys are the keys of examples, from the lowest score.
var ExampleKeys = [...]string{"score_1", "score_3", "score_5"}

// LowestScore and HighestScore are the ends of the scale.
const LowestScore, HighestScore = 1, 5

// scoreKeys are the keys of anchors, from the lowest score.
var scoreKeys = [...]string{"1", "2", "3", "4", "5"}

// Each calls do with the criteria of a rubric, in their order, if its
// structure is right.
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
		c.At, c.Node, c.Name, c.describes = list.Elem(i, name, "criterion"), n, name, n.Get("description")
		anchors, examples := n.Get("anchors"), n.Get("examples")
		for k := range c.anchors {
			c.anchors[k] = anchors.Get(scoreKeys[k])
		}
		for k := range c.examples {
			c.examples[k] = examples.Get(ExampleKeys[k])
		}
	}
	return all
})

func (c *Criterion) Description() *yamltree.Node { return c.describes }

// Anchor is the anchor of a score from 1 to 5.
func (c *Criterion) Anchor(score int) *yamltree.Node { return c.anchors[score-LowestScore] }

// Example is the example of the key with that number in ExampleKeys.
func (c *Criterion) Example(k int) *yamltree.Node { return c.examples[k] }

// DescriptionWords, AnchorWords and ExampleWords are these in words.
func (c *Criterion) DescriptionWords() wording.Text { return c.words[0].of(c.describes) }

func (c *Criterion) AnchorWords(score int) wording.Text {
	k := score - LowestScore
	return c.words[1+k].of(c.anchors[k])
}

func (c *Criterion) ExampleWords(k int) wording.Text {
	return c.words[1+len(c.anchors)+k].of(c.examples[k])
}

// of is the text of a value in words. It has none where n is nil.
func (r *reading) of(n *yamltree.Node) wording.Text {
	if !r.done {
		r.text, r.done = wording.Read(n.Text()), true
	}
	return r.text
}

// Sketch stands for what a judge scores the criterion by, its description and its
// anchors. It is nil where these are too short to be compared.
func (c *Criterion) Sketch() *minhash.Sketch {
	if !c.sketched {
		texts := []wording.Text{c.DescriptionWords()}
		for score := LowestScore; score <= HighestScore; score++ {
			texts = append(texts, c.AnchorWords(score))
		}
		c.sketch, c.sketched = minhash.Of(wording.All(texts...)), true
	}
	return c.sketch
}

// DescriptionPath, AnchorPath and ExamplePath are where these stand.
func (c *Criterion) DescriptionPath() *schema.Path { return c.At.Key("description", "") }

func (c *Criterion) AnchorPath(score int) *schema.Path {
	return c.At.Key("anchors", "").Key(strconv.Itoa(score), "")
}

func (c *Criterion) ExamplePath(k int) *schema.Path {
	return c.At.Key("examples", "").Key(ExampleKeys[k], "")
}
