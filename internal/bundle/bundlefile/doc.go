// Package bundlefile is the released file as a container: it writes, reads and
// verifies bundles. It knows the zip around the entries and the JSON of the
// manifest and the index; what a rubric is, where versions come from and what
// Git is, it does not know.
//
// It promises:
//
//   - The same input gives the same bytes, whatever its order, on every machine
//     and with every version of Go: no byte is left to another library.
//   - Verify accepts exactly the files that Write can write.
//   - What Read, Index and Manifest hand out is what SHA256SUMS lists, and
//     SHA256SUMS is what the digest of the bundle says.
//   - Reading never writes to the disk, and what it allocates is bounded: by the
//     limits below, and by a small multiple of the file's own size, because a
//     size that the file declares is compared with the size it has before it is
//     believed. JSON can be larger in memory: the manifest, or a line of the
//     index, takes at most 256 MiB until it is accepted or refused.
//
// # Format 1
//
// A bundle is a zip. Numbers are little-endian. All that is not named here is
// zero or absent: no compression, encryption, data descriptors, extra fields,
// comments, folders, bytes before, between or after.
//
//	each entry   PK\3\4, version needed 10, flags 0, method 0, time 0, date 0x0021
//	             (1980-01-01), CRC-32, size twice, length of name, 0, name, content
//	directory    for each entry in the same order: PK\1\2, made by 0x0314 (Unix,
//	             2.0), version needed … length of name as above, 0, 0, 0, 0,
//	             attributes 0x81a40000 (a file, rw-r--r--), offset, name
//	end          PK\5\6, 0, 0, entries twice, size and offset of the directory, 0
//
// From 65,535 entries on, the end has a zip64 record (PK\6\6, 44, made by 0x032d,
// version needed 45) and its locator (PK\6\7) before it and gives the number of
// entries as 65,535. A bundle stays below 4 GiB, so nothing else needs zip64.
//
// The entries are manifest.json, SHA256SUMS and index.jsonl, then the others
// sorted by the bytes of their names:
//
//	rubrics/<id>/<version>.json    rulesets/<id>/<version>.json
//	calibration/<name>/<file>      calibration/<name>/<folder>/<file>
//	schema/<file>.json             conformance/<file>.json
//	changelog.json                 retired.json
//
// Names are lower-case ASCII, so that they stay apart on every file system;
// below calibration a folder has no dot and a file ends in .json, .jsonl or
// .yaml, so that no name is both.
//
// SHA256SUMS has a line "<hexadecimal SHA-256>  <name>\n" for each entry but
// itself, the manifest and the index included, sorted by name. manifest.json
// and the lines of index.jsonl are JSON by RFC 8785 (sorted keys, no space),
// each ended by one line feed. Every format to come keeps manifest.json as the
// first entry, stored, with the key format_version.
package bundlefile

// FormatVersion is the format that Write writes and Open reads.
const FormatVersion = 1

// The limits of a bundle. Write refuses what is beyond them, and so does Open.
const (
	// MaxSize is the size of a bundle in bytes.
	MaxSize = 1<<32 - 1
	// MaxEntries is the number of entries, the first three included.
	MaxEntries = 1_000_000
	// MaxName is the length of an entry's name in bytes.
	MaxName = 300
	// MaxDocument is the size of a version of a document in bytes. A document of
	// 256 KiB, the limit of its YAML, is less than four times as long as JSON.
	MaxDocument = 1 << 20
	// MaxManifest is the size of manifest.json in bytes.
	MaxManifest = 1 << 20
	// MaxIndexLine is the length of a line of index.jsonl in bytes.
	MaxIndexLine = 1 << 20
	// MaxEntry is the size of any other entry in bytes.
	MaxEntry = 256 << 20
)

// The names of the entries that every bundle has.
const (
	ManifestName = "manifest.json"
	SumsName     = "SHA256SUMS"
	IndexName    = "index.jsonl"
)
