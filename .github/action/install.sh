#!/usr/bin/env bash
# Puts the programs on PATH for action.yml, built from the action's own source or
# downloaded from a release. It runs on Linux, macOS (bash 3.2), and Windows (Git Bash).
# PATH changes only after everything succeeded.
set -euo pipefail
# shellcheck source=.github/action/fail.sh
. "${BASH_SOURCE[0]%/*}/fail.sh"
# shellcheck source=.github/action/version.sh
. "${BASH_SOURCE[0]%/*}/version.sh"

# The repository that the action runs from; a local action (uses: ./) is in the job's.
server=${GITHUB_SERVER_URL:-https://github.com}
repository=${ACTION_REPOSITORY:-${GITHUB_REPOSITORY:-}}
commands="rubric rubric-lint rubric-diff"

# check_inputs sets mode and checksum, or ends the step.
check_inputs() {
	not_empty version "$INPUT_VERSION"
	not_empty version-file "$INPUT_VERSION_FILE"
	not_empty checksum "$INPUT_CHECKSUM"
	not_empty install-mode "$INPUT_INSTALL_MODE"
	not_empty base "$INPUT_BASE"
	checksum=
	[ "$INPUT_CHECKSUM" = none ] || checksum=$(printf '%s' "${INPUT_CHECKSUM#sha256:}" | tr 'A-F' 'a-f')
	[[ $INPUT_CHECKSUM = none || $checksum =~ ^[0-9a-f]{64}$ ]] ||
		fail "The input checksum must be the SHA-256 of the archive, 64 hexadecimal digits, got \"$INPUT_CHECKSUM\"."
	case $INPUT_INSTALL_ONLY in
	true | false) ;;
	*) fail "The input install-only must be true or false, got \"$INPUT_INSTALL_ONLY\"." ;;
	esac
	mode=$INPUT_INSTALL_MODE
	case $mode in
	auto | binary) ;;
	source)
		[ "$INPUT_VERSION $INPUT_VERSION_FILE $checksum" = "auto none " ] ||
			fail "The inputs version, version-file, and checksum have no effect with install-mode source, which builds the action's own commit. Omit them and pin the action by its commit, or set install-mode: binary."
		return
		;;
	*) fail "The input install-mode must be binary, source, or auto, got \"$mode\"." ;;
	esac
	[[ $server/$repository =~ ^https://[A-Za-z0-9.:-]+(/[A-Za-z0-9._-]+)*/[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$ ]] ||
		fail "Releases are downloaded over HTTPS from the action's repository, got \"$server/$repository\". Set install-mode: source."
}

# choose_mode sets mode to binary, with the version, or to source.
choose_mode() {
	read_version
	choose_version
	if [ -n "$version" ]; then
		mode=binary
	elif [ "$mode" = binary ] || [ -n "$checksum" ]; then
		fail "No release has the action's own commit. Set version, or omit checksum and set install-mode: source."
	else
		echo "No release has the action's own commit, so it is built from source."
		mode=source
	fi
}

# build_source builds the action's own commit into the folder $1.
build_source() {
	command -v go >/dev/null ||
		fail "Go is not installed. Run actions/setup-go before this step, or set version to download a release."
	# Ignore the Go settings of the job. This module builds with the Go version in its
	# go.mod, which an older Go downloads.
	cd "$GITHUB_ACTION_PATH"
	GOTOOLCHAIN=auto GOWORK=off GOFLAGS=-buildvcs=false GOOS='' GOARCH='' CGO_ENABLED=0 go build -trimpath -ldflags=-s -o "$1/" ./cmd/... ||
		fail "The action could not be built from source. See the errors above."
}

# take_release unpacks the programs of the release into the folder $1.
take_release() {
	local archive want
	name_archive
	want=$checksum
	if [ -z "$want" ]; then
		download SHA256SUMS
		want=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' SHA256SUMS)
		[[ $want =~ ^[0-9a-f]{64}$ ]] ||
			fail "SHA256SUMS of $version must list $archive exactly once. Nothing was installed."
	fi
	take_archive
	unpack "$archive" "$1"
}

# take_archive puts the archive with the SHA-256 want into the working folder. The tool
# cache of a machine outlives a job, whose code can write to it, so the archive is copied
# from there before it is checked, and programs are never kept there.
take_archive() {
	local got cache=${RUNNER_TOOL_CACHE:+${RUNNER_TOOL_CACHE//\\//}/rubric-tools}
	# A pipe would never end.
	if [ -n "$cache" ] && [ -f "$cache/$want" ] && cat "$cache/$want" >"$archive" && [ "$(digest <"$archive")" = "$want" ]; then
		echo "$archive is in the tool cache."
		return
	fi
	download "$archive"
	got=$(digest <"$archive")
	[ "$got" = "$want" ] ||
		fail "$archive of $version has the wrong SHA-256: expected $want, got $got. Nothing was installed. If you set checksum, it may belong to another version or system; otherwise the release was changed."
	# A cache that can't be written makes the next job slower, and nothing else.
	if [ -n "$cache" ]; then
		{ mkdir -p "$cache" && cp "$archive" "$cache/$want.$$" && mv -f "$cache/$want.$$" "$cache/$want"; } 2>/dev/null || true
	fi
}

# name_archive sets archive to the file name for this system, and suffix to the suffix of
# its programs.
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
		fail "Releases contain no programs for $RUNNER_OS on $RUNNER_ARCH. Set install-mode: source."
	fi
	archive=rubric-tools_${version#v}_${system}_$architecture.tar.gz
}

# download saves the file $1 of the release in the working folder.
download() {
	local code
	code=$(curl --silent --show-error --location --proto =https --proto-redir =https --tlsv1.2 \
		--connect-timeout 20 --max-time 300 --retry 3 --max-filesize 268435456 \
		--output "$1" --write-out '%{http_code}' "$server/$repository/releases/download/$version/$1") || code="no answer ($code)"
	case $code in
	200) ;;
	404) fail "The release $version does not exist or has no $1. Choose a version from the releases of $server/$repository." ;;
	*) fail "Downloading $1 of $version failed: $code. Nothing was installed." ;;
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

# unpack writes the programs in the archive $1 to the folder $2. It reads each member by
# name and writes the file itself, so paths, links, and modes in the archive have no effect.
unpack() {
	local members name
	members=$(tar -tzf "$1") || fail "$1 is not a readable archive. Nothing was installed."
	if printf '%s\n' "$members" | sed 's|^\./||' | grep -q -e / -e '^\.\.$'; then
		fail "$1 contains files outside its own folder, so it is not one of our releases. Nothing was installed."
	fi
	for name in $commands; do
		name=$name$suffix
		[ "$(printf '%s\n' "$members" | sed 's|^\./||' | grep -cxF "$name")" = 1 ] ||
			fail "$1 must contain $name exactly once. Nothing was installed."
		tar -xzOf "$1" "$(printf '%s\n' "$members" | grep -xF -e "$name" -e "./$name")" >"$2/$name" ||
			fail "$name can't be read from $1. Nothing was installed."
		[ -s "$2/$name" ] || fail "$name in $1 is empty or not a file. Nothing was installed."
		chmod +x "$2/$name"
	done
}

# windows_path prints the path $1 in the system's native form.
windows_path() {
	if command -v cygpath >/dev/null; then
		cygpath -w "$1"
	else
		printf '%s\n' "$1"
	fi
}

check_inputs
[ "$mode" = source ] || choose_mode
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
	fail "The downloaded or built rubric-lint does not run on this system. Nothing was installed."
windows_path "$folder/bin" >>"$GITHUB_PATH"
{
	echo "version=$(cut -d ' ' -f 2 <<<"$installed")"
	echo "path=$(windows_path "$program")"
} >>"$GITHUB_OUTPUT"
