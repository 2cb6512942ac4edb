package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/opencontainers/go-digest"
	"oras.land/oras-go/v2/content"
)

const (
	// attestationType is the media type of an attestation, as Sigstore and GitHub write it.
	attestationType  = "application/vnd.dev.sigstore.bundle.v0.3+json"
	attestationTitle = "release.sigstore.json"
)

// statement is what an attestation says, as in-toto defines it.
type statement struct {
	Subject []struct {
		Digest map[string]string `json:"digest"`
	} `json:"subject"`
	PredicateType string `json:"predicateType"`
}

// readAttestation returns the statement of an attestation about a file. It does not check
// the signature: that needs the keys of the signer, which consumers choose.
func readAttestation(data []byte, file digest.Digest) (*statement, error) {
	var envelope struct {
		MediaType    string `json:"mediaType"`
		DSSEEnvelope struct {
			Payload []byte `json:"payload"`
		} `json:"dsseEnvelope"`
	}
	var s statement
	err := json.Unmarshal(data, &envelope)
	if err == nil && envelope.MediaType != attestationType {
		err = fmt.Errorf("its mediaType is %.100q, expected %q", envelope.MediaType, attestationType)
	}
	if err == nil {
		err = json.Unmarshal(envelope.DSSEEnvelope.Payload, &s)
	}
	if err != nil {
		return nil, fmt.Errorf("the attestation is not a Sigstore bundle with a statement: %w", err)
	}
	for _, subject := range s.Subject {
		if subject.Digest["sha256"] == file.Encoded() {
			return &s, nil
		}
	}
	return nil, fmt.Errorf("the attestation is about other files: none of its %d subjects has the SHA-256 of the bundle file, %s",
		len(s.Subject), file.Encoded())
}

// attach stores an attestation as a referrer of the bundle.
func (p *pushing) attach(ctx context.Context, s *statement, data []byte) error {
	m := artifact(attestationType, attestationType, attestationTitle, data)
	m.Subject = &p.manifest
	m.Annotations = map[string]string{
		"dev.sigstore.bundle.content":       "dsse-envelope",
		"dev.sigstore.bundle.predicateType": s.PredicateType,
	}
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if err := p.upload(ctx, m, data); err != nil {
		return err
	}
	desc := content.NewDescriptorFromBytes(m.MediaType, text)
	desc.ArtifactType, desc.Annotations = m.ArtifactType, m.Annotations
	// Even if the manifest exists, the index of referrers can lack it.
	if err := p.remote.Push(ctx, desc, bytes.NewReader(text)); err != nil {
		return err
	}
	p.Attestation = p.referenceTo(desc)
	return nil
}
