#!/usr/bin/env bash
# The memory of libhawser.so: the C examples under valgrind, and resident octets after 1,000 reloads
# beside those after 100 (at most 1.05 of them).
#
#   Tests/Integration/c-abi-memory.sh HAWSER [MINT]     MINT, for the key of a server, by default
#                                                       .build/release/mint-fixtures
#
# Needs valgrind, openssl 3, a C compiler, python3 and pkg-config.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:?the command}")
mint=$(realpath "${2:-$root/.build/release/mint-fixtures}")
cd "$root"
# With the names of functions, which reports and suppressions need.
NAMES=kept bash Packaging/c/build.sh
dist=$root/.build-c/dist
export PKG_CONFIG_PATH=$dist/lib/pkgconfig LD_LIBRARY_PATH=$dist/lib
scratch=$(mktemp -d)
children=()
finish() {
    for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
    rm -rf "$scratch"
}
trap finish EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }
source Tests/Integration/port-of.sh
source Tests/Integration/c-abi/tables.sh
make_tables "$hawser" "$scratch"

# shellcheck disable=SC2046
{
    for name in verdict service; do
        cc -O1 -g -Wall -Wextra -Werror "Packaging/c/examples/c/$name.c" -o "$scratch/$name" \
            $(pkg-config --cflags --libs hawser libcrypto)
    done
    cc -O1 -g -Wall -Wextra -Werror Packaging/c/examples/c/client.c -o "$scratch/client" \
        $(pkg-config --cflags --libs hawser-openssl)
    for name in forking reloads; do
        cc -O1 -g -Wall -Wextra -Werror "Tests/Integration/c-abi/$name.c" -o "$scratch/$name" \
            $(pkg-config --cflags --libs hawser)
    done
}
"$scratch/reloads" "$scratch/one.table" "$scratch/other.table" "$host" "$at" "$scratch"/chain-*.der \
    || fail 'more memory after 1,000 reloads than after 100'

suppressions=Tests/Integration/c-abi/valgrind.supp
entries=$(grep -c '^{' "$suppressions")
[ "$entries" -le 5 ] || fail "$entries entries in $suppressions, five are allowed"
runs=0
leaks=full
checked() { # WHAT STATUS COMMAND...
    local what=$1 status=$2 found=0
    shift 2
    valgrind --quiet --error-exitcode=99 --leak-check="$leaks" --suppressions="$suppressions" "$@" \
        > "$scratch/out.txt" 2> "$scratch/reports.txt" || found=$?
    [ "$found" = "$status" ] || fail "$what: exit $found: $(cat "$scratch/out.txt" "$scratch/reports.txt")"
    if grep -q '^==' "$scratch/reports.txt"; then fail "$what: $(cat "$scratch/reports.txt")"; fi
    runs=$((runs + 1))
    printf 'ok  %-36s %s\n' "$what" "$(head -n 1 "$scratch/out.txt" | cut -c 1-60)"
}
judged=(--host "$host" --at "$at" --chain policies/classic-failures/cases/good/chain.pem)
checked 'accept' 0 "$scratch/verdict" --table "$scratch/one.table" "${judged[@]}"
checked 'reject' 1 "$scratch/verdict" --table "$scratch/stricter.table" "${judged[@]}"
checked 'accept, explained' 0 "$scratch/verdict" --table "$scratch/one.table" "${judged[@]}" --explain
checked 'reject, explained' 1 "$scratch/verdict" --table "$scratch/stricter.table" "${judged[@]}" --explain
"$hawser" compile policies/revocation-flags --output "$scratch/flags.table" > /dev/null
flags=policies/revocation-flags/cases
checked 'revoked by staple' 1 "$scratch/verdict" --table "$scratch/flags.table" --host prefer-crl.flags.example \
    --at "$at" --chain "$flags/prefer-crl-revoked-by-ocsp/chain.pem" --staple "$flags/prefer-crl-revoked-by-ocsp/leaf.ocsp"
for name in good wrong-name; do
    checked "a service, $name" "$([ $name = good ] && echo 0 || echo 1)" "$scratch/service" "$scratch/one.table" \
        "$scratch/stricter.table" "$host" "policies/classic-failures/cases/$name/chain.pem" "$scratch/receipts.jsonl" "$at"
done
checked 'a table cut short' 2 "$scratch/verdict" --table "$scratch/cut.table" "${judged[@]}"
# A child has not the threads of its parent, and what their stacks pointed to counts as lost in it.
leaks=no checked 'forks' 0 "$scratch/forking" "$scratch/one.table"

"$mint" --private-key "leaf $host" > "$scratch/key.pem"
chain=policies/classic-failures/cases/good/chain.pem
for version in tls1_2 tls1_3; do
    openssl s_server -accept 127.0.0.1:0 -cert "$chain" -cert_chain "$chain" -key "$scratch/key.pem" -www "-$version" \
        > "$scratch/server-$version.log" 2>&1 < <(tail -f /dev/null --pid=$$) &
    children+=($!)
    port=$(port_of "$scratch/server-$version.log")
    checked "$version, and resumed" 0 "$scratch/client" --at "$at" --twice "$scratch/one.table" "$host" 127.0.0.1 "$port"
    checked "$version, no rule" 1 "$scratch/client" --at "$at" "$scratch/one.table" other.site.example 127.0.0.1 "$port"
done
printf '%s runs without a report, %s suppressions\n' "$runs" "$entries"
