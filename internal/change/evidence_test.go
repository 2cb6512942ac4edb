package change

import (
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/library"
)

func TestRemoved(t *testing.T) {
	d := &calibration.Dataset{Name: "d", Items: []calibration.Item{{ID: "there"}}}
	list := exceptionsOf(document.ParseAs(source.NewFile(library.ExceptionsFile, []byte(`exceptions:
  - {rule: evidence-changed, id: d, item: gone, reason: It names a customer.}
  - {rule: evidence-changed, id: d, item: gone, reason: It names another customer.}
  - {rule: evidence-changed, id: d, item: there, reason: It named a customer.}
  - {rule: evidence-changed, id: d, item: dataset.yaml, reason: The license changed.}
  - {rule: evidence-changed, id: e, item: other, reason: It names a customer.}
  - {rule: major-change, id: d, version: "1.0.0", reason: We know.}
`)), &document.Exceptions))
	if got := Removed(list, d); got != 1 {
		t.Errorf("%d items of %d exceptions, want 1", got, len(list))
	}
}
