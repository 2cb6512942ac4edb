package expression

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

const aRubric = `rubric_id: acme_story_v1
name: Story
version: "1.0.0"
artifact_type: prd
criteria:
  - name: clarity
    description: Whether the reader knows who does what.
    weight: essential
    threshold: 3.0
    anchors: {1: one, 2: two, 3: three, 4: four, 5: five}
    examples: {score_1: Make it better., score_5: A clerk archives an invoice.}
  - name: safety
    description: Whether it is safe.
    weight: important
    threshold: 4.5
    anchors: {1: one, 2: two, 3: three, 4: four, 5: five}
    examples: {score_1: Make it better., score_5: A clerk archives an invoice.}
metadata: {owner: "@acme/qa", team-name: qa}
`

const aRuleSet = `ruleset_id: api_v1
name: API
version: "2.0.0"
artifact_type: api
scoring: {pass_threshold: 0.8}
rules:
  - {id: a.errors.codes, description: Codes., severity: fail, check: Look., checks: [{type: content, pattern: x}]}
`

// read returns a document, and its text for messages.
func read(t testing.TB, kind *document.Kind, text string) *Document {
	t.Helper()
	tree, problems := yamltree.Parse(source.NewFile("a.yaml", []byte(text)))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return Read(kind, tree.Root)
}

func scopeOf(t testing.TB, each string, kinds ...*document.Kind) *Scope {
	t.Helper()
	return must.Get(NewScope(kinds, each))(t)
}

func TestConditionsAboutARubric(t *testing.T) {
	tests := []struct {
		reason, text string
		want         bool
	}{
		{"a key of the metadata", `this.metadata.owner startsWith "@acme/"`, true},
		{"a key with a dash", `this.metadata["team-name"] == "qa"`, true},
		{"the ID, the kind, and the version", `id startsWith "acme_" and kind == "rubric" and version == "1.0.0"`, true},
		{"this is the document", `this.name == document.name`, true},
		{"elements that are counted", `count(this.criteria, .weight == "essential") >= 2`, false},
		{"keys of all elements", `all(this.criteria, words(.description) < 200 and .anchors["1"] == "one")`, true},
		{"a sum", `sum(this.criteria, .threshold) > 7 and max(map(this.criteria, .threshold)) < 5`, true},
		{"a list of values", `this.name in ["Story", "Ticket"] and "owner" in keys(this.metadata)`, true},
		{"a pattern", `id matches "^acme_.*_v1$" and not (this.name contains "z")`, true},
		{"a variable", `let n = len(this.criteria); n > 1 ? n == 2 : false`, true},
		{"the largest of numbers of two types", `max(1, this.criteria[0].threshold) == 3 and max(this.criteria[1].threshold, 1) + 1 == 5.5`, true},
		{"a division", `sum(this.criteria, .threshold) / len(this.criteria) == 3.75 and 7 % 4 == 3`, true},
		{"an absent text is empty", `this.description == "" and this.metadata.nothing == ""`, true},
		{"an absent number is 0", `this.scoring.pass_threshold == 0`, true},
		{"an absent list is empty", `len(this.negative_criteria) == 0`, true},
		{"an absent group has empty keys", `this.deprecated.reason == ""`, true},
		{"a default", `all(this.criteria, .relative_weight == 1) and this.language == "en"`, true},
		{"two loops", `all(this.criteria, any(document.criteria, .name == "safety"))`, true},
	}
	scope := scopeOf(t, Whole, &document.Rubric)
	for _, tt := range tests {
		condition, err := Compile(tt.text, scope)
		if err != nil {
			t.Errorf("%s: %s: %v", tt.reason, tt.text, err)
			continue
		}
		got, err := condition.Holds(scope.Elements(read(t, &document.Rubric, aRubric))[0].Values, NewMeter(len(aRubric)))
		if got != tt.want || err != nil {
			t.Errorf("%s: %s is %v (%v), want %v", tt.reason, tt.text, got, err, tt.want)
		}
	}
}

