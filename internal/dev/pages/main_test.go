package pages_test

import (
	"os"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

func TestMain(m *testing.M) { os.Exit(scripttest.InRoot{M: m}.Run()) }
