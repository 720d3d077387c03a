#!/usr/bin/env bash
# The action for GitHub, `action.yml`, without GitHub: its signatures beside minisign's own verdict,
# a release with a bit flipped anywhere, and changes in a bare repository, most of them attacks,
# with an API that plays recorded answers. Also zizmor and the schemas of check-jsonschema over the
# action and the workflows. Needs curl, git, jq, minisign, openssl, python3 and PyPI.
#
#   Tests/Integration/action.sh [HAWSER]     a static one, by default .build-static/release/hawser
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build-static/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
bash "$root/.ci/system-packages" git curl gpg jq minisign openssl python3 python3-venv

scratch=$(realpath "$(mktemp -d)")
server=
finish() {
    if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi
    rm -rf "$scratch"
}
trap finish EXIT
export HOME="$scratch/home" GIT_CONFIG_NOSYSTEM=1 PIP_DISABLE_PIP_VERSION_CHECK=1
for name in $(compgen -e GITHUB_ || true); do unset "$name"; done
source "$root/Tests/Integration/recorded-api.sh"

printf '== the action and the workflows are clean\n'
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet 'zizmor>=1.32,<2' 'check-jsonschema>=0.39,<1' 'ruamel.yaml>=0.18,<1'
clean() { # FILE...
    "$scratch/venv/bin/zizmor" --offline --quiet --pedantic "$@"
}
clean "$root/action.yml" "$root/.github/workflows" "$root"/Packaging/review/{github,workflow}.yml
"$scratch/venv/bin/check-jsonschema" --builtin-schema vendor.github-actions "$root/action.yml"
"$scratch/venv/bin/check-jsonschema" --builtin-schema vendor.github-workflows "$root"/.github/workflows/*.yml \
    "$root"/Packaging/review/{github,workflow}.yml
"$scratch/venv/bin/check-jsonschema" --builtin-schema vendor.gitlab-ci "$root/Packaging/review/gitlab.yml"
# The tools find what they are for.
sed 's/pull_request:/pull_request_target:/' "$root/Packaging/review/workflow.yml" >"$scratch/bad.yml"
if clean "$scratch/bad.yml" >/dev/null 2>&1; then fail 'zizmor passes pull_request_target'; fi

# ---------------------------------------------------------------------- signatures
# A throw-away key, and another one.
cd "$scratch"
for name in own other; do minisign -G -W -p "$name.pub" -s "$name.sec" >/dev/null; done
own=$(tail -n 1 own.pub) other=$(tail -n 1 other.pub)
sign() { # FILE [KEY [COMMENT]]: without a comment, the one that minisign makes
    minisign -S -W -s "$scratch/${2:-own}.sec" -m "$1" ${3:+-t "$3"} >/dev/null
}
flip() { # FILE OCTET: flips a bit
    python3 - "$@" <<'PYTHON'
import sys
octets = bytearray(open(sys.argv[1], "rb").read())
octets[int(sys.argv[2])] ^= 1
open(sys.argv[1], "wb").write(octets)
PYTHON
}
verify=$root/Packaging/action/verify.sh
verified() { bash "$verify" "${3-$own}" "$1" >"$scratch/said" 2>"$scratch/log"; }

printf '== signatures: OpenSSL says what minisign says\n'
printf 'what is signed\n' >text
sign text own 'of this day'
verified text || fail 'a good signature is not verified'
[ "$(cat said)" = 'of this day' ] || fail 'the trusted comment is not printed'
: >empty
sign empty
verified empty || fail 'the signature of an empty file is not verified'
length=$(wc -c <text.minisig) checked=0
for octet in $(seq 0 4 $((length - 1))); do
    cp text changed
    cp text.minisig changed.minisig
    flip changed.minisig "$octet"
    ours=0 theirs=0
    verified changed || ours=1
    minisign -VHqm changed -P "$own" >/dev/null 2>&1 || theirs=1
    # Ours may refuse more: it takes only what minisign writes.
    if [ "$ours" -lt "$theirs" ]; then fail "octet $octet of a signature: verified, and minisign does not"; fi
    if [ "$octet" -gt 60 ] && [ "$ours" -eq 0 ]; then cmp -s <(sed -n 2,4p changed.minisig | base64 -di 2>/dev/null) \
        <(sed -n 2,4p text.minisig | base64 -di 2>/dev/null) || fail "octet $octet of a signature may be changed"; fi
    checked=$((checked + 1))
done
for octet in 0 7 14; do
    cp text changed
    flip changed "$octet"
    cp text.minisig changed.minisig
    if verified changed; then fail 'a changed file is verified'; fi
done
printf '%s cases: a bit flipped in every fourth octet of a signature\n' "$checked"
refused() { # WHAT MESSAGE [KEY]
    if verified changed . "${3-$own}"; then fail "$1 is verified"; fi
    grep -q "$2" "$scratch/log" || fail "$1 is refused for another reason"
}
cp text changed
minisign -S -l -W -s own.sec -m changed >/dev/null
minisign -Vqm changed -P "$own" || fail 'minisign does not verify its old form'
refused 'a signature of the old form' 'old form'
sign changed other
refused 'a signature of another key' 'another key'
sign changed
refused 'a signature under another key' 'another key' "$other"
# A key with the id of ours.
alike=$({ base64 -d <<<"$own" | head -c 10; base64 -d <<<"$other" | tail -c 32; } | base64 -w 0)
refused 'a signature under a key with the same id' 'does not fit the file' "$alike"
sign changed
sed -i 's/$/\r/' changed.minisig
refused 'a signature with carriage returns' 'characters'
sign changed
echo 'trusted comment: more' >>changed.minisig
refused 'a fifth line' 'four lines'
sign changed
truncate -s -1 changed.minisig
refused 'a signature that is cut' 'four lines'
sign changed
head -c 9000 /dev/zero | tr '\0' x >>changed.minisig
refused 'a long signature' 'too long'
# The comment of another signature of the same key.
printf 'else\n' >else
sign else own 'another comment'
sign changed
{ sed -n 1,2p changed.minisig; sed -n 3,4p else.minisig; } >mixed
mv mixed changed.minisig
refused 'a comment of another signature' 'trusted comment'
sign changed
for key in 'not set' '' RW "$(printf 'RW%054d' 0 | tr 0 A)" "${own%?}" "$own=" "RX${own#RW}"; do
    if verified changed . "$key"; then fail "\`$key\` verifies something"; fi
done

# ---------------------------------------------------------------------- a release
printf '== a release is installed, and with a bit flipped anywhere it is not\n'
version=$("$hawser" --version)
version=${version#hawser }
archive=hawser-$version-linux-$(uname -m).tar.gz
release() { # FOLDER [KEY]
    local top=$scratch/pack/${archive%.tar.gz}
    mkdir -p "$1" "$top/bin" "$top/share/bash-completion/completions"
    cp "$hawser" "$top/bin/hawser"
    "$hawser" completions bash >"$top/share/bash-completion/completions/hawser"
    [ -f "$scratch/pack/$archive" ] || tar -czf "$scratch/pack/$archive" -C "$scratch/pack" "$(basename "$top")"
    cp "$scratch/pack/$archive" "$1"
    (cd "$1" && sha256sum "$archive" >SHA256SUMS)
    sign "$1/SHA256SUMS" "${2:-own}" "hawser $version, commit 0123456789"
}
release "$scratch/release"
installs() { # FOLDER [KEY [VERSION]]
    rm -rf "$scratch/installed"
    bash "$root/Packaging/action/install.sh" "${3:-$version}" "${2-$own}" "$1" "$scratch/installed" \
        >"$scratch/said" 2>"$scratch/log"
}
installs "$scratch/release" || fail 'a good release is not installed'
cmp "$(cat said)" "$hawser" || fail 'another command was installed'
keeps_out() { # WHAT STATUS MESSAGE FOLDER [KEY [VERSION]]
    local status=0
    installs "${@:4}" || status=$?
    [ "$status" -eq "$2" ] || fail "$1: ended with $status and not with $2"
    grep -q -- "$3" "$scratch/log" || fail "$1: refused for another reason"
    [ ! -s "$scratch/said" ] || fail "$1: a command is named"
    printf '%-44s %s\n' "$1" "$(tail -n 1 "$scratch/log" | sed "s|$scratch/||g")"
}
altered() { # a copy of the release, to be altered
    rm -rf "$scratch/altered"
    cp -r "$scratch/release" "$scratch/altered"
    cd "$scratch/altered"
}
for file in "$archive" SHA256SUMS SHA256SUMS.minisig; do
    altered
    flip "$file" $(($(wc -c <"$file") / 2))
    keeps_out "a bit of $file" 1 'not' "$scratch/altered"
    altered
    rm "$file"
    keeps_out "no $file" 2 'cannot be had' "$scratch/altered"
done
altered
sha256sum /dev/null | sed "s|/dev/null|$archive|" >>SHA256SUMS
sign SHA256SUMS own "hawser $version, commit 0123456789"
keeps_out 'two lines of the archive' 1 '2 lines' "$scratch/altered"
altered
echo other >"$archive"
sha256sum "$archive" >SHA256SUMS
keeps_out 'another archive with its own list' 1 'not signed' "$scratch/altered"
release "$scratch/stranger" other
keeps_out 'a release by another key' 1 'not signed' "$scratch/stranger"
altered
mv "$archive" "hawser-9.9.9-linux-$(uname -m).tar.gz"
keeps_out 'an older release at a newer address' 1 'which is not hawser 9.9.9' "$scratch/altered" "$own" 9.9.9
sed -i 's/hawser-[0-9.]*-linux/hawser-9.9.9-linux/' SHA256SUMS
sign SHA256SUMS own 'hawser 9.9.9, commit 0123456789'
keeps_out 'an older command in a newer archive' 1 'calls itself' "$scratch/altered" "$own" 9.9.9
altered
sign SHA256SUMS own "hawser 9.9.9, commit 0123456789"
keeps_out 'a newer comment over an older list' 1 'of another release' "$scratch/altered" "$own" 9.9.9
keeps_out 'the key is not set' 2 'is not set in action.yml' "$scratch/release" 'not set'
keeps_out 'no key' 2 'is not set in action.yml' "$scratch/release" ''
keeps_out 'an address without https' 2 'neither' http://127.0.0.1/
keeps_out 'a version with a path' 2 'not a version' "$scratch/release" "$own" ../9.9.9

# ---------------------------------------------------------------------- the repository
# `main` holds a policy in `trust`, with tests and an assertion, the options and the workflow.
git init -q --bare "$scratch/origin.git"
git init -q "$scratch/author"
cd "$scratch/author"
git remote add origin "$scratch/origin.git"
cp -r "$root/policies/review/base" trust
sed -i '/^    waivers:/,/^        ticket:/d' trust/shop.policy.yaml
cat >trust/orchard.test.yaml <<'TEST'
hawser-test: 1
at: 2027-01-01
cases:
  tills:
    host: "x.stores.orchard.example"
    expect: { rule: tills }
TEST
cat >trust/orchard.assert.yaml <<'ASSERT'
hawser-assert: 1

assertions:
  modern:
    hosts: all
    at-least: { tls.minimum-version: tls1.3 }
ASSERT
mkdir -p .github/workflows
cat >.github/hawser.json <<'OPTIONS'
{
  "hawser-action": 1,
  "policies": ["trust"],
  "require": "no-weaker",
  "allow": "trust/review.allow.yaml",
  "lint": { "fail-on": "error" },
  "test": { "minimum-coverage": 1 }
}
OPTIONS
cp "$root/Packaging/review/workflow.yml" .github/workflows/policy.yml
git add -A
git commit -qm 'The policy'
git push -q origin main
begun=$(git rev-parse HEAD)
target=main
# What the work tree holds is a change of one commit; its merge with the target is what runs.
declare -A merge head
propose() { # NAME
    git add -A
    git commit -qm "$1" --allow-empty
    head[$1]=$(git rev-parse HEAD)
    git checkout -q --detach "origin/$target"
    git merge -q --no-ff -m "Merge $1" "${head[$1]}" || fail "$1 does not merge"
    merge[$1]=$(git rev-parse HEAD)
    git push -q origin "HEAD:refs/pull/$1/merge"
    git checkout -q --detach "$begun"
}
git checkout -q --detach "$begun"

# ---------------------------------------------------------------------- the runner
start_api
mkdir "$scratch/action"
cp -r "$root/action.yml" "$scratch/action"
mkdir "$scratch/action/Packaging"
cp -r "$root/Packaging/action" "$root/Packaging/review" "$scratch/action/Packaging"
grep -c 'HAWSER_KEY: not set' "$scratch/action/action.yml" >/dev/null || fail 'the key of action.yml is not where it was'
sed -i "s|HAWSER_KEY: not set|HAWSER_KEY: $own|; s|HAWSER_RELEASES: not set|HAWSER_RELEASES: $scratch/release|" \
    "$scratch/action/action.yml"
sed -i "s|HAWSER_VERSION: .*|HAWSER_VERSION: $version|" "$scratch/action/action.yml"

runs=0
fork=orchard/trust # whose the change is
judge() { # NAME [VARIABLE=VALUE...] with the API's answers on standard input
    local name=$1
    jq -sc . >"$scratch/answers.json"
    rm -f "$scratch/requests.jsonl" "$scratch/summary" "$scratch/output" "$scratch/env"
    touch "$scratch/requests.jsonl" "$scratch/summary" "$scratch/output" "$scratch/env"
    # As `actions/checkout` does: all branches, and the merge.
    if [ ! -d "$scratch/clone" ]; then git clone -q "$scratch/origin.git" "$scratch/clone"; fi
    git -C "$scratch/clone" fetch -q --prune origin '+refs/heads/*:refs/remotes/origin/*' '+refs/pull/*:refs/remotes/pull/*'
    git -C "$scratch/clone" checkout -q --detach -f "${merge[$name]}"
    rm -f "$scratch/smudged" # that checkout is not the action's
    jq -n --arg head "${head[$name]}" --arg fork "$fork" --arg target "$target" --arg merge "${merge[$name]}" \
        --arg base "$(git -C "$scratch/clone" rev-parse HEAD^)" \
        '{ merge_group: { base_sha: $base, head_sha: $merge, base_ref: "refs/heads/\($target)" },
           pull_request: { number: 7, base: { ref: $target, sha: "0000000000000000000000000000000000000000" },
           head: { sha: $head, repo: (if $fork == "" then null else { full_name: $fork } end) } },
           repository: { full_name: "orchard/trust" } }' >"$scratch/event.json"
    runs=$((runs + 1))
    status=0
    (
        cd "$scratch/clone"
        env GITHUB_ACTIONS=true GITHUB_EVENT_PATH="$scratch/event.json" GITHUB_SHA="${merge[$name]}" \
            GITHUB_REPOSITORY=orchard/trust GITHUB_API_URL="$api" GITHUB_OUTPUT="$scratch/output" GITHUB_ENV="$scratch/env" \
            GITHUB_PATH="$scratch/env" GITHUB_STEP_SUMMARY="$scratch/summary" GITHUB_ACTOR=someone \
            GITHUB_WORKFLOW_REF=orchard/trust/.github/workflows/policy.yml@refs/pull/7/merge "${@:2}" \
            "$scratch/venv/bin/python" "$root/Tests/Integration/action-step.py" "$scratch/action" \
            github.event_name="${event:-pull_request}" github.token="${token-secret-token}" \
            ${source:+inputs.source="$source"}
    ) >"$scratch/log" 2>&1 || status=$?
    [ "$(jq length "$scratch/answers.json")" -eq 0 ] || fail "$name: not everything that was recorded was asked"
    [ "$(cat "$scratch/output")" = "status=$status" ] || fail "$name: the outputs are not the status alone"
    [ ! -s "$scratch/env" ] || fail "$name: something was written to GITHUB_ENV or GITHUB_PATH"
    ! grep -q secret-token "$scratch/log" "$scratch/summary" || fail "$name: the token is shown"
    # Between the two lines that switch the runner's commands off and on no line of them is of ours.
    if grep -q '^::' "$scratch/log"; then
        grep '^::' "$scratch/log" | head -n 1 | grep -qE '^::stop-commands::[0-9a-f]{32}$' || fail "$name: the log gives commands"
        [ "$(tail -n 1 "$scratch/log")" = "::$(grep -m 1 -oE '[0-9a-f]{32}$' "$scratch/log")::" ] ||
            fail "$name: commands are switched on too early"
    fi
}
none() { answer GET "$first_page" 200 '[]'; }
created() { answer POST "$comments" 201 "$(comment 41 "$bot" -)"; }
marker='<!-- hawser-action -->'
judged() { # NAME STATUS [VARIABLE=VALUE...]: with one comment, created
    judge "$1" "${@:3}" < <(none; created)
    [ "$status" -eq "$2" ] || fail "$1 ended with $status and not with $2"
    asked 'GET POST'
    [ "$(posted | head -n 1)" = "$marker" ] || fail "$1: the comment does not begin with the marker"
    printf '%-26s exit %s: %s\n' "$1" "$status" "$(posted | sed -n 2p)"
}
shows() { posted | grep -F '**' | grep '^|' | sed 's/^/    /' || true; }

printf '== a change that weakens nothing passes, with one comment\n'
echo Notes >notes.txt
propose harmless
judged harmless 0
for row in 'lint | passed' 'test | passed' 'assert | passed' 'diff | nothing that' 'options | as the target' \
    'workflows | those'; do says "$row"; done
diff -B <(posted) "$scratch/summary" >/dev/null || fail 'the summary of the job has another text'
judge harmless < <(
    answer GET "$first_page" 200 "[$(comment 9 mallory "$marker"), $(comment 12 "$bot" "$marker"$'\r\n\r\nold')]"
    answer PATCH /repos/orchard/trust/issues/comments/12 200 '{}'
)
[ "$status" -eq 0 ] || fail 'the comment that is there is not written anew'

printf '== each check holds a change up\n'
git apply --directory=trust "$root/policies/review/04-require-to-best-effort/change.patch"
propose weaker
judged weaker 1
says 'diff | \*\*refused'
says 'require -&gt; best-effort\|require -> best-effort\|best-effort'
sed -i 's/minimum-version: tls1.3/minimum-version: tls1.2/' trust/policy.yaml
propose assertion
judged assertion 1
says 'assert | \*\*refused'
printf '  own:\n    hosts: ["x.stores.orchard.example"]\n    anchors: [orchard]\n    profile: internal\n    owner: stores\n' \
    >>trust/shop.policy.yaml
propose test
judged test 1
says 'test | \*\*refused'
says 'diff | nothing'
sed -i '0,/anchors: \[public\]/s//anchors: [public, gone]/' trust/shop.policy.yaml
propose broken
judged broken 2
says 'lint | \*\*refused'
says 'diff | \*\*not compared'
says '^\*\*Trust policy: not judged'

printf '== what is asked for is not the change'"'"'s to say\n'
sed -i 's/"no-weaker"/"equal"/' .github/hawser.json
propose options-stricter
judged options-stricter 0
says 'options | stricter in this change'
weaken() { git apply --directory=trust "$root/policies/review/04-require-to-best-effort/change.patch"; }
edit_options() { # NAME JQ-FILTER
    weaken
    jq "$2" .github/hawser.json >"$scratch/new.json"
    cp "$scratch/new.json" .github/hawser.json
    propose "$1"
    judged "$1" "${3:-1}"
    says 'options | \*\*refused: this change edits `.github/hawser.json`.\*\* The options of the target branch were used'
    says 'diff | \*\*refused'
    shows
}
edit_options require-edited '.require = "none"'
edit_options policies-edited '.policies = ["elsewhere"]'
edit_options lint-edited '.lint.ignore = ["HW603"]'
edit_options allow-edited '.allow = "other.yaml"'
weaken
git rm -q .github/hawser.json
propose options-removed
judged options-removed 1
says 'options | \*\*refused'
weaken
printf '{"hawser-action":1,"policies":["trust"],"require":"no-weaker","allow":"trust/review.allow.yaml","lint":{"fail-on":"error"},"test":{"minimum-coverage":1}}\n{}' \
    >.github/hawser.json
propose options-twice
judged options-twice 1
says 'options | \*\*refused'
weaken
rm .github/hawser.json
echo '{"hawser-action":1}' >weak.json
ln -s ../weak.json .github/hawser.json
propose options-linked
judged options-linked 1
says 'options | \*\*refused'

# A second file, with the target's options, whose name differs by a tab at its end.
weaken
cp .github/hawser.json $'.github/hawser.json\t'
echo '{"hawser-action":1,"require":"none"}' >.github/hawser.json
propose options-tab
judged options-tab 1
says 'options | \*\*refused'

printf '== nor is the workflow\n'
printf '          require: none\n' >>.github/workflows/policy.yml
weaken
propose workflow-edited
judged workflow-edited 1
says 'workflows | \*\*refused: this change edits what runs this check'
says '^    +          require: none$'
says 'diff | \*\*refused'
shows
cp .github/workflows/policy.yml "$scratch/called.yml"
mkdir -p ci
printf 'runs: { using: composite, steps: [{ uses: hawser/hawser@main }] }\n' >ci/action.yml
propose local-action
judged local-action 1
says 'workflows | \*\*refused'

printf '== a policy that is moved, linked or emptied is not compared\n'
git mv trust elsewhere
propose moved
judged moved 2
says 'diff | \*\*not compared'
rm -r trust/anchors
ln -s /etc trust/anchors
propose anchors-linked
judged anchors-linked 2
rm trust/shop.policy.yaml
ln -s /proc/self/environ trust/shop.policy.yaml
propose policy-linked
judged policy-linked 2
says_not 'PATH='
git mv trust/shop.policy.yaml trust/.shop
propose hidden
judged hidden 2
printf 'trust/*.yaml export-ignore filter=evil text eol=crlf ident\n*.pem filter=evil eol=crlf\n' >.gitattributes
propose attributes
git -C "$scratch/clone" config filter.evil.smudge "touch $scratch/smudged; cat"
judged attributes 0
[ ! -e "$scratch/smudged" ] || fail 'a filter was run'
git -C "$scratch/clone" config --unset filter.evil.smudge
rm trust/orchard.assert.yaml trust/orchard.test.yaml
propose guards-removed
judged guards-removed 2
says 'test | \*\*not judged'
says 'diff | \*\*refused'

printf '== an allowance counts once it is merged, and holds nobody else up\n'
weaken
git add -A
git commit -qm weaker
(cd trust && "$hawser" diff --base "$begun" git:HEAD:trust --write-allowance "$scratch/allowances.yaml" \
    --owner payments --reason 'the responder is slow' --until "$(date -u -d '+30 days' +%F)" >/dev/null 2>&1) || true
[ -s "$scratch/allowances.yaml" ] || fail 'no allowance was written'
cp "$scratch/allowances.yaml" trust/review.allow.yaml
propose allows-itself
judged allows-itself 1
says 'diff | \*\*refused'
git checkout -q main
cp "$scratch/allowances.yaml" trust/review.allow.yaml
git add -A
git commit -qm 'An allowance'
git push -q origin main
git checkout -q --detach
begun=$(git rev-parse HEAD)
weaken
propose allowed
judged allowed 0
echo more >notes.txt
propose unrelated
judged unrelated 0
printf '    # for more\n' >>trust/review.allow.yaml
sed -i "s/until: .*/until: $(date -u -d '+90 days' +%F)/" trust/review.allow.yaml
weaken
propose allowance-longer
judged allowance-longer 1

