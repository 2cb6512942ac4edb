// Package dev groups the programs and test helpers of those who develop this
// project: generated files, script tests, benchmarks, and the measurement of lint
// rules. No command that users run imports any of them.
package dev
