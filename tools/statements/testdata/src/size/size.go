package size

// A function of 45 lines.
func fits() {
	_ = 0
	_ = 1
	_ = 2
	_ = 3
	_ = 4
	_ = 5
	_ = 6
	_ = 7
	_ = 8
	_ = 9
	_ = 10
	_ = 11
	_ = 12
	_ = 13
	_ = 14
	_ = 15
	_ = 16
	_ = 17
	_ = 18
	_ = 19
	_ = 20
	_ = 21
	_ = 22
	_ = 23
	_ = 24
	_ = 25
	_ = 26
	_ = 27
	_ = 28
	_ = 29
	_ = 30
	_ = 31
	_ = 32
	_ = 33
	_ = 34
	_ = 35
	_ = 36
	_ = 37
	_ = 38
	_ = 39
	_ = 40
	_ = 41
	_ = 42
}

func long() { // want `long has 46 lines`
	_ = 0
	_ = 1
	_ = 2
	_ = 3
	_ = 4
	_ = 5
	_ = 6
	_ = 7
	_ = 8
	_ = 9
	_ = 10
	_ = 11
	_ = 12
	_ = 13
	_ = 14
	_ = 15
	_ = 16
	_ = 17
	_ = 18
	_ = 19
	_ = 20
	_ = 21
	_ = 22
	_ = 23
	_ = 24
	_ = 25
	_ = 26
	_ = 27
	_ = 28
	_ = 29
	_ = 30
	_ = 31
	_ = 32
	_ = 33
	_ = 34
	_ = 35
	_ = 36
	_ = 37
	_ = 38
	_ = 39
	_ = 40
	_ = 41
	_ = 42
	_ = 43
}

// 16 branches: each if has a condition and an "and".
func few(a, b bool) {
	if a && b {
	}
	if a && b {
	}
	if a && b {
	}
	if a && b {
	}
	if a && b {
	}
	if a && b {
	}
	if a && b {
	}
	if a && b {
	}
}

func many(a, b bool, c chan int) { // want `many has 17 branches`
	if a && b {
	}
	if a && b {
	}
	if a && b {
	}
	if a && b {
	}
	if a && b {
	}
	if a && b {
	}
	if a && b {
	}
	if a && b {
	}
	select {
	case <-c:
	}
}

// Two files set its fields.
type large struct { // want `large has 15 fields that 2 files set`
	f0  int
	f1  int
	f2  int
	f3  int
	f4  int
	f5  int
	f6  int
	f7  int
	f8  int
	f9  int
	f10 int
	f11 int
	f12 int
	f13 int
	f14 int
}

// Two files set its fields, but it has fewer.
type small struct {
	f0  int
	f1  int
	f2  int
	f3  int
	f4  int
	f5  int
	f6  int
	f7  int
	f8  int
	f9  int
	f10 int
	f11 int
	f12 int
	f13 int
}

// One file sets its fields.
type table struct {
	f0  int
	f1  int
	f2  int
	f3  int
	f4  int
	f5  int
	f6  int
	f7  int
	f8  int
	f9  int
	f10 int
	f11 int
	f12 int
	f13 int
	f14 int
}

// The form of a file.
type form struct {
	F0  int `json:"f0"`
	F1  int `json:"f1"`
	F2  int `json:"f2"`
	F3  int `json:"f3"`
	F4  int `json:"f4"`
	F5  int `json:"f5"`
	F6  int `json:"f6"`
	F7  int `json:"f7"`
	F8  int `json:"f8"`
	F9  int `json:"f9"`
	F10 int `json:"f10"`
	F11 int `json:"f11"`
	F12 int `json:"f12"`
	F13 int `json:"f13"`
	F14 int `json:"f14"`
}

func set(l *large, s *small, t *table, f *form) {
	l.f0, s.f0, t.f0, f.F0 = 1, 1, 1, 1
	t.f1++
}
