package bundles

import (
	"time"

	"github.com/rubric-library/rubric-library/internal/cli/command"
)

// serveCommand is one call of serve.
type serveCommand struct {
	command.Streams
	served
	listen, healthListen, digest, lastGood, headerFile, audit, actorHeader string
	connections                                                            int
	interval, cacheExact                                                   time.Duration
	downgrades                                                             bool
}
