package bundlefile

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
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

// readDocuments compares the manifest with the names of the entries, and reads the index, which
// must have a line for each document. The lines themselves are not checked yet.
func (b *Bundle) readDocuments() error {
	rubrics, ofRubrics := b.documentIDs(rubricFolder)
	ruleSets, ofRuleSets := b.documentIDs(ruleSetFolder)
	b.ids = slices.Concat(rubrics, ruleSets)
	slices.Sort(b.ids)
	for i, id := range b.ids {
		if i > 0 && b.ids[i-1] == id {
			return problemf(ruleSetFolder+id, "is a rule set, but there is a rubric with the same ID")
		}
	}
	found := Counts{
		Documents: len(b.ids), Rubrics: len(rubrics), RuleSets: len(ruleSets), Versions: ofRubrics + ofRuleSets,
	}
	if found != b.manifest.Counts {
		return problemf(ManifestName, "counts %v, but the bundle has %v", b.manifest.Counts, found)
	}
	if err := b.checkOmissions(); err != nil {
		return err
	}
	return b.readIndex()
}

// documentIDs returns the sorted IDs of the documents in a folder, and the number of their versions.
func (b *Bundle) documentIDs(folder string) (ids []string, versions int) {
	for path := range b.Paths(folder) {
		_, id, _, _ := SplitDocumentPath(path)
		if len(ids) == 0 || ids[len(ids)-1] != id {
			ids = append(ids, id)
		}
		versions++
	}
	return ids, versions
}

// checkOmissions compares what the manifest says about versions and documents with the entries.
func (b *Bundle) checkOmissions() error {
	entryOf := func(o Omission) string {
		for _, kind := range []string{KindRubric, KindRuleSet} {
			if path := DocumentPath(kind, o.ID, o.Version); find(b.entries, path) != nil {
				return path
			}
		}
		return ""
	}
	for _, id := range b.manifest.Retired {
		if _, found := slices.BinarySearch(b.ids, id); !found {
			return problemf(ManifestName, "lists %s as retired, of which the bundle has no version", id)
		}
	}
	for _, o := range b.manifest.Tombstones {
		if path := entryOf(o); path != "" {
			return problemf(path, "is present, but the manifest says that it was withdrawn: %+.100q", o.Reason)
		}
	}
	for _, o := range b.manifest.Yanked {
		if entryOf(o) == "" {
			return problemf(ManifestName, "yanks version %s of %s, which is not in the bundle", o.Version, o.ID)
		}
	}
	return nil
}

// readIndex splits the index into the lines of the documents, which are in the order of their IDs.
func (b *Bundle) readIndex() error {
	data, err := b.load(&b.entries[2], new([]byte))
	if err != nil {
		return err
	}
	if !utf8.Valid(data) {
		return problemf(IndexName, "is not UTF-8")
	}
	b.index = data
	for i, id := range b.ids {
		line, rest, ended := bytes.Cut(data, []byte{'\n'})
		if !ended || idOf(line) != id {
			return problemf(IndexName, "line %d is not that of %s: expected a line for each document, sorted by ID", i+1, id)
		}
		b.lines = append(b.lines, line)
		data = rest
	}
	if len(data) > 0 {
		return problemf(IndexName, "line %d is not that of a document: the bundle has %d", len(b.ids)+1, len(b.ids))
	}
	return nil
}

// idOf returns the ID in a line of the index, or "". In canonical JSON, a quotation mark in a text is
// escaped, and the ID is not the first key, so what it finds can only be the key.
func idOf(line []byte) string {
	_, after, _ := bytes.Cut(line, []byte(`,"id":"`))
	id, _, _ := bytes.Cut(after, []byte{'"'})
	return string(id)
}

// checkYanked returns an error if no version of a document remains that constraints can
// select, because then it must be retired, or if the highest of these is not the latest.
func (m *Manifest) checkYanked(l *IndexLine) error {
	latest, ok := m.LatestOf(l.ID, l.Versions)
	switch {
	case !ok && !l.Retired:
		return problemf(ManifestName, "yanks every version of %s, which is not retired", l.ID)
	case l.Latest != latest:
		return problemf(IndexName,
			"latest of %s is %s, expected the highest of its versions that is not yanked, %s", l.ID, l.Latest, latest)
	}
	return nil
}

// LatestOf is the highest of a document's versions that is not yanked. If all are, ok is false,
// and it is the highest.
func (m *Manifest) LatestOf(id string, versions []Version) (latest string, ok bool) {
	for _, v := range slices.Backward(versions) {
		if m.YankOf(id, v.Version) == "" {
			return v.Version, true
		}
	}
	return versions[len(versions)-1].Version, false
}

// YankOf is the reason why a version is yanked, or "".
func (m *Manifest) YankOf(id, version string) string {
	i := slices.IndexFunc(m.Yanked, func(o Omission) bool { return o.ID == id && o.Version == version })
	if i < 0 {
		return ""
	}
	return m.Yanked[i].Reason
}

// checkLine finds contradictions between a line of the index and the manifest or the entries. The
// line and the entries must have the same versions.
func (b *Bundle) checkLine(l *IndexLine) error {
	for _, v := range l.Versions {
		path := DocumentPath(l.Kind, l.ID, v.Version)
		switch e := find(b.entries, path); {
		case e == nil:
			return problemf(path, "is missing, but the index lists it")
		case v.Digest != digestPrefix+e.sum:
			return problemf(path, "is not the version that the index lists: expected %s, got %s%s", v.Digest, digestPrefix, e.sum)
		}
	}
	for path := range b.Paths(strings.TrimSuffix(DocumentPath(l.Kind, l.ID, ""), ".json")) {
		_, _, version, _ := SplitDocumentPath(path)
		if !slices.ContainsFunc(l.Versions, func(v Version) bool { return v.Version == version }) {
			return problemf(path, "is not in the index")
		}
	}
	if _, retired := slices.BinarySearch(b.manifest.Retired, l.ID); retired != l.Retired {
		return problemf(ManifestName, "lists %.200q as retired, but the index differs for %s", b.manifest.Retired, l.ID)
	}
	if c := l.Calibration; c != nil && c.Path != "" && find(b.entries, c.Path) == nil {
		return problemf(c.Path, "is missing, but the index names it as the calibration of %s", l.ID)
	}
	return b.manifest.checkYanked(l)
}
