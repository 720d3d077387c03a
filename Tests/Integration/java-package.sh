#!/usr/bin/env bash
# The JVM package `hawser-tls`:
#
# 1. The jars, built twice: the same octets. `jar --validate`, `jdeprscan`; `javac -Xlint:all
#    -Werror` and `javadoc -Xdoclint:all -Werror` in the build. Loaded and removed without a trace;
#    native access that is denied, a library that is not there, a Java that is too old: in words.
# 2. java-package/Clients.java: each client against seven servers by `openssl s_server` over TLS 1.2
#    and 1.3 (good, another anchor, another name, expired, another pin, revoked by its staple, no
#    rule): the verdicts of the command; the servers that are refused see no record of application
#    data. HttpClient, HttpsURLConnection, sockets, engines, the trust manager alone; OkHttp and
#    Netty where Debian's packages are there.
# 3. The same by `hawser serve`, with a JDK of 17 to 21 where there is one; java-package/Serve.java.
# 4. java-package/Ways.java: ways around the verdict, over TLS 1.2 and 1.3; HTTP/2 where there is
#    node.
# 5. Vectors of limbo through JSSE: the library's verdicts. Chains that JSSE does not read are
#    listed.
# 6. The programs of the page, as they are written there.
# 7. java-soak.sh, short.
#
# Needs openssl 3, python3, and a JDK of 22 or later: without one the script says so and tests
# nothing. Debian's libokhttp-java, libnetty-java and nodejs, and a JDK of 17 to 21, are used where
# they are there.
#
#   Tests/Integration/java-package.sh [HAWSER]     by default .build/release/hawser; the library is
#                                                  built, and hawser-serve
#
# BUILT=1 takes the library as the last run of Packaging/c/build.sh left it, and hawser-serve if it
# is built; SERVE=FILE names another one.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build/release/hawser}")
[ -x "$hawser" ] || { echo "not an executable: $hawser" >&2; exit 2; }
tests=$root/Tests/Integration/java-package
page=$root/Packaging/java/README.md
source "$root/Tests/Integration/find-java.sh"
find_jdk
if [ -z "$jdk" ]; then
    echo "== java: skipped: $no_jdk"
    exit 0
fi
newest=$jdk
find_jdk 17 21
older=$jdk
if [ -z "${BUILT:-}" ]; then bash "$root/Packaging/c/build.sh"; fi
dist=$root/.build-c/dist

scratch=$(mktemp -d)
children=()
clean() {
    for child in ${children[@]+"${children[@]}"}; do kill "$child" 2> /dev/null || true; done
    rm -rf "$scratch"
}
trap clean EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }
source "$root/Tests/Integration/port-of.sh"
"$newest/bin/java" -version 2>&1 | head -n 1

printf '== the same library and JDK give the same jars, wherever they are built\n'
build=$root/Packaging/java/build.py
JAVA_HOME=$newest python3 "$build" "$dist" "$scratch/dist" > /dev/null
cp -r "$dist" "$scratch/elsewhere"
(umask 077 && cd / && TZ=Asia/Tokyo LC_ALL=C TMPDIR=$scratch JAVA_HOME=$newest python3 "$build" "$scratch/elsewhere" \
    "$scratch/again" > /dev/null)
diff -r "$scratch/dist" "$scratch/again" || fail 'the jars differ'
(cd "$scratch/dist" && sha256sum -- *)
if JAVA_HOME=$newest python3 "$build" "$scratch" "$scratch/refused" 2> "$scratch/out"; then fail 'a jar of nothing was built'; fi
grep -q 'run Packaging/c/build.sh' "$scratch/out" || fail "$(cat "$scratch/out")"
if JAVA_HOME=$scratch python3 "$build" "$dist" "$scratch/refused" 2> "$scratch/out"; then fail 'a jar was built without a JDK'; fi
grep -q 'no JDK of 22 or later was found' "$scratch/out" || fail "$(cat "$scratch/out")"
version=$(python3 "$root/Packaging/dist/versions.py" --print)
jar=$scratch/dist/hawser-tls-$version.jar
"$newest/bin/jar" --validate --file "$jar"
# Its first line names the folder; a second one is something deprecated, or not found.
mkdir "$scratch/seventeen" "$scratch/later"
(cd "$scratch/seventeen" && "$newest/bin/jar" --extract --file "$jar" && mv META-INF/versions/22/hawser ../later)
for release in 17 22; do
    folder=$([ "$release" = 17 ] && echo "$scratch/seventeen" || echo "$scratch/later")
    "$newest/bin/jdeprscan" --release "$release" --class-path "$folder:$scratch/seventeen" "$folder" > "$scratch/out" 2>&1 \
        || fail "$(cat "$scratch/out")"
    [ "$(grep -vc '^Directory ' "$scratch/out")" = 0 ] || fail "$(cat "$scratch/out")"
    echo "jdeprscan --release $release: nothing"
