package bundlefile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// The kinds of documents in the index.
const (
	KindRubric  = "rubric"
	KindRuleSet = "rule_set"
)

const (
	rubricFolder  = "rubrics/"
	ruleSetFolder = "rulesets/"
)

// maxWord is the maximum length of an ID, and of a folder or a file below calibration,
// schema, and conformance.
const maxWord = 128

// DocumentPath returns the name of the entry for a version of a document of KindRubric
// or KindRuleSet.
func DocumentPath(kind, id, version string) string {
	folder := rubricFolder
	if kind == KindRuleSet {
		folder = ruleSetFolder
	}
	return folder + id + "/" + version + ".json"
}

// SplitDocumentPath is the reverse of DocumentPath. ok is false if the name is not one
// of a version.
func SplitDocumentPath(path string) (kind, id, version string, ok bool) {
	if !isDocument(path) {
		return "", "", "", false
	}
	kind = KindRubric
	if strings.HasPrefix(path, ruleSetFolder) {
		kind = KindRuleSet
	}
	_, rest, _ := strings.Cut(path, "/")
	id, file, _ := strings.Cut(rest, "/")
	return kind, id, strings.TrimSuffix(file, ".json"), true
}

// isDocument reports whether an entry with a valid name is a version of a document.
func isDocument(name string) bool {
	return strings.HasPrefix(name, rubricFolder) || strings.HasPrefix(name, ruleSetFolder)
}

// maxSize returns the size limit of an entry with a valid name.
func maxSize(name string) int64 {
	switch {
	case isDocument(name):
		return MaxDocument
	case name == ManifestName:
		return MaxManifest
	}
	return MaxEntry
}

// IsName reports whether an entry of a bundle can have the name.
func IsName(name string) bool {
	if len(name) > MaxName {
		return false
	}
	folder, rest, below := strings.Cut(name, "/")
	if !below {
		switch name {
		case ManifestName, SumsName, IndexName, CalibrationName, "changelog.json", "retired.json":
			return true
		}
		return false
	}
	switch folder {
	case "rubrics", "rulesets":
		id, file, _ := strings.Cut(rest, "/")
		version, isJSON := strings.CutSuffix(file, ".json")
		return isJSON && IsVersion(version) && IsID(id)
	case "schema", "conformance":
		base, isJSON := strings.CutSuffix(rest, ".json")
		return isJSON && isWords(base, "._-")
	case "calibration":
		return isCalibration(rest)
	}
	return false
}

func isCalibration(rest string) bool {
	parts := strings.Split(rest, "/")
	last := len(parts) - 1
	if last < 1 || last > 3 {
		return false
	}
	for _, folder := range parts[:last] {
		if !isWords(folder, "_-") {
			return false
		}
	}
	base, ext, _ := strings.Cut(parts[last], ".")
	return isWords(base, "_-") && (ext == "json" || ext == "jsonl" || ext == "yaml")
}

// IsID reports whether s is an ID, an artifact type, or similar:
// ^[a-z][a-z0-9]*(_[a-z0-9]+)*$.
func IsID(s string) bool { return isWords(s, "_") && s[0] >= 'a' }

// isWords reports whether s consists of words of lowercase letters and digits, with
// one of the joiners between words.
func isWords(s, joiners string) bool {
	if s == "" || len(s) > maxWord {
		return false
	}
	for i := range len(s) {
		if !inWord[s[i]] && (i == 0 || !inWord[s[i-1]] || i == len(s)-1 || strings.IndexByte(joiners, s[i]) < 0) {
			return false
		}
	}
	return true
}

// inWord has the lowercase letters and digits. Opening a bundle looks at every character of
// every name.
var inWord = func() (in [256]bool) {
	for _, c := range "abcdefghijklmnopqrstuvwxyz0123456789" {
		in[c] = true
	}
	return in
}()

// IsVersion reports whether s is three whole numbers of up to nine digits, without
// leading zeros, joined by dots.
func IsVersion(s string) bool {
	_, ok := parseVersion(s)
	return ok
}

// CompareVersions compares semantic versions.
func CompareVersions(a, b string) int {
	x, _ := parseVersion(a)
	y, _ := parseVersion(b)
	return slices.Compare(x[:], y[:])
}

// NextPatch returns the version that directly follows: 1.2.4 for 1.2.3.
func NextPatch(version string) string {
	v, _ := parseVersion(version)
	return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]+1)
}

func parseVersion(s string) (v [3]int, ok bool) {
	part, digits := 0, 0
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '.' && digits > 0 && part < 2:
			part, digits = part+1, 0
		case c < '0' || c > '9' || digits == 9 || digits > 0 && v[part] == 0:
			return v, false
		default:
			v[part] = v[part]*10 + int(c-'0')
			digits++
		}
	}
	return v, part == 2 && digits > 0
}

// isHex reports whether s is n lowercase hexadecimal digits.
func isHex(s string, n int) bool {
	return len(s) == n && strings.Trim(s, "0123456789abcdef") == ""
}

const digestPrefix = "sha256:"

// IsDigest reports whether s is "sha256:" and 64 hexadecimal digits.
func IsDigest(s string) bool {
	hex, ok := strings.CutPrefix(s, digestPrefix)
	return ok && isHex(hex, 64)
}

// bareDigest matches what people write for a digest: the digits alone, in any case, or after
// another form of the prefix.
var bareDigest = lazy.Expr(`(?i)^\s*(?:sha-?256[:=\s-]*)?([0-9a-f]{64})\b`)

// CheckDigest returns an error about a text that is not a digest, which says what was probably
// meant. The error has no subject.
func CheckDigest(s string) error {
	if IsDigest(s) {
		return nil
	}
	meant := ""
	if digits := bareDigest().FindStringSubmatch(s); digits != nil {
		meant = ". Write " + digestPrefix + strings.ToLower(digits[1])
	}
	return fmt.Errorf("must be sha256: and 64 lowercase hexadecimal digits, got %+q%s", s, meant)
}
