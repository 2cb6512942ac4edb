package calibration

import (
	"cmp"
	"strconv"
	"strings"
	"time"
)

// Start says when a run began. It alone decides in which order runs happened.
type Start struct {
	// Run is the name of the run: its date, with a number such as -2 for each further run of the
	// day, or another name, which says nothing about the order.
	Run string
	// Date is the day in UTC, and Time the moment, such as 2026-11-21T09:30:00Z, or "" if only
	// the day is known.
	Date, Time string
}

// ParseStart reads a date, or a moment in RFC 3339 in any time zone.
func ParseStart(text string) (s Start, ok bool) {
	if _, err := time.Parse(time.DateOnly, text); err == nil {
		return Start{Date: text}, true
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return s, false
	}
	return StartAt(at), true
}

// StartAt is the start of a run that begins at a moment. It is recorded to the second.
func StartAt(at time.Time) Start {
	at = at.UTC()
	return Start{Date: at.Format(time.DateOnly), Time: at.Format(time.RFC3339)}
}

// String is the moment, or the date where only that is known.
func (s Start) String() string { return cmp.Or(s.Time, s.Date) }

// Compare orders starts, the earlier first. What is not known is decided as follows: a run of
// which only the date is known began before the others of its day, and among these, those with
// another name than DATE-N began first.
func (s Start) Compare(o Start) int {
	return cmp.Or(cmp.Compare(s.Date, o.Date), cmp.Compare(s.Time, o.Time), cmp.Compare(s.number(), o.number()))
}

// Follows reports whether a run is known to have begun after another one.
func (s Start) Follows(o Start) bool {
	switch {
	case s.Date != o.Date:
		return s.Date > o.Date
	case s.Time != o.Time:
		return s.Time > o.Time && o.Time != ""
	}
	return o.number() > 0 && s.number() > o.number()
}

// number is the N of a run that is named DATE-N, 1 if its name is DATE, and 0 for other names.
func (s Start) number() int {
	rest, ok := strings.CutPrefix(s.Run, s.Date)
	if ok && rest == "" {
		return 1
	}
	text, ok := strings.CutPrefix(rest, "-")
	n, err := strconv.Atoi(text)
	if !ok || err != nil || n < 2 || strconv.Itoa(n) != text {
		return 0
	}
	return n
}
