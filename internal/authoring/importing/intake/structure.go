package intake

import (
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

// shapes says what the values of a foreign file are: documents, criteria, groups, or levels. It looks only
// at keys and shapes, and answers each question once.
type shapes map[question]bool

type question struct {
	node *yamltree.Node
	what string
}

func (s shapes) ask(n *yamltree.Node, what string, look func() bool) bool {
	q := question{n, what}
	answer, known := s[q]
	if !known {
		answer = look()
		s[q] = answer
	}
	return answer
}

// leadingScore is a key with a score and a word, such as 5_excellent.
var leadingScore = lazy.Expr(`^([0-9]{1,3})[_ ]+(\pL.*)$`)

// sides are keys for what speaks for and against a criterion, with their place among levels.
var sides = map[string]float64{
	"positive": 1, "negative": 0, "recommended": 1, "detrimental": 0, "desirable": 1, "undesirable": 0,
	"fullcredit": 1, "partialcredit": 0.5, "nocredit": 0, "fullmarks": 1, "partialmarks": 0.5, "nomarks": 0,
}

// levelSuffix is what the key of a level can have after its name, such as good_anchor.
var levelSuffix = lazy.Expr(`(?i)[_ -](?:anchors?|desc(?:ription)?|criteria|level|text|descriptor|definition)$`)

// levelOf reads a key as the label of a level. known says that it is one wherever it is.
func levelOf(key string) (level levels.Level, known bool) {
	key = leadingScore().ReplaceAllString(strings.TrimSpace(key), "$1: $2")
	if level, ok := levels.ReadLabel(key); ok && !level.IsNamed() {
		return level, true
	}
	key = levelSuffix().ReplaceAllString(key, "")
	if side, known := sides[Fold(key)]; known {
		return levels.Score(side, ""), true
	}
	level, _ = levels.ReadLabel(Words(key))
	return level, !level.IsNamed() || wording.IsGrade(level.Name)
}

// isScored reports whether a key is the score of a level.
func isScored(key string) bool {
	level, _ := levels.ReadLabel(key)
	return !level.IsNamed() && level.Name == ""
}

// isLadder reports whether a value is levels. Under a key that is only used for them, they can
// have any names.
func (s shapes) isLadder(n *yamltree.Node, own bool) bool {
	return s.ask(n, map[bool]string{true: "own levels", false: "levels"}[own], func() bool {
		return s.looksLikeLadder(n, own)
	})
}

func (s shapes) looksLikeLadder(n *yamltree.Node, own bool) bool {
	switch {
	case isMapping(n):
		known, named := 0, 0
		for _, e := range n.Entries {
			switch _, isLevel := levelOf(e.Key.Value); {
			case isLevel && !s.isLadder(e.Value, false):
				known++
			case !own && isRanked(e.Key.Value) && isWords(e.Value):
				named++
			case own && (isWords(e.Value) || isMapping(e.Value) && !s.isCriterion(e.Value)):
				named++
			default:
				return false
			}
		}
		return known > 0 || own && named > 1
	case isSequence(n):
		return !slices.ContainsFunc(n.Items, func(item *yamltree.Node) bool { return !s.isRung(item, own) })
	}
	return false
}

// isRung reports whether an element of a list is a level.
func (s shapes) isRung(n *yamltree.Node, own bool) bool {
	switch n.Kind {
	case yamltree.Scalar:
		_, isLevel := levels.Item(n.Value)
		return isLevel || own && isText(n)
	case yamltree.Sequence: // [3, "all of them"]
		return len(n.Items) > 1 && isNumber(n.Items[0]) && isText(n.Items[1])
	}
	has := func(k Keys) bool {
		return slices.ContainsFunc(n.Entries, func(e yamltree.KeyValue) bool { return slices.Contains(k, Fold(e.Key.Value)) })
	}
	scored := has(Names("score value level rating grade points range scorerange min minscore scoremin"))
	return scored && !has(Names("weight maxpoints maxscore threshold criteria levels anchors ratings")) &&
		(own || !has(Names("points")) || has(Names("label level rating"))) ||
		own && has(labelKeys) && has(levelTexts) || len(n.Entries) == 1 && own && isText(n.Entries[0].Value)
}

var labelKeys = Names("label name title level rating grade band")

// hasLevels reports whether a mapping has levels under a key of its own, or as keys.
func (s shapes) hasLevels(n *yamltree.Node) bool {
	return s.ask(n, "has levels", func() bool { return s.findsLevels(n) })
}

func (s shapes) findsLevels(n *yamltree.Node) bool {
	direct := 0
	for _, e := range n.Entries {
		key := Fold(e.Key.Value)
		if slices.Contains(Ladders, key) && s.isLadder(e.Value, isOwnKey(key)) {
			return true
		}
		if slices.Contains(LadderTexts, key) && isMapping(e.Value) && s.hasLevels(e.Value) && !s.isDocument(e.Value) {
			return true
		}
		if _, isLevel := levelOf(e.Key.Value); isLevel && isWords(e.Value) && (isScored(e.Key.Value) || isPair(e.Key.Value)) {
			direct++
		}
	}
	return direct > 1 || direct == 1 && slices.ContainsFunc(n.Entries, func(e yamltree.KeyValue) bool {
		return isScored(e.Key.Value) && strings.Contains(e.Key.Value, "escription")
	})
}

// ambiguous are keys of levels that are also used for other things.
var ambiguous = Names(`criteria rubric rubrics scoring rules values labels definitions outcomes answers
	thresholds options choices scale scores guide`)

// isOwnKey reports whether a key is only used for levels, whatever they are called.
func isOwnKey(key string) bool { return !slices.Contains(ambiguous, key) }

// isRanked reports whether a key is a word that says how good a work is, which can also be the name of a
// criterion, such as "clear".
func isRanked(key string) bool {
	_, known := wording.Rank(Words(key))
	return known
}

// isPair reports whether a key is one of the words under which criteria have levels without a key
// around them.
func isPair(key string) bool {
	key = levelSuffix().ReplaceAllString(key, "")
	_, isSide := sides[Fold(key)]
	return isSide || slices.Contains(grades, Fold(key))
}

// grades are words for levels.
var grades = Names(`pass fail passed failed excellent good fair poor bad satisfactory unsatisfactory
	outstanding acceptable unacceptable proficient developing beginning emerging exemplary advanced basic
	inadequate adequate yes no met notmet strong weak low medium high exceeds meets full partial none`)

// isCriterion reports whether a mapping is a criterion: it has levels, a description, or a name
// with a weight, points, or a threshold.
func (s shapes) isCriterion(n *yamltree.Node) bool {
	return s.ask(n, "criterion", func() bool { return s.looksLikeCriterion(n) })
}

func (s shapes) looksLikeCriterion(n *yamltree.Node) bool {
	if n.Kind != yamltree.Mapping {
		return false
	}
	has := func(k Keys, accept func(*yamltree.Node) bool) bool {
		return slices.ContainsFunc(n.Entries, func(e yamltree.KeyValue) bool {
			return accept(e.Value) && slices.Contains(k, Fold(e.Key.Value))
		})
	}
	counted := has(Weights, isText) || has(Points, isText) || has(Thresholds, isText)
	return s.hasLevels(n) || has(Descriptions, isWords) || has(stepLists, isTexts) ||
		has(criterionNames, isText) || counted
}

// isGroup reports whether a mapping is a group: it has criteria of its own.
func (s shapes) isGroup(n *yamltree.Node) bool {
	return s.ask(n, "group", func() bool {
		return n.Kind == yamltree.Mapping && !s.hasLevels(n) &&
			slices.ContainsFunc(n.Entries, func(e yamltree.KeyValue) bool { return s.holdsCriteria(e, true) })
	})
}

// holdsCriteria reports whether a key has criteria. Within a criterion, a list of texts is part of its
// description, unless they have points of their own.
func (s shapes) holdsCriteria(e yamltree.KeyValue, within bool) bool {
	n := e.Value
	isExport := Fold(e.Key.Value) == "data" && isSequence(n) &&
		!slices.ContainsFunc(n.Items, func(item *yamltree.Node) bool { return !s.hasLevels(item) })
	if !holdsMany(e.Key.Value) && !isExport || asksForFaults(e.Key.Value) {
		return false
	}
	switch {
	case isTexts(n):
		return !within ||
			!slices.ContainsFunc(n.Items, func(item *yamltree.Node) bool { return !pointedText().MatchString(item.Value) })
	case isSequence(n):
		return !s.isLadder(n, false) && !slices.ContainsFunc(n.Items, func(item *yamltree.Node) bool {
			return !s.isCriterion(item) && !s.isGroup(item) && item.Kind != yamltree.Scalar
		})
	case isMapping(n):
		return !s.isLadder(n, false) && (!s.isCriterion(n) || s.isNested(n)) && !s.isDocument(n) && s.isMap(n, within)
	}
	return false
}

// isNested reports whether each value of a mapping is a mapping or a list, so that its keys are names.
func (s shapes) isNested(n *yamltree.Node) bool {
	return !slices.ContainsFunc(n.Entries, func(e yamltree.KeyValue) bool { return e.Value.Kind == yamltree.Scalar }) &&
		!s.hasLevels(n)
}

// isMap reports whether the values of a mapping are criteria, and its keys their names.
func (s shapes) isMap(n *yamltree.Node, within bool) bool {
	scalars := 0
	for _, e := range n.Entries {
		switch {
		case isText(e.Value):
			scalars++
		case !s.isCriterion(e.Value) && !s.isGroup(e.Value) && !s.isLadder(e.Value, false) && !s.isItems(e.Value):
			return false
		}
	}
	return scalars == 0 || !within && scalars == len(n.Entries)
}

// isItems reports whether a value is a list of criteria.
func (s shapes) isItems(n *yamltree.Node) bool {
	return isSequence(n) && !s.isLadder(n, false) &&
		!slices.ContainsFunc(n.Items, func(item *yamltree.Node) bool { return !s.isCriterion(item) && !s.isGroup(item) })
}

// isDocument reports whether a mapping has criteria under a key for them. Next to levels, a list of
// texts is a part of a criterion, unless its key says that each is one.
func (s shapes) isDocument(n *yamltree.Node) bool {
	return s.ask(n, "document", func() bool {
		return n.Kind == yamltree.Mapping && slices.ContainsFunc(n.Entries, func(e yamltree.KeyValue) bool {
			isPlural := slices.Contains(Names("criteria dimensions metrics axes aspects categories"), Fold(e.Key.Value))
			areParts := !isTexts(e.Value) || !s.hasLevels(n) || isPlural && len(e.Value.Items) > 1
			return s.holdsCriteria(e, false) && areParts
		})
	})
}

// pointedText is a text that begins with its points, such as "+4 cites a source" or "(2 points) …".
var pointedText = lazy.Expr(`^\s*(?:\+\s*([0-9]+(?:\.[0-9]+)?)|\(?([0-9]+(?:\.[0-9]+)?)\s*(?:points?|pts?)\)?)\s*[:.–-]?\s+(\S.*)$`)
