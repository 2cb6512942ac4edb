package agreement

import (
	"iter"
	"math/bits"
	"math/rand/v2"
	"sync"
)

// Weights says how often each item counts. In a resample of many items, no item is drawn
// more than 255 times: the probability is below 1e-500.
type Weights []uint8

// once is the weights of n items that each count once.
func once(n int) Weights {
	w := make(Weights, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

func (w Weights) total() int {
	n := 0
	for _, times := range w {
		n += int(times)
	}
	return n
}

// drawing is the resamples of n items that a seed gives.
type drawing struct {
	n, resamples int
	seed         uint64
}

// resamples returns the same weights on every machine: it uses the generator's bits, whose
// stream is fixed; rand.IntN can change between versions of Go. The weights are valid until
// the next are returned.
func (d drawing) all() iter.Seq[Weights] {
	return func(yield func(Weights) bool) {
		if d.n*d.resamples > kept {
			d.draw(make(Weights, d.n), yield)
			return
		}
		table := d.table()
		for i := range d.resamples {
			if !yield(table[i*d.n : (i+1)*d.n]) {
				return
			}
		}
	}
}

func (d drawing) draw(w Weights, yield func(Weights) bool) {
	generator := rand.NewPCG(d.seed, 0)
	for range d.resamples {
		clear(w)
		for range w {
			high, _ := bits.Mul64(generator.Uint64(), uint64(d.n))
			w[high]++
		}
		if !yield(w) {
			return
		}
	}
}

// Most statistics of a report are of the same number of items, and drawing takes as long as
// a statistic. So the last resamples are kept, if they take up to kept bytes.
const kept = 16 << 20

var last struct {
	sync.Mutex
	drawings [4]drawing
	tables   [4]Weights
	next     int
}

// table has all weights of a drawing, one resample after the other.
func (d drawing) table() Weights {
	last.Lock()
	defer last.Unlock()
	for i, other := range last.drawings {
		if other == d {
			return last.tables[i]
		}
	}
	table := make(Weights, 0, d.n*d.resamples)
	d.draw(make(Weights, d.n), func(w Weights) bool {
		table = append(table, w...)
		return true
	})
	last.drawings[last.next], last.tables[last.next] = d, table
	last.next = (last.next + 1) % len(last.drawings)
	return table
}
