package decide

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Permission says whether a judge may be used for something. It follows from the recorded
// answers of all its runs for the same words.
type Permission struct {
	// Outcome is "" in statistics that an earlier program computed.
	Outcome Outcome `json:"outcome"`
	// Reason says in a sentence which runs decide it, and whether it held before.
	Reason string `json:"reason"`
}

// LibraryLimits is the outcome of a permission whose conditions are met by limits of the
// library that are looser than the defaults.
const LibraryLimits Outcome = "library_limits"

// Given reports whether the judge may be used by the limits of the library.
func (p *Permission) Given() bool { return p.Outcome == Met || p.Outcome == LibraryLimits }

// use is what a judge is used for.
type use string

const (
	toRank use = "rank" // its order of works stands for that of people
	toGate use = "gate" // its verdicts do
)

func (u use) needs(name ConditionName) bool {
	return u == toGate || name != ConditionLevel && name != ConditionVerdict
}

// daysApart is how many days there must be between the runs that give a permission.
const daysApart = 6

// after goes back from a run to the one that decides what holds after it. why is a sentence
// about the runs that decide, or "" if none does.
func (s *series) after(last int, u use) (holds bool, why string) {
	for i := last; i >= 0; i-- {
		name := s.runs[i].Name
		if refuted := s.decision(i).with(NotMet, u); len(refuted) > 0 {
			return false, fmt.Sprintf("Run %s does not meet: %s. ", name, schema.Or(refuted, "and"))
		}
		if wrong := s.wrong(i, u); len(wrong) > 0 {
			return false, fmt.Sprintf("In runs %s, %s, and %s, %s is on the wrong side of the limit. ", s.runs[i-2].Name, s.runs[i-1].Name, name, schema.Or(wrong, "and"))
		}
		if from := s.met(i, u); from < i {
			return true, fmt.Sprintf("Runs %s and %s meet its conditions. ", s.runs[from].Name, name)
		}
		if i > 0 && days(s.runs[i-1].Date, s.runs[i].Date) > s.MaximumAge {
			return false, fmt.Sprintf("Run %s was more than %d days old when run %s began. ", s.runs[i-1].Name, s.MaximumAge, name)
		}
	}
	return false, ""
}

// wrong are the estimates that are on the wrong side in a run and in the two before.
func (s *series) wrong(i int, u use) []string {
	wrong := s.decision(i).wrong(u)
	for before := 1; before <= 2 && len(wrong) > 0; before++ {
		if i < before {
			return nil
		}
		also := s.decision(i - before).wrong(u)
		wrong = slices.DeleteFunc(wrong, func(name string) bool { return !slices.Contains(also, name) })
	}
	return wrong
}

// met is the last run, enough days before another one, since which all runs meet every
// condition, or that other run if there is none.
func (s *series) met(i int, u use) int {
	for j := i; j >= 0 && s.decision(j).worst(u) == Met; j-- {
		if apart := days(s.runs[j].Date, s.runs[i].Date); apart > s.MaximumAge {
			break
		} else if apart >= daysApart {
			return j
		}
	}
	return i
}

// days is how many days there are between two dates, or -1 if one is not a date.
func days(from, to string) int {
	a, errA := time.Parse(time.DateOnly, from)
	b, errB := time.Parse(time.DateOnly, to)
	if errA != nil || errB != nil {
		return -1
	}
	return int(b.Sub(a).Hours() / 24)
}

// permission says what holds after the last run, and whether it held before.
func (s *series) permission(u use) Permission {
	last := len(s.runs) - 1
	holds, why := s.after(last, u)
	held, _ := s.after(last-1, u)
	name, outcome, open := s.runs[last].Name, s.decision(last).worst(u), ""
	if few := s.decision(last).with(Undecided, u); len(few) > 0 {
		open = fmt.Sprintf("Run %s has too few items to tell about %s. ", name, schema.Or(few, "and"))
	}
	switch {
	case holds && s.looser(u):
		outcome, why = LibraryLimits, why+open+"The limits are this library's, which are looser than the defaults. "
	case holds:
		outcome, why = Met, why+open
	case held || outcome == NotMet: // why says what is wrong
		outcome = worseOf(outcome, Undecided)
	case outcome == Undecided:
		why = open
	default:
		outcome, why = Undecided, fmt.Sprintf("Run %s meets its conditions; so must another run, at least %d days from it, and all runs between them. ", name, daysApart)
	}
	return Permission{outcome, strings.TrimSpace(changes[[2]bool{held, holds}] + why)}
}

// changes say what a run changed, by what held before and what holds after it.
var changes = map[[2]bool]string{{true, true}: "It still holds. ", {true, false}: "It ended. ", {false, true}: "It is new. "}
