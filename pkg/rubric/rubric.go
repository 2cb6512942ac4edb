// Package rubric is the data model of a scoring rubric. It computes from the scores of a
// judge or a person whether an artifact passes.
//
// It promises:
//
//   - encoding/json decodes the canonical JSON of a rubric into Rubric without loss.
//     Decoding does not validate; rubric-lint does.
//   - Verdict and Hits are pure functions. The same rubric and input give the same result
//     on every machine and in implementations in other languages, because the arithmetic
//     and its tolerance are specified.
//   - Nothing passes in doubt: missing, unknown, or out-of-range scores, unknown hits, and
//     an unusable rubric are errors that list all problems.
//
// Running a judge is out of scope.
package rubric

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Rubric defines how to score one artifact type: criteria with scores from 1 to 5,
// patterns that should not match, and the scoring that combines both into a verdict.
type Rubric struct {
	// ID is unique in the library. If it ends in _vN, N is the major version; _v1
	// is also used for drafts (0.x.y).
	ID      string `json:"rubric_id"`
	Name    string `json:"name"`
	Version string `json:"version"` // semantic version, such as "1.0.0"
	// ArtifactType is what the rubric applies to, such as "jira_tickets".
	ArtifactType     string              `json:"artifact_type"`
	Description      string              `json:"description,omitempty"`
	Criteria         []Criterion         `json:"criteria"`
	NegativeCriteria []NegativeCriterion `json:"negative_criteria,omitempty"`
	Scoring          Scoring             `json:"scoring,omitzero"`
	// CalibrationDataset is an absolute URI or a path below calibration/ of labeled
	// examples, or empty.
	CalibrationDataset string `json:"calibration_dataset,omitempty"`
	// Language is the BCP 47 tag of the rubric's texts; empty means "en".
	Language string `json:"language,omitempty"`
	// Deprecated is nil unless the rubric should no longer be used.
	Deprecated *Deprecation      `json:"deprecated,omitempty"`
	Metadata   map[string]string `json:"metadata,omitempty"`
}

// Criterion is one question about the artifact, answered by a score from
// MinScore to MaxScore.
type Criterion struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Weight      Weight `json:"weight"`
	// RelativeWeight is how much the score counts in the overall score, compared with
	// the other criteria: above 0 and at most MaxRelativeWeight, or 0 for the default, 1.
	// See Counts.
	RelativeWeight float64 `json:"relative_weight,omitempty"`
	// Threshold is the lowest score that passes, from 1.0 to 5.0. For an essential
	// criterion, the rubric can require more; see Rubric.Minimum.
	Threshold float64  `json:"threshold"`
	Anchors   Anchors  `json:"anchors"`
	Examples  Examples `json:"examples"`
}

// MaxRelativeWeight is the largest relative weight of a criterion.
const MaxRelativeWeight = 1000.0

// Counts returns how much the score of the criterion counts in the overall score: its
// relative weight, or the default if it is 0.
func (c *Criterion) Counts() float64 { return cmp.Or(c.RelativeWeight, 1) }

// Weighted reports whether some scores count more than others in the overall score.
func (r *Rubric) Weighted() bool {
	return slices.ContainsFunc(r.Criteria, func(c Criterion) bool { return c.Counts() != r.Criteria[0].Counts() })
}

// Weight determines whether a criterion below its minimum fails the rubric.
type Weight string

const (
	// Essential means that the rubric fails if the score is below the minimum.
	Essential Weight = "essential"
	// Important means that a score below the minimum is only reported. The score
	// counts toward the overall score.
	Important Weight = "important"
)

// The scale of scores, inclusive.
const (
	MinScore = 1.0
	MaxScore = 5.0
)

// Examples are artifacts, or parts of them, that deserve a score.
type Examples struct {
	Score1 string `json:"score_1"`
	Score3 string `json:"score_3,omitempty"` // optional
	Score5 string `json:"score_5"`
}

// NegativeCriterion is something that should not appear in the artifact. It is hit if any
// of its patterns matches anywhere in the text.
type NegativeCriterion struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	// FailPatterns are regular expressions in Go's syntax (RE2; see package
	// regexp/syntax) without flags. \d, \w, and \b are ASCII-only.
	FailPatterns []string `json:"fail_patterns"`
	// IgnoreCase makes ASCII letters, and no others, match in either case. The
	// patterns must then name only ASCII characters.
	IgnoreCase bool `json:"ignore_case,omitempty"`
	// Effect is the effect of a hit; empty means EffectFail.
	Effect Effect `json:"effect,omitempty"`
	// FailExamples are texts with at least one match.
	FailExamples []string `json:"fail_examples,omitempty"`
	// PassExamples are texts without matches.
	PassExamples []string `json:"pass_examples,omitempty"`
}

// Effect is the effect of a hit of a negative criterion on the verdict.
type Effect string

const (
	// EffectFail means that a hit fails the rubric. It is the default, which
	// canonical JSON omits.
	EffectFail Effect = "fail"
	// EffectReport means that a hit is only reported.
	EffectReport Effect = "report"
)

// effect returns the effect, or the default if it is empty.
func (n *NegativeCriterion) effect() Effect { return cmp.Or(n.Effect, EffectFail) }

// Scoring has the minimums that apply to more than one criterion. Valid values are 1.0 to
// 5.0; 0 means no minimum.
type Scoring struct {
	// PassThreshold is the lowest overall score that passes.
	PassThreshold float64 `json:"pass_threshold,omitempty"`
	// EssentialMinimum is the lowest score with which any essential criterion
	// passes, even if its threshold is lower.
	EssentialMinimum float64 `json:"essential_minimum,omitempty"`
}

// Deprecation says why a rubric should no longer be used, and what to use instead.
type Deprecation struct {
	Reason     string `json:"reason"`
	ReplacedBy string `json:"replaced_by,omitempty"` // an ID, or empty
}

// Anchors describe a criterion at each score. The text for score 1 is at index 0; see At.
//
// In JSON, Anchors is an object with exactly the keys "1" to "5".
type Anchors [5]string

// At returns the anchor for a score from 1 to 5. It panics for any other score.
func (a Anchors) At(score int) string { return a[score-1] }

// MarshalJSON encodes the anchors in order of score.
func (a Anchors) MarshalJSON() ([]byte, error) {
	texts := map[string]string{} // encoding/json sorts the keys
	for i, text := range a {
		texts[strconv.Itoa(i+1)] = text
	}
	return json.Marshal(texts)
}

// UnmarshalJSON decodes an object with exactly the keys "1" to "5" and text values. Null
// is an error. The error lists all missing and unknown keys, and a is unchanged.
func (a *Anchors) UnmarshalJSON(data []byte) error {
	var texts map[string]*string
	if err := json.Unmarshal(data, &texts); err != nil {
		return fmt.Errorf("anchors: %w", err)
	}
	var read Anchors
	var missing []string
	for i := range read {
		key := strconv.Itoa(i + 1)
		if text := texts[key]; text != nil {
			read[i] = *text
		} else {
			missing = append(missing, key)
		}
		delete(texts, key)
	}
	var problems []string
	if len(missing) > 0 {
		problems = append(problems, "no text for "+strings.Join(missing, ", "))
	}
	if len(texts) > 0 {
		problems = append(problems, "unknown keys "+quoted(slices.Sorted(maps.Keys(texts))))
	}
	if len(problems) > 0 {
		return fmt.Errorf("anchors need the keys 1 to 5, each with a text, and no others: %s", strings.Join(problems, "; "))
	}
	*a = read
	return nil
}
