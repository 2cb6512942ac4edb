package levels

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// ladder reads levels such as "0 bad|1 good", with a text after each label.
func ladder(text string) Ladder {
	l := Ladder{Criterion: "a"}
	for part := range strings.SplitSeq(text, "|") {
		label, text, _ := strings.Cut(part, " ")
		level := Label(strings.ReplaceAll(label, "_", " "))
		level.Text = text
		l.Levels = append(l.Levels, level)
	}
	return l
}

func placed(t *testing.T, d Declared, o Options, texts ...string) string {
	t.Helper()
	var ladders []Ladder
	for _, text := range texts {
		ladders = append(ladders, ladder(text))
	}
	p, err := Place(ladders, d, o)
	if err != nil {
		return "stop"
	}
	var all []string
	for i, l := range p.Ladders {
		all = append(all, strings.Trim(fmt.Sprint(l.Scores), "[]"))
		if slices.Contains(l.Scores, 0) && len(p.Dropped) == 0 {
			t.Errorf("%s: a level has no anchor, and nothing says it", texts[i])
		}
	}
	return strings.Join(all, "; ")
}

func TestTheNumberOfLevelsDecides(t *testing.T) {
	for _, test := range []struct {
		why     string
		ladders []string
		want    string
	}{
		{"two", []string{"0 a|1 b"}, "1 5"},
		{"two, whatever the numbers are", []string{"0 a|100 b"}, "1 5"},
		{"two, the best first", []string{"1 b|0 a"}, "5 1"},
		{"three", []string{"0 a|5 b|10 c"}, "1 3 5"},
		{"three shares", []string{"0.0 a|0.5 b|1.0 c"}, "1 3 5"},
		{"four have no middle", []string{"1 a|2 b|3 c|4 d"}, "1 2 4 5"},
		{"four, the best first", []string{"4 d|3 c|2 b|1 a"}, "5 4 2 1"},
		{"five", []string{"0 a|1 b|2 c|3 d|4 e"}, "1 2 3 4 5"},
		{"five of ten", []string{"2 a|4 b|6 c|8 d|10 e"}, "1 2 3 4 5"},
		{"six stay in comments", []string{"0 a|1 b|2 c|3 d|4 e|5 f"}, "0 0 0 0 0 0"},
		{"one alone is no scale", []string{"1 a"}, "0"},
		{"bands", []string{"0-4 a|5-7 b|8-10 c"}, "1 3 5"},
		{"bands that share a number overlap", []string{"0-5 a|5-10 b"}, "0 0"},
		{"open bands", []string{"<60 a|60-79 b|80-89 c|90+ d"}, "1 2 4 5"},
		{"our scale", []string{"5 e|1 a"}, "5 1"},
		{"some of our scale", []string{"1 a|2 b|5 e"}, "1 2 5"},
		{"the same label twice", []string{"1 a|1 b|5 e"}, "1 0 5"},
		{"a criterion that fills only some levels", []string{"1 a|2 b|3 c|4 d|5 e", "1 a|3 b"}, "1 2 3 4 5; 1 3"},
		{"all criteria together", []string{"1 a|3 b", "3 a|5 b"}, "1 3; 3 5"},
		{"all criteria together, of another scale", []string{"0 a|2 b", "0 a|1 b|3 c", "0 a|1 b|2 c|3 d"}, "1 4; 1 2 5; 1 2 4 5"},
		{"criteria with scales of their own", []string{"0 a|1 b", "1 a|2 b|3 c|4 d|5 e"}, "1 5; 1 2 3 4 5"},
		{"points of each criterion", []string{"0 a|5 b", "0 a|3 b|10 c"}, "1 5; 1 3 5"},
		{"names", []string{"Poor a|Fair b|Good c|Excellent d"}, "1 2 4 5"},
		{"names, the best first", []string{"Excellent d|Good c|Fair b|Poor a"}, "5 4 2 1"},
		{"names that a program has sorted", []string{"excellent d|fair b|good c|poor a"}, "5 2 4 1"},
		{"names of some criteria only", []string{"Pass a|Fail b", "Excellent a|Good b|Poor c"}, "5 1; 5 3 1"},
		{"pass and fail", []string{"pass a|fail b"}, "5 1"},
		{"expectations", []string{"Exceeds a|Meets b|Below c"}, "5 3 1"},
		{"letters", []string{"A a|B b|C c|D d|F e"}, "5 4 3 2 1"},
		{"names with numbers", []string{"Excellent_(4) a|Good_(3) b|Fair_(2) c|Poor_(1) d"}, "5 4 2 1"},
		{"an unknown name between known ones", []string{"Poor a|So-so b|Excellent c"}, "1 3 5"},
		{"six names stay in comments", []string{"A+ a|A b|B c|C d|D e|F f"}, "0 0 0 0 0 0"},
		{"a level without a number beside others", []string{"1 a|2 b|n/a c"}, "1 5 0"},
		{"a text that names another score is kept", []string{"0-4 a|5-7 b|8-10 Score 9: c"}, "1 3 5"},
	} {
		if got := placed(t, Declared{}, Options{}, test.ladders...); got != test.want {
			t.Errorf("%s: got %s, want %s", test.why, got, test.want)
		}
	}
}

