#!/usr/bin/env bash
# The example for Rust, as its page has it: compiled against Debian's rustls without the network,
# and run against six servers by `openssl s_server` over TLS 1.3. A refused server has seen no
# record of application data.
#
# Needs openssl 3, a C compiler, cargo, and Debian's librust-rustls-dev.
#
#   Tests/Integration/rust-example.sh [HAWSER]     by default .build/release/hawser; the library is
#                                                  built
#
# BUILT=1 takes the library as the last run of Packaging/c/build.sh left it.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
if [ -z "${BUILT:-}" ]; then bash "$root/Packaging/c/build.sh"; fi
dist=$root/.build-c/dist
page=$root/Packaging/rust/README.md

scratch=$(mktemp -d)
children=()
trap 'kill "${children[@]}" 2>/dev/null || true; rm -rf "$scratch"' EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }
source "$root/Tests/Integration/port-of.sh"

printf '== compiled against the crates of Debian\n'
mkdir -p "$scratch/program/src" "$scratch/program/.cargo"
cd "$scratch/program"
part() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$page" | grep -v '^```'; }
part toml > Cargo.toml
part rust > src/main.rs
[ -s src/main.rs ] || fail 'the page has no program'
printf '[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "/usr/share/cargo/registry"\n' \
    > .cargo/config.toml
cargo --version
CARGO_HOME=$scratch/cargo RUSTFLAGS="-D warnings -L $dist/lib" cargo build --quiet --offline || fail 'it does not compile'
program=$scratch/program/target/debug/hawser-rustls-example
export LD_LIBRARY_PATH=$dist/lib

printf '\n== six servers\n'
mkdir "$scratch/rig"
cd "$scratch/rig"
source "$root/Tests/Integration/six-servers.sh"
"$hawser" compile policy.yaml --output one.table > compile.log 2>&1 || fail "$(cat compile.log)"
for name in "${names[@]}"; do
    serve tls1_3 "$name" -msg
    status=0
    "$program" one.table "$name.rig.example" "${ports[$name]}" "127.0.0.1:${ports[$name]}" > out.txt 2>&1 || status=$?
    count=$(records tls1_3 "$name")
    if [ "$name" = good ]; then
        [ $status -eq 0 ] && grep -q '^HTTP/1.0 200 ok' out.txt || fail "$name: $(cat out.txt)"
        [ "$count" -gt 0 ] || fail 'the good server saw no record: the count is wrong'
    else
        [ $status -eq 1 ] && grep -q "hawser: reject $name.rig.example:[0-9]*: ${expected[$name]}: " out.txt \
            || fail "$name: $(cat out.txt)"
        [ "$count" -eq 0 ] || fail "$name saw $count records of application data"
    fi
    printf '%-10s %-20s %s records\n' "$name" "${expected[$name]}" "$count"
done
printf '\n== all passed\n'