printf '== a target that moves: the change begins where the allowance still was\n'
old=$begun
git checkout -q main
git rm -q trust/review.allow.yaml
git commit -qm 'The allowance is used up'
git push -q origin main
git checkout -q --detach "$old"
weaken
propose old-base
judged old-base 1
says 'diff | \*\*refused'
begun=$(git rev-parse main)
git checkout -q --detach "$begun"
echo more >notes.txt
propose before-move
git checkout -q main
echo text >readme.txt
git add -A
git commit -qm 'Something else'
git push -q origin main
judged before-move 0
says 'target branch | has moved'
jq '.require = "equal"' .github/hawser.json >"$scratch/new.json"
cp "$scratch/new.json" .github/hawser.json
git commit -qam 'Stricter options'
git push -q origin main
judged before-move 2
says 'options of the target branch, or a file that they name, have changed meanwhile'
git push -q -f origin "$old:main"
judge before-move < <(none; created)
[ "$status" -eq 2 ] || fail "a target that was taken back: ended with $status"
says 'does not hold the commit'
git push -q -f origin main
begun=$(git rev-parse main)
git checkout -q --detach "$begun"

printf '== hostile names: in the log, the outputs, the comment\n'
name=$'x\n::set-output name=status::0\n::add-mask::x.policy.yaml'
printf 'hawser: 1\nrules:\n  "a": { hosts: ["x.example"], nonsense: 1 }\n' >"trust/$name"
propose file-name
judged file-name 2
says_not '^::'
! grep -q '^::' "$scratch/summary" || fail 'a line of the summary begins with a command'
sed -i $'s/^  tills:/  "t|<img src=x onerror=alert(1)> @orchard\\/all `x` <!-- hawser-action -->":/' trust/shop.policy.yaml
weaken
propose rule-id
judged rule-id 2
! grep -nE '<img|^@|[^`]@orchard|<!-- hawser-action' <(posted | tail -n +2 | grep -v '^    ') || fail 'a rule id escapes'
sed -i '2i\# </details> ::error::x \xe2\x80\xae' trust/shop.policy.yaml
propose comment-text
judge comment-text < <(none; created)
[ "$status" -ge 1 ] || fail 'a bidi character passes'
! LC_ALL=C grep $'\xe2\x80\xae' <(posted) || fail 'a bidi character is in the comment'
mkdir $'.github/workflows/x\n::error::y'
printf 'hawser\n</details><h1>x</h1>\n```\n@all\n' >$'.github/workflows/x\n::error::y/hawser.yml'
propose workflow-name
judged workflow-name 1
! grep -E '<h1>|@all|^ *::error' <(posted | grep -v '^    ') || fail 'text of a workflow escapes'

