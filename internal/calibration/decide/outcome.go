package decide

// Outcome is what is known of a condition.
type Outcome string

const (
	// Met: the whole interval is where it must be.
	Met Outcome = "met"
	// Undecided: there are too few items to tell.
	Undecided Outcome = "undecided"
	// CannotTell: the labels can't tell, because no person reaches the limit among the others,
	// and the judge is not worse than they are.
	CannotTell Outcome = "cannot_tell"
	// NotMet: the whole interval is where it must not be, or there can be no value.
	NotMet Outcome = "not_met"
)

var severity = map[Outcome]int{Met: 0, Undecided: 1, CannotTell: 2, NotMet: 3}

func worseOf(a, b Outcome) Outcome {
	if severity[a] >= severity[b] {
		return a
	}
	return b
}

// Answer says whether a judge may be used for something.
type Answer string

const (
	// Yes: the judge may.
	Yes Answer = "yes"
	// LibraryLimits: it may, by limits of the library that are looser than the defaults.
	LibraryLimits Answer = "library_limits"
	// NotYet: there are too few items or runs.
	NotYet Answer = "not_yet"
	// Unclear: the labels can't tell.
	Unclear Answer = "cannot_tell"
	// No: the judge may not.
	No Answer = "no"
)

// Given reports whether the judge may be used by the limits of the library.
func (a Answer) Given() bool { return a == Yes || a == LibraryLimits }

// answers are those of what is not given.
var answers = map[Outcome]Answer{Met: NotYet, Undecided: NotYet, CannotTell: Unclear, NotMet: No}
