package wording

import "testing"

func TestNamesOfLevelsHaveAnOrder(t *testing.T) {
	for _, names := range [][]string{
		{"Poor", "Fair", "Good", "Excellent"},
		{"fail", "pass"}, {"No", "Partially", "Yes"}, {"false", "TRUE"},
		{"Does not meet expectations", "Meets expectations", "Exceeds expectations"},
		{"Below", "Meets", "Exceeds"}, {"Below expectations", "Approaching expectations", "Meets expectations", "Exceeds expectations"},
		{"F", "D", "C", "B", "A"}, {"C-", "C", "C+", "B-", "B", "A-", "A"},
		{"Very poor", "Poor", "Average", "Good", "Very good", "Excellent"},
		{"Beginning", "Developing", "Proficient", "Exemplary"}, {"Novice", "Intermediate", "Advanced", "Expert"},
		{"Not met", "Partially met", "Fully met"}, {"unmet", "met"}, {"Unsatisfactory", "Needs improvement", "Satisfactory", "Outstanding"},
		{"None", "Some", "Most", "All"}, {"Never", "Rarely", "Sometimes", "Often", "Always"}, {"Low", "Medium", "High"},
		{"Incorrect", "Partially correct", "Mostly correct", "Correct"}, {"Weak", "Adequate", "Strong"}, {"Bronze", "Silver", "Gold"},
		{"No credit", "Partial credit", "Full credit"}, {"Unacceptable", "Acceptable", "Ideal"}, {"missing", "partial", "complete"},
		{"Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree"}, {"bad", "ok", "great"}, {"red", "amber", "green"},
		{"Ineffective", "Partially effective", "Effective", "Highly effective"}, {"Below average", "Average", "Above average"},
		{"Does not meet", "Partially meets", "Nearly meets", "Meets", "Exceeds"}, {"incorrect", "mostly incorrect", "partially correct", "correct"},
		{"Major issues", "Minor issues", "No issues"}, {"Many errors", "Some errors", "Few errors", "No errors"}, {"Emerging", "Developing", "Proficient", "Extending"},
		{"Below basic", "Basic", "Proficient", "Advanced"}, {"No evidence", "Some evidence", "Strong evidence"}, {"rejected", "accepted"},
		{"Not helpful", "Somewhat helpful", "Helpful", "Very helpful"}, {"Novice", "Adept", "Master"}, {"Approaching mastery", "Near mastery", "Mastery"},
	} {
		last := -1.0
		for _, name := range names {
			rank, ok := Rank(name)
			if !ok || rank <= last {
				t.Errorf("%q: %q has the rank %v, %v, want one above %v", names, name, rank, ok, last)
			}
			last = rank
		}
	}
	for _, name := range []string{"", "What good looks like", "Clarity", "Notes", "Cites two sources", "Level", "Description", "of the", "G", "Good example of a reply to a user"} {
		if rank, ok := Rank(name); ok {
			t.Errorf("%q has the rank %v, want none", name, rank)
		}
	}
}
