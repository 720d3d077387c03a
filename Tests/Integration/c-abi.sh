#!/usr/bin/env bash
# libhawser.so from outside: the examples of Packaging/c in C, Python and, where it
# is installed, Go.
#
# 1. Every case under policies/: verdict, violations and explanation equal the ones of
#    `hawser explain`.
# 2. A C client over real TLS 1.2 and 1.3 against `openssl s_server` with chains of policies/: good,
#    another key than the pinned one, expired, another name, staples good, revoked and missing,
#    timestamps in the handshake and none; each verdict and violation equals the one of
#    `hawser explain --connect` to the same server.
# 3. Sessions: resumed where no table since then is stricter.
# 4. Each way of bringing an OpenSSL client to trust without a verdict, client and server
#    in one process.
#    And a program with a status callback of its own that gives the policy its place back.
# 5. OpenSSL's queue of errors, left as it was found by every call and every handshake.
# 6. Stores that are closed while their callbacks run, in Python.
# 7. Structs of a program that is older or newer than hawser_openssl.
# 8. Children after fork().
# 9. Every way to fail, each with an outcome that read accept before the call: never after it.
# 10. Objects in the place of objects of another kind, which no compiler takes.
# 11. The binary interface, symbol by symbol and field by field: c-abi/interface.txt, which
#    UPDATE_GOLDEN=1 writes.
# 12. Demands, receipts that the command replays, metrics, a shadow, and loops in C and Python that
#    wake at another epoch.
#
# Needs openssl 3, a C compiler, python3 and pkg-config; with the right to mount privately (root, or
# user namespaces) also cases under the machine's own trust store.
#
#   Tests/Integration/c-abi.sh [HAWSER [MINT]]  by default .build/release/hawser and, for the keys
#                                               of the chains, .build/release/mint-fixtures; the
#                                               library is built
#
# EVERY=12 takes every twelfth case in step 1. CONFIGURATION=debug takes the library, and by default
# both commands, from the build of the tests. BUILT=1 takes the library as the last run of
# Packaging/c/build.sh left it.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
export CONFIGURATION=${CONFIGURATION:-release}
hawser=$(realpath "${1:-$root/.build/$CONFIGURATION/hawser}")
mint=$(realpath "${2:-$root/.build/$CONFIGURATION/mint-fixtures}")
for tool in "$hawser" "$mint"; do
    [ -x "$tool" ] || { echo "there is no executable $tool" >&2; exit 2; }
done

# A store of a case stands for the machine's, seen only by this script and its children.
if [ "${MOUNTS_ARE_PRIVATE:-}" = "" ]; then
    if unshare -m true 2>/dev/null; then
        MOUNTS_ARE_PRIVATE=1 exec unshare -m --propagation private "$0" "$hawser" "$mint"
    elif unshare -rm true 2>/dev/null; then
        MOUNTS_ARE_PRIVATE=1 exec unshare -rm --propagation private "$0" "$hawser" "$mint"
    fi
    export MOUNTS_ARE_PRIVATE=0
fi

scratch=$(mktemp -d)
dist=$root/.build-c/dist
if [ -n "${BUILT:-}" ]; then
    [ "$CONFIGURATION" = release ] || dist=$root/.build-c-debug/dist
elif [ "$CONFIGURATION" = release ]; then
    # An install leaves `dist` whole: everything below uses it.
    DESTDIR=$scratch/installed PREFIX=/usr bash "$root/Packaging/c/build.sh" install
    for file in include/hawser.h include/hawser_openssl.h lib/libhawser.so.0 lib/libhawser_openssl.a \
        lib/pkgconfig/hawser.pc lib/pkgconfig/hawser-openssl.pc lib/hawser/libhawser_run.so \
        lib/hawser/libhawser_judge.so; do
        [ -e "$scratch/installed/usr/$file" ] || { echo "not installed: $file" >&2; exit 1; }
    done
else
    bash "$root/Packaging/c/build.sh"
    dist=$root/.build-c-debug/dist
