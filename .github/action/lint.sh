#!/usr/bin/env bash
# Runs the installed rubric-lint for action.yml, with annotations and a job summary.
# The exit code is that of rubric-lint: 1 for errors, 2 if it could not look.
set -euo pipefail
# shellcheck source=.github/action/fail.sh
. "${BASH_SOURCE[0]%/*}/fail.sh"

not_empty working-directory "$INPUT_WORKING_DIRECTORY"
not_empty base "$INPUT_BASE"
cd -- "$INPUT_WORKING_DIRECTORY" 2>/dev/null ||
	fail "The folder $INPUT_WORKING_DIRECTORY is not there. Check the repository out first, and say in working-directory which folder holds rubrics/."

# The commit is checked, not the files on disk: it is what gets merged and released.
arguments=(--rev HEAD --format github --github-output)
if [ "$INPUT_BASE" != auto ]; then
	arguments+=("--base=$INPUT_BASE")
fi
# read ends with an error at the end of the text, which is where it has to end.
IFS=$' \t\r\n' read -r -d '' -a more <<<"$INPUT_ARGS" || true
# The odd form is for bash 3.2 of macOS, for which an empty list is an unset one.
exec "$PROGRAM" "${arguments[@]}" ${more[@]+"${more[@]}"}
