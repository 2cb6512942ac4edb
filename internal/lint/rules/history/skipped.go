package history

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/compat"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/repository/history"
)

// mostAtFirst is the largest number in the versions that the first documents of a
// library bring from elsewhere. It leaves enough room to grow.
const mostAtFirst = 999_999

// skipped reports a version that is not the next one. A step that is already on the
// main branch is not reported, because another version would not help.
func skipped(p *lint.HistoryPass, v *versioned) {
	if v.fork || v.lower() || v.untouched() || p.Settled && p.Exception("version-skipped", v.ID, v.head.String()) == nil {
		return
	}
	if v.floor != nil {
		if skips(p, v) {
			reportVersion(p, v, requiredOf(p, v), "Change version %s to %s: versions must not skip numbers, and the last version is %s.", v.head, requiredOf(p, v), latest(p, v))
		}
		return
	}
	firsts := compat.Firsts(v.ID)
	comesAlong := p.Founds && max(v.head.Major(), v.head.Minor(), v.head.Patch()) <= mostAtFirst
	if comesAlong || slices.ContainsFunc(firsts, v.head.Equal) {
		return
	}
	starts := firsts[0].String()
	if len(firsts) > 1 {
		starts += ", as a draft, or " + firsts[1].String()
	}
	first := compat.First(v.ID, v.head)
	reportVersion(p, v, first, "Change version %s to %s: a new document starts at %s.", v.head, first, starts)
}

// skips reports whether a version that is high enough is new and does not directly
// follow the last one.
func skips(p *lint.HistoryPass, v *versioned) bool {
	used := slices.ContainsFunc(p.Past[v.ID], func(h history.Holding) bool { return h.Version == v.head.String() })
	return v.enough() && !used && !v.head.Equal(v.floor) && !compat.Follows(v.floor, v.head) && !compat.Follows(latest(p, v), v.head)
}
