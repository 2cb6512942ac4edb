package authoring

import (
	"fmt"
	"slices"
	"strings"
)

const (
	attributesFile = ".gitattributes"
	// unionLine lets a merge keep the ledger's lines of both sides.
	unionLine = ledgerFile + " merge=union"
)

// beginnings are the files that a library has from the start. If the first retirement created
// the ledger, two branches that each retire a document would conflict.
func beginnings() []File {
	return []File{
		{Path: ledgerFile, After: []byte(EmptyLedger), Note: "the ledger of retired documents, still empty"},
		{Path: attributesFile, After: []byte(unionLine + "\n"), Note: "lets branches that each retire a document merge"},
	}
}

// hasUnionLine reports whether a text has the line for the ledger.
func hasUnionLine(text string) bool {
	return slices.Contains(strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), unionLine)
}

// begin adds the beginnings to an edit that creates the first document of a library.
func (l *Local) begin(e *Edit) error {
	ledger, err := l.lstat(ledgerFile)
	if err != nil || ledger != nil || len(l.paths) > 0 {
		return err
	}
	files := beginnings()
	attributes, err := l.lstat(attributesFile)
	if attributes != nil {
		files = files[:1]
		if data, err := l.read(attributesFile); err != nil || !hasUnionLine(string(data)) {
			e.Warnings = append(e.Warnings, fmt.Sprintf("%s already exists: add the line %q, so that branches that each retire a document can merge",
				attributesFile, unionLine))
		}
	}
	e.Files = append(e.Files, files...)
	return err
}
