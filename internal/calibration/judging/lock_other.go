//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package judging

import "os"

const renamesOpenFiles = false

func lock(*os.File) error { return nil }
