package bundlefile

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
)

// File is an entry of a bundle, except for those that Write creates.
type File struct {
	// Path is the name of the entry, such as "rubrics/x_v1/1.0.0.json".
	Path string
	// Data is the content. Write does not check it.
	Data []byte
}

// Write writes a bundle and returns its digest: "sha256:" and the SHA-256 of
// SHA256SUMS. It creates the manifest, SHA256SUMS, the index, and the calibrations;
// everything else is in files. The order of index and files does not matter.
//
// An error before the first byte is written describes an error in the input: a Problem
// if it concerns one entry. An error of w is returned unchanged, and the data that w
// received by then is not a bundle.
func Write(w io.Writer, m Manifest, index []IndexLine, files []File) (digest string, err error) {
	index = sortIndex(index)
	m = m.clone()
	slices.SortFunc(m.Refused, compareOmissions)
	slices.SortFunc(m.Tombstones, compareOmissions)
	slices.SortFunc(m.Yanked, compareOmissions)
	m.FormatVersion, m.ReaderVersion = FormatVersion, readerVersion
	m.Counts, m.Retired = Count(index), nil
	for _, l := range index {
		if l.Retired {
			m.Retired = append(m.Retired, l.ID)
		}
	}

	indexData, err := encodeIndex(index)
	if err != nil {
		return "", err
	}
	calibrations, err := encodeCalibrations(index)
	if err != nil {
		return "", err
	}
	if err := m.check(); err != nil {
		return "", problemf(ManifestName, "%v", err)
	}
	all := append([]File{{ManifestName, m.encode()}, {SumsName, nil}, {IndexName, indexData}, {CalibrationName, calibrations}}, files...)
	slices.SortFunc(all[len(created):], func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	entries := sumUp(all)
	if err := checkFiles(all); err != nil {
		return "", err
	}
	if err := checkAgreement(&m, lines(index), entries, func(*IndexLine) error { return nil }); err != nil {
		return "", err
	}

	buffered := bufio.NewWriterSize(w, 1<<16)
	c := container{w: buffered}
	for _, f := range all {
		if err := c.add(f.Path, f.Data); err != nil {
			return "", err
		}
	}
	if err := c.close(); err != nil {
		return "", err
	}
	if err := buffered.Flush(); err != nil {
		return "", err
	}
	return digestPrefix + entries[1].sum, nil
}

// lines yields an index without errors.
func lines(index []IndexLine) iter.Seq2[IndexLine, error] {
	return func(yield func(IndexLine, error) bool) {
		for _, l := range index {
			if !yield(l, nil) {
				return
			}
		}
	}
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

func encodeIndex(index []IndexLine) ([]byte, error) {
	var out []byte
	for i := range index {
		if err := index[i].check(); err != nil {
			return nil, problemf(IndexName, "%v", err)
		}
		line := index[i].encode()
		if len(line) > MaxIndexLine {
			return nil, problemf(IndexName, "the line of %s is longer than %d bytes", index[i].ID, MaxIndexLine)
		}
		out = append(append(out, line...), '\n')
	}
	return out, nil
}

// checkFiles checks the names and sizes of the entries, in the order of the container.
func checkFiles(all []File) error {
	if len(all) > MaxEntries {
		return fmt.Errorf("the bundle would have %d entries: at most %d are allowed", len(all), MaxEntries)
	}
	total := sizeOfEnd(len(all))
	for i, f := range all {
		size := int64(len(f.Data))
		switch {
		case !isName(f.Path):
			return problemf(f.Path, "an entry of a bundle can't have this name")
		case i >= len(created) && slices.Contains(created, f.Path):
			return problemf(f.Path, "is created by Write and must not be given")
		case i > len(created) && f.Path == all[i-1].Path:
			return problemf(f.Path, "is given twice")
		case size > maxSize(f.Path):
			return problemf(f.Path, "has %d bytes: at most %d are allowed", size, maxSize(f.Path))
		}
		total += localLen + centralLen + 2*int64(len(f.Path)) + size
	}
	if total > MaxSize {
		return fmt.Errorf("the bundle would have %d bytes: at most %d are allowed", total, int64(MaxSize))
	}
	return nil
}

// sumUp fills SHA256SUMS and returns the names and sums of all entries.
func sumUp(all []File) []entry {
	entries := make([]entry, len(all))
	for i, f := range all {
		entries[i] = entry{name: f.Path, sum: sumOf(f.Data)}
	}
	listed := slices.Concat(entries[:1], entries[2:])
	slices.SortFunc(listed, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	for _, e := range listed {
		all[1].Data = append(all[1].Data, e.sum+separator+e.name+"\n"...)
	}
	entries[1].sum = sumOf(all[1].Data)
	return entries
}