fi
export PKG_CONFIG_PATH=$dist/lib/pkgconfig LD_LIBRARY_PATH=$dist/lib LIBHAWSER=$dist/lib/libhawser.so.0
children=()
finish() {
    for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
    rm -rf "$scratch"
}
trap finish EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }

examples=$root/Packaging/c/examples
flags() { pkg-config --cflags --libs "$@"; }
# shellcheck disable=SC2046
{
    cc -O1 -Wall -Wextra -Werror "$examples/c/verdict.c" -o "$scratch/verdict" $(flags hawser libcrypto)
    cc -O1 -Wall -Wextra -Werror "$examples/c/client.c" -o "$scratch/client" $(flags hawser-openssl)
    for name in gates error-queue reclaim; do
        cc -O1 -g -Wall -Wextra -Werror -pthread "$root/Tests/Integration/c-abi/$name.c" -o "$scratch/$name" \
            $(flags hawser-openssl)
    done
    cc -O1 -g -Wall -Wextra -Werror "$root/Tests/Integration/c-abi/forking.c" -o "$scratch/forking" $(flags hawser)
    cc -O1 -Wall -Wextra -Werror "$examples/c/service.c" -o "$scratch/service" $(flags hawser libcrypto)
    cc -O1 -g -Wall -Wextra -Werror "$root/Tests/Integration/c-abi/undecided.c" -o "$scratch/undecided" \
        $(flags hawser libcrypto)
    # hawser_openssl with a field more in two structs, under a program that has the headers as they
    # are. What asks for the size of the new version is left out.
    cp -r "$root/Sources/CHawserABI" "$root/Sources/CHawserOpenSSL" "$scratch"
    sed -i 's/^} hawser_error;/    char added[8];\n&/' "$scratch/CHawserABI/include/hawser.h"
    sed -i 's/^} hawser_openssl_options;/    uint64_t added;\n&/' "$scratch/CHawserOpenSSL/include/hawser_openssl.h"
    sed -i '/^_Static_assert($/,/;$/d' "$scratch/CHawserOpenSSL/hawser_openssl.c"
    for name in hawser_openssl tls_names x509_errors; do
        cc -O1 -g -I"$scratch/CHawserABI/include" -I"$scratch/CHawserOpenSSL/include" $(flags hawser-openssl) \
            -c "$scratch/CHawserOpenSSL/$name.c" -o "$scratch/$name.o"
    done
    cc -O1 -g -Wall -Wextra -Werror "$root/Tests/Integration/c-abi/versions.c" "$scratch"/*.o -o "$scratch/versions" \
        $(flags hawser-openssl)
    # The header is C99 and C++ too.
    printf '#include <hawser.h>\nint main(void) { return hawser_abi_version() == HAWSER_ABI_VERSION ? 0 : 1; }\n' \
        > "$scratch/version.c"
    cc -std=c99 -pedantic -Wall -Werror "$scratch/version.c" -o "$scratch/version" $(flags hawser)
    cp "$scratch/version.c" "$scratch/version.cpp"
    "${CXX:-c++}" -Wall -Werror "$scratch/version.cpp" -o "$scratch/version-cpp" $(flags hawser)
}
bash "$root/Tests/Integration/c-abi/handles.sh" "$dist/include"
interface=$root/Tests/Integration/c-abi/interface.txt
python3 "$root/Tests/Integration/c-abi/interface.py" "$dist" > "$scratch/interface.txt"
if [ "${UPDATE_GOLDEN:-}" = 1 ]; then cp "$scratch/interface.txt" "$interface"; fi
diff "$interface" "$scratch/interface.txt" \
    || fail 'the binary interface has changed: UPDATE_GOLDEN=1 writes the new one, for review'
"$scratch/version" && "$scratch/version-cpp" || fail 'the version of the interface'

runners=("$scratch/verdict" "python3 $examples/python/verdict.py")
if command -v go > /dev/null; then
    (cd "$examples/go" && go build -o "$scratch/verdict-go" .)
    runners+=("$scratch/verdict-go")
else
    echo 'skipped: the example in Go, as there is no go'
fi
python3 "$root/Tests/Integration/c-abi.py" "$hawser" "$root/policies" "$scratch" "${EVERY:-1}" "${runners[@]}"

# ------------------------------------------------------------------------------------ over real TLS

source "$root/Tests/Integration/port-of.sh"

servers=0
serve() { # CHAIN KEY-LABEL OPTION...: starts a server and sets `port`
    local chain=$1 label=$2 log
    shift 2
    servers=$((servers + 1))
    log=$scratch/server-$servers.log
    "$mint" --private-key "$label" > "$scratch/key.pem"
    openssl s_server -accept 127.0.0.1:0 -cert "$chain" -cert_chain "$chain" -key "$scratch/key.pem" -www "$@" \
        > "$log" 2>&1 < <(tail -f /dev/null --pid=$$) &
    children+=($!)
    port=$(port_of "$log")
}

store_place=/etc/ssl/certs/ca-certificates.crt
connections=0
# Connects by the example and by the command, and holds one to the other.
visit() { # WHAT VERDICT[:ID] RECIPE HOST AT [CLIENT-OPTION...]
    local what=$1 wanted=${2%%:*} id=${2#*:} recipe=$3 host=$4 at=$5 status=0 mounted=0
    shift 5
    if [ -e "$root/policies/$recipe/store.pem" ]; then
        mount --bind "$root/policies/$recipe/store.pem" "$store_place"
        mounted=1
    fi
    "$hawser" compile "$root/policies/$recipe" --output "$scratch/tls.table" > /dev/null
    "$scratch/client" --at "$(date -u -d "$at" +%s)" "$@" "$scratch/tls.table" "$host" 127.0.0.1 "$port" \
        > "$scratch/said.txt" 2> "$scratch/errors.txt" || status=$?
    "$hawser" explain "$host" --connect "127.0.0.1:$port" --table "$scratch/tls.table" --at "$at" \
        --format json > "$scratch/told.json" 2>> "$scratch/errors.txt" || true
    [ "$mounted" = 0 ] || umount "$store_place"
    python3 - "$scratch/told.json" > "$scratch/wanted.txt" <<'PY'
import json, sys
told = json.load(open(sys.argv[1]))
print(told["verdict"])
for violation in told["violations"]:
    print(f"{violation['id']}: {violation['summary']}")
PY
    # A second connection says a second `accept`.
    uniq "$scratch/said.txt" > "$scratch/said-once.txt"
    # Only an explanation knows the other evidence that was supplied.
    sed -i -E 's/^(revocation-undetermined: .*\(`[a-z-]+`\)): .*/\1/' "$scratch/wanted.txt" "$scratch/said-once.txt"
    diff "$scratch/wanted.txt" "$scratch/said-once.txt" > "$scratch/difference.txt" \
        || fail "$what: $(cat "$scratch/difference.txt" "$scratch/errors.txt")"
    [ "$(head -n 1 "$scratch/said.txt")" = "$wanted" ] || fail "$what: not $wanted: $(cat "$scratch/said.txt")"
    if [ "$id" != "$wanted" ]; then
        grep -q "^$id: " "$scratch/said.txt" || fail "$what: no $id: $(cat "$scratch/said.txt")"
    fi
    connections=$((connections + 1))
    printf 'ok  %-44s %s\n' "$what" "$(tr '\n' ' ' < "$scratch/said.txt" | cut -c 1-70)"
}

