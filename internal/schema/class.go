package schema

// Class is what a change can do to a consumer who gives the same scores by name
// for the same artifact. Classes are ordered; the zero Class is no class at all.
type Class uint8

// The classes, from the weakest. A version must grow by the highest class among
// its changes.
const (
	// None: the same canonical form, versions aside.
	None Class = iota + 1
	// Patch: neither a judge nor the verdict reads it.
	Patch
	// Minor: nothing that passed can fail, but something may pass that failed,
	// or a judge reads other words.
	Minor
	// Major: something that passed can fail, the set of scores has another
	// shape, the scale is turned, or a search no longer finds the document.
	Major
)

// String is the word for the class in output and in JSON.
func (c Class) String() string {
	return [...]string{"", "none", "patch", "minor", "major"}[c]
}

// Classes has a class for each way in which a field can change. The ways that a
// field's shape does not have stay zero; Ways tells which those are.
type Classes struct {
	// Added and Removed: an optional field is set or unset; of a List or Map,
	// an element comes or goes.
	Added, Removed Class
	// Raised and Lowered: a number, or a Choice whose order matters, becomes
	// stricter or less strict.
	Raised, Lowered Class
	// Changed: another text, word or flag; of a List without identity, an
	// element that became another.
	Changed Class
	// Renamed: an element has another identity and is the same otherwise.
	Renamed Class
	// Reordered: the same elements in another order.
	Reordered Class
	// Moved: a text stands under another key of the same object.
	Moved Class
}

// Always gives every way of a field the same class.
func Always(c Class) Classes {
	return Classes{Added: c, Removed: c, Raised: c, Lowered: c, Changed: c, Renamed: c, Reordered: c, Moved: c}
}

// Highest is the highest class among all ways.
func (c Classes) Highest() Class {
	return max(c.Added, c.Removed, c.Raised, c.Lowered, c.Changed, c.Renamed, c.Reordered, c.Moved)
}
