package source

// Problem is an error at a place in a file, as a parser or check reports it. The lint
// engine adds severity, file, and position.
type Problem struct {
	// Code is the ID of the lint rule.
	Code string
	// Span is the smallest range that shows the mistake.
	Span Span
	// Pointer is the JSON pointer (RFC 6901) of the value in question, or of the
	// parent if a value is missing.
	Pointer string
	// Path is the same place with elements named instead of counted, so that it stays
	// the same when others are inserted before: "criteria[clarity].threshold".
	Path string
	// Message says in one or two sentences what to change and why.
	Message string
	// Spec is the violated requirement, such as "RL-05"; empty means that of the lint
	// rule.
	Spec string
	// Related are other places in the same file that explain it.
	Related []Related
	// Fix is a safe fix, or nil.
	Fix *Fix
}

// Related is another place in the same file, and its relation to the problem.
type Related struct {
	Span    Span
	Message string
}

// Fix is a way to fix a problem that changes nothing else.
type Fix struct {
	// Message is a verb phrase: "put the version in quotes".
	Message string
	// Edits change bytes of the file. They must not overlap.
	Edits []Edit
	// Rename is the file's new path relative to the library, or empty.
	Rename string
	// Rewrites is true if the fix changes the meaning of the document, however little.
	// Such a fix is for documents that are not used yet.
	Rewrites bool
}
