package agreement

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestStudent compares with the quantiles of printed tables.
func TestStudent(t *testing.T) {
	for freedom, want := range map[int]float64{2: 4.302653, 4: 2.776445, 9: 2.262157, 29: 2.045230, 1000: 1.962339} {
		within := 0.001
		if freedom < 8 {
			within = 0.04
		}
		if got := student(freedom); math.Abs(got/want-1) > within {
			t.Errorf("%d degrees of freedom: %f, want %f", freedom, got, want)
		}
	}
}

// TestIntervalsOfBiasCover: of judges without a bias, about 95% have 0 in the interval.
func TestIntervalsOfBiasCover(t *testing.T) {
	generator := rand.New(rand.NewPCG(3, 1))
	for _, n := range []int{10, 30, 100} {
		covered := 0
		const judges = 4000
		for range judges {
			judge, people := make([]float64, n), make([]float64, n)
			for i := range judge {
				people[i] = 3
				judge[i] = math.Round(3 + 0.8*generator.NormFloat64())
			}
			if e := BiasEstimate(judge, people); e.Interval.Low <= 0 && e.Interval.High >= 0 {
				covered++
			}
		}
		if share := float64(covered) / judges; share < 0.94 || share > 0.975 {
			t.Errorf("%d items: the interval has the bias in %.3f of the samples", n, share)
		}
	}
}

// TestLengthEffect: the sign is that of the judge, and not of people.
func TestLengthEffect(t *testing.T) {
	people := []float64{1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2}
	higher, lower, length := make([]float64, len(people)), make([]float64, len(people)), make([]float64, len(people))
	for i, label := range people {
		length[i] = float64(10 * i)
		higher[i], lower[i] = label+float64(i), label-float64(i)
	}
	for name, c := range map[string]struct {
		judge []float64
		want  float64
	}{"higher": {higher, 1}, "lower": {lower, -1}} {
		if e := LengthEffect(c.judge, people, length, 1, 500); math.Abs(e.Number-c.want) > same || math.Abs(e.Interval.Low-c.want) > same {
			t.Errorf("%s: %v", name, e)
		}
	}
	if e := LengthEffect(people, people, length, 1, 500); e.Undefined != "all differences between judge and people are the same" {
		t.Errorf("a judge like people: %v", e)
	}
	if e := LengthEffect(people, people, length[1:], 1, 500); e.Defined() {
		t.Errorf("a missing length: %v", e)
	}
}
