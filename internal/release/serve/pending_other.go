//go:build !unix

package serve

import "net"

// pending reports whether bytes have arrived that nobody has read, as far as the system can say.
func pending(net.Conn) bool { return false }
