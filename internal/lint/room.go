package lint

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// room is how many bytes the findings of a report take in any format, at most, so that the
// author of files can't fill the output.
const room = 900_000

// Shorten returns a report with as many findings as there is room for: the worst of each
// lint rule, then the second of each, and so on. One finding for each lint rule
// says how many others there are. The summary still counts all.
func (r *Report) Shorten() *Report {
	listed := r.chooseListed()
	if len(listed) == len(r.Findings) {
		return r
	}
	rest := map[*Rule]*unlisted{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if !listed[i] {
			if rest[f.Rule] == nil {
				rest[f.Rule] = &unlisted{first: f}
			}
			rest[f.Rule].add(f)
		}
	}
	short := *r
	short.Findings = nil
	for i, f := range r.Findings {
		u := rest[f.Rule]
		if listed[i] {
			short.Findings = append(short.Findings, f)
		} else if u.first == &r.Findings[i] {
			short.Findings = append(short.Findings, u.finding())
		}
	}
	short.Summary.Unlisted = len(r.Findings) - len(listed)
	return &short
}

// Unlisted is the Path of a finding that stands for others.
const Unlisted = "unlisted"

// unlisted are the findings of a lint rule that are not listed.
type unlisted struct {
	first    *Finding
	count    int
	severity Severity // the worst
}

func (u *unlisted) add(f *Finding) {
	u.count++
	u.severity = max(u.severity, f.Severity)
}

// finding returns the finding that stands for all of them.
func (u *unlisted) finding() Finding {
	return Finding{
		Rule: u.first.Rule, Severity: u.severity, Location: source.Location{File: u.first.File}, Path: Unlisted,
		Changed: u.first.Changed, Fingerprint: u.first.Fingerprint,
		Message: fmt.Sprintf("%d more findings of this lint rule, here and in other files, are not listed. Fix the listed ones first, or check single folders.", u.count),
	}
}

// chooseListed returns the indices of the findings for which there is room.
func (r *Report) chooseListed() map[int]bool {
	byRule := map[*Rule][]int{}
	var rules []*Rule
	for i, f := range r.Findings {
		if byRule[f.Rule] == nil {
			rules = append(rules, f.Rule)
		}
		byRule[f.Rule] = append(byRule[f.Rule], i)
	}
	longest := 0
	for _, indices := range byRule {
		slices.SortStableFunc(indices, func(a, b int) int {
			return cmp.Compare(r.Findings[b].Severity, r.Findings[a].Severity)
		})
		longest = max(longest, len(indices))
	}
	listed, size := map[int]bool{}, 0
	for round := range longest {
		for _, rule := range rules {
			if round >= len(byRule[rule]) {
				continue
			}
			i := byRule[rule][round]
			size += r.Findings[i].size()
			if round == 0 {
				size += rule.size() + r.Findings[i].size() // and the finding that counts the others
			}
			if size > room {
				return listed
			}
			listed[i] = true
		}
	}
	return listed
}

// size returns how many bytes a finding takes in any format, at most.
func (f *Finding) size() int {
	size := 650 + 4*written(f.File) + 2*written(f.Message) + written(f.ID) + written(f.Pointer)
	for _, line := range f.Excerpt {
		size += 2 * written(line.Text)
	}
	for _, r := range f.Related {
		size += 200 + 2*written(r.File) + 2*written(r.Message)
	}
	if f.Fix != nil {
		size += 2 * written(f.Fix.Message)
	}
	return size
}

// size returns how many bytes the explanation of a rule takes in any format, at most.
func (r *Rule) size() int {
	return 1000 + 3*written(r.Why) + 2*(written(r.Summary)+written(r.Source)+written(r.Bad)+written(r.Good))
}

// written returns how many bytes a text takes in any format, at most: a byte that is not an
// ordinary character is escaped.
func written(text string) int {
	n := len(text)
	for _, c := range []byte(text) {
		if c < ' ' || c > '~' || c == '<' || c == '>' || c == '&' || c == '"' || c == '\'' {
			n += 5
		}
	}
	return n
}
