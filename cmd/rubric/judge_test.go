package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// judge is a judge command for tests. What it does stands in the artifact: a digit
// is the score that it gives on every criterion, and a word is a way to fail. An
// argument is a folder in which it keeps each request as a file. Each time, it must start
// in an empty folder.
func judge() {
	if entries, err := os.ReadDir("."); err != nil || len(entries) > 0 {
		expect(fmt.Errorf("the folder has %v, error %v", entries, err))
	}
	expect(os.WriteFile("left", nil, 0o600))
	if len(os.Args) > 1 && os.Args[1] == "--lines" {
		judgeLines(os.Args[2])
		return
	}
	data, err := io.ReadAll(os.Stdin)
	expect(err)
	var request struct {
		Criteria []string
		Item     struct{ Artifact string }
	}
	expect(json.Unmarshal(data, &request))
	folder := os.TempDir()
	if len(os.Args) > 1 {
		folder = os.Args[1]
		keep(folder, data)
	}
	word, rest, _ := strings.Cut(request.Item.Artifact, " ")
	if score, err := strconv.ParseFloat(word, 64); err == nil {
		answer(request.Criteria, score, "")
		return
	}
	switch word {
	case "fails":
		fmt.Fprint(os.Stderr, "Traceback:\n  \x1b[31mno key\x1b[0m\n")
		os.Exit(3)
	case "flaky": // is unavailable the first time
		if failed := filepath.Join(folder, "failed"); !exists(failed) {
			expect(os.WriteFile(failed, nil, 0o600))
			os.Exit(75)
		}
		answer(request.Criteria, 4, "")
	case "busy":
		os.Exit(75)
	case "down":
		fmt.Println(`{"unavailable": "The server answered 503."}`)
	case "refuses": // the first time
		if failed := filepath.Join(folder, "failed"); !exists(failed) {
			expect(os.WriteFile(failed, nil, 0o600))
			fmt.Println(`{"error": "The model refused."}`)
			return
		}
		answer(request.Criteria, 4, "")
	case "silent":
	case "talks":
		fmt.Println("I would say 4.")
	case "fenced":
		fmt.Print("```json\n")
		answer(request.Criteria, 4, "")
		fmt.Print("```\n")
	case "twice":
		answer(request.Criteria, 4, "")
		answer(request.Criteria, 4, "")
	case "half":
		answer(request.Criteria[:1], 4, "")
	case "more":
		answer(append(request.Criteria, "scop"), 4, "")
	case "another":
		answer(request.Criteria, 4, "m-2")
	case "endless":
		for {
			fmt.Print(strings.Repeat("4", 1<<16))
		}
	case "sleeps":
		time.Sleep(10 * time.Minute)
	case "waits": // for a file, or until the command that asked is gone
		wait(filepath.Join(folder, rest))
		answer(request.Criteria, 2, "")
	}
}

// judgeLines is a judge that stays up. It notes each start in a file.
func judgeLines(starts string) {
	f, err := os.OpenFile(starts, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	expect(err)
	fmt.Fprintln(f, "started")
	expect(f.Close())
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var request struct {
			Criteria []string
			Item     struct {
				Number   int
				Artifact string
			}
		}
		expect(json.Unmarshal(lines.Bytes(), &request))
		number := request.Item.Number
		switch word, _, _ := strings.Cut(request.Item.Artifact, " "); word {
		case "fails":
			os.Exit(3)
		case "busy":
			os.Exit(75)
		case "reports":
			fmt.Printf("{\"number\":%d,\"error\":\"The model refused.\"}\n", number)
			continue
		case "swaps":
			number++
		}
		scores := map[string]float64{}
		for _, c := range request.Criteria {
			scores[c] = 4
		}
		expect(json.NewEncoder(os.Stdout).Encode(map[string]any{
			"number": number, "scores": scores, "reasons": map[string]string{request.Criteria[0]: "It is clear."},
			"prompt_digest": "sha256:" + strings.Repeat("ab", 32), "usage": map[string]int{"input_tokens": 7},
		}))
	}
}

func expect(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(99)
	}
}

// keep writes a request to a file of its own.
func keep(folder string, request []byte) {
	f, err := os.CreateTemp(folder, "new-")
	expect(err)
	_, err = f.Write(request)
	expect(err)
	expect(f.Close())
	expect(os.Rename(f.Name(), filepath.Join(folder, strings.Replace(filepath.Base(f.Name()), "new-", "request-", 1))))
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func wait(name string) {
	for parent := os.Getppid(); !exists(name) && os.Getppid() == parent; {
		time.Sleep(time.Millisecond)
	}
}

func answer(criteria []string, score float64, model string) {
	scores := map[string]float64{}
	for _, name := range criteria {
		scores[name] = score
	}
	expect(json.NewEncoder(os.Stdout).Encode(struct {
		Scores map[string]float64 `json:"scores"`
		Model  string             `json:"model,omitempty"`
		Reason string             `json:"reason"`
	}{scores, model, "a key of its own"}))
}
