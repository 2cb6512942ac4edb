package command

import "testing"

func TestArgumentsOfAnotherProgramCanBeEmpty(t *testing.T) {
	if message := wrongArgument([]string{"run", "--judge", "a", "--", "", "--x="}); message != "" {
		t.Error(message)
	}
}
