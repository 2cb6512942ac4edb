// Package regex finds the parts of a regular expression that the programs that use a
// library read differently, and spellings that all of them read the same way.
//
// It covers three languages: Go (package regexp, which defines the syntax and meaning
// for the library), Python (module re of 3.11 or later, with re.ASCII), and JavaScript
// (with the flag u, not the stricter flag v). Case-insensitive and multiline matching
// are flags of each language. Texts are searched in the form of package rubric:
// normalized, with LF line endings and, if case is ignored, without the long s.
//
// An expression in which Check finds nothing compiles in all three languages and finds
// the same places in every text. Time is not checked.
//
// Before a search, it says which texts a match needs and how much work the search takes. Of an
// expression with an error, it says where that is.
package regex
