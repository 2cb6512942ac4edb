package rules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

type contentCheck struct {
	ruleset.Check
	path *schema.Path
	node *yamltree.Node
}

func eachContentCheck(p *lint.DocumentPass, do func(contentCheck)) {
	s := p.RuleSet()
	if s == nil {
		return
	}
	for i, rule := range p.Root().Get("rules").List() {
		at := lint.Key("rules").Elem(i, s.Rules[i].ID, "rule").Key("checks", "")
		for j, check := range rule.Get("checks").List() {
			if c := s.Rules[i].Checks[j]; c.Type == ruleset.CheckContent {
				do(contentCheck{c, at.Elem(j, "", "check"), check})
			}
		}
	}
}

// reportAt adds a finding at a key of the check.
func (c contentCheck) reportAt(p *lint.DocumentPass, key, format string, args ...any) {
	p.ReportAt(c.path.Key(key, ""), c.node.Get(key), format, args...)
}

// leastMatches returns how many matches the check needs. It is about present checks: absent ones
// ignore the counts.
func (c contentCheck) leastMatches() int {
	if c.MinCount == nil {
		return 1
	}
	return *c.MinCount
}

func checkNeverPasses(p *lint.DocumentPass) {
	eachContentCheck(p, func(c contentCheck) {
		switch least := c.leastMatches(); {
		case c.Expect == ruleset.ExpectAbsent || c.MaxCount == nil || least <= *c.MaxCount:
		case *c.MaxCount == 0 && least == 1:
			c.reportAt(p, "max_count", "Write expect: absent instead, or raise max_count: a match is needed but none is allowed, so no artifact passes.")
		default:
			c.reportAt(p, "max_count",
				"Raise max_count or lower min_count: %d matches are needed but only %d allowed, so no artifact passes.",
				least, *c.MaxCount)
		}
	})
}

func checkNeverFails(p *lint.DocumentPass) {
	eachContentCheck(p, func(c contentCheck) {
		if c.Expect != ruleset.ExpectAbsent && c.leastMatches() == 0 && c.MaxCount == nil {
			c.reportAt(p, "min_count", "Add max_count or raise min_count: every artifact has 0 or more matches, so the check never fails.")
		}
	})
}

// shells are the programs that read an argument as commands.
var shells = []string{"sh", "bash", "dash", "zsh", "ksh", "fish", "csh", "tcsh", "cmd", "powershell", "pwsh"}

func shellCheck(p *lint.DocumentPass) {
	eachRule(p, func(at *schema.Path, rule *yamltree.Node) {
		for i, check := range rule.Get("checks").List() {
			command := check.Get("command").List()
			if len(command) > 1 && program(command[0].Text()) == "env" {
				command = command[1:]
			}
			in := at.Key("checks", "").Elem(i, "", "check").Key("command", "")
			if len(command) == 0 || !slices.Contains(shells, program(command[0].Text())) {
				writtenForShell(p, in, command)
				continue
			}
			p.ReportAt(in, command[0],
				"Run the program itself, or add an ignore comment that says why a shell is needed: %s runs its arguments as commands, and differs between machines.", schema.Quote(command[0].Text()))
		}
	})
}

// ownLanguages are programs whose arguments can look like parts of a shell's language.
var ownLanguages = strings.Fields("awk gawk mawk nawk jq sed perl find fd xargs parallel expr test [")

// shellParts are what only a shell replaces in an argument, and what to write instead.
var shellParts = []struct {
	pattern func() *regexp.Regexp
	advice  string
	isGlob  bool
}{
	{schema.Operator, "Run one program, with its arguments: no shell reads this command, so %s is only an argument.", false},
	{
		lazy.Expr("^(?:--?[\\w-]+=)?(?:\\$(?:\\w+|\\{\\w+\\}|[@*#])(?:/.*)?|\\$\\(.*\\)|`.*`|%(?:[0-9*]|\\w+%))$"),
		"Write {artifact} for the artifact, or the text itself: no shell reads this command, so %s stays as it is.", false,
	},
	{
		lazy.Expr(`^(?:--?[\w-]+=)?(?:\{+ *[A-Za-z_]\w* *\}+|<(?:artifact|file|path|input)>|[{(\[<$%]?artifact[})\]>%])$|^[{(\[<%]artifact$`),
		"Write {artifact}: nothing else is replaced in a command, so %s stays as it is.", false,
	},
	{lazy.Expr(`^\{\}$`), "Write {artifact}: nothing else is replaced in a command, so %s stays as it is.", false},
	{
		lazy.Expr(`^(?:"[^"]*\{artifact\}[^"]*"|'[^']*\{artifact\}[^']*')$`),
		"Remove the quotes inside of %s: no shell reads this command, so they are part of the file name.", false,
	},
	{lazy.Expr(`^~/.`), "Write the path without ~: no shell reads this command, so %s stays as it is.", false},
	{
		lazy.Expr(`^(?:[\w-]+/|\.{1,2}/|\*{1,2}/)*(?:\*|[\w-]*\*[\w*-]*\.\w+|[\w-]*\?[\w-]*\.[a-z]+|[\w.*-]*\{[a-z]+(?:,[a-z]+)+\}[\w.]*)$`),
		"Write {artifact}, or run a program that searches the folder itself: no shell reads this command, so %s stays as it is.", true,
	},
}

// readGlobs are programs that search the folder for the names of a pattern themselves, also after a
// program that only starts others.
var (
	readGlobs = strings.Fields("git twine prettier eslint stylelint markdownlint-cli2 cspell mocha jest vitest dpdm rg fd")
	starters  = strings.Fields("npx bunx pnpx pnpm yarn")
)

