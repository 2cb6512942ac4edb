package wording

import (
	"slices"
	"strings"
)

const (
	// denialReach is how many words after a denial are denied.
	denialReach = 4
	// smallFault is how much a small fault counts, such as "a minor error", and missing how much it
	// counts that there is no such thing as a price, of which the words do not say that it is wanted.
	smallFault, missing = 0.3, 0.5
)

// goodness is how good the work is that an anchor describes, from -1 to 1.
func goodness(anchor Text) float64 { return praiseOf(anchor).goodness() }

// praise is what the words of an anchor say of the work.
type praise struct {
	// good and bad count praise and denied faults, and faults and denied praise. Absent counts
	// denials of what is neither, and whole the words for all of something.
	good, bad, absent, whole float64
}

func (p praise) goodness() float64 {
	good, bad := p.good, p.bad+missing*p.absent
	if bad == 0 {
		good += p.whole
	}
	return (good - bad) / (good + bad + 1)
}

func praiseOf(anchor Text) praise {
	r := praiseReader{words: anchor.joined, kinds: lexicon().kinds}
	end := 0
	for from, to := nextWord(anchor.written, 0); from < to; from, to = nextWord(anchor.written, to) {
		if from > end+1 && strings.ContainsAny(anchor.written[end:from], ";.:!?()—–") {
			r.endClause()
		}
		r.word(r.next())
		end = to
	}
	r.endClause()
	return r.praise
}

// praiseReader reads the words of an anchor, one after the other.
type praiseReader struct {
	praise

	kinds         map[string]kind
	words         string // that are not read yet, as in Text
	denied, small int    // how many more words are denied or small
	pending       bool   // whether a denial has denied nothing yet
	free          bool   // whether the denial is one of faults alone, such as "free of"
	lacks         bool   // whether the denial is a fault itself, such as "missing"
	or            bool   // whether the word before is "or", but for adverbs
	last          string // the word before
}

func (r *praiseReader) next() string {
	w, rest, _ := strings.Cut(r.words[1:], " ")
	r.words = " " + rest
	return w
}

// endClause ends what a denial denies: it does not reach into the next clause.
func (r *praiseReader) endClause() {
	switch {
	case r.pending && r.lacks:
		r.bad++
	case r.pending:
		r.absent++
	}
	r.pending, r.free, r.lacks, r.or, r.denied, r.small = false, false, false, false, 0, 0
}

func (r *praiseReader) word(w string) {
	if kind := r.kinds[w]; !r.denial(w, kind) {
		r.count(w, kind)
	}
	r.or = w == "or" || r.or && strings.HasSuffix(w, "ly")
	r.denied, r.small, r.last = max(r.denied-1, 0), max(r.small-1, 0), w
	if r.denied == 0 {
		r.endClause()
	}
}

// denial reads a word that denies, or that ends a denial. It reports whether the word is one.
func (r *praiseReader) denial(w string, kind kind) bool {
	switch {
	case r.last == "not" && slices.Contains(afterNot, w), r.last == "no" && slices.Contains(afterNo, w):
		r.pending, r.denied = false, 0
	case kind&lacking != 0 && r.denied > 0 && (r.pending || r.free): // "does not miss"
		r.good++
		r.pending, r.free, r.denied = false, false, 0
	case w == "nor" && r.pending:
		r.denied = denialReach + 1
	case kind&denial != 0:
		r.endClause()
		r.free = w == "free" || w == "avoid" || w == "avoids" || w == "avoiding"
		r.lacks = kind&lacking != 0 && !r.free
		r.pending, r.denied = !r.free, denialReach+1
	default:
		return false
	}
	return true
}

// afterNot and afterNo are words with which "not" and "no" deny nothing, such as "not only".
var (
	afterNot = strings.Fields("only just")
	afterNo  = strings.Fields("more fewer less later longer")
)

// count counts a flaw or a merit, each in what denies it.
func (r *praiseReader) count(w string, kind kind) {
	switch {
	case kind&flaw != 0 && r.pending && (r.lacks || r.or): // "missing or unclear", "no test, or a broken one"
		r.endClause()
		r.bad++
	case kind&flaw != 0 && r.denied > 0:
		r.good++
		r.pending, r.free = false, false
		r.denied = 2 // and what it is in a list with
	case kind&flaw != 0 && r.small > 0:
		r.bad += smallFault
	case kind&flaw != 0:
		r.bad++
	case kind&merit != 0 && r.denied > 0 && !r.free:
		r.pending, r.lacks = true, true
	case kind&merit != 0:
		r.good++
	case kind&wholeness != 0 && r.denied == 0:
		r.whole++
	case kind&little != 0:
		r.small = 3
	}
}
