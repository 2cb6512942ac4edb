package forge_test

import "testing"

// TestForge plays what the pages say about Gitea on a real one. .ci/gitea starts it.
func TestForge(t *testing.T) {
	f := startForge(t)
	t.Run("tutorial", f.tutorial)
	t.Run("release", f.release)
	t.Run("closed network", f.closed)
}
