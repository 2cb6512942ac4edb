package codeowners

import "strings"

// segment is a part of a pattern between slashes. Its runes are characters, or
// one of the wildcards.
type segment []rune

// The wildcards of a segment, which are no characters.
const (
	anyText rune = -1 // any number of characters
	anyRune rune = -2 // one character
)

// compile takes a pattern apart. It matches a file and, as a folder, all below.
func compile(pattern string) []segment {
	rooted := strings.HasPrefix(pattern, "/")
	folder := strings.HasSuffix(pattern, "/")
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "/"), "/")
	if pattern == "" {
		return nil // a slash alone matches nothing
	}
	parts := strings.Split(pattern, "/")
	var out []segment
	if !rooted && len(parts) == 1 {
		out = append(out, nil) // at any depth
	}
	for _, part := range parts {
		out = append(out, segmentOf(part))
	}
	switch last := parts[len(parts)-1]; {
	case folder || last == "**":
		out = append(out, segment{anyText}, nil) // what lies in it, at any depth
	case last != "*": // "docs/*" means the files of docs, not of its folders
		out = append(out, nil)
	}
	return out
}

// segmentOf reads one part; "**" is nil and stands for any number of parts.
func segmentOf(part string) segment {
	if part == "**" {
		return nil
	}
	out := segment{}
	escaped := false
	for _, r := range part {
		switch {
		case escaped:
			out, escaped = append(out, r), false
		case r == '\\':
			escaped = true
		case r == '*':
			out = append(out, anyText)
		case r == '?':
			out = append(out, anyRune)
		default:
			out = append(out, r)
		}
	}
	return out
}

// Matches tells whether the rule's pattern matches the path of a file.
func (r *Rule) Matches(path string) bool {
	return r.matches(strings.Split(path, "/"))
}

func (r *Rule) matches(names []string) bool {
	if len(r.segments) == 0 || names[0] == "" {
		return false
	}
	return glob(r.segments, names, func(s segment) bool { return s == nil }, segment.matches)
}

// reaches tells whether the rule can match something below a folder: the parts of
// its pattern before the first "**" fit the folder as far as they go.
func (r *Rule) reaches(folder []string) bool {
	for i, s := range r.segments {
		if s == nil || i == len(folder) {
			return true
		}
		if !s.matches(folder[i]) {
			return false
		}
	}
	return false
}

func (s segment) matches(name string) bool {
	return glob(s, []rune(name),
		func(r rune) bool { return r == anyText },
		func(p, r rune) bool { return p == r || p == anyRune })
}

// glob matches a pattern in which some elements stand for any number of others.
// On a mismatch only the last of those has to take one more, so it never takes
// more steps than the product of both lengths.
func glob[P, T any](pattern []P, text []T, isMany func(P) bool, same func(P, T) bool) bool {
	p, many, taken := 0, -1, 0
	for t := 0; t < len(text); {
		switch {
		case p < len(pattern) && isMany(pattern[p]):
			many, taken = p, t
			p++
		case p < len(pattern) && same(pattern[p], text[t]):
			p++
			t++
		case many >= 0:
			taken++
			p, t = many+1, taken
		default:
			return false
		}
	}
	for p < len(pattern) && isMany(pattern[p]) {
		p++
	}
	return p == len(pattern)
}
