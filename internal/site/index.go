package site

import (
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/bundle"
	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
)

// indexPage is the index page.
type indexPage struct {
	page
	Counts   counts
	Groups   []group
	Statuses []string
	Gone     []bundle.Retirement
}

// group has the documents of one artifact type.
type group struct {
	Type    string
	Count   int
	Entries []*entry // nil if there are too many for one page
}

// Root returns the path from the index page to the root of the site.
func (group) Root() string { return "" }

// counts is the size of the library.
type counts struct {
	Documents    int `json:"documents"`
	Rubrics      int `json:"rubrics"`
	RuleSets     int `json:"rule_sets"`
	Versions     int `json:"versions"`
	Criteria     int `json:"criteria"`
	Rules        int `json:"rules"`
	Types        int `json:"artifact_types"`
	Calibrated   int `json:"calibrated"`
	Drafts       int `json:"drafts"`
	Deprecated   int `json:"deprecated"`
	RetiredCount int `json:"retired"`
}

func (b *builder) counts() counts {
	c := counts{Documents: len(b.entries), Types: len(byType(b.library.Lines))}
	for _, e := range b.entries {
		c.Versions += len(e.Versions)
		if e.Kind == bundlefile.KindRuleSet {
			c.RuleSets++
			c.Rules += e.Count
		} else {
			c.Rubrics++
			c.Criteria += e.Count
		}
		if e.Measure != nil && e.Measure.Correlation != nil {
			c.Calibrated++
		}
		switch e.Status() {
		case draft:
			c.Drafts++
		case deprecated:
			c.Deprecated++
		case retired:
			c.RetiredCount++
		}
	}
	return c
}

// Lines returns the counts with their nouns. Except for the first two, it omits zeros.
func (c counts) Lines() []string {
	lines := []string{count(c.Rubrics, "rubric", "rubrics"), count(c.RuleSets, "rule set", "rule sets")}
	for _, one := range []struct {
		n          int
		word, many string
	}{
		{c.Versions, "version", "versions"}, {c.Types, "artifact type", "artifact types"},
		{c.Criteria, "criterion", "criteria"}, {c.Rules, "rule", "rules"}, {c.Calibrated, "calibrated", "calibrated"},
		{c.Drafts, "draft", "drafts"}, {c.Deprecated, "deprecated", "deprecated"}, {c.RetiredCount, "retired", "retired"},
	} {
		if one.n > 0 {
			lines = append(lines, count(one.n, one.word, one.many))
		}
	}
	return lines
}

func (b *builder) writeIndex() error {
	title := "Rubric library"
	if b.library.Version != "" {
		title += " " + b.library.Version
	}
	p := indexPage{page: b.newPage("index.html", title, searchDataName, scriptName, searchName), Counts: b.counts(), Statuses: statuses}
	groups := byType(b.library.Lines)
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		g := group{Type: name, Count: len(groups[name])}
		if len(b.entries) <= manyDocuments {
			g.Entries = b.entriesOf(groups[name])
		}
		p.Groups = append(p.Groups, g)
	}
	for _, id := range slices.Sorted(maps.Keys(b.library.Retired)) {
		if b.library.Find(id) == nil {
			p.Gone = append(p.Gone, b.library.Retired[id])
		}
	}
	return b.putPage("index.html", p, "index.html")
}
