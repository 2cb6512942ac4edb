package editor

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// message is a message of the Language Server Protocol.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
}

// received is a message from the server.
type received struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	Result json.RawMessage
}

// server is a running YAML language server.
type server struct {
	t        *testing.T
	in       io.Writer
	messages chan received
	root     string
	settings map[string]any
	next     int
}

// serverCommand returns the command of the YAML language server, or skips the test.
func serverCommand(t *testing.T) []string {
	t.Helper()
	if script := os.Getenv("YAML_LANGUAGE_SERVER"); script != "" {
		return []string{"node", script, "--stdio"}
	}
	path, err := exec.LookPath("yaml-language-server")
	if err != nil {
		t.Skip("yaml-language-server is not installed (npm install -g yaml-language-server), and YAML_LANGUAGE_SERVER names no script")
	}
	return []string{path, "--stdio"}
}

// start starts a server with the settings of the repository.
func start(t *testing.T) *server {
	t.Helper()
	command := serverCommand(t)
	root := must.Get(filepath.Abs(".."))(t)
	cmd := exec.Command(command[0], command[1:]...)
	in := must.Get(cmd.StdinPipe())(t)
	out := must.Get(cmd.StdoutPipe())(t)
	must.Do(t, cmd.Start())
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	})
	s := &server{t: t, in: in, messages: make(chan received, 100), root: root, settings: repositorySettings(t, root)}
	go read(out, s.messages)
	s.request("initialize", map[string]any{
		"processId": os.Getpid(), "rootUri": s.uri(""),
		"workspaceFolders": []any{map[string]any{"uri": s.uri(""), "name": "library"}},
		"capabilities": map[string]any{
			"workspace":    map[string]any{"configuration": true, "workspaceFolders": true},
			"textDocument": map[string]any{"completion": map[string]any{"completionItem": map[string]any{"documentationFormat": []string{"markdown"}}}},
		},
	})
	s.send(message{Method: "initialized", Params: map[string]any{}})
	s.send(message{Method: "workspace/didChangeConfiguration", Params: map[string]any{"settings": s.settings}})
	return s
}

// repositorySettings returns the settings in .vscode/settings.json by section, as an editor
// sends them.
func repositorySettings(t *testing.T, root string) map[string]any {
	t.Helper()
	data := must.Get(os.ReadFile(filepath.Join(root, ".vscode", "settings.json")))(t)
	var flat map[string]any
	must.Do(t, json.Unmarshal(data, &flat))
	return map[string]any{"yaml": map[string]any{
		"schemas": flat["yaml.schemas"], "validate": flat["yaml.validate"], "hover": flat["yaml.hover"], "completion": flat["yaml.completion"],
		"schemaStore": map[string]any{"enable": flat["yaml.schemaStore.enable"]},
	}}
}

// read sends messages to the channel until the server ends.
func read(out io.Reader, messages chan<- received) {
	defer close(messages)
	r := bufio.NewReader(out)
	for {
		header, err := textproto.NewReader(r).ReadMIMEHeader()
		if err != nil {
			return
		}
		n, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil {
			return
		}
		data := make([]byte, n)
		if _, err := io.ReadFull(r, data); err != nil {
			return
		}
		var m received
		if json.Unmarshal(data, &m) == nil {
			messages <- m
		}
	}
}

func (s *server) uri(name string) string {
	return "file://" + filepath.ToSlash(filepath.Join(s.root, name))
}

func (s *server) send(m message) {
	s.t.Helper()
	m.Version = "2.0"
	data := must.Get(json.Marshal(m))(s.t)
	must.Get(fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(data), data))(s.t)
}

// wait passes the server's messages to done until it returns true, and answers the
// server's own requests.
func (s *server) wait(what string, done func(received) bool) {
	s.t.Helper()
	limit := time.After(60 * time.Second)
	for {
		select {
		case m, ok := <-s.messages:
			switch {
			case !ok:
				s.t.Fatalf("the server ended before %s", what)
			case m.Method != "" && m.ID != nil:
				s.answer(m)
			case done(m):
				return
			}
		case <-limit:
			s.t.Fatalf("the server did not give %s", what)
		}
	}
}

// answer returns the configuration to the server, and null for other requests.
func (s *server) answer(m received) {
	var result any
	if m.Method == "workspace/configuration" {
		var params struct {
			Items []struct{ Section string }
		}
		must.Do(s.t, json.Unmarshal(m.Params, &params))
		sections := make([]any, len(params.Items))
		for i, item := range params.Items {
			sections[i] = s.settings[item.Section]
		}
		result = sections
	}
	s.send(message{ID: m.ID, Result: orEmpty(result)})
}

// orEmpty returns an explicit null for no result, which encoding/json would omit.
func orEmpty(result any) any {
	if result == nil {
		return json.RawMessage("null")
	}
	return result
}

// request sends a request to the server and returns the result.
func (s *server) request(method string, params any) json.RawMessage {
	s.t.Helper()
	s.next++
	id := json.RawMessage(strconv.Itoa(s.next))
	s.send(message{ID: id, Method: method, Params: params})
	var result json.RawMessage
	s.wait("an answer to "+method, func(m received) bool {
		result = m.Result
		return string(m.ID) == string(id)
	})
	return result
}

// diagnostic is a mistake as the server reports it.
type diagnostic struct {
	Range struct {
		Start struct{ Line, Character int }
	}
	Message string
}

// open opens a text under the name of a file and returns the server's diagnostics.
func (s *server) open(name, text string) []diagnostic {
	s.t.Helper()
	s.send(message{Method: "textDocument/didOpen", Params: map[string]any{
		"textDocument": map[string]any{"uri": s.uri(name), "languageId": "yaml", "version": 1, "text": text},
	}})
	var found []diagnostic
	s.wait("the mistakes of "+name, func(m received) bool {
		if m.Method != "textDocument/publishDiagnostics" {
			return false
		}
		var params struct {
			URI         string
			Diagnostics []diagnostic
		}
		must.Do(s.t, json.Unmarshal(m.Params, &params))
		found = params.Diagnostics
		return params.URI == s.uri(name)
	})
	return found
}
