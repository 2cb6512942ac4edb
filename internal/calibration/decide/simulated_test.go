package decide

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/dev/calibrationtest"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// raterNoise is the standard deviation of a rater around an item's true level, in points.
const raterNoise = 0.5

// simulated is a judge of which the quality is known, for a rubric with some criteria.
type simulated struct {
	criteria int
	// score is the judge's score for an item of a true level, in a week from 0.
	score func(g *rand.Rand, week int, truth float64) float64
}

func level(x float64) float64 { return max(1, min(5, math.Round(x))) }

// noisyJudge adds noise of a standard deviation and a shift to the true level, and is wrong
// about a share of the passes and of the fails. The noise can depend on the week.
func noisyJudge(criteria int, noise func(week int) float64, shift, missPass, missFail float64) simulated {
	return simulated{criteria, func(g *rand.Rand, week int, truth float64) float64 {
		score := level(truth + shift + noise(week)*g.NormFloat64())
		if pass := truth >= 3; pass && g.Float64() < missPass {
			score = 2
		} else if !pass && g.Float64() < missFail {
			score = 3
		}
		return score
	}}
}

func always(noise float64) func(int) float64 { return func(int) float64 { return noise } }

// item draws an item: the levels of its criteria have a common part, as those of real
// artifacts have.
func (s simulated) item(g *rand.Rand) (truth []float64, labels [2][]float64) {
	common := g.NormFloat64()
	for range s.criteria {
		x := 3 + 1.4*(0.8*common+0.6*g.NormFloat64())
		truth = append(truth, x)
		for rater := range labels {
			labels[rater] = append(labels[rater], level(x+raterNoise*g.NormFloat64()))
		}
	}
	return truth, labels
}

