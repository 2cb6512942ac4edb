package change

import (
	"testing"
	"testing/fstest"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/library"
)

func TestRemoved(t *testing.T) {
	d := &calibration.Dataset{Name: "d", Items: []calibration.Item{{ID: "there"}}}
	list := must.Get(holdings.ExceptionsIn(fstest.MapFS{library.ExceptionsFile: {Data: []byte(`exceptions:
  - {rule: evidence-changed, id: d, item: gone, reason: It names a customer.}
  - {rule: evidence-changed, id: d, item: gone, reason: It names another customer.}
  - {rule: evidence-changed, id: d, item: there, reason: It named a customer.}
  - {rule: evidence-changed, id: d, item: dataset.yaml, reason: The license changed.}
  - {rule: evidence-changed, id: e, item: other, reason: It names a customer.}
  - {rule: major-change, id: d, version: "1.0.0", reason: We know.}
`)}}))(t)
	if got := Removed(list, d); got != 1 {
		t.Errorf("%d items of %d exceptions, want 1", got, len(list))
	}
}
