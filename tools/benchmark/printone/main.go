// Command printone prints one rubric of a bundle as JSON: a minimal program with
// pkg/library, which the benchmark open measures.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/rubric-library/rubric-library/pkg/library"
)

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "Usage: printone BUNDLE DIGEST ID CONSTRAINT")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, "printone:", err)
		os.Exit(2)
	}
}

func run(bundle, digest, id, constraint string) error {
	lib, err := library.Open(bundle, library.WithDigest(digest))
	if err != nil {
		return err
	}
	r, err := lib.Rubric(context.Background(), id, constraint)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(r)
	}
	return errors.Join(err, lib.Close())
}
