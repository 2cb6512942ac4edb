package size

func setMore(l *large, s *small, f *form) int {
	l.f1++
	s.f1, f.F1 = 1, 1
	return l.f2
}
