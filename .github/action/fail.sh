# shellcheck shell=bash
# Functions for both scripts of the action.

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
