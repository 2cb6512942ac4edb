package schema

// Class is the possible effect of a change on a consumer who gives the same scores
// by name for the same artifact. Classes are ordered; the zero Class means no class.
type Class uint8

// The classes, from the weakest. A version must grow by the highest class among
// its changes.
const (
	// None: the same canonical form, except for versions.
	None Class = iota + 1
	// Patch: neither a judge nor the verdict reads it.
	Patch
	// Minor: from the same scores, nothing that passed can fail, but something that failed
	// can pass, or a judge reads other words, so that the same work can get other scores.
	Minor
	// Major: something that passed can fail, the set of scores has another
	// shape, the scale is reversed, or a search no longer finds the document.
	Major
)

// String is the word for the class in output and in JSON.
func (c Class) String() string {
	return [...]string{"", "none", "patch", "minor", "major"}[c]
}

// MarshalJSON writes the word, or null for no class.
func (c Class) MarshalJSON() ([]byte, error) {
	if c == 0 {
		return []byte("null"), nil
	}
	return []byte(`"` + c.String() + `"`), nil
}

// Classes has a class for each way in which a field can change. Only those that
// Field.Ways lists are read.
type Classes struct {
	// Added and Removed: an optional field is set or unset, or an element of a List
	// or Map is added or removed.
	Added, Removed Class
	// Raised and Lowered: a number, or a Choice whose order matters, becomes
	// stricter or less strict.
	Raised, Lowered Class
	// Changed: another text, word, or flag, or another element in a List without
	// identity.
	Changed Class
	// Renamed: an element has another identity and is otherwise the same.
	Renamed Class
	// Reordered: the same elements in another order.
	Reordered Class
	// Moved: a text is under another key of the same Object. Replaced: all texts of
	// the Object changed at once. If they are zero, each text is compared
	// separately.
	Moved, Replaced Class
}

// Always gives every way of a field the same class.
func Always(c Class) Classes {
	return Classes{
		Added: c, Removed: c, Raised: c, Lowered: c, Changed: c, Renamed: c, Reordered: c, Moved: c, Replaced: c,
	}
}

// Way is a way in which a field can change; Classes says what each means.
type Way string

// The ways, by the fields of Classes.
const (
	Added     Way = "added"
	Removed   Way = "removed"
	Raised    Way = "raised"
	Lowered   Way = "lowered"
	Changed   Way = "changed"
	Renamed   Way = "renamed"
	Reordered Way = "reordered"
	Moved     Way = "moved"
	Replaced  Way = "replaced"
)

// ClassOf is the class of one way, 0 if it has none.
func (c Classes) ClassOf(w Way) Class {
	return map[Way]Class{
		Added: c.Added, Removed: c.Removed, Raised: c.Raised, Lowered: c.Lowered, Changed: c.Changed,
		Renamed: c.Renamed, Reordered: c.Reordered, Moved: c.Moved, Replaced: c.Replaced,
	}[w]
}

// Ways lists the ways in which the field can change, by its shape. The elements of
// a List and the keys of an Object have their own ways, which are not included.
func (f *Field) Ways() []Way {
	var ways []Way
	// A group whose keys are all optional means the same as an empty one, so only its
	// keys are added and removed.
	if !f.Required && f.Default == "" && f.Derive == nil && !f.Value.EmptyIsAbsent() {
		ways = append(ways, Added, Removed)
	}
	switch v := f.Value; v.Shape {
	case List:
		ways = []Way{Added, Removed}
		if v.Identity != "" {
			ways = append(ways, Renamed)
		} else if v.Elem.Shape != Object {
			ways = append(ways, Changed)
		}
		return append(ways, Reordered)
	case Map:
		return []Way{Added, Removed, Changed}
	case Object:
		for _, w := range []Way{Moved, Replaced} {
			if f.Class.ClassOf(w) != 0 {
				ways = append(ways, w)
			}
		}
		return ways
	}
	if f.IsOrdered() {
		return append(ways, Raised, Lowered)
	}
	return append(ways, Changed)
}

// IsOrdered reports whether one value of the field can be stricter than another: it
// is a number, or a Choice with a class for that.
func (f *Field) IsOrdered() bool {
	switch f.Value.Shape {
	case Number, Integer:
		return true
	case Choice:
		return f.Class.Raised != 0
	}
	return false
}
