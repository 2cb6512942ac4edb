package printer

import (
	"fmt"
	"io"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// PassRate writes what the pass rate of a judge on other data means.
func PassRate(w io.Writer, r *calibration.Report, passed agreement.Share, corrected agreement.Estimate) error {
	tenths := func(x float64) string { return fmt.Sprintf("%.1f%%", 100*x) }
	demonstration := r.Dataset.LabeledBy.Demonstration()
	if demonstration != "" {
		demonstration += "\n"
	}
	_, err := fmt.Fprintf(w, `%s
%sThe judge passed %d of %d items: %s.
People would pass about %s (%s to %s).
Right passes %s, right fails %s, on %d labeled items. The estimate assumes that both rates
are the same on the new items.
`, sanitize.Line(subjectLine(r)), demonstration, passed.Part, passed.Whole, tenths(passed.Value().Number),
		tenths(corrected.Number), tenths(corrected.Interval.Low), tenths(corrected.Interval.High),
		interval(&r.Verdict.RightPasses), interval(&r.Verdict.RightFails), r.Verdict.Items())
	return err
}
