// Package minhash finds texts that nearly repeat another among many, without
// comparing each with each. The resemblance of two texts is the number of word
// sequences that both have divided by the number that either has. It is exact for
// texts of up to 128 sequences and estimated for longer ones. The same texts in the
// same order give the same answers on every machine.
//
// The measure, and its estimate from the smallest hashes of a text, are those of
// A. Broder, "On the resemblance and containment of documents" (1997). What to
// compare is found by bands of minimums, all from one hash, after P. Li, A. Owen and
// C.-H. Zhang, "One Permutation Hashing" (2012), with empty places filled after
// A. Shrivastava and P. Li, "Densifying One Permutation Hashing via Rotation" (2014).
package minhash

import (
	"iter"
	"math/bits"
	"slices"
)

const (
	// shingle is how many words make a sequence.
	shingle = 3
	// Fewest is how many words a text needs: shorter ones resemble each other by
	// chance.
	Fewest = 20
	// largest is the size of a sketch. The error of an estimate near Threshold is
	// about 0.035 (the square root of 0.8 · 0.2 / 128).
	largest = 128
	// Two texts are compared if one of bands of rows minimums each is alike. With a
	// resemblance r that happens with the chance 1 - (1 - r^rows)^bands: more than
	// 0.999 at 0.8, and 0.12 at 0.3.
	bands  = 16
	rows   = 4
	places = bands * rows
)

// Threshold is the resemblance from which on a text nearly repeats another.
const Threshold = 0.8

// Sketch stands for a text where it is compared.
type Sketch struct {
	hashes []uint32      // the smallest of the word sequences, in order and each once
	bands  [bands]uint32 // hashes of the minimums of each band
}

// Of is the sketch of a text that is given in words. It is nil for a text of fewer
// words than Fewest.
func Of(words iter.Seq[string]) *Sketch {
	var room [4 * largest]uint32 // for most texts
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
	if n < Fewest {
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

// hash is the 64-bit FNV-1a hash of a word.
func hash(word string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(word) {
		h = (h ^ uint64(word[i])) * 1099511628211
	}
	return h
}

// mixed is one hash of a sequence, in which each bit depends on all.
func mixed(hashes [shingle]uint64) uint32 {
	var h uint64
	for _, w := range hashes {
		h = (bits.RotateLeft64(h, 23) ^ w) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	h = (h ^ h>>29) * 0xbf58476d1ce4e5b9
	return uint32(h >> 32)
}

// Estimate is how much two texts resemble each other, from 0 to 1.
func Estimate(s, t *Sketch) float64 {
	a, b := s.hashes, t.hashes
	limit := largest // beyond it, a sketch does not tell what its text has
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

// Resembles tells whether two texts resemble each other by Threshold or more, and if
// so, by how much. It is Estimate, given up as soon as too much differs.
func Resembles(s, t *Sketch) (by float64, yes bool) {
	a, b := s.hashes, t.hashes
	// What both have is at least four times of what only one has (0.8 of 1), and no
	// more than the smaller sketch.
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

// minimums are the smallest hash in each of the parts that the hashes fall into. An
// empty part gets what the next filled one has, changed by how far it is away, so
// that two texts agree there as often as elsewhere.
func (s *Sketch) minimums() [places]uint32 {
	var found [places]uint32
	var filled [places]bool
	for _, h := range s.hashes { // the smallest come first
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

// Index holds sketches under numbers, and finds those that resemble another. The
// zero Index is empty.
type Index struct {
	sketches []*Sketch // by number
	first    [bands]map[uint32]int32
}

// Find returns the number of the sketch that s resembles most and at least by
// Threshold, the lowest of equals, and by how much. Of those that have a band
// alike, it looks at the one that was added first, if fits accepts it, so that one
// search takes the same time among few and many.
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

// Add puts a sketch under the next number, counted from 0. Of texts that have a
// band alike, the first one stands for all.
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
