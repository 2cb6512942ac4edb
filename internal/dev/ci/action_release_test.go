package ci_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// repository is where the action and its releases are.
var repository = strings.TrimPrefix(module, "github.com/")

// assetHost is the host to which GitHub redirects downloads of a release.
const assetHost = "release-assets.githubusercontent.com"

// releaseServer replaces github.com for a job: over TLS, with a certificate that only
// this job's curl trusts.
type releaseServer struct {
	files    map[string][]byte // by name, of the release v1.2.0
	plain    bool              // sends to http instead of https
	stranger bool              // has a certificate that nobody trusts
	busy     int               // how many requests are refused before one is served
	fork     bool              // is anotherHost with the repository acme/tools
	served   bool              // whether a file was downloaded
}

// anotherHost is a host like GitHub that a company runs.
const anotherHost = "git.example.org"

func (s *releaseServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.busy > 0 {
		s.busy--
		http.Error(w, "try again", http.StatusServiceUnavailable)
		return
	}
	host, at := "github.com", repository
	if s.fork {
		host, at = anotherHost, "acme/tools"
	}
	name, ours := strings.CutPrefix(r.URL.Path, "/"+at+"/releases/download/v1.2.0/")
	data, there := s.files[filepath.Base(r.URL.Path)]
	switch {
	case r.Host == assetHost && there:
		s.served = true
		w.Write(data)
	case r.Host == host && ours && there:
		scheme := "https"
		if s.plain {
			scheme = "http"
		}
		http.Redirect(w, r, scheme+"://"+assetHost+"/"+name, http.StatusFound)
	default:
		http.NotFound(w, r)
	}
}

// serve starts the server and points the job's curl to it.
func (s *releaseServer) serve(t *testing.T, j *actionJob) {
	t.Helper()
	certificate, authority := selfSigned(t)
	server := httptest.NewUnstartedServer(s)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(address.Host)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	file := filepath.Join(home, "authority.pem")
	must.Do(t, os.WriteFile(file, authority, 0o666))
	config := "noproxy = \"*\"\n"
	if !s.stranger {
		config += fmt.Sprintf("cacert = %q\n", filepath.ToSlash(file))
	}
	for _, host := range []string{"github.com", assetHost, anotherHost} {
		for _, from := range []string{"80", "443"} {
			config += fmt.Sprintf("connect-to = \"%s:%s:127.0.0.1:%s\"\n", host, from, port)
		}
	}
	must.Do(t, os.WriteFile(filepath.Join(home, ".curlrc"), []byte(config), 0o666))
	j.env["CURL_HOME"] = home
}

// selfSigned makes a certificate for the hosts of releases.
func selfSigned(t *testing.T) (certificate tls.Certificate, authority []byte) {
	t.Helper()
	key := must.Get(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "github.com"}, DNSNames: []string{"github.com", assetHost, anotherHost},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der := must.Get(x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key))(t)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// member is a file of an archive; link is the target if it is a link.
type member struct {
	name, text, link string
}

// programs are the members of a release: one for each command. content is that of
// rubric-lint.
func programs(t *testing.T, lint, suffix string) []member {
	t.Helper()
	folders := must.Get(os.ReadDir("cmd"))(t)
	members := []member{{name: "./README.md", text: "read me"}}
	for _, folder := range folders {
		m := member{name: "./" + folder.Name() + suffix, text: "the program " + folder.Name()}
		if folder.Name() == "rubric-lint" {
			m.text = lint
		}
		members = append(members, m)
	}
	return members
}

// tarball packs members without compression, which takes long and is not what the
// tests check.
func tarball(t *testing.T, members []member) []byte {
	t.Helper()
	var out bytes.Buffer
	z := must.Get(gzip.NewWriterLevel(&out, gzip.NoCompression))(t)
	w := tar.NewWriter(z)
	for _, m := range members {
		header := &tar.Header{Name: m.name, Size: int64(len(m.text)), Mode: 0o644}
		if m.link != "" {
			header.Typeflag, header.Linkname = tar.TypeSymlink, m.link
		}
		must.Do(t, w.WriteHeader(header))
		must.Get(w.Write([]byte(m.text)))(t)
	}
	must.Do(t, w.Close())
	must.Do(t, z.Close())
	return out.Bytes()
}

func sha(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
