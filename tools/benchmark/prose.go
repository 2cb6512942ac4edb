package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// author writes the texts of a rubric, which depend only on the seed.
type author struct {
	*rand.Rand
	artifact string // such as "test plan"
	subject  string // such as "invoice"
}

func (a *author) pick(words []string) string { return words[a.IntN(len(words))] }

// some returns n different words.
func (a *author) some(n int, words []string) []string {
	picked := make([]string, n)
	for i, at := range a.Perm(len(words))[:n] {
		picked[i] = words[at]
	}
	return picked
}

func (a *author) oneOf(variants ...string) string { return a.pick(variants) }

func (a *author) description() string {
	return fmt.Sprintf("Grades one %s about the %s of the %s. Only what is written counts, not what the %s knows.",
		a.artifact, a.subject, a.pick(places), a.pick(roles))
}

// criterion has the texts of a criterion.
type criterion struct {
	description string
	anchors     [5]string
	examples    [3]string // for the scores 1, 3 and 5
}

func (a *author) criterion() criterion {
	thing, role, p := a.pick(subjects), a.pick(roles), a.some(3, parts)
	ask := []func(thing, role string, p []string) criterion{a.askForParts, a.askForShare, a.askForErrors}
	c := ask[a.IntN(len(ask))](thing, role, p)
	// In a real library, criteria are less alike than those from one template.
	for _, text := range []*string{&c.description, &c.anchors[1], &c.anchors[3]} {
		*text += fmt.Sprintf(" (%d)", 100+a.IntN(900))
	}
	c.examples = [3]string{
		a.excerpt(a.sentence(), a.sentence()),
		a.excerpt(a.fact(thing, p[0]), a.sentence()),
		a.excerpt(a.fact(thing, p[0]), a.fact(thing, p[1]), a.fact(thing, p[2])),
	}
	return c
}

func (a *author) askForParts(thing, role string, p []string) criterion {
	return criterion{
		description: fmt.Sprintf("Are the %s, the %s and the %s pinned down? \"As the %s likes\" isn't a value.",
			p[0], p[1], p[2], role),
		anchors: [5]string{
			fmt.Sprintf("Nothing is pinned down: the %s has to guess.", role),
			fmt.Sprintf("One of the three has a value, most often the %s.", p[0]),
			fmt.Sprintf("Two have a value; what the %s asks about is the %s.", role, p[1]),
			fmt.Sprintf("All three have a value, but the %s lacks its unit.", p[2]),
			fmt.Sprintf("Each has a value that the %s can look up.", a.pick(roles)),
		},
	}
}

func (a *author) askForShare(thing, role string, p []string) criterion {
	return criterion{
		description: fmt.Sprintf("What share of the statements about the %s names the %s?", thing, p[0]),
		anchors: [5]string{
			fmt.Sprintf("No statement names the %s.", p[0]),
			fmt.Sprintf("Fewer than a third do – the other ones stop at the %s of the %s.", p[1], thing),
			"About half do; the rest can be completed from other passages.",
			fmt.Sprintf("All but one do, and the %s finds the one by its %s.", role, p[2]),
			fmt.Sprintf("Every statement does, together with the %s.", p[2]),
		},
	}
}

func (a *author) askForErrors(thing, role string, p []string) criterion {
	return criterion{
		description: fmt.Sprintf("How often does the text contradict itself about the %s of the %s?", p[0], thing),
		anchors: [5]string{
			fmt.Sprintf("Four contradictions or more: the %s can't tell which passage holds.", role),
			fmt.Sprintf("Three, or two that concern both the %s and the %s.", p[0], p[1]),
			"Two, in passages that lie far apart.",
			fmt.Sprintf("One; the %s settles it from the %s that is given nearby.", a.pick(roles), p[2]),
			fmt.Sprintf("None: the %s reads the same wherever it is mentioned.", p[0]),
		},
	}
}

// excerpt joins statements to a paragraph or a list.
func (a *author) excerpt(statements ...string) string {
	if a.IntN(3) == 0 {
		return "- " + strings.Join(statements, "\n- ") + "\n"
	}
	return strings.Join(statements, " ")
}

