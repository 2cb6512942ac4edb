package printer

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Brief says in at most three sentences what a comparison does: to recorded verdicts if there are
// any, to documents, and to the version of the library.
func Brief(c *diff.Comparison, r change.Release, played *replay.Replay) []string {
	var lines []string
	if n := count(played); n.replayed+n.repeat > 0 {
		lines = append(lines, replayed(played))
	}
	lines = append(lines, counts(c))
	if class := Class(r); class != "" {
		lines = append(lines, class)
	}
	return lines
}

// Class says which class a change of the library has and which version it leads to, as far as both
// are known, or is "" if nothing differs.
func Class(r change.Release) string {
	if r.Class == 0 || r.Class == schema.None {
		return ""
	}
	text := fmt.Sprintf("Class of the change: %s", r.Class)
	if r.Last != "" { // otherwise it needs --first-release
		text += fmt.Sprintf("; next version of the library: %s", r.Next)
	}
	return text + "."
}
