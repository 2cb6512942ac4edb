#!/usr/bin/env bash
# Puts the programs on PATH for action.yml, built from the action's own source or
# downloaded from a release. It runs on Linux, macOS (bash 3.2), and Windows (Git Bash).
# PATH changes only after everything succeeded.
set -euo pipefail
# shellcheck source=.github/action/fail.sh
. "${BASH_SOURCE[0]%/*}/fail.sh"

# The repository that the action runs from; a local action (uses: ./) is in the job's.
server=${GITHUB_SERVER_URL:-https://github.com}
repository=${ACTION_REPOSITORY:-${GITHUB_REPOSITORY:-}}
commands="rubric rubric-lint rubric-diff"

# check_inputs sets mode, version, and checksum, or ends the step.
check_inputs() {
	not_empty version "$INPUT_VERSION"
	not_empty checksum "$INPUT_CHECKSUM"
	not_empty install-mode "$INPUT_INSTALL_MODE"
	case $INPUT_INSTALL_ONLY in
	true | false) ;;
	*) fail "The input install-only must be true or false, got \"$INPUT_INSTALL_ONLY\"." ;;
	esac
	mode=$INPUT_INSTALL_MODE
	case $mode in
	auto | binary | source) ;;
	*) fail "The input install-mode must be binary, source, or auto, got \"$mode\"." ;;
	esac
	if [ "$INPUT_VERSION $INPUT_CHECKSUM" = "none none" ]; then
		[ "$mode" != binary ] || fail "The input version is required with install-mode binary: expected a release such as 1.2.0."
		mode=source
		return
	fi
	[ "$mode" != source ] ||
		fail "The inputs version and checksum have no effect with install-mode source, which builds the action's own commit. Omit them and pin the action by its commit, or set install-mode: binary."
	mode=binary
	check_release
}

# check_release sets version and checksum of the release to download, or ends the step.
check_release() {
	local number='(0|[1-9][0-9]*)'
	version=v${INPUT_VERSION#v}
	[[ $version =~ ^v$number\.$number\.$number$ ]] ||
		fail "The input version must be a release such as 1.2.0, got \"$INPUT_VERSION\"."
	checksum=$(printf '%s' "${INPUT_CHECKSUM#sha256:}" | tr 'A-F' 'a-f')
	[[ $checksum =~ ^[0-9a-f]{64}$ ]] ||
		fail "The input checksum is required with version: expected the SHA-256 of the release's archive for this system, 64 hexadecimal digits, got \"$INPUT_CHECKSUM\"."
	[[ $server/$repository =~ ^https://[A-Za-z0-9.:-]+(/[A-Za-z0-9._-]+)*/[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$ ]] ||
		fail "Releases are downloaded over HTTPS from the action's repository, got \"$server/$repository\". Omit version and checksum to build from source."
}

# build_source builds the action's own commit into the folder $1.
build_source() {
	command -v go >/dev/null ||
		fail "Go is not installed. Run actions/setup-go before this step, or set version and checksum to download a release."
	echo "The programs are built from the action's own commit."
	# Ignore the Go settings of the job. This module builds with the Go version in its
	# go.mod, which an older Go downloads.
	cd "$GITHUB_ACTION_PATH"
	GOTOOLCHAIN=auto GOWORK=off GOFLAGS=-buildvcs=false GOOS='' GOARCH='' CGO_ENABLED=0 go build -trimpath -ldflags=-s -o "$1/" ./cmd/... ||
		fail "The action could not be built from source. See the errors above."
}

# take_release unpacks the programs of the release into the folder $1.
take_release() {
	local archive got
	name_archive
	download "$archive"
	got=$(digest <"$archive")
	[ "$got" = "$checksum" ] ||
		fail "$archive of $version has the wrong SHA-256: expected $checksum, got $got. Nothing was installed. The checksum may belong to another version or system; otherwise the release was changed."
	verify_attestation
	unpack "$archive" "$1"
}

# verify_attestation ends the step unless the repository's workflow for the programs built
# the archive on main. It reads the attestation from the release, which needs no token. Only
# github.com has attestations, and gh has the command since version 2.49.
verify_attestation() {
	if [ "$server" != https://github.com ] || ! gh attestation verify --help >/dev/null 2>&1; then
		echo "The attestation of $archive is not verified, which needs github.com and its CLI, gh."
		return
	fi
	download release.sigstore.json
	GH_HOST=github.com gh attestation verify "$archive" --repo "$repository" --bundle release.sigstore.json \
		--signer-workflow "$repository/.github/workflows/tools.yml" --source-ref refs/heads/main ||
		fail "The attestation of $archive could not be verified: expected one by tools.yml of $repository on main. See the errors above. Nothing was installed."
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
		fail "Releases contain no programs for $RUNNER_OS on $RUNNER_ARCH. Omit version and checksum to build from source."
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
