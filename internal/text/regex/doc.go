// Package regex says what the programs that use a library make of a regular expression: which parts
// they read differently, which spellings all of them read the same way, and whether one of them
// can take exponential time.
//
// It covers three languages: Go (package regexp, which defines the syntax and meaning
// for the library), Python (module re of 3.11 or later, with re.ASCII), and JavaScript
// (with the flag u, not the stricter flag v). Case-insensitive and multiline matching
// are flags of each language. Texts are searched in the form of package rubric:
// normalized, with LF line endings and, if case is ignored, without the long s.
//
// An expression in which Check finds nothing compiles in all three languages and finds
// the same places in every text. Time is a question for JudgeBacktracking.
//
// Before a search, it says which texts a match needs and how much work the search takes. Of an
// expression with an error, it says where that is.
//
// # Backtracking
//
// Go's own engine takes linear time, but consumers that use the same patterns in other languages,
// such as Python and ECMAScript, don't have such an engine.
//
// An expression becomes an automaton whose paths through a text are those that an engine
// can try. It is Exponential if a state has two different paths back to itself over the
// same text: each repetition of the text doubles the paths. This is the criterion EDA of
// Weber and Seidl (On the Degree of Ambiguity of Finite Automata, 1991), decided in a
// product of the automaton with itself, as in Allauzen, Mohri, and Rastogi (General
// Algorithms for Testing the Ambiguity of Finite Automata, 2008).
//
// An engine stops at the first match. Therefore, no path goes through a state after which
// there is a match whatever follows, as in (?:a+)+. Matches that depend on what follows
// are ignored: (?:a+)+. is Exponential, although an engine finds a match at once. So are
// optimizations of engines, such as a memory of failures.
//
// # Bounds of backtracking
//
// Optional items and repetitions with a limit can take as long, so two bounds make them
// count as repetitions without a limit:
//
//   - A repetition with a limit counts as one without if more than mostWays ways lead
//     through it, as in (?:\w{1,40} ?){1,20}, or if it has more than mostRounds optional
//     rounds of something through which one way leads, as in \w{1,40}.
//   - An expression is also Exponential if two paths over the same text can part and join
//     again mostJoins times in a row, as in (?:a?){30}a{30}. Such a text has at least
//     2 to the power of mostJoins paths, and usually far more.
//
// Smaller powers of the length of a text are not reported.
//
// The work of JudgeBacktracking is limited by the length of the pattern. A pattern that needs more is
// Unjudged, so that nothing can hide in a complex pattern.
package regex
