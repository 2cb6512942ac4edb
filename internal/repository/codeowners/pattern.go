package codeowners

import (
	"path"
	"strings"
)

// anyDepth is the segment of a pattern that matches any number of path parts.
const anyDepth = "**"

// compile splits a pattern into segments for path.Match. The pattern matches a file
// and, as a folder, everything below it.
func compile(pattern string) []string {
	rooted := strings.HasPrefix(pattern, "/")
	folder := strings.HasSuffix(pattern, "/")
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "/"), "/")
	if pattern == "" {
		return nil // a single slash matches nothing
	}
	parts := strings.Split(pattern, "/")
	var out []string
	if !rooted && len(parts) == 1 {
		out = append(out, anyDepth)
	}
	for _, part := range parts {
		if _, err := path.Match(part, ""); err != nil {
			part = strings.TrimSuffix(part, `\`) // a backslash at the end escapes nothing
		}
		out = append(out, part)
	}
	switch last := parts[len(parts)-1]; {
	case folder || last == anyDepth:
		out = append(out, "*", anyDepth) // everything in it, at any depth
	case last != "*": // "docs/*" matches the files in docs, not those in its folders
		out = append(out, anyDepth)
	}
	return out
}

// Matches reports whether the rule's pattern matches the path of a file.
func (r *Rule) Matches(name string) bool {
	return r.matches(strings.Split(name, "/"))
}

// matches compares the segments with the parts of a path. On a mismatch only the last
// "**" needs to take one more part, so the number of steps never exceeds the product
// of both lengths.
func (r *Rule) matches(names []string) bool {
	if len(r.segments) == 0 || names[0] == "" {
		return false
	}
	rest, many, taken := r.segments, []string(nil), 0
	for n := 0; n < len(names); {
		switch {
		case len(rest) > 0 && rest[0] == anyDepth:
			rest, taken = rest[1:], n
			many = rest
		case len(rest) > 0 && matchesPart(rest[0], names[n]):
			rest = rest[1:]
			n++
		case many != nil:
			taken++
			rest, n = many, taken
		default:
			return false
		}
	}
	for len(rest) > 0 && rest[0] == anyDepth {
		rest = rest[1:]
	}
	return len(rest) == 0
}

// reaches reports whether the rule can match something below a folder: the segments
// before the first "**" match the folder as far as they go.
func (r *Rule) reaches(folder []string) bool {
	for i, s := range r.segments {
		if s == anyDepth || i == len(folder) {
			return true
		}
		if !matchesPart(s, folder[i]) {
			return false
		}
	}
	return false
}

func matchesPart(segment, name string) bool {
	ok, _ := path.Match(segment, name) // an invalid pattern matches nothing
	return ok
}
