// Package suggest finds the known word that a user probably meant.
package suggest

import (
	"fmt"
	"slices"
	"strings"
)

// Word returns the word in known that is nearest to got, or "" if none is near enough
// to be a likely typo: within a third of got's length, at least one edit. A swap of two
// adjacent letters is one edit. Ties go to the first word in known, so the result is
// stable. A word with another meaning is none.
func Word(got string, known []string) string {
	known = slices.DeleteFunc(slices.Clone(known), func(word string) bool { return differs(got, word) })
	return append(Words(got, known, 1), "")[0]
}

// Question asks with a format, such as " Did you mean %q?", whether the nearest word of
// known was meant. It is "" if none is near.
func Question(format, got string, known []string) string {
	if word := Word(got, known); word != "" {
		return fmt.Sprintf(format, word)
	}
	return ""
}

// ID asks whether the nearest ID was meant, or those that begin with it, as
// user_story_v1 does after user_story. Otherwise, it names the command that lists all.
func ID(got string, known []string, list string) string {
	meant := Word(got, known)
	if meant == "" {
		longer := slices.DeleteFunc(slices.Clone(known), func(id string) bool { return !strings.HasPrefix(id, got+"_") })
		meant = strings.Join(longer[:min(len(longer), 3)], " or ")
	}
	if meant == "" {
		return "`" + list + "` lists the IDs"
	}
	return "Did you mean " + meant + "?"
}

// Clear reports whether a word is the only one of known within one edit of got.
func Clear(got, word string, known []string) bool {
	near := 0
	for _, k := range known {
		if Within(got, k, 1) {
			near++
		}
	}
	return near == 1 && Within(got, word, 1)
}

// Words returns up to limit words in known that are near got, nearest first.
func Words(got string, known []string, limit int) []string {
	type candidate struct {
		word string
		far  int
	}
	allowed := max(1, len(got)/3)
	var found []candidate
	for _, word := range known {
		if d := distance(got, word, allowed); d <= allowed {
			found = append(found, candidate{word, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.far - b.far })
	var words []string
	for _, c := range found[:min(limit, len(found))] {
		words = append(words, c.word)
	}
	return words
}

// differs reports whether a word that is near another one has another meaning: it has one of a pair
// of opposites that the other does not have, or ends with all of the other, as in "unimportant", or
// begins with it and a sign, as in "essential=false".
func differs(got, word string) bool {
	got = strings.ToLower(got)
	for _, one := range [...]string{"pass", "fail", "min", "max", "positive", "negative"} {
		if strings.Contains(got, one) && !strings.Contains(word, one) {
			return true
		}
	}
	after, begins := strings.CutPrefix(got, word)
	return len(got) > len(word)+1 && (strings.HasSuffix(got, word) || begins && (after[0] < 'a' || 'z' < after[0]))
}

// Within reports whether a word, in ASCII, is at most edits edits away from got.
func Within(got, word string, edits int) bool { return distance(got, word, edits) <= edits }

// distance returns the optimal string alignment distance of two words in bytes (the
// known words are ASCII), or limit+1 as soon as it is certain to exceed limit.
func distance(a, b string, limit int) int {
	if diff := len(a) - len(b); diff > limit || -diff > limit {
		return limit + 1
	}
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		best := row[0]
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			best = min(best, row[j])
		}
		if best > limit {
			return limit + 1
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
