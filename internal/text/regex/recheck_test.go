package regex

import (
	"encoding/json"
	"os"
	"regexp/syntax"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// labeled is what recheck said of a pattern. Folder recheck tells how.
type labeled struct{ Pattern, Growth string }

func readLabels(t *testing.T) (version string, labels []labeled) {
	t.Helper()
	data := must.Get(os.ReadFile("testdata/recheck.json"))(t)
	var file struct {
		Recheck string
		Labels  []labeled
	}
	must.Do(t, json.Unmarshal(data, &file))
	return file.Recheck, file.Labels
}

// The reasons for most disagreements.
const (
	matches = "a match always follows, which the verdict ignores"
	bounds  = "a high power, or limits, that count as exponential"
)

// disagreements are the patterns on which recheck says something else, with the reasons.
var disagreements = map[string]string{
	`^(.*?,){11}P`:   bounds,
	`^(\s*\S+\s*)*$`: matches,
	`(?:\s*?|\w{2,}(?:[^a]*b\b|^^\w+?){0,2}\b)*(?:(?:a{1,3}$|[^a]?){0,2}(?:$|$\w*?\b){0,2}(?:a){0,2}){2,}$`: matches,
	`b{0,2}(?:(?:c?\b\w{2,})^(?:\b\b[^a]{2}|\b)*?|(?:^)*(?:a?[^a]*c?){0,2})*?c*$`:                           matches,
	`[ab](?:(?:\w{0,2}b{2}){2,}(?:\b){0,2}|(?:b.)*^){2}c*?`:                                                 matches,
	`[^a]{2,}(?:b{0,2}\b|(?:a{0,2}|[ab]*?){1,3}.?){1,3}(?:^|\s(?:a*\w|.+?\b\b))`:                            bounds,
	`(?:b{2}(?:^|b*)+?){2}`: matches,
	`(?:[^a]?(?:c?)*?|\b){2}(?:[^a](?:\w?c{0,2}c?)+|[^a]+)*?(?:b{1,3}.?(?:\w+?c{2,}\s|.*))?$`: matches,
	`(?:\w?){1,3}a{0,2}(?:a*?|a(?:.+.?|[ab]?[^a]{2}[^a]?){2,}(?:.{1,3}$^|\b\s[ab]+?)){2,}`:    matches,
	`(?:(?:\s*?\s?\b|\ba)){0,2}(?:a+)(?:(?:\w*\b){2,}(?:[ab]+b+?|\b)|[^a]+(?:b*))*$`:          matches,
	`(?:(?:[^a]{2,}){1,3}\w*?(?:^b{2,}b*|.{1,3}b{2,}[ab]{0,2}){1,3})(?:\b[^a]*?)$c`:           bounds,
	`(?:^(?:b[^a]{0,2})*?)[^a]+`: matches,
	`(?:(?:\s?)+(?:[^a]*?b*?.|c{2,}){2,}(?:.^\w*?)*?|(?:a*b?[^a]*|.+?)+){2,}$`:                                             matches,
	`(?:.{2}(?:c+)?(?:\b[ab]?b{2,}|[^a]*){1,3}){2}\s+(?:$|$){1,3}$`:                                                        bounds,
	`(?:(?:.+|c+[ab]{2,}){2}(?:a*^[ab]+?){0,2}a{2}|(?:$a\s{2})\w){1,3}c`:                                                   bounds,
	`(?:.\s{1,3}(?:$$[ab]{1,3}|c$)*)(?:(?:[^a]+?b[^a]{0,2}|^){0,2}(?:\w+)+?|(?:\b\b)?.*?(?:[ab]+[^a]+\b){0,2}){1,3}a{1,3}`: bounds,
	`\b(?:[^a]*?[ab]{2}(?:[^a]{1,3}b?\w+?|\s\s$)|(?:b\s+?.+?|a*?[ab]{0,2}\b)\w{2}(?:[^a][ab]{1,3}|c$^)*)$`:                 "[^a][ab]{1,3} divides many b in many ways; recheck has not tried them",
}

// TestAgainstRecheck compares the verdicts with those of another program, which
// was written by others after other papers.
func TestAgainstRecheck(t *testing.T) {
	version, labels := readLabels(t)
	if len(labels) < 300 {
		t.Fatalf("there are %d labels only", len(labels))
	}
	found, left := 0, map[string]bool{}
	for pattern := range disagreements {
		left[pattern] = true
	}
	for _, l := range labels {
		growth := JudgeBacktracking(l.Pattern, syntax.Perl).Growth
		reason, known := disagreements[l.Pattern]
		delete(left, l.Pattern)
		if agrees := (growth == Exponential) == (l.Growth == "exponential") && growth != Unjudged; agrees == known {
			t.Errorf("%s is %d, recheck says %s (known: %q)", l.Pattern, growth, l.Growth, reason)
		}
		if growth == Exponential {
			found++
		}
	}
	for pattern := range left {
		t.Errorf("there is no label for %s to disagree with", pattern)
	}
	t.Logf("%d patterns, %d exponential, %d disagreements with recheck %s", len(labels), found, len(disagreements), version)
}
