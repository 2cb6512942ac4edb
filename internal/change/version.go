package change

import (
	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/schema"
)

// Required is the lowest version that may follow base after changes of a class.
// While the major version is 0 a document is a draft, and a major change asks
// for a minor step only. Without a change the version stays.
func Required(base *semver.Version, class schema.Class) *semver.Version {
	next := *base
	switch {
	case class == schema.Major && base.Major() > 0:
		next = base.IncMajor()
	case class >= schema.Minor:
		next = base.IncMinor()
	case class == schema.Patch:
		next = base.IncPatch()
	}
	return &next
}
