package agreement

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shared has published inputs and values, which are not part of the repository.
const shared = "../../../../shared"

// A vector is an input and its published values.
type vector struct {
	Name, Statistic string
	Input           vectorInput
	Expected        any // a number, numbers by name, or null for a value that must be undefined
	Tolerance       float64
}

type vectorInput struct {
	Layout           string
	Ratings          [][]*float64
	X, Y             []float64
	Columns          [][]*float64
	Rater1, Rater2   []int
	Categories       []int
	Table            [][]int     `json:"table_rows_rater1"`
	WeightsAgreement [][]float64 `json:"weights_agreement"`
	XJudge           []float64   `json:"x_judge"`
	YHumanMean       []float64   `json:"y_human_mean"`
	R, Z             float64
	N                int
	File             string
}

// notComputed are the files, vectors, and values by name that this package does not compute,
// with the reason.
var notComputed = map[string]string{
	"fleiss_kappa.json":       "Fleiss' kappa is not reported; Krippendorff's alpha takes its place, with missing labels too",
	"gwet_ac.json":            "Gwet's coefficients are not reported",
	"mae_bias_agreement.json": "agreement of all of several raters at once is not reported",
	"misc_agreement.json":     "exact agreement, Scott's pi, Bennett's S, and Kendall's W are not reported",
	"WARNING_irrcac_ordinal_weights_is_not_krippendorff_ordinal": "it warns of another coefficient, which must not be taken for ordinal alpha",
	"sas_3x3_ase_ci":             "the interval of a kappa is a bootstrap",
	"pingouin_wine_ci95":         "the interval of an ICC is not reported",
	"gonum_correlation_weighted": "items have no weights",
	"pearson":                    rankOnly, "pearson_ci.low": rankOnly, "pearson_ci.high": rankOnly,
	"kendall_tau_b": rankOnly, "kendall_tau_c": rankOnly,
	"ICC(1,1)": meanOnly, "ICC(2,1)": meanOnly, "ICC(3,1)": meanOnly, "ICC(1,k)": meanOnly, "ICC(2,k)": meanOnly,
	"judgebench-newsroom_Relevance_ordinal": noLabels, "judgebench-newsroom_Fluency_ordinal": noLabels,
	"judgebench-recipes_grammar_ordinal": noLabels, "judgebench-recipes_fluency_ordinal": noLabels,
	"judgebench-recipes_structure_ordinal": noLabels, "judgebench-recipes_success_ordinal": noLabels,
}

const (
	rankOnly = "the only correlation is Spearman's"
	meanOnly = "the only ICC is ICC(3,k), which the attainable correlation follows from"
	noLabels = "the file with its labels is not there"
)

// computed has, by file, the function that computes the values of a vector by name. A vector
// with a single number has the name "".
var computed = map[string]func(vector) map[string]Value{
	"pearson_spearman_kendall.json": correlationsOf,
	"cohen_kappa.json":              kappasOf,
	"krippendorff_alpha.json":       alphaOf,
	"icc.json":                      iccsOf,
	"confidence_intervals.json":     intervalsOf,
	"misc_agreement.json":           nil,
	"mae_bias_agreement.json":       nil,
	"fleiss_kappa.json":             nil,
	"gwet_ac.json":                  nil,
}

