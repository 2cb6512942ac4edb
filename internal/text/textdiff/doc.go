// Package textdiff compares two texts for people: word by word, and which numbers became others.
//
// It promises that the words give both texts back, and that a number is only said to have become
// another one where the first is in the old text, the second is in the new text, and they differ.
package textdiff
