package render

import (
	"math"
	"strconv"
)

// Scale maps numbers to horizontal coordinates in a picture. It leaves room at both sides for
// marks of 6 pixels in a picture of 200. Numbers beyond the ends are mapped to the ends.
type Scale struct{ Low, High float64 }

// Coordinate returns the coordinate of a number in percent, with at most two decimals, identically on every
// machine.
func (s Scale) Coordinate(x float64) string {
	if math.IsNaN(x) {
		x = s.Low
	}
	const margin = 3
	share := (min(max(x, s.Low), s.High) - s.Low) / (s.High - s.Low)
	percent := margin + float64(share*(100-2*margin))
	return strconv.FormatFloat(math.Round(float64(100*percent))/100, 'f', -1, 64) + "%"
}