// year plays weekly runs on items of which two raters labeled each.
func (s simulated) year(g *rand.Rand, items, weeks int) *series {
	subject := &calibration.Subject{Digest: calibrationtest.Words, Criteria: map[string]string{}, Rubric: &rubric.Rubric{ID: "simulated_v1", Version: "1.0.0", Scoring: rubric.Scoring{PassThreshold: 3}}}
	d := &calibration.Dataset{Name: "simulated", LabeledBy: calibration.People, Judges: []calibration.Judge{{Name: "j"}}}
	for i := range s.criteria {
		name := fmt.Sprintf("c%d", i+1)
		subject.Rubric.Criteria = append(subject.Rubric.Criteria, rubric.Criterion{Name: name, Weight: rubric.Important, Threshold: 3})
		subject.Criteria[name] = calibrationtest.Words
		d.Criteria = append(d.Criteria, calibration.Labeled{Name: name, Digest: calibrationtest.Words})
	}
	var truth [][]float64
	for i := range items {
		t, labels := s.item(g)
		truth = append(truth, t)
		item := calibration.Item{ID: fmt.Sprint("i", i), Artifact: fmt.Sprint("Text ", i), Labels: map[string]map[string]float64{"r1": {}, "r2": {}}}
		for j, c := range d.Criteria {
			item.Labels["r1"][c.Name], item.Labels["r2"][c.Name] = labels[0][j], labels[1][j]
		}
		d.Items = append(d.Items, item)
	}
	date := ""
	for week := range weeks {
		date = time.Date(2026, 1, 5+7*week, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		for i := range d.Items {
			a := calibration.Answer{Run: date, Item: d.Items[i].ID, Repeat: 1, Model: "m", Date: date, Digest: calibrationtest.Words, Scores: map[string]float64{}}
			for j, c := range d.Criteria {
				a.Scores[c.Name] = s.score(g, week, truth[i][j])
			}
			d.Judges[0].Answers = append(d.Judges[0].Answers, a)
		}
	}
	calibrationtest.Asked(d, nil)
	return On(d, subject, Options{Settings: Defaults(), Seed: g.Uint64(), AsOf: date}).series(d.Judges[0].Run(date))
}

// held is after which runs a use is permitted.
func (s *series) held(u use) (held []bool) {
	for i := range s.runs {
		holds, _ := s.decideAfter(i, u)
		held = append(held, holds)
	}
	return held
}

// whole reports whether all of a simulation runs, which takes too long for every change.
var whole = os.Getenv("WEEKLY") != ""

// count is a number of simulations: all of them, or few.
func count(all, few int) int {
	if whole {
		return all
	}
	return few
}

// years plays many judges of a kind, and returns when each was allowed to rank and to gate.
func (s simulated) years(seed uint64, n, items, weeks int) (rank, gate [][]bool) {
	rank, gate = make([][]bool, n), make([][]bool, n)
	var group sync.WaitGroup
	free := make(chan bool, runtime.GOMAXPROCS(0))
	for i := range n {
		free <- true
		group.Go(func() {
			all := s.year(rand.New(rand.NewPCG(seed, uint64(i))), items, weeks)
			rank[i], gate[i] = all.held(toRank), all.held(toGate)
			<-free
		})
	}
	group.Wait()
	return rank, gate
}

// ever counts the years in which a use was ever permitted.
func ever(years [][]bool) (n int) {
	for _, held := range years {
		if slices.Contains(held, true) {
			n++
		}
	}
	return n
}

// tune finds the number between low and high for which a value that rises with it is the
// wanted one.
func tune(low, high, want float64, of func(x float64) float64) float64 {
	for range 14 {
		if middle := (low + high) / 2; of(middle) < want {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// values are the true values of a judge: of so many items that they hardly vary.
func (s simulated) values() (correlation, bias, rightPasses, rightFails float64) {
	g := rand.New(rand.NewPCG(1, 1))
	s.criteria = 1
	var scores, people []float64
	var verdicts [][2]bool
	for range 40_000 {
		truth, labels := s.item(g)
		scores = append(scores, s.score(g, 0, truth[0]))
		people = append(people, (labels[0][0]+labels[1][0])/2)
		verdicts = append(verdicts, [2]bool{scores[len(scores)-1] >= 3, people[len(people)-1] >= 3})
	}
	v := agreement.CompareVerdicts(verdicts)
	return agreement.Spearman(scores, people).Number, agreement.Bias(scores, people).Number, v.RightPasses.Number, v.RightFails.Number
}

// correlated is a judge with a true correlation on each criterion, by the week.
func correlated(criteria int, correlation func(week int) float64) simulated {
	noises := map[float64]float64{} // by correlation
	var lock sync.Mutex
	return noisyJudge(criteria, func(week int) float64 {
		lock.Lock()
		defer lock.Unlock()
		want := correlation(week)
		if _, ok := noises[want]; !ok {
			noises[want] = -tune(-9, 0, want, func(x float64) float64 {
				got, _, _, _ := noisyJudge(1, always(-x), 0, 0, 0).values()
				return got
			})
		}
		return noises[want]
	}, 0, 0, 0)
}

// near are judges that are just on the wrong side of one limit, and well on the right side of
// every other.
func near() map[string]simulated {
	// sided is a judge whose verdicts are right, unless the true level is between from and to.
	sided := func(score func(g *rand.Rand, truth float64) float64, from, to float64) simulated {
		return simulated{1, func(g *rand.Rand, _ int, truth float64) float64 {
			x := score(g, truth)
			if pass := truth >= 3; pass != (truth >= from && truth < to) {
				return max(3, x)
			}
			return min(2, x)
		}}
	}
	good := func(g *rand.Rand, truth float64) float64 { return level(truth + 0.3*g.NormFloat64()) }
	// disordered gives a share of the items another score on the same side.
	disordered := func(share float64) simulated {
		return sided(func(g *rand.Rand, truth float64) float64 {
			x := good(g, truth)
			if g.Float64() < share {
				if truth >= 3 {
					return 8 - max(3, x)
				}
				return 3 - min(2, x)
			}
			return x
		}, 0, 0)
	}
	raised := func(shift float64) simulated {
		return sided(func(g *rand.Rand, truth float64) float64 { return level(truth + shift + 0.3*g.NormFloat64()) }, 0, 0)
	}
	share := -tune(-1, 0, 0.69, func(x float64) float64 { c, _, _, _ := disordered(-x).values(); return c })
	shift := tune(0, 4, 0.51, func(x float64) float64 { _, b, _, _ := raised(x).values(); return b })
	to := -tune(-6, -3, 0.69, func(x float64) float64 { _, _, r, _ := sided(good, 3, -x).values(); return r })
	from := tune(0, 3, 0.69, func(x float64) float64 { _, _, _, r := sided(good, x, 3).values(); return r })
	return map[string]simulated{
		"correlation 0.69":  disordered(share),
		"bias 0.51":         raised(shift),
		"right passes 0.69": sided(good, 3, to),
		"right fails 0.69":  sided(good, from, 3),
	}
}

// TestNearJudgesMissOneLimit: a judge that also misses another limit would not show what the
// one limit does.
func TestNearJudgesMissOneLimit(t *testing.T) {
	for name, judge := range near() {
		correlation, bias, rightPasses, rightFails := judge.values()
		values := map[string]float64{"correlation 0.69": correlation - 0.7, "bias 0.51": 0.5 - math.Abs(bias), "right passes 0.69": rightPasses - 0.7, "right fails 0.69": rightFails - 0.7}
		for limit, margin := range values {
			if limit == name && (margin >= 0 || margin < -0.02) || limit != name && margin < 0.1 {
				t.Errorf("%s: the margin to the limit of %s is %.3f", name, limit, margin)
			}
		}
	}
}

// TestSimulatedBadJudges: no bad judge may gate in any week of a year, and one that does not
// look at the items may not rank either.
func TestSimulatedBadJudges(t *testing.T) {
	for i, kind := range []struct {
		name  string
		blind bool
		score func(g *rand.Rand, truth float64) float64
	}{
		{"constant", true, func(*rand.Rand, float64) float64 { return 4 }},
		{"random", true, func(g *rand.Rand, _ float64) float64 { return float64(1 + g.IntN(5)) }},
		{"majority class", true, func(g *rand.Rand, _ float64) float64 { return float64(3 + g.IntN(20)/19) }},
		{"biased", false, func(g *rand.Rand, truth float64) float64 { return level(truth + 1 + 0.4*g.NormFloat64()) }},
		{"lenient at the threshold", false, func(g *rand.Rand, truth float64) float64 {
			if truth >= 1.8 && truth < 3 {
				return 3
			}
			return level(truth + 0.3*g.NormFloat64())
		}},
		{"good ranking with bad verdicts", false, func(_ *rand.Rand, truth float64) float64 {
			return []float64{1, 2, 2.5, 2.9, 5}[int(level(truth))-1]
		}},
	} {
		judge := simulated{1, func(g *rand.Rand, _ int, truth float64) float64 { return kind.score(g, truth) }}
		n := count(125, 2)
		rank, gate := judge.years(uint64(100+i), n, 150, count(52, 8))
		t.Logf("%s: of %d judges, %d could rank, %d could gate", kind.name, n, ever(rank), ever(gate))
		if ever(gate) > 0 || kind.blind && ever(rank) > 0 {
			t.Errorf("%s: %d could gate, %d could rank", kind.name, ever(gate), ever(rank))
		}
		if !kind.blind && kind.name != "lenient at the threshold" && ever(rank) == 0 {
			t.Errorf("%s: no judge could rank, so that a bad verdict is not what is tested", kind.name)
		}
	}
}

// TestSimulatedNearJudges: of judges just below a limit, at most 5% may ever gate in a year, and
// rank if it is the limit of ranking.
func TestSimulatedNearJudges(t *testing.T) {
	for name, judge := range near() {
		for _, items := range sizes {
			n := count(rounds, 2)
			rank, gate := judge.years(11, n, items, count(52, 6)) // as on the page about power
			t.Logf("%s, %d items: of %d judges, %d could rank, %d could gate", name, items, n, ever(rank), ever(gate))
			if limit := max(n/20, 1); ever(gate) > limit || name == "correlation 0.69" && ever(rank) > limit {
				t.Errorf("%s, %d items: of %d judges, %d could rank, %d could gate", name, items, n, ever(rank), ever(gate))
			}
		}
	}
}

// TestSimulatedSteadyJudges: the state of a judge above every limit that does not change does
// not keep changing, and most that are well above every limit are given a certificate. With one
// criterion, judges are barely above the limit of right fails, and a few can lose it and get it
// again.
func TestSimulatedSteadyJudges(t *testing.T) {
	for _, criteria := range []int{1, 3} {
		for _, correlation := range []float64{0.75, 0.8, 0.85, 0.9} {
			n := count(100, 2)
			rank, gate := correlated(criteria, always(correlation)).years(uint64(1000*correlation), n, 150, count(52, 8))
			changes, often := map[int]int{}, 0
			for _, held := range append(rank, gate...) {
				changed, before := 0, false
				for _, now := range held {
					if now != before {
						changed++
					}
					before = now
				}
				changes[changed]++
				if changed > 2 {
					often++
				}
			}
			t.Logf("correlation %v, %d criteria: of %d judges, %d could rank, %d could gate; by number of changes: %v", correlation, criteria, n, ever(rank), ever(gate), changes)
			if criteria > 1 && often > 0 || 100*often > n {
				t.Errorf("correlation %v, %d criteria: the state of %d judges changes more than twice in a year", correlation, criteria, often)
			}
			if wellAbove := criteria > 1 && correlation >= 0.85; wellAbove && (2*ever(rank) < n || 2*ever(gate) < n) {
				t.Errorf("correlation %v, %d criteria: of %d judges, only %d could ever rank, and %d gate", correlation, criteria, n, ever(rank), ever(gate))
			}
		}
	}
}

// TestSimulatedDecline: a judge that becomes worse by 0.04 a week loses its certificate in
// time.
func TestSimulatedDecline(t *testing.T) {
	const steady, weeks = 4, 10
	judge := correlated(3, func(week int) float64 { return 0.85 - 0.04*float64(max(0, week-steady)) })
	n := count(200, 4)
	rank, gate := judge.years(7, n, 150, steady+1+weeks)
	for name, years := range map[string][][]bool{"rank": rank, "gate": gate} {
		had, kept := 0, 0
		for _, held := range years {
			if held[steady] {
				had++
				if held[steady+weeks] {
					kept++
				}
			}
		}
		t.Logf("%s: of %d judges that had it, %d still have it in week %d of the decline", name, had, kept, weeks)
		if had == 0 || 20*kept > had {
			t.Errorf("%s: of %d judges that had it, %d still have it", name, had, kept)
		}
	}
}
