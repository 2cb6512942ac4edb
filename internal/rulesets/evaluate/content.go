package evaluate

import (
	"context"
	"fmt"

	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// checkContent runs a content check. The result is meaningless if ctx is canceled.
func checkContent(ctx context.Context, c ruleset.Check, a *Artifact, o Options) CheckResult {
	if !a.isText {
		return skipped("the artifact is not UTF-8. Convert it first")
	}
	s, err := newSearch(c)
	if err != nil {
		return skipped("%v", err)
	}
	limited, stop := ctx, context.CancelFunc(func() {})
	if o.TimeLimit > 0 {
		limited, stop = context.WithTimeout(ctx, o.TimeLimit)
	}
	defer stop()
	count, spans := s.run(limited, a.text)
	if limited.Err() != nil {
		return skipped("the search did not finish within %v", o.TimeLimit)
	}
	result := CheckResult{Verdict: ruleset.VerdictPass, Count: count, Truncated: count > len(spans)}
	for _, span := range spans {
		result.Places = append(result.Places, placeOf(a.text, span[0]))
	}
	result.Reason = matches(count)
	if !within(count, c) {
		result.Verdict = ruleset.VerdictFail
		result.Reason += ", expected " + expected(c)
	}
	return result
}

// within reports whether a check passes with a number of matches.
func within(count int, c ruleset.Check) bool {
	if c.Expect == ruleset.ExpectAbsent {
		return count == 0
	}
	return count >= fewest(c) && (c.MaxCount == nil || count <= *c.MaxCount)
}

// fewest returns the minimum number of expected matches.
func fewest(c ruleset.Check) int {
	if c.MinCount == nil {
		return 1
	}
	return *c.MinCount
}

func matches(count int) string {
	switch count {
	case 0:
		return "no matches"
	case 1:
		return "1 match"
	}
	return fmt.Sprintf("%d matches", count)
}

// expected describes the number of matches with which a check passes.
func expected(c ruleset.Check) string {
	least := fewest(c)
	switch {
	case c.Expect == ruleset.ExpectAbsent:
		return "none"
	case c.MaxCount == nil:
		return fmt.Sprintf("at least %d", least)
	case least == *c.MaxCount:
		return fmt.Sprintf("exactly %d", least)
	case least <= 0 && *c.MaxCount > 0:
		return fmt.Sprintf("at most %d", *c.MaxCount)
	}
	text := fmt.Sprintf("at least %d and at most %d", least, *c.MaxCount)
	if least > *c.MaxCount {
		text += ", which is impossible"
	}
	return text
}
