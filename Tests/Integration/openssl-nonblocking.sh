#!/usr/bin/env bash
# An OpenSSL client with an event loop, judged by hawser_openssl, against six servers that are
# `openssl s_server`: a good one, one with another key than the pinned, one expired, one
# with another's name, one whose staple says revoked, one that no rule is about. TLS 1.2 and 1.3,
# each with SSL_do_handshake, SSL_write and SSL_read as the first call.
#
# 1. Verdict and words equal the ones of `hawser explain --connect`, and so does OpenSSL's verify
#    result; the servers' logs have no octet of application data where the client refused.
# 2. 200 reloads, in the middle of handshakes too, with sessions that are kept: no connection fails,
#    and hosts that the reloads leave alone go on resuming.
#
# Needs openssl 3, a C compiler, python3 and pkg-config.
#
#   Tests/Integration/openssl-nonblocking.sh [HAWSER]     by default .build/release/hawser; the
#                                                         library is built
#
# CONFIGURATION=debug takes the library, and by default the command, from the build of the tests.
# BUILT=1 takes the library as the last run of Packaging/c/build.sh left it.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
export CONFIGURATION=${CONFIGURATION:-release}
hawser=$(realpath "${1:-$root/.build/$CONFIGURATION/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
if [ -z "${BUILT:-}" ]; then bash "$root/Packaging/c/build.sh"; fi
dist=$root/.build-c/dist
[ "$CONFIGURATION" = release ] || dist=$root/.build-c-debug/dist
export PKG_CONFIG_PATH=$dist/lib/pkgconfig LD_LIBRARY_PATH=$dist/lib

scratch=$(mktemp -d)
children=()
finish() {
    for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
    rm -rf "$scratch"
}
trap finish EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }
source "$root/Tests/Integration/port-of.sh"
# shellcheck disable=SC2046
cc -O1 -g -Wall -Wextra -Werror "$root/Tests/Integration/c-abi/nonblocking.c" -o "$scratch/nonblocking" \
    $(pkg-config --cflags --libs hawser-openssl)
cd "$scratch"

source "$root/Tests/Integration/six-servers.sh"
"$hawser" compile policy.yaml --output one.table > compile.log 2>&1 || fail "$(cat compile.log)"
# Leaves every host alone but one.
mkdir other
cp root.pem offline.pub spare.pub other
sed 's/\["changing.rig.example"\], anchors: \[rig\]/&, path: { maximum-intermediates: 1 }/' policy.yaml > other/policy.yaml
"$hawser" compile other/policy.yaml --output other.table > compile.log 2>&1 || fail "$(cat compile.log)"

# ------------------------------------------------------------------------------------- judging

now=$(date +%s)
declare -A result=(
    [pinned]='application verification failure' [expired]='certificate has expired' [name]='hostname mismatch'
    [revoked]='certificate revoked' [stranger]='certificate not trusted')

verdicts=0
for version in tls1_2 tls1_3; do
    targets=()
    for name in "${names[@]}"; do
        serve "$version" "$name" -msg
        targets+=("$name.rig.example=${ports[$name]}")
    done
    for first in handshake write read; do
        ./nonblocking "$now" judge one.table "$version" "$first" "${targets[@]}" > said.txt 2> errors.txt \
            || fail "$version $first: $(cat said.txt errors.txt)"
        : > wanted.txt
        for name in "${names[@]}"; do
            "$hawser" explain "$name.rig.example" --connect "127.0.0.1:${ports[$name]}" --table one.table \
                --at "$(date -u -d "@$now" +%Y-%m-%dT%H:%M:%SZ)" --format json > told.json 2>> errors.txt || true
            python3 - told.json "$name.rig.example" "${result[$name]:-}" >> wanted.txt <<'PY'
import json, sys
told = json.load(open(sys.argv[1]))
print(sys.argv[2], told["verdict"])
for violation in told["violations"]:
    print(f"{violation['id']}: {violation['summary']}")
if sys.argv[3]:
    print("openssl:", sys.argv[3])
PY
        done
        diff wanted.txt said.txt > difference.txt || fail "$version $first: $(cat difference.txt)"
        for name in "${names[@]}"; do
            if [ "${expected[$name]}" = accept ]; then
                grep -q "^$name.rig.example accept$" said.txt || fail "$version $first: $name is not accepted"
            else
                grep -A 1 "^$name.rig.example reject$" said.txt | grep -q "^${expected[$name]}: " \
                    || fail "$version $first: $name is not refused by ${expected[$name]}"
            fi
            verdicts=$((verdicts + 1))
        done
        printf 'ok  %s %-9s as the command says\n' "$version" "$first"
    done
    for name in "${names[@]}"; do
        count=$(records "$version" "$name")
        if [ "${expected[$name]}" = accept ]; then
            [ "$count" -gt 0 ] || fail "$version $name: no record of an accepted connection was counted"
        else
            grep -q '^<<< .*ClientHello' "server-$version-$name.log" || fail "$version $name: nobody came"
            [ "$count" = 0 ] || fail "$version $name: $count records of application data"
        fi
    done
    printf 'ok  %s no application data reached a server that was refused\n' "$version"
done

# ------------------------------------------------------------------------------------- reloads

rounds=200
for version in tls1_2 tls1_3; do
    targets=()
    for name in good changing; do
        serve "$version" "$name"
        targets+=("$name.rig.example=${ports[$name]}")
    done
    ./nonblocking "$now" reload one.table other.table "$rounds" "$version" "${targets[@]}" > said.txt 2> errors.txt \
        || fail "$version: $(cat said.txt errors.txt)"
    grep -qx "epoch $((rounds + 1))" said.txt || fail "$version: not $rounds reloads: $(cat said.txt)"
    grep -qx "good.rig.example resumed $rounds full 1 not-offered 0 repeated 0" said.txt \
        || fail "$version: a session of a host that was left alone did not resume: $(cat said.txt)"
    grep -q '^changing.rig.example resumed .* not-offered [1-9]' said.txt \
        || fail "$version: each session of a host that is judged more strictly was offered: $(cat said.txt)"
    printf 'ok  %s %s\n' "$version" "$(tr '\n' ';' < said.txt)"
done

printf '%s verdicts as the command has them\n' "$verdicts"
