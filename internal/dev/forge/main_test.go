package forge_test

import (
	"os"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

const module = "github.com/rubric-library/rubric-library"

func TestMain(m *testing.M) { os.Exit(scripttest.InRoot{M: m}.Run()) }
