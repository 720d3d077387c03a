#!/usr/bin/env bash
# The Python package `hawser-tls`:
#
# 1. The wheel, built twice: the same octets. Others read it.
# 2. In a clean virtual environment of each Python that is found: installed, used, removed without a
#    trace.
# 3. The scripts of its README as they are written there, against six servers and a seventh by
#    `openssl s_server` over TLS 1.2 and 1.3, both attached and unattached; a refusal is the
#    library's own error with Hawser's sentence, and the server saw no octet of application data.
# 4. python-package/ways.py: every way to a byte of the program's, the proofs of the attachment,
#    reload, threads, asyncio. processes.py: pickling, forks, gunicorn, celery. greenlets.py: gevent
#    and eventlet. reasons.py: what survives of a refusal. pools.py: pooled connections. recipes.py:
#    the page's recipes, against servers of their protocols. filters.py: a folder of CRLite filters.
# 5. `mypy --strict` of the scripts and of the package, and `ruff check` of the package.
#
# Needs openssl 3, a C compiler, python3 of 3.10 or later with its headers, pkg-config, and the
# network (PyPI). Pythons are looked for on the PATH, as python3 and python3.10 to python3.14, and
# in ~/.pyenv/versions; PYTHONS="python3.11 ..." names others.
#
#   Tests/Integration/python-package.sh [HAWSER]     by default .build/release/hawser; the library
#                                                    is built
#
# CONFIGURATION=debug takes the library, and by default the command, from the build of the tests.
# BUILT=1 takes the library as the last run of Packaging/c/build.sh left it. RUN="ways filters" runs
# only these scripts of step 4.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
export CONFIGURATION=${CONFIGURATION:-release}
hawser=$(realpath "${1:-$root/.build/$CONFIGURATION/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
dist=$root/.build-c/dist
[ "$CONFIGURATION" = release ] || dist=$root/.build-c-debug/dist
if [ -z "${BUILT:-}" ]; then bash "$root/Packaging/c/build.sh"; fi
tests=$root/Tests/Integration/python-package
page=$root/Packaging/python/README.md

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# What Python compiles while pip runs would count as left behind.
export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }
source "$root/Tests/Integration/rig.sh"

