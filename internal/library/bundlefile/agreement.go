package bundlefile

import (
	"cmp"
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
// entries. The index and the entries must have the same versions of the same documents.
func (b *Bundle) checkAgreement(content Content) error {
	m, entries := &b.manifest, b.entries
	var counts Counts
	listed := map[*entry]bool{}
	var retired []string
	for l, err := range b.Index() {
		if err == nil {
			err = checkLine(&l, entries, listed)
		}
		if err == nil {
			err = content.Line(b, &l)
		}
		if err == nil {
			err = m.checkYanked(&l)
		}
		if err != nil {
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
	for _, o := range m.Yanked {
		if find(entries, DocumentPath(KindRubric, o.ID, o.Version)) == nil && find(entries, DocumentPath(KindRuleSet, o.ID, o.Version)) == nil {
			return problemf(ManifestName, "yanks version %s of %s, which is not in the bundle", o.Version, o.ID)
		}
	}
	for i := range entries {
		if e := &entries[i]; isDocument(e.name) && !listed[e] {
			return problemf(e.name, "is not in the index")
		}
	}
	return nil
}

// checkYanked returns an error if no version of a document remains that constraints can
// select, because then it must be retired, or if the highest of these is not the latest.
func (m *Manifest) checkYanked(l *IndexLine) error {
	latest, ok := m.LatestOf(l.ID, l.Versions)
	switch {
	case !ok && !l.Retired:
		return problemf(ManifestName, "yanks every version of %s, which is not retired", l.ID)
	case l.Latest != latest:
		return problemf(IndexName, "latest of %s is %s, expected the highest of its versions that is not yanked, %s", l.ID, l.Latest, latest)
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

// checkLine compares a line of the index with the entries of its versions, and marks them
// as listed.
func checkLine(l *IndexLine, entries []entry, listed map[*entry]bool) error {
	for _, v := range l.Versions {
		path := DocumentPath(l.Kind, l.ID, v.Version)
		e := find(entries, path)
		switch {
		case e == nil:
			return problemf(path, "is missing, but the index lists it")
		case v.Digest != digestPrefix+e.sum:
			return problemf(path, "is not the version that the index lists: expected %s, got %s%s", v.Digest, digestPrefix, e.sum)
		}
		listed[e] = true
	}
	if c := l.Calibration; c != nil && c.Path != "" && find(entries, c.Path) == nil {
		return problemf(c.Path, "is missing, but the index names it as the calibration of %s", l.ID)
	}
	return nil
}