for name in '@' '*' ']=' '$(touch ran)' '`touch ran`' $'\t' '-rf' 'a b'; do echo text >"$name"; done
propose odd-names
judged odd-names 0
[ ! -e "$scratch/clone/ran" ] || fail 'a name was run'

printf '== the environment of earlier steps does not count\n'
weaken
propose poisoned
printf 'touch %s/ran\n' "$scratch" >"$scratch/bashenv"
judged poisoned 1 REQUIRE=none HAWSER=/bin/true ALLOW=x HAWSER_KEY="$other" HAWSER_RELEASES="$scratch/stranger" \
    SUMMARY=/dev/null BASE=x HEAD=x BASH_ENV="$scratch/bashenv" GIT_DIR=/nowhere GIT_CONFIG_COUNT=1 \
    GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/nowhere GIT_OBJECT_DIRECTORY=/nowhere EVENT=push AUTHOR=mallory \
    OPENSSL_CONF=/nowhere TAR_OPTIONS=--nonsense
[ ! -e "$scratch/ran" ] || fail 'BASH_ENV was run'

printf '== without permission to comment the verdict is the same\n'
fork=mallory/trust judge poisoned </dev/null
[ "$status" -eq 1 ] || fail "a fork's change ended with $status"
grep -q 'diff | \*\*refused' "$scratch/summary" || fail 'the summary lacks the verdict'
fork='' judge poisoned </dev/null
[ "$status" -eq 1 ] || fail "the change of a deleted fork ended with $status"
judge poisoned GITHUB_ACTOR='dependabot[bot]' </dev/null
[ "$status" -eq 1 ] || fail "Dependabot's change ended with $status"
token='' judge odd-names </dev/null
[ "$status" -eq 0 ] || fail "without a token: $status"
judge odd-names < <(answer GET "$first_page" 403 '{ "message": "Resource not accessible by integration" }')
[ "$status" -eq 4 ] || fail "a comment that could not be written: $status"
grep -q 'pull-requests: write' "$scratch/log" || fail 'the log does not say what to give'
judge poisoned < <(answer GET "$first_page" 403 '{ "message": "Resource not accessible by integration" }')
[ "$status" -eq 4 ] || fail "a comment that could not be written: $status"