noon=2026-06-01T12:00:00Z
cases=$root/policies
timestamps() { # FILE: a SignedCertificateTimestampList as s_server sends it under TLS 1.2 and 1.3
    python3 - "$1" <<'PY'
import base64, sys
data = open(sys.argv[1], "rb").read()
# Contexts (ssl.h): client hello, TLS 1.2 server hello, TLS 1.3 certificate; then type 18
# and the length.
block = (0x80 | 0x100 | 0x1000).to_bytes(4, "big") + (18).to_bytes(2, "big") + len(data).to_bytes(2, "big") + data
print("-----BEGIN SERVERINFOV2 FOR SCT-----")
text = base64.b64encode(block).decode()
print("\n".join(text[at : at + 64] for at in range(0, len(text), 64)))
print("-----END SERVERINFOV2 FOR SCT-----")
PY
}
timestamps "$cases/ats-timestamps/cases/by-handshake/timestamps.sct" > "$scratch/timestamps.pem"
staple() { # CASE: the answer of a case of revocation-flags
    echo "$cases/revocation-flags/cases/$1/leaf.ocsp"
}

for version in tls1_2 tls1_3; do
    serve "$cases/classic-failures/cases/good/chain.pem" 'leaf www.site.example' "-$version"
    visit "$version good" accept classic-failures www.site.example "$noon"
    visit "$version expired" reject:expired classic-failures www.site.example 2030-06-01T12:00:00Z
    visit "$version no rule" reject:no-applicable-rule classic-failures other.site.example "$noon"
    serve "$cases/classic-failures/cases/wrong-name/chain.pem" 'leaf mail.site.example' "-$version"
    visit "$version another name" reject:name-mismatch classic-failures www.site.example "$noon"

    serve "$cases/revocation-flags/cases/ocsp-good/chain.pem" 'leaf ocsp.flags.example' "-$version" \
        -status_file "$(staple ocsp-good)"
    visit "$version good staple" accept revocation-flags ocsp.flags.example "$noon"
    visit "$version good staple, too old" reject:revocation-undetermined revocation-flags ocsp.flags.example \
        2026-07-20T12:00:00Z
    serve "$cases/revocation-flags/cases/ocsp-good/chain.pem" 'leaf ocsp.flags.example' "-$version"
    visit "$version no staple" reject:revocation-undetermined revocation-flags ocsp.flags.example "$noon"
    serve "$cases/revocation-flags/cases/prefer-crl-revoked-by-ocsp/chain.pem" 'leaf prefer-crl.flags.example' \
        "-$version" -status_file "$(staple prefer-crl-revoked-by-ocsp)"
    visit "$version revoked staple" reject:revoked revocation-flags prefer-crl.flags.example "$noon"

    if [ "$MOUNTS_ARE_PRIVATE" = 1 ]; then
        serve "$cases/startup-pin-files/cases/pinned-issuer/chain.pem" 'leaf api.acme.example' "-$version"
        visit "$version pinned" accept startup-pin-files api.acme.example "$noon"
        serve "$cases/startup-pin-files/cases/other-issuer/chain.pem" 'leaf api.acme.example' "-$version"
        visit "$version not pinned" reject:pin-mismatch startup-pin-files api.acme.example "$noon"
        serve "$cases/ats-timestamps/cases/by-handshake/chain.pem" 'leaf www.app.example' "-$version" \
            -serverinfo "$scratch/timestamps.pem"
        visit "$version timestamps" accept ats-timestamps www.app.example "$noon"
        serve "$cases/ats-timestamps/cases/by-handshake/chain.pem" 'leaf www.app.example' "-$version"
        visit "$version no timestamps" reject:transparency-not-met ats-timestamps www.app.example "$noon"
    fi
