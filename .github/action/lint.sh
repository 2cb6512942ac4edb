#!/usr/bin/env bash
# Runs the installed rubric-lint for action.yml, with annotations and a job summary.
# The exit code is that of rubric-lint: 1 for findings, 2 if the check could not run.
set -euo pipefail
# shellcheck source=.github/action/fail.sh
. "${BASH_SOURCE[0]%/*}/fail.sh"

not_empty fail-level "$INPUT_FAIL_LEVEL"
not_empty sarif "$INPUT_SARIF"
not_empty base "$INPUT_BASE"
format=github
# Gitea and Forgejo show no annotations, so the log has to be readable.
[ -z "${GITEA_ACTIONS:-}${FORGEJO_ACTIONS:-}" ] || format=text
# Check the commit, not the files on disk: the commit is merged and released.
arguments=(--rev HEAD "--format=$format" --github-output "--fail-level=$INPUT_FAIL_LEVEL")
[ "$INPUT_BASE" = auto ] || arguments+=("--base=$INPUT_BASE")
# Other actions expect a file in the folder of the job.
case $INPUT_SARIF in
none) ;;
/* | [A-Za-z]:*) arguments+=("--format=sarif=$INPUT_SARIF") ;;
*) arguments+=("--format=sarif=$GITHUB_WORKSPACE/$INPUT_SARIF") ;;
esac
enter_library
# read fails at the end of the text, as expected here.
IFS=$' \t\r\n' read -r -d '' -a more <<<"$INPUT_ARGS" || true
# In bash 3.2 on macOS, an empty array counts as unset.
exec "$PROGRAM" "${arguments[@]}" ${more[@]+"${more[@]}"}
