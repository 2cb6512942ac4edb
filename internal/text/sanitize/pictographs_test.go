package sanitize

import (
	"slices"
	"testing"
)

func TestPictographsAreRangesInOrder(t *testing.T) {
	ranges := pictographs()
	if len(ranges) != 2*156 || !slices.IsSorted(ranges) || ranges[0] != 0xa9 || ranges[len(ranges)-1] != 0x1fffd {
		t.Errorf("the table has %d ends of ranges from %x to %x", len(ranges), ranges[0], ranges[len(ranges)-1])
	}
}
