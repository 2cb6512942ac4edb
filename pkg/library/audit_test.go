package library_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library"
)

func TestAuditRecords(t *testing.T) {
	var out bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&out, nil)).With("service", "judge")
	data, digest := bundle(t, sample())
	l := openData(t, data, library.WithAudit(logger))
	ctx := library.WithActor(library.WithRequestID(t.Context(), "r-17"), "nightly run")
	must.Get(l.Rubric(ctx, "story_v1", "~1.2"))(t)
	var got map[string]any
	must.Do(t, json.Unmarshal(out.Bytes(), &got))
	delete(got, "time")
	ref := must.Get(l.Resolve("story_v1", "1.2.3"))(t)
	want := map[string]any{
		"level": "INFO", "msg": library.AuditMessage, "service": "judge",
		"kind": "rubric", "id": "story_v1", "version": "1.2.3", "digest": ref.Digest,
		"bundle_version": "1.4.0", "bundle_digest": digest, "request_id": "r-17", "actor": "nightly run", "yanked": "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the record differs:\n%s", diff)
	}
}

func TestAuditIsOfWhatIsHandedOut(t *testing.T) {
	for _, c := range []struct {
		reason string
		do     func(*library.Library) error
		want   int
	}{
		{"a rubric", func(l *library.Library) error { _, err := l.Rubric(t.Context(), "story_v1", ""); return err }, 1},
		{"a rule set", func(l *library.Library) error { _, err := l.RuleSet(t.Context(), "api_v1", ""); return err }, 1},
		{"the same rubric again", func(l *library.Library) error {
			_, first := l.Rubric(t.Context(), "story_v1", "")
			_, second := l.Rubric(t.Context(), "story_v1", "")
			return errors.Join(first, second)
		}, 2},
		{"a list", func(l *library.Library) error { _, err := l.Search(library.Query{}); return err }, 0},
		{"a reference", func(l *library.Library) error { _, err := l.Resolve("story_v1", ""); return err }, 0},
		{"what is not there", func(l *library.Library) error {
			if _, err := l.Rubric(t.Context(), "none", ""); err == nil {
				return errors.New("it was found")
			}
			return nil
		}, 0},
	} {
		var out bytes.Buffer
		l := open(t, library.WithAudit(slog.New(slog.NewJSONHandler(&out, nil))))
		if err := c.do(l); err != nil {
			t.Errorf("%s: %v", c.reason, err)
		}
		if got := bytes.Count(out.Bytes(), []byte("\n")); got != c.want {
			t.Errorf("%s: %d records, want %d", c.reason, got, c.want)
		}
	}
}

// full is a log on a full disk.
type full struct{ slog.Handler }

var errFull = errors.New("no space left on device")

func (full) Handle(context.Context, slog.Record) error { return errFull }

func TestAuditThatFailsIsSeen(t *testing.T) {
	handler := slog.NewTextHandler(&bytes.Buffer{}, nil)
	l := open(t, library.WithAudit(slog.New(full{handler})))
	r, err := l.Rubric(t.Context(), "story_v1", "")
	var audit *library.AuditError
	if r != nil || !errors.As(err, &audit) || !errors.Is(err, errFull) || audit.Reference.Version != "1.10.0" {
		t.Errorf("a log that is full gives %v, %v", r, err)
	}
	if s, err := l.RuleSet(t.Context(), "api_v1", ""); s != nil || err == nil {
		t.Errorf("a log that is full gives %v, %v", s, err)
	}
	for _, c := range []struct {
		reason string
		logger *slog.Logger
	}{
		{"no logger", nil},
		{"a logger that leaves the level out", slog.New(full{slog.NewTextHandler(&bytes.Buffer{}, &slog.HandlerOptions{Level: slog.LevelWarn})})},
	} {
		if _, err := open(t, library.WithAudit(c.logger)).Rubric(t.Context(), "story_v1", ""); err != nil {
			t.Errorf("%s: %v", c.reason, err)
		}
	}
}
