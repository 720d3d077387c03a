#!/usr/bin/env bash
# The hooks of `.pre-commit-hooks.yaml` under the real pre-commit, in a scratch repository: a bad
# commit is blocked, a good one passes, and each hook's own time is printed. Needs git, python3 and
# the network (PyPI).
#
#   Tests/Integration/pre-commit.sh [HAWSER]     by default .build/release/hawser
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME="$scratch/home" PRE_COMMIT_HOME="$scratch/cache" GIT_CONFIG_NOSYSTEM=1
mkdir -p "$HOME" "$scratch/bin"
ln -s "$hawser" "$scratch/bin/hawser"
git config --global user.name tester
git config --global user.email tester@example.com
git config --global init.defaultBranch main

python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet --disable-pip-version-check 'pre-commit>=4,<5'
export PATH="$scratch/bin:$scratch/venv/bin:$PATH"
pre-commit --version

fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }

# Only the manifest, as it is in the working tree: pre-commit takes nothing else from a repository
# of hooks.
git init -q "$scratch/hooks"
cp "$root/.pre-commit-hooks.yaml" "$scratch/hooks/"
git -C "$scratch/hooks" add .
git -C "$scratch/hooks" commit -qm hooks
pre-commit validate-manifest "$scratch/hooks/.pre-commit-hooks.yaml"

git init -q "$scratch/repository"
cd "$scratch/repository"
cat > .pre-commit-config.yaml <<CONFIG
repos:
  - repo: $scratch/hooks
    rev: $(git -C "$scratch/hooks" rev-parse HEAD)
    hooks:
      - { id: hawser-fmt-system, verbose: true }
      - { id: hawser-check-system, verbose: true }
      - { id: hawser-lint-system, verbose: true }
CONFIG
pre-commit validate-config
pre-commit install >/dev/null

# Two units, both of them changed: no hook may take them for one.
policy() {
    mkdir -p trust other
    tee trust/policy.yaml >other/policy.yaml <<POLICY
hawser: 1
default: deny
rules:
  api:
    hosts:
      - "$1"
    anchors: [system]
    owner: web
POLICY
    git add -A
}

printf '\n== a policy that a load refuses is blocked\n'
policy 'https://api.acme.example/'
if git commit -qm bad >"$scratch/out" 2>&1; then fail 'the bad policy was committed'; fi
cat "$scratch/out"
grep -q HW203 "$scratch/out" || fail 'the finding is not shown'

printf '\n== one that only lint warns of is blocked, too\n'
policy '*.com'
if git commit -qm bad >"$scratch/out" 2>&1; then fail 'the wide wildcard was committed'; fi
grep -q HW205 "$scratch/out" || fail 'the finding is not shown'

printf '\n== a misnamed file of a unit is not skipped in silence\n'
policy api.acme.example
echo 'hawser: 1' >trust/team.policy.yml
git add -A
if git commit -qm bad >"$scratch/out" 2>&1; then fail 'the misnamed policy was committed'; fi
grep -q HW013 "$scratch/out" || fail 'the finding is not shown'
git rm -qf trust/team.policy.yml

printf '\n== layout is mended, and the commit has to be made again\n'
policy api.acme.example
sed -i 's/^default: deny$/default:   deny/' trust/policy.yaml
git add -A
if git commit -qm good >"$scratch/out" 2>&1; then fail 'the layout was not mended'; fi
git add -A

printf '\n== a good policy passes\n'
git commit -qm good >"$scratch/out" 2>&1 || { cat "$scratch/out"; fail 'the good policy was blocked'; }
cat "$scratch/out"

printf '\n== a commit that touches no policy runs none of them\n'
echo text > notes.txt
git add -A
git commit -qm notes >"$scratch/out" 2>&1 || fail 'a commit without policy was blocked'
[ "$(grep -c Skipped "$scratch/out")" -eq 3 ] || { cat "$scratch/out"; fail 'a hook ran for nothing'; }

printf '\n== a test that fails is blocked, and so is an assertion that does not hold\n'
cat >>.pre-commit-config.yaml <<CONFIG
      - { id: hawser-test-system, verbose: true }
      - { id: hawser-assert-system, verbose: true }
CONFIG
cat >trust/policy.test.yaml <<'TEST'
hawser-test: 1
at: 2027-01-01
cases:
  api:
    host: "api.acme.example"
    expect: { rule: api, anchors: [system] }
TEST
cat >trust/policy.assert.yaml <<'ASSERT'
hawser-assert: 1

assertions:
  modern:
    hosts: all
    at-least: { tls.minimum-version: tls1.2 }
ASSERT
git add -A
git commit -qm tests >"$scratch/out" 2>&1 || { cat "$scratch/out"; fail 'good tests were blocked'; }
grep -q '1 case, 0 failed' "$scratch/out" || { cat "$scratch/out"; fail 'the tests did not run'; }
grep -q '1 proved, 0 refuted' "$scratch/out" || { cat "$scratch/out"; fail 'nothing was proved'; }
sed -i 's/rule: api/rule: deny/' trust/policy.test.yaml
if git commit -qam wrong >"$scratch/out" 2>&1; then fail 'a test that fails was committed'; fi
grep -q '1 case, 1 failed' "$scratch/out" || { cat "$scratch/out"; fail 'the failure is not shown'; }
git reset -q --hard
sed -i 's/tls1.2/tls1.3/' trust/policy.assert.yaml
if git commit -qam wrong >"$scratch/out" 2>&1; then fail 'a refuted assertion was committed'; fi
grep -q '0 proved, 1 refuted' "$scratch/out" || { cat "$scratch/out"; fail 'the refutation is not shown'; }
git reset -q --hard

printf '\n== a policy that became weaker than where the branch began is blocked\n'
cat >>.pre-commit-config.yaml <<CONFIG
      - { id: hawser-diff-system, verbose: true, args: [--base, base, "git:INDEX:trust"] }
CONFIG
git branch base
git add -A
sed -i 's/owner: web/&\n    revocation:\n      preset: require/' trust/policy.yaml
git commit -qam stricter >"$scratch/out" 2>&1 || { cat "$scratch/out"; fail 'the stricter policy was blocked'; }
git branch -f base
sed -i '/revocation:/d; /preset: require/d' trust/policy.yaml
if git commit -qam weaker >"$scratch/out" 2>&1; then fail 'the weaker policy was committed'; fi
cat "$scratch/out"
grep -q 'weaker: `api.acme.example`' "$scratch/out" || fail 'the weakening is not named'
git reset -q --hard
sed -i 's/--base, base,/--base, gone,/' .pre-commit-config.yaml
git add -A
if git commit -qm gone >"$scratch/out" 2>&1; then fail 'a missing base was taken for no change'; fi
grep -q 'not compared: `gone`' "$scratch/out" || { cat "$scratch/out"; fail 'the reason is not shown'; }
git reset -q --hard

printf '\n== all passed; the hooks by themselves:\n'
pre-commit run --all-files --verbose 2>&1 | grep -E '^(hawser|- (hook id|duration))'
