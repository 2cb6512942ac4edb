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
	e := Bootstrap(len(judge), seed, resamples,
		SpearmanStatistic(judge, people), kappaStatistic(judge, people), distanceStatistic(judge, people), BiasStatistic(judge, people))
	return Estimates{e[0], e[1], e[2], e[3]}
}
