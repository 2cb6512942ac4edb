package agreement

import "math"

// Compared is how a judge compares with people for a criterion.
type Compared struct {
	// Correlation compares Spearman's correlations.
	Correlation AgainstPeople `json:"correlation"`
	// Level compares how many points the mean of the labels and of the scores is from the
	// mean of the others, in either direction.
	Level AgainstPeople `json:"level"`
}

// AgainstPeople compares a judge with people on equal terms: each rater, and the judge in the
// rater's place, is compared with the mean of the other raters, on the same items. So no one
// is compared with a mean that includes their own labels.
type AgainstPeople struct {
	// People and Judge are means over the raters that have both.
	People Value `json:"people"`
	Judge  Value `json:"judge"`
	// Difference is how much better the judge is than people: above 0, it agrees with these
	// people better than they agree with each other.
	Difference Estimate `json:"difference"`
}

func notAgainstPeople(why Value) AgainstPeople { return AgainstPeople{why, why, why.NoEstimate()} }

// Standing is how a judge agrees with people, compared with how they agree with each other.
type Standing string

// The whole interval of the difference decides.
const (
	Better Standing = "better"
	AsWell Standing = "as_well"
	Worse  Standing = "worse"
	TooFew Standing = "too_few" // items to tell
)

// margin is how much worse a judge may be that agrees with people as well as they agree with
// each other.
const margin = 0.1

// JudgeStanding returns the standing of the judge.
func (a *AgainstPeople) JudgeStanding() Standing {
	i := a.Difference.Interval
	switch {
	case !a.Difference.IsDefined() || !i.IsDefined():
		return TooFew
	case i.Low > 0:
		return Better
	case i.High < 0:
		return Worse
	case i.Low > -margin:
		return AsWell
	}
	return TooFew
}

// measure is how well a rater or judge agrees with others. The sign is 1 if a greater value is
// better, or else -1.
type measure struct {
	sampled
	sign float64
}

func (m matched) order() measure { return measure{m.correlation, 1} }

func (m matched) distance() measure {
	size := func(numbers []float64) []float64 {
		sizes := make([]float64, len(numbers))
		for i, x := range numbers {
			sizes[i] = math.Abs(x)
		}
		return sizes
	}
	v := m.bias.value
	return measure{sampled{Value{math.Abs(v.Number), v.Undefined}, size(m.bias.drawn), size(m.bias.without)}, -1}
}

const noRater = "no rater's labels can be compared with those of the others"

// withoutJudge has only the mean of people.
func withoutJudge(people []matched, of func(matched) measure, why Value) AgainstPeople {
	mean := undefined(noRater)
	var own []Value
	for _, m := range people {
		own = append(own, of(m).value)
	}
	if known := numbers(own); len(known) > 0 {
		mean = Value{Number: Mean(known)}
	}
	return AgainstPeople{mean, why, why.NoEstimate()}
}

// compareRaters compares the raters that have a value, and for whom the judge has one. In a resample
// without a value for one of them, that one is left out.
func (p *People) compareRaters(people, judge []matched, of func(matched) measure) AgainstPeople {
	var own, inPlace []measure
	why := undefined(noRater)
	for i := range people {
		rater, scores := of(people[i]), of(judge[i])
		switch {
		case rater.value.IsDefined() && scores.value.IsDefined():
			own, inPlace = append(own, rater), append(inPlace, scores)
		case rater.value.IsDefined():
			why = scores.value
		}
	}
	if len(own) == 0 {
		return withoutJudge(people, of, why)
	}
	a := AgainstPeople{People: mean(own), Judge: mean(inPlace)}
	lead := sampled{value: Value{Number: own[0].sign * (a.Judge.Number - a.People.Number)}}
	lead.drawn = leads(own, inPlace, func(m measure) []float64 { return m.drawn })
	lead.without = leads(own, inPlace, func(m measure) []float64 { return m.without })
	a.Difference = Estimate{lead.value, lead.interval(p.n)}
	return a
}

func mean(of []measure) Value {
	sum := 0.0
	for _, m := range of {
		sum += m.value.Number
	}
	return Value{Number: sum / float64(len(of))}
}

// leads are how much better the judge is in each sample.
func leads(people, judge []measure, of func(measure) []float64) []float64 {
	leads := make([]float64, len(of(people[0])))
	for sample := range leads {
		sum, n := 0.0, 0
		for i := range people {
			if better := of(judge[i])[sample] - of(people[i])[sample]; !math.IsNaN(better) {
				sum, n = sum+float64(people[i].sign*better), n+1
			}
		}
		leads[sample] = sum / float64(n)
	}
	return leads
}
