package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// sharedData has sets of labels that others published.
const sharedData = "../shared/data"

// table is a published table: a map from column to value for each row.
func table(t *testing.T, name string, comma rune) (rows []map[string]string) {
	t.Helper()
	file, err := os.Open(filepath.Join(sharedData, name))
	if os.IsNotExist(err) {
		t.Skip("the data is not here")
	}
	must.Do(t, err)
	defer file.Close()
	r := csv.NewReader(file)
	r.Comma = comma
	lines := must.Get(r.ReadAll())(t)
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, column := range lines[0] {
			row[column] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func decimal(t *testing.T, text string) float64 {
	t.Helper()
	return must.Get(strconv.ParseFloat(text, 64))(t)
}

// labeledSet is labels by item and rater, and a judge's score by item.
type labeledSet struct {
	labels map[string]map[string]float64
	scores map[string]float64
}

func (s *labeledSet) items() []string { return slices.Sorted(maps.Keys(s.labels)) }

// reported is what the program says about a set.
type reported struct {
	Answer   []string
	Rank     struct{ Answer string }
	Criteria []struct {
		Spearman      agreed
		AgainstPeople struct {
			Correlation struct{ People, Judge, Difference agreed }
		} `json:"against_people"`
	}
	Persons []struct {
		Rater    string
		Criteria []struct {
			Items                 int
			Correlation, Severity agreed
		}
	}
}

type agreed struct {
	Value, Low, High float64
	Undefined        string
}

// report imports the set with the program, the judge's scores too, and returns its report.
func (s *labeledSet) report(t *testing.T) (r reported) {
	t.Helper()
	dir, rubric := t.TempDir(), program(t)
	text := scripttest.Rubric("a_v1", "1.0.0", "prd")
	write := func(name, text string) {
		file := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o777))
		must.Do(t, os.WriteFile(file, []byte(text), 0o666))
	}
	write("rubrics/prd/a_v1.yaml", text)
	labels, scores, means := "item,rater,artifact,clarity\n", "item,clarity\n", ""
	for _, item := range s.items() {
		for _, rater := range slices.Sorted(maps.Keys(s.labels[item])) {
			label, artifact := s.labels[item][rater], sha256.Sum256([]byte(item))
			labels += fmt.Sprintf("%s,%s,%x,%v\n", item, rater, artifact, math.Round(label))
			means += fmt.Sprintf(`{"id":%q,"artifact":"%x","labels":{%q:{"clarity":%v}}}`+"\n", item, artifact, rater, label)
		}
		if score, ok := s.scores[item]; ok {
			scores += fmt.Sprintf("%s,%v\n", item, score)
		}
	}
	write("labels.csv", labels)
	write("scores.csv", scores)
	run(t, dir, gitEnv, rubric, "calibrate", "import", "labels.csv", "--dataset", "d", "--rubric", "a_v1", "--labeled-by", "people", "--method", "As published.", "--license", "MIT")
	if len(s.labels[s.items()[0]]) == 1 {
		write("calibration/d/items.jsonl", means) // an import takes labels of persons, not means
	}
	write("rubrics/prd/a_v1.yaml", strings.Replace(text, "https://labels.example.org/clarity.jsonl", "calibration/d/dataset.yaml", 1))
	run(t, dir, gitEnv, rubric, "calibrate", "import", "scores.csv", "--dataset", "d", "--judge", "j", "--model", "m-1", "--rubric", "a_v1@1.0.0", "--date", "2026-11-14")
	out := run(t, dir, gitEnv, rubric, "calibrate", "report", "a_v1", "--format", "json", "--as-of", "2026-11-14")
	var all struct{ Reports []reported }
	must.Do(t, json.Unmarshal([]byte(out), &all))
	if len(all.Reports) != 1 {
		t.Fatalf("there are %d reports: %s", len(all.Reports), out)
	}
	return all.Reports[0]
}