func TestElements(t *testing.T) {
	both := document.Kinds()
	tests := []struct {
		reason, each string
		kinds        []*document.Kind
		text, value  string
		want         []string // place and value
	}{
		{"a document is at its ID", Whole, both, aRubric, "id", []string{"1  acme_story_v1"}},
		{"the other kind", Whole, both, aRuleSet, "kind", []string{"1  ruleset"}},
		{"no document of this kind", Whole, []*document.Kind{&document.Rubric}, aRuleSet, "id", nil},
		{"criteria are at their names", "criteria", []*document.Kind{&document.Rubric}, aRubric, "this.name", []string{"6 /criteria/0 clarity", "12 /criteria/1 safety"}},
		{"no elements", "negative_criteria", []*document.Kind{&document.Rubric}, aRubric, "this.name", nil},
		{"derived values", "rules", []*document.Kind{&document.RuleSet}, aRuleSet, "string(this.weight) + this.phase", []string{"7 /rules/0 2A"}},
		{"texts with their keys, without examples, patterns, and metadata", Texts, both, aRuleSet, `this.key + "=" + this.text`, []string{
			"1 /ruleset_id ruleset_id=api_v1", "2 /name name=API", "3 /version version=2.0.0", "4 /artifact_type artifact_type=api",
			"7 /rules/0/id id=a.errors.codes", "7 /rules/0/description description=Codes.", "7 /rules/0/severity severity=fail", "7 /rules/0/check check=Look.",
		}},
	}
	for _, tt := range tests {
		kind := &document.Rubric
		if strings.HasPrefix(tt.text, "ruleset_id") {
			kind = &document.RuleSet
		}
		scope := scopeOf(t, tt.each, tt.kinds...)
		file := source.NewFile("a.yaml", []byte(tt.text))
		var got []string
		for _, e := range scope.Elements(read(t, kind, tt.text)) {
			line := file.Position(e.At.Span.Start).Line
			got = append(got, fmt.Sprintf("%d %s %s", line, e.Path().Pointer(), show(e.Values, tt.value)))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// show evaluates the few forms of values in TestElements without the language.
func show(v Values, form string) string {
	this, _ := v["this"].(map[string]any)
	switch form {
	case "string(this.weight) + this.phase":
		return fmt.Sprint(this["weight"], this["phase"])
	case `this.key + "=" + this.text`:
		return fmt.Sprint(this["key"], "=", this["text"])
	case "this.name":
		return fmt.Sprint(this["name"])
	}
	return fmt.Sprint(v[form])
}

func TestScopesThatDoNotExist(t *testing.T) {
	for _, tt := range []struct {
		each  string
		kinds []*document.Kind
		want  string
	}{
		{"rules", []*document.Kind{&document.Rubric}, "a rubric has no rules"},
		{"criteria", []*document.Kind{&document.RuleSet}, "a rule set has no criteria"},
		{"criteria", document.Kinds(), "not every document has criteria"},
	} {
		if _, err := NewScope(tt.kinds, tt.each); err == nil || err.Error() != tt.want {
			t.Errorf("%s: the error is %v, want %s", tt.each, err, tt.want)
		}
	}
}

func TestWhatIsNotACondition(t *testing.T) {
	tests := []struct {
		reason, text string
		at           int
		want         string
	}{
		{"nothing", ``, 0, "This is not a condition: the end comes too early."},
		{"half a condition", `this.name ==`, 11, "This is not a condition: the end comes too early."},
		{"a character that no condition has", "\xff", 0, "This is not a condition: unrecognized character: U+FFFD '\ufffd'."},
		{"a misspelled key", `this.metdata.owner == ""`, 5, `"metdata" is not a key here. Did you mean "metadata"?`},
		{"a misspelled key after a character of several bytes", `"ö" != "" and this.nam == ""`, 20, `"nam" is not a key here. Did you mean "name"?`},
		{"a misspelled key in a loop", `all(this.criteria, .nam == "")`, 20, `"nam" is not a key here. Did you mean "name"?`},
		{"a key that nothing resembles", `this.scoring.x == 1`, 13, `"x" is not a key here. The keys are essential_minimum and pass_threshold.`},
		{"a misspelled variable", `ths.name == ""`, 0, `"ths" is not known here. Did you mean "this"?`},
		{"an unknown variable", `x == ""`, 0, `"x" is not known here. The variables are document, id, kind, this, and version.`},
		{"an unknown function", `repeat("a", 9) == ""`, 0, `"repeat" is not known here. The functions are all, any, count, filter, keys, len, lower, map, max, min, none, one, split, sum, trim, upper, and words.`},
		{"a text", `this.name`, 0, "The result must be true or false, but it is a text."},
		{"a number", `len(this.criteria)`, 0, "The result must be true or false, but it is a number."},
		{"a list", `this.criteria`, 0, "The result must be true or false, but it is a list."},
		{"values of two types", `this.name == 1`, 10, "This is not a condition: invalid operation: == (mismatched types text and number)."},
		{"nil", `nil == this.name`, 0, `Nothing is nil: an absent key is empty. Compare a text with "", a number with 0, or the len of a list with 0.`},
		{"a sum of texts", `"a" + this.name == "b"`, 4, "A condition can only add numbers. Compare texts one by one."},
		{"a pattern from a document", `this.name matches version`, 10, "Write the pattern after matches as a text in quotes."},
		{"a pattern that is not one", `id matches "(a"`, 3, "Fix this regular expression: error parsing regexp: missing closing ): `(a`."},
		{"a pattern with too many parts", `id matches "(?:(?:abcdefghij){20}){50}"`, 3, "This regular expression is too large: its repetitions make too many parts."},
		{"a key from a document", `this[this.name] == "x"`, 4, "Write the key itself."},
		{"all variables at once", `$env.id == ""`, 0, "Name the variable itself instead of $env."},
		{"a list of numbers", `5 in 1..1000000`, 6, "A condition can't make a list of numbers."},
		{"a group", `{"a": 1}.a == 1`, 0, "A condition can't make a group of keys."},
		{"a part of a text", `this.name[1:] == ""`, 9, "A condition can't take a part of a text or list. Use matches, startsWith, or filter."},
		{"two conditions", `true; false`, 0, "Write one condition. Join conditions with and."},
		{"lists that are compared", `this.criteria == document.criteria`, 14, "Compare single values, such as the len of a list."},
		{"a list in a list", `this.criteria in [[]]`, 14, "Compare single values, such as the len of a list."},
		{"a key of one of several values", `[this, "x"][0].naem == ""`, 15, "This can be values of several types. Take a key or an element of a value of one type."},
		{"a list as a key", `this.metadata[[[id], 1][0]] == ""`, 13, "This can be values of several types. Take a key or an element of a value of one type."},
		{"characters that a document could choose", `trim(this.name, this.description) == ""`, 0, "Call trim with one text, of which it removes the spaces around."},
		{"one equals sign", `this.name = "x"`, 10, `This is not a condition: unexpected "=".`},
		{"a call without a text", `words(1) == 1`, 6, "This is not a condition: cannot use number as argument (type text) to call words."},
		{"too many parts", strings.Repeat("!", 2000) + "true", 2003, "This is not a condition: it has more than 1000 parts."},
		{"too many loops", `all(this.criteria, all(document.criteria, all(document.criteria, all(document.criteria, all(document.criteria, .threshold > 3)))))`, 0,
			"This takes about 628448255 steps on a document of which each list has 30 elements, but at most 10000000 are allowed. Use fewer loops inside of others."},
		{"a pattern in loops", `all(this.criteria, all(document.criteria, .name matches "a{900}"))`, 0,
			"This takes about 81203255 steps on a document of which each list has 30 elements, but at most 10000000 are allowed. Use fewer loops inside of others."},
	}
	for _, tt := range tests {
		_, err := Compile(tt.text, scopeOf(t, Whole, &document.Rubric))
		var e *Error
		if !errors.As(err, &e) || e.Offset != tt.at || e.Message != tt.want {
			t.Errorf("%s: %.60s:\n got %d %v\nwant %d %s", tt.reason, tt.text, offset(e), err, tt.at, tt.want)
		}
	}
}

func offset(e *Error) int {
	if e == nil {
		return -1
	}
	return e.Offset
}

func TestFunctionsThatConditionsDoNotHave(t *testing.T) {
	for _, call := range []string{
		`repeat("a", 1000000000) == ""`, `replace(id, "", id) == ""`, `join(["a"], id) == ""`, `toJSON(document) == ""`, `fromJSON(id) == 1`,
		`now() == now()`, `date("2026-01-01") == now()`, `duration("1h") == duration("2h")`, `get(this, "name") == ""`, `reduce(this.criteria, #acc) == 1`,
		`len(groupBy(this.criteria, .name)) == 1`, `len(sortBy(this.criteria, .name)) == 1`, `len(concat(this.criteria, this.criteria)) == 1`,
		`len(flatten([this.criteria])) == 1`, `len(uniq(this.criteria)) == 1`, `len(toPairs(this.metadata)) == 1`, `string(this) == ""`, `type(this) == ""`,
	} {
		_, err := Compile(call, scopeOf(t, Whole, &document.Rubric))
		if err == nil || !strings.Contains(err.Error(), "is not known here") {
			t.Errorf("%s: %v", call, err)
		}
	}
}

func TestWhatCanNotBeEvaluated(t *testing.T) {
	scope := scopeOf(t, Whole, &document.Rubric)
	for _, tt := range []struct{ reason, text, want string }{
		{"an element that is not there", `this.criteria[7].name == ""`, "index out of range: 7 (array length is 2)"},
		{"the largest of nothing", `max(map(this.negative_criteria, len(.name))) > 3`, "it takes the least or the largest of no numbers"},
		{"a largest that is only compared", `not (max(map(this.negative_criteria, len(.name))) == 3)`, "it takes the least or the largest of no numbers"},
		{"a division by 0", `not (10 / this.scoring.pass_threshold < 3)`, "it divides by 0"},
		{"a share of nothing", `not (sum(this.negative_criteria, 1) / len(this.negative_criteria) < 3)`, "it divides by 0"},
		{"a remainder of a division by 0", `1 % len(this.negative_criteria) == 1`, "it divides by 0"},
		{"a sum of texts", `sum(this.criteria, .name) == "x"`, "invalid operation: text + number"},
	} {
		condition := must.Get(Compile(tt.text, scope))(t)
		_, err := condition.Holds(scope.Elements(read(t, &document.Rubric, aRubric))[0].Values, NewMeter(0))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: the error is %v, want %s", tt.reason, err, tt.want)
		}
	}
}

// large is a rubric with many criteria and long texts.
func large(criteria, bytes int) string {
	var b strings.Builder
	b.WriteString("rubric_id: a_v1\nname: A\nversion: \"1.0.0\"\nartifact_type: prd\ncriteria:\n")
	for i := range criteria {
		fmt.Fprintf(&b, "  - {name: c%d, description: %s, weight: essential, threshold: 3}\n", i, strings.Repeat("a", bytes))
	}
	return b.String()
}

// lenOfLists is a condition about a list of a depth, of which each level has that below ten times.
func lenOfLists(depth int) string {
	var b strings.Builder
	element := "1"
	for i := range depth {
		fmt.Fprintf(&b, "let v%d = [%s%s]; ", i, strings.Repeat(element+", ", 9), element)
		element = fmt.Sprintf("v%d", i)
	}
	return b.String() + "len(" + element + ") == 1"
}

func TestStepsAndMemoryAreBounded(t *testing.T) {
	scope := scopeOf(t, Whole, &document.Rubric)
	for _, tt := range []struct {
		reason, text, document, want string
	}{
		{"loops", `all(this.criteria, all(document.criteria, all(document.criteria, .threshold > 2)))`, large(2000, 1), "it takes too many steps on this document"},
		{"comparisons", `all(this.criteria, all(document.criteria, all(document.criteria, .description != "x")))`, large(200, 1000), "it takes too many steps on this document"},
		{"a pattern", `all(this.criteria, none(document.criteria, .description matches "a{100}b"))`, large(200, 1000), "it takes too many steps on this document"},
		{"words", `all(this.criteria, all(document.criteria, words(.description) == 1))`, large(200, 1000), "it takes too many steps on this document"},
		{"lists of lists", `all(map(this.criteria, map(document.criteria, split(.description, ""))), true)`, large(100, 1000), "it takes too much memory on this document"},
		{"lists that have another one often, and that others", lenOfLists(12), large(1, 1), "it takes too many steps on this document"},
		{"texts", `all(map(this.criteria, map(document.criteria, upper(.description))), true)`, large(100, 1000), "it takes too much memory on this document"},
	} {
		condition := must.Get(Compile(tt.text, scope))(t)
		_, err := condition.Holds(scope.Elements(read(t, &document.Rubric, tt.document))[0].Values, NewMeter(0))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: the error is %v, want %s", tt.reason, err, tt.want)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, text := range []string{
		`this.metadata.owner startsWith "@acme/"`, `all(this.criteria, words(.description) < 200)`, `let n = len(this.criteria); n > 1 ? true : false`,
		`id matches "^a" and version != ""`, `this.criteria[0].name == ""`, `sum(map(this.criteria, .threshold)) in [1, 2]`, `count(split(id, "_"), # == "a") > 0`,
	} {
		f.Add(text)
	}
	scope := scopeOf(f, Whole, &document.Rubric)
	elements := scope.Elements(read(f, &document.Rubric, aRubric))
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 {
			t.Skip()
		}
		condition, err := Compile(text, scope)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(text) || e.Message == "" {
				t.Fatalf("the error is %#v", err)
			}
			return
		}
		meter := NewMeter(len(aRubric))
		first, err := condition.Holds(elements[0].Values, meter)
		again, errAgain := condition.Holds(elements[0].Values, NewMeter(len(aRubric)))
		if first != again || (err == nil) != (errAgain == nil) {
			t.Fatalf("%v (%v) and then %v (%v)", first, err, again, errAgain)
		}
	})
}
