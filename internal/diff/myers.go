package diff

// maxTokens bounds the length of both texts together, without what they begin
// and end with in common, for which the most common words are looked for: the
// time grows with its square.
const maxTokens = 4096

// common says which words of two texts are part of a longest sequence that both
// have. It is the algorithm of E. Myers, "An O(ND) Difference Algorithm and Its
// Variations" (Algorithmica 1, 1986), in the variant of section 4b that needs
// linear space.
func common(a, b []string) (inA, inB []bool) {
	m := matcher{inA: make([]bool, len(a)), inB: make([]bool, len(b))}
	numbers := map[string]int{}
	number := func(words []string) []int {
		out := make([]int, len(words))
		for i, w := range words {
			if _, known := numbers[w]; !known {
				numbers[w] = len(numbers)
			}
			out[i] = numbers[w]
		}
		return out
	}
	m.a, m.b = number(a), number(b)
	whole := m.trim(box{0, len(a), 0, len(b)})
	if whole.width()+whole.height() <= maxTokens {
		m.size = whole.width() + whole.height() + 2
		m.forward, m.backward = make([]int, 2*m.size+1), make([]int, 2*m.size+1)
		m.match(whole)
	}
	return m.inA, m.inB
}

// box is a part of each text: a[left:right] and b[top:bottom].
type box struct{ left, right, top, bottom int }

func (b box) width() int  { return b.right - b.left }
func (b box) height() int { return b.bottom - b.top }

type matcher struct {
	a, b     []int
	inA, inB []bool
	// forward and backward say for each diagonal, shifted by size, how far the
	// furthest path on it has come.
	forward, backward []int
	size              int
}

// pair marks a word of each text as the same.
func (m *matcher) pair(i, j int) { m.inA[i], m.inB[j] = true, true }

// trim pairs what both parts begin and end with, and returns the rest.
func (m *matcher) trim(x box) box {
	for x.left < x.right && x.top < x.bottom && m.a[x.left] == m.b[x.top] {
		m.pair(x.left, x.top)
		x.left, x.top = x.left+1, x.top+1
	}
	for x.left < x.right && x.top < x.bottom && m.a[x.right-1] == m.b[x.bottom-1] {
		x.right, x.bottom = x.right-1, x.bottom-1
		m.pair(x.right, x.bottom)
	}
	return x
}

// match pairs the words of a box: it finds the middle of a shortest path from
// one corner to the other and does the same before and after it.
func (m *matcher) match(x box) {
	if x = m.trim(x); x.width() == 0 || x.height() == 0 {
		return
	}
	middle := m.middle(x)
	for i := range middle.width() {
		m.pair(middle.left+i, middle.top+i)
	}
	m.match(box{x.left, middle.left, x.top, middle.top})
	m.match(box{middle.right, x.right, middle.bottom, x.bottom})
}

// middle is the diagonal, perhaps empty, on which paths from both corners meet
// first. On diagonal k the way right is k longer than the way down.
func (m *matcher) middle(x box) box {
	width, height := x.width(), x.height()
	delta := width - height
	m.forward[m.size+1], m.backward[m.size+1] = 0, 0
	for d := 0; ; d++ {
		// Diagonals that have left the box are of no use.
		first, last := -d+2*max(0, d-height), d-2*max(0, d-width)
		for k := first; k <= last; k += 2 {
			from := m.step(m.forward, d, k, width, height)
			to := from
			for to < width && to-k < height && m.a[x.left+to] == m.b[x.top+to-k] {
				to++
			}
			m.forward[m.size+k] = to
			if other := delta - k; delta%2 != 0 && -d < other && other < d && to+m.backward[m.size+other] >= width {
				return box{x.left + from, x.left + to, x.top + from - k, x.top + to - k}
			}
		}
		for k := first; k <= last; k += 2 {
			from := m.step(m.backward, d, k, width, height)
			to := from
			for to < width && to-k < height && m.a[x.right-1-to] == m.b[x.bottom-1-to+k] {
				to++
			}
			m.backward[m.size+k] = to
			if other := delta - k; delta%2 == 0 && -d <= other && other <= d && to+m.forward[m.size+other] >= width {
				return box{x.right - to, x.right - from, x.bottom - to + k, x.bottom - from + k}
			}
		}
	}
}

// step is how far right a path with d differences can begin on diagonal k, from
// the paths with one less. A path that would leave the box stays at its edge,
// which an earlier one has reached already.
func (m *matcher) step(furthest []int, d, k, width, height int) int {
	at := furthest[m.size+k-1] + 1
	if k == -d || k != d && furthest[m.size+k-1] < furthest[m.size+k+1] {
		at = furthest[m.size+k+1]
	}
	return min(at, width, height+k)
}
