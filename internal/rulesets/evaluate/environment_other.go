//go:build !unix

package evaluate

import "os"

// systemEnvironment is what programs need on Windows beside SYSTEMROOT, which
// package os/exec adds.
func systemEnvironment(home string) []string {
	return []string{
		"PATHEXT=" + os.Getenv("PATHEXT"),
		"TEMP=" + home,
		"TMP=" + home,
		"USERPROFILE=" + home,
	}
}
