package decide

import "github.com/rubric-library/rubric-library/internal/calibration/measure"

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
	// MaximumBias is how many points the mean score of a judge may differ from people's
	// on each criterion, in the whole interval.
	MaximumBias float64 `json:"maximum_bias"`
	// MinimumRate is the lowest share, 0 to 1, of the items that people pass which the
	// judge passes, and of those that people fail which it fails, in the whole interval.
	MinimumRate float64 `json:"minimum_rate"`
	// MaximumAge is how many days old a run may be.
	MaximumAge int `json:"maximum_age_days"`
}

// Defaults returns the default settings.
func Defaults() Settings {
	return Settings{
		Target: 0.7, MinimumItems: 10, EnoughItems: 30, MinimumCoverage: 0.95,
		MaximumBias: 0.5, MinimumRate: 0.7, MaximumAge: 35,
	}
}

// Options are the settings of a decision.
type Options struct {
	Settings
	// Seed determines the resamples: the same seed gives the same intervals.
	Seed uint64
	// AsOf is the date, such as 2026-11-21, at which the age of a run is measured.
	AsOf string
}

func (o *Options) measuring() measure.Options {
	return measure.Options{MinimumItems: o.MinimumItems, Seed: o.Seed}
}

// isLooser reports whether a limit that a use needs is looser than the default.
func (s *Settings) isLooser(u use) bool {
	d := Defaults()
	return s.Target < d.Target || s.MinimumItems < d.MinimumItems || s.MinimumCoverage < d.MinimumCoverage ||
		s.MaximumAge > d.MaximumAge ||
		u == toGate && (s.MaximumBias > d.MaximumBias || s.MinimumRate < d.MinimumRate)
}
