package rulesets

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

func base() *Setup {
	return New([]ruleset.Rule{
		{ID: "a.correctness.endpoints", Description: "All endpoints are there", Severity: ruleset.SeverityFail, Weight: 2, Phase: ruleset.PhaseA, Check: "Compare them with the task."},
		{ID: "a.style.naming", Description: "Names are alike", Severity: ruleset.SeverityWarn, Weight: 1, Phase: ruleset.PhaseA, Check: "Compare the names."},
		{ID: "b.performance.paging", Description: "Lists are paged", Severity: ruleset.SeverityWarn, Weight: 3, Phase: ruleset.PhaseB, Check: "Look at lists."},
		{ID: "a.style.notes", Description: "Notes", Severity: ruleset.SeverityInfo, Weight: 0, Phase: ruleset.PhaseA, Check: "Count them."},
	}, 0.8)
}

// short is a setup's rules, a line each, without the checks of the base template.
func short(s *Setup) string {
	var b strings.Builder
	for _, r := range s.Rules {
		fmt.Fprintf(&b, "%s %s %v %s | %s\n", r.ID, r.Severity, r.Weight, r.Phase, r.Description)
	}
	return b.String()
}

const (
	endpoints = "a.correctness.endpoints fail 2 A | All endpoints are there\n"
	naming    = "a.style.naming warn 1 A | Names are alike\n"
	paging    = "b.performance.paging warn 3 B | Lists are paged\n"
	notes     = "a.style.notes info 0 A | Notes\n"
)

func TestAnswersMakeRules(t *testing.T) {
	tests := []struct {
		reason string
		do     func(*Setup) error
		want   string
	}{
		{"the ID of a rule makes it mandatory, with the weight of that", func(s *Setup) error { return s.AddMandatory("a.style.naming") },
			endpoints + "a.style.naming fail 2 A | Names are alike\n" + paging + notes},
		{"a custom weight is kept", func(s *Setup) error { return s.AddMandatory("b.performance.paging") },
			endpoints + naming + "b.performance.paging fail 3 B | Lists are paged\n" + notes},
		{"an info rule gets a weight when it counts", func(s *Setup) error { return s.Preference(" a.style.notes ") },
			endpoints + naming + paging + "a.style.notes warn 1 A | Notes\n"},
		{"words become a rule", func(s *Setup) error { return s.AddMandatory("Every list endpoint is paginated, with a cursor.") },
			endpoints + naming + paging + notes + "a.task.every_list_endpoint_paginated_cursor fail 2 A | Every list endpoint is paginated, with a cursor.\n"},
		{"words with an ID become that rule", func(s *Setup) error { return s.Preference("b.style.order = Sections are in order") },
			endpoints + naming + paging + notes + "b.style.order warn 1 B | Sections are in order\n"},
		{"an equals sign in a sentence is no ID", func(s *Setup) error { return s.Preference("limit=50 is the default") },
			endpoints + naming + paging + notes + "a.task.limit_50_is_the_default warn 1 A | limit=50 is the default\n"},
		{"the same words twice are two rules", func(s *Setup) error {
			if err := s.AddMandatory("Tests exist"); err != nil {
				return err
			}
			return s.AddMandatory("Tests exist")
		}, endpoints + naming + paging + notes + "a.task.tests_exist fail 2 A | Tests exist\na.task.tests_exist_2 fail 2 A | Tests exist\n"},
		{"the ideal result is a rule a line, of phase B", func(s *Setup) error {
			return s.SetIdeal("A client can be generated.\n\nIt has:\n- 1 example for\n  every endpoint\n- errors by RFC 9457\n")
		}, endpoints + naming + paging + notes +
			"b.task.a_client_can_be_generated warn 1 B | A client can be generated.\n" +
			"b.task.example_for_every_endpoint warn 1 B | 1 example for every endpoint\n" +
			"b.task.errors_by_rfc_9457 warn 1 B | errors by RFC 9457\n"},
		{"no ideal result", func(s *Setup) error { return s.SetIdeal(" \n") }, endpoints + naming + paging + notes},
		{"a rule goes", func(s *Setup) error { return s.Remove("a.style.naming") }, endpoints + paging + notes},
		{"severity and weight are adjusted", func(s *Setup) error {
			if err := s.Adjust("a.style.naming.severity = fail"); err != nil {
				return err
			}
			return s.Adjust("a.correctness.endpoints.weight=4.5")
		}, "a.correctness.endpoints fail 4.5 A | All endpoints are there\na.style.naming fail 2 A | Names are alike\n" + paging + notes},
		{"a description can have any sign", func(s *Setup) error { return s.Adjust("a.style.naming.description=a=b.c=d") },
			endpoints + "a.style.naming warn 1 A | a=b.c=d\n" + paging + notes},
		{"a rule is added as in a rule set", func(s *Setup) error {
			return s.Add(ruleset.Rule{ID: "b.security.tokens", Description: "Tokens expire", Severity: ruleset.SeverityFail, Weight: 2.5})
		}, endpoints + naming + paging + notes + "b.security.tokens fail 2.5 B | Tokens expire\n"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			s := base()
			must.Do(t, tt.do(s))
			if diff := cmp.Diff(tt.want, short(s)); diff != "" {
				t.Errorf("rules (-want +got):\n%s", diff)
			}
			for _, r := range s.Rules {
				if r.Check == "" {
					t.Errorf("%s has no check", r.ID)
				}
			}
		})
	}
}

