#!/usr/bin/env bash
# The comment on a pull request, `Packaging/review/review.sh`: pull requests of `policies/review` in
# a local bare repository, and an API that plays recorded answers (`recorded-api.py`). Needs git,
# curl, jq and python3, which it installs; no network.
#
#   Tests/Integration/review-comment.sh [HAWSER]     by default .build/release/hawser
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
bash "$root/.ci/system-packages" git curl jq python3

scratch=$(mktemp -d)
server=
finish() {
    if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi
    rm -rf "$scratch"
}
trap finish EXIT
export HOME="$scratch/home" GIT_CONFIG_NOSYSTEM=1
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY

source "$root/Tests/Integration/recorded-api.sh"

# ---------------------------------------------------------------------- the repository
# `main` holds the policy in `trust`, and has moved on since the pull requests began. Each pull
# request is a commit that no branch of the clone holds, as `refs/pull/N/head` is.
requests=$root/policies/review
git init -q --bare "$scratch/origin.git"
git init -q "$scratch/author"
cd "$scratch/author"
git remote add origin "$scratch/origin.git"
cp -r "$requests/base" trust
git add -A
git commit -qm 'The policy'
begun=$(git rev-parse HEAD)
git checkout -q --detach
declare -A head
propose() { # NAME: what the work tree holds now is the pull request's only commit
    git add -A
    git commit -qm "$1"
    head[$1]=$(git rev-parse HEAD)
    git push -q origin "HEAD:refs/pull/$1/head"
    git checkout -q "$begun"
}
for folder in "$requests"/[0-9]*; do
    git apply --directory=trust "$folder/change.patch"
    propose "$(basename "$folder")"