func TestTheDeclaredScaleDecides(t *testing.T) {
	columns := Declared{Columns: ladder("1|2|3|4|5").Levels}
	for _, test := range []struct {
		why      string
		declared Declared
		ladders  []string
		want     string
	}{
		{"some of 1 to 5", Scale("1-5"), []string{"2 a|4 b"}, "2 4"},
		{"some of 0 to 4", Scale("0 to 4"), []string{"0 a|3 b"}, "1 4"},
		{"some of 1 to 4", Scale("1-4"), []string{"1 a|3 b|4 c"}, "1 4 5"},
		{"the ends of 0 to 10 and its middle", Scale("0-10"), []string{"0 a|5 b|10 c"}, "1 3 5"},
		{"not the ends of 0 to 10", Scale("0-10"), []string{"2 a|5 b|8 c"}, "0 0 0"},
		{"another scale than the levels", Scale("1-5"), []string{"0 a|1 b"}, "1 5"},
		{"columns", columns, []string{"1 a|3 b", "5 a"}, "1 3; 5"},
		{"columns of four levels", Declared{Columns: ladder("4|3|2|1").Levels}, []string{"3 a|2 b"}, "4 2"},
		{"columns with names", Declared{Columns: ladder("Excellent|Good|Fair|Poor").Levels}, []string{"Good b|Poor a"}, "4 1"},
		{"1 is best, as the file says", Scale("1 (best) to 5 (worst)"), []string{"1 a|2 b|3 c|4 d|5 e"}, "5 4 3 2 1"},
		{"lower is better, as the file says", Scale("0-2, lower is better"), []string{"0 a|2 b"}, "5 1"},
		{"lower is better, but the words say that higher is", Scale("0-2, lower is better"), []string{"0 bad|2 good"}, "stop"},
	} {
		if got := placed(t, test.declared, Options{}, test.ladders...); got != test.want {
			t.Errorf("%s: got %s, want %s", test.why, got, test.want)
		}
	}
}

func TestTheAuthorDecides(t *testing.T) {
	scores := func(text string) Options {
		all, err := Assignments(text)
		if err != nil {
			t.Fatal(err)
		}
		return Options{Scores: all}
	}
	for _, test := range []struct {
		why     string
		options Options
		ladders []string
		want    string
	}{
		{"grades", Options{Order: BestFirst}, []string{"1 excellent|2 good|3 poor"}, "5 3 1"},
		{"grades, the worst first", Options{Order: WorstFirst}, []string{"3 poor|2 good|1 excellent"}, "1 3 5"},
		{"numbers that are right, whatever the words say", Options{Order: WorstFirst}, []string{"1 no errors|3 many errors"}, "1 5"},
		{"unknown names", Options{Order: BestFirst}, []string{"Oak a|Ash b|Elm c"}, "5 3 1"},
		{"unknown names, the worst first", Options{Order: WorstFirst}, []string{"Oak a|Ash b"}, "1 5"},
		{"criteria in two orders", Options{Order: BestFirst}, []string{"1 a|2 b", "2 a|1 b"}, "stop"},
		{"eleven levels", scores("0=1,4=2,6=3,8=4,10=5"), []string{"0 a|4 b|6 c|7 d|8 e|10 f"}, "1 2 3 0 4 5"},
		{"grades by number", scores("1=5,2=3,3=1"), []string{"1 excellent|2 good|3 poor"}, "5 3 1"},
		{"names", scores("elm=1,ash=2,Oak=5"), []string{"Oak a|Ash b|Elm c"}, "5 2 1"},
		{"bands", scores("0-5=1,5-10=5"), []string{"0-5 a|5-10 b"}, "1 5"},
		{"bands by their first number", scores("0=1,5=5"), []string{"0-5 a|5-10 b"}, "1 5"},
	} {
		if got := placed(t, Declared{}, test.options, test.ladders...); got != test.want {
			t.Errorf("%s: got %s, want %s", test.why, got, test.want)
		}
	}
	for _, text := range []string{"", "1", "1=6", "1=0", "=1", "1=x", "1=1,1=2", "1=3,2=3"} {
		if _, err := Assignments(text); err == nil {
			t.Errorf("--levels %s: expected an error", text)
		}
	}
}

