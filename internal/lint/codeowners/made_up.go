package codeowners

import (
	"path"
	"regexp/syntax"
	"strings"
)

// mostMisses limits the classes of an expression for which a path is made up.
const mostMisses = 20

// longestPath is the length of the longest path that is made up.
const longestPath = 4096

// RemovingRules returns the lines that can leave a path without owners: those that have none, and all
// expressions.
func (f *File) RemovingRules() (all []*Rule) {
	for _, r := range f.Rules {
		if len(r.Owners) == 0 || r.expression != nil {
			all = append(all, r)
		}
	}
	return all
}

var wildcards = strings.NewReplacer("**", "new", "*", "new", "?", "n", `\`, "")

// madeUp returns made-up paths that a rule might match, in a folder if its pattern is not
// anchored, and those that an expression just misses. file is a file name to use in the folder.
func (r *Rule) madeUp(folder, file string) (names []string) {
	if r.expression != nil {
		for _, text := range r.expression.examples() {
			names = append(names, completed(text, file)...)
		}
		return names
	}
	pattern := strings.TrimPrefix(r.Pattern, "!")
	text := wildcards.Replace(strings.TrimPrefix(pattern, "/"))
	if strings.Contains(strings.TrimSuffix(pattern, "/"), "/") {
		return completed(text, file)
	}
	return append(completed(folder+"/"+text, file), completed(folder+"/new/"+text, file)...)
}

// completed returns paths that begin with a text: itself, and if it can be a folder, files in it. A
// text such as "new.md" is not treated as a folder; if there is one, its files are checked anyway.
func completed(text, file string) (names []string) {
	if len(text) > longestPath {
		return nil
	}
	folder := strings.TrimSuffix(text, "/")
	if path.Ext(folder) != "" && folder == text {
		return []string{path.Clean(text)}
	}
	for _, end := range []string{"", path.Ext(file), "/" + file, "/new/" + file} {
		names = append(names, path.Clean(folder+end))
	}
	return names
}

// examples returns a path that the expression matches, and for each class of characters in it one with a
// character there that is not in the class.
func (e *expression) examples() (all []string) {
	for miss := -1; miss < min(classes(e.tree), mostMisses); miss++ {
		x := example{miss: miss}
		x.write(e.tree)
		all = append(all, x.String())
	}
	return all
}

// classes counts the classes of characters in an expression.
func classes(re *syntax.Regexp) (n int) {
	if re.Op == syntax.OpCharClass {
		n = 1
	}
	for _, sub := range re.Sub {
		n += classes(sub)
	}
	return n
}

// example is a text for an expression. Instead of the class with the number miss, it has another character.
type example struct {
	strings.Builder
	miss, seen int
}

func (x *example) write(re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		x.WriteString(string(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		x.WriteString("n")
	case syntax.OpCharClass:
		x.WriteString(likely(re.Rune, x.seen != x.miss))
		x.seen++
	case syntax.OpAlternate:
		x.branch(re.Sub)
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		if op := re.Sub[0].Op; op == syntax.OpAnyChar || op == syntax.OpAnyCharNotNL {
			x.WriteString("new")
			return
		}
		once := example{miss: x.miss, seen: x.seen}
		once.write(re.Sub[0])
		x.seen = once.seen
		x.WriteString(strings.Repeat(once.String(), max(1, re.Min)))
	default:
		for _, sub := range re.Sub {
			x.write(sub)
		}
	}
}

// branch writes the branch with the missed class, or else the first.
func (x *example) branch(branches []*syntax.Regexp) {
	chosen, before, at := 0, 0, x.seen
	for i, b := range branches {
		n := classes(b)
		if at <= x.miss && x.miss < at+n {
			chosen, before = i, at
		}
		at += n
	}
	x.seen = max(x.seen, before)
	x.write(branches[chosen])
	x.seen = at
}

// likely is a character in a class, or one outside it, that paths often have, or "" if there is none.
func likely(class []rune, inside bool) string {
	for _, c := range "nabcdefghijklmopqrstuvwxyz0123456789_-./NABCDEFGHIJKLMOPQRSTUVWXYZ" {
		in := false
		for i := 0; i+1 < len(class); i += 2 {
			in = in || class[i] <= c && c <= class[i+1]
		}
		if in == inside {
			return string(c)
		}
	}
	return ""
}
