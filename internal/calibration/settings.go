package calibration

// Settings say from when on a judge counts as calibrated.
type Settings struct {
	// Target is the lowest Spearman correlation, 0 to 1, for each criterion.
	Target float64
	// MinimumItems is how many items a correlation needs: below, it is refused.
	MinimumItems int
	// EnoughItems is how many items give an interval that says something: below,
	// there is a warning.
	EnoughItems int
	// MinimumCoverage is the share of the items, 0 to 1, that a judge has to
	// answer readably.
	MinimumCoverage float64
}

// Defaults are the settings of a library that sets none.
func Defaults() Settings {
	return Settings{Target: 0.7, MinimumItems: 10, EnoughItems: 30, MinimumCoverage: 0.95}
}
