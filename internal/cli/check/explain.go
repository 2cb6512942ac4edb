package check

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/printer"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// rulesHere are all lint rules, with those of the library around the working folder, if there is
// one.
func (l *lintCommand) rulesHere() ([]*lint.Rule, error) {
	here, err := command.FindLibrary(command.Place{Anywhere: true}, nil)
	if err != nil {
		return nil, err
	}
	if here.Root == "" && l.config == "" {
		return rules.All(), nil
	}
	config, err := l.loadConfig(gitrepo.NewWorkTree(here.Root))
	if err != nil {
		return nil, err
	}
	return config.AddOwn(rules.All()), nil
}

// explainRule explains the lint rule with an ID. program is how the command was called.
func explainRule(w io.Writer, all []*lint.Rule, id, program string) error {
	if rule := lint.Find(all, id); rule != nil {
		return printer.Explain(w, rule)
	}
	if slices.Contains(lint.Removed, id) {
		_, err := fmt.Fprintf(w, "The lint rule %s was removed. A configuration, an ignore comment, or a baseline that names it gets a note.\n", id)
		return err
	}
	var ids, family []string
	for _, r := range all {
		ids = append(ids, r.ID)
		if strings.EqualFold(fmt.Sprint(r.Family), id) {
			family = append(family, r.ID)
		}
	}
	if len(family) > 0 {
		return fmt.Errorf("%q is a group of lint rules. Name one of them: %s", id, strings.Join(family, ", "))
	}
	return fmt.Errorf("unknown lint rule %q%s\n`%s --list-rules` lists them",
		id, suggest.Question(". Did you mean %q?", id, ids), program)
}
