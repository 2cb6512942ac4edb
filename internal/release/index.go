package release

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// makeIndex makes the line of each document from its latest version, which is not yanked.
func makeIndex(d *documents, before *prior, version string) (index []bundlefile.IndexLine, said remarks, err error) {
	byID := map[string][]choice{}
	for k, c := range d.chosen {
		byID[k.id] = append(byID[k.id], c)
	}
	yanks := bundlefile.Manifest{Yanked: d.ends.yanked}
	for _, id := range sortedKeys(byID) {
		list := byID[id]
		slices.SortFunc(list, func(a, b choice) int { return bundlefile.CompareVersions(a.version, b.version) })
		var versions []bundlefile.Version
		for _, c := range list {
			versions = append(versions, originOf(c, before, version))
		}
		selected, ok := yanks.LatestOf(id, versions)
		lives := d.current.documents[id] != nil
		if !ok && lives {
			said.problem(key{id: id}, "Every version in the bundle is yanked. Publish a new version, or retire the document.")
		}
		latest := d.chosen[key{id, selected}]
		line, err := bundlefile.LineOf(id, latest.kind, latest.data, versions)
		if err != nil {
			return nil, said, err
		}
		line.Retired = !lives
		index = append(index, line)
	}
	return index, said, nil
}

// originOf is a version in the index, with the commit and the release that it comes from, as
// far as the history and the previous bundle know them.
func originOf(c choice, before *prior, release string) bundlefile.Version {
	v := bundlefile.Version{Version: c.version, Digest: c.digest, Release: release}
	known := before.lines[c.id].Versions
	if i := slices.IndexFunc(known, func(v bundlefile.Version) bool { return v.Version == c.version }); i >= 0 {
		v = known[i]
		v.Digest = c.digest
	}
	if !c.first.IsZero() {
		if at := c.first.When.UTC().Format(bundlefile.TimeFormat); bundlefile.IsTime(at) {
			v.Commit, v.Time = c.first.Hash, at
		}
	}
	return v
}