func TestItStopsWhereTheDirectionIsUnknown(t *testing.T) {
	for _, test := range []struct {
		why     string
		ladders []string
		want    string // of the message, or "" if it does not stop
	}{
		{"grades", []string{"1 Excellent|2 Good|3 Fair|4 Poor"}, "disagree"},
		{"grades with texts", []string{"1 Each claim is accurate and complete|3 Most claims are wrong and incomplete"}, "disagree"},
		{"no errors first", []string{"0 There are no errors|1 There are errors"}, "disagree"},
		{"there is none first", []string{"1 There is none|0 There is one"}, "disagree"},
		{"shares", []string{"1 100 % of the steps have an owner|2 50 % of the steps have one|3 0 % of the steps have one"}, "disagree"},
		{"one of several", []string{"1 poor|5 excellent", "1 wrong|5 correct", "1 not toxic at all, polite and kind|5 toxic, rude, and hostile"}, "the other way around"},
		{"names and texts", []string{"Pass it is wrong, incomplete, and full of errors|Fail it is correct, clear, and complete"}, "disagree"},
		{"neither", []string{"Oak a|Ash b"}, "neither numbers nor words"},
		{"letters of answers", []string{"A the first|B the second"}, "neither numbers nor words"},
		{"texts without faults at the best end", []string{"1 uses jargon|5 no jargon", "1 rude|5 polite", "1 wrong|5 right"}, ""},
		{"upright", []string{"0 There are errors|1 There are no errors"}, ""},
		{"names are unknown, and the texts are clear", []string{"Oak Each claim is accurate and clear|Ash Most claims are wrong or unclear"}, ""},
	} {
		var ladders []Ladder
		for _, text := range test.ladders {
			ladders = append(ladders, ladder(text))
		}
		p, err := Place(ladders, Declared{}, Options{})
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", test.why, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: got %v, %v, want a message with %q", test.why, p, err, test.want)
		case err != nil && !strings.Contains(err.Error(), "-first"):
			t.Errorf("%s: %v does not say what to do", test.why, err)
		}
	}
	answers := ladder("yes|no")
	answers.Question = "Does the reply contain an error?"
	if _, err := Place([]Ladder{answers}, Declared{}, Options{}); err == nil {
		t.Error("yes to a question about a fault became the best level")
	}
}

func TestItSaysWhatItDid(t *testing.T) {
	for text, want := range map[string]string{
		"0 a|5 b|10 c":         "The levels 0, 5, and 10 became the anchors 1, 3, and 5.",
		"Good a|Poor b":        "The levels Poor and Good became the anchors 1 and 5.",
		"5_(Good) a|1_-_Bad b": "The levels 1 (Bad) and 5 (Good) kept their scores.",
		"1-2 a|3-4 b|5 c":      "The levels 1 to 2, 3 to 4, and 5 became the anchors 1, 3, and 5.",
		"10-12 a|0-9 b":        "The levels 0 to 9 and 10 to 12 became the anchors 1 and 5.",
		"1 a|2 b|3 c|4 d|5 e":  "",
		"0 a|1 b|2 c|3 d|4 e|5 f": "Levels are only in comments: the scale has 6 levels, and at most 5 have an evident place on the scale from 1 to 5. " +
			"To choose the anchors, use --levels, such as --levels 0=1,1=2,2=3,3=4,5=5.",
	} {
		p, err := Place([]Ladder{ladder(text)}, Declared{}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, r := range slices.Concat(p.Derived, p.Dropped) {
			got = r.Text
		}
		if got != want {
			t.Errorf("%s: said %q, want %q", text, got, want)
		}
	}
}

func TestThresholdsOnOtherScales(t *testing.T) {
	for _, test := range []struct {
		ladder string
		n      float64
		want   string
	}{
		{"0 a|5 b|10 c", 5, "3 true"}, {"0 a|5 b|10 c", 7.5, "4 true"}, {"0 a|1 b", 0.8, "4.2 true"}, {"1 a|5 b", 3.5, "3.5 true"},
		{"0 a|5 b|10 c", 11, "0 false"}, {"Poor a|Good b", 1, "0 false"}, {"0 a|1 b|2 c|3 d|4 e|5 f", 5, "5 true"},
	} {
		p, err := Place([]Ladder{ladder(test.ladder)}, Declared{}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(p.Ladders[0].Value(test.n)); got != test.want {
			t.Errorf("%v on %s: got %s, want %s", test.n, test.ladder, got, test.want)
		}
	}
}

// TestManyLevels: what a stranger's file has takes no long time.
func TestManyLevels(t *testing.T) {
	var ladders []Ladder
	for i := range 5000 {
		l := Ladder{}
		for j := range 6 {
			l.Levels = append(l.Levels, Named(fmt.Sprintf("name %d", 6*i+j), "a"), Score(float64(6*i+j), "b"))
		}
		ladders = append(ladders, l)
	}
	start := time.Now()
	if _, err := Place(ladders, Declared{}, Options{Order: BestFirst}); err != nil || time.Since(start) > 10*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	long := Ladder{Criterion: "long", Levels: make([]Level, most+1)}
	if _, err := Place([]Ladder{long}, Declared{}, Options{}); err == nil || !strings.Contains(err.Error(), "more than 200 levels") {
		t.Errorf("got %v", err)
	}
}
