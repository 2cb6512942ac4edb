package site

import "time"

// What the start of an interval is.
const (
	byRelease = "release" // the time of the library release that first had the version
	byCommit  = "commit"  // that of its commit on the main branch, if the former is not recorded
)

// interval is a time in which a reference without a version got a version: from a moment until
// another, exclusive, in UTC.
type interval struct {
	// From is zero if it is not recorded, and Until if it is not recorded or is still to come.
	From  time.Time `json:"from,omitzero"`
	Until time.Time `json:"until,omitzero"`
}

// words says when the interval is. over is whether it has ended, even if its end is not recorded.
func (i interval) words(over bool) string {
	switch from, until := i.From.Format(dayForm), i.Until.Format(dayForm); {
	case i.From.IsZero():
		return "now again"
	case i.Until.IsZero() && over:
		return "from " + from + " to a day that is not recorded"
	case i.Until.IsZero():
		return "since " + from
	case from == until:
		return "on " + from
	default:
		if i.From.Year() == i.Until.Year() {
			from = i.From.Format("2 January")
		}
		return from + " to " + until
	}
}

const dayForm = "2 January 2006"

// plausible treats impossible times, which a commit can have, as unknown.
func plausible(t time.Time) time.Time {
	if t = t.UTC().Truncate(time.Second); t.Year() < 1970 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

// passed reports whether a moment is recorded and not after another.
func passed(moment, at time.Time) bool { return !moment.IsZero() && !moment.After(at) }
