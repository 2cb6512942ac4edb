package lint

import lib "github.com/rubric-library/rubric-library/internal/library"

// The files of a library, as internal/library names them.
const (
	Root           = lib.Root
	LedgerFile     = lib.LedgerFile
	ExceptionsFile = lib.ExceptionsFile
	ConfigFile     = lib.ConfigFile
)

// Entry is a file or folder below Root.
type Entry = lib.Entry
