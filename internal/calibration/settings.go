package calibration

// Settings say from when on a judge counts as calibrated. The tags are the keys of the
// configuration.
type Settings struct {
	// Target is the lowest Spearman correlation, 0 to 1, for each criterion.
	Target float64 `json:"target"`
	// MinimumItems is how many items a correlation needs: below, it is refused.
	MinimumItems int `json:"minimum_items"`
	// EnoughItems is how many items give an interval that says something: below,
	// there is a warning.
	EnoughItems int `json:"enough_items"`
	// MinimumCoverage is the share of the items, 0 to 1, that a judge has to
	// answer readably.
	MinimumCoverage float64 `json:"minimum_coverage"`
}

// Defaults are the settings of a library that sets none.
func Defaults() Settings {
	return Settings{Target: 0.7, MinimumItems: 10, EnoughItems: 30, MinimumCoverage: 0.95}
}
