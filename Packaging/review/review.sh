#!/usr/bin/env bash
# What a pull request does to trust policies and to their guards, as one comment for each policy,
# which every further run writes anew. A comment also has the other policies that the pull request
# touches and that no UNIT names. It reads git's objects alone: of the pull request nothing is
# checked out, built or run. Needs git, curl, jq and hawser.
#
#   review.sh UNIT...     each UNIT a folder with `policy.yaml`, its path from the repository's top;
#                         `.` is the top
#   review.sh --comment FILE
#                         compares nothing, and writes FILE as the comment that begins as it does
#
# It reads these variables:
#
#   BASE          a commit of the branch that the pull request goes to
#   HEAD          the last commit of the pull request. The clone holds both, to their merge base
#   REQUIRE       what `hawser diff --require` is given: `no-weaker`, the default, or `equal`
#   ALLOW         a file of dated allowances, its path from the top; taken from HEAD, if it is there
#   ALLOW_BASE    `yes`: only the allowances that BASE has too count, so that a pull request cannot
#                 allow itself
#   REPOSITORY    OWNER/NAME
#   PULL_REQUEST  its number
#   TOKEN         may comment on the pull request. Without a token nothing is posted
#   AUTHOR        as whom the token comments; by default `github-actions[bot]`. No other author's
#                 comment is ever changed, whatever it begins with
#   API           by default https://api.github.com
#   SUMMARY       a file to which the comments are added, too; by default $GITHUB_STEP_SUMMARY
#   HAWSER        by default `hawser`
#
# It ends with the gravest status of all units:
#
#   0   nothing that REQUIRE forbids
#   1   something that REQUIRE forbids
#   4   compared, but the comment could not be written: what stands there may be of an older run
#   2, or whatever else the command ended with: not compared, and the comment says so
set -euo pipefail

