package bundle

import (
	"encoding/json"
	"fmt"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/calibration"
)

// Statistics are the computed statistics of a document's dataset, or nil if the library
// has none. A folder never has any.
func (l *Library) Statistics(line *bundlefile.IndexLine) (*calibration.Statistics, error) {
	if line.Calibration == nil || line.Calibration.Path == "" {
		return nil, nil
	}
	name := line.Calibration.Path
	entries, err := l.others(name)
	if err != nil || entries[name] == nil {
		return nil, err
	}
	var s calibration.Statistics
	if err := json.Unmarshal(entries[name], &s); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &s, nil
}
