package lint

import (
	"strconv"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/text/minhash"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

// criterionNode is a criterion with its place in a document. Its texts are looked
// up once, and read in words once, for all lint rules.
type criterionNode struct {
	at   *schema.Path
	node *node
	name string

	describes *node
	anchors   [highestScore - lowestScore + 1]*node
	examples  [3]*node // as exampleKeys

	words    [1 + highestScore - lowestScore + 1 + 3]reading
	sketched bool
	sketch   *minhash.Sketch
}

// reading is a text in words, once it was read.
type reading struct {
	text wording.Text
	done bool
}

// exampleKeys are the keys of examples, from the lowest score.
var exampleKeys = [...]string{"score_1", "score_3", "score_5"}

const lowestScore, highestScore = 1, 5

// scoreKeys are the keys of anchors, from the lowest score.
var scoreKeys = [...]string{"1", "2", "3", "4", "5"}

// eachCriterion calls do with the criteria of a rubric, in their order, if its
// structure is right.
func eachCriterion(p *DocumentPass, do func(c *criterionNode)) {
	all := criteriaOf(p)
	for i := range all {
		do(&all[i])
	}
}

var criteriaOf = Once(func(p *DocumentPass) []criterionNode {
	if !p.Is(&document.Rubric) || !p.Doc.Valid() {
		return nil
	}
	nodes := p.Root().Get("criteria").List()
	all := make([]criterionNode, len(nodes))
	list := key("criteria")
	for i, n := range nodes {
		name := n.Get("name").Text()
		c := &all[i]
		c.at, c.node, c.name, c.describes = list.Elem(i, name, "criterion"), n, name, n.Get("description")
		anchors, examples := n.Get("anchors"), n.Get("examples")
		for k := range c.anchors {
			c.anchors[k] = anchors.Get(scoreKeys[k])
		}
		for k := range c.examples {
			c.examples[k] = examples.Get(exampleKeys[k])
		}
	}
	return all
})

func (c *criterionNode) description() *node { return c.describes }

// anchor is the anchor of a score from 1 to 5.
func (c *criterionNode) anchor(score int) *node { return c.anchors[score-lowestScore] }

// example is the example of the key with that number in exampleKeys.
func (c *criterionNode) example(k int) *node { return c.examples[k] }

// descriptionWords, anchorWords and exampleWords are these in words.
func (c *criterionNode) descriptionWords() wording.Text { return c.words[0].of(c.describes) }

func (c *criterionNode) anchorWords(score int) wording.Text {
	k := score - lowestScore
	return c.words[1+k].of(c.anchors[k])
}

func (c *criterionNode) exampleWords(k int) wording.Text {
	return c.words[1+len(c.anchors)+k].of(c.examples[k])
}

// of is the text of a value in words. It has none where n is nil.
func (r *reading) of(n *node) wording.Text {
	if !r.done {
		r.text, r.done = wording.Read(n.Text()), true
	}
	return r.text
}

// sketchOf stands for what a judge scores the criterion by, its description and its
// anchors. It is nil where these are too short to be compared.
func (c *criterionNode) sketchOf() *minhash.Sketch {
	if !c.sketched {
		texts := []wording.Text{c.descriptionWords()}
		for score := lowestScore; score <= highestScore; score++ {
			texts = append(texts, c.anchorWords(score))
		}
		c.sketch, c.sketched = minhash.Of(wording.All(texts...)), true
	}
	return c.sketch
}

// descriptionPath, anchorPath and examplePath are where these stand.
func (c *criterionNode) descriptionPath() *schema.Path { return c.at.Key("description", "") }

func (c *criterionNode) anchorPath(score int) *schema.Path {
	return c.at.Key("anchors", "").Key(strconv.Itoa(score), "")
}

func (c *criterionNode) examplePath(k int) *schema.Path {
	return c.at.Key("examples", "").Key(exampleKeys[k], "")
}