// TestPublishedCorrelations: for the mean labels of Topical-Chat, the report has the correlations
// that the authors of the judge print, and says that people can't be compared with a judge.
func TestPublishedCorrelations(t *testing.T) {
	published := map[string]float64{
		"naturalness": 0.513986, "coherence": 0.612942, "engagingness": 0.604739,
		"groundedness": 0.574954, "understandability": 0.467807, "overall": 0.662583,
	}
	sets := map[string]*labeledSet{}
	for _, row := range table(t, "topical-chat-unieval/scores.csv", ',') {
		set := sets[row["criterion"]]
		if set == nil {
			set = &labeledSet{map[string]map[string]float64{}, map[string]float64{}}
			sets[row["criterion"]] = set
		}
		item, mean := "i"+row["row"], decimal(t, row["human_mean"])
		if row["criterion"] != "overall" {
			mean++ // some scales begin at 0
		}
		set.labels[item], set.scores[item] = map[string]float64{"mean": mean}, 1+decimal(t, row["judge_score"])/2
	}
	for name, want := range published {
		r := sets[name].report(t)
		if got := r.Criteria[0].Spearman.Value; math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: the correlation is %v, published is %v", name, got, want)
		}
		if got := r.Criteria[0].AgainstPeople.Correlation.Difference; got.Undefined != "only one person gave labels" {
			t.Errorf("%s: the difference from people is %+v", name, got)
		}
	}
}

// TestRealPeopleAndJudges: the report's comparison with people, and its sentence, are those of a
// computation that shares no code with it, for 24 raters who labeled 250 conversations.
func TestRealPeopleAndJudges(t *testing.T) {
	people := table(t, "llm-rubric/human_judges_synth_all_FIXED_ANON.tsv", '\t')
	judged := table(t, "llm-rubric/gpt-3.5-turbo-16k_synth_evaluations_FIXED.tsv", '\t')
	for _, question := range []string{"Q0", "Q1"} {
		raters, experts := &labeledSet{map[string]map[string]float64{}, map[string]float64{}}, &labeledSet{map[string]map[string]float64{}, map[string]float64{}}
		for _, row := range people {
			item, label := row["text_id"], decimal(t, cmp.Or(row[question], "0"))
			if label < 1 {
				continue // not answered
			}
			add := func(s *labeledSet, rater string) {
				if s.labels[item] == nil {
					s.labels[item] = map[string]float64{}
				}
				s.labels[item][rater] = label
			}
			add(raters, "r"+row["annotator_id"])
			// One person is the judge of the two others.
			if _, ok := experts.scores[item]; !ok {
				experts.scores[item] = label
			} else if n := len(experts.labels[item]); n < 2 {
				add(experts, "e"+strconv.Itoa(n+1))
			}
		}
		for _, row := range judged {
			if row["criterion"] == question {
				for level := 1.0; level <= 4; level++ {
					raters.scores[row["text_id"]] += level * decimal(t, row[fmt.Sprintf("answer%v_prob", level)])
				}
			}
		}
		t.Run(question+", a model", func(t *testing.T) { raters.check(t) })
		t.Run(question+", a person", func(t *testing.T) {
			experts.check(t)
			experts.isAPerson(t)
		})
	}
}

// isAPerson checks that the labels can't tell whether somebody who is not worse than the others
// may rank, if none of them agrees well with the others.
func (s *labeledSet) isAPerson(t *testing.T) {
	r := s.report(t)
	for _, person := range r.Persons {
		if correlation := person.Criteria[0].Correlation.Value; correlation >= 0.7 {
			t.Fatalf("%s has a correlation of %v with the other", person.Rater, correlation)
		}
	}
	worse := strings.Contains(strings.Join(r.Answer, " "), "worse than they agree")
	if want := map[bool]string{true: "no", false: "cannot_tell"}[worse]; r.Rank.Answer != want {
		t.Errorf("whether it may rank is %s, want %s: %v", r.Rank.Answer, want, r.Answer)
	}
}

