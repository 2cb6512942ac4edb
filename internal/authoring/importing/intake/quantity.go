package intake

import (
	"math"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// amountText matches a number with what files write around it: +4, 20 %, 2x, 5 pts, 1,5.
var amountText = lazy.Expr(`(?i)^[x×+]?\s*(-?[0-9]+(?:[.,][0-9]+)?|-?\.[0-9]+)\s*(%|x|×|points?|pts?\.?|marks?|percent)?$`)

// Quantity reads a number, a share, or points.
func Quantity(text string) (value float64, ok bool) {
	m := amountText().FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return math.NaN(), false
	}
	value, err := strconv.ParseFloat(strings.Replace(m[1], ",", ".", 1), 64)
	return value, err == nil
}

// round removes the noise of a computation.
func round(value float64) float64 {
	if value == 0 {
		return value
	}
	digits := math.Pow(10, 6-math.Ceil(math.Log10(math.Abs(value))))
	return math.Round(value*digits) / digits
}
