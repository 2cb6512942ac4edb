# shellcheck shell=bash
# Functions of install.sh that find the release to download. It follows from the tags, which
# Git lists on every host, without a token. install.sh sets server and repository.
# shellcheck disable=SC2154

number='(0|[1-9][0-9]*)'

# read_version sets asked to the version that the job asks for: an input, or the content
# of a file. It is empty if the action's own release is meant.
read_version() {
	local revision text
	asked=$INPUT_VERSION
	[ "$asked" != auto ] || asked=
	[ "$INPUT_VERSION_FILE" != none ] || return 0
	[ -z "$asked" ] ||
		fail "The inputs version and version-file are both set: expected at most one."
	# A change must not choose the program that judges it.
	revision=HEAD
	[ -z "${GITHUB_BASE_REF:-}" ] || revision=refs/remotes/origin/$GITHUB_BASE_REF
	[ -z "$QUEUE_BASE" ] || revision=$QUEUE_BASE
	case $INPUT_BASE in auto | none) ;; *) revision=$INPUT_BASE ;; esac
	text=$(
		cd -- "$INPUT_WORKING_DIRECTORY" &&
			commit=$(git rev-parse --verify --quiet --end-of-options "$revision^{commit}") &&
			git cat-file blob "$commit:$INPUT_VERSION_FILE"
	) || fail "The file $INPUT_VERSION_FILE can't be read from $revision, which your change is compared with. Set fetch-depth: 0 for actions/checkout, and add the file to that branch first."
	case ${INPUT_VERSION_FILE##*/} in
	.tool-versions) asked=$(printf '%s\n' "$text" | awk '$1 == "rubric" { print $2 }') ;;
	*) asked=$text ;;
	esac
	asked=${asked%$'\r'}
	[ -n "$asked" ] ||
		fail "The file $INPUT_VERSION_FILE of $revision names no version: expected one, such as 1.2.0 or, in .tool-versions, a line \"rubric 1.2.0\"."
}

# choose_version sets version to the release vX.Y.Z that asked means, or to nothing if the
# action's own commit is not a release.
choose_version() {
	local prefix='' least=0 want=${asked#v}
	if [ -z "$asked" ]; then
		own_version
		return
	elif [[ $want =~ ^$number\.$number\.$number$ ]]; then
		version=v$want
		return
	elif [[ $want =~ ^~$number\.$number\.$number$ ]]; then
		prefix="${BASH_REMATCH[1]}.${BASH_REMATCH[2]}." least=${BASH_REMATCH[3]}
	elif [[ $want =~ ^~?($number\.$number)(\.x)?$ ]] || [[ $want =~ ^($number)(\.x)?$ ]]; then
		prefix=${BASH_REMATCH[1]}.
	elif [ "$want" != latest ]; then
		fail "The version must be a release such as 1.2.0, a range such as 1.x, 1.2.x, or ~1.2.3, or latest, got \"$asked\"."
	fi
	tags
	version=$(awk -v prefix="$prefix" -v least="$least" '
		$2 ~ /^refs\/tags\/v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$/ {
			v = substr($2, 12)
			split(v, n, ".")
			if (substr(v, 1, length(prefix)) == prefix && n[3] + 0 >= least + 0) print v
		}' <<<"$tags" | highest)
	[ -n "$version" ] || fail "No release of $repository fits the version \"$asked\"."
}

# own_version sets version to the highest release with the action's own commit, or to
# nothing if there is none.
own_version() {
	version=
	if [[ $ACTION_REF =~ ^v$number\.$number\.$number$ ]]; then
		version=$ACTION_REF
		return
	fi
	# A local action (uses: ./) has no reference.
	[ -n "$ACTION_REF" ] || return 0
	tags
	# The line of an annotated tag's commit follows that of the tag, with the suffix ^{}.
	version=$(awk -v ref="$ACTION_REF" '
		{ name = $2; sub(/\^\{\}$/, "", name); commit[name] = $1 }
		END {
			want = ref
			if ("refs/heads/" ref in commit) want = commit["refs/heads/" ref]
			if ("refs/tags/" ref in commit) want = commit["refs/tags/" ref]
			for (name in commit)
				if (commit[name] == want && name ~ /^refs\/tags\/v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$/) print substr(name, 12)
		}' <<<"$tags" | highest)
}

# tags sets tags to the branches and tags of the action's repository, as git ls-remote
# lists them.
tags() {
	tags=$(GIT_TERMINAL_PROMPT=0 git ls-remote --heads --tags "$server/$repository") ||
		fail "The releases of $server/$repository can't be listed. See the error above."
}

# highest prints the highest version of its input as a tag, or nothing.
highest() {
	sort -t . -k 1,1n -k 2,2n -k 3,3n | tail -n 1 | sed 's/^/v/'
}
