package registry

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// oldRegistry is a registry without the API for referrers.
func oldRegistry(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/referrers/") {
			http.NotFound(w, r)
			return
		}
		next.ServeHTTP(withoutSubject{w}, r)
	})
}

type withoutSubject struct{ http.ResponseWriter }

func (w withoutSubject) WriteHeader(code int) {
	w.Header().Del("OCI-Subject")
	w.ResponseWriter.WriteHeader(code)
}

func TestAttestationIsAReferrer(t *testing.T) {
	for name, around := range map[string]func(http.Handler) http.Handler{"with the API": nil, "without the API": oldRegistry} {
		t.Run(name, func(t *testing.T) {
			repository := serve(t, around)
			data := bundleOf(t, "1.4.0", "a")
			sum := content.NewDescriptorFromBytes(layerType, data).Digest.Encoded()
			r, err := Open(repository, Options{})
			if err != nil {
				t.Fatal(err)
			}
			attested := must.Get(r.Push(t.Context(), data, attestationOf(attestationType, sum)))(t)
			if again, err := r.Push(t.Context(), data, attestationOf(attestationType, sum)); err != nil || again.Attestation != attested.Attestation {
				t.Errorf("a second push gives %v, %v", again, err)
			}
			desc := must.Get(r.remote.Resolve(t.Context(), attested.Reference))(t)
			var found []string
			err = r.remote.Referrers(t.Context(), desc, attestationType, func(referrers []ocispec.Descriptor) error {
				for _, d := range referrers {
					found = append(found, (&pushing{Repository: r}).referenceTo(d))
				}
				return nil
			})
			if err != nil || len(found) != 1 || found[0] != attested.Attestation {
				t.Errorf("the referrers are %v, %v, want %s", found, err, attested.Attestation)
			}
		})
	}
}

func attestationOf(mediaType, sum string) []byte {
	payload := fmt.Sprintf(`{"subject":[{"name":"rubrics.zip","digest":{"sha256":%q}}],"predicateType":"https://slsa.dev/provenance/v1"}`, sum)
	return fmt.Appendf(nil, `{"mediaType":%q,"dsseEnvelope":{"payload":%q}}`, mediaType, base64.StdEncoding.EncodeToString([]byte(payload)))
}

func TestAnAttestationOfAnotherFileIsRefused(t *testing.T) {
	repository := serve(t, nil)
	r := must.Get(Open(repository, Options{}))(t)
	data := bundleOf(t, "1.4.0", "a")
	sum := content.NewDescriptorFromBytes(layerType, data).Digest.Encoded()
	for _, wrong := range [][]byte{{}, []byte("{}"), []byte("no JSON"), attestationOf("text/plain", sum), attestationOf(attestationType, strings.Repeat("0", 64))} {
		_, err := r.Push(t.Context(), data, wrong)
		wantError(t, err, "the attestation is")
	}
	if _, err := r.Fetch(t.Context(), ""); err == nil {
		t.Errorf("a refused push stored something: %v", err)
	}
}
