package backtrack

import (
	"math"
	"slices"
)

// A text of so many letters that takes so many steps is beyond reach. Where the
// growth without a limit is not known the steps have to be more: a thousand
// million is more than 64 to the power of 4.
const (
	reachLetters  = 64
	reachSteps    = 1_000_000
	unknownDegree = 4
)

// prepareCounting makes a program of the expression as it is.
func (j *judge) prepareCounting(m *machine, p *program) error {
	if p.loose {
		var err error
		if p, err = compile(j.tree, false, mostInstructions); err != nil {
			return err
		}
	}
	j.program, j.counter = p, newCounter(p, m.alphabet)
	return nil
}

// enough is how many steps are beyond reach, and more than a growth of that degree
// explains.
func enough(degree int) float64 {
	return max(reachSteps, math.Pow(reachLetters, float64(degree+1)))
}

// beyondReach counts the steps in some texts that may take very many though their
// growth has a limit: those of the rough findings, and repetitions of one letter.
func (j *judge) beyondReach(m *machine, rough findings, degree int) (Verdict, bool) {
	if !j.counter.fits(reachLetters) {
		return Verdict{}, false
	}
	b := budget{mostCounted}
	last := m.rarest()
	for _, candidate := range j.candidates(m, rough) {
		for _, suffix := range [][]letter{candidate.suffix, {last}} {
			for _, letters := range []int{reachLetters, reachLetters * 3 / 4, reachLetters / 2, reachLetters * 3 / 8} {
				attack := &bomb{candidate.prefix, candidate.pump, suffix, candidate.blame}
				text := attack.text(letters - len(attack.prefix) - len(suffix) - len(attack.pump) + 1)
				if len(text) > reachLetters {
					continue
				}
				work := len(text) * len(j.program.code)
				if b.spend(work) != nil {
					return Verdict{}, false
				}
				j.counted += work
				if j.counter.steps(text) >= enough(degree) {
					return j.limitedVerdict(attack, rough.graph), true
				}
			}
		}
	}
	return Verdict{}, false
}

// candidates are texts that may be beyond reach.
func (j *judge) candidates(m *machine, rough findings) []*bomb {
	var bombs []*bomb
	if rough.limited != nil {
		bombs = append(bombs, rough.limited)
	}
	if rough.growth == Exponential {
		bombs = append(bombs, rough.bombs...)
	}
	if rough.limited != nil || rough.growth != Linear || j.shape.choices > fewChoices || j.shape.skips > 0 {
		for l := range m.show {
			bombs = append(bombs, &bomb{pump: []letter{l}})
		}
	}
	return bombs
}

// confirm judges an expression that is too large for an exact judgement by the
// steps that the rough findings take in texts of two lengths.
func (j *judge) confirm(m *machine, rough findings) (Verdict, error) {
	const letters = 120
	last := m.rarest()
	for _, candidate := range rough.bombs {
		for _, suffix := range [][]letter{candidate.suffix, {last}} {
			attack := &bomb{candidate.prefix, candidate.pump, suffix, candidate.blame}
			once, twice := attack.text(letters), attack.text(2*letters)
			if !j.counter.fits(len(twice)) {
				return Verdict{}, errTooLarge
			}
			degree := int(math.Round(math.Log2(j.counter.steps(twice) / j.counter.steps(once))))
			if degree >= 2 && rough.growth == Polynomial {
				found := findings{growth: Polynomial, degree: min(degree, rough.degree), graph: rough.graph, bombs: []*bomb{attack}}
				return found.verdict(j.tree), nil
			}
		}
	}
	return Verdict{}, errTooLarge
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

// rarest is the letter that the fewest sets of the expression have: where it
// stands, most ways end.
func (a *alphabet) rarest() letter {
	in := make([]int, len(a.show))
	for _, letters := range a.sets {
		for _, l := range letters {
			in[l]++
		}
	}
	return slices.Index(in, slices.Min(in))
}