printf '== the same library gives the same wheel, wherever it is built\n'
build=$root/Packaging/python/build.py
python3 "$build" "$dist" "$scratch/dist"
wheel=$(echo "$scratch"/dist/*.whl)
cp -r "$dist" "$scratch/elsewhere"
(umask 077 && cd / && TZ=Asia/Tokyo TMPDIR=$scratch python3 "$build" "$scratch/elsewhere" "$scratch/again" > /dev/null)
cmp "$wheel" "$scratch/again/$(basename "$wheel")" || fail 'the two wheels differ'
if python3 "$build" "$scratch" "$scratch/refused" 2> "$scratch/out"; then fail 'a wheel of nothing was built'; fi
grep -q 'run Packaging/c/build.sh' "$scratch/out" || fail "$(cat "$scratch/out")"
python3 -m venv "$scratch/tools"
"$scratch/tools/bin/pip" install --quiet 'wheel>=0.45,<1' 'twine>=6,<7' mypy ruff types-requests requests httpx aiohttp \
    || fail 'PyPI gave no tools'
"$scratch/tools/bin/wheel" unpack --dest "$scratch/unpacked" "$wheel" > /dev/null || fail 'RECORD is wrong'
"$scratch/tools/bin/twine" check --strict "$wheel"
sed -n 's/^Requires-External: /needs /p' "$scratch"/unpacked/*/*.dist-info/METADATA

# ------------------------------------------------------------------------------------------ the rig

export HAWSER_RIG=$scratch/rig
mkdir -p "$HAWSER_RIG"
cd "$HAWSER_RIG"
authority
for name in good pinned revoked stranger seen ported; do
    certificate "$name" "$name.rig.example" -1 20
done
certificate expired expired.rig.example -40 -10
certificate name another.rig.example -1 20
certificate filtered filtered.rig.example -1 20 "$(python3 "$root/Tests/Integration/filters.py" timestamp)"
for name in revoked seen; do
    revoke "$name"
    staple "$name"
done
for name in offline spare; do spare_key "$name"; done
soon=$(date -u -d '+60 days' +%Y-%m-%d)
cat > policy.yaml <<POLICY
hawser: 1
default: deny
anchors:
  rig: { files: [root.pem] }
pins:
  ours:
    keys:
      offline: { spki-file: offline.pub }
    backups:
      spare: { spki-file: spare.pub }
    enforce-until: $soon
rules:
  good: { hosts: ["good.rig.example"], anchors: [rig] }
  others: { hosts: ["expired.rig.example", "name.rig.example"], anchors: [rig] }
  pinned: { hosts: ["pinned.rig.example"], anchors: [rig], pins: [ours] }
  ported: { hosts: ["ported.rig.example"], anchors: [rig] }
  with-port: { hosts: ["ported.rig.example:8443"], anchors: [rig], pins: [ours] }
  revoked:
    hosts: ["revoked.rig.example"]
    anchors: [rig]
    revocation: { preset: require, sources: [stapled], scope: leaf }
  filtered:
    hosts: ["filtered.rig.example"]
    anchors: [rig]
    revocation: { preset: require, sources: [crlite], scope: leaf }
  seen:
    hosts: ["seen.rig.example"]
    anchors: [rig]
    revocation: { preset: best-effort, sources: [stapled], scope: leaf }
POLICY
compile() { # POLICY TABLE
    "$hawser" compile "$1" --output "$2" > compile.log 2>&1 || fail "$(cat compile.log)"
}
compile policy.yaml one.table
mkdir stricter portless
cp root.pem ./*.pub stricter
cp root.pem ./*.pub portless
sed 's/\["good.rig.example"\], anchors: \[rig\]/&, pins: [ours]/' policy.yaml > stricter/policy.yaml
compile stricter/policy.yaml stricter.table
sed '/with-port/d' policy.yaml > portless/policy.yaml
compile portless/policy.yaml portless.table

# The tables of the page's part about signing, by its own commands: revisions 42 and, older, 41.
part=$(sed -n '/^## Signed tables/,/^## Processes/p' "$page")
signing=$(sed -n '/^```sh$/,/^```$/p' <<< "$part" | grep -v '^```')
sed -n '/^```python signed$/,/^```$/p' <<< "$part" | grep -v '^```' > signed.py
[ -s signed.py ] || fail 'the page has no script for signed tables'
mkdir policies
cp -r policy.yaml root.pem ./*.pub policies
export PATH=$(dirname "$hawser"):$PATH
bash -ec "$signing" > sign.log 2>&1 || fail "$(cat sign.log)"
hawser compile policies -o older.table --revision 41 --sign-key publisher.pem > sign.log 2>&1 || fail "$(cat sign.log)"

# ------------------------------------------------------------------------------------ each Python

pythons() { # prints a path for each interpreter of 3.10 or later, each version of a build once
    local name path names=(python3 python3.{10..14} "$HOME"/.pyenv/versions/3.1*/bin/python3 /usr/bin/python3)
    if [ -n "${PYTHONS:-}" ]; then read -ra names <<< "$PYTHONS"; fi
    for name in "${names[@]}"; do
        path=$(command -v "$name" 2> /dev/null) || continue
        "$path" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2> /dev/null || continue
        "$path" -c 'import os, sys; print(os.path.realpath(sys.executable))'
    done | sort -u
}
found=$(pythons)
[ -n "$found" ] || fail 'there is no Python of 3.10 or later'
for python in $found; do
    name=$("$python" -c 'import sys, ssl; print("Python", sys.version.split()[0], "with", ssl.OPENSSL_VERSION)')
    printf '\n== %s: %s\n' "$name" "$python"
    venv=$scratch/venv
    rm -rf "$venv"
    "$python" -m venv "$venv"
    inventory() { (cd "$venv" && find . -not -name '*.pyc' -not -name __pycache__ | LC_ALL=C sort); }
    inventory > "$scratch/before"
    "$venv/bin/pip" install --quiet --no-index "$wheel"
    "$venv/bin/pip" check > /dev/null
    "$venv/bin/python" -c 'import hawser_tls, sys; print("attached:", hawser_tls.SSLContext(hawser_tls.Store(sys.argv[1])).is_attached)' one.table
    "$venv/bin/pip" uninstall --quiet --yes hawser-tls
    inventory | diff "$scratch/before" - || fail 'the environment is not what it was'
    "$venv/bin/pip" install --quiet --no-index "$wheel"
    "$venv/bin/pip" install --quiet requests urllib3 httpx aiohttp gevent eventlet gunicorn celery redis pymongo botocore \
        ldap3 aiokafka || fail 'PyPI gave no libraries'
    PYTHONPATH=$tests "$venv/bin/python" "$tests/scripts.py" "$page" "$HAWSER_RIG/one.table"
    rm -rf kept
    "$venv/bin/python" signed.py fleet.table publisher.pub kept | grep -qx 42 || fail 'revision 42 was not opened'
    for table in older one; do # one of a lower revision, one without a signature
        if "$venv/bin/python" signed.py "$table.table" publisher.pub kept > "$scratch/out" 2>&1; then
            # The table that was kept goes on.
            grep -qx 42 "$scratch/out" || fail "$table.table: $(cat "$scratch/out")"
        fi
    done
    for name in ${RUN:-ways filters processes greenlets reasons pools}; do
        (cd "$tests" && "$venv/bin/python" -W error::ResourceWarning "$name.py") > "$scratch/$name.log" 2>&1 \
            || fail "$(tail -n 60 "$scratch/$name.log")"
        printf '%s: %s\n' "$name.py" "$(grep '^Ran \|^OK' "$scratch/$name.log" | tr '\n' ' ')"
    done
    (cd "$tests" && "$venv/bin/python" recipes.py "$page" "$HAWSER_RIG/one.table")
done

printf '\n== mypy --strict\n'
"$scratch/tools/bin/pip" install --quiet --no-index "$wheel"
mkdir "$scratch/typed"
awk -v folder="$scratch/typed" '
    /^```python$/ { file = sprintf("%s/script_%d.py", folder, ++count); next }
    /^```$/ { file = ""; next }
    file != "" { print > file }' "$page"
(
    cd "$scratch/typed"
    for script in script_*.py; do "$scratch/tools/bin/mypy" --strict --cache-dir "$scratch/mypy" "$script"; done
    "$scratch/tools/bin/mypy" --strict --cache-dir "$scratch/mypy" -p hawser_tls
)
"$scratch/tools/bin/ruff" check --no-cache --config "$root/Packaging/python/ruff.toml" "$root/Packaging/python/hawser_tls"
printf '\n== all passed\n'
