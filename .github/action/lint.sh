#!/usr/bin/env bash
# Runs the installed rubric-lint for action.yml, with annotations and a job summary.
# The exit code is that of rubric-lint: 1 for errors, 2 if the check could not run.
set -euo pipefail
# shellcheck source=.github/action/fail.sh
. "${BASH_SOURCE[0]%/*}/fail.sh"

not_empty working-directory "$INPUT_WORKING_DIRECTORY"
not_empty base "$INPUT_BASE"
cd -- "$INPUT_WORKING_DIRECTORY" 2>/dev/null ||
	fail "The folder $INPUT_WORKING_DIRECTORY does not exist. Run actions/checkout first, and set working-directory to the folder that contains rubrics/."

# Check the commit, not the files on disk: the commit is merged and released.
arguments=(--rev HEAD --format github --github-output)
if [ "$INPUT_BASE" != auto ]; then
	arguments+=("--base=$INPUT_BASE")
fi
# read fails at the end of the text, as expected here.
IFS=$' \t\r\n' read -r -d '' -a more <<<"$INPUT_ARGS" || true
# In bash 3.2 on macOS, an empty array counts as unset.
exec "$PROGRAM" "${arguments[@]}" ${more[@]+"${more[@]}"}
