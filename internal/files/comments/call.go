package comments

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/rubric-library/rubric-library/internal/files/httpclient"
)

// call sends a request and reads the body of its answer. read can be nil.
func (p *PullRequest) call(ctx context.Context, method, path string, body any, read func(io.Reader) error) error {
	return p.send(ctx, method, path, body, func(response *http.Response) error {
		if read == nil {
			return nil
		}
		return read(response.Body)
	})
}

// send sends a request to a path below the API, and has a good answer read.
func (p *PullRequest) send(ctx context.Context, method, path string, body any, read func(*http.Response) error) error {
	var data io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		data = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method,
		strings.TrimSuffix(p.server.String(), "/")+p.api.prefix+"/"+path, data)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "application/json")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := p.client.Do(request)
	if err != nil {
		return p.explainUnreached(err)
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		return p.refusal(response)
	}
	response.Body = http.MaxBytesReader(nil, response.Body, maxAnswer)
	err = read(response)
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return fmt.Errorf("the answer is larger than %d MB", maxAnswer>>20)
	case errors.As(err, new(*json.SyntaxError)), errors.As(err, new(*json.UnmarshalTypeError)),
		errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errors.New("the server does not answer with the JSON of its API. Check the address of the server")
	}
	return err
}

// explainUnreached says why there is no answer.
func (p *PullRequest) explainUnreached(err error) error {
	var busy *httpclient.BusyError
	if errors.As(err, &busy) {
		return busy
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		if e.Timeout() {
			return fmt.Errorf("%s does not answer in time. Run the command again later", p.server.Host)
		}
		err = httpclient.Explain(e.Err) // without the address
	}
	return fmt.Errorf("%s can't be reached: %w", p.server.Host, err)
}

// refusal says what an answer with an error means, and what to do.
func (p *PullRequest) refusal(response *http.Response) error {
	advice := "Check the number of the pull request, or run the command again later"
	switch code := response.StatusCode; {
	case code/100 == 3:
		advice = "A redirect is not followed, because it could lead the token to another server. Set the address with which the server is opened"
		if to, err := response.Location(); err == nil {
			advice += fmt.Sprintf(": it redirects to %s://%s", to.Scheme, to.Host)
		}
	case code == http.StatusUnauthorized:
		advice = "The token is not valid, or has expired"
	case code == http.StatusForbidden:
		advice = "Expected a token with " + p.api.scopes +
			", of a user who may comment: in a locked conversation, who may write to the repository"
	case code == http.StatusNotFound:
		advice = "There is no such repository or pull request, or the user of the token may not read it"
	case code == http.StatusLocked:
		advice = "The repository is archived"
	case code == http.StatusRequestEntityTooLarge:
		advice = "The server, or a proxy in front of it, must accept requests of 100 kB"
	case code/100 == 4 && code != http.StatusTooManyRequests:
		advice = "The server does not understand the request. Check its address and version"
	}
	return fmt.Errorf("the server answers %d %s%s. %s", response.StatusCode,
		http.StatusText(response.StatusCode), p.serverReason(response.Body), advice)
}

// serverReason returns what the server says about an error, in parentheses, or "".
func (p *PullRequest) serverReason(body io.Reader) string {
	const most = 200
	var answer struct{ Message any }
	err := json.NewDecoder(io.LimitReader(body, 64<<10)).Decode(&answer)
	if err != nil || answer.Message == nil || answer.Message == "" {
		return ""
	}
	text := strings.ReplaceAll(fmt.Sprint(answer.Message), p.token, "***")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return fmt.Sprintf(" (%q)", text)
}
