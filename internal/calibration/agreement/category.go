package agreement

// maxLevels is how many levels a scale may have: a table has its square.
const maxLevels = 100

// Exact is the share of items, from 0 to 1, on which both gave the same category.
func Exact(judge, people []int) Value { return within(judge, people, 0) }

// Adjacent is the share of items, from 0 to 1, on which the categories are the
// same or neighbours.
func Adjacent(judge, people []int) Value { return within(judge, people, 1) }

func within(judge, people []int, distance uint) Value {
	if v := judgeAndPeople.refuse(len(judge), len(people), 1); !v.Defined() {
		return v
	}
	near := 0
	for i, x := range judge {
		// Unsigned, so that no difference of two ints overflows.
		if y := people[i]; uint(max(x, y))-uint(min(x, y)) <= distance {
			near++
		}
	}
	return share(near, len(judge))
}

func share(part, whole int) Value { return Value{Number: float64(part) / float64(whole)} }

// Confusion counts the items by their two categories on the declared scale low
// to high: a row a category of people, a column a category of the judge. It is nil
// if the scale has fewer than 2 or more than 100 levels, if a category is not on
// it, or if the lists differ in length.
func Confusion(judge, people []int, low, high int) [][]int {
	table, _ := confusion(judge, people, low, high)
	return table
}

// confusion has no table if the value, which says why, is undefined.
func confusion(judge, people []int, low, high int) ([][]int, Value) {
	if v := judgeAndPeople.refuse(len(judge), len(people), 0); !v.Defined() {
		return nil, v
	}
	if high <= low || uint(high)-uint(low) >= maxLevels {
		return nil, undefined("a scale has 2 to %d levels, not %d to %d", maxLevels, low, high)
	}
	table := make([][]int, high-low+1)
	for i := range table {
		table[i] = make([]int, high-low+1)
	}
	for i, x := range judge {
		y := people[i]
		if min(x, y) < low || max(x, y) > high {
			return nil, undefined("a score or label is outside the scale %d to %d", low, high)
		}
		table[y-low][x-low]++
	}
	return table, Value{}
}

// QuadraticKappa is Cohen's weighted kappa (Cohen 1968) with squared distances
// as weights, over the declared scale low to high, not over the categories that
// happen to occur: 1 is full agreement, 0 what two with these
// frequencies reach by chance, and it can be below 0. If either side gave
// one category only, kappa could only be 0 whatever the other did, so there is
// no value.
func QuadraticKappa(judge, people []int, low, high int) Value {
	table, v := confusion(judge, people, low, high)
	if !v.Defined() {
		return v
	}
	return kappa(table, quadratic, judgeAndPeople)
}

// A disagreement is how much it counts that one gave category i and the other j:
// 0 if i equals j, else above 0, in any unit.
type disagreement func(i, j int) float64

func quadratic(i, j int) float64 { return float64((i - j) * (i - j)) }

// kappa is 1 less the observed disagreement over the one expected of the margins
// (Cohen 1968, equation 9). The rows of the table are the y side.
func kappa(table [][]int, weight disagreement, names sides) Value {
	rows, columns := margins(table)
	n := total(rows)
	switch {
	case n < 2:
		return tooFew(n, 2)
	case isConstant(rows):
		return names.constantY()
	case isConstant(columns):
		return names.constantX()
	}
	var observed, expected float64
	for i, row := range table {
		for j, count := range row {
			w := weight(i, j)
			observed += float64(w * float64(count))
			expected += float64(w * float64(rows[i]) * float64(columns[j]))
		}
	}
	return Value{Number: 1 - observed*float64(n)/expected}
}

func margins(table [][]int) (rows, columns []int) {
	rows, columns = make([]int, len(table)), make([]int, len(table))
	for i, row := range table {
		for j, count := range row {
			rows[i] += count
			columns[j] += count
		}
	}
	return rows, columns
}

// Verdicts compares the judge and people on whether each item passes.
type Verdicts struct {
	BothPass       int `json:"both_pass"`
	OnlyPeoplePass int `json:"only_people_pass"` // people pass it, the judge fails it
	OnlyJudgePass  int `json:"only_judge_pass"`
	BothFail       int `json:"both_fail"`
	// BaseRate is the share of items that people pass: whoever always says the
	// likelier verdict agrees as often as this or its complement says.
	BaseRate Value `json:"base_rate"`
	// Agreement is the share of items with the same verdict.
	Agreement Value `json:"agreement"`
	// Kappa is Cohen's kappa (Cohen 1960), the agreement beyond chance. There is
	// none if either side has only one verdict.
	Kappa Value `json:"kappa"`
}

var verdictSides = sides{"verdicts of the judge", "verdicts of people"}

// CompareVerdicts makes the table of four; true is a pass.
func CompareVerdicts(judge, people []bool) Verdicts {
	if v := verdictSides.refuse(len(judge), len(people), 1); !v.Defined() {
		return Verdicts{BaseRate: v, Agreement: v, Kappa: v}
	}
	var table [2][2]int
	for i := range judge {
		table[passes(people[i])][passes(judge[i])]++
	}
	v := Verdicts{BothFail: table[0][0], OnlyJudgePass: table[0][1], OnlyPeoplePass: table[1][0], BothPass: table[1][1]}
	v.BaseRate = share(v.BothPass+v.OnlyPeoplePass, len(judge))
	v.Agreement = share(v.BothPass+v.BothFail, len(judge))
	v.Kappa = kappa([][]int{table[0][:], table[1][:]}, quadratic, verdictSides) // of two categories all weights are the same
	return v
}

func passes(verdict bool) int {
	if verdict {
		return 1
	}
	return 0
}