done
"$newest/bin/jar" --describe-module --file "$jar" | head -n 3

# ------------------------------------------------------------------------------ the test programs

libraries=
for name in okhttp okio netty-{buffer,codec,common,handler,resolver,transport}; do
    if [ -e "/usr/share/java/$name.jar" ]; then libraries+=:/usr/share/java/$name.jar; fi
done
sources=("$tests"/{Clients,Server,Ways,Serve,Soak,Vectors}.java)
shared=("$tests"/{Clients,Server,Serve}.java)
if [[ $libraries = *okhttp* ]]; then shared+=("$tests/OkHttpClients.java"); fi
if [[ $libraries = *netty* ]]; then shared+=("$tests/NettyClients.java"); fi
mkdir "$scratch/classes" "$scratch/classes17"
"$newest/bin/javac" -Xlint:all -Werror -cp "$jar$libraries" -d "$scratch/classes" "${sources[@]}" "${shared[@]:3}"
"$newest/bin/javac" -Xlint:all -Werror --release 17 -cp "$jar$libraries" -d "$scratch/classes17" "${shared[@]}"

# ------------------------------------------------------------------------------ the rig

export HAWSER_RIG=$scratch/rig HAWSER_FILTERS=$root/Tests/Integration/filters.py
mkdir -p "$HAWSER_RIG"
cd "$HAWSER_RIG"
source "$root/Tests/Integration/six-servers.sh"
# Another root, which the policy does not trust for its host; and further hosts of Ways.java.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout other.key -out other.pem -days 30 \
    -subj '/O=Rig/CN=Other Root' -addext 'basicConstraints=critical,CA:TRUE' \
    -addext 'keyUsage=critical,keyCertSign,cRLSign' 2> /dev/null
for name in anchor ported groups suites; do certificate "$name" "$name.rig.example" -1 20; done
certificate filtered filtered.rig.example -1 20 "$(python3 "$HAWSER_FILTERS" timestamp)"
sed -i -e 's/^  rig: { files: \[root.pem\] }/&\n  other: { files: [other.pem] }/' \
    -e 's/^  pinned: { .*pins: \[ours\]/&, owner: payments/' policy.yaml
cat >> policy.yaml <<'POLICY'
  anchor: { hosts: ["anchor.rig.example"], anchors: [other] }
  ported: { hosts: ["ported.rig.example"], anchors: [rig] }
  with-port: { hosts: ["ported.rig.example:8443"], anchors: [rig], pins: [ours] }
  groups: { hosts: ["groups.rig.example"], anchors: [rig], tls: { groups: [x25519, secp256r1] } }
  suites: { hosts: ["suites.rig.example"], anchors: [rig], tls: { minimum-version: tls1.3 } }
  filtered:
    hosts: ["filtered.rig.example"]
    anchors: [rig]
    revocation: { preset: require, sources: [crlite], scope: leaf }
