package redos

import (
	"math"
	"slices"
)

// A text of this many repeated letters that takes this many steps is out of reach.
const (
	reachLetters = 64
	reachSteps   = 1_000_000
)

// enough returns how many steps are out of reach: more than a growth of the degree
// explains, and more than some for each instruction at each letter.
func (j *judge) enough(degree int) float64 {
	const some = 4
	return max(reachSteps, math.Pow(reachLetters, float64(degree+1)), float64(some*reachLetters*len(j.counter.program.code)))
}

// beyondReach counts the steps in texts that may take very many although their growth
// has a limit: those of the rough findings, and repetitions of one letter. If a part of
// the expression takes too many steps but no text is known that leads there, the
// expression is too complex, because such a text may exist.
func (j *judge) beyondReach(m *machine, rough findings, degree int) (v Verdict, found bool) {
	j.counter.beginAt(rough.graph)
	last, hidden := m.rarest(), false
	for _, candidate := range j.candidates(m, rough) {
		for i, letters := range []int{reachLetters * 3 / 8, reachLetters / 2, reachLetters * 3 / 4, reachLetters} {
			if i == 1 && j.mostSteps(candidate, last, degree) < j.enough(degree) {
				break
			}
			for _, suffix := range [][]letter{candidate.suffix, {last}} {
				attack := &bomb{nil, candidate.pump, suffix, candidate.blame}
				text := attack.text(letters - len(suffix) - len(attack.pump) + 1)
				begin, n := j.counter.worst(text, j.enough(degree))
				if n < j.enough(degree) {
					continue
				}
				for _, attack.prefix = range [][]letter{j.counter.wayTo(begin), candidate.prefix} {
					if j.counter.steps(append(slices.Clone(attack.prefix), text...)) >= j.enough(degree) {
						return j.limitedVerdict(attack, rough.graph), true
					}
				}
				hidden = true
			}
		}
	}
	if hidden {
		panic(errTooComplex)
	}
	return Verdict{}, false
}

// mostSteps limits the steps in the texts of a candidate by those of an engine that
// never finds a match.
func (j *judge) mostSteps(candidate *bomb, last letter, degree int) float64 {
	text := (&bomb{nil, candidate.pump, append(slices.Clone(candidate.suffix), last), nil}).text(reachLetters)
	j.counter.matchless = true
	defer func() { j.counter.matchless = false }()
	_, n := j.counter.worst(text, j.enough(degree))
	return n
}

// candidates returns texts that may be out of reach.
func (j *judge) candidates(m *machine, rough findings) []*bomb {
	bombs := slices.Clone(rough.limited)
	if rough.growth == Exponential {
		bombs = append(bombs, rough.bombs...)
	}
	if len(rough.limited) > 0 || rough.growth != Linear || j.shape.branches() {
		for l := range m.show {
			bombs = append(bombs, &bomb{pump: []letter{l}})
		}
	}
	return slices.DeleteFunc(bombs, func(b *bomb) bool { return len(b.pump) > reachLetters })
}

// confirm judges an expression that is too complex for an exact analysis by the steps
// in texts of two lengths from the rough findings.
func (j *judge) confirm(m *machine, rough findings) Verdict {
	const letters = 120
	if rough.growth != Polynomial {
		panic(errTooComplex)
	}
	last := m.rarest()
	for _, candidate := range rough.bombs {
		for _, suffix := range [][]letter{candidate.suffix, {last}} {
			attack := &bomb{candidate.prefix, candidate.pump, suffix, candidate.blame}
			once, twice := j.counter.steps(attack.text(letters)), j.counter.steps(attack.text(2*letters))
			if degree := int(math.Round(math.Log2(twice / once))); degree >= 2 {
				found := findings{growth: Polynomial, degree: min(degree, rough.degree), graph: rough.graph, bombs: []*bomb{attack}}
				return found.verdict(j.tree)
			}
		}
	}
	panic(errTooComplex)
}

func (j *judge) limitedVerdict(attack *bomb, g *graph) Verdict {
	found := findings{growth: Exponential, graph: g, bombs: []*bomb{attack}}
	v := found.verdict(j.tree)
	v.Limited = true
	if len(attack.blame) == 0 {
		v.Part = Part{j.tree.at, j.tree.end}
	}
	return v
}

// rarest returns the letter that is in the fewest sets of the expression: most paths
// end at it.
func (a *alphabet) rarest() letter {
	in := make([]int, len(a.show))
	for _, letters := range a.sets {
		for _, l := range letters {
			in[l]++
		}
	}
	return slices.Index(in, slices.Min(in))
}
