package agreement

// Estimates are the statistics of a judge's scores and people's labels of the same items.
// QuadraticKappa is of the scores rounded to levels.
type Estimates struct {
	Spearman          Estimate `json:"spearman"`
	QuadraticKappa    Estimate `json:"quadratic_kappa"`
	MeanAbsoluteError Estimate `json:"mean_absolute_error"`
	Bias              Estimate `json:"bias"` // a correlation can't see it
}

// NoEstimates has the same reason for each statistic.
func NoEstimates(why Value) Estimates {
	none := why.NoEstimate()
	return Estimates{none, none, none, none}
}

// EstimatePairs computes all statistics and their intervals.
func EstimatePairs(judge, people []float64, seed uint64, resamples int) Estimates {
	e := drawing{len(judge), resamples, seed}.estimate(newPairs(judge, people), 4)
	return Estimates{e[0], e[1], e[2], e[3]}
}

// pairs are scores and labels, or the reasons why some statistics can't be computed.
type pairs struct {
	*cells
	refused, offScale, few Value
}

func newPairs(judge, people []float64) *pairs {
	p := &pairs{refused: refuse(judge, people, 1), few: Value{}.AtLeast(len(judge), 2), offScale: onScale(judge, people)}
	if p.refused.IsDefined() {
		p.cells = newCells(judge, people, places(len(judge)))
	}
	return p
}

func places(n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

func (p *pairs) count(w weights) {
	if p.refused.IsDefined() {
		p.cells.count(w)
	}
}

func (p *pairs) take(lane int) {
	if p.refused.IsDefined() {
		p.cells.take(lane)
	}
}

func (p *pairs) values(lane int, into []Value) {
	p.take(lane)
	into[0], into[1], into[2], into[3] = p.spearman(), p.kappa(), p.distance(), p.bias()
}

// statistic is one of the statistics.
type statistic struct {
	*pairs
	of func() Value
}

func (s statistic) value(lane int) Value {
	s.take(lane)
	return s.of()
}

func (s statistic) ofAll() Value {
	if s.refused.IsDefined() {
		s.count(once(len(s.items)))
	}
	return s.value(0)
}

func (p *pairs) spearman() Value {
	switch {
	case !p.refused.IsDefined():
		return p.refused
	case !p.few.IsDefined():
		return p.few
	}
	return p.cells.spearman()
}

func (p *pairs) kappa() Value {
	switch {
	case !p.refused.IsDefined():
		return p.refused
	case !p.offScale.IsDefined():
		return p.offScale
	}
	return kappa(p.table())
}

func (p *pairs) distance() Value {
	if !p.refused.IsDefined() {
		return p.refused
	}
	return p.cells.distance()
}

func (p *pairs) bias() Value {
	if !p.refused.IsDefined() {
		return p.refused
	}
	return p.cells.bias()
}

// Spearman returns the rank correlation, from -1 to 1 (Spearman 1904): the product-moment
// correlation of the ranks, where equal numbers share the mean of their ranks (Kendall
// and Gibbons 1990, chapter 3). The shortcut with squared differences is not used because
// it is wrong for ties.
func Spearman(judge, people []float64) Value {
	p := newPairs(judge, people)
	return statistic{p, p.spearman}.ofAll()
}

// SpearmanStatistic returns Spearman as a statistic for [Bootstrap].
func SpearmanStatistic(judge, people []float64) Statistic {
	p := newPairs(judge, people)
	return statistic{p, p.spearman}
}

// Bias returns the mean of score minus label, in points of the scale. Above 0, the judge
// is more lenient than people. Correlations do not show a bias.
func Bias(judge, people []float64) Value {
	p := newPairs(judge, people)
	return statistic{p, p.bias}.ofAll()
}

// BiasStatistic returns Bias as a statistic for [Bootstrap].
func BiasStatistic(judge, people []float64) Statistic {
	p := newPairs(judge, people)
	return statistic{p, p.bias}
}
