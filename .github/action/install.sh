#!/usr/bin/env bash
# Puts the programs on PATH for action.yml, built from the action's own source or from an
# archive that is downloaded. It runs on Linux, macOS (bash 3.2), and Windows (Git Bash).
# PATH changes only after everything succeeded.
set -euo pipefail
# shellcheck source=.github/action/fail.sh
. "${BASH_SOURCE[0]%/*}/fail.sh"

# The repository that the action runs from; a local action (uses: ./) is in the job's.
server=${GITHUB_SERVER_URL:-https://github.com}
repository=${ACTION_REPOSITORY:-${GITHUB_REPOSITORY:-}}
commands="rubric rubric-lint rubric-diff"

# check_inputs sets mode, and for binary what check_archive sets, or ends the step.
check_inputs() {
	not_empty version "$INPUT_VERSION"
	not_empty url "$INPUT_URL"
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
	if [ "$INPUT_VERSION $INPUT_URL $INPUT_CHECKSUM" = "none none none" ]; then
		[ "$mode" != binary ] || fail "The input version is required with install-mode binary: expected a release such as 1.2.0. Or set url."
		mode=source
		return
	fi
	[ "$mode" != source ] ||
		fail "The inputs version, url, and checksum have no effect with install-mode source, which builds the action's own commit. Omit them and pin the action by its commit, or set install-mode: binary."
	mode=binary
	check_archive
}

# check_archive sets the archive to download, or ends the step: its checksum, the address of
# its folder (from), its name (archive), and what to do if it is not there (advice).
check_archive() {
	if [ "$INPUT_URL" = none ]; then
		check_release
	else
		check_url
	fi
	checksum=$(printf '%s' "${INPUT_CHECKSUM#sha256:}" | tr 'A-F' 'a-f')
	[[ $checksum =~ ^[0-9a-f]{64}$ ]] ||
		fail "The input checksum is required with version or url: expected the SHA-256 of the archive for this system, 64 hexadecimal digits, got \"$INPUT_CHECKSUM\"."
}

# check_release is for an archive of a release.
check_release() {
	local number='(0|[1-9][0-9]*)' version=v${INPUT_VERSION#v}
	[[ $version =~ ^v$number\.$number\.$number$ ]] ||
		fail "The input version must be a release such as 1.2.0, got \"$INPUT_VERSION\"."
	[[ $server/$repository =~ ^https://[A-Za-z0-9.:-]+(/[A-Za-z0-9._-]+)*/[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$ ]] ||
		fail "Releases are downloaded over HTTPS from the action's repository, got \"$server/$repository\". Set url instead of version, or omit both to build from source."
	name_archive
	from=$server/$repository/releases/download/$version
	advice="Choose a version from the releases of $server/$repository, or set url instead of version if the archive is on another server."
}

# check_url is for an archive at any address: the checksum decides what is installed, so the
# address can be one without encryption.
check_url() {
	[ "$INPUT_VERSION" = none ] || fail "The inputs version and url exclude each other: both name an archive. Omit one of them."
	[[ $INPUT_URL =~ ^https?://[A-Za-z0-9.:-]+(/[A-Za-z0-9._~%+@-]+)*/[A-Za-z0-9][A-Za-z0-9._+-]*$ ]] ||
		fail "The input url must be the address of an archive such as https://git.example.org/tools/rubric-tools.tar.gz, without a user, a query, or spaces, got \"$INPUT_URL\"."
	from=${INPUT_URL%/*} archive=${INPUT_URL##*/}
	advice="Correct the input url, or let everyone on this network read the archive."
}

# build_source builds the action's own commit into the folder $1: with install-only all
# programs, and otherwise those that the next steps run, which takes two thirds of the time.
build_source() {
	command -v go >/dev/null ||
		fail "Go is not installed. Run actions/setup-go before this step, or set url and checksum to download the programs."
	echo "The programs are built from the action's own commit."
	# Ignore the Go settings of the job. This module builds with the Go version in its
	# go.mod, which an older Go downloads.
	cd "$GITHUB_ACTION_PATH"
	local packages=(./cmd/rubric-lint ./cmd/rubric-diff)
	[ "$INPUT_INSTALL_ONLY" = false ] || packages=(./cmd/...)
	GOTOOLCHAIN=auto GOWORK=off GOFLAGS=-buildvcs=false GOOS='' GOARCH='' CGO_ENABLED=0 go build -trimpath -ldflags=-s -o "$1/" "${packages[@]}" ||
		fail "The action could not be built from source. See the errors above. If Go could not download a module or itself, because this network has no module proxy (GOPROXY), set url and checksum to download the programs from a server that it reaches."
}

# take_archive unpacks the programs of the archive into the folder $1.
take_archive() {
	local got
	download "$archive"
	got=$(digest <"$archive")
	[ "$got" = "$checksum" ] ||
		fail "$archive of $from has the wrong SHA-256: expected $checksum, got $got. Nothing was installed. The checksum may belong to another version or system; otherwise the archive was changed."
	verify_attestation
	unpack "$archive" "$1"
}

# verify_attestation ends the step unless the repository's workflow for the programs built
# the archive on main. It reads the attestation from the release, which needs no token. Only
# github.com has attestations, and gh has the command since version 2.49.
verify_attestation() {
	if [ "$server $INPUT_URL" != "https://github.com none" ] || ! gh attestation verify --help >/dev/null 2>&1; then
		echo "The attestation of $archive is not verified, which needs a release on github.com and its CLI, gh."
		return
	fi
	download release.sigstore.json
	GH_HOST=github.com gh attestation verify "$archive" --repo "$repository" --bundle release.sigstore.json \
		--signer-workflow "$repository/.github/workflows/tools.yml" --source-ref refs/heads/main ||
		fail "The attestation of $archive could not be verified: expected one by tools.yml of $repository on main. See the errors above. Nothing was installed."
}

# name_archive sets archive to the name of a release's archive for this system.
name_archive() {
	local system architecture
	case $RUNNER_OS in
	Linux) system=linux ;;
	macOS) system=darwin ;;
	Windows) system=windows ;;
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

# download saves the file $1 beside the archive in the working folder.
download() {
	local code protocols='=https'
	command -v curl >/dev/null || fail "curl is not installed, which downloads the programs. Install it in the job's image."
	[[ $from == https:* ]] || protocols='=http,https'
	code=$(curl --silent --show-error --location --proto "$protocols" --proto-redir "$protocols" --tlsv1.2 \
		--connect-timeout 20 --max-time 300 --retry 3 --max-filesize 268435456 \
		--output "$1" --write-out '%{http_code}' "$from/$1") || code="no answer ($code), for the reason above"
	case $code in
	200) ;;
	401 | 403 | 404) fail "There is no $1 in $from, or only for those who log in ($code). Nothing was installed. $advice" ;;
	*) fail "Downloading $1 from $from failed: $code. Nothing was installed. If this network can't reach that server, put the archive on one that it reaches, and set url and checksum." ;;
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
	local members name suffix=
	[ "$RUNNER_OS" != Windows ] || suffix=.exe
	members=$(tar -tzf "$1") || fail "$1 is not a readable archive. Nothing was installed."
	if printf '%s\n' "$members" | sed 's|^\./||' | grep -q -e / -e '^\.\.$'; then
		fail "$1 contains files outside its own folder, so it is none of ours. Nothing was installed."
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
binary) take_archive "$folder/bin" ;;
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
