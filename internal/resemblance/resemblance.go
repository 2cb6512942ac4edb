// Package resemblance finds texts that nearly repeat another among many, without
// comparing each with each. The resemblance of two texts is the number of word
// sequences that both have divided by the number that either has; it is estimated
// from a sketch of fixed size. The same texts in the same order give the same
// answers on every machine.
//
// The measure and its estimate are those of A. Broder, "On the resemblance and
// containment of documents" (1997); the sketch takes all its minimums from one
// hash, after P. Li, A. Owen and C.-H. Zhang, "One Permutation Hashing" (2012),
// with empty places filled after A. Shrivastava and P. Li, "Densifying One
// Permutation Hashing via Rotation" (2014).
package resemblance

import "math/bits"

const (
	// shingle is how many words make a sequence.
	shingle = 3
	// Fewest is how many words a text needs: shorter ones resemble each other by
	// chance.
	Fewest = 20
	// places is the size of a sketch. The error of an estimate near Threshold is
	// about 0.035 (the square root of 0.8 · 0.2 / 128).
	places = 128
	// bands of rows places each: two texts meet if one band is alike. With a
	// resemblance r that happens with the chance 1 - (1 - r^rows)^bands: 0.95 at
	// 0.8, and 0.001 at 0.3.
	bands = 16
	rows  = places / bands
)

// Threshold is the resemblance from which on a text nearly repeats another.
const Threshold = 0.8

// Sketch stands for a text where it is compared.
type Sketch [places]uint16

// Of is the sketch of a text that is given in words. It is nil for a text of fewer
// words than Fewest.
func Of(words []string) *Sketch {
	if len(words) < Fewest {
		return nil
	}
	var s Sketch
	var filled [places]bool
	var hashes [shingle]uint64
	for i, w := range words {
		copy(hashes[:], hashes[1:])
		hashes[shingle-1] = hash(w)
		if i < shingle-1 {
			continue
		}
		h := mixed(hashes)
		place, value := h%places, uint16(h>>48)
		if !filled[place] || value < s[place] {
			s[place], filled[place] = value, true
		}
	}
	s.fill(&filled)
	return &s
}

// fill gives each empty place what the next filled one has, changed by how far it
// is away, so that two texts agree there as often as elsewhere.
func (s *Sketch) fill(filled *[places]bool) {
	const far = 40_503 // odd, so that no two distances change a value alike
	for i := range s {
		if filled[i] {
			continue
		}
		for d := 1; d < places; d++ {
			if next := (i + d) % places; filled[next] {
				s[i] = s[next] + uint16(d)*far
				break
			}
		}
	}
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
func mixed(hashes [shingle]uint64) uint64 {
	var h uint64
	for _, w := range hashes {
		h = (bits.RotateLeft64(h, 23) ^ w) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	h = (h ^ h>>29) * 0xbf58476d1ce4e5b9
	return h ^ h>>32
}

// Estimate is about how much two texts resemble each other, from 0 to 1.
func Estimate(a, b *Sketch) float64 {
	same := 0
	for i := range a {
		if a[i] == b[i] {
			same++
		}
	}
	return float64(same) / places
}

// Index holds sketches under numbers, and finds those that resemble another. The
// zero Index is empty.
type Index struct {
	sketches map[int]*Sketch
	first    [bands]map[[rows]uint16]int // by band, the number that came first
}

// Find returns the number of the sketch that s resembles most and at least by
// Threshold, the lowest of equals, and by how much. Of those that have a band
// alike, it looks at the one that was added first and that fits accepts, so that
// one search takes the same time among few and many.
func (x *Index) Find(s *Sketch, fits func(number int) bool) (number int, by float64, found bool) {
	for band := range bands {
		other, ok := x.first[band][s.band(band)]
		if !ok || found && other == number || !fits(other) {
			continue
		}
		e := Estimate(s, x.sketches[other])
		if e < Threshold || found && (e < by || e == by && other > number) {
			continue
		}
		number, by, found = other, e, true
	}
	return number, by, found
}

// Add puts a sketch under a number. Of texts that have a band alike, the first one
// stands for all.
func (x *Index) Add(number int, s *Sketch) {
	if x.sketches == nil {
		x.sketches = map[int]*Sketch{}
	}
	for band := range bands {
		if x.first[band] == nil {
			x.first[band] = map[[rows]uint16]int{}
		}
		k := s.band(band)
		if _, taken := x.first[band][k]; !taken {
			x.first[band][k] = number
			x.sketches[number] = s
		}
	}
}

func (s *Sketch) band(i int) [rows]uint16 { return [rows]uint16(s[i*rows : (i+1)*rows]) }
