// Package promptfoo reads the assertions in configurations and tests of promptfoo: texts for a judge
// become criteria, and texts to search for become rules.
//
// It promises: an assertion that neither can express is listed with the reason.
package promptfoo
