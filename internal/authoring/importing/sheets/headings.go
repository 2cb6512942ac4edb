package sheets

import (
	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// The fields that columns of a sheet can have. Other columns have levels and examples.
const (
	rubricField      = "rubric"
	groupField       = "group"
	criterionField   = "criterion"
	idField          = "id"
	descriptionField = "description"
	weightField      = "weight"
	relativeField    = "relative_weight"
	pointsField      = "points"
	thresholdField   = "threshold"
	requiredField    = "required"
	severityField    = "severity"
	phaseField       = "phase"
	checkField       = "check"
	levelField       = "level"
	labelField       = "label"
	textField        = "text"
	aboutField       = "about" // what the rubric is for, in a column that no heading tells
	rangeField       = "range" // whether ratings are ranges, which the anchors of a rubric can't be
)

// field is a field with its headings without case and marks, the most telling first.
type field struct {
	name     string
	headings intake.Keys
}

// fields are in the order in which they choose a column.
var fields = []field{
	{rubricField, intake.Names("rubricid rubrickey rubricname rubrictitle rubric")},
	{criterionField, intake.Names(`subcriterion subcriteria subcategory subdimension criterion
		criterionname criterionshortname criteria criterianame criteriatitle criteriontitle
		evaluationcriterion evaluationcriteria assessmentcriterion assessmentcriteria gradingcriterion
		gradingcriteria scoringcriterion scoringcriteria ratingcriteria performancecriterion
		performancecriteria dimension metric aspect trait competency indicator skill qualityattribute
		attribute element factor component objective learningoutcome outcome standard gradingprompt
		judgeprompt graderprompt evaluationprompt evalprompt scoringprompt prompttext requirement question
		item checkitem title name topic quality category area task prompt`)},
	{groupField, groupHeadings},
	{idField, append(intake.Names("sno serialno itemno criterionno"), intake.CriterionIDs...)},
	{relativeField, intake.Names("relativeweight")},
	{weightField, append(intake.Names("weight weightage weighting importance"), intake.Weights...)},
	{
		thresholdField,
		append(intake.Names("threshold passscore passmark minimumpassscore passat minimum min"), intake.Thresholds...),
	},
	{requiredField, append(intake.Names("musthave musthaves"), intake.Required...)},
	{severityField, intake.Severities},
	{phaseField, intake.Phases},
	{checkField, intake.CheckTexts},
	{levelField, intake.Names(`level score rating grade band performancelevel scorelevel ratinglevel
		qualitylevel levelscore scorevalue ratingvalue levelnumber`)},
	{pointsField, append(intake.Names("pointvalue totalpoints total"), intake.Points...)},
	{labelField, intake.Names("label levelname ratingname levellabel leveltitle scorelabel ratinglabel bandname")},
	{textField, intake.Names(`descriptor leveldescription leveldescriptor levelcriteria scoredescription
		scoredescriptor ratingdescription performancedescriptor leveltext anchor anchortext banddescription
		whatitlookslike`)},
	{descriptionField, intake.Names(`description criteriondescription criteriadescription criteriondetails
		desc definition longdescription details detail explanation statement question requirement expectation
		expectations guideline rule evaluationcriteria whattolookfor lookfor guidance check item text
		checksfor whatitchecks whatitmeasures measures evaluates lookfor whattolookfor looksfor whatwelookfor
		whatwecheck focus meaning whatitmeans passif passwhen passcondition`)},
	{rangeField, intake.Names("criteriaenablerange enablerange")},
}

// weakHeadings are headings of criteria that tables of anything else have, too, and asides those of
// what people write next to levels.
var (
	weakHeadings = intake.Names(`requirement question item checkitem title name topic quality category area
		task prompt element factor component objective outcome standard attribute skill`)
	asides = intake.Names("comment comments feedback remarks evidence score scores notes note")
)

var groupHeadings = intake.Names("group groupname section sectionname category area domain theme pillar strand module part")

// fieldNames are the values of --column, for messages.
func fieldNames() []string {
	return []string{
		criterionField, descriptionField, groupField, weightField, relativeField, pointsField, thresholdField, requiredField,
		"a level of the scale, such as 5", "score_1, score_3, or score_5 for an example",
	}
}

var (
	// inBrackets is what a heading says in brackets at its end, such as "(max. 20)".
	inBrackets = lazy.Expr(`\s*[\[(][^\])]*[\])]\s*$`)
	// looksLike is a heading about what a level looks like.
	looksLike = lazy.Expr(`(?i)^(?:what|how)\s+(?:an?\s+)?(.{2,30}?)(?:\s+(?:work|answer|response|output))?\s+looks?\s+like$|^what\s+is\s+(.{2,30})$`)
	// levelPart is a heading of one of several columns for a level.
	levelPart = lazy.Expr(`(?i)^(?:rating|level|score|band|option|grade|tier|anchor)s?[\s_-]*([0-9]{0,2})[\s_-]*(name|title|label|descriptions?|desc|text|definition|descriptor|points?|pts|score|value|marks?)[\s_-]*([0-9]{0,2})$`)
	// numberedPart is one of several columns for a level that have only a number, such as rating_1
	// next to pts_1.
	numberedPart = lazy.Expr(`(?i)^(rating|level|option|band|points?|pts|marks?)s?[\s_-]*([0-9]{1,2})$`)
	// sampleHeading is a heading of examples of a level.
	sampleHeading = lazy.Expr(`(?i)^(?:(?:example|sample)s?(?:\s+(?:of|for))?[\s_:-]*(?:an?\s+)?\(?([^()]+?)\)?|(.+?)\s+(?:example|sample)s?)$`)
	// scoreColumn is a heading such as score_1, of a level or of an example.
	scoreColumn = lazy.Expr(`(?i)^score[\s_]*([0-9]{1,2})$`)
	// scoreAndName is a heading with a score and any name, letterAndName one with a grade, and
	// rowNumber one of a column that counts, such as "Prompt #".
	scoreAndName  = lazy.Expr(`^([0-9]{1,3})\s*[-–:.]?\s+(\pL.*)$`)
	letterAndName = lazy.Expr(`^[A-F][+-]?\s*[-–:]\s*(\pL.*)$`)
	rowNumber     = lazy.Expr(`(?i)^(?:(?:\pL+ ?)?#|no\.?|nr\.?)$`)
)
