package marker

import "testing"

func TestMarkers(t *testing.T) {
	for _, text := range []string{
		// alone
		"TODO", "todo", "Todo", "TBD", "tbd", "TBC", "FIXME", "XXX", "xxx", "XXXX", "N/A", "n/a", "N.A.", "???", "??", "...", "…",
		"....", "?", "-", "–", "---", "lorem ipsum", "Lorem ipsum", "ＴＯＤＯ", "？？？", "．．．", "。。。",
		// with signs
		"TODO.", "TODO!", "TBD?", "n/a.", "TODO:", "TODO …", "TODO...", "- TODO", "* TODO", "**TODO**", "_TBD_", "<TODO>", "[TBD]",
		"(TBD)", "{{TODO}}", "\"TODO\"", "`TODO`", "“TBD”", "# TODO", "// TODO", "<!-- TODO -->", "[...]", "(…)", "(???)", "TODO\n", "  TBD  ",
		"TODO1", "TODO 1", "TBD-2", "TBD_3",
		// several
		"TODO TODO", "TODO, TBD", "TODO/TBD", "TODO and FIXME", "TBD ???", "... TODO", "TODO\nTODO",
		// with a remark
		"TBD (ask Ann)", "TODO(ann)", "TODO [Ann]", "TODO: write this", "TODO:write", "TBD - ask Ann", "TBD – ask Ann", "TBD — Ann",
		"N/A: not at this level", "TODO. The text names the actor.", "TODO <ann@example.org>", "... (later)", "??? (ask Ann)", "???: ask Ann",
		"TODO = 3", "TODO: TODO markers are left in two sections", "TODO (ann): describe 1", "TBD (open", "n/a (no such work)",
		"TODO\nDescribe this", "TODO -> Ann",
		// followed by an order
		"TODO describe 1", "TODO write this", "FIXME later", "TBD by Ann", "TBD soon", "TODO Ann", "TODO anchor 1", "TODO for level 2",
		"todo describe 1", "Todo: write", "TODO add the text that is missing", "TODO describe what is different", "TODO this is wrong",
		"TODO I have to write this", "TODO brainstorm what is needed", "TODO ponder the levels that are needed", "TODO check names are unique",
		"**TODO** describe level 1", "[TODO] describe level 1", "TODO, describe level 1", "TODO please write", "TBD in March", "FIXME typo",
		"N/A for this score", "N/A because nothing is there", "TODO what does 2 mean?", "TODO someone has to write this", "??? describe 1",
		"TODO @ann", "TODO #12", "XXX rewrite", "(TODO describe 1)", "“TODO describe 1”", "TODO list the actors", "TODO note for Ann",
		// after a label
		"Level 2: TODO", "Score 1 - TBD", "1: TODO", "2) TBD", "Anchor for 3: TBD (ask Ann)", "Example: ???", "level 4: describe: TODO"[:8] + " TODO",
		"Level 2: ...", "Level 1 (TODO)", "> TODO", "- [ ] TODO",
		// a question about what to write
		"FIXME is this right?", "TODO are these enough?", "TODO is this right? Ask Ann.",
		// phrases
		"to be defined", "To be decided.", "(to be written)", "still to be done", "not yet written", "Not defined yet", "placeholder", "Placeholder text", "placeholder for level 2", "WIP",
		"tk", "coming soon", "Fill in", "fill me in later", "Text here", "Your text goes here", "Describe level 1 here", "insert text", "Insert a description here", "sample text",
		"[describe level 1]", "<what a 1 looks like>", "(fill in)", "[Your text]", "{{ describe the level }}", "asdf", "foo", "foo bar", "bla bla", "blah blah blah", "ditto", "see above",
		// filler
		"Lorem ipsum dolor sit amet, consectetur adipiscing elit.", "Lorem ipsum …",
	} {
		if Find(text, Context{English: true}) == None {
			t.Errorf("%q is a text", text)
		}
	}
}