POLICY
sed -i 's/^  good: { hosts: \["good.rig.example", /  good: { hosts: ["good.rig.example"], anchors: [rig] }\n  others: { hosts: [/' policy.yaml
names+=(anchor)
expected[anchor]=anchor-not-trusted
compile() { # POLICY TABLE
    "$hawser" compile "$1" --output "$2" > compile.log 2>&1 || fail "$(cat compile.log)"
}
compile policy.yaml one.table
for unit in stricter other; do
    mkdir "$unit"
    cp root.pem other.pem ./*.pub "$unit"
done
sed 's/\["good.rig.example"\], anchors: \[rig\]/&, pins: [ours]/' policy.yaml > stricter/policy.yaml
{ cat policy.yaml && printf '  more: { hosts: ["more.rig.example"], anchors: [rig] }\n'; } > other/policy.yaml
compile stricter/policy.yaml stricter.table
compile other/policy.yaml other.table
for name in "${names[@]}" changing ported groups suites filtered; do
    printf '127.0.0.1 %s.rig.example\n' "$name"
    openssl pkcs12 -export -in "$name.pem" -inkey "$name.key" -passout pass:rig -out "$name.p12" >&2
done > hosts
java() { # runs the newest JDK's
    timeout 900 "$newest/bin/java" --enable-native-access=ALL-UNNAMED -Djdk.net.hosts.file="$HAWSER_RIG/hosts" \
        -Djava.io.tmpdir="$scratch/tmp" "$@"
}
java17() {
    timeout 900 "$older/bin/java" -Djdk.net.hosts.file="$HAWSER_RIG/hosts" "$@"
}
mkdir "$scratch/tmp"

# `hawser serve` is the command beside hawser-serve.
serve=${SERVE:-$root/Sources/Integrations/Serve/.build/release/hawser-serve}
if [ -z "${BUILT:-}" ] && [ -z "${SERVE:-}" ]; then
    # A kept build of a nested package does not see new files of the root: the plan is made each
    # time. Where the build fails, the program of an earlier run is not tested.
    swift build -c release --package-path "$root/Sources/Integrations/Serve" --product hawser-serve \
        --disable-build-manifest-caching || serve=
fi
socket=
if [ -x "$serve" ]; then
    mkdir -m 755 "$scratch/bin" "$scratch/run"
    cp "$hawser" "$scratch/bin/hawser"
    cp "$serve" "$scratch/bin/hawser-serve"
    cp one.table served.table
    socket=$scratch/run/hawser.sock
    "$scratch/bin/hawser" serve --table served.table --socket "$socket" > serve.log 2>&1 &
    children+=($!)
    for _ in $(seq 200); do
        if [ -S "$socket" ]; then break; fi
        read -r -t 0.05 _ <> <(:) || true
    done
    [ -S "$socket" ] || fail "hawser serve did not start: $(cat serve.log)"
else
    echo "== serve: skipped: hawser-serve is not built"
fi
if [ -z "$older" ]; then echo "== java 17: skipped: $no_jdk"; fi

# ------------------------------------------------------------------------------ the clients

count=0
compare() { # FILE VERSION: the verdicts of the clients beside the command's
    local client name answer
    while read -r client name answer; do
        [[ $client != WARNING* ]] || continue
        if [ "$client" = == ]; then
            echo "== $name $answer"
            continue
        fi
        count=$((count + 1))
        if [[ $client = *trust-manager && $2 = tls1_3 ]]; then
            # JSSE would resume its sessions, so it refuses.
            [[ $answer = "no-verdict "* ]] || fail "$client $name: $answer"
        elif [ "${expected[$name]}" = accept ]; then
            [[ $answer = 'accept 200'* ]] || fail "$client $name: $answer"
        else
            [[ $answer = "${expected[$name]} "* ]] || fail "$client $name: $answer"
        fi
    done < "$1"
}
for version in tls1_3 tls1_2; do
    printf '\n== %s\n' "$version"
    words=()
    for name in "${names[@]}"; do
        serve "$version" "$name" -msg -cert_chain "$name.pem"
        words+=("$name=$name.rig.example:${ports[$name]}")
    done
    for name in "${names[@]}"; do
        status=0
        "$hawser" explain "$name.rig.example:${ports[$name]}" --table one.table --connect "127.0.0.1:${ports[$name]}" \
            --format json > said.json 2> said.log || status=$?
        said=$(python3 -c '
import json, sys
document = json.load(open("said.json"))
print(",".join(one["id"] for one in document["violations"]) or document["verdict"])')
        [ "$said" = "${expected[$name]}" ] || fail "the command says $said of $name, with status $status: $(cat said.log)"
    done
    java -cp "$jar$libraries:$scratch/classes" Clients one.table "${words[@]}" > clients.out 2>&1 || fail "$(cat clients.out)"
    compare clients.out "$version"
    if [ -n "$socket" ]; then
        java -cp "$jar$libraries:$scratch/classes17" Clients "$socket" "${words[@]}" > clients.out 2>&1 \
            || fail "$(cat clients.out)"
        compare clients.out "$version"
        if [ -n "$older" ]; then
            java17 -cp "$jar$libraries:$scratch/classes17" Clients "$socket" "${words[@]}" > clients.out 2>&1 \
                || fail "$(cat clients.out)"
            compare clients.out "$version"
        fi
    fi
    grep -v WARNING clients.out | awk '{ print $1 }' | uniq | paste -s -d ' '
    for name in "${names[@]}"; do
        seen=$(records "$version" "$name")
        printf '%-9s %-20s %s records of application data\n' "$name" "${expected[$name]}" "$seen"
        if [ "${expected[$name]}" = accept ]; then
            [ "$seen" -gt 0 ] || fail "$name saw nothing, so the count shows nothing"
        else
            [ "$seen" = 0 ] || fail "$name was refused and saw $seen records"
        fi
    done
done
printf '%s answers of clients\n' "$count"

# ------------------------------------------------------------------------------ in words

printf '\n== in words\n'
words() { # PATTERN COMMAND...: a run that fails, in words
    local pattern=$1
    shift
    if "$@" > "$scratch/out" 2>&1; then fail "it did not fail: $*"; fi
    grep -q -- "$pattern" "$scratch/out" || fail "$(cat "$scratch/out")"
    grep -m 1 -o -- "hawser: .*" "$scratch/out" | cut -c1-160
}
clients=(-Djdk.net.hosts.file=hosts -cp "$jar:$scratch/classes" Clients one.table)
words 'start it with --enable-native-access=hawser.tls' "$newest/bin/java" --illegal-native-access=deny "${clients[@]}"
words 'does not load from `/nowhere/libhawser.so.0`' java -Dhawser.library=/nowhere/libhawser.so.0 "${clients[@]}"
java -Dhawser.library="$dist/lib/libhawser.so.0" "${clients[@]}" > "$scratch/out" 2>&1 || fail "$(cat "$scratch/out")"
if [ -n "$older" ]; then words 'calling libhawser needs Java 22 or later' java17 -cp "$jar:$scratch/classes17" Clients one.table; fi
# As a module, whose native access is permitted by name.
timeout 300 "$newest/bin/java" --illegal-native-access=deny --enable-native-access=hawser.tls -p "$jar" \
    --add-modules hawser.tls -Djdk.net.hosts.file=hosts -cp "$scratch/classes" Clients one.table \
    > "$scratch/out" 2>&1 || fail "$(cat "$scratch/out")"
[ -z "$(find "$scratch/tmp" -mindepth 1 -not -name 'hsperfdata*' -print -quit)" ] || fail "left behind: $(ls "$scratch/tmp")"

# ------------------------------------------------------------------------------ the ways

if command -v node > /dev/null; then
    node "$tests/http2.js" good pinned > http2.ports &
    children+=($!)
    for _ in $(seq 200); do
        if [ "$(wc -l < http2.ports)" = 2 ]; then break; fi
        read -r -t 0.05 _ <> <(:) || true
    done
    HTTP2_PORTS=$(paste -s -d ' ' http2.ports)
    export HTTP2_PORTS
fi
if command -v node > /dev/null && [[ $libraries = *okhttp* ]]; then
    printf '\n== OkHttp over HTTP/2\n'
    certificate both 'good.rig.example,DNS:pinned.rig.example' -1 20
    node "$tests/http2.js" both > both.port &
    children+=($!)
    for _ in $(seq 200); do
        if [ -s both.port ]; then break; fi
        read -r -t 0.05 _ <> <(:) || true
    done
    java -cp "$jar$libraries:$scratch/classes" OkHttpClients one.table "$(cut -d = -f 2 both.port)" || fail 'OkHttp'
fi
for version in TLSv1.3 TLSv1.2; do
    printf '\n== ways around, %s\n' "$version"
    java -cp "$jar:$scratch/classes" Ways "$version" || fail 'a way around'
done
if [ -n "$socket" ]; then
    printf '\n== hawser serve\n'
    java -cp "$jar:$scratch/classes17" Serve "$socket" served.table || fail 'hawser serve'
    if [ -n "$older" ]; then java17 -cp "$jar:$scratch/classes17" Serve "$socket" served.table || fail 'hawser serve'; fi
fi

printf '\n== vectors of limbo through JSSE\n'
vectors=$root/../shared/conformance/cases/limbo.ndjson
if [ -e "$vectors" ]; then
    mkdir "$scratch/vectors"
    python3 "$tests/vectors.py" "$hawser" "$vectors" "$scratch/vectors"
    java -cp "$jar:$scratch/classes" Vectors "$scratch/vectors" || fail 'a vector'
else
    echo "== vectors: skipped: no $vectors"
fi

# ------------------------------------------------------------------------------ the page

printf '\n== the programs of the page\n'
mkdir "$scratch/page" "$scratch/programs"
awk -v folder="$scratch/page" '
    /^```java/ { block = ""; inside = 1; next }
    /^```$/ && inside {
        inside = 0
        match(block, /final class [A-Za-z0-9]+/)
        printf "%s", block > (folder "/" substr(block, RSTART + 12, RLENGTH - 12) ".java")
        next
    }
    inside { block = block $0 "\n" }' "$page"
export PATH=$(dirname "$hawser"):$PATH
openssl genpkey -algorithm ed25519 -out publisher.pem 2> /dev/null
openssl pkey -in publisher.pem -pubout -out publisher.pub
mkdir policies
cp policy.yaml root.pem other.pem ./*.pub policies
for revision in 42 41; do
    hawser compile policies -o "fleet-$revision.table" --revision "$revision" --sign-key publisher.pem > sign.log 2>&1 \
        || fail "$(cat sign.log)"
done
run=0
for source in "$scratch"/page/*.java; do
    name=$(basename "$source" .java)
    if [ "$name" = WithOkHttp ] && [[ $libraries != *okhttp* ]]; then echo "== WithOkHttp: skipped: no OkHttp"; continue; fi
    if [ "$name" = WithNetty ] && [[ $libraries != *netty* ]]; then echo "== WithNetty: skipped: no Netty"; continue; fi
    "$newest/bin/javac" -Xlint:all -Werror --release 17 -cp "$jar$libraries" -d "$scratch/programs" "$source"
    run=$((run + 1))
    program=(java -cp "$jar$libraries:$scratch/programs" "$name")
    good=${ports[good]} pinned=${ports[pinned]}
    case $name in
    Signed)
        "${program[@]}" fleet-42.table publisher.pub kept | grep -qx 42 || fail 'revision 42 was not opened'
        # An older table: what was kept goes on, or nothing opens.
        if "${program[@]}" fleet-41.table publisher.pub kept > "$scratch/out" 2>&1; then
            grep -qx 42 "$scratch/out" || fail "$(cat "$scratch/out")"
        fi
        if "${program[@]}" one.table publisher.pub other-kept > "$scratch/out" 2>&1; then fail 'an unsigned table was opened'; fi
        continue
        ;;
    WithServe)
        [ -n "$socket" ] || { echo '== WithServe: skipped: hawser-serve is not built'; continue; }
        from=$socket
        # Java 17 waits without end for a body without a length, so its servers are node's.
        if [ -n "$older" ] && [ -n "${HTTP2_PORTS:-}" ]; then
            program=(java17 -cp "$jar:$scratch/programs" "$name")
            good=$(tr ' ' '\n' <<< "$HTTP2_PORTS" | sed -n 's/^good=//p')
            pinned=$(tr ' ' '\n' <<< "$HTTP2_PORTS" | sed -n 's/^pinned=//p')
        fi
        ;;
    *) from=one.table ;;
    esac
    "${program[@]}" "$from" "https://good.rig.example:$good/" > "$scratch/out" 2>&1 || fail "$name: $(cat "$scratch/out")"
    grep -Eqx '200|judged, and open: true' "$scratch/out" || fail "$name: $(cat "$scratch/out")"
    if "${program[@]}" "$from" "https://pinned.rig.example:$pinned/" > "$scratch/out" 2>&1; then
        fail "$name: a server was not refused"
    fi
    grep -q '^hawser: reject pinned.rig.example:[0-9]*: pin-mismatch: ' "$scratch/out" || fail "$name: $(cat "$scratch/out")"
    printf '%s: 200, and a refusal in words\n' "$name"
done
[ "$run" -ge 5 ] || fail "only $run programs were read from the page"
for name in "${names[@]}"; do
    [ "$name" = good ] || [ "$(records tls1_2 "$name")" = 0 ] || fail "$name was refused and saw application data"
done

printf '\n== the load, short\n'
BUILT=1 JAR=$jar JAVA_HOME=$newest bash "$root/Tests/Integration/java-soak.sh" "$hawser" "${CONNECTIONS:-2000}"
printf '\n== all passed\n'