done
[ "$MOUNTS_ARE_PRIVATE" = 1 ] || echo "skipped: pins and timestamps over TLS, as the machine's store cannot be replaced"

# Two connections, the second with the session of the first.
for version in tls1_2 tls1_3; do
    serve "$cases/classic-failures/cases/good/chain.pem" 'leaf www.site.example' "-$version"
    visit "$version resumed" accept classic-failures www.site.example "$noon" --twice
    grep -q resumed "$scratch/errors.txt" || fail "$version: the session was not resumed: $(cat "$scratch/errors.txt")"
done
# Three policies that accept the chain: the second does not change the host, the third is stricter.
mkdir "$scratch/other"
cp -r "$cases/classic-failures/policy.yaml" "$cases/classic-failures/anchors" "$scratch/other"
printf '  another:\n    hosts: ["another.site.example"]\n    anchors: [site]\n' >> "$scratch/other/policy.yaml"
"$hawser" compile "$cases/classic-failures" --output "$scratch/one.table" > /dev/null
"$hawser" compile "$scratch/other" --output "$scratch/other.table" > /dev/null
sed -i 's/^    hosts: \["www.site.example"\]$/&\n    path: { maximum-intermediates: 1 }/' "$scratch/other/policy.yaml"
"$hawser" compile "$scratch/other" --output "$scratch/stricter.table" > /dev/null
"$mint" --private-key 'leaf www.site.example' > "$scratch/key.pem"
"$scratch/gates" "$scratch/one.table" "$scratch/other.table" "$scratch/stricter.table" "$cases/classic-failures/cases/good/chain.pem" \
    "$scratch/key.pem" www.site.example "$(date -u -d "$noon" +%s)"