func TestAnAnswerThatCantBeTakenChangesNothing(t *testing.T) {
	tests := []struct {
		reason string
		do     func(*Setup) error
		want   string
	}{
		{"nothing said", func(s *Setup) error { return s.AddMandatory("  ") }, "the answer is empty: expected a requirement or the ID of a rule"},
		{"a misspelled ID", func(s *Setup) error { return s.AddMandatory("a.style.namng") },
			`the rule "a.style.namng" does not exist. Did you mean a.style.naming? To add a rule with this ID, write a.style.namng=TEXT`},
		{"an ID in capitals", func(s *Setup) error { return s.Preference("A.Style.Order=Sections are in order") },
			`the rule "A.Style.Order" is not valid: "id" must be three lowercase parts joined by dots: the phase a or b, the category, and the aspect, such as a.correctness.endpoints, got "A.Style.Order". Did you mean "a.style.order"?`},
		{"an ID that is there", func(s *Setup) error { return s.AddMandatory("a.style.naming=Names") },
			`the rule a.style.naming already exists ("Names are alike"). Adjust it with a.style.naming.FIELD=VALUE or use another ID`},
		{"a line of the ideal result", func(s *Setup) error { return s.SetIdeal("It works\na.style.nming") },
			`the rule "a.style.nming" does not exist. Did you mean a.style.naming? To add a rule with this ID, write a.style.nming=TEXT`},
		{"removing what is not there", func(s *Setup) error { return s.Remove("b.performance.pagin") }, `the rule "b.performance.pagin" does not exist. Did you mean b.performance.paging?`},
		{"an adjustment without a value", func(s *Setup) error { return s.Adjust("a.style.naming.weight") },
			`"a.style.naming.weight" is not an adjustment: expected ID.FIELD=VALUE, such as a.style.naming.severity=fail`},
		{"an adjustment without a field", func(s *Setup) error { return s.Adjust("a.style.naming=fail") },
			`the rule "a.style" does not exist. An adjustment is ID.FIELD=VALUE`},
		{"a misspelled field", func(s *Setup) error { return s.Adjust("a.style.naming.wieght=2") },
			`"wieght" is not an adjustable field: expected description, severity, weight, or check. To change the ID or the phase, remove the rule and add another one`},
		{"words of another script without a name", func(s *Setup) error { return s.Preference("Все поля описаны") },
			`"Все поля описаны" has no word that an ID can be derived from. Write a.task.NAME=TEXT with a name of lowercase letters from a to z and digits`},
		{"the phase", func(s *Setup) error { return s.Adjust("a.style.naming.phase=B") }, `"phase" is not an adjustable field: expected description, severity, weight, or check. To change the ID or the phase, remove the rule and add another one`},
		{"a weight in words", func(s *Setup) error { return s.Adjust("a.style.naming.weight=two") }, `the weight of a.style.naming must be a number such as 2, got "two"`},
		{"a weight of 0", func(s *Setup) error { return s.Adjust("a.style.naming.weight=0") }, `the rule "a.style.naming" is not valid: Write a weight above 0, or make the rule info: with 0, it does not count in the score.`},
		{"a weight for info", func(s *Setup) error { return s.Adjust("a.style.notes.weight=1") }, `the rule "a.style.notes" is not valid: Remove the weight or write 0: the rule is info, so it is recorded but never scored.`},
		{"another severity", func(s *Setup) error { return s.Adjust("a.style.naming.severity=error") },
			`the rule "a.style.naming" is not valid: "severity" must be "fail", "warn", or "info", got "error".`},
		{"a rule of the other phase", func(s *Setup) error {
			return s.Add(ruleset.Rule{ID: "b.x.y", Phase: ruleset.PhaseA, Severity: ruleset.SeverityWarn, Weight: 1, Description: "d"})
		}, `the rule "b.x.y" is not valid: Write phase B, or begin the ID with a: people read the phase from the ID.`},
		{"a new rule that counts, with a weight of 0", func(s *Setup) error {
			return s.Add(ruleset.Rule{ID: "b.x.y", Severity: ruleset.SeverityWarn, Description: "d"})
		}, `the rule "b.x.y" is not valid: Write a weight above 0, or make the rule info: with 0, it does not count in the score.`},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			s := base()
			err := tt.do(s)
			if err == nil {
				t.Fatal("no error")
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(base(), s, cmp.AllowUnexported(Setup{})); diff != "" {
				t.Errorf("the setup changed (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("the last rule stays", func(t *testing.T) {
		s := New(base().Rules[:1], 0.8)
		if err := s.Remove("a.correctness.endpoints"); err == nil {
			t.Error("no rule is left")
		}
	})
}

// TestRulesAreAlwaysWhole checks arbitrary answers in any order.
func TestRulesAreAlwaysWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := base()
		for range rapid.IntRange(1, 12).Draw(t, "answers") {
			answer := rapid.OneOf(
				rapid.String(), rapid.SampledFrom([]string{"a.style.naming", "b.x.y=Text", "a.style.naming.severity=info", "a.style.naming.weight=2", "=", "a.b.c.d=e"}),
			).Draw(t, "answer")
			do := rapid.SampledFrom([]func(string) error{s.AddMandatory, s.Preference, s.SetIdeal, s.Remove, s.Adjust}).Draw(t, "way")
			_ = do(answer) // an error is an answer too
			seen := map[string]bool{}
			for _, r := range s.Rules {
				if err := valid(&r); err != nil {
					t.Fatalf("after %q: %v", answer, err)
				}
				if seen[r.ID] {
					t.Fatalf("after %q: two rules %s", answer, r.ID)
				}
				seen[r.ID] = true
			}
		}
	})
}

func TestANewInstructionDropsChecksOfTheOldOne(t *testing.T) {
	rules := base().Rules
	rules[0].Checks = []ruleset.Check{{Type: ruleset.CheckContent, Literal: "GET /"}}
	s := New(rules, 0.8)
	if err := s.Adjust("a.correctness.endpoints.weight=3"); err != nil || len(s.Rules[0].Checks) != 1 {
		t.Errorf("after another weight: checks %v, error %v", s.Rules[0].Checks, err)
	}
	if err := s.Adjust("a.correctness.endpoints.check=Look for POST /orders"); err != nil || s.Rules[0].Checks != nil {
		t.Errorf("after another instruction: checks %v, error %v", s.Rules[0].Checks, err)
	}
}

func TestParseThreshold(t *testing.T) {
	for text, want := range map[string]float64{"0": 0, "0.8": 0.8, "1": 1, "80": -1, "-0.1": -1, "NaN": -1, "80%": -1, "": -1} {
		got, err := ParseThreshold(text)
		if (err != nil) != (want < 0) || err == nil && got != want {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
}