printf '== a merge queue is judged, without a comment\n'
event=merge_group judge odd-names </dev/null
[ "$status" -eq 0 ] || fail "a merge group ended with $status"
event=merge_group judge poisoned </dev/null
[ "$status" -eq 1 ] || fail "a merge group that weakens ended with $status"
grep -q 'diff | \*\*refused' "$scratch/summary" || fail 'the summary lacks the verdict'

printf '== a comment that would be too long has the first lines, and the summary has all\n'
git checkout -q -b many "$begun"
for number in $(seq 24); do cp -r trust "t$number"; done
git rm -qr trust
jq '.policies = [range(1; 25) | "t\(.)"] | del(.allow)' .github/hawser.json >"$scratch/new.json"
cp "$scratch/new.json" .github/hawser.json
git add -A
git commit -qm 'Many policies'
git push -q origin many
begun=$(git rev-parse HEAD)
git checkout -q --detach
for number in $(seq 24); do
    git apply --directory="t$number" "$root/policies/review/01-weakened-in-a-profile/change.patch"
done
target=many propose long
target=many judged long 1
says '^24 comparisons: they are in the summary of the job'
[ "$(posted | grep -c '^- ### weaker')" -eq 24 ] || fail 'a first line is missing'
[ "$(posted | wc -m)" -le 65536 ] || fail 'the comment is too long'
[ "$(grep -c '^<!-- hawser-diff: ' "$scratch/summary")" -eq 24 ] || fail 'the summary lacks a comparison'

