package schema

import "testing"

func TestPathNamesTheSamePlaceInThreeWays(t *testing.T) {
	var root *Path
	criterion := root.Key("criteria", "").Elem(1, "clarity", "criterion")
	tests := []struct {
		path                   *Path
		pointer, names, around string
	}{
		{root, "", "", "the rubric"},
		{root.Key("name", ""), "/name", "name", "the rubric"},
		{criterion, "/criteria/1", "criteria[clarity]", `criterion "clarity"`},
		{criterion.Key("threshold", ""), "/criteria/1/threshold", "criteria[clarity].threshold", `criterion "clarity"`},
		{criterion.Key("anchors", "anchors").Key("3", ""), "/criteria/1/anchors/3", "criteria[clarity].anchors.3", `the anchors of criterion "clarity"`},
		{root.Key("rules", "").Elem(0, "", "rule"), "/rules/0", "rules[0]", "rule 1 of the rubric"},
		{root.Key("a/b~c", ""), "/a~1b~0c", "a/b~c", "the rubric"},
	}
	for _, tt := range tests {
		if got := tt.path.Pointer(); got != tt.pointer {
			t.Errorf("Pointer is %q, want %q", got, tt.pointer)
		}
		if got := tt.path.String(); got != tt.names {
			t.Errorf("String is %q, want %q", got, tt.names)
		}
		if got := tt.path.Where("rubric"); got != tt.around {
			t.Errorf("Where is %q, want %q", got, tt.around)
		}
	}
}

func TestQuoteIsShortAndShowsHiddenCharacters(t *testing.T) {
	long := ""
	for range 100 {
		long += "漢"
	}
	if got := []rune(Quote(long)); len(got) != 63 {
		t.Errorf("a long text is quoted with %d characters", len(got))
	}
	if got := Quote("a\u202e\x1b\n"); got != `"a\u202e\x1b\n"` {
		t.Errorf("hidden characters are quoted as %s", got)
	}
}
