#!/usr/bin/env bash
# The page of ways in, Packaging/README.md: each row that claims to work names a stage of `.ci/full`
# that runs it, or says that no stage does; and the row of libcurl, whose example is run here
# against six servers by `openssl s_server` over TLS 1.2 and 1.3.
#
# Needs openssl 3, a C compiler, pkg-config, and libcurl with OpenSSL (Debian:
# libcurl4-openssl-dev).
#
#   Tests/Integration/ways-in.sh [HAWSER]     by default .build/release/hawser; the library is built
#
# BUILT=1 takes the library as the last run of Packaging/c/build.sh left it.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
if [ -z "${BUILT:-}" ]; then bash "$root/Packaging/c/build.sh"; fi
dist=$root/.build-c/dist
export PKG_CONFIG_PATH=$dist/lib/pkgconfig LD_LIBRARY_PATH=$dist/lib

scratch=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$scratch"' EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }
source "$root/Tests/Integration/rig.sh"
source "$root/Tests/Integration/port-of.sh"

printf '== every row of the page\n'
stages=$(bash "$root/.ci/full" --list | awk '{print $1}')
awk -F ' *[|] *' '/^## / { exit } /^[|] stack /, 0 { if (NF == 9 && $2 != "stack" && $2 !~ /^-/) print $2 "|" $7 "|" $8 }' \
    "$root/Packaging/README.md" > "$scratch/rows"
[ "$(wc -l < "$scratch/rows")" -ge 14 ] || fail 'the table is not read'
while IFS='|' read -r stack way stage; do
    stage=${stage//\`/}
    if [[ $way = none* || $way = *'no stage runs'* ]]; then
        [ -z "$stage" ] || fail "$stack: nothing is said to run it, and a stage $stage does"
    else
        grep -qx "${stage:-none}" <<< "$stages" || fail "$stack: no stage runs it"
    fi
    printf '%-60s %s\n' "$stack" "${stage:-no way}"
done < "$scratch/rows"

printf '\n== libcurl\n'
read -ra flags <<< "$(pkg-config --cflags --libs hawser-openssl libcurl)"
cc -std=gnu11 -O1 -Wall -Wextra -Werror "$root/Packaging/c/examples/c/curl.c" "${flags[@]}" -o "$scratch/curl"
mkdir "$scratch/rig"
cd "$scratch/rig"
authority
for name in good pinned revoked stranger; do certificate "$name" "$name.rig.example" -1 20; done
certificate expired expired.rig.example -40 -10
certificate name another.rig.example -1 20
revoke revoked
staple revoked
for name in offline spare; do spare_key "$name"; done
rig_policy > policy.yaml <<POLICY
  good: { hosts: ["good.rig.example", "expired.rig.example", "name.rig.example"], anchors: [rig] }
  # libcurl says the port: the rule of every other port is met nowhere.
  ported: { hosts: ["good.rig.example:8443"], anchors: [rig], pins: [ours] }
  pinned: { hosts: ["pinned.rig.example"], anchors: [rig], pins: [ours] }
  revoked:
    hosts: ["revoked.rig.example"]
    anchors: [rig]
    revocation: { preset: require, sources: [stapled], scope: leaf }
POLICY
"$hawser" compile policy.yaml --output policy.table > compile.log 2>&1 || fail "$(cat compile.log)"
count=0
try() { # NAME VERSION URL VIOLATION
    local options=() status=0 records
    if [ -e "$1.staple" ]; then options=(-status_file "$1.staple"); fi
    openssl s_server -accept 127.0.0.1:0 -cert "$1.pem" -cert_chain "$1.pem" -key "$1.key" -www -msg -naccept 1 \
        "-tls1_$2" ${options[@]+"${options[@]}"} < /dev/null > server.log 2>&1 &
    server=$!
    timeout 60 "$scratch/curl" --table policy.table "$3" "::127.0.0.1:$(port_of server.log)" > out 2>&1 || status=$?
    # It serves one connection and ends, so its log has all of its input.
    wait "$server" || true
    server=
    records=$(awk -v kind="$([ "$2" = 3 ] && echo InnerContent || echo RecordHeader)" '
        ours && $1 == "17" { count++ }
        { ours = /^<<< / && index($0, kind) }
        END { print count + 0 }' server.log)
    printf '%-34s TLS 1.%s  %s records  %s\n' "$3" "$2" "$records" "$(tail -n 1 out | cut -c1-100)"
    if [ -z "$4" ]; then
        [ "$status" = 0 ] && [ "$(cat out)" = 200 ] && [ "$records" -gt 0 ] || fail "$3 was not served: $(cat out)"
    else
        [ "$status" = 1 ] && grep -q "^$4: " out && [ "$records" = 0 ] || fail "$3 was not refused by $4: $(cat out)"
    fi
    count=$((count + 1))
}
for version in 2 3; do
    try good "$version" https://good.rig.example/ ''
    try good "$version" https://good.rig.example:8443/ pin-mismatch
    try pinned "$version" https://pinned.rig.example/ pin-mismatch
    try expired "$version" https://expired.rig.example/ expired
    try name "$version" https://name.rig.example/ name-mismatch
    try revoked "$version" https://revoked.rig.example/ revoked
    try stranger "$version" https://stranger.rig.example/ no-applicable-rule
done
printf '%s connections came out as they should\n' "$count"
