package bundlefile

import (
	"cmp"
	"io"
	"slices"
)

// File is an entry of a bundle, except for those that Write creates.
type File struct {
	// Path is the name of the entry, such as "rubrics/x_v1/1.0.0.json".
	Path string
	// Data is the content.
	Data []byte
}

// Write writes a bundle and returns its digest: "sha256:" and the SHA-256 of
// SHA256SUMS. It creates the manifest, SHA256SUMS, the index, and the calibrations;
// everything else is in files. The order of index and files does not matter.
//
// Write does not check its input, so what it wrote may be used only after it was verified. The
// error is that a correlation is not a number, or one of w, which then has no bundle.
func Write(w io.Writer, m Manifest, index []IndexLine, files []File) (digest string, err error) {
	index = sortIndex(index)
	m = m.clone()
	slices.SortFunc(m.Refused, compareOmissions)
	slices.SortFunc(m.Tombstones, compareOmissions)
	slices.SortFunc(m.Yanked, compareOmissions)
	m.FormatVersion, m.ReaderVersion = FormatVersion, readerVersion
	m.Counts, m.Retired = Count(index), nil
	var calibrations []Calibration
	for _, l := range index {
		if l.Retired {
			m.Retired = append(m.Retired, l.ID)
		}
		if l.Calibration != nil {
			c := *l.Calibration
			c.ID = l.ID
			calibrations = append(calibrations, c)
		}
	}
	all := slices.Concat([]File{{Path: ManifestName}, {Path: SumsName}, {Path: IndexName}, {Path: CalibrationName}}, files)
	if all[0].Data, err = m.encode(); err != nil {
		return "", err
	}
	if all[2].Data, err = encodeLines(index); err != nil {
		return "", err
	}
	if all[3].Data, err = encodeLines(calibrations); err != nil {
		return "", err
	}
	slices.SortFunc(all[len(created):], func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	all[1].Data = sumsOf(all)
	return digestPrefix + sumOf(all[1].Data), writeContainer(w, all)
}

func sortIndex(index []IndexLine) []IndexLine {
	sorted := slices.Clone(index)
	for i := range sorted {
		sorted[i].Versions = slices.SortedFunc(slices.Values(sorted[i].Versions), func(a, b Version) int {
			return CompareVersions(a.Version, b.Version)
		})
	}
	slices.SortFunc(sorted, func(a, b IndexLine) int { return cmp.Compare(a.ID, b.ID) })
	return sorted
}

// Count returns the counts of a library for the manifest.
func Count(index []IndexLine) Counts {
	var c Counts
	for i := range index {
		c.add(&index[i])
	}
	return c
}

func (c *Counts) add(l *IndexLine) {
	c.Documents++
	if l.Kind == KindRubric {
		c.Rubrics++
	} else {
		c.RuleSets++
	}
	c.Versions += len(l.Versions)
}

// sumsOf returns SHA256SUMS, which lists all other entries.
func sumsOf(all []File) (text []byte) {
	listed := slices.Concat(all[:1], all[2:])
	slices.SortFunc(listed, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	for _, f := range listed {
		text = append(text, sumOf(f.Data)+separator+f.Path+"\n"...)
	}
	return text
}
