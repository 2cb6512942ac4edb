package bundlefile

import (
	"cmp"
	"iter"
	"slices"
)

// find returns the entry with a name. The entries are in the order of the container.
func find(entries []entry, name string) *entry {
	for i := range entries[:len(created)] {
		if entries[i].name == name {
			return &entries[i]
		}
	}
	rest := entries[len(created):]
	i, found := slices.BinarySearchFunc(rest, name, func(e entry, name string) int { return cmp.Compare(e.name, name) })
	if !found {
		return nil
	}
	return &rest[i]
}

// checkAgreement finds contradictions between the manifest, the index, and the
// entries. Each line of the index has been checked by itself. The index and the
// entries must have the same versions of the same documents: every version of the
// index is found among the entries, each a different one, and their numbers are equal.
func checkAgreement(m *Manifest, index iter.Seq2[IndexLine, error], entries []entry) error {
	var counts Counts
	var retired []string
	before := ""
	for l, err := range index {
		if err != nil {
			return err
		}
		if l.ID <= before {
			return problemf(IndexName, "%s follows %s: expected each document once, sorted by ID", l.ID, before)
		}
		before = l.ID
		if err := checkLine(&l, entries); err != nil {
			return err
		}
		counts.add(&l)
		if l.Retired {
			retired = append(retired, l.ID)
		}
	}
	if !slices.Equal(retired, m.Retired) {
		return problemf(ManifestName, "lists %.200q as retired, but the index has %.200q", m.Retired, retired)
	}
	if counts != m.Counts {
		return problemf(ManifestName, "counts %v, but the index has %v", m.Counts, counts)
	}
	for _, o := range m.Tombstones {
		for _, kind := range []string{KindRubric, KindRuleSet} {
			if path := DocumentPath(kind, o.ID, o.Version); find(entries, path) != nil {
				return problemf(path, "is present, but the manifest says that it was withdrawn: %+.100q", o.Reason)
			}
		}
	}
	documents := 0
	for i := range entries {
		if isDocument(entries[i].name) {
			documents++
		}
	}
	if documents > counts.Versions {
		return notInIndex(index, entries)
	}
	return nil
}

// checkLine compares a line of the index with the entries of its versions.
func checkLine(l *IndexLine, entries []entry) error {
	for _, v := range l.Versions {
		path := DocumentPath(l.Kind, l.ID, v.Version)
		e := find(entries, path)
		switch {
		case e == nil:
			return problemf(path, "is missing, but the index lists it")
		case v.Digest != digestPrefix+e.sum:
			return problemf(path, "is not the version that the index lists: expected %s, got %s%s", v.Digest, digestPrefix, e.sum)
		}
	}
	if c := l.Calibration; c != nil && c.Path != "" && find(entries, c.Path) == nil {
		return problemf(c.Path, "is missing, but the index names it as the calibration of %s", l.ID)
	}
	return nil
}

// notInIndex names an entry with a document that is missing from the index.
func notInIndex(index iter.Seq2[IndexLine, error], entries []entry) error {
	listed := map[string]bool{}
	for l, err := range index {
		if err != nil {
			return err
		}
		for _, v := range l.Versions {
			listed[DocumentPath(l.Kind, l.ID, v.Version)] = true
		}
	}
	for _, e := range entries {
		if isDocument(e.name) && !listed[e.name] {
			return problemf(e.name, "is not in the index")
		}
	}
	return nil
}
