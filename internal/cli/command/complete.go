package command

import (
	"os"
	"path/filepath"
	"regexp"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// ValuesKey is the annotation of a flag that lists its values.
const ValuesKey = "values"

// flagValues complete the values of flags by name. A name means the same in every
// command.
var flagValues = map[string]cobra.CompletionFunc{
	"artifact-type": artifactTypes,
	"base":          revisions,
	"ci":            oneOf(authoring.CINames()...),
	"dataset":       datasets,
	"explain":       lintRules,
	"fail-level":    oneOf("error", "warning"),
	"labeled-by":    oneOf("people", "authors", "model"),
	"phase":         oneOf("A", "B"),
	"replaced-by":   documents(""),
	"rev":           revisions,
	"rubric":        rubricOfFlag,
	"rule-set":      referencesTo(bundlefile.KindRuleSet),
	"show":          oneOf(ShowNotes),
}

// argumentValues complete the arguments of commands by name. The arguments of other
// commands are files.
var argumentValues = map[string]cobra.CompletionFunc{
	"build":       upTo(1, revisions),
	"check":       documents(bundlefile.KindRubric),
	"comment":     commentHosts,
	"diff":        upTo(2, revisions),
	"fork":        upTo(1, documents("")),
	"export":      referencesOfFrom,
	"get":         referencesOfFrom,
	"reaffirm":    upTo(1, datasets),
	"report":      documents(bundlefile.KindRubric),
	"retire":      upTo(1, documents("")),
	"rubric-diff": upTo(2, revisions),
	"weekly":      documents(bundlefile.KindRubric),
	"yank":        upTo(2, publishedVersions),
}

// addCompletions adds the completion of flags and arguments to a command and its
// subcommands. cobra never drops the functions of flags, so only a process that
// completes calls it.
func addCompletions(cmd *cobra.Command) {
	if complete := argumentValues[cmd.Name()]; complete != nil {
		cmd.ValidArgsFunction = complete
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		complete := flagValues[f.Name]
		if known := f.Annotations[ValuesKey]; known != nil {
			complete = oneOf(known...)
		}
		if complete != nil {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, complete) // the flag is there
		}
	})
	for _, c := range cmd.Commands() {
		addCompletions(c)
	}
}

func oneOf(words ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// upTo completes at most that many arguments.
func upTo(most int, complete cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return complete(cmd, args, prefix)
	}
}

// commentHosts completes the host, and then a file.
func commentHosts(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return []cobra.Completion{"gitea", "forgejo", "gitlab"}, cobra.ShellCompDirectiveNoFileComp
}

func lintRules(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var ids []cobra.Completion
	config, _ := lint.LoadConfig(safefile.DirFS(libraryOf(cmd)), rules.All()) // without one, there are no other rules
	for _, r := range config.AddOwn(rules.All()) {
		ids = append(ids, cobra.CompletionWithDesc(r.ID, sanitize.Line(r.Summary)))
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// revisions completes branches and tags, and also files: most arguments that take a
// revision also take a folder.
func revisions(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	w := OpenWorkspace()
	defer w.Close()
	if w.Repo == nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	names, _ := w.Repo.Names() // without them, there are still files
	return plain(names), cobra.ShellCompDirectiveDefault
}

// plain are the names that a terminal shows unchanged.
func plain(names []string) []cobra.Completion {
	var out []cobra.Completion
	for _, name := range names {
		if sanitize.Line(name) == name {
			out = append(out, name)
		}
	}
	return out
}

func artifactTypes(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return plain(TypesIn(libraryOf(cmd))), cobra.ShellCompDirectiveNoFileComp
}

func datasets(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	names, _ := calibration.Names(safefile.DirFS(libraryOf(cmd))) // without a library there are none
	return plain(names), cobra.ShellCompDirectiveNoFileComp
}

// TypesIn are the artifact types in the library of a folder, by the names of its folders.
func TypesIn(root string) []string {
	var types []string
	entries, _ := os.ReadDir(filepath.Join(root, lint.Root)) // without a library there are none
	for _, e := range entries {
		if e.IsDir() && folderName.MatchString(e.Name()) {
			types = append(types, e.Name())
		}
	}
	return types
}

// ShowNotes is the only value of --show.
const ShowNotes = "notes"

var folderName = regexp.MustCompile(`^[a-z0-9_]+$`)