func readShared(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(shared, name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the published values are not here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestPublishedValues compares all published values except those in notComputed.
func TestPublishedValues(t *testing.T) {
	met := map[string]bool{}
	for _, file := range slices.Sorted(maps.Keys(computed)) {
		var vectors []vector
		if err := json.Unmarshal(readShared(t, "vectors/"+file), &vectors); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, v := range vectors {
			met[file], met[v.Name] = true, true
			for name := range flatten("", v.Expected) {
				met[name] = true
			}
			t.Run(strings.TrimSuffix(file, ".json")+"/"+v.Name, func(t *testing.T) {
				for _, name := range []string{file, v.Name} {
					if reason, skip := notComputed[name]; skip {
						if _, err := os.Stat(filepath.Join(shared, v.Input.File)); v.Input.File != "" && err == nil {
							t.Fatalf("%s is there now: compute its values", v.Input.File)
						}
						t.Skip(reason)
					}
				}
				checkVector(t, v, computed[file](v))
			})
		}
	}
	for name := range notComputed {
		if !met[name] {
			t.Errorf("there is no vector %s that could be left out", name)
		}
	}
}

func checkVector(t *testing.T, v vector, got map[string]Value) {
	t.Helper()
	for name, want := range flatten("", v.Expected) {
		if reason, skip := notComputed[name]; skip {
			t.Logf("%s is left out: %s", name, reason)
			continue
		}
		value, ok := got[name]
		switch {
		case !ok:
			t.Errorf("%q is not computed", name)
		case want == nil && value.Defined():
			t.Errorf("%q is %v, want no value", name, value.Number)
		case want != nil && !value.Defined():
			t.Errorf("%q is undefined (%s), want %v", name, value.Undefined, *want)
		case want != nil && !(math.Abs(value.Number-*want) <= v.Tolerance):
			t.Errorf("%q is %.15g, want %.15g within %g", name, value.Number, *want, v.Tolerance)
		}
	}
}

// flatten assigns a name to every expected number; nil is a value that must be undefined.
func flatten(name string, expected any) map[string]*float64 {
	flat := map[string]*float64{}
	switch e := expected.(type) {
	case nil:
		flat[name] = nil
	case float64:
		flat[name] = &e
	case []any:
		for i, limit := range e {
			maps.Copy(flat, flatten(name+[]string{".low", ".high"}[i], limit))
		}
	case map[string]any:
		for key, inner := range e {
			maps.Copy(flat, flatten(key, inner))
		}
	default:
		panic(fmt.Sprintf("an expected value of type %T", expected))
	}
	return flat
}

func correlationsOf(v vector) map[string]Value {
	if c := v.Input.Columns; c != nil {
		pair := func(i, j int) Value { return Spearman(complete(numbers(c[i]), numbers(c[j]))) }
		return map[string]Value{"r01": pair(0, 1), "r02": pair(0, 2), "r12": pair(1, 2)}
	}
	x, y := v.Input.X, v.Input.Y
	return map[string]Value{"spearman": Spearman(x, y)}
}

// complete keeps the pairs without NaN.
func complete(x, y []float64) (inX, inY []float64) {
	for i := range min(len(x), len(y)) {
		if !math.IsNaN(x[i]) && !math.IsNaN(y[i]) {
			inX, inY = append(inX, x[i]), append(inY, y[i])
		}
	}
	return inX, inY
}

func kappasOf(v vector) map[string]Value {
	values := map[string]Value{}
	table := v.Input.Table
	if table == nil {
		scale := v.Input.Categories
		table = Confusion(v.Input.Rater2, v.Input.Rater1, scale[0], scale[len(scale)-1])
		values["quadratic"] = QuadraticKappa(v.Input.Rater2, v.Input.Rater1, scale[0], scale[len(scale)-1])
	} else {
		values["quadratic"] = kappa(table, quadratic, judgeAndPeople)
	}
	distance := func(i, j int) float64 { return math.Abs(float64(i - j)) }
	for name, weight := range map[string]disagreement{
		"unweighted": func(i, j int) float64 { return math.Min(1, quadratic(i, j)) },
		"linear":     distance,
		"ordinal":    func(i, j int) float64 { return distance(i, j) * (distance(i, j) + 1) / 2 },
		"radical":    func(i, j int) float64 { return math.Sqrt(distance(i, j)) },
		"ratio":      func(i, j int) float64 { return quadratic(i, j) / float64((i+j+2)*(i+j+2)) },
		"custom":     func(i, j int) float64 { return 1 - v.Input.WeightsAgreement[i][j] },
	} {
		if name != "custom" || v.Input.WeightsAgreement != nil {
			values[name] = kappa(table, weight, judgeAndPeople)
		}
	}
	return values
}

func alphaOf(v vector) map[string]Value {
	_, metric, _ := strings.Cut(v.Statistic, "/")
	return map[string]Value{"": alphas[metric](ratingsOf(v))}
}

// alphas are the published metrics. Only the ordinal one is reported; the others test the
// shared code.
var alphas = map[string]func(Ratings) Value{
	"ordinal": OrdinalAlpha, "any": OrdinalAlpha, "interval": measured(squaredDifference),
	"nominal": measured(func(_, _ float64) float64 { return 1 }),
	"ratio":   measured(func(a, b float64) float64 { return squaredDifference(a, b) / ((a + b) * (a + b)) }),
}

func measured(distance func(a, b float64) float64) func(Ratings) Value {
	return func(r Ratings) Value { return newAlpha(r, "labels").measure(distance) }
}

func iccsOf(v vector) map[string]Value {
	return map[string]Value{"ICC(3,k)": ICC(ratingsOf(v)).ConsistencyMean}
}

func intervalsOf(v vector) map[string]Value {
	values := map[string]Value{}
	limits := func(low, high string, i Interval) {
		values[low], values[high] = Value{i.Low, i.Undefined}, Value{i.High, i.Undefined}
	}
	switch {
	case v.Input.XJudge != nil:
		x, y := v.Input.XJudge, v.Input.YHumanMean
		values["spearman"] = Spearman(x, y)
		limits("spearman_ci.low", "spearman_ci.high", Bootstrap(len(x), 1, DefaultResamples, SpearmanStatistic(x, y)))
	case v.Input.X != nil:
		r, n := Spearman(v.Input.X, v.Input.Y), len(v.Input.X)
		values["estimate"] = r
		limits("lower", "upper", bonettWright(r.Number, n))
		// The published standard error is on the scale of the correlation.
		square := r.Number * r.Number
		values["se"] = Value{Number: math.Sqrt((1+square/2)/float64(n-3)) * (1 - square)}
	default:
		limits("lower", "upper", fisher(v.Input.R, 1/float64(v.Input.N-3), v.Input.Z))
	}
	return values
}

// bonettWright is the analytic interval of a Spearman correlation of n items
// (Bonett and Wright 2000): Fisher's transformation with the variance
// (1 + r²/2) / (n - 3).
func bonettWright(r float64, n int) Interval {
	return fisher(r, (1+r*r/2)/float64(n-3), math.Sqrt2*math.Erfinv(confidence))
}

// fisher is the interval of a correlation whose inverse hyperbolic tangent is
// approximately normal with a variance (Fisher 1921), z standard deviations wide on
// either side.
func fisher(r, variance, z float64) Interval {
	half := z * math.Sqrt(variance)
	return Interval{Low: math.Tanh(math.Atanh(r) - half), High: math.Tanh(math.Atanh(r) + half)}
}

func ratingsOf(v vector) Ratings {
	var r Ratings
	for _, row := range v.Input.Ratings {
		r = append(r, numbers(row))
	}
	if strings.HasPrefix(v.Input.Layout, "raters x units") {
		return transpose(r)
	}
	return r
}

func transpose(r Ratings) Ratings {
	turned := make(Ratings, r.width())
	for j := range turned {
		for i := range r {
			turned[j] = append(turned[j], r.at(i, j))
		}
	}
	return turned
}

func numbers(pointers []*float64) []float64 {
	all := make([]float64, len(pointers))
	for i, p := range pointers {
		all[i] = math.NaN()
		if p != nil {
			all[i] = *p
		}
	}
	return all
}
