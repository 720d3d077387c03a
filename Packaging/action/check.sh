#!/usr/bin/env bash
# Judges what a change does to the trust policies of a repository: `lint`, `test`, `assert` and
# `diff`, with one comment on the pull request, which every further run writes anew.
#
#   check.sh HAWSER     the command; the current folder is a whole clone
#
# The change does not decide how it is judged. Options, allowances and the baseline of `lint` are
# read from the commit that the change would be merged into. A change of the options that demands
# less is refused, whatever the checks find, and so is any change of the workflows that name hawser.
#
# It judges the merge of the change and its target, as the checks of the host do: it compares the
# target before and after the merge. It runs nothing of the change. The change's files are written
# to a new folder, without filters and other programs of git; links out of that folder are cut.
#
# It reads only these variables:
#
#   EVENT, EVENT_FILE   `pull_request` or `merge_group`, and the event's JSON
#   COMMIT              of a pull request, the merge that the host has made of it
#   WORKFLOW            OWNER/NAME/.github/workflows/FILE@REF, the workflow that runs
#   REPOSITORY, ACTOR   OWNER/NAME, and who has caused the run
#   TOKEN_FILE, API     a file with the token to comment with, or with nothing; where
#   SUMMARY             a file that the whole text is added to
#
# It ends with 0: all checks pass; 1: one finds something, or the options or workflows are changed;
# 2: something could not be judged; 4: all was judged, but the comment could not be written.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
hawser=$1
options_file=.github/hawser.json
marker='<!-- hawser-action -->'
# A comment may have 65,536 characters.
most_octets=65000

export GIT_NO_LAZY_FETCH=1 GIT_NO_REPLACE_OBJECTS=1
umask 077
scratch=$(realpath "$(mktemp -d)")
token=$(cat "$TOKEN_FILE")
rm "$TOKEN_FILE" # only the comment's program is handed it

gravest=0
rows=()
policies=()
# A command that fails unexpectedly ends the script. Then the answer is "not judged", too.
trap 'finish "the action itself failed; the log of the job has more"' EXIT
worse() { # STATUS: 2 is graver than 1
    if [ "$1" -gt "$gravest" ]; then gravest=$1; fi
}
row() { # CHECK STATUS TEXT: the text is ours, and never of the change
    worse "$2"
    rows+=("| $1 | $3 |")
    printf '%s: %s\n' "$1" "$3"
}
# Text of the change, as a block of code that no line of it ends. Characters outside ASCII become
# question marks: they may look like others. The end of a long text is left out.
block() { # FILE OCTETS
    echo
    head -c "$2" "$1" | LC_ALL=C tr -c '\n\t\040-\176' '?' | sed 's/^/    /'
    echo
    if [ "$(wc -c <"$1")" -gt "$2" ]; then printf '\nThe rest is in the log of the job.\n'; fi
}

give_up() { # MESSAGE: nothing could be judged
    finish "$1"
}

# ---------------------------------------------------------------------- the commits

fact() { # PATH: of the event
    jq -r "$1 // empty | tostring" "$EVENT_FILE"
}
is_commit() { [[ $1 =~ ^([0-9a-f]{40}|[0-9a-f]{64})$ ]] && git cat-file -e "$1^{commit}" 2>/dev/null; }

