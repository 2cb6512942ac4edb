#!/usr/bin/env bash
# Adds to the job summary what the change does to scores and verdicts, for action.yml.
set -euo pipefail
# shellcheck source=.github/action/fail.sh
. "${BASH_SOURCE[0]%/*}/fail.sh"

enter_library
# The names of commands differ only here. On Windows, they have a suffix.
program=${LINTER%rubric-lint*}rubric-diff${LINTER##*rubric-lint}
summary=$RUNNER_TEMP/rubric-change.md
"$program" "$BASE" HEAD --replay --github-output --format text --format "markdown=$summary"
cat "$summary" >>"$GITHUB_STEP_SUMMARY"
