// Package rubric holds the plain model of a scoring rubric and computes, from
// the scores that a judge or a person gave, whether an artifact passes.
//
// It promises:
//
//   - encoding/json decodes the canonical JSON of a rubric into Rubric and
//     loses nothing. Decoding is not checking: rubric-lint does that.
//   - Verdict and Hits are pure functions. The same rubric and input give the
//     same result on every machine, and implementations in other languages can
//     give it too, because the arithmetic and its tolerance are fixed.
//   - Nothing doubtful passes: a score that is missing, unknown or out of range,
//     an unknown hit or an unusable rubric is an error that names all of it.
//
// Running a judge is not part of it.
package rubric

// Rubric says how to score one type of artifact: by criteria from 1 to 5, by
// patterns that should not appear, and by the rule that makes a verdict of both.
type Rubric struct {
	// ID is unique in the library. If it ends in _vN, N is the major version,
	// and _v1 also stands for drafts (0.x.y).
	ID      string `json:"rubric_id"`
	Name    string `json:"name"`
	Version string `json:"version"` // semantic version, such as "1.0.0"
	// ArtifactType is what the rubric applies to, such as "jira_tickets".
	ArtifactType     string              `json:"artifact_type"`
	Description      string              `json:"description,omitempty"`
	Criteria         []Criterion         `json:"criteria"`
	NegativeCriteria []NegativeCriterion `json:"negative_criteria,omitempty"`
	Scoring          Scoring             `json:"scoring,omitzero"`
	// CalibrationDataset is an absolute URI or a path below calibration/ that
	// leads to labelled examples, or empty.
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
	// Threshold is the score needed to pass, 1.0 to 5.0. For an essential
	// criterion the rubric can demand more: see Rubric.Minimum.
	Threshold float64  `json:"threshold"`
	Anchors   Anchors  `json:"anchors"`
	Examples  Examples `json:"examples"`
}

// Weight says whether a criterion below its minimum fails the rubric.
type Weight string

const (
	// Essential: below the minimum, the rubric fails.
	Essential Weight = "essential"
	// Important: below the minimum is reported, and counts in the overall
	// score only.
	Important Weight = "important"
)

// The scale of scores; both ends belong to it.
const (
	MinScore = 1.0
	MaxScore = 5.0
)

// Examples show artifacts, or parts of them, and the score each deserves.
type Examples struct {
	Score1 string `json:"score_1"`
	Score3 string `json:"score_3,omitempty"` // optional
	Score5 string `json:"score_5"`
}

// NegativeCriterion is something that should not appear in the artifact. It is
// hit if one of its patterns is found anywhere in the text.
type NegativeCriterion struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	// FailPatterns are regular expressions in Go's syntax (RE2; see package
	// regexp/syntax), without flags; \d, \w and \b know ASCII only.
	FailPatterns []string `json:"fail_patterns"`
	// IgnoreCase lets ASCII letters match in either case, and nothing else.
	// The patterns may then name ASCII characters only.
	IgnoreCase bool `json:"ignore_case,omitempty"`
	// Effect says what a hit does; empty means EffectFail.
	Effect Effect `json:"effect,omitempty"`
	// FailExamples are texts that the patterns must hit.
	FailExamples []string `json:"fail_examples,omitempty"`
	// PassExamples are texts that the patterns must not hit.
	PassExamples []string `json:"pass_examples,omitempty"`
}

// Effect says what a hit of a negative criterion does to the verdict.
type Effect string

const (
	// EffectFail: a hit fails the rubric. It is the default, and canonical
	// JSON leaves it out.
	EffectFail Effect = "fail"
	// EffectReport: a hit is reported and changes nothing.
	EffectReport Effect = "report"
)

// effect is the effect with the default filled in.
func (n *NegativeCriterion) effect() Effect {
	if n.Effect == "" {
		return EffectFail
	}
	return n.Effect
}

// Scoring holds the minimums that go beyond single criteria. Valid values are
// 1.0 to 5.0; 0 means that there is no such minimum.
type Scoring struct {
	// PassThreshold is the lowest overall score that passes.
	PassThreshold float64 `json:"pass_threshold,omitempty"`
	// EssentialMinimum is the lowest score with which an essential criterion
	// passes, whatever its own threshold.
	EssentialMinimum float64 `json:"essential_minimum,omitempty"`
}

// Deprecation says why a rubric should no longer be used, and what to use
// instead.
type Deprecation struct {
	Reason     string `json:"reason"`
	ReplacedBy string `json:"replaced_by,omitempty"` // an ID, or empty
}
