package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// ruleJudge is a command that answers about rules. The first word of a rule's instruction
// says how. With a folder as the argument, it keeps each request there.
func ruleJudge() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var request struct {
			Ask      string
			Rule     struct{ ID, Check string }
			Artifact struct{ Text string }
		}
		check(json.Unmarshal(line, &request))
		if len(os.Args) > 1 {
			keep(os.Args[1], line)
		}
		word, rest, _ := strings.Cut(request.Rule.Check, " ")
		answerRule(request.Rule.ID, word, rest)
	}
}

// answerRule answers in the way that a word names.
func answerRule(id, word, rest string) {
	say := func(fields map[string]any) {
		said := map[string]any{"rule": id, "model": "m-1"}
		for key, value := range fields {
			said[key] = value
		}
		check(json.NewEncoder(os.Stdout).Encode(said))
	}
	pass := map[string]any{"verdict": "pass", "reason": "Found it."}
	switch word {
	case "pass", "fail", "skipped":
		say(map[string]any{"verdict": word, "reason": "It is so \x1b[31m:\n::error::" + rest})
	case "refuses":
		say(map[string]any{"error": "The model refused."})
	case "another":
		say(map[string]any{"rule": "a.x.other", "verdict": "pass", "reason": "Found it."})
	case "reasonless":
		say(map[string]any{"verdict": "pass"})
	case "passed":
		say(map[string]any{"verdict": "passed", "reason": "Found it."})
	case "model":
		say(map[string]any{"model": "m-2", "verdict": "pass", "reason": "Found it."})
	case "prompt":
		say(map[string]any{"prompt_digest": "sha256:" + strings.Repeat("ab", 32), "verdict": "pass", "reason": "Found it."})
	case "twice":
		say(pass)
		say(pass)
	case "half":
		fmt.Printf(`{"rule":%q,"verdict":"pa`, id)
		os.Exit(0)
	case "talks":
		fmt.Println("I would say that it passes.")
	case "fails":
		say(pass)
		fmt.Fprintln(os.Stderr, "no key")
		os.Exit(3)
	case "killed":
		fmt.Printf(`{"rule":%q,`, id)
		self, err := os.FindProcess(os.Getpid())
		check(err)
		check(self.Kill())
		time.Sleep(10 * time.Minute)
	case "endless":
		for {
			fmt.Print(strings.Repeat("4", 1<<16))
		}
	case "sleeps":
		time.Sleep(10 * time.Minute)
	case "flaky": // fails the first time
		if failed := filepath.Join(os.Args[1], "failed"); !exists(failed) {
			check(os.WriteFile(failed, nil, 0o600))
			os.Exit(4)
		}
		say(pass)
	case "propose": // the rest is the answer
		var fields map[string]any
		check(json.Unmarshal([]byte(rest), &fields))
		say(fields)
	}
}