// fact is specific about one part of a thing.
func (a *author) fact(thing, part string) string {
	n := 2 + a.IntN(97)
	the := "The " + part + " of the " + thing + " is "
	switch a.IntN(6) {
	case 0:
		return the + fmt.Sprintf("%d days from %s.", n, a.pick(days))
	case 1:
		return the + fmt.Sprintf("%d.%d EUR for each %s.", n, 10+a.IntN(90), a.pick(subjects))
	case 2:
		return the + fmt.Sprintf("at %d of %d.", n, 100+a.IntN(900))
	case 3:
		return the + fmt.Sprintf("known to the %s at the %s.", a.pick(roles), a.pick(places))
	case 4:
		return the + fmt.Sprintf("%02d:%02d on %s.", a.IntN(24), a.IntN(60), a.pick(days))
	default:
		return the + fmt.Sprintf("written in %s-%d.", strings.ToUpper(a.pick(places)), n)
	}
}

// sentence returns a statement without specifics.
func (a *author) sentence() string {
	return a.oneOf(
		fmt.Sprintf("The %s %s the %s at the %s.", a.pick(roles), a.pick(verbs), a.pick(subjects), a.pick(places)),
		fmt.Sprintf("When the %s %s the %s, the %s is told.", a.pick(roles), a.pick(verbs), a.pick(subjects), a.pick(roles)),
		fmt.Sprintf("Each %s %s what the %s needs.", a.pick(roles), a.pick(verbs), a.pick(roles)),
	)
}

// pattern is a regular expression and a text that it matches.
type pattern struct{ expr, hit string }

// pattern returns an expression that hardly any other rubric has, so that a cache of
// expressions does not look better than in a real library.
func (a *author) pattern() pattern {
	v := a.some(3, vagueWords)
	x, y, z := v[0], v[1], v[2]
	the := func(format string, words ...any) string {
		return "The " + a.pick(subjects) + " is " + fmt.Sprintf(format, words...) + " for the " + a.pick(roles) + "."
	}
	all := []pattern{
		{`\b(?:` + x + `|` + y + `|` + z + `) enough\b`, the("%s enough", y)},
		{`\b` + x + `[- ](?:` + y + `|` + z + `)\b`, the("%s-%s", x, z)},
		{`\bas (?:` + x + `|` + y + `) as ` + z + `\b`, the("as %s as %s", x, z)},
		{`[ ,(](?:` + x + `|` + y + `)[.,;)]`, the("there (or %s)", x)},
		{`\b(?:if|where|when(?:ever)?) (?:` + x + `|` + y + `)\b`, the("checked where %s", y)},
		{`<[Ii]nsert (?:` + x + `|` + y + `|` + z + `) [\w ]+>`, the("<insert %s name here>", z)},
		{`\b` + x + `(?:ly|ness)?(?:,| and) ` + y + `\b`, the("%s and %s", x, y)},
		{`\bTODO(?:\(\w+\))?: *(?:` + x + `|` + y + `)`, "TODO(" + a.pick(roles) + "): " + x},
		{`\b\d{1,3}(?:\.\d+)? ?(?:` + x + `|` + y + `)\b`, the("within %d.5 %s", 1+a.IntN(99), x)},
		{`\b` + x + `(?: \w+){0,2} ` + y + `\b`, the("%s or even %s", x, y)},
		{`\{\{ ?` + x + `_` + y + ` ?\}\}`, the("{{ %s_%s }}", x, y)},
		{`\[(?:` + x + `|` + y + `) (?:` + z + `|[A-Z]+)\]`, the("[%s TBD]", x)},
		{`\b(?:more|less|rather) ` + x + `(?:er)? than ` + y + `\b`, the("more %s than %s", x, y)},
		{`\bnot? (?:very |that )?` + x + `(?: enough)? or ` + y, the("not that %s or %s", x, y)},
	}
	return all[a.IntN(len(all))]
}
