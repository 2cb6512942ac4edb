package intake

import (
	"slices"
	"strings"
	"unicode"
)

// Keys are the names that files give to one thing, without case and marks, the most telling first.
type Keys []string

// Names are the keys in a text, separated by spaces.
func Names(words string) Keys { return strings.Fields(words) }

// The keys of a document.
var (
	documentIDs   = Names("rubricid rulesetid rubrickey rubricslug id slug")
	documentNames = Names("rubricname rubrictitle name title label displayname")
	summaries     = Names("description summary purpose overview about desc")
	artifactTypes = Names("artifacttype")
	passMarks     = Names(`passthreshold passingthreshold passingscore passscore overallthreshold
		overallpassthreshold threshold passmark passinggrade minimumscore minscore requiredscore passat
		passing cutoff`)
	totals = Names(`totalmarks maxmarks totalpoints totalpointspossible totalscore total maxtotal
		totalweight maxscore maxpoints maximumscore maximumpoints pointspossible overallpointspossible
		overallmaxscore`)
	weightMaps    = Names("weights criteriaweights dimensionweights weighting weightings categoryweights")
	thresholdMaps = Names("thresholds minimums minimumscores")
	versions      = Names("version rubricversion schemaversion")
)

// containers are the last words of keys whose value has criteria.
var containers = Names(`criteria criterion dimensions dimension axes axis metrics metric categories
	category checks check rubrics rubric items questions aspects goals sections groups domains pillars
	areas factors entries standards components parts subcriteria subdimensions subcategories submetrics
	subitems requirements expectations rules assertions checklist tasks indicators competencies outcomes
	traits elements principles evaluators scorers graders evaluations strands objectives parameters
	qualities attributes skills scorecard`)

// faults are words in keys whose value asks for what must not be there.
var faults = Names(`negative fail failure failures fails penalty penalties deduction deductions flags
	pattern patterns disqualifiers prohibited forbidden violations anti`)

// The keys of a criterion.
var (
	CriterionIDs   = Names("criterionid id uid slug code ref key number index")
	criterionNames = Names(`name title label displayname shortname criterionname heading dimension metric
		aspect skill criterion category topic task attribute quality`)
	Descriptions = Names(`description criteriondescription dimensiondescription metricdescription desc
		definition question statement requirement criteria origcriteria criterion longdescription text prompt
		expectation expectedoutcome assertion explanation rule guideline instruction instructions goal
		objective standard item check condition detail details what summary content evaluationcriteria value`)
	// Added are texts that a judge needs next to the description.
	Added = Names(`guidance guidelines scoringguidance scoringguide scoringrule scoringrules
		scoringinstructions scoringnotes scoringcriteria scoring judgeinstructions evaluationguidance
		evaluationinstructions evaluationprompt judgeprompt instructions howtocheck howtoverify howtoscore
		howtoevaluate verification whattolookfor lookfor lookingfor considerations consider signals indicators
		evidence redflags keyquestions questions subquestions checks criteria requirements checklist details
		explanation why rationale reason purpose axis question prompt notes note assertions items rules`)
	relative = Names("relativeweight")
	Weights  = Names("weight weighting weightpercent weightpct weightpercentage percentage percent share importance priority")
	Points   = Names(`points maxpoints pointspossible possiblepoints totalpoints maximumpoints pts marks
		maxmarks maxscore maximumscore maximum max worth suggestedmaxpoints score value`)
	Thresholds = Names(`minpassscore minpassingscore minimumpassscore threshold passthreshold
		passingthreshold passingscore passscore minscore minimumscore requiredminscore minimum cutoff
		failthreshold requiredscore passat target`)
	Required = Names(`required critical must mustpass mandatory essential isrequired iscritical
		ismandatory isessential blocking isblocking blocker gate hardgate isgate gating dealbreaker
		nonnegotiable vital`)
	optionals   = Names("optional nicetohave isoptional")
	examples    = Names("examples example sampleanswers")
	scales      = Names("scale scoringscale scorescale ratingscale scorerange scalerange range")
	scaleLows   = Names("scalemin minscale minvalue scorelow lowest min minscore scoremin")
	scaleHighs  = Names("scalemax maxscale maxvalue scorehigh highest max maxscore scoremax")
	directions  = Names("direction polarity higherisbetter lowerisbetter inverted reversed reverse reversescored invert")
	Phases      = Names("phase")
	CheckTexts  = Names("check howtocheck howtoverify verification test verify checkinstructions")
	Severities  = Names("severity")
	LadderTexts = Names("rubric scorerubric scoringrubric gradingrubric")
	stepLists   = Names("evaluationsteps steps")
	references  = Names("referenceanswer origreferenceanswer")
)

