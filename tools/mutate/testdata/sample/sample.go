// Package sample has code that its test checks in part.
package sample

// Weight is checked, except at the limit.
func Weight(n, limit int) int {
	if n < 0 {
		return -1
	}
	if n > limit {
		n = limit
	}
	return 2 * n
}