printf '== other events, other commits, other clones\n'
for other in pull_request_target workflow_run issue_comment push schedule $'pull_request\n'; do
    event=$other judge odd-names </dev/null
    [ "$status" -eq 2 ] || fail "$other: ended with $status"
    asked ''
    grep -qE 'does not run on|runs on' "$scratch/log" || fail "$other: refused for another reason"
done
head[other]=${head[poisoned]} merge[other]=${merge[odd-names]}
judge other < <(none; created)
[ "$status" -eq 2 ] || fail "a merge of another change: ended with $status"
says 'is not the merge of the pull request'
rm -rf "$scratch/clone"
git clone -q --depth 1 "file://$scratch/origin.git" "$scratch/clone"
judge odd-names < <(none; created)
[ "$status" -eq 2 ] || fail "a shallow clone: ended with $status"
says 'fetch-depth: 0'
rm -rf "$scratch/clone"

printf '== a release that is not signed judges nothing\n'
source=$scratch/stranger judge odd-names </dev/null
[ "$status" -eq 1 ] || fail "a release by another key: ended with $status"
grep -q 'not installed' "$scratch/log" || fail 'the log does not say why'
sed -i 's|HAWSER_KEY: .*|HAWSER_KEY: not set|' "$scratch/action/action.yml"
judge odd-names HAWSER_KEY="$own" </dev/null
[ "$status" -eq 2 ] || fail "without a key: ended with $status"
grep -q "the maintainers' key is not set in action.yml" "$scratch/log" || fail 'the log does not name the key'
grep 'not installed' "$scratch/log"