// Ladders are keys whose value has the levels of a criterion, and sharedLadders those of all criteria.
var (
	Ladders = Names(`anchors levels scores scoringguide scoringguidance ratings performancelevels
		leveldescriptions leveldescriptors scoredescriptions scoreanchors scoringanchors scoringlevels
		scorelevels ratinglevels ratingscale qualitylevels gradelevels descriptors bands scorebands
		scoreranges scoringcriteria scoring grades options choices scale scoringscale scoringrubric
		gradingscale rubric rubrics scorerubric criteria guide scoreguide rules values labels definitions
		outcomes answers thresholds performancedescriptors achievementlevels stages tiers`)
	sharedLadders = Names(`anchors levels scale scoringscale ratingscale ratings scores scoringguide
		scoringguidance scoring performancelevels leveldescriptions leveldescriptors scoredescriptions
		scoreanchors scoringanchors scoringlevels scorelevels ratinglevels gradingscale scoreranges`)
	// essentials are lists of the criteria that decide.
	essentials = Names(`essentialids criticalids requiredids essential essentials essentialcriteria
		criticalcriteria requiredcriteria mandatorycriteria mustpass gates hardgates blockers critical
		required vetoes`)
)

// The keys of a level.
var (
	levelNumbers = Names("score value points rating level grade rank number scorevalue pts band")
	levelRanges  = Names("range scorerange pointsrange scoreband")
	levelLows    = Names("min minscore scoremin low from minpoints")
	levelHighs   = Names("max maxscore scoremax high to maxpoints")
	levelNames   = Names("label name title level rating grade band shortdescription key id outcome")
	levelTexts   = Names(`description desc text criteria criterion descriptor definition meaning
		expectedoutcome explanation details statement anchor content longdescription requirements when what
		example examples`)
	levelLists = Names(`criteria indicators signals evidence characteristics features requirements
		behaviors observables checklist bullets looksfor`)
	LevelSamples = Names("examples example sample sampleanswer")
)

// Fold is a key without its case and marks, so that scoring_guide, "Scoring guide", and
// scoringGuide are one key.
func Fold(key string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, key)
}

// parts are the words of a key in lowercase.
func parts(key string) []string {
	var b strings.Builder
	lower := false
	for _, r := range key {
		switch {
		case unicode.IsUpper(r) && lower:
			b.WriteByte(' ')
			b.WriteRune(unicode.ToLower(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteByte(' ')
		}
		lower = unicode.IsLower(r)
	}
	return strings.Fields(b.String())
}

// Words are a key as text: "not_met" reads as "not met".
func Words(key string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("_", " ").Replace(key)), " ")
}

// holdsMany reports whether a key says that its value has criteria, and asksForFaults whether it
// says that they ask for what must not be there.
func holdsMany(key string) bool {
	all := parts(key)
	return len(all) > 0 && slices.Contains(containers, all[len(all)-1]) || slices.Contains(containers, Fold(key))
}

func asksForFaults(key string) bool {
	return slices.ContainsFunc(parts(key), func(word string) bool { return slices.Contains(faults, word) })
}
