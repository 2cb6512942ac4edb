package main

import (
	"testing"

	"github.com/rubric-library/rubric-library/internal/scripttest"
)

// setup is the library of docs/versions.md.
const setup = `[!exec:git] skip 'git is not installed'
mkdir lib
cd lib
git init -q
rubric rubrics/prd/depth_v1.yaml 1.0.0
commit one
git checkout -q -b topic
`

func TestDocsRun(t *testing.T) { scripttest.RunPage(t, "../../docs/versions.md", setup, nil) }
