package decide

// Condition is one of those that a judge must meet to count as calibrated.
type Condition struct {
	Name    ConditionName
	Outcome Outcome
	// Causes are why it is not met, where there are several ways.
	Causes []Cause
	// Criteria are those with the outcome, if it is about criteria.
	Criteria []string
}

// ConditionName names a condition.
type ConditionName string

// The conditions, the one that matters most first: what is wrong with labels, words, or
// answers makes every number below meaningless.
const (
	ConditionPeople    ConditionName = "people"    // others than the authors labeled, two of them the same items
	ConditionFreshness ConditionName = "freshness" // labels and run are of today's words
	ConditionCoverage  ConditionName = "coverage"  // nearly all items have a readable answer
	ConditionAge       ConditionName = "age"       // the run is not old
	ConditionVerdict   ConditionName = "verdict"   // the judge is right about passes and about fails
	ConditionLevel     ConditionName = "level"     // the judge is not more lenient or strict than people
	ConditionRanking   ConditionName = "ranking"   // the judge orders items as people do
)

// Cause is a way in which a condition is not met.
type Cause string

// The causes, by condition.
const (
	Demonstration Cause = "demonstration" // people: authors or a model labeled
	Unlabeled     Cause = "unlabeled"     // people: criteria without a label
	FewPaired     Cause = "few_paired"    // people: too few items of the same two raters
	StaleLabels   Cause = "stale_labels"  // freshness
	NoJudge       Cause = "no_judge"      // freshness
	StaleRun      Cause = "stale_run"     // freshness
	Unmeasured    Cause = "unmeasured"    // freshness: the run is by an earlier program
	Future        Cause = "future"        // age
)

// use is what a judge is used for.
type use string

const (
	toRank use = "rank" // its order of works stands for that of people
	toGate use = "gate" // its verdicts do
)

func (u use) needs(name ConditionName) bool {
	return u == toGate || name != ConditionLevel && name != ConditionVerdict
}