# Mode and object of each file, by a slash and its path: a key of bash is not empty, and not `@`.
declare -A before=() after=()
read_trees() {
    local line
    git ls-tree -r -z "$base" >"$scratch/base.tree"
    git ls-tree -r -z "$head" >"$scratch/head.tree"
    # No part of a name is lost, also if it begins or ends with a tab.
    while IFS= read -r -d '' line; do before[/${line#*$'\t'}]=${line%%$'\t'*}; done <"$scratch/base.tree"
    while IFS= read -r -d '' line; do after[/${line#*$'\t'}]=${line%%$'\t'*}; done <"$scratch/head.tree"
}

# Sets `base`, the target, `head`, the target with the change, and their files.
find_commits() {
    local parents reference tip file entry
    [ "$(git rev-parse --is-shallow-repository)" = false ] ||
        give_up 'the clone is shallow; give `actions/checkout` `fetch-depth: 0`'
    if [ "$EVENT" = merge_group ]; then
        base=$(fact .merge_group.base_sha) head=$(fact .merge_group.head_sha)
        reference=$(fact .merge_group.base_ref)
        is_commit "$base" && is_commit "$head" && git merge-base --is-ancestor "$base" "$head" ||
            give_up 'this clone does not have the commits of the merge group'
    else
        head=$COMMIT reference=refs/heads/$(fact .pull_request.base.ref)
        is_commit "$head" || give_up 'this clone does not have the merge commit of the pull request'
        read -ra parents <<<"$(git rev-list --parents -n 1 "$head")"
        if [ ${#parents[@]} -ne 3 ] || [ "${parents[2]}" != "$(fact .pull_request.head.sha)" ]; then
            give_up 'the commit of this run is not the merge of the pull request'
        fi
        base=${parents[1]}
    fi

    # The author of a change chooses where its branch begins. So the options must be the same as on
    # the target branch now.
    git check-ref-format "$reference" || give_up 'the target branch has no name'
    tip=$(git rev-parse --verify --quiet "refs/remotes/origin/${reference#refs/heads/}^{commit}") ||
        give_up 'this clone does not have the target branch'
    git merge-base --is-ancestor "$base" "$tip" ||
        give_up 'the target branch does not hold the commit that the change was merged into; push again'
    read_trees
    if [ "$tip" != "$base" ]; then
        row 'target branch' 0 'has moved since this merge was made: the comparison is with the target before that'
        while IFS= read -r file; do
            entry=$(git --literal-pathspecs ls-tree "$tip" -- "$file")
            if [ "${before[/$file]:-}" != "${entry%%$'\t'*}" ]; then
                give_up 'the options of the target branch, or a file that they name, have changed meanwhile; update the branch of the change'
            fi
        done < <(
            echo "$options_file"
            git show "$tip:$options_file" 2>/dev/null | jq -r '.allow?, .lint?.baseline? | select(type == "string")' 2>/dev/null
        )
    fi
}

is_file() { [[ $1 =~ ^100(644|755)\ blob\  ]]; } # ENTRY: not a link, not a submodule
contents() { git cat-file blob "${1##* }"; } # ENTRY

# ---------------------------------------------------------------------- options and workflows

option() { # PATH: of the target's options; nothing where it is null
    jq -r ".options$1 // empty" "$scratch/options.json"
}

json() { # ENTRY: the options as JSON; `null` where there are none; status 1 if it is not a file with JSON
    if [ -z "$1" ]; then
        echo null
    elif is_file "$1"; then
        contents "$1" | head -c 100000 | jq -cse 'select(length == 1)[0]' 2>/dev/null
    else
        return 1 # a link or a submodule
    fi
}

read_options() {
    local old new lines
    old=$(json "${before[/$options_file]:-}") || give_up "\`$options_file\` of the target branch is not a file with JSON"
    new=$(json "${after[/$options_file]:-}") || new='"none"'
    jq -n --argjson old "$old" --argjson new "$new" -f "$here/options.jq" >"$scratch/options.json"
    if [ "$(jq '.faults | length' "$scratch/options.json")" -gt 0 ]; then
        jq -r '.faults[]' "$scratch/options.json" >"$scratch/options.txt"
        give_up "\`$options_file\` of the target branch has a mistake"
    fi
    lines=$(jq '.changed | length' "$scratch/options.json")
    if [ "$lines" -eq 0 ]; then
        row options 0 "as the target branch has them$([ "$old" != null ] || echo ": no \`$options_file\`, so the defaults")"
        return
    fi
    jq -r '.changed[]' "$scratch/options.json" >"$scratch/options.txt"
    if [ "$(jq .isStricter "$scratch/options.json")" = true ]; then
        row options 0 "stricter in this change; the target's were used, and these hold once it is merged"
    else
        row options 1 "**refused: this change edits \`$options_file\`.** The options of the target branch were used"
    fi
}

# Whether a file that differs is the workflow that runs, or names hawser where the host reads or
# runs it.
is_watched() { # PATH
    local entry
    case /$1 in
    "/$options_file") return 1 ;;
    /.github/* | */action.yml | */action.yaml) ;;
    *) return 1 ;;
    esac
    if [ "$REPOSITORY/$1" = "${WORKFLOW%@*}" ]; then return; fi
    for entry in "${before[/$1]:-}" "${after[/$1]:-}"; do
        if [[ $entry = *' blob '* ]]; then
            # A file that cannot be read counts as one that names it.
            contents "$entry" >"$scratch/watched" || return 0
            if grep -qai hawser "$scratch/watched"; then return; fi
        fi
    done
    return 1
}

compare_workflows() {
    local path changed=()
    for path in "${!before[@]}" "${!after[@]}"; do
        if [ "${before[$path]:-}" != "${after[$path]:-}" ] && is_watched "${path#/}"; then changed+=("${path#/}"); fi
    done
    if [ ${#changed[@]} -eq 0 ]; then
        row workflows 0 'those that name hawser are as the target branch has them'
        return
    fi
    git --literal-pathspecs diff --no-ext-diff --no-textconv --no-color --no-renames -U0 "$base" "$head" -- \
        "${changed[@]}" | grep -vE '^(index|similarity|---|\+\+\+) ' >"$scratch/workflows.txt" || true
    row workflows 1 "**refused: this change edits what runs this check.** Who owns \`.github\` must look at it, and merge it by hand"
}

# ---------------------------------------------------------------------- the files

# Writes the files of `head` to a folder. Attributes of the change could leave out files, recode
# them or name a filter. They do not count: attributes in the repository's own folder come first.
write_files() { # FOLDER
    local store=$scratch/store link format
    format=$(git rev-parse --show-object-format)
    git init -q --bare --template= --object-format="$format" "$store"
    mkdir -p "$store/info"
    printf '* -text !eol -ident !filter !working-tree-encoding\n' >"$store/info/attributes"
    realpath "$(git rev-parse --git-path objects)" >"$store/objects/info/alternates"
    mkdir "$1"
    GIT_DIR=$store GIT_WORK_TREE=$1 GIT_INDEX_FILE=$scratch/index git read-tree "$head"
    GIT_DIR=$store GIT_WORK_TREE=$1 GIT_INDEX_FILE=$scratch/index git checkout-index -a -q
    while IFS= read -r -d '' link; do
        case $(realpath -e -- "$link" 2>/dev/null || true) in
        "$1"/*) ;;
        *) ln -sfnT /leads/out/of/the/repository "$link" ;;
        esac
    done < <(find "$1" -type l -print0)
}

# Folders with a policy, in the target or after the change, unless the options name them.
find_policies() {
    local path
    mapfile -d '' -t policies < <(
        if [ -n "$(option .policies)" ]; then
            jq -j '.options.policies[] | . + "\u0000"' "$scratch/options.json"
        else
            for path in "${!before[@]}" "${!after[@]}"; do
                case $path in
                */.*/*) ;; # nobody looks for a policy in a hidden folder
                */policy.yaml | *.policy.yaml)
                    path=${path#/}
                    if [[ $path = */* ]]; then printf '%s\0' "${path%/*}"; else printf '.\0'; fi
                    ;;
                esac
            done | sort -zu
        fi
    )
    [ ${#policies[@]} -gt 0 ] || give_up 'there is no policy in this repository'
}

have() { # SUFFIX: whether the target, or the change, has such a file in a folder of a policy
    local policy path
    for path in "${!before[@]}" "${!after[@]}"; do
        [[ $path = *"$1" ]] || continue
        for policy in "${policies[@]}"; do
            if [ "$policy" = . ] || [[ $path = "/$policy"/* ]]; then return; fi
        done
    done
    return 1
}

# ---------------------------------------------------------------------- the checks

check() { # NAME [OPTION...]: runs a command over the files of the change
    local name=$1 status=0
    (cd "$files" && timeout -k 10 900 "$hawser" "$@" -- "${policies[@]}") >"$scratch/$name.txt" 2>&1 </dev/null || status=$?
    case $status in
    0) row "$name" 0 'passed' ;;
    1) row "$name" 1 "**refused**: see below" ;;
    *) row "$name" 2 "**not judged**: it ended with status $status" ;;
    esac
}

lint() {
    local arguments=(--format concise --level "$(option .lint.level)" --fail-on "$(option '.lint["fail-on"]')")
    local ignored baseline
    ignored=$(jq -r '.options.lint.ignore | join(",")' "$scratch/options.json")
    if [ -n "$ignored" ]; then arguments+=(--ignore "$ignored"); fi
    baseline=$(option .lint.baseline)
    if [ -n "$baseline" ]; then
        is_file "${before[/$baseline]:-}" || { row lint 2 '**not judged**: the target branch does not have the baseline'; return; }
        contents "${before[/$baseline]}" >"$scratch/baseline"
        arguments+=(--baseline "$scratch/baseline")
    fi
    check lint "${arguments[@]}"
}

tests() {
    local arguments=(--color never) least most
    if ! have .test.yaml; then
        row test 0 'there is no test'
        return
    fi
    least=$(option '.test["minimum-coverage"]') most=$(option '.test["most-survivors"]')
    if [ -n "$least" ]; then arguments+=(--minimum-coverage "$least"); fi
    if [ -n "$most" ]; then arguments+=(--mutate --most-survivors "$most"); fi
    check test "${arguments[@]}"
}

assertions() {
    if ! have .assert.yaml; then
        row assert 0 'there is no assertion'
        return
    fi
    check assert
}

compare() { # [VARIABLE=VALUE...]
    local status=0
    rm -f "$scratch/diff.md"
    env BASE="$base" HEAD="$head" REQUIRE="$(option .require)" HAWSER="$hawser" SUMMARY="$scratch/diff.md" "$@" \
        bash "$here/../review/review.sh" "${policies[@]}" >"$scratch/diff.txt" 2>&1 || status=$?
    sed -i '/^review: there is no token/d' "$scratch/diff.txt" # it is given none
    touch "$scratch/diff.md"
    return "$status"
}

differences() {
    local status=0 allow
    # An allowance that no change needs is an error, so allowances are given only to a change that
    # needs one: others are not held up. An allowance counts if both the target and the change have
    # it.
    compare || status=$?
    allow=$(option .allow)
    if [ "$status" -eq 1 ] && [ -n "$allow" ] &&
        is_file "${before[/$allow]:-}" && is_file "${after[/$allow]:-}"; then
        status=0
        compare ALLOW="$allow" ALLOW_BASE=yes || status=$?
    fi
    case $status in
    0) row diff 0 "nothing that \`require: $(option .require)\` forbids" ;;
    1) row diff 1 "**refused**: \`require: $(option .require)\` is not met" ;;
    *) row diff 2 "**not compared**: it ended with status $status" ;;
    esac
}

# ---------------------------------------------------------------------- the comment

headlines() { # the first line of each comparison, as `hawser diff` has escaped it
    local line count=0 wanted=0
    while IFS= read -r line; do
        if [[ $line = '<!-- hawser-diff: '* ]]; then
            wanted=2 count=$((count + 1))
        elif [ "$wanted" -gt 0 ] && [ -n "$line" ]; then
            wanted=0
            if [ "$count" -le 30 ] && [ ${#line} -le 1000 ]; then printf -- '- %s\n' "$line"; fi
        fi
    done <"$scratch/diff.md"
    printf '\n%s comparisons: they are in the summary of the job.\n' "$count"
}

section() { # NAME OCTETS
    [ -s "$scratch/$1.txt" ] || return 0
    printf '\n<details><summary>%s</summary>\n' "$1"
    block "$scratch/$1.txt" "$2"
    printf '</details>\n'
}

compose() { # OCTETS WHOLE: at most so much of each check; the comparisons whole or their first lines
    local name
    printf '%s\n' "$marker"
    case $gravest in
    0) printf '**Trust policy: passed.**\n' ;;
    1) printf '**Trust policy: refused.**\n' ;;
    *) printf '**Trust policy: not judged.** Nothing is known of what could not be judged.\n' ;;
    esac
    printf '\n| | |\n|---|---|\n'
    printf '%s\n' "${rows[@]}"
    for name in options workflows lint test assert; do section "$name" "$1"; done
    echo
    if [ "$2" = yes ]; then cat "$scratch/diff.md"; else headlines; fi
}

comment() {
    local octets whole status=0
    compose 100000 yes >>"$SUMMARY"
    for octets in 8000:yes 1000:yes 1000:no; do
        whole=${octets#*:}
        compose "${octets%:*}" "$whole" >"$scratch/comment.md"
        if [ "$(wc -c <"$scratch/comment.md")" -le $most_octets ]; then break; fi
    done
    [ "$EVENT" = pull_request ] || return 0
    # A change of another repository runs with a token that only reads, and so does Dependabot.
    if [ "$(jq '.pull_request.head.repo.full_name == .repository.full_name' "$EVENT_FILE")" != true ] ||
        [ "$ACTOR" = 'dependabot[bot]' ] || [ -z "$token" ]; then
        echo 'comment: none, as this run has no token that may write; the summary of the job has the text'
        return
    fi
    TOKEN=$token PULL_REQUEST=$(fact .pull_request.number) SUMMARY=/dev/null \
        bash "$here/../review/review.sh" --comment "$scratch/comment.md" || status=$?
    if [ "$status" -ne 0 ]; then
        echo 'comment: not written; the job needs `permissions: pull-requests: write`, or `token: ""` for no comment'
        return 4
    fi
}

finish() { # [MESSAGE]: why nothing could be judged
    local unwritten=0 name
    trap 'rm -rf "$scratch"' EXIT
    if [ $# -gt 0 ]; then row 'the change' 2 "**not judged**: $1"; fi
    for name in lint test assert diff; do
        if [ -s "$scratch/$name.txt" ]; then printf '\n== %s\n' "$name"; cat "$scratch/$name.txt"; fi
    done
    comment || unwritten=4
    if [ "$unwritten" -ne 0 ] && [ "$gravest" -lt 2 ]; then exit "$unwritten"; fi
    exit "$gravest"
}

touch "$scratch/diff.md"
find_commits
read_options
compare_workflows
find_policies
files=$scratch/files
write_files "$files"
lint
tests
assertions
differences
finish
