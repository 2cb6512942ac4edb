package header

type list struct {
	next  *list
	items []int
	size  int
}

func (l *list) grow() { l.size++ }

func find(l *list) (*list, error) { return l, nil }

func bad(l, other *list, known map[string]int, queue chan int, isLast bool) int {
	if l.next = other; other == nil { // want `does not use l.next`
		return 1
	}
	// The condition names the value, but not the field.
	if l.next = other; l == nil { // want `does not use l.next`
		return 2
	}
	// It is the field of another value.
	if l.size = 1; other.size > 0 { // want `does not use l.size`
		return 3
	}
	if l.size++; isLast { // want `does not use l.size`
		return 4
	}
	if n := len(l.items); isLast { // want `does not use n,`
		return n
	}
	if known["a"] = 1; isLast { // want `does not use known,`
		return 5
	}
	// The inner variable is another one.
	err := error(nil)
	if _, err := find(l); isLast { // want `does not use err,`
		_ = err
	}
	if isLast {
		return 6
	} else if l.size = 2; err != nil { // want `does not use l.size`
		return 7
	}
	if l.grow(); isLast { // want `does not use l.grow\(\), which the header calls`
		return 8
	}
	if _, _ = find(l); isLast { // want `does not use find\(l\), which the header calls`
		return 9
	}
	if queue <- 1; isLast { // want `does not use queue,`
		return 10
	}
	if _ = <-queue; isLast { // want `does not use <-queue, which the header calls`
		return 11
	}
	switch n := len(l.items); any(other).(type) { // want `does not use n,`
	case *list:
		return n
	}
	switch n := len(l.items); { // want `does not use n,`
	case isLast:
		return n
	}
	switch l.size = 3; isLast { // want `does not use l.size`
	case true:
	}
	return 0
}

func good(l, other *list, known map[string]int, items []int, queue chan int) int {
	if l.next = other; l.next == nil {
		return 1
	}
	if l.next = other; l.next.size > 0 {
		return 2
	}
	if found, err := find(l); err != nil {
		_ = found
	}
	if known["a"] = 1; len(known) > 3 {
		return 3
	}
	if items[0] = 1; items[1] == 0 {
		return 4
	}
	if l.size++; l.size > 1 {
		return 5
	}
	if n := len(items); func() bool { return n > 0 }() {
		return 6
	}
	if _ = items; l.size > 0 {
		return 7
	}
	if queue <- 1; len(queue) > 1 {
		return 8
	}
	switch found, err := find(l); x := any(found).(type) {
	case *list:
		_, _ = x, err
	}
	switch n := len(items); {
	case n > 1:
		return n
	}
	switch n := len(items); n {
	case 1:
	}
	return 0
}