fail() { # STATUS MESSAGE
    printf 'review: %s\n' "$2" >&2
    exit "$1"
}
[ $# -gt 0 ] || fail 2 'name the folder of at least one policy'
prepared=
if [ "$1" = --comment ]; then
    [ $# -eq 2 ] && [ -f "$2" ] || fail 2 '`--comment` takes a file'
    prepared=$(realpath "$2")
else
    for name in BASE HEAD; do
        [ -n "${!name:-}" ] || fail 2 "$name is not set"
    done
    cd "$(git rev-parse --show-toplevel)"
fi
if [ -n "${TOKEN:-}" ]; then
    [[ ${REPOSITORY:-} =~ ^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$ ]] || fail 2 'REPOSITORY is not OWNER/NAME'
    [[ ${PULL_REQUEST:-} =~ ^[0-9]+$ ]] || fail 2 'PULL_REQUEST is not a number'
fi
api=${API:-https://api.github.com}
author=${AUTHOR:-github-actions[bot]}
summary=${SUMMARY:-${GITHUB_STEP_SUMMARY:-}}
# Missing objects are not fetched, and replace refs are ignored.
export GIT_NO_LAZY_FETCH=1 GIT_NO_REPLACE_OBJECTS=1

umask 077
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
markdown=$scratch/comment.md
errors=$scratch/errors

# The log of GitHub Actions obeys lines that begin with `::`. Text of a policy must not be able to.
if [ "${GITHUB_ACTIONS:-}" = true ]; then
    quiet=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    printf '::stop-commands::%s\n' "$quiet"
    trap 'rm -rf "$scratch"; printf "::%s::\n" "$quiet"' EXIT
fi

# ---------------------------------------------------------------------- the comparison

holds() { # COMMIT PATH: whether the commit has the file; status 2 if its trees cannot be read
    local entry
    entry=$(git --literal-pathspecs ls-tree --name-only "$1" -- "$2" 2>>"$errors") || return 2
    [ -n "$entry" ]
}

compare() { # UNIT: prints the comparison and writes the comment; its status is that of the command
    local unit=$1 path=$1 status=0 base head merge_base other options=()
    if [ "$unit" = . ]; then path=; fi # as `git:REV:PATH` names the top
    rm -f "$markdown"
    : >"$errors"
    base=$(git rev-parse --verify --quiet --end-of-options "$BASE^{commit}") ||
        { echo "there is no commit $BASE" >>"$errors"; return 2; }
    head=$(git rev-parse --verify --quiet --end-of-options "$HEAD^{commit}") ||
        { echo "there is no commit $HEAD" >>"$errors"; return 2; }
    merge_base=$(git merge-base --all "$base" "$head" 2>>"$errors") ||
        { echo "$base and $head have no common commit in this clone; is it shallow?" >>"$errors"; return 2; }
    [[ $merge_base != *$'\n'* ]] ||
        { echo "$base and $head have several merge bases: merge the target branch" >>"$errors"; return 2; }
    # `--base` compares a unit that is new with a policy that denies every host. A unit that is gone
    # is not compared: a pull request that moves the policy elsewhere would be all stricter, and the
    # rest unseen. Units that are named here have a comment of their own.
    for other in "${units[@]}"; do
        if [ "$other" != "$unit" ]; then options+=(--apart "$other"); fi
    done
    if [ -n "${ALLOW:-}" ]; then
        status=0
        holds "$head" "$ALLOW" || status=$?
        if [ "$status" -eq 0 ]; then
            # A file of its own for the command, since nothing is checked out.
            options+=(--allow "$scratch/$(basename "$ALLOW")")
            if [ "${ALLOW_BASE:-}" = yes ]; then options+=(--allow-base); fi
            git cat-file blob "$head:$ALLOW" >"$scratch/$(basename "$ALLOW")" 2>>"$errors" || return 2
        elif [ "$status" -gt 1 ]; then
            return 2
        fi
    fi

    status=0
    timeout -k 10 600 "${HAWSER:-hawser}" diff --base "$merge_base" "git:$head:$path" \
        --require "${REQUIRE:-no-weaker}" "${options[@]}" --output "markdown=$markdown" 2>>"$errors" || status=$?
    cat "$errors" >&2
    # A comparison that was made has written its comment. Anything else is none.
    if [ "$status" -le 1 ] && ! opens_with_marker "$unit"; then
        echo "status $status without a comment" >>"$errors"
        return 2
    fi
    return "$status"
}

# The first line of a comment, by which the next run finds it, as `hawser diff` writes it.
marker() { # UNIT
    printf '<!-- hawser-diff: %s -->' "$(jq -rn --arg unit "$1" '$unit | @uri | gsub("%2F"; "/")')"
}

opens_with_marker() { # UNIT
    [ -f "$markdown" ] && [ "$(head -n 1 "$markdown")" = "$(marker "$1")" ]
}

not_compared() { # UNIT STATUS: writes the comment that takes the place of a comparison
    # What the command itself wrote is better, if it says that it did not compare.
    if [ "$2" -eq 2 ] && opens_with_marker "$1" && grep -qi 'not compared' "$markdown"; then return; fi
    {
        marker "$1"
        printf '\n**Not compared.** Nothing is known of what this pull request does to `%s`. ' "$1"
        printf 'The comparison ended with status %s:\n\n' "$2"
        # An indented block of code: no line can end it, and nobody is mentioned.
        head -c 4000 "$errors" | LC_ALL=C tr -d '\000-\010\013-\037\177' | sed 's/^/    /'
        echo
    } >"$markdown"
}

# ---------------------------------------------------------------------- the comment

# Asks the API. The answer is in $scratch/answer, its head in $scratch/head. The token is in a file
# that curl reads, and never among arguments, which every process of the machine can see. No
# redirection is followed.
ask() { # METHOD ADDRESS [BODY]
    local options=(--silent --show-error --fail-with-body --connect-timeout 20 --max-time 60)
    # A second POST would be a second comment.
    if [ "$1" != POST ]; then options+=(--retry 2 --retry-delay 1); fi
    if [ $# -gt 2 ]; then options+=(--header 'Content-Type: application/json' --data-binary "@$3"); fi
    curl "${options[@]}" --request "$1" --header "@$scratch/headers" --dump-header "$scratch/head" \
        --output "$scratch/answer" "$2" || {
        printf 'review: %s %s was refused: ' "$1" "$2" >&2
        head -c 1000 "$scratch/answer" >&2 || true
        echo >&2
        return 4
    }
}

own_comment() { # MARKER: prints the number of our comment, and nothing where there is none
    local address="$api/repos/$REPOSITORY/issues/$PULL_REQUEST/comments?per_page=100" page found
    for ((page = 1; page <= 100; page++)); do
        ask GET "$address" || return 4
        found=$(jq -r --arg marker "$1" --arg author "$author" \
            'first(.[] | select(.user.login == $author)
                 | select((.body // "" | split("\n")[0] // "" | rtrimstr("\r")) == $marker) | .id)' \
            "$scratch/answer") || return 4
        if [ -n "$found" ]; then
            [[ $found =~ ^[0-9]+$ ]] || return 4
            printf '%s' "$found"
            return
        fi
        address=$(sed -nE 's/^[Ll]ink:.*<([^>]*)>; *rel="next".*/\1/p' "$scratch/head" | head -n 1)
        [ -n "$address" ] || return 0
        # The token goes only to this API.
        [[ $address == "$api"/* ]] || { echo "review: the next page is elsewhere: $address" >&2; return 4; }
    done
    echo 'review: more than 10,000 comments' >&2
    return 4
}

post() { # writes the text of $markdown as the comment whose first line it has
    local number
    if [ -n "$summary" ]; then cat "$markdown" >>"$summary"; echo >>"$summary"; fi
    if [ -z "${TOKEN:-}" ]; then
        if [ -z "$summary" ]; then cat "$markdown"; fi
        echo 'review: there is no token, so that nothing is posted' >&2
        return
    fi
    printf 'Authorization: Bearer %s\nAccept: application/vnd.github+json\n' "$TOKEN" >"$scratch/headers"
    number=$(own_comment "$(head -n 1 "$markdown")") || return 4
    jq -Rs '{ body: . }' "$markdown" >"$scratch/body.json" || return 4
    if [ -n "$number" ]; then
        ask PATCH "$api/repos/$REPOSITORY/issues/comments/$number" "$scratch/body.json"
    else
        ask POST "$api/repos/$REPOSITORY/issues/$PULL_REQUEST/comments" "$scratch/body.json"
    fi
}

# ---------------------------------------------------------------------- every unit

if [ -n "$prepared" ]; then
    cp "$prepared" "$markdown"
    post || exit 4
    exit 0
fi
units=("${@%/}")
not_made=0 refused=0 unmet=0
for unit in "${units[@]}"; do
    printf '== %s\n' "$unit"
    status=0
    compare "$unit" || status=$?
    if [ "$status" -eq 1 ]; then unmet=1; fi
    if [ "$status" -gt 1 ]; then
        not_made=$status
        not_compared "$unit" "$status"
        printf 'not compared: status %s\n' "$status"
    fi
    post || refused=4
done
for status in "$not_made" "$refused" "$unmet"; do
    [ "$status" -eq 0 ] || exit "$status"
done
