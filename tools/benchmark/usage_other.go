//go:build !unix

package main

import (
	"os"
	"time"
)

// peakMemory and cpuTime are unknown on this system.
func peakMemory(*os.ProcessState) int64 { return 0 }
func cpuTime() time.Duration            { return 0 }
