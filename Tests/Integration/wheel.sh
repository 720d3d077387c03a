#!/usr/bin/env bash
# The Python wheel in a clean virtual environment: built twice the same, installed, run, uninstalled
# without a trace, and as a hook of `language: python` under the real pre-commit, also by the mirror
# of the hooks. Needs git, python3 and the network (PyPI).
#
#   Tests/Integration/wheel.sh [HAWSER]     a fully static one, by default
#                                           .build-static/release/hawser
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build-static/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME="$scratch/home" PRE_COMMIT_HOME="$scratch/cache" GIT_CONFIG_NOSYSTEM=1
# What Python compiles while pip runs would count as left behind.
export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
mkdir -p "$HOME"
build="$root/Packaging/wheel/build.py"
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }

printf '== the same executable gives the same wheel, whatever it is called and however old it is\n'
python3 "$build" "$hawser" "$scratch/dist"
wheel=$(echo "$scratch"/dist/*.whl)
mkdir "$scratch/elsewhere"
cp "$hawser" "$scratch/elsewhere/other-name"
touch -d 2001-02-03 "$scratch/elsewhere/other-name"
(umask 077 && cd / && TZ=Asia/Tokyo python3 "$build" "$scratch/elsewhere/other-name" "$scratch/again" >/dev/null)
cmp "$wheel" "$scratch/again/$(basename "$wheel")" || fail 'the two wheels differ'

printf '\n== no other executable is packed\n'
refuse() {
    if python3 "$build" "$1" "$scratch/refused" 2>"$scratch/out"; then fail "$1 was packed"; fi
    grep -q "$2" "$scratch/out" || { cat "$scratch/out"; fail "$1 was refused for another reason"; }
    [ ! -e "$scratch/refused" ] || fail "a wheel of $1 was written all the same"
}
refuse /bin/sh 'dynamic linker'
refuse "$root/README.md" 'no 64-bit little-endian ELF'
head -c 100 "$hawser" >"$scratch/cut"
refuse "$scratch/cut" 'cut short'

printf '\n== others read it as it was meant: digests, description, tags\n'
python3 -m venv "$scratch/tools"
"$scratch/tools/bin/pip" install --quiet 'wheel>=0.45,<1' 'twine>=6,<7' 'pre-commit>=4,<5'
"$scratch/tools/bin/wheel" unpack --dest "$scratch/unpacked" "$wheel" >/dev/null || fail 'RECORD is wrong'
"$scratch/tools/bin/twine" check --strict "$wheel"

printf '\n== pip installs it into a clean environment\n'
python3 -m venv "$scratch/venv"
pip=$scratch/venv/bin/pip
inventory() { (cd "$scratch/venv" && find . | LC_ALL=C sort); }
inventory >"$scratch/before"
"$pip" install --no-index "$wheel"
inventory | diff "$scratch/before" - || true
"$pip" check
cmp "$hawser" "$scratch/venv/bin/hawser" || fail 'pip changed the executable'
# Through a file: a pipe that grep leaves early is an error to pip.
"$pip" show --files hawser-cli >"$scratch/out"
grep -q 'bin/hawser$' "$scratch/out" || fail 'pip does not know the executable'

printf '\n== it runs there, with nothing else on the PATH\n'
installed() { env -i PATH="$scratch/venv/bin" hawser "$@"; }
[ "$(installed --version)" = "$("$hawser" --version)" ] || fail 'it says another version'
installed --version
mkdir "$scratch/unit"
policy() {
    cat >"$1" <<POLICY
hawser: 1
default: deny
rules:
  api:
    hosts:
      - "$2"
    anchors: [system]
    owner: web
POLICY
}
policy "$scratch/unit/policy.yaml" api.acme.example
installed lint "$scratch/unit" || fail 'a good policy was not passed'
policy "$scratch/unit/policy.yaml" https://api.acme.example/
status=0
installed lint --format concise "$scratch/unit" || status=$?
[ "$status" -eq 1 ] || fail "a bad policy gave the status $status"

printf '\n== pip takes away all that it brought\n'
"$pip" uninstall --yes hawser-cli
inventory | diff "$scratch/before" - || fail 'the environment is not what it was'

printf '\n== pre-commit installs it for a hook of `language: python`, as the page says\n'
export PATH="$scratch/tools/bin:$PATH"
git config --global user.name tester
git config --global user.email tester@example.com
git config --global init.defaultBranch main
git init -q "$scratch/repository"
cd "$scratch/repository"
digest=$(sha256sum "$wheel" | cut -d' ' -f1)
# The page's own example, with a digest.
config() {
    awk '/^```yaml$/ { found = 1; next } found && /^```$/ { exit } found' "$root/Packaging/wheel/README.md" |
        sed "s|WHEEL|file://$wheel|; s|DIGEST|$1|" >.pre-commit-config.yaml
    grep -q "$1" .pre-commit-config.yaml || fail 'the page has no example'
}
hooked() { # commits a bad policy, which the hooks refuse, and a good one
    policy trust/policy.yaml '*.com'
    git add -A
    if git commit -qm bad >"$scratch/out" 2>&1; then fail 'the bad policy was committed'; fi
    grep -q HW205 "$scratch/out" || { cat "$scratch/out"; fail 'the finding is not shown'; }
    policy trust/policy.yaml api.acme.example
    git add -A
    git commit -qm good >"$scratch/out" 2>&1 || { cat "$scratch/out"; fail 'the good policy was blocked'; }
}
config "$digest"
pre-commit validate-config
pre-commit install >/dev/null
mkdir trust
hooked
cat "$scratch/out"
pre-commit run --all-files --verbose 2>&1 | grep -E '^(hawser|- (hook id|duration))'

printf '\n== a wheel with another digest is not installed\n'
config "$(printf '%064d' 0)"
if pre-commit run --all-files >"$scratch/out" 2>&1; then fail 'the changed wheel was installed'; fi
grep -qi 'hash' "$scratch/out" || { cat "$scratch/out"; fail 'it failed for another reason'; }

printf '\n== a mirror of the hooks brings the wheel, and asks no index\n'
export PIP_INDEX_URL=http://127.0.0.1:1/
(cd "$scratch/dist" && sha256sum -- *.whl >SHA256SUMS)
mirror() { # a repository of hooks, of the release as it is now
    rm -rf "$scratch/mirror"
    python3 "$root/Packaging/pre-commit/mirror.py" "$scratch/dist" "file://$scratch/dist" "$scratch/mirror"
    git init -q "$scratch/mirror"
    git -C "$scratch/mirror" add -A
    git -C "$scratch/mirror" commit -qm hooks
}
mirror
pre-commit validate-manifest "$scratch/mirror/.pre-commit-hooks.yaml"
[ "$(grep -c '^- id: ' "$scratch/mirror/.pre-commit-hooks.yaml")" -eq \
    "$(grep -c '^- id: .*-system$' "$root/.pre-commit-hooks.yaml")" ] || fail 'the mirror lacks a hook'
! grep -q 'language: \(system\|swift\)' "$scratch/mirror/.pre-commit-hooks.yaml" || fail 'a hook needs a toolchain'
cat >.pre-commit-config.yaml <<CONFIG
repos:
  - repo: $scratch/mirror
    rev: $(git -C "$scratch/mirror" rev-parse HEAD)
    hooks:
      - { id: hawser-fmt, verbose: true }
      - { id: hawser-check, verbose: true }
      - { id: hawser-lint, verbose: true }
CONFIG
pre-commit validate-config
hooked
pre-commit run --all-files --verbose 2>&1 | grep -E '^(hawser|- (hook id|duration))'

printf '\n== nor is a wheel that was changed after the mirror was made\n'
rm -rf "$PRE_COMMIT_HOME"
cp "$wheel" "$scratch/kept"
printf x >>"$wheel"
if pre-commit run --all-files >"$scratch/out" 2>&1; then fail 'the changed wheel was installed'; fi
grep -qi 'hash' "$scratch/out" || { cat "$scratch/out"; fail 'it failed for another reason'; }
if mirror >"$scratch/out" 2>&1; then fail 'a mirror of a wheel that SHA256SUMS does not list'; fi
grep -q 'not the file that SHA256SUMS lists' "$scratch/out" || { cat "$scratch/out"; fail 'refused for another reason'; }
mv "$scratch/kept" "$wheel"

printf '\n== all passed\n'
