package compat

import (
	"regexp"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// largest is the largest number in a version, according to the schema.
const largest = 999_999_999

// Required returns the lowest version that may follow base after changes of a class.
// With major version 0, a document is a draft, and a major change requires only a minor
// step. Without a change, the version stays the same. If a number is already the
// largest, the next more significant number increases.
func Required(base *semver.Version, class schema.Class) *semver.Version {
	next := *base
	switch {
	case class <= schema.None:
	case class == schema.Patch && base.Patch() < largest:
		next = base.IncPatch()
	case (class < schema.Major || base.Major() == 0) && base.Minor() < largest:
		next = base.IncMinor()
	default:
		next = base.IncMajor()
	}
	return &next
}

// Follows reports whether a version is the next after base in one of its numbers: only
// 1.2.4, 1.3.0, and 2.0.0 follow 1.2.3.
func Follows(base, head *semver.Version) bool {
	for _, next := range []semver.Version{base.IncPatch(), base.IncMinor(), base.IncMajor()} {
		if head.Equal(&next) {
			return true
		}
	}
	return false
}

var idMajor = regexp.MustCompile(`_v([1-9][0-9]{0,8})$`)

// Firsts returns the versions at which a new document with an ID can start, lowest first:
// N.0.0 if the ID ends in _vN and N is not 1, otherwise 0.1.0 (a draft) and 1.0.0.
func Firsts(id string) []*semver.Version {
	if m := idMajor.FindStringSubmatch(id); m != nil && m[1] != "1" {
		return []*semver.Version{semver.MustParse(m[1] + ".0.0")}
	}
	return []*semver.Version{semver.New(0, 1, 0, "", ""), semver.New(1, 0, 0, "", "")}
}

// First returns the version at which a new document should start instead of its own: a
// draft stays a draft.
func First(id string, has *semver.Version) *semver.Version {
	firsts := Firsts(id)
	if has.Major() == 0 {
		return firsts[0]
	}
	return firsts[len(firsts)-1]
}