"$hawser" compile "$cases/revocation-flags" --output "$scratch/flags.table" > /dev/null
"$mint" --private-key 'leaf ocsp.flags.example' > "$scratch/flags-key.pem"
"$scratch/reclaim" "$scratch/flags.table" "$cases/revocation-flags/cases/ocsp-good/chain.pem" "$scratch/flags-key.pem" \
    ocsp.flags.example "$(date -u -d "$noon" +%s)" "$(staple ocsp-good)"
"$scratch/error-queue" "$scratch/one.table" "$cases/classic-failures/cases/good/chain.pem" "$scratch/key.pem" \
    www.site.example "$(date -u -d "$noon" +%s)"
"$scratch/versions" "$scratch/one.table"
"$scratch/forking" "$scratch/one.table"
"$scratch/undecided" "$scratch/one.table" "$cases/classic-failures/cases/good/chain.pem" www.site.example \
    "$(date -u -d "$noon" +%s)"
PYTHONPATH=$examples/python python3 "$root/Tests/Integration/c-abi/closing.py" "$scratch/one.table" \
    "$scratch/other.table" "$scratch" 40

# ---------------------------------------------------------------------- what a service does besides

seconds=$(date -u -d "$noon" +%s)
line=0
for name in good wrong-name; do
    line=$((line + 1)) status=0 told=0
    "$scratch/service" "$scratch/one.table" "$scratch/stricter.table" www.site.example \
        "$cases/classic-failures/cases/$name/chain.pem" "$scratch/receipts.jsonl" "$seconds" > "$scratch/service.txt" \
        || status=$?
    "$hawser" explain --receipt "$scratch/receipts.jsonl:$line" --table "$scratch/one.table" > "$scratch/replay.txt" \
        || told=$?
    [ "$status:$told" = "$((line - 1)):$((line - 1))" ] \
        || fail "a receipt of C, $name: $status, and replayed $told: $(cat "$scratch/service.txt" "$scratch/replay.txt")"
    grep -q '^replays to the same verdict and trace' "$scratch/replay.txt" || fail "$(cat "$scratch/replay.txt")"
    grep -q '^rule .*: TLS 0x0303 to 0x0304' "$scratch/service.txt" || fail "demands: $(cat "$scratch/service.txt")"
    grep -q '^hawser_shadow_comparisons_total{store="active",candidate="candidate",' "$scratch/service.txt" \
        || fail "metrics: $(cat "$scratch/service.txt")"
    if command -v promtool > /dev/null; then
        sed -n '/^# /,$p' "$scratch/service.txt" | promtool check metrics || fail 'promtool'
    fi
done
cp "$scratch/one.table" "$scratch/served.table"
# What the service prints comes at once, when all of it is printed; then it waits.
exec 3< <("$scratch/service" "$scratch/served.table" "$scratch/one.table" www.site.example \
    "$cases/classic-failures/cases/good/chain.pem" "$scratch/receipts.jsonl" "$seconds" wait 2>&1)
IFS= read -r first <&3
mv "$scratch/stricter.table" "$scratch/served.table"
rest=$(cat <&3)
exec 3<&-
grep -q '^epoch 2: an open connection is to be closed$' <<< "$rest" || fail "another epoch: $first $rest"
cp "$scratch/served.table" "$scratch/stricter.table"
PYTHONPATH=$examples/python python3 "$root/Tests/Integration/c-abi/epochs.py" "$scratch/one.table" "$scratch/other.table" \
    "$scratch/stricter.table" www.site.example

printf '%s connections as the command has them\n' "$connections"
