package clients_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// writeCertificates writes ca.pem, the certificate of a new authority, and server.pem, the key and the
// certificate that it issues for servers on the loopback address.
func writeCertificates(t *testing.T, dir string) {
	t.Helper()
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Tests"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	server := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		NotBefore: authority.NotBefore, NotAfter: authority.NotAfter,
	}
	issuer := must.Get(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	key := must.Get(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	write := func(name string, blocks ...*pem.Block) {
		t.Helper()
		var out []byte
		for _, b := range blocks {
			out = append(out, pem.EncodeToMemory(b)...)
		}
		must.Do(t, os.WriteFile(filepath.Join(dir, name), out, 0o600))
	}
	root := must.Get(x509.CreateCertificate(rand.Reader, authority, authority, &issuer.PublicKey, issuer))(t)
	parent := must.Get(x509.ParseCertificate(root))(t) // with the ID of its key, which clients compare
	write("ca.pem", &pem.Block{Type: "CERTIFICATE", Bytes: root})
	write("server.pem",
		&pem.Block{Type: "PRIVATE KEY", Bytes: must.Get(x509.MarshalPKCS8PrivateKey(key))(t)},
		&pem.Block{Type: "CERTIFICATE", Bytes: must.Get(x509.CreateCertificate(rand.Reader, server, parent, &key.PublicKey, issuer))(t)})
}
