package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"
)

// people writes the labels of two raters for a criterion, clarity, of items that are numbered from
// FROM to TO, as a CSV file: people FILE FROM TO.
func people(ts *testscript.TestScript, args []string) {
	rows := [][]string{{"item", "rater", "artifact", "clarity"}}
	eachItem(ts, args[1:], func(id string, truth float64, r *rand.Rand) {
		text := "Case " + id + ":"
		for range 12 {
			text += fmt.Sprintf(" w%d", r.IntN(5000))
		}
		for _, rater := range []string{"r1", "r2"} {
			rows = append(rows, []string{id, rater, text, level(truth + 0.5*r.NormFloat64())})
		}
	})
	writeCSV(ts, args[0], rows)
}

// scored writes the scores of a judge for the same items. NOISE is the standard deviation of its
// errors: .35 is a good judge, and 1.7 is a bad one. Another SEED is another run: scored FILE FROM TO
// NOISE SEED.
func scored(ts *testscript.TestScript, args []string) {
	noise, err := strconv.ParseFloat(args[3], 64)
	ts.Check(err)
	rows := [][]string{{"item", "clarity"}}
	r := rand.New(rand.NewPCG(uint64(number(ts, args[4])), 2))
	eachItem(ts, args[1:3], func(id string, truth float64, _ *rand.Rand) {
		rows = append(rows, []string{id, level(truth + noise*r.NormFloat64())})
	})
	writeCSV(ts, args[0], rows)
}

// eachItem calls a function with the ID and the quality of each item, and random numbers that depend
// only on the item.
func eachItem(ts *testscript.TestScript, fromTo []string, use func(id string, truth float64, r *rand.Rand)) {
	for i := number(ts, fromTo[0]); i <= number(ts, fromTo[1]); i++ {
		r := rand.New(rand.NewPCG(uint64(i), 1))
		use(fmt.Sprintf("i%04d", i), 0.6+4.8*r.Float64(), r)
	}
}

func number(ts *testscript.TestScript, text string) int {
	n, err := strconv.Atoi(text)
	ts.Check(err)
	return n
}

// level is the level from 1 to 5 that is closest to a quality.
func level(quality float64) string {
	return fmt.Sprint(math.Max(1, math.Min(5, math.Floor(quality+0.5))))
}
