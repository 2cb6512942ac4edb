package bundlefile

import (
	"cmp"
	"encoding/binary"
	"io"
	"slices"
)

// record is an entry as the directory has it, right or wrong.
type record struct {
	entry
	fixed []byte // the record without name, extra field and comment
}

// scan reads the directory as far as it can be read.
func scan(data []byte) (records []record, whole bool) {
	for len(data) >= centralLen && string(data[:4]) == centralSignature {
		le := binary.LittleEndian
		name := centralLen + int(le.Uint16(data[28:]))
		end := name + int(le.Uint16(data[30:])) + int(le.Uint16(data[32:]))
		if end > len(data) {
			return records, false
		}
		records = append(records, record{
			entry: entry{
				name: string(data[centralLen:name]),
				crc:  le.Uint32(data[16:]), size: le.Uint32(data[24:]), offset: le.Uint32(data[42:]),
			},
			fixed: data[:centralLen],
		})
		data = data[end:]
	}
	return records, len(data) == 0
}

// explainDirectory says what is wrong with the directory of a zip, which stands
// where its end says. listed are the entries that SHA256SUMS asks for, or nil
// where it could not be read. Each step relies on what the one before it found
// right.
func explainDirectory(r io.ReaderAt, d directory, listed []entry) error {
	data := make([]byte, d.size)
	if err := readAt(r, data, d.offset); err != nil {
		return err
	}
	records, whole := scan(data)
	if !slices.ContainsFunc(records, func(rec record) bool { return rec.name == ManifestName || rec.name == SumsName }) {
		return notABundle()
	}
	for _, step := range []func(*problems){
		func(ps *problems) { explainRecords(ps, records) },
		func(ps *problems) {
			if !whole || len(records) != d.n {
				ps.add(problemf("", "the zip's directory can be read up to entry %d, %s, and the end of the zip says that it has %d", len(records), quoteName(records[len(records)-1].name), d.n))
			}
		},
		func(ps *problems) { explainNames(ps, r, d, records, listed) },
		func(ps *problems) { explainOrder(ps, records) },
		func(ps *problems) { explainPlaces(ps, d, records) },
	} {
		var ps problems
		step(&ps)
		if err := ps.err(); err != nil {
			return err
		}
	}
	return problemf("", "the zip's directory was changed")
}

// explainRecords looks at each record by itself.
func explainRecords(ps *problems, records []record) {
	for _, rec := range records {
		if !isName(rec.name) {
			ps.add(problemf(rec.name, "is no name of an entry of a bundle"))
		}
		if p, differs := explainFields(rec.name, "in the zip's directory", rec.fixed, appendCentral(nil, &rec.entry), centralFields); differs {
			ps.add(p)
		}
		if limit := maxSize(rec.name); int64(rec.size) > limit {
			ps.add(problemf(rec.name, "has a size of %d bytes; at most %d are allowed", rec.size, limit))
		}
	}
}

// explainNames compares the names with those that SHA256SUMS lists, or where
// that is not known, with those that every bundle has.
func explainNames(ps *problems, r io.ReaderAt, d directory, records []record, listed []entry) {
	if listed == nil {
		listed = []entry{{name: ManifestName}, {name: SumsName}, {name: IndexName}}
		records = slices.DeleteFunc(slices.Clone(records), func(rec record) bool { return rank(rec.name) == len(listed) })
	}
	records = slices.SortedFunc(slices.Values(records), func(a, b record) int { return cmp.Compare(a.name, b.name) })
	listed = slices.SortedFunc(slices.Values(listed), func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	var missing []entry
	var added []record
	for i, rec := range records {
		if i > 0 && records[i-1].name == rec.name {
			ps.add(problemf(rec.name, "is in the bundle more than once"))
			continue
		}
		for len(listed) > 0 && listed[0].name < rec.name {
			missing, listed = append(missing, listed[0]), listed[1:]
		}
		if len(listed) > 0 && listed[0].name == rec.name {
			listed = listed[1:]
		} else {
			added = append(added, rec)
		}
	}
	explainMoved(ps, r, d, append(missing, listed...), added)
}

// explainMoved tells entries that got another name from those that are missing
// or were added.
func explainMoved(ps *problems, r io.ReaderAt, d directory, missing []entry, added []record) {
	renamed := map[string]bool{}
	for i, rec := range added {
		from := ""
		if i < maxProblems && len(missing) > 0 {
			from = nameOfContent(r, d, rec, missing)
		}
		if from == "" {
			ps.add(problemf(rec.name, "was added: %s does not list it", SumsName))
		} else {
			renamed[from] = true
			ps.add(problemf(from, "was renamed to %s", rec.name))
		}
	}
	for _, e := range missing {
		if !renamed[e.name] {
			ps.add(problemf(e.name, "is missing"))
		}
	}
}

// nameOfContent is the name under which SHA256SUMS lists the content of an
// entry, or "" where it does not list it or the content can't be read.
func nameOfContent(r io.ReaderAt, d directory, rec record, listed []entry) string {
	var nameLen [2]byte
	if readAt(r, nameLen[:], int64(rec.offset)+26) != nil {
		return ""
	}
	begin := int64(rec.offset) + localLen + int64(binary.LittleEndian.Uint16(nameLen[:]))
	if begin+int64(rec.size) > d.offset {
		return ""
	}
	data := make([]byte, rec.size)
	if readAt(r, data, begin) != nil {
		return ""
	}
	sum := sumOf(data)
	if i := slices.IndexFunc(listed, func(e entry) bool { return e.sum == sum }); i >= 0 {
		return listed[i].name
	}
	return ""
}

// rank is the place of a name among the first three entries, and 3 for all
// others.
func rank(name string) int {
	first := []string{ManifestName, SumsName, IndexName}
	if i := slices.Index(first, name); i >= 0 {
		return i
	}
	return len(first)
}

// explainOrder finds the first entry that stands at a wrong place.
func explainOrder(ps *problems, records []record) {
	for i := 1; i < len(records); i++ {
		a, b := records[i-1].name, records[i].name
		if cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)) > 0 {
			ps.add(problemf(b, "stands after %s; expected %s, %s, %s and then the others sorted by name", a, ManifestName, SumsName, IndexName))
			return
		}
	}
}

// explainPlaces finds the first entry that does not fill the place up to what
// follows it.
func explainPlaces(ps *problems, d directory, records []record) {
	if first := records[0]; first.offset != 0 {
		ps.add(problemf(first.name, "begins at byte %d, expected 0", first.offset))
		return
	}
	for i, rec := range records {
		next := d.offset
		if i+1 < len(records) {
			next = int64(records[i+1].offset)
		}
		if there := next - int64(rec.offset) - localLen - int64(len(rec.name)); there != int64(rec.size) {
			ps.add(problemf(rec.name, "has a size of %d bytes in the zip's directory, and %d bytes up to what follows it", rec.size, there))
			return
		}
	}
}
