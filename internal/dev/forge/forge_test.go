package forge_test

import "testing"

// TestForge plays what the pages say about Gitea on a real one, and every known way around the
// gate. .ci/gitea starts it.
func TestForge(t *testing.T) {
	f := startForge(t)
	t.Run("tutorial", f.tutorial)
	t.Run("release", f.release)
	t.Run("attempts", f.attempts)
	t.Run("hooks", f.hooks)
	t.Run("comments", f.comments)
	t.Run("runs", f.runs)
	t.Run("weekly", f.weekly)
	t.Run("reusable", f.reusable)
	t.Run("closed network", f.closed)
}
