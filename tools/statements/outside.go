package main

import (
	"go/types"
	"slices"
	"strings"
)

// changers are beginnings of names of methods that change their receiver.
var changers = []string{
	"Write", "Add", "Set", "Store", "Swap", "Reset", "Put", "Delete", "Remove", "Push", "Pop", "Lock",
	"Unlock", "Do", "Close", "Sync",
}

// writers are beginnings of names of functions that change files, the environment, or a log.
var writers = map[string][]string{
	"fmt": {"Print"},
	"log": {""},
	"os": {"Chdir", "Chmod", "Chown", "Chtimes", "Create", "Exit", "Link", "Mkdir", "OpenFile", "Remove", "Rename",
		"Setenv", "Symlink", "Truncate", "Unsetenv", "Write"},
}

// outside is the effect of a function of another module, or of the standard library.
func outside(f *types.Func) effect {
	starts := func(prefix string) bool { return strings.HasPrefix(f.Name(), prefix) }
	if recv := f.Signature().Recv(); recv != nil {
		if leads(recv.Type()) && slices.ContainsFunc(changers, starts) {
			return effect{Changed: 1}
		}
		return effect{}
	}
	switch name := f.FullName(); {
	case name == "errors.New" || name == "fmt.Errorf":
		return effect{Creates: true}
	case strings.HasPrefix(name, "fmt.Fprint"), name == "io.WriteString", name == "io.Copy",
		strings.HasPrefix(name, "slices.Sort"), strings.HasPrefix(name, "maps.Copy"):
		return effect{Changed: 1}
	}
	return effect{Outside: f.Pkg() != nil && slices.ContainsFunc(writers[f.Pkg().Path()], starts)}
}
