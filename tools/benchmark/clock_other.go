//go:build !linux

package main

import "time"

// threadTime is unknown on this system.
func threadTime() time.Duration { return 0 }
