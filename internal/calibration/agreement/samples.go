package agreement

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
)

// weights says how often each item counts in one or several resamples at once. Each has some
// bits of a number, its lane, so that a sum over items is of all of them.
type weights struct {
	of       []uint64 // by item
	laneBits uint
	lanes    int
}

// once is the weights of n items that each count once.
func once(n int) weights { return weights{slices.Repeat([]uint64{1}, n), 64, 1} }

// unpack sets the numbers of one of the resamples.
func (w weights) unpack(into []int, sums []uint64, lane int) {
	shift, mask := w.laneBits*uint(lane), uint64(1)<<w.laneBits-1
	for i, sum := range sums {
		into[i] = int(sum >> (shift & 63) & mask) // the compiler needs to see the 63
	}
}

// drawing is the resamples of n items that a seed gives.
type drawing struct {
	n, resamples int
	seed         uint64
}

// wide are the most items for which four resamples fit in a number: in a resample, no sum of
// weights is above the number of items.
const wide = 1<<16 - 1

// initialWeights are the weights before any item is drawn.
func (d drawing) initialWeights() weights {
	if d.n > wide {
		return weights{make([]uint64, d.n), 64, 1}
	}
	return weights{make([]uint64, d.n), 16, 4}
}

// each visits the resamples, which are drawn, and then all items but one, or but a group of
// many. The weights are valid until the next ones, and the same on every machine: rand.PCG's
// stream of bits is fixed, and rand.IntN can change between versions of Go.
func (d drawing) each(visit func(w weights, drawn bool)) {
	if d.n*d.resamples > keptSize {
		d.draw(visit)
		d.leaveOut(visit)
		return
	}
	for _, s := range d.samples() {
		visit(s.weights, s.drawn)
	}
}

func (d drawing) draw(visit func(w weights, drawn bool)) {
	generator, w := rand.NewPCG(d.seed, 0), d.initialWeights()
	for left := d.resamples; left > 0; left -= w.lanes {
		clear(w.of)
		w.lanes = min(w.lanes, left)
		for lane := range w.lanes {
			one := uint64(1) << (w.laneBits * uint(lane))
			for range w.of {
				high, _ := bits.Mul64(generator.Uint64(), uint64(d.n))
				w.of[high] += one
			}
		}
		visit(w, true)
	}
}

// groups is how often items are left out at most: of more, several at once.
const groups = 500

func (d drawing) leaveOut(visit func(w weights, drawn bool)) {
	all, w := uint64(0), d.initialWeights()
	for lane := range w.lanes {
		all += 1 << (w.laneBits * uint(lane))
	}
	count := min(d.n, groups)
	for group := 0; group < count; group += w.lanes {
		for i := range w.of {
			w.of[i] = all
		}
		w.lanes = min(w.lanes, count-group)
		for lane := range w.lanes {
			for i := group + lane; i < d.n; i += count {
				w.of[i] -= 1 << (w.laneBits * uint(lane))
			}
		}
		visit(w, false)
	}
}

// sample is the weights of some resamples.
type sample struct {
	weights
	drawn bool
}

// Most statistics of a report are of the same number of items, and drawing takes longer than a
// statistic. So the last samples are kept, unless they are of very many items.
const (
	kept     = 8
	keptSize = 16 << 20
)

var last struct {
	sync.Mutex
	drawings [kept]drawing
	samples  [kept][]sample
	next     int
}

func (d drawing) samples() []sample {
	if known := d.find(); known != nil {
		return known
	}
	var all []sample
	keep := func(w weights, drawn bool) {
		w.of = slices.Clone(w.of)
		all = append(all, sample{w, drawn})
	}
	d.draw(keep)
	d.leaveOut(keep)
	last.Lock()
	defer last.Unlock()
	last.drawings[last.next], last.samples[last.next] = d, all
	last.next = (last.next + 1) % kept
	return all
}

func (d drawing) find() []sample {
	last.Lock()
	defer last.Unlock()
	if i := slices.Index(last.drawings[:], d); i >= 0 {
		return last.samples[i]
	}
	return nil
}
