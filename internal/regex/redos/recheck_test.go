package redos

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp/syntax"
	"testing"
)

// labeled is what recheck said of a pattern. Folder recheck tells how.
type labeled struct {
	Pattern string
	Growth  string
	Degree  int
}

func readLabels(t *testing.T) (version string, labels []labeled) {
	t.Helper()
	data, err := os.ReadFile("testdata/recheck.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Recheck string
		Labels  []labeled
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	return file.Recheck, file.Labels
}

// growth is the label in our words. What can't take many steps at all is safe for
// recheck.
func (l labeled) growth() string {
	growth := l.Growth
	if growth == "safe" {
		growth = "linear"
	}
	if l.Degree > 0 {
		growth += fmt.Sprintf(" of degree %d", l.Degree)
	}
	return growth
}

// beyond is the reason why a power is called exponential.
const beyond = "the exact growth is too much work; a text that repeats 64 letters takes more than a million steps"

// disagreements are the patterns on which recheck says something else, with what
// we say and why.
var disagreements = map[string]struct{ got, reason string }{
	`a{0,50}b`:          {"linear", "50 times the length is not a square; recheck counts in short texts"},
	`x{1,100}y{1,100}z`: {"linear", "100 times the length is not a square; recheck counts in short texts"},
	`(a?){20}a{20}`:     {"exponential", "more than a million steps for 64 characters, up to the limit"},
	`[^a]{2,}(?:b{0,2}\b|(?:a{0,2}|[ab]*?){1,3}.?){1,3}(?:^|\s(?:a*\w|.+?\b\b))`:                                              {"exponential", beyond},
	`(?:$\w{2,}[ab]*?|(?:[^a]{2,}a*|.?\b){1,3}c*)?c`:                                                                          {"exponential", beyond},
	`(?:\w?){1,3}a{0,2}(?:a*?|a(?:.+.?|[ab]?[^a]{2}[^a]?){2,}(?:.{1,3}$^|\b\s[ab]+?)){2,}`:                                    {"unjudged", "its middle takes very many steps, and that a match always comes first is not looked at"},
	`(?:.{2}(?:c+)?(?:\b[ab]?b{2,}|[^a]*){1,3}){2}\s+(?:$|$){1,3}$`:                                                           {"polynomial of degree 10", "recheck ran out of time"},
	`(?:(?:.+|c+[ab]{2,}){2}(?:a*^[ab]+?){0,2}a{2}|(?:$a\s{2})\w){1,3}c`:                                                      {"exponential", beyond},
	`^[^a]*(?:b[ab]{2,}$|(?:^|^)*(?:b*[ab]*[^a]|.{2}){2}\w{2}){1,3}$`:                                                         {"polynomial of degree 13", "recheck counts in short texts, where the power of 13 looks alike"},
	`[ab]{2}(?:(?:[ab]{0,2}|a*?b?){2}[ab](?:.{0,2}\s{0,2}|a*?)|(?:c{2}\s*|\s+?.{2,}){2}(?:\s{2}\s{1,3}\s?|[ab]*){0,2}){2}\w*`: {"unjudged", "it is too much work"},
	`(?:.\s{1,3}(?:$$[ab]{1,3}|c$)*)(?:(?:[^a]+?b[^a]{0,2}|^){0,2}(?:\w+)+?|(?:\b\b)?.*?(?:[ab]+[^a]+\b){0,2}){1,3}a{1,3}`:    {"exponential", beyond},
	`\b(?:[^a]*?[ab]{2}(?:[^a]{1,3}b?\w+?|\s\s$)|(?:b\s+?.+?|a*?[ab]{0,2}\b)\w{2}(?:[^a][ab]{1,3}|c$^)*)$`:                    {"exponential", "[^a][ab]{1,3} divides many b in many ways; recheck has not tried them"},
	`(?:(?:c*b{1,3}){2}(?:a[ab]+c*){2}|c+(?:\s){0,2}){2,}(?:a{1,3}$)*`:                                                        {"unjudged", "it is too much work"},
}

// TestAgainstRecheck compares the verdicts with those of another program, which
// was written by others after other papers.
func TestAgainstRecheck(t *testing.T) {
	version, labels := readLabels(t)
	if len(labels) < 300 {
		t.Fatalf("there are %d labels only", len(labels))
	}
	confusion := map[[2]string]int{}
	left := map[string]bool{}
	for pattern := range disagreements {
		left[pattern] = true
	}
	for _, l := range labels {
		v, err := Judge(l.Pattern, syntax.Perl)
		if err != nil {
			t.Errorf("%s: %v", l.Pattern, err)
			continue
		}
		got, want := v.Growth.String(), l.growth()
		confusion[[2]string{l.Growth, got}]++
		if v.Growth == Polynomial {
			got += fmt.Sprintf(" of degree %d", v.Degree)
		}
		known, excused := disagreements[l.Pattern]
		delete(left, l.Pattern)
		if excused {
			want = known.got
		}
		if got != want || excused && got == l.growth() {
			t.Errorf("%s is %s, recheck says %s (excused: %t)", l.Pattern, got, l.growth(), excused)
		}
	}
	for pattern := range left {
		t.Errorf("there is no label for %s to disagree with", pattern)
	}
	t.Logf("%d patterns, %d disagreements with recheck %s, by growth:", len(labels), len(disagreements), version)
	for _, theirs := range []string{"safe", "linear", "polynomial", "exponential", "unknown"} {
		for growth := Unjudged; growth <= Exponential; growth++ {
			if n := confusion[[2]string{theirs, growth.String()}]; n > 0 {
				t.Logf("%12s there, %12s here: %d", theirs, growth, n)
			}
		}
	}
}
