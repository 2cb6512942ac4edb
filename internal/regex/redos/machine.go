package redos

// machine is a program without the steps between two characters. A state is an
// instruction that has just consumed a character. If looks distinguish kinds of
// characters, each instruction has a state per kind.
type machine struct {
	*alphabet
	states  []state
	initial int
	// trusted says that a match of the machine is a match of the expression.
	trusted bool
}

// state is the state of an engine after a character.
type state struct {
	tree    *tree // the set that was matched; nil before a match begins
	letters []bool
	// endless says that it can repeat without limit, as the search for a beginning does.
	endless bool
	edges   []transition // in the order of trying
}

// transition leads to another state, or ends with a match if the next character has one
// of the kinds (as bits).
type transition struct {
	to   int // matched for a match
	next uint8
}

const matched = -1

// newMachine returns a machine that searches for matches of a program. Until a match
// begins, it can begin at each character, like an engine that found no match further to
// the left.
func newMachine(t *tree, p *program, a *alphabet, budget *budget) *machine {
	b := &machineBuilder{
		machine: &machine{alphabet: a, trusted: !p.loose}, budget: budget, program: p, endless: t.endless(), of: map[stateKey]int{},
	}
	budget.spend(len(p.code) * len(b.kindsOf()) * (10 + len(a.show)/8))
	b.addStates()
	b.connect()
	return b.machine
}

type machineBuilder struct {
	*machine
	budget  *budget
	program *program
	endless map[*tree]bool
	keys    []stateKey
	of      map[stateKey]int
}

// stateKey is an instruction after a character of a kind. The kind edge means any
// character.
type stateKey struct {
	instruction int // searching while looking for a beginning
	kind        kind
}

const searching = -1

// kindsOf returns the kinds for which an instruction has states.
func (b *machineBuilder) kindsOf() []kind {
	if b.byKind {
		return []kind{newline, word, other}
	}
	return []kind{edge}
}

func (b *machineBuilder) addStates() {
	all := make([]letter, len(b.show))
	for l := range all {
		all[l] = l
	}
	if b.byKind {
		b.addState(stateKey{searching, edge}, nil, nil) // before any character
	}
	for _, k := range b.kindsOf() {
		b.addState(stateKey{searching, k}, nil, all)
	}
	for i, in := range b.program.code {
		if in.op != opSet {
			continue
		}
		for _, k := range b.kindsOf() {
			b.addState(stateKey{i, k}, in.tree, b.sets[in.tree])
		}
	}
}

// addState adds a state for the letters of its kind, if there are any.
func (b *machineBuilder) addState(key stateKey, t *tree, letters []letter) {
	s := state{tree: t, letters: make([]bool, len(b.show)), endless: t == nil || b.endless[t]}
	some := key.instruction == searching
	for _, l := range letters {
		if key.kind == edge || b.kind[l] == key.kind {
			s.letters[l], some = true, true
		}
	}
	if !some {
		return
	}
	b.of[key] = len(b.states)
	b.states, b.keys = append(b.states, s), append(b.keys, key)
}

func (b *machineBuilder) connect() {
	closures := map[int][]reached{}
	for i, key := range b.keys {
		from := b.program.start
		if key.instruction != searching {
			from = b.program.code[key.instruction].out[0]
		}
		if _, ok := closures[from]; !ok {
			closures[from] = closure(b.program, from, b.budget)
		}
		b.states[i].edges = b.edgesOf(closures[from], key)
		b.budget.spend(len(closures[from]) + 4*len(b.states[i].edges))
	}
}

// edgesOf returns the transitions of a state. Transitions after a certain match are never
// tried.
func (b *machineBuilder) edgesOf(targets []reached, key stateKey) []transition {
	var edges []transition
	for _, r := range targets {
		next := r.condition.after(key.kind)
		switch {
		case next == 0:
		case r.instruction == b.program.match:
			edges = append(edges, transition{matched, next})
			if next == allKinds && b.trusted {
				return edges
			}
		default:
			edges = b.appendTo(edges, r.instruction, next)
		}
	}
	if key.instruction == searching {
		edges = b.appendTo(edges, searching, allKinds)
	}
	return edges
}

// appendTo adds the transitions to an instruction by a character of the kinds.
func (b *machineBuilder) appendTo(edges []transition, instruction int, next uint8) []transition {
	for _, k := range b.kindsOf() {
		if to, ok := b.of[stateKey{instruction, k}]; ok && (k == edge || next&(1<<k) != 0) {
			edges = append(edges, transition{to: to})
		}
	}
	return edges
}

// reached is an instruction that is reached without a character, if its looks hold.
type reached struct {
	instruction int
	condition   condition
}

// closure lists the instructions that are reached from an instruction without a
// character, in the order of trying. An instruction that can be reached in several ways
// is listed twice, which is enough to detect ambiguity.
func closure(p *program, from int, b *budget) (found []reached) {
	type visit struct {
		reached
		begun loops
	}
	visits := map[visit]int{}
	var walk func(v visit)
	walk = func(v visit) {
		if v.condition == 0 || visits[v] == 2 {
			return
		}
		b.spend(10)
		visits[v]++
		in := &p.code[v.instruction]
		switch in.op {
		case opSet, opEmpty:
			found = append(found, v.reached)
			return
		case opLook:
			v.condition &= conditionOf(in.tree.look)
		}
		for _, out := range in.out {
			if begun, ok := in.follow(out, v.begun); ok {
				walk(visit{reached{out, v.condition}, begun})
			}
		}
	}
	walk(visit{reached: reached{from, always}})
	return found
}
