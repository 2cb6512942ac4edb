package regex

import "unicode/utf8"

// FirstBeyondASCII returns the offset and the length in bytes of the first part of an
// expression that names characters outside ASCII; the length is 0 if none does.
func FirstBeyondASCII(expr string) (at, length int) {
	for i := 0; i < len(expr); i++ {
		if expr[i] >= 0x80 {
			_, size := utf8.DecodeRuneInString(expr[i:])
			return i, size
		}
		if expr[i] != '\\' || i+1 == len(expr) {
			continue
		}
		switch next := expr[i+1]; {
		case next == 'p' || next == 'P' || next >= '1' && next <= '7':
			return i, 2
		case next == 'x' && (i+2 == len(expr) || expr[i+2] < '0' || expr[i+2] > '7'):
			return i, 2
		}
		i++
	}
	return 0, 0
}
