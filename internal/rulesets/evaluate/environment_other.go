//go:build !unix

package evaluate

import "os"

// systemEnvironment returns the variables that programs need on Windows, in addition to
// SYSTEMROOT, which os/exec adds.
func systemEnvironment(home string) []string {
	return []string{
		"PATHEXT=" + os.Getenv("PATHEXT"),
		"TEMP=" + home,
		"TMP=" + home,
		"USERPROFILE=" + home,
	}
}