// check compares the report with the independent computation.
func (s *labeledSet) check(t *testing.T) {
	r := s.report(t)
	got := r.Criteria[0].AgainstPeople.Correlation
	items := s.items()
	judge, mean, counted := s.onEqualTerms(items, 10, nil)
	if math.Abs(got.Judge.Value-judge) > 1e-9 || math.Abs(got.People.Value-mean) > 1e-9 {
		t.Errorf("the judge has %v and people %v, want %v and %v", got.Judge.Value, got.People.Value, judge, mean)
	}
	for _, person := range r.Persons {
		if want := s.severity(person.Rater); person.Criteria[0].Severity.Undefined == "" && math.Abs(person.Criteria[0].Severity.Value-want) > 1e-9 {
			t.Errorf("the severity of %s is %v, want %v", person.Rater, person.Criteria[0].Severity.Value, want)
		}
	}
	g := rand.New(rand.NewPCG(2026, 11))
	var differences []float64
	for range 1000 {
		drawn := make([]string, len(items))
		for i := range drawn {
			drawn[i] = items[g.IntN(len(items))]
		}
		judge, mean, _ := s.onEqualTerms(drawn, 0, counted)
		differences = append(differences, judge-mean)
	}
	slices.Sort(differences)
	low, high := differences[25], differences[974]
	if math.Abs(got.Difference.Low-low) > 0.04 || math.Abs(got.Difference.High-high) > 0.04 {
		t.Errorf("the interval is %.3f to %.3f, want about %.3f to %.3f", got.Difference.Low, got.Difference.High, low, high)
	}
	says := strings.Join(r.Answer, " ")
	sentence := standing(low, high)
	t.Logf("judge %.2f, people %.2f, difference %.3f to %.3f (independently %.3f to %.3f): %s", judge, mean, got.Difference.Low, got.Difference.High, low, high, says)
	if !strings.Contains(says, sentence) && math.Min(math.Min(math.Abs(low), math.Abs(high)), math.Abs(low+0.1)) > 0.02 {
		t.Errorf("the report says %q, expected %q in it", says, sentence)
	}
}

// severity is the mean of a rater's label less the mean of the others', on the items that the
// judge was asked about.
func (s *labeledSet) severity(rater string) float64 {
	sum, n := 0.0, 0.0
	for item, labels := range s.labels {
		others := 0.0
		for other, label := range labels {
			if other != rater {
				others += label / float64(len(labels)-1)
			}
		}
		own, ok := labels[rater]
		if _, asked := s.scores[item]; ok && asked && len(labels) > 1 {
			sum, n = sum+own-others, n+1
		}
	}
	return sum / n
}

func standing(low, high float64) string {
	switch {
	case low > 0:
		return "grees with these people better than they agree with each other"
	case high < 0:
		return "grees with these people worse than they agree with each other"
	case low > -0.1:
		return "grees with these people as well as they agree with each other"
	}
	return "too few items to tell"
}

// onEqualTerms returns the means over the raters of the correlation of the judge, and of the
// rater, with the mean of the others. Raters need some items; counted are those that count,
// if it is known.
func (s *labeledSet) onEqualTerms(items []string, least int, counted map[string]bool) (judge, people float64, raters map[string]bool) {
	type columns struct{ own, others, judge []float64 }
	of := map[string]*columns{}
	for _, item := range items {
		score, ok := s.scores[item]
		if !ok || len(s.labels[item]) < 2 {
			continue
		}
		for rater, own := range s.labels[item] {
			sum := 0.0
			for other, label := range s.labels[item] {
				if other != rater {
					sum += label
				}
			}
			if of[rater] == nil {
				of[rater] = &columns{}
			}
			c := of[rater]
			c.own, c.others, c.judge = append(c.own, own), append(c.others, sum/float64(len(s.labels[item])-1)), append(c.judge, score)
		}
	}
	raters, n := map[string]bool{}, 0.0
	for _, rater := range slices.Sorted(maps.Keys(of)) {
		c := of[rater]
		a, b := rankCorrelation(c.judge, c.others), rankCorrelation(c.own, c.others)
		if len(c.own) < least || counted != nil && !counted[rater] || math.IsNaN(a+b) {
			continue
		}
		raters[rater] = true
		judge, people, n = judge+a, people+b, n+1
	}
	return judge / n, people / n, raters
}

func rankCorrelation(x, y []float64) float64 {
	a, b := ranks(x), ranks(y)
	var ma, mb, ab, aa, bb float64
	for i := range a {
		ma, mb = ma+a[i]/float64(len(a)), mb+b[i]/float64(len(a))
	}
	for i := range a {
		ab, aa, bb = ab+(a[i]-ma)*(b[i]-mb), aa+(a[i]-ma)*(a[i]-ma), bb+(b[i]-mb)*(b[i]-mb)
	}
	if aa < 1e-9 || bb < 1e-9 {
		return math.NaN()
	}
	return ab / math.Sqrt(aa*bb)
}

func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	rank := make([]float64, len(x))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && x[order[to]]-x[order[from]] < 1e-9 {
			to++
		}
		for _, i := range order[from:to] {
			rank[i] = float64(from+to+1) / 2
		}
		from = to
	}
	return rank
}
