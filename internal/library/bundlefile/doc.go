// Package bundlefile is the released file as a container: it writes, reads, and
// verifies bundles. It handles the zip around the entries and the JSON of the
// manifest and the index; it knows nothing about rubrics, Git, or the origin of
// versions.
//
// It promises:
//
//   - The same input gives the same bytes, whatever its order, on every machine
//     and with every version of Go. Of its bytes, only those of JSON come from the
//     standard library, whose few differences from RFC 8785 are undone.
//   - Verify accepts exactly what Write writes for valid input, and Write leaves it to
//     Verify to say what is valid.
//   - Everything that Read, Index, and Manifest return matches SHA256SUMS, and
//     SHA256SUMS matches the digest of the bundle.
//   - Reading never writes to the disk, and allocates at most the limits below
//     and a small multiple of the file's actual size, because it checks every
//     declared size against the actual one first. JSON can be larger in memory:
//     the manifest, or a line of the index, takes at most 256 MiB until it is
//     accepted or rejected.
//
// # Format 2
//
// A bundle is a zip. Numbers are little-endian. Anything not listed here is
// zero or absent: there are no compression, encryption, data descriptors, extra
// fields, comments, folders, or bytes before, between, or after the records.
//
//	each entry   PK\3\4, version needed 10, flags 0, method 0, time 0, date 0x0021
//	             (1980-01-01), CRC-32, size twice, length of name, 0, name, content
//	directory    for each entry in the same order: PK\1\2, made by 0x0314 (Unix,
//	             2.0), version needed … length of name as above, 0, 0, 0, 0,
//	             attributes 0x81a40000 (a file, rw-r--r--), offset, name
//	end          PK\5\6, 0, 0, entries twice, size and offset of the directory, 0
//
// With 65,535 entries or more, a zip64 record (PK\6\6, 44, made by 0x032d, version
// needed 45) and its locator (PK\6\7) precede the end, which gives the number of
// entries as 65,535. A bundle stays below 4 GiB, so nothing else needs zip64.
//
// The entries are manifest.json, SHA256SUMS, index.jsonl, and calibration.jsonl,
// followed by the others, sorted by the bytes of their names:
//
//	rubrics/<id>/<version>.json    rulesets/<id>/<version>.json
//	calibration/<name>/<file>      calibration/<name>/<folder>/<file>
//	schema/<file>.json             conformance/<file>.json
//	changelog.json                 retired.json
//
// Names are lowercase ASCII, so they are distinct on every file system. Below
// calibration, folders have no dot and files end in .json, .jsonl, or .yaml, so
// no name can be both.
//
// SHA256SUMS has a line "<hexadecimal SHA-256> <name>\n" for each entry except itself, including
// the manifest and the index, sorted by name. manifest.json and the lines of index.jsonl and
// calibration.jsonl are JSON by RFC 8785 (sorted keys, no space), each followed by one line feed.
// The lines are sorted by ID, so the one of a document can be found without decoding the others.
// Every future format keeps manifest.json as the first entry, uncompressed, with the keys
// format_version and reader_version.
//
// # Format 1
//
// Format 1 has the same container. Its manifest has neither reader_version nor yanked. The
// index has no keywords and owners, and of a version only its digest, and a calibration is a correlation
// or a reason.
package bundlefile

// FormatVersion is the format that Write writes. Open also reads the earlier ones.
const FormatVersion = 2

// readerVersion is the lowest version of the programs, of the Go module, and of the clients
// that reads FormatVersion. Errors of earlier versions name it.
const readerVersion = "0.1.0"

// The limits of a bundle.
const (
	// MaxSize is the size of a bundle in bytes.
	MaxSize = 1<<32 - 1
	// MaxEntries is the number of entries, including the first four.
	MaxEntries = 1_000_000
	// MaxName is the length of an entry's name in bytes.
	MaxName = 300
	// MaxDocument is the size of a version of a document in bytes. A document of
	// 256 KiB of YAML, the limit, grows less than fourfold as JSON.
	MaxDocument = 1 << 20
	// MaxManifest is the size of manifest.json in bytes.
	MaxManifest = 1 << 20
	// MaxIndexLine is the length of a line of index.jsonl or calibration.jsonl in bytes.
	MaxIndexLine = 1 << 20
	// MaxEntry is the size of any other entry in bytes.
	MaxEntry = 256 << 20
)

// The names of the entries that every bundle has.
const (
	ManifestName    = "manifest.json"
	SumsName        = "SHA256SUMS"
	IndexName       = "index.jsonl"
	CalibrationName = "calibration.jsonl"
)

// created are the first entries, which Write creates.
var created = []string{ManifestName, SumsName, IndexName, CalibrationName}
