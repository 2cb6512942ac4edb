# shellcheck shell=bash
# What both scripts of the action need.

# fail MESSAGE ends the step with a message that shows in the pull request. A value in
# it starts no other workflow command: GitHub reads commands by lines.
fail() {
	local text=$1
	text=${text//'%'/%25}
	text=${text//$'\r'/%0D}
	text=${text//$'\n'/%0A}
	printf '::error title=rubric-lint::%s\n' "$text"
	exit 2
}

# not_empty INPUT VALUE ends the step if an input is empty: it would switch off what it
# is for.
not_empty() {
	[ -n "$2" ] || fail "The input $1 is empty: expected a value. Check the variable or the output that it comes from, or leave the input out."
}
