package site

import (
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// mostFacets is how many values of a facet are buttons. One with more is a field to type in.
const mostFacets = 8

// facet is what the documents can be filtered by. assets/search.js has the same keys.
type facet struct {
	Key, Label string
	Values     []facetValue
}

type facetValue struct {
	Value, Text string
	Count       int
}

// Many reports whether the facet is a field instead of buttons.
func (f facet) Many() bool { return len(f.Values) > mostFacets }

func (e *entry) owners() []string {
	if e.Owner == "" {
		return nil
	}
	return strings.Split(sanitize.Line(e.Owner), ", ")
}

func (e *entry) language() string {
	if e.Language == "" {
		return "en"
	}
	return sanitize.Line(e.Language)
}

// states returns the status of a document, and whether it is calibrated.
func (e *entry) states() []string {
	if e.isCalibrated() {
		return []string{"calibrated", e.Status}
	}
	return []string{e.Status}
}

// facets returns what tells documents apart: with at least two values, the most frequent first.
func (b *builder) facets() (all []facet) {
	one := func(value func(e *entry) string) func(e *entry) []string {
		return func(e *entry) []string { return []string{value(e)} }
	}
	for _, f := range []facet{
		b.facet("kind", "Kind", one(func(e *entry) string { return string(e.Kind) })),
		b.facet("status", "State", (*entry).states),
		b.facet("type", "Artifact type", one(func(e *entry) string { return e.ArtifactType })),
		b.facet("owner", "Owner", (*entry).owners),
		b.facet("language", "Language", one((*entry).language)),
	} {
		if len(f.Values) > 1 {
			all = append(all, f)
		}
	}
	return all
}

func (b *builder) facet(key, label string, values func(e *entry) []string) facet {
	counts := map[string]int{}
	for _, e := range b.entries {
		for _, value := range values(e) {
			counts[value]++
		}
	}
	f := facet{Key: key, Label: label}
	for _, value := range slices.Sorted(maps.Keys(counts)) {
		f.Values = append(f.Values, facetValue{value, facetText(key, value), counts[value]})
	}
	slices.SortStableFunc(f.Values, func(x, y facetValue) int { return y.Count - x.Count })
	return f
}

func facetText(key, value string) string {
	switch key {
	case "type":
		return typeWords(value)
	case "kind":
		return strings.ReplaceAll(value, "_", " ") + "s"
	}
	return value
}
