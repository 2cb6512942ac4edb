package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// turned returns the items with the anchors of each criterion in the opposite order.
func turned(items []item) []item {
	all := make([]item, len(items))
	for i, of := range items {
		all[i] = item{id: of.id, criteria: slices.Clone(of.criteria)}
		for k := range all[i].criteria {
			c := &all[i].criteria[k]
			anchors := map[string]string{}
			for score, text := range c.Anchors {
				anchors[string('0'+'6'-score[0])] = text
			}
			c.Anchors = anchors
		}
	}
	return all
}

// several returns the items with at least two criteria.
func several(items []item) []item {
	return slices.DeleteFunc(slices.Clone(items), func(i item) bool { return len(i.criteria) < 2 })
}

// eachAlone turns the rule for whole rubrics off, so that scale-inverted reports each criterion.
const eachAlone = "severity: {rubric-inverted: \"off\"}\n"

// invertedRow is what the rules for inverted scales find in a source and in its opposite.
type invertedRow struct {
	rule, unit      string
	n, found, wrong int
}

func (r invertedRow) String() string {
	return fmt.Sprintf("| %s | %d %s | %d: %s | %d: %s |\n", r.rule, r.n, r.unit, r.found, share(r.found, r.n),
		r.wrong, share(r.wrong, r.n))
}

// inverted measures the rules for inverted scales on items, all of which are upright but those that
// were judged otherwise.
func inverted(items []item, reversed map[place]bool) (rows []invertedRow, err error) {
	for _, m := range []struct {
		rule, unit, config string
		items              []item
	}{{"scale-inverted", "criteria", eachAlone, items}, {"rubric-inverted", "rubrics", "", several(items)}} {
		if len(m.items) == 0 {
			continue
		}
		upright, err := measure(m.items, m.config)
		if err != nil {
			return nil, err
		}
		opposite, err := measure(turned(m.items), m.config)
		if err != nil {
			return nil, err
		}
		row := invertedRow{rule: m.rule, unit: m.unit, n: len(m.items), found: len(opposite[m.rule])}
		for at := range maps.Keys(upright[m.rule]) {
			row.wrong += count(!reversed[at])
		}
		if m.unit == "criteria" {
			row.n = 0
			for _, i := range m.items {
				row.n += len(i.criteria)
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// madeSection is the part of the page about faults that are made in one source.
func madeSection(title string, items []item, judged []placed) (string, error) {
	reversed := map[place]bool{}
	for _, j := range judged {
		reversed[j.place] = reversed[j.place] || j.Faults["scale-inverted"]
	}
	rows, err := inverted(items, reversed)
	if err != nil {
		return "", fmt.Errorf("%s: %w", title, err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s\n\n| lint rule | of | found in the opposite order | reported as written |\n|---|---|---|---|\n", title)
	for _, row := range rows {
		b.WriteString(row.String())
	}
	return b.String(), nil
}