func readsGlobs(command []*yamltree.Node) bool {
	if len(command) > 1 && slices.Contains(starters, program(command[0].Text())) {
		command = command[1:]
	}
	return slices.Contains(readGlobs, program(command[0].Text()))
}

// standIn matches the name of a file that stands for any artifact.
var standIn = lazy.Expr(`^(?:\./)?(\w+)\.(?:md|txt|html|json|yaml|csv|pdf|docx|xml|rst)$`)

// isStandIn reports whether an argument is a file with the name of the artifact's type, or one such
// as artifact.md.
func isStandIn(argument, artifactType string) bool {
	m := standIn().FindStringSubmatch(argument)
	if m == nil {
		return false
	}
	name := strings.ToLower(m[1])
	words := append(strings.Split(artifactType, "_"), artifactType, "artifact", "document", "draft", "example",
		"file", "input", "sample")
	return slices.ContainsFunc(words, func(word string) bool { return name == word || name+"s" == word })
}

// isOption reports whether an argument is the artifact as the value of an option: --input={artifact}.
func isOption(text string) bool {
	option, isArtifact := strings.CutSuffix(text, "={artifact}")
	return isArtifact && strings.HasPrefix(option, "-")
}

// takesPattern matches the options that a pattern of file names follows.
var takesPattern = lazy.Expr(`^(?:-g|-e|-p|-x|--?(?:i?name|i?path|i?glob|regexp?|include|exclude|ignore|pattern)(?:-\w+)?)$`)

// writtenForShell reports the first argument of a command that only a shell would replace, or a
// command whose words only a shell would separate.
func writtenForShell(p *lint.DocumentPass, at *schema.Path, command []*yamltree.Node) {
	if len(command) == 0 {
		return
	}
	for _, argument := range command[1:] {
		if substitution().MatchString(argument.Text()) {
			p.ReportAt(at, argument,
				"Run one program that does all of the check: no shell reads this command, so %s stays as it is.",
				schema.Quote(argument.Text()))
			return
		}
	}
	if slices.Contains(ownLanguages, program(command[0].Text())) || programForShell(p, at, command) {
		return
	}
	for i := range command {
		if wordForShell(p, at, command, i) {
			return
		}
	}
}

// wordForShell reports a word of a command that only a shell would replace, or a file that stands
// for the artifact.
func wordForShell(p *lint.DocumentPass, at *schema.Path, command []*yamltree.Node, i int) bool {
	word, text := command[i], command[i].Text()
	switch {
	case text == "{artifact}":
		return false
	case i == 0 && !strings.HasPrefix(text, "~") && !strings.HasPrefix(text, "$"):
		return false // the name of a program
	case i > 0 && takesPattern().MatchString(command[i-1].Text()):
		return false
	}
	for _, part := range shellParts {
		if part.pattern().MatchString(text) && !(part.isGlob && readsGlobs(command)) && !isOption(text) {
			p.ReportAt(at, word, part.advice, schema.Quote(text))
			return true
		}
	}
	if i == 0 || !isStandIn(text, p.Root().Get("artifact_type").Text()) {
		return false
	}
	p.ReportAt(at, word, "Write {artifact}: each artifact has its own name, so %s is another file, or none.", schema.Quote(text))
	return true
}

// programForShell reports a command whose program is nothing that can be started without a shell.
func programForShell(p *lint.DocumentPass, at *schema.Path, command []*yamltree.Node) bool {
	name := command[0].Text()
	list := schema.Command(name)
	switch {
	case severalWords().MatchString(name) && len(command) > 1:
		p.ReportAt(at, command[0],
			"Write each word of %s as an element of its own: no shell separates them, and no program has this name.",
			schema.Quote(name))
	case len(command) == 1 && strings.ContainsAny(strings.TrimSpace(name), " \t\n") && list != "":
		p.ReportAt(at, command[0], "Write %s: no shell separates the words of this text.", list)
	case len(command) == 1 && strings.ContainsAny(strings.TrimSpace(name), " \t\n"):
		p.ReportAt(at, command[0], "Write the program and its arguments as elements of the list: no shell separates the words of this text.")
	case slices.Contains(builtins, name) || assignment().MatchString(name):
		p.ReportAt(at, command[0],
			"Begin with the program that does the check: %s is for a shell, and no shell reads this command.", schema.Quote(name))
	default:
		return false
	}
	return true
}

// substitution matches a command whose output a shell would put there.
var substitution = lazy.Expr(`^\$\([a-z]\w* .*\)$`)

// severalWords matches a program with its first arguments.
var severalWords = lazy.Expr(`^[\w.-]+(?: +[\w.={}/*-]+)+$`)

// builtins are commands of shells that are not programs.
var builtins = strings.Fields("cd source . export set unset alias eval exec ulimit umask if for while ! {")

// assignment matches the value of a variable before a command.
var assignment = lazy.Expr(`^[A-Za-z_]\w*=`)

// program returns the name of a program without its folder and .exe.
func program(command string) string {
	name := strings.ToLower(command[strings.LastIndexAny(command, `/\`)+1:])
	return strings.TrimSuffix(name, ".exe")
}

func eachRule(p *lint.DocumentPass, do func(at *schema.Path, rule *yamltree.Node)) {
	if !p.Is(&document.RuleSet) {
		return
	}
	for i, rule := range p.Root().Get("rules").List() {
		do(lint.Key("rules").Elem(i, rule.Get("id").Text(), "rule"), rule)
	}
}
