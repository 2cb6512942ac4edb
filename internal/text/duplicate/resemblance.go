package duplicate

import (
	"iter"
	"math/bits"
	"slices"
)

const (
	// shingle is the number of words in a sequence.
	shingle = 3
	// Fewest is the minimum number of words in a text: shorter texts resemble each other
	// by chance.
	Fewest = 20
	// few is the minimum where resemblance by chance does no harm.
	few = 8
	// largest is the size of a sketch. The error of an estimate near Threshold is
	// about 0.035 (the square root of 0.8 · 0.2 / 128).
	largest = 128
	// Two texts are compared if at least one of their bands, of rows minimums each, is
	// equal. With a resemblance r, the probability is 1 - (1 - r^rows)^bands: more than
	// 0.999 at 0.8, and 0.12 at 0.3.
	bands  = 16
	rows   = 4
	places = bands * rows
)

// Threshold is the resemblance from which a text nearly repeats another.
const Threshold = 0.8

// Sketch represents a text in comparisons.
type Sketch struct {
	hashes []uint32      // the smallest hashes of word sequences, sorted and distinct
	bands  [bands]uint32 // hashes of the minimums of each band
}

// SketchOf returns the sketch of a text, or nil for a text of fewer words than Fewest.
func SketchOf(words iter.Seq[string]) *Sketch { return sketchOf(words, Fewest) }

// SketchOfShort returns the sketch of a text that can be shorter, where resemblance is only counted.
func SketchOfShort(words iter.Seq[string]) *Sketch { return sketchOf(words, few) }

func sketchOf(words iter.Seq[string], fewest int) *Sketch {
	var room [largest]uint32 // enough for most texts
	hashes := room[:0]
	var last [shingle]uint64
	n := 0
	for w := range words {
		copy(last[:], last[1:])
		last[shingle-1] = hash(w)
		if n++; n >= shingle {
			hashes = append(hashes, mixed(last))
		}
	}
	if n < fewest {
		return nil
	}
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	s := &Sketch{hashes: slices.Clone(hashes[:min(len(hashes), largest)])}
	for i, m := range s.minimums() {
		s.bands[i/rows] = bits.RotateLeft32(s.bands[i/rows], 5)*0x9e3779b1 ^ m
	}
	return s
}

// hash returns the 64-bit FNV-1a hash of a word.
func hash(word string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(word) {
		h = (h ^ uint64(word[i])) * 1099511628211
	}
	return h
}

// mixed returns the hash of a sequence, in which each bit depends on all input bits.
func mixed(hashes [shingle]uint64) uint32 {
	var h uint64
	for _, w := range hashes {
		h = (bits.RotateLeft64(h, 23) ^ w) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	h = (h ^ h>>29) * 0xbf58476d1ce4e5b9
	return uint32(h >> 32)
}

// Estimate returns the resemblance of two texts, from 0 to 1.
func Estimate(s, t *Sketch) float64 {
	a, b := s.hashes, t.hashes
	limit := largest // a sketch has no larger hashes of its text
	if len(a) < largest && len(b) < largest {
		limit = len(a) + len(b)
	}
	both, either := 0, 0
	for i, j := 0, 0; either < limit && (i < len(a) || j < len(b)); either++ {
		switch {
		case j == len(b) || i < len(a) && a[i] < b[j]:
			i++
		case i == len(a) || b[j] < a[i]:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
	if either == 0 {
		return 0
	}
	return float64(both) / float64(either)
}

// Resembles reports whether the resemblance of two texts is at least Threshold, and if so,
// returns it. It is Estimate, but stops as soon as too much differs. Nothing resembles nil.
func Resembles(s, t *Sketch) (by float64, yes bool) {
	if s == nil || t == nil {
		return 0, false
	}
	a, b := s.hashes, t.hashes
	// What both have is at least four times what only one has (0.8 of 1), and no more than
	// the smaller sketch.
	left := min(len(a), len(b)) / 4
	for i, j, either := 0, 0, 0; either < largest && i < len(a) && j < len(b); either++ {
		switch {
		case a[i] == b[j]:
			i, j = i+1, j+1
			continue
		case a[i] < b[j]:
			i++
		default:
			j++
		}
		if left--; left < 0 {
			return 0, false
		}
	}
	by = Estimate(s, t)
	return by, by >= Threshold
}

// minimums returns the smallest hash in each bin. An empty bin gets the minimum of the
// next filled one, modified by the distance, so that two texts agree there as often as
// elsewhere.
func (s *Sketch) minimums() [places]uint32 {
	var found [places]uint32
	var filled [places]bool
	for _, h := range s.hashes { // sorted
		if at := h % places; !filled[at] {
			found[at], filled[at] = h, true
		}
	}
	all := found
	for i := range all {
		for d := 1; !filled[i] && d < places; d++ {
			if next := (i + d) % places; filled[next] {
				all[i] = found[next] + uint32(d)
				break
			}
		}
	}
	return all
}

// Index stores numbered sketches and finds those that resemble another. The zero Index is
// empty.
type Index struct {
	sketches []*Sketch // by number
	first    [bands]map[uint32]int32
}

// Find returns the number of the sketch with the highest resemblance to s of at least
// Threshold, and the resemblance. Ties go to the lowest number. For each band, it
// checks only the sketch that was added first, if fits accepts it, so the time of a
// search does not depend on the size of the index.
func (x *Index) Find(s *Sketch, fits func(number int) bool) (number int, by float64, found bool) {
	for band, k := range s.bands {
		first, ok := x.first[band][k]
		other := int(first)
		if !ok || found && other == number || !fits(other) {
			continue
		}
		e, alike := Resembles(s, x.sketches[other])
		if !alike || found && (e < by || e == by && other > number) {
			continue
		}
		number, by, found = other, e, true
	}
	return number, by, found
}

// Add adds a sketch under the next number, starting at 0. Only the first sketch with a
// given band is found by it.
func (x *Index) Add(s *Sketch) {
	number := int32(len(x.sketches))
	x.sketches = append(x.sketches, s)
	for band, k := range s.bands {
		if x.first[band] == nil {
			x.first[band] = map[uint32]int32{}
		}
		if _, taken := x.first[band][k]; !taken {
			x.first[band][k] = number
		}
	}
}
