# shellcheck shell=bash
# Functions for all scripts of the action.

# fail MESSAGE ends the step with a message that the pull request shows. Line breaks are
# escaped, so a value in the message can't start another workflow command.
fail() {
	local text=$1
	text=${text//'%'/%25}
	text=${text//$'\r'/%0D}
	text=${text//$'\n'/%0A}
	printf '::error title=rubric-lint::%s\n' "$text"
	exit 2
}

# not_empty INPUT VALUE ends the step if an input is empty.
not_empty() {
	[ -n "$2" ] || fail "The input $1 is empty: expected a value. Check the variable or output it comes from, or omit the input."
}

# enter_library changes to the folder of the library.
enter_library() {
	not_empty working-directory "$INPUT_WORKING_DIRECTORY"
	cd -- "$INPUT_WORKING_DIRECTORY" 2>/dev/null ||
		fail "The folder $INPUT_WORKING_DIRECTORY does not exist. Run actions/checkout first, and set working-directory to the folder that contains rubrics/."
}
