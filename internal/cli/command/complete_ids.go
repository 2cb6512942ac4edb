package command

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/release"
)

// libraryOf is the value of --library, or the library that contains the working folder.
func libraryOf(cmd *cobra.Command) string {
	if f := cmd.Flag("library"); f != nil && f.Changed {
		return f.Value.String()
	}
	return cmp.Or(nearest(), ".")
}

// documents completes the IDs of the library's documents of a kind; "" means any.
func documents(kind string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return documentIDs(libraryOf(cmd), kind), cobra.ShellCompDirectiveNoFileComp
	}
}

// inThisOrder is for versions, which a shell would sort as words.
const inThisOrder = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder

// referencesTo completes the IDs of documents of a kind, "" for any, and after ID@ the versions, of
// the library of the command.
func referencesTo(kind string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return references(libraryOf(cmd), kind, prefix), inThisOrder
	}
}

// referencesOfFrom completes FROM, and references to documents in it or in the library here.
func referencesOfFrom(_ *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	from, rest := SplitFrom(args)
	switch {
	case len(rest) > 0:
		return nil, cobra.ShellCompDirectiveNoFileComp
	case from == "" && !strings.Contains(prefix, "@"):
		return references(nearest(), "", prefix), cobra.ShellCompDirectiveDefault
	}
	return references(cmp.Or(from, nearest()), "", prefix), inThisOrder
}

// references completes the IDs in a bundle or a folder, and after ID@ the versions that it has, the
// highest first, without those that are yanked.
func references(from, kind, prefix string) []cobra.Completion {
	id, _, hasVersion := strings.Cut(prefix, "@")
	if !hasVersion {
		return documentIDs(from, kind)
	}
	var texts []cobra.Completion
	readQuietly(from, func(l *Opened) error {
		entry, err := l.Entry(id)
		if err != nil || kind != "" && kind != string(entry.Kind) {
			return err
		}
		for _, v := range slices.Backward(entry.Available()) {
			if v.Yanked == "" {
				texts = append(texts, id+"@"+v.Version)
			}
		}
		return nil
	})
	return texts
}

// readQuietly reads the library in a bundle or a folder, or for "" the one here. What can't be read
// has nothing to complete.
func readQuietly(from string, use func(*Opened) error) {
	l, err := FindLibrary(Place{From: from}, nil)
	if err == nil {
		_ = (Streams{Err: io.Discard}).ReadLibrary(l, use)
	}
}

// publishedVersions completes an ID, and after it the versions of the document that are published
// and, unless --withdraw is set, not yanked, the newest first.
func publishedVersions(
	cmd *cobra.Command, args []string, prefix string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	root := nearest()
	if len(args) == 0 {
		return documentIDs(root, ""), cobra.ShellCompDirectiveNoFileComp
	}
	versions := published(root, cmd.Flag("base").Value.String(), args[0])
	if !cmd.Flag("withdraw").Changed {
		readQuietly(root, func(l *Opened) error {
			versions = slices.DeleteFunc(versions, func(v string) bool { return l.Yanked(args[0], v) != "" })
			return nil
		})
	}
	return plain(versions), inThisOrder
}

// rubricOfFlag completes the ID of a rubric, and for an import of scores after ID@ the published
// versions, the newest first.
func rubricOfFlag(cmd *cobra.Command, _ []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	id, _, hasVersion := strings.Cut(prefix, "@")
	if cmd.Name() != "import" || !hasVersion {
		return documentIDs(libraryOf(cmd), bundlefile.KindRubric), cobra.ShellCompDirectiveNoFileComp
	}
	var texts []string
	for _, v := range published(libraryOf(cmd), "", id) {
		texts = append(texts, id+"@"+v)
	}
	return plain(texts), inThisOrder
}

// published are the published versions of a document of the library with this root, the newest
// first, or none if they are unknown.
func published(root, base, id string) []string {
	repo, err := gitrepo.Open(root)
	if err != nil {
		return nil
	}
	defer repo.Close()
	origin, err := (Streams{Getenv: os.Getenv}).Origin(repo, root, base)
	if err != nil {
		return nil
	}
	versions, _ := origin.PublishedVersions(id) // without them, there is nothing to complete
	return versions
}

// documentIDs are the IDs in a bundle or a folder.
func documentIDs(from, kind string) []cobra.Completion {
	if info, err := os.Stat(from); err == nil && info.IsDir() {
		return folderIDs(from, kind)
	}
	var ids []cobra.Completion
	readQuietly(from, func(l *Opened) error {
		entries, err := release.Entries(l.Library)
		for _, e := range entries {
			if kind == "" || kind == string(e.Kind) {
				ids = append(ids, e.ID)
			}
		}
		return err
	})
	return ids
}

// idLine matches the line of a document that has the ID.
var idLine = regexp.MustCompile(`(?m)^(rubric|ruleset)_id:\s*["']?([a-z0-9_]+)`)

// folderIDs are the IDs in a folder. It matches one line of each document, so it also
// finds the IDs of broken documents.
func folderIDs(dir, kind string) []cobra.Completion {
	var ids []cobra.Completion
	fsys := gitrepo.NewWorkTree(filepath.Clean(dir))
	entries, _ := library.List(fsys) // without a library there are none
	for _, e := range entries {
		if !e.IsDocument() {
			continue
		}
		data, err := safefile.ReadFile(fsys, e.Path)
		found := idLine.FindSubmatch(data)
		if err == nil && found != nil && (kind == "" || strings.ReplaceAll(kind, "_", "") == string(found[1])) {
			ids = append(ids, string(found[2]))
		}
	}
	slices.Sort(ids)
	return ids
}
