package rules

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/duplicate"
	"github.com/rubric-library/rubric-library/internal/text/regex"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

var acrossRules = map[string]lint.Rule{
	"criterion-repeats-other": {
		Severity: lint.Warning, Keep: keepJudged,
		Check: lint.OfLibrary(criterionRepeatsOther),
	},
	"pattern-hits-other": {Severity: lint.Warning, Keep: keepJudged, Check: lint.OfLibrary(patternHitsOther)},
}

type compared struct {
	*lint.Facts
	*judged
}

func comparedIn(p *lint.LibraryPass) []compared {
	var all []compared
	for _, f := range p.Facts {
		if j := p.KeptResult(f).(*judged); j != nil {
			all = append(all, compared{f, j})
		}
	}
	return all
}

func criterionRepeatsOther(p *lint.LibraryPass) {
	type place struct {
		in compared
		of *judgedCriterion
	}
	var before []place
	var index duplicate.Index
	for _, f := range comparedIn(p) {
		if f.copied {
			continue // its author is about to change it
		}
		// Rubrics that name the same labels may share criteria: one set of labels needs the
		// same words.
		others := func(n int) bool {
			other := before[n].in
			return other.line != f.line && (other.labels == "" || other.labels != f.labels)
		}
		for i := range f.criteria {
			c := &f.criteria[i]
			if c.sketch == nil {
				continue
			}
			if number, by, found := index.Find(c.sketch, others); found {
				other := before[number]
				pointer, at := fmt.Sprintf("/criteria/%d/name", i), "criteria["+c.name+"].name"
				related := []lint.Related{{Location: p.Locate(other.in.Path, other.of.at), Message: "the other criterion"}}
				p.ReportAt(f.Facts, p.Locate(f.Path, c.at), pointer, at, related,
					"Remove this criterion, or describe what it checks that %s of %s does not: about %.0f%% of what a judge reads is the same.",
					schema.Quote(other.of.name), other.in.ID, 100*by)
			}
			index.Add(c.sketch)
			before = append(before, place{f, c})
		}
	}
}

// patternHitsOther searches the examples that deserve a 5 for the fail patterns of
// other rubrics of the same artifact type. Each distinct pattern is reported at most
// once, and is searched only in examples that contain a text it needs.
func patternHitsOther(p *lint.LibraryPass) {
	groups := map[string][]compared{}
	var types []string
	for _, f := range comparedIn(p) {
		t := f.artifactType
		if groups[t] == nil {
			types = append(types, t)
		}
		groups[t] = append(groups[t], f)
	}
	for _, t := range types {
		if len(groups[t]) > 1 {
			s := newLookup(groups[t])
			for _, f := range groups[t] {
				for i := range f.criteria {
					s.searchExample(p, f, &f.criteria[i])
				}
			}
		}
	}
}

// lookup is the search for the patterns of one artifact type.
type lookup struct {
	// byStart maps the first bytes of a text to the patterns that need the text;
	// always has the patterns for which no such text is known.
	byStart map[[regex.ShortestLiteral]byte][]needed
	starts  regex.Starts // the keys of byStart
	always  []*searched
}

// searched is a pattern and the first rubric that has it.
type searched struct {
	Fail
	in      compared
	re      *regexp.Regexp
	left    int  // the rest of its allowance
	done    bool // reported, or can't be compiled
	example *judgedCriterion
}

type needed struct {
	text    string
	pattern *searched
}

func newLookup(rubrics []compared) *lookup {
	s := &lookup{byStart: map[[regex.ShortestLiteral]byte][]needed{}}
	type same struct {
		expr       string
		ignoreCase bool
	}
	seen := map[same]bool{}
	for _, f := range rubrics {
		for _, pattern := range f.patterns {
			k := same{pattern.Expr, pattern.IgnoreCase}
			if !seen[k] {
				seen[k] = true
				s.add(&searched{Fail: pattern, in: f, left: regex.Allowance(pattern.Expr)})
			}
		}
	}
	return s
}

func (s *lookup) add(x *searched) {
	if x.Literals == "" {
		s.always = append(s.always, x)
		return
	}
	for text := range strings.SplitSeq(x.Literals, Separator) {
		start := [regex.ShortestLiteral]byte([]byte(text))
		s.byStart[start] = append(s.byStart[start], needed{text, x})
		s.starts.Add(text)
	}
}

func (s *lookup) searchExample(p *lint.LibraryPass, f compared, c *judgedCriterion) {
	for _, x := range s.always {
		s.searchOnce(p, x, f, c)
	}
	folded := regex.Fold(rubric.Normalize(c.best))
	for i := 0; i+regex.ShortestLiteral <= len(folded); i++ {
		if !s.starts.MayHave(folded[i:]) {
			continue
		}
		for _, n := range s.byStart[[regex.ShortestLiteral]byte([]byte(folded[i:i+regex.ShortestLiteral]))] {
			if len(n.text) <= len(folded)-i && folded[i:i+len(n.text)] == n.text {
				s.searchOnce(p, n.pattern, f, c)
			}
		}
	}
}

// searchOnce searches an example for one pattern, once.
func (s *lookup) searchOnce(p *lint.LibraryPass, x *searched, f compared, c *judgedCriterion) {
	if x.done || x.example == c || x.in.line == f.line || x.left <= 0 {
		return
	}
	x.example = c
	x.left -= len(c.best) * x.Effort
	if x.re == nil {
		re, err := rubric.CompilePattern(x.Expr, x.IgnoreCase)
		if err != nil {
			x.done = true // reported by pattern-case
			return
		}
		x.re = re
	}
	hit := x.re.FindString(rubric.PatternText(c.best, x.IgnoreCase))
	if hit == "" {
		return
	}
	x.done = true
	path := p.PathAt(x.in.Path, x.At)
	related := []lint.Related{{Location: p.Locate(f.Path, c.bestAt), Message: "the example"}}
	p.ReportAt(x.in.Facts, p.Locate(x.in.Path, x.At), path.Pointer(), path.String(), related,
		"Narrow this pattern, or change the example: it hits %s in the example for score 5 of %s in %s, which is also for %s. An artifact that deserves a 5 there fails here.",
		schema.Quote(hit), schema.Quote(c.name), f.ID, f.artifactType)
}
