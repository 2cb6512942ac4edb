package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"
	"oras.land/oras-go/v2/registry/remote/credentials/trace"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// helperTime is how long a credential helper may take. It can ask the user for a password.
const helperTime = 30 * time.Second

// store is the store of credentials of Docker. If it can't be read, it counts as empty, with a
// warning, because a public repository needs no credentials.
type store struct {
	warn func(text string)
	time time.Duration // helperTime, unless a test can't wait that long

	mu      sync.Mutex
	hanging error  // a reading that did not end in time and runs on
	problem string // why the last reading failed, or ""
}

func newStore(warn func(text string)) *store {
	if warn == nil {
		warn = func(text string) { slog.Warn("rubric library: " + text) }
	}
	return &store{warn: warn, time: helperTime}
}

// explainUnused says why the credentials are not used, or returns "".
func (s *store) explainUnused() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.problem
}

// credential reads the credentials for a host each time, because they can change while a service
// runs.
func (s *store) credential(ctx context.Context, host string) (auth.Credential, error) {
	found, err := s.readInTime(ctx, host)
	if ctx.Err() != nil {
		return auth.EmptyCredential, ctx.Err()
	}
	problem := ""
	if err != nil {
		problem = fmt.Sprintf("the credentials of Docker are not used: %v", err)
	}
	s.mu.Lock()
	isNew := problem != "" && problem != s.problem
	s.problem = problem
	s.mu.Unlock()
	if isNew {
		s.warn(problem)
	}
	return found, nil
}

// readInTime reads the credentials for a host. It does not wait for programs that a credential
// helper has started, which can keep its output open after the helper was ended.
func (s *store) readInTime(ctx context.Context, host string) (auth.Credential, error) {
	file, err := configFile()
	if err != nil {
		return auth.EmptyCredential, err
	}
	if err := s.hangs(); err != nil {
		return auth.EmptyCredential, err
	}
	r := &reading{helper: make(chan string, 1), ended: make(chan struct{})}
	ctx, cancel := context.WithTimeout(ctx, s.time)
	defer cancel()
	go func() {
		r.found, r.err = readFrom(ctx, file, host, r.helper)
		close(r.ended)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.hanging = nil
	}()
	select {
	case <-r.ended:
		if ctx.Err() != context.DeadlineExceeded { // which ends the helper, too
			return r.found, r.err
		}
	case <-ctx.Done():
	}
	err = fmt.Errorf("%s could not be read within %s", file, s.time)
	select {
	case name := <-r.helper:
		err = fmt.Errorf("the credential helper %s, which %s names, did not answer within %s", name, file, s.time)
	default:
	}
	if ctx.Err() == context.DeadlineExceeded {
		s.hang(r, err)
	}
	return auth.EmptyCredential, err
}

// reading is one call of readFrom. What it found is known when it has ended.
type reading struct {
	helper chan string
	ended  chan struct{}
	found  auth.Credential
	err    error
}

// hangs returns why an earlier reading hangs, which is not repeated until it ends, or nil.
func (s *store) hangs() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hanging
}

func (s *store) hang(r *reading, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-r.ended:
	default:
		s.hanging = err
	}
}

// configFile is the path of the configuration of Docker.
func configFile() (string, error) {
	folder := os.Getenv("DOCKER_CONFIG")
	if folder == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("config.json is not found, because %w. Set HOME or DOCKER_CONFIG", err)
		}
		folder = filepath.Join(home, ".docker")
	}
	return filepath.Join(folder, "config.json"), nil
}

// readFrom reads the credentials for a host from a configuration of Docker or the credential helper
// that it names, and sends the name of the helper before it calls it. The error has no text of
// either, which can be a password.
func readFrom(ctx context.Context, file, host string, started chan<- string) (auth.Credential, error) {
	config, err := credentials.NewStore(file, credentials.StoreOptions{})
	switch {
	case errors.As(err, new(*fs.PathError)):
		return auth.EmptyCredential, fmt.Errorf("%s can't be read: %w", file, safefile.Reason(err))
	case err != nil:
		return auth.EmptyCredential, fmt.Errorf("%s is not a configuration of Docker: expected JSON that `docker login` writes", file)
	}
	helper := ""
	watch := func(name, _ string) {
		helper = name
		started <- name
	}
	watched := trace.WithExecutableTrace(ctx, &trace.ExecutableTrace{ExecuteStart: watch})
	found, err := credentials.Credential(config)(watched, host)
	if err == nil && isUsable(found) {
		return found, nil
	}
	named := fmt.Sprintf("the credential helper %s, which %s names,", helper, file)
	wrong, isWrong := errors.AsType[*exec.Error](err)
	switch {
	case helper == "":
		return auth.EmptyCredential, fmt.Errorf("%s has no valid user and password for %s", file, host)
	case isWrong && errors.Is(wrong, exec.ErrNotFound):
		return auth.EmptyCredential, fmt.Errorf("%s is not installed", named)
	case err == nil, errors.As(err, new(*json.SyntaxError)), errors.As(err, new(*json.UnmarshalTypeError)):
		return auth.EmptyCredential, fmt.Errorf("%s did not answer with a user and a password in JSON", named)
	}
	return auth.EmptyCredential, fmt.Errorf("%s failed. To see why, run `echo %s | %s get`", named, host, helper)
}

// isUsable reports whether credentials are empty, a token, or a user and a password.
func isUsable(c auth.Credential) bool {
	return c == auth.EmptyCredential || c.RefreshToken != "" || c.AccessToken != "" || c.Username != "" && c.Password != ""
}
