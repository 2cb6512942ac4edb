package httpclient

import (
	"crypto/tls"
	"errors"
	"net"
	"strings"
)

// Loopback reports whether a host, without a port, is this machine.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Explain replaces the error of a call that was answered without TLS, which otherwise is about
// records and handshakes. Another error stays as it is.
func Explain(err error) error {
	record := tls.RecordHeaderError{}
	// net/http has no type for the error that it makes of an answer that begins with HTTP.
	if !errors.As(err, &record) &&
		(err == nil || !strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")) {
		return err
	}
	return errors.New("it answers in plain HTTP, and only HTTPS is used, except on a loopback address such as localhost. Name a port with HTTPS, or put a proxy with TLS in front of it")
}
