package redos

import "unicode/utf8"

// outline is an approximation of a program: looks always hold, and all characters
// outside ASCII are the same. It has at least the paths of an engine that never finds a
// match. If the outline is linear, so is the engine. That is the case for most
// patterns, and takes a small part of the time of a graph.
type outline struct {
	places []place // the first is the search for a beginning
	part   []int   // for each place, its strongly connected part
	parts  []partOutline
	budget *budget
}

// place is an instruction that has just consumed a character.
type place struct {
	chars chars
	// next are the places of the next character. A place that is reached in several
	// ways is listed twice.
	next    []int
	endless bool
}

// partOutline is what can be read inside a part.
type partOutline struct {
	chars   chars
	endless bool // implies cyclic
}

// chars is a set of characters: a bit for each ASCII character, and one for all others.
type chars [3]uint64

// clearlyLinear reports whether the growth is certainly Linear: without the limits of
// the repetitions, or with them if byGraph would then only check that. It is not
// certain if byGraph would count the steps in short texts.
func (j *judge) clearlyLinear(loose *program) bool {
	if j.shape.choices > fewChoices || j.shape.skips > 0 {
		return false
	}
	linear := false
	withinBudget(func() {
		splits, goesOver := j.outlined(loose)
		if !splits && goesOver && loose.loose && !j.shape.branches() {
			splits, goesOver = j.outlined(compile(j.tree, false, &j.budget))
		}
		linear = !splits && !goesOver
	})
	return linear
}

// outlined reports what the outline of a program may do: see splits and goesOver. An
// outline that splits may do anything.
func (j *judge) outlined(p *program) (splits, goesOver bool) {
	o := &outline{budget: &j.budget}
	endless := j.tree.endless()
	if j.shape.branches() {
		j.tree.visit(func(t *tree) { endless[t] = true })
	}
	o.addPlaces(p, endless)
	o.addParts()
	if o.splits() {
		return true, true
	}
	return false, o.goesOver()
}

func (o *outline) addPlaces(p *program, endless map[*tree]bool) {
	w := &outlineWalk{program: p, at: make([]int, len(p.code)), visits: make([]uint8, len(p.code))}
	froms := make([]int, 1, len(p.code))
	froms[0] = p.start
	o.places = make([]place, 1, len(p.code))
	o.places[0] = place{chars: charsOf([]rune{0, utf8.MaxRune}), endless: true}
	for i, in := range p.code {
		if in.op == opSet {
			w.at[i] = len(o.places)
			froms = append(froms, in.out[0])
			o.places = append(o.places, place{chars: charsOf(in.tree.runes), endless: endless[in.tree]})
			o.budget.spend(5 + len(p.code)/16 + len(in.tree.runes))
		}
	}
	for i, from := range froms {
		clear(w.visits)
		first := len(w.found)
		if w.walk(from); i == 0 {
			w.found = append(w.found, 0) // the search continues
		}
		o.budget.spend(w.walked)
		w.walked = 0
		o.places[i].next = w.found[first:len(w.found):len(w.found)]
	}
}

// outlineWalk lists the places that are reached from instructions without a character.
// Two visits are enough to detect two paths.
type outlineWalk struct {
	program *program
	at      []int // for each consuming instruction, its place
	visits  []uint8
	found   []int
	walked  int
}

func (w *outlineWalk) walk(i int) {
	if w.visits[i] == 2 {
		return
	}
	w.visits[i]++
	w.walked++
	in := &w.program.code[i]
	if in.op == opSet {
		w.found = append(w.found, w.at[i])
		return
	}
	for _, out := range in.out {
		w.walk(out)
	}
}

func (o *outline) addParts() {
	next := make([][]int, len(o.places))
	for i := range o.places {
		next[i] = o.places[i].next
	}
	var count int
	o.part, count = connected(next)
	o.parts = make([]partOutline, count)
	for i, p := range o.places {
		part := &o.parts[o.part[i]]
		part.chars.add(p.chars)
		for _, to := range p.next {
			part.endless = part.endless || p.endless && o.part[to] == o.part[i]
		}
	}
}

// splits reports whether a place may have two continuations inside its part by the same
// character. If none has, there is at most one path from a place back to itself on a
// text, and nothing is exponential.
func (o *outline) splits() bool {
	for i, p := range o.places {
		var taken chars
		for _, to := range p.next {
			if o.part[to] != o.part[i] {
				continue
			}
			if taken.meets(o.places[to].chars) {
				return true
			}
			taken.add(o.places[to].chars)
		}
	}
	return false
}

// goesOver reports whether there may be a text that loops in two endless parts and
// leads from one to the other. Both parts have all of its characters. If there is none,
// what is not exponential is not polynomial either.
func (o *outline) goesOver() bool {
	var endless []int
	for p := range o.parts {
		if o.parts[p].endless {
			endless = append(endless, p)
		}
	}
	for _, p := range endless {
		for _, q := range endless {
			if p != q && o.leads(p, q) {
				return true
			}
		}
	}
	return false
}

// leads reports whether a path leads from one part to another by characters that both
// have.
func (o *outline) leads(p, q int) bool {
	both := o.parts[p].chars.and(o.parts[q].chars)
	if both == (chars{}) {
		o.budget.spend(1)
		return false
	}
	o.budget.spend(len(o.places))
	seen := make([]bool, len(o.places))
	var queue []int
	for i, part := range o.part {
		if part == p {
			queue, seen[i] = append(queue, i), true
		}
	}
	for len(queue) > 0 {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if o.part[i] == q {
			return true
		}
		o.budget.spend(len(o.places[i].next))
		for _, to := range o.places[i].next {
			if !seen[to] && both.meets(o.places[to].chars) {
				queue, seen[to] = append(queue, to), true
			}
		}
	}
	return false
}

// charsOf returns the set of characters in ranges, which are pairs of first and last.
func charsOf(runes []rune) chars {
	var c chars
	for i := 0; i < len(runes); i += 2 {
		for r := runes[i]; r <= min(runes[i+1], utf8.RuneSelf-1); r++ {
			c[r/64] |= 1 << (r % 64)
		}
		if runes[i+1] >= utf8.RuneSelf {
			c[2] = 1
		}
	}
	return c
}

func (c *chars) add(d chars) {
	for i := range c {
		c[i] |= d[i]
	}
}

func (c chars) and(d chars) chars { return chars{c[0] & d[0], c[1] & d[1], c[2] & d[2]} }

func (c chars) meets(d chars) bool { return c.and(d) != chars{} }
