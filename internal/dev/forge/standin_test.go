package forge_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// standIn is a proxy on a loopback address that answers for the hosts that the workflow names.
// Nothing else can be reached through it.
type standIn struct {
	address   string // of the proxy
	authority string // the file of the certificates to trust
	sign      func(name string) (*tls.Certificate, error)
	hosts     map[string]http.Handler
}

// startStandIn answers for github.com with the repositories of the forge, and for the list of Go
// versions with the one that runs this test.
func startStandIn(f *forge) *standIn {
	f.t.Helper()
	sign, authority := newAuthority(f.t)
	target := must.Get(url.Parse(f.url))(f.t)
	s := &standIn{authority: f.write("authority.pem", authority), sign: sign, hosts: map[string]http.Handler{
		"github.com":                httputil.NewSingleHostReverseProxy(target),
		"raw.githubusercontent.com": versionsOfGo(),
	}}
	server := httptest.NewServer(s)
	f.t.Cleanup(server.CloseClientConnections)
	f.t.Cleanup(server.Close)
	s.address = server.URL
	return s
}

// environment is that of a program that reaches only the stand-ins.
func (s *standIn) environment() []string {
	return []string{
		"HTTPS_PROXY=" + s.address, "https_proxy=" + s.address,
		"SSL_CERT_FILE=" + s.authority, "NODE_EXTRA_CA_CERTS=" + s.authority, "GIT_SSL_CAINFO=" + s.authority,
	}
}

// ServeHTTP takes a connection to one of the hosts, and answers on it.
func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host, _, _ := net.SplitHostPort(r.Host)
	handler := s.hosts[host]
	if r.Method != http.MethodConnect || handler == nil {
		http.Error(w, "this host has no stand-in: "+r.Host, http.StatusBadGateway)
		return
	}
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = conn.Write([]byte("HTTP/1.1 200 OK\r\n\r\n"))
	certificate := func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return s.sign(host) }
	secure := tls.Server(conn, &tls.Config{GetCertificate: certificate})
	_ = (&http.Server{Handler: handler}).Serve(&oneConnection{Conn: secure})
}

// oneConnection is a listener with one connection.
type oneConnection struct {
	net.Conn
	taken bool
}

func (l *oneConnection) Accept() (net.Conn, error) {
	if l.taken {
		return nil, net.ErrClosed
	}
	l.taken = true
	return l.Conn, nil
}

// Close leaves the connection to the server, which closes it.
func (l *oneConnection) Close() error   { return nil }
func (l *oneConnection) Addr() net.Addr { return l.LocalAddr() }

// versionsOfGo answers as the list of Go versions in which actions/setup-go looks for stable.
func versionsOfGo() http.Handler {
	version := strings.TrimPrefix(runtime.Version(), "go")
	const none = "https://go.dev/none" // it is in the tool cache
	file := object{"filename": "go-" + runtime.GOOS + ".tar.gz", "arch": toolArch(), "platform": runtime.GOOS, "download_url": none}
	list := []object{{"version": version, "stable": true, "release_url": none, "files": []object{file}}}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(list)
	})
}

// toolArch is the architecture by the name that actions use.
func toolArch() string {
	if runtime.GOARCH == "amd64" {
		return "x64"
	}
	return runtime.GOARCH
}

// newAuthority creates an authority for certificates, and returns how it signs, and its own
// certificate.
func newAuthority(t *testing.T) (sign func(name string) (*tls.Certificate, error), text string) {
	t.Helper()
	key := must.Get(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "stand-in"}, NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	root := must.Get(x509.CreateCertificate(rand.Reader, ca, ca, key.Public(), key))(t)
	sign = func(name string) (*tls.Certificate, error) {
		leaf := &x509.Certificate{
			SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, NotAfter: ca.NotAfter, DNSNames: []string{name},
			KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		}
		der, err := x509.CreateCertificate(rand.Reader, leaf, ca, key.Public(), key)
		return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
	}
	return sign, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root}))
}
