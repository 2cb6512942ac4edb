package compat

import (
	"regexp"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// subjects are the words for fields whose key does not read well in a sentence.
var subjects = map[string]string{
	"criteria[].anchors":          "all five levels",
	"criteria[].anchors.1":        "level 1",
	"criteria[].anchors.2":        "level 2",
	"criteria[].anchors.3":        "level 3",
	"criteria[].anchors.4":        "level 4",
	"criteria[].anchors.5":        "level 5",
	"criteria[].examples.score_1": "the example for score 1",
	"criteria[].examples.score_3": "the example for score 3",
	"criteria[].examples.score_5": "the example for score 5",
	"rules[].check":               "the instruction",
	"rules[].checks[].multiline":  "multiline",
	"rules[].checks[].expect":     "expect",
	"deprecated":                  "the deprecation",
	"deprecated.reason":           "the reason for the deprecation",
	"deprecated.replaced_by":      "the replacement",
}

// effects describe changes whose class does not say enough.
var effects = map[string]string{
	"rubric_id renamed":                           otherID,
	"ruleset_id renamed":                          otherID,
	"artifact_type changed":                       otherType,
	"criteria[] added":                            scoreNeeded,
	"criteria[] removed":                          scoreLost,
	"criteria[] renamed":                          "a score under the old name is no longer accepted",
	"criteria[].anchors moved":                    otherScale,
	"criteria[].anchors replaced":                 otherScale,
	"negative_criteria[] added":                   moreHits,
	"negative_criteria[] renamed":                 "hits are reported under another name",
	"negative_criteria[].fail_patterns[] added":   moreHits,
	"negative_criteria[].fail_patterns[] changed": otherHits,
	"negative_criteria[].ignore_case changed":     otherHits,
	"rules[] added":                               answerNeeded,
	"rules[] removed":                             answerLost,
	"rules[] renamed":                             "a verdict under the old ID is no longer accepted",
	"rules[].severity lowered":                    countsLess,
	"rules[].weight lowered":                      countsLess,
	"rules[].phase changed":                       "other verdicts are now needed in phase A",
}

const (
	otherID    = "consumers that ask for the old ID no longer find it"
	otherType  = "a search for the old type no longer finds it"
	otherScale = "the same score now means something else"
	moreHits   = "what it hits now fails"
	otherHits  = "it hits other texts, which now fail"
	countsLess = "the other rules count more, so " + canFailNow
	otherCheck = "the rule can now fail on work that it passed"

	scoreNeeded  = "a score for it is now needed"
	scoreLost    = "a score for it is no longer accepted"
	answerNeeded = "a verdict on it is now needed"
	answerLost   = "a verdict on it is no longer accepted"
)

func (f *finding) effectOf() string {
	if f.effect != "" {
		return f.effect
	}
	if text := effects[f.key+" "+string(f.Kind)]; text != "" {
		return text
	}
	switch {
	case f.Class == schema.Major && strings.HasPrefix(f.key, "rules[].checks"):
		return otherCheck
	case f.Class == schema.Major:
		return canFailNow
	case f.Class == schema.Minor && f.field.Judge && f.Kind == Reordered:
		return otherOrder
	case f.Class == schema.Minor && f.field.Judge:
		return otherWords
	case f.Class == schema.Minor:
		return canPass
	}
	return "scores and verdicts stay the same"
}

func (f *finding) message() string {
	of := ""
	if f.owner != "" {
		of = " of " + f.owner
	}
	var what string
	switch f.Kind {
	case Added:
		what = "Adds " + f.subject + f.valueName(f.Head) + strings.Replace(of, " of ", " to ", 1)
	case Removed:
		what = "Removes " + f.subject + f.valueName(f.Base) + strings.Replace(of, " of ", " from ", 1)
	case Raised, Lowered, Changed:
		verb := map[ChangeKind]string{Raised: "Raises ", Lowered: "Lowers ", Changed: "Changes "}[f.Kind]
		from, to := f.valueText(f.Base), f.valueText(f.Head)
		if from == to { // both are cut before they differ
			from, to = schema.QuoteBoth(f.Base.Text, f.Head.Text)
		}
		what = verb + f.subject + of + " from " + from + " to " + to
	case Reworded:
		what = "Rewords " + f.subject + of
		if f.numbers != "" {
			what = f.numbers + " in " + f.subject + of
		}
	case Renamed:
		what = "Renames " + f.subject + " to " + schema.Quote(f.Head.Text)
	case Reordered:
		what = "Reorders " + f.subject + of
	case Moved:
		what = "Moves " + f.subject + of + " to " + f.target
	case Replaced:
		what = "Replaces " + f.subject + of
		if f.numbers != "" {
			what += ", where " + f.numbers
		}
	default:
		return unclassified
	}
	return what + ": " + f.Effect + "."
}

const unclassified = "This difference has no class. " +
	"This is a bug in the tool, not a problem in the document: please report it."

func (f *finding) valueText(v *Value) string {
	switch f.field.Value.Shape {
	case schema.Text, schema.List, schema.Map:
		return schema.Quote(v.Text)
	}
	return v.Text
}

// valueName returns an added or removed value, if it is short and the subject does not name
// it.
func (f *finding) valueName(v *Value) string {
	switch f.field.Value.Shape {
	case schema.List, schema.Map, schema.Object:
		return ""
	}
	if prose(f.field.Value) {
		return ""
	}
	return " " + f.valueText(v)
}

func subject(f *schema.Field, key string) string {
	if text := subjects[key]; text != "" {
		return text
	}
	return the(f.Key)
}

// the returns a key for a sentence. A key of several words needs no article.
func the(key string) string {
	if strings.Contains(key, "_") {
		return key
	}
	return "the " + key
}

var element = regexp.MustCompile(`\[[^]]*\]`)

// pattern returns the place of a value in the table: "criteria[].threshold".
func pattern(path *schema.Path) string { return element.ReplaceAllString(path.String(), "[]") }
