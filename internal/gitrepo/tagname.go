package gitrepo

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// tagStart is what the name of each release tag has before its version.
const tagStart = "library-v"

// TagPrefix precedes the version in the release tags of the library in a folder of the
// repository: "library-v" at the root, and "team/x/library-v" in team/x. Libraries in
// different folders have different prefixes, and no tag of one is in the way of another's.
func TagPrefix(folder string) string {
	if folder == "" {
		return tagStart
	}
	var b strings.Builder
	for part := range strings.SplitSeq(folder, "/") {
		for i := 0; i < len(part); {
			_, size := utf8.DecodeRuneInString(part[i:])
			if char := part[i : i+size]; isPlain(part, i, char) && (b.Len() > 0 || char != "-") {
				b.WriteString(char)
			} else {
				fmt.Fprintf(&b, "%%%02X", part[i])
			}
			i += size
		}
		b.WriteByte('/')
	}
	return b.String() + tagStart
}

// isPlain reports whether a character of a folder's name is the same in the name of a tag.
// Others are written as %XX: those that git-check-ref-format(1) does not allow, those that
// are not UTF-8, the percent sign, and the dash in the name of a folder that looks like a
// release tag.
func isPlain(part string, i int, char string) bool {
	rest := part[i:]
	switch char {
	case ".":
		return i > 0 && !strings.HasPrefix(rest, "..") && rest != ".lock"
	case "-":
		return i != strings.IndexByte(tagStart, '-') || !hasPrefixFold(part, tagStart)
	}
	if part == "@" {
		return false
	}
	return len(char) > 1 || char[0] > ' ' && char[0] < 0x7f && !strings.Contains(`%~^:?*[\{`, char)
}

// TagCommand is the command that creates the release tag of a version of the library in a
// folder: it marks a commit and names the digest of the bundle.
func TagCommand(folder, version string, c Commit, digest string) string {
	return "git tag --annotate --message " + sanitize.ShellWord("digest: "+digest) + " " +
		sanitize.ShellWord(TagPrefix(folder)+version) + " " + c.Hash
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}
