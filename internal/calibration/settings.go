package calibration

// Settings are the conditions under which a judge counts as calibrated. The tags are
// the keys of the configuration.
type Settings struct {
	// Target is the lowest Spearman correlation for each criterion, from 0 to 1.
	Target float64 `json:"target"`
	// MinimumItems is the number of items below which no correlation is reported.
	MinimumItems int `json:"minimum_items"`
	// EnoughItems is the number of items below which a warning says that intervals
	// are wide.
	EnoughItems int `json:"enough_items"`
	// MinimumCoverage is the share of the items, from 0 to 1, for which a judge must
	// give readable answers.
	MinimumCoverage float64 `json:"minimum_coverage"`
}

// Defaults returns the default settings.
func Defaults() Settings {
	return Settings{Target: 0.7, MinimumItems: 10, EnoughItems: 30, MinimumCoverage: 0.95}
}