done
echo '    nonsense: true' >>trust/policy.yaml
propose broken
git mv trust elsewhere
propose moved
rm -r trust/anchors
ln -s /etc trust/anchors
propose linked
cp -r trust second
propose another-unit
git mv trust/* .
git commit -qm 'The policy at the top'
git push -q origin HEAD:refs/heads/top
git apply "$requests/02-wildcard-widened/change.patch"
propose top
git checkout -q main
echo 'Nothing of trust.' >notes.txt
git add -A
git commit -qm 'Notes'
git push -q origin main

git clone -q "$scratch/origin.git" "$scratch/clone"
git -C "$scratch/clone" fetch -q origin '+refs/pull/*:refs/remotes/pull/*'
git clone -q --depth 1 "file://$scratch/origin.git" "$scratch/shallow"
git -C "$scratch/shallow" fetch -q --depth 1 origin '+refs/pull/*:refs/remotes/pull/*'

# ---------------------------------------------------------------------- the API
start_api

# Every process of a machine can read the arguments of the others.
mkdir "$scratch/bin"
printf '#!/usr/bin/env bash\nprintf "%%s\\n" "$@" >>"%s"\nexec "%s" "$@"\n' "$scratch/arguments" "$(command -v curl)" \
    >"$scratch/bin/curl"
chmod +x "$scratch/bin/curl"
export PATH="$scratch/bin:$PATH"

marker='<!-- hawser-diff: trust -->'
# Runs the review of a pull request, with the answers that are given on standard input, and keeps
# its status.
review() { # PULL-REQUEST [VARIABLE=VALUE...]
    jq -sc . >"$scratch/answers.json"
    rm -f "$scratch/requests.jsonl" "$scratch/summary"
    touch "$scratch/requests.jsonl"
    runs=$((runs + 1))
    status=0
    (
        cd "$scratch/${clone:-clone}"
        env BASE=origin/main HEAD="${head[$1]:-$1}" HAWSER="$hawser" API="$api" REPOSITORY=orchard/trust \
            PULL_REQUEST=7 TOKEN=secret-token SUMMARY="$scratch/summary" "${@:2}" \
            bash "$root/Packaging/review/review.sh" ${units:-trust}
    ) >"$scratch/log" 2>&1 || status=$?
    [ "$(jq length "$scratch/answers.json")" -eq 0 ] || fail "$1: not everything that was recorded was asked"
    if [ -n "$(git -C "$scratch/${clone:-clone}" status --porcelain)" ]; then fail "$1: the clone was changed"; fi
}
runs=0

ends() { [ "$status" -eq "$1" ] || fail "ended with $status and not with $1"; }
says_it_was_not_compared() {
    [ "$(posted | head -n 1)" = "$marker" ] || fail 'the comment does not begin with the marker'
    says 'not compared'
    says_not 'no change'
    says_not 'no difference'
    says_not 'same behaviour'
}
none() { answer GET "$first_page" 200 '[]'; }
created() { answer POST "$comments" 201 "$(comment 41 "$bot" -)"; }

printf '== every pull request of policies/review: the comment is its golden, and the status is passed on\n'
for folder in "$requests"/[0-9]*; do
    name=$(basename "$folder")
    case $name in
    03-* | 09-*) expected=0 ;;
    *) expected=1 ;;
    esac
    review "$name" < <(none; created)
    printf '%-28s exit %s: %s\n' "$name" "$status" "$(posted | sed -n 3p)"
    ends "$expected"
    asked 'GET POST'
    [ "$(posted | head -n 1)" = "$marker" ] || fail 'the comment does not begin with the marker'
    says_not 'not compared\.'
    diff <(posted) "$scratch/summary" || fail 'the summary of the job has another text'
    jq -e '.headers.Authorization == "Bearer secret-token"' "$scratch/requests.jsonl" >/dev/null ||
        fail 'a request without the token'
    ! grep -q secret-token "$scratch/log" || fail 'the token is in the log'
    grep -q "$comments" "$scratch/arguments" || fail 'the arguments of curl were not seen'
    ! grep -q secret-token "$scratch/arguments" || fail 'the token is an argument'
done

printf '== the comment that is there is written anew\n'
old=$(comment 12 "$bot" "$marker"$'\n\nof an older run')
review 02-wildcard-widened < <(
    answer GET "$first_page" 200 "[$(comment 11 someone 'Looks good'), $old]"
    answer PATCH /repos/orchard/trust/issues/comments/12 200 "$old"
)
ends 1
asked 'GET PATCH'

printf '== it may be on another page, and its lines may end as GitHub stores them\n'
second_page="/repositories/1/issues/7/comments?per_page=100&page=2"
third_page="/repositories/1/issues/7/comments?per_page=100&page=3"
review 02-wildcard-widened < <(
    answer GET "$first_page" 200 "[$(comment 11 someone 'Looks good')]" \
        "<{api}$second_page>; rel=\"next\", <{api}$third_page>; rel=\"last\""
    answer GET "$second_page" 200 "[$(comment 13 someone 'Does it?')]" \
        "<{api}$first_page>; rel=\"prev\", <{api}$third_page>; rel=\"next\", <{api}$third_page>; rel=\"last\""
    answer GET "$third_page" 200 "[$(comment 14 "$bot" "$marker"$'\r\n\r\nof an older run')]" \
        "<{api}$second_page>; rel=\"prev\""
    answer PATCH /repos/orchard/trust/issues/comments/14 200 '{}'
)
ends 1
asked 'GET GET GET PATCH'

printf '== the token goes to no other host\n'
review 02-wildcard-widened < <(
    answer GET "$first_page" 200 '[]' "<${api/127.0.0.1/localhost}$second_page>; rel=\"next\""
)
ends 4
asked GET

printf '== comments of others, and of ours those that only quote the marker, are left alone\n'
review 02-wildcard-widened < <(
    answer GET "$first_page" 200 "[$(comment 15 mallory "$marker"$'\n\nno changes'),
        $(comment 16 "$bot" $'> quoted\n'"$marker"), $(comment 17 "$bot" "$marker and more"),
        $(comment 18 "$bot" '<!-- hawser-diff: other -->'), { \"id\": 19, \"user\": null, \"body\": null }]"
    created
)
ends 1
asked 'GET POST'

printf '== an API that fails, fails the review, also of a pull request that is fine\n'
review 09-refactoring < <(answer GET "$first_page" 403 '{ "message": "Resource not accessible by integration" }')
ends 4
asked GET
grep -q 'Resource not accessible' "$scratch/log" || fail 'the log does not say why'
review 09-refactoring < <(for _ in 1 2 3; do answer GET "$first_page" 502 '{}'; done)
ends 4
asked 'GET GET GET'
review 09-refactoring < <(answer GET "$first_page" 502 '{}'; none; created)
ends 0
asked 'GET GET POST'
review 09-refactoring < <(none; answer POST "$comments" 403 '{ "message": "Resource not accessible" }')
ends 4
asked 'GET POST'
review 09-refactoring < <(none; answer POST "$comments" 502 '{}')
ends 4
asked 'GET POST'
review 09-refactoring < <(
    answer GET "$first_page" 200 "[$old]"
    answer PATCH /repos/orchard/trust/issues/comments/12 404 '{ "message": "Not Found" }'
)
ends 4
review 09-refactoring < <(answer GET "$first_page" 200 '{ "message": "not a list" }')
ends 4
asked GET
review 09-refactoring API=http://127.0.0.1:1 </dev/null
ends 4

printf '== what could not be compared is said in the same comment\n'
update() { answer GET "$first_page" 200 "[$old]"; answer PATCH /repos/orchard/trust/issues/comments/12 200 '{}'; }
for name in broken moved linked; do
    review "$name" < <(update)
    ends 2
    says_it_was_not_compared
done
review 0123456789012345678901234567890123456789 < <(update)
ends 2
says_it_was_not_compared
review 09-refactoring BASE=origin/absent < <(update)
ends 2
says_it_was_not_compared
clone=shallow review 09-refactoring < <(update)
ends 2
says_it_was_not_compared
says 'shallow'

printf '== so is a command that is missing, dies, is killed, or says nothing\n'
broken() { # BODY: a command in the place of hawser
    printf '#!/usr/bin/env bash\n%s\n' "$1" >"$scratch/broken"
    chmod +x "$scratch/broken"
}
review 09-refactoring HAWSER="$scratch/absent" < <(update)
ends 127
says_it_was_not_compared
# shellcheck disable=SC2016
writes='for word; do case $word in markdown=*) printf "%s\n\nno change\n" "'"$marker"'" >"${word#markdown=}" ;; esac; done'
for body in 'kill -SEGV $$' "$writes; exit 3" "$writes; exit 2" 'exit 0' 'exit 1' "${writes/$marker/other}"; do
    broken "$body"
    review 09-refactoring HAWSER="$scratch/broken" < <(update)
    [ "$status" -ge 2 ] || fail "\`$body\` ended with $status"
    says_it_was_not_compared
done
# What a failing command says stays inside its block.
broken 'printf "\`\`\`\n@team <img src=x>\n\x1b[2J::error::x\n\xff\n" >&2; exit 2'
review 09-refactoring HAWSER="$scratch/broken" GITHUB_ACTIONS=true < <(update)
ends 2
says_it_was_not_compared
says '^    @team <img src=x>$'
says '^    ```$'
says_not $'\x1b'
head -n 1 "$scratch/log" | grep -qE '^::stop-commands::[0-9a-f]{32}$' || fail 'the log may give commands'

printf '== without a token nothing is asked; the summary of the job has the text\n'
review 06-anchor-file-swapped TOKEN= </dev/null
ends 1
asked ''
[ "$(head -n 1 "$scratch/summary")" = "$marker" ] || fail 'the summary lacks the comment'
review broken TOKEN= </dev/null
ends 2
grep -qi 'not compared' "$scratch/summary" || fail 'the summary does not say that nothing was compared'

printf '== two policies have two comments; a new policy is compared with one that denies everything\n'
units='trust second' review another-unit < <(none; created; none; created)
ends 1
asked 'GET POST GET POST'
[ "$(posted | head -n 1)" = '<!-- hawser-diff: second -->' ] || fail 'the second comment has another marker'
jq -rs '.[1].body | fromjson.body' "$scratch/requests.jsonl" | head -n 1 | grep -qxF "$marker" ||
    fail 'the first comment has another marker'

printf '== a policy at the top of its repository\n'
units=. review top BASE=origin/top < <(none; created)
ends 1
[ "$(posted | head -n 1)" = '<!-- hawser-diff: . -->' ] || fail 'the comment has another marker'

printf '== what is wrong in the call is said before anything is asked\n'
for variable in REPOSITORY=orchard PULL_REQUEST=7/../8 BASE= HEAD=; do
    review 09-refactoring "$variable" </dev/null
    ends 2
    asked ''
done

printf '%s runs of the review, all as expected\n' "$runs"
