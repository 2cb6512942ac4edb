// Package dev groups the programs and test helpers of those who develop this
// project: generated files, script tests, the skeleton of a lint rule, and tests of
// the repository as a whole. It may import all other groups, and no command that users
// run imports it.
package dev
