package release

import (
	"fmt"
	"sync"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestRunsAreMeasuredConcurrently, because a site writes the pages of many rubrics at once.
func TestRunsAreMeasuredConcurrently(t *testing.T) {
	c := newRepository(t)
	const rubrics = 500 // so many that reading their names takes a while
	for i := range rubrics {
		c.rubric(fmt.Sprintf("a%d_v1", i), "1.0.0", "Is it clear?")
	}
	c.commit()
	repo, at := c.open()
	defer repo.Close()
	runs := must.Get(Runs(repo, at, "", nil, decide.Defaults()))(t)
	var all sync.WaitGroup
	start := make(chan bool)
	for i := range 8 {
		all.Go(func() {
			<-start
			if past, err := runs(fmt.Sprintf("a%d_v1", i)); err != nil || len(past) > 0 {
				t.Errorf("got %v, %v", past, err)
			}
		})
	}
	close(start)
	all.Wait()
}