printf '== the toolchain of the workflows is installed only under its key\n'
export GNUPGHOME="$scratch/gnupg"
mkdir -m 700 "$GNUPGHOME" "$scratch/swift"
for who in good bad; do
    gpg --batch --quiet --passphrase '' --quick-generate-key "$who <$who@example.com>" ed25519 sign 2>/dev/null
done
gpg --armor --export >"$scratch/keys.asc"
. /etc/os-release
place=$scratch/web/swift-6.3.1-release/$ID${VERSION_ID//./}$([ "$(uname -m)" != aarch64 ] || echo -aarch64)/swift-6.3.1-RELEASE
mkdir -p "$place" "$scratch/swift/swift/usr/bin"
printf '#!/bin/sh\necho Swift\n' >"$scratch/swift/swift/usr/bin/swift"
chmod +x "$scratch/swift/swift/usr/bin/swift"
file=$place/swift-6.3.1-RELEASE-$ID$VERSION_ID$([ "$(uname -m)" != aarch64 ] || echo -aarch64).tar.gz
tar -czf "$file" -C "$scratch/swift" swift
good=$(gpg --list-keys --with-colons good | awk -F: '$1 == "fpr" { print $10; exit }')
toolchain() {
    rm -rf "$scratch/toolchain"
    SWIFT_WEB=file://$scratch/web SWIFT_KEYS=file://$scratch/keys.asc SWIFT_FINGERPRINT=$good \
        bash "$root/.ci/toolchain" "$scratch/toolchain" >"$scratch/log" 2>&1
}
for who in good bad; do
    gpg --batch --yes --quiet --local-user "$who" --detach-sign "$file" 2>/dev/null
    status=0
    toolchain || status=$?
    case $who in
    good) [ "$status" -eq 0 ] || fail 'a signed toolchain is not installed' ;;
    bad)
        [ "$status" -eq 1 ] || fail 'a toolchain of another key is installed'
        grep -q 'another key' "$scratch/log" || fail 'refused for another reason'
        ;;
    esac
done
gpg --batch --yes --quiet --local-user good --detach-sign "$file" 2>/dev/null
echo x >>"$file"
if toolchain; then fail 'a changed toolchain is installed'; fi

printf '%s runs of the action, all as expected\n' "$runs"
