#!/usr/bin/env bash
# Puts the commands on PATH for action.yml: built from the action's own source, or
# taken from a release. It runs on Linux, macOS (bash 3.2) and Windows (Git Bash).
# Nothing is on PATH before it is whole.
set -euo pipefail
# shellcheck source=.github/action/fail.sh
. "${BASH_SOURCE[0]%/*}/fail.sh"

releases=https://github.com/rubric-library/rubric-library/releases/download
commands="rubric rubric-lint rubric-diff"

# check_inputs sets mode, version and checksum, or says what is wrong with them.
check_inputs() {
	local number='(0|[1-9][0-9]*)'
	not_empty version "$INPUT_VERSION"
	not_empty checksum "$INPUT_CHECKSUM"
	not_empty install-mode "$INPUT_INSTALL_MODE"
	version=$INPUT_VERSION
	[ "$version" != none ] || version=
	checksum=
	[ "$INPUT_CHECKSUM" = none ] || checksum=$(printf '%s' "${INPUT_CHECKSUM#sha256:}" | tr 'A-F' 'a-f')
	mode=$INPUT_INSTALL_MODE
	if [ "$mode" = auto ]; then
		mode=source
		[ -z "$version" ] || mode=binary
	fi
	case $INPUT_INSTALL_ONLY in
	true | false) ;;
	*) fail "install-only is true or false, and not $INPUT_INSTALL_ONLY." ;;
	esac
	case $mode in
	source)
		if [ -n "$version$checksum" ]; then
			fail "With install-mode source the action builds its own commit, so version and checksum mean nothing. Leave them out and pin the action by its commit, or say install-mode: binary."
		fi
		;;
	binary)
		[[ $version =~ ^v$number\.$number\.$number$ ]] ||
			fail "With install-mode binary version says which release, such as v1.2.0, and not \"$version\". Versions that move, such as latest or v1, are not taken: the check would change without a change of yours."
		[[ $INPUT_CHECKSUM = none || $checksum =~ ^[0-9a-f]{64}$ ]] ||
			fail "checksum is the SHA-256 of the archive, 64 digits from 0 to f, and not \"$INPUT_CHECKSUM\"."
		;;
	*) fail "install-mode is binary, source or auto, and not $mode." ;;
	esac
}

# build_source fills the folder $1 with what the action's own commit builds.
build_source() {
	command -v go >/dev/null ||
		fail "Go is not installed here. Put actions/setup-go before this step, or take a release: say version."
	# The job may have a Go of its own with settings of its own. This module builds
	# with the Go that its go.mod asks for, which an older Go fetches.
	cd "$GITHUB_ACTION_PATH"
	GOTOOLCHAIN=auto GOWORK=off GOFLAGS=-buildvcs=false GOOS='' GOARCH='' CGO_ENABLED=0 go build -trimpath -o "$1/" ./cmd/... ||
		fail "The action could not be built from source; the lines above say why."
}

# take_release fills the folder $1 with the programs of the release's archive.
take_release() {
	local archive want got
	name_archive
	download "$archive"
	want=$checksum
	if [ -z "$want" ]; then
		download SHA256SUMS
		want=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' SHA256SUMS)
		[[ $want =~ ^[0-9a-f]{64}$ ]] ||
			fail "SHA256SUMS of $version does not say once what the checksum of $archive is. Nothing was installed."
	fi
	got=$(digest <"$archive")
	[ "$got" = "$want" ] ||
		fail "$archive of $version has the SHA-256 $got, and $want was expected. Nothing was installed. If checksum is your input, it may be that of another version or system; else somebody changed the release."
	unpack "$archive" "$1"
}

# name_archive sets archive to what the release calls it for this system, and suffix
# to the ending of a program's name.
name_archive() {
	local system architecture
	suffix=
	case $RUNNER_OS in
	Linux) system=linux ;;
	macOS) system=darwin ;;
	Windows) system=windows suffix=.exe ;;
	esac
	case $RUNNER_ARCH in
	X64) architecture=amd64 ;;
	ARM64) architecture=arm64 ;;
	esac
	if [ -z "${system:-}" ] || [ -z "${architecture:-}" ]; then
		fail "There are no programs for $RUNNER_OS on $RUNNER_ARCH. Say install-mode: source."
	fi
	archive=rubric-tools_${version#v}_${system}_$architecture.tar.gz
}

# download fetches the file $1 of the release into this folder.
download() {
	local code
	code=$(curl --silent --show-error --location --proto =https --proto-redir =https --tlsv1.2 \
		--connect-timeout 20 --max-time 300 --retry 3 --max-filesize 268435456 \
		--output "$1" --write-out '%{http_code}' "$releases/$version/$1") || code="no answer ($code)"
	case $code in
	200) ;;
	404) fail "There is no $1 in a release $version. Look at the releases of rubric-library/rubric-library for a version that is there." ;;
	*) fail "$1 of $version could not be downloaded: $code. Nothing was installed." ;;
	esac
}

# digest prints the SHA-256 of its input.
digest() {
	if command -v sha256sum >/dev/null; then
		sha256sum
	else
		shasum -a 256
	fi | cut -d ' ' -f 1
}

# unpack writes the programs in the archive $1 to the folder $2. Members are read by
# name and written by this script, so that no path, link or mode in the archive acts.
unpack() {
	local members name
	members=$(tar -tzf "$1") || fail "$1 can't be read as an archive. Nothing was installed."
	if printf '%s\n' "$members" | sed 's|^\./||' | grep -q -e / -e '^\.\.$'; then
		fail "$1 holds files outside its own folder, which no release of ours does. Nothing was installed."
	fi
	for name in $commands; do
		name=$name$suffix
		[ "$(printf '%s\n' "$members" | sed 's|^\./||' | grep -cxF "$name")" = 1 ] ||
			fail "$1 does not hold $name once. Nothing was installed."
		tar -xzOf "$1" "$(printf '%s\n' "$members" | grep -xF -e "$name" -e "./$name")" >"$2/$name" ||
			fail "$name can't be read from $1. Nothing was installed."
		[ -s "$2/$name" ] || fail "$name in $1 is empty, or no file. Nothing was installed."
		chmod +x "$2/$name"
	done
}

# windows_path prints the path $1 as other programs on this system write it.
windows_path() {
	if command -v cygpath >/dev/null; then
		cygpath -w "$1"
	else
		printf '%s\n' "$1"
	fi
}

check_inputs
folder=$(mktemp -d "${RUNNER_TEMP//\\//}/rubric-tools.XXXXXX")
mkdir "$folder/bin" "$folder/download"
cd "$folder/download"
case $mode in
source) build_source "$folder/bin" ;;
binary) take_release "$folder/bin" ;;
esac
program=$(ls "$folder"/bin/rubric-lint*)
installed=$("$program" --version) || true
[[ $installed == "rubric-lint "* ]] ||
	fail "What was downloaded or built as rubric-lint does not run here. Nothing was installed."
windows_path "$folder/bin" >>"$GITHUB_PATH"
{
	echo "version=${installed#rubric-lint }"
	echo "path=$(windows_path "$program")"
} >>"$GITHUB_OUTPUT"
