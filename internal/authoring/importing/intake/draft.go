package intake

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

// Draft is a document of a file. Empty texts are not in the file.
type Draft struct {
	// Reference identifies the version of which an export has the file, or is "".
	Reference string

	Place, ID, Name, ArtifactType, Description string
	// PassThreshold is as the file has it, at PassPlace.
	PassThreshold, PassPlace string

	Scale     levels.Declared // of all criteria
	Criteria  []Criterion
	Negatives []*yamltree.Node
	Rules     []Rule
	Weighed   []Criterion // of which the rules were made, with their weights
}

// Criterion is a criterion as the file has it.
type Criterion struct {
	// Key is the text that the name is derived from: a name in the file, or else nothing. ID is
	// the ID in the file, which names a criterion that has neither a name nor a description.
	Key, ID, Description string
	Amounts
	// Groups are those around the criterion, from the outermost.
	Groups []Group
	// Required says that the file marks the criterion as critical, required, or a must, and
	// Negative that it asks for a fault.
	Required, Negative bool

	Levels   []levels.Level  // in the order of the file
	Pointed  bool            // whether the scores of the levels are points
	Scale    levels.Declared // of this criterion alone
	Examples []Example
	notes    []string
	Place    string
	rule     Rule // what only a rule has
}

// Amounts are how much a criterion counts, and its minimum.
type Amounts struct {
	// Weight is a number, a share such as "20 %", or a word such as "essential". Points and
	// Threshold are numbers or shares. All are as the file has them.
	Weight, Points, Threshold string
	// stated is essential or important if the file says it next to a number.
	stated string
	// RelativeWeight follows from the weights and points of all criteria.
	RelativeWeight, thresholdPlace string
}

// Example is a text that deserves a level: the one with the score or the name that the file
// gives, or that of an anchor.
type Example struct {
	Text, Level string
	Anchor      int
}

// Rule is a rule as the file has it.
type Rule struct {
	// ID is complete, or "" if it follows from the category and the description.
	ID, Category, Description, Severity, Weight, Phase, Check string

	Checks []*yamltree.Node
	Notes  []string
	Place  string
}

// firstText is the text of the first criterion or rule.
func (d *Draft) firstText() string {
	if len(d.Criteria) > 0 {
		return cmp.Or(d.Criteria[0].Description, d.Criteria[0].Key)
	}
	return d.Rules[0].Description
}

// List is a list of nodes.
func List(items ...*yamltree.Node) *yamltree.Node {
	return &yamltree.Node{Kind: yamltree.Sequence, Items: items}
}

// nameWords is how many words of a name in a file the name of a criterion has.
const nameWords = 5

// name is the name of a criterion: that of the file, with the groups around it in front, or the first words of
// its description.
func (c *Criterion) name(number int) string {
	own := c.Key
	if !isPartName(own) {
		first, _, _ := strings.Cut(strings.TrimSpace(c.Description), "\n")
		own = cmp.Or(document.Slug(own, nameWords), document.Slug(first, 4), document.Slug(c.Description, 4),
			document.Slug(c.ID, 5), fmt.Sprintf("criterion_%d", number))
	}
	name := own
	for i := range c.Groups {
		if group := document.Slug(c.Groups[len(c.Groups)-1-i].Name, 3); group != "" {
			name = group + "_" + name
		}
	}
	if !isPartName(name) {
		return own
	}
	return name
}

// isCut reports whether a name in a file is too long to become that of a criterion.
func isCut(name string) bool { return Fold(document.Slug(name, nameWords)) != Fold(name) }

func isPartName(name string) bool {
	return authoring.CheckParts(&document.Rubric, []string{name}) == nil
}

// Group is a part of a rubric with criteria of its own.
type Group struct {
	Name           string
	Weight, Points string
	// Number tells groups with one name apart.
	Number int
}

// share is the weight of a group, or NaN.
func (g Group) share() float64 {
	if value, ok := Quantity(g.Weight); ok {
		return value
	}
	value, _ := Quantity(g.Points)
	return value
}

func orOne(value float64) float64 {
	if math.IsNaN(value) {
		return 1
	}
	return value
}
