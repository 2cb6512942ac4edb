package source

// Problem is one thing that is wrong at a place of one file, as the part that
// saw it reports it. The lint engine adds severity, file and position.
type Problem struct {
	// Code is the ID of the lint rule that this is a case of.
	Code string
	// Span is the smallest range that shows the mistake.
	Span Span
	// Pointer is the JSON pointer (RFC 6901) of the value in question, or of
	// the parent where a value is missing.
	Pointer string
	// Path is the same place with elements named instead of counted, so that it
	// stays the same when others come before: "criteria[clarity].threshold".
	Path string
	// Message says in one or two sentences what to change and why.
	Message string
	// Spec is the requirement it breaks, such as "RL-05"; empty if it is that
	// of the lint rule.
	Spec string
	// Related points at other places of the same file that explain it.
	Related []Related
	// Fix is the safe way to mend it, or nil.
	Fix *Fix
}

// Related is another place of the same file, and what it has to do with the
// problem.
type Related struct {
	Span    Span
	Message string
}

// Fix is one way to mend a problem that changes nothing else.
type Fix struct {
	// Message is a verb phrase: "put the version in quotes".
	Message string
	// Edits change bytes of the file. They must not overlap.
	Edits []Edit
	// Rename is the file's new path relative to the library, or empty.
	Rename string
	// Rewrites tells that the document says something else afterwards, however
	// little. Such a fix is for documents that nobody uses yet.
	Rewrites bool
}
