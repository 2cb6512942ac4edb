package importing

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// draft is a document of a file. Empty texts are not in the file.
type draft struct {
	// reference identifies the version of which an export has the file, or is "".
	reference string

	place, id, name, artifactType, description string
	// passThreshold is as the file has it, at passPlace.
	passThreshold, passPlace string

	scale     levels.Declared // of all criteria
	criteria  []criterion
	negatives []*yamltree.Node
	rules     []rule
	weighed   []criterion // of which the rules were made, with their weights
}

// criterion is a criterion as the file has it.
type criterion struct {
	// key is the text that the name is derived from: a name in the file, or else nothing. id is
	// the ID in the file, which names a criterion that has neither a name nor a description.
	key, id, description string
	// weight is a number, a share such as "20 %", or a word such as "essential". points and
	// threshold are numbers or shares. All are as the file has them.
	weight, points, threshold string
	// stated is essential or important if the file says it next to a number.
	stated string
	// groups are those around the criterion, from the outermost.
	groups []group
	// relativeWeight follows from the weights and points of all criteria.
	relativeWeight, thresholdPlace string
	// required says that the file marks the criterion as critical, required, or a must, and
	// negative that it asks for a fault.
	required, negative bool

	levels   []levels.Level  // in the order of the file
	pointed  bool            // whether the scores of the levels are points
	scale    levels.Declared // of this criterion alone
	examples []example
	notes    []string
	place    string
	rule     rule // what only a rule has
}

// example is a text that deserves a level: the one with the score or the name that the file
// gives, or that of an anchor.
type example struct {
	text, level string
	anchor      int
}

type rule struct {
	// id is complete, or "" if it follows from the category and the description.
	id, category, description, severity, weight, phase, check string

	checks []*yamltree.Node
	notes  []string
	place  string
}

// first is the text of the first criterion or rule.
func (d *draft) first() string {
	if len(d.criteria) > 0 {
		return cmp.Or(d.criteria[0].description, d.criteria[0].key)
	}
	return d.rules[0].description
}

func list(items ...*yamltree.Node) *yamltree.Node {
	return &yamltree.Node{Kind: yamltree.Sequence, Items: items}
}

// nameWords is how many words of a name in a file the name of a criterion has.
const nameWords = 5

// name is the name of a criterion: that of the file, with the groups around it in front, or the first words of
// its description.
func (c *criterion) name(number int) string {
	own := c.key
	if !isPartName(own) {
		first, _, _ := strings.Cut(strings.TrimSpace(c.description), "\n")
		own = cmp.Or(document.Slug(own, nameWords), document.Slug(first, 4), document.Slug(c.description, 4), document.Slug(c.id, 5), fmt.Sprintf("criterion_%d", number))
	}
	name := own
	for i := range c.groups {
		if group := document.Slug(c.groups[len(c.groups)-1-i].name, 3); group != "" {
			name = group + "_" + name
		}
	}
	if !isPartName(name) {
		return own
	}
	return name
}

func isPartName(name string) bool {
	return authoring.CheckParts(&document.Rubric, []string{name}) == nil
}

// group is a part of a rubric with criteria of its own.
type group struct {
	name           string
	weight, points string
	// number tells groups with one name apart.
	number int
}

// share is the weight of a group, or NaN.
func (g group) share() float64 {
	if value, ok := quantity(g.weight); ok {
		return value
	}
	value, _ := quantity(g.points)
	return value
}

func orOne(value float64) float64 {
	if math.IsNaN(value) {
		return 1
	}
	return value
}