func TestTexts(t *testing.T) {
	for _, text := range []string{
		"TODO markers are left in two sections", "TODO markers left in two sections", "TODOs are left", "TODO's are left", "TODO comments name an owner",
		"TODO is left in the text", "TBD is used where a date belongs", "TBD stands for a date", "N/A is a valid answer", "TODO or TBD appears in the text",
		"TODO, TBD, or ??? is left in a section", "TODO/FIXME comments remain", "TODO and FIXME comments are left", "FIXME notes remain in the code",
		"XXX marks are left in the text", "XXX marks the place", "\"TODO\" is left in two sections", "`TODO` comments are left", "“TBD” appears twice",
		"**TODO** markers are left", "[TBD] is left in the text", "TODO (or TBD) is left in two sections", "TODO-style comments are left", "TODO.md lists the open tasks",
		"TODO-Markierungen sind übrig", "TODO_LIST is empty", "N/A fields are explained", "TODO without an owner is left in the text", "TODO markers in the second section are left",
		"TODO or similar is left in the text", "TODO comments that have no owner", "TODO list entries are sorted", "Todo lists are complete", "todo items have an owner",
		"Todo el texto es claro.", "todo está explicado", "??? is left in the text", "??? appears where a number belongs", "... and the user signs in", "… as the audit showed",
		"...the file is empty", "A TODO is left", "No TODO is left", "Not available", "The text says TODO", "Names the actor. TODO: the reason", "Status: TBD",
		"It says: TODO", "The date is TBD", "xxx@example.org wrote", "XXX-large is used for headings", "XXL is used", "Nothing", "No", "A", "1", "5 of 5", "{}", "[]", "()", "\"\"",
		"Total", "Todos los datos", "Tbilisi", "Lorem ipsum text is left in two sections", "Lorem ipsum is left", "Level 2: names the actor", "Level 2", "1. Open the page", "1.5 seconds",
		"Score 1: TODO markers are left in the text", "N/A values are explained", "T", "Na", "xx", "Anna", "=>", "✓", "😀", "c++", "",
		"Example: the user signs in", "- The user signs in", "3 - 5 steps", "TODO remains", "TODO comments stay", "TBD is the only marker", "\"TODO:\" is left in two sections", "Level 1 (no step)", "TODO (a marker) is left",
		"TBD entries in the schedule have a date", "TODO tags carry a name",
		// about what a phrase says
		"To be defined terms are listed", "The date is to be defined", "A placeholder is left", "Placeholder values are replaced", "Not written by the team", "Not specified", "Not defined.", "Describe the level of the water",
		"[The user signs in]", "<title> is filled", "{} is empty", "The text is here", "Fill in the form", "Text", "Description", "Example", "None", "Nothing is described here", "What is missing is named",
	} {
		if Find(text, Context{English: true}) != None {
			t.Errorf("%q stands for a text", text)
		}
	}
}

// TestContexts: what is known about a text decides where words follow a marker.
func TestContexts(t *testing.T) {
	english, other := Context{English: true}, Context{}
	title := Context{English: true, Title: true}
	for _, c := range []struct {
		reason, text string
		c            Context
		want         Found
	}{
		{"a sentence has a verb", "TBC treatment", english, Remarked},
		{"a title need not have one", "TBC treatment", title, None},
		{"a title with a noun", "TODO comments", title, None},
		{"an order is not a title", "TODO find a name", title, Remarked},
		{"nor is a remark", "TBD (ask Ann)", title, Remarked},
		{"nor a marker", "TBD", title, Alone},
		{"in another language, two words are a remark", "TODO beschreiben", other, Remarked},
		{"more can be a sentence", "TODO steht in zwei Abschnitten", other, None},
		{"a sign settles it in any language", "TODO: steht in zwei Abschnitten", other, Remarked},
		{"a marker alone does, too", "todo", other, Alone},
		{"in Spanish, todo is a word", "Todo describe la causa", other, None},
		{"filler text is Latin in any language", "Lorem ipsum dolor sit amet", other, Remarked},
	} {
		if got := Find(c.text, c.c); got != c.want {
			t.Errorf("%s: %q is %d, want %d", c.reason, c.text, got, c.want)
		}
	}
}
