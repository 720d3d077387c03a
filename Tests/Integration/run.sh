#!/usr/bin/env bash
# `hawser run` under programs of Debian that nobody has changed: curl, psql, Ruby and PHP, against
# the six servers of six-servers.sh and a PostgreSQL server with the same certificates.
#
# 1. Each accepts and refuses as `hawser explain --connect` does, with its words, although each was
#    told to verify nothing; no server that was refused gets application data.
# 2. strace beside: every connection was judged, retries and redirects included, and nothing was
#    sent in clear text.
# 3. git, wget, node, a static and a setuid program are named and not run; as children they are
#    named, and refused under --strict.
# 4. TLS servers under it ask no client for a certificate.
# 5. --report-only: the program's own verification is as it was.
# 6. Forks, closed descriptors, emptied environments, a client that tries each way around
#    (run/ways.c), sessions, TLS over memory, and tables that are signed, replaced or cut.
# 7. What a handshake costs with it and without it, in one run.
#
# Needs the packages curl gcc git nodejs openssl php-cli postgresql python3 ruby strace wget.
#
#   Tests/Integration/run.sh [HAWSER]     by default .build/release/hawser; the library is built
#
# See run/start.sh for the variables.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
at_end() {
    if [ -d "$scratch/database" ]; then as_postgres "$postgres/pg_ctl" -D "$scratch/database" -m immediate stop; fi \
        >/dev/null 2>&1 || true
}
source "$root/Tests/Integration/run/start.sh"
source "$root/Tests/Integration/six-servers.sh"
"$hawser" compile policy.yaml --output one.table > compile.log 2>&1 || fail "$(cat compile.log)"

run() { # OPTION... -- PROGRAM...: with the log in log.txt
    rm -f log.txt
    timeout -k 5 60 "$hawser" run --policy policy.yaml --verbose --log log.txt "$@"
}

# ------------------------------------------------------------------------------------ 1. verdicts

# What `hawser explain` says of a server, as `hawser run` logs it.
expected_log() { # NAME PORT OPTION...
    local name=$1 port=$2 status=0
    shift 2
    "$hawser" explain "$name.rig.example" --connect "127.0.0.1:$port" --table one.table --format json "$@" \
        > told.json 2> errors.txt || status=$?
    [ "$status" -le 1 ] || fail "explain $name: $(cat errors.txt)"
    python3 - told.json "$name.rig.example:$port" <<'PY'
import json, re, sys
told = json.load(open(sys.argv[1]))
lines = [f"{v['id']}: {v['summary']}" for v in told["violations"]]
text = f"refused {sys.argv[2]}: {'; '.join(lines)}" if lines else f"accepted {sys.argv[2]}"
if lines:
    text += "".join(f" {name}={told[name]}" for name in ("side", "rule", "owner") if told[name] is not None)
print(re.sub(r"judged at \S+", "judged at T", text))
PY
}
# The verdicts of log.txt, without the ids of decisions and the commands to run next. A verdict does
# not know which other evidence was supplied.
said() {
    sed -nE -e 's/^hawser run: [^:]*\[[0-9]+\]: ((accepted|refused) )/\1/p' log.txt \
        | sed -E -e 's/judged at \S+/judged at T/' -e 's/ id=r[0-9a-f]{16} next="hawser show .*"$//' \
            -e 's/no answer about it was supplied/no answer was supplied/'
}
client() { # PROGRAM NAME VERSION
    local host=$2.rig.example port=${ports[$2]} version=$3
    case $1 in
    curl)
        local maximum=1.3
        [ "$version" = tls1_3 ] || maximum=1.2
        set -- curl -sSk --tls-max "$maximum" --resolve "$host:$port:127.0.0.1" "https://$host:$port/" -o /dev/null
        ;;
    ruby) set -- ruby "$helpers/client.rb" "$2" "$port" "$version" ;;
    php) set -- php "$helpers/client.php" "$2" "$port" "$version" ;;
    esac
    run -- "$@" > output.txt 2> errors.txt
}

pasted() { # WHAT: runs the command that the last refusal names, in another folder
    local next
    next=$(sed -nE 's/.* next="(.*)"$/\1/p' log.txt | tail -n 1)
    [ -n "$next" ] || fail "$1: no command: $(cat log.txt)"
    (cd / && PATH=$(dirname "$hawser"):$PATH sh -c "$next") > next.txt 2>&1 || fail "$1: $next: $(cat next.txt)"
}
verdicts=0
check() { # WHAT NAME STATUS WANTED: the last run beside what is expected
    said > said.txt
    [ "$(cat said.txt)" = "$4" ] || fail "$1 $2: said $(cat said.txt log.txt errors.txt), wanted $4"
    if [ "${expected[$2]}" = accept ]; then
        [ "$3" = 0 ] || fail "$1 $2: status $3: $(cat errors.txt)"
    else
        [ "$3" != 0 ] || fail "$1 $2: it went on"
        [ "$1" = psql ] || grep -q "^refused .*: ${expected[$2]}: " said.txt || fail "$1 $2: $(cat said.txt)"
    fi
    verdicts=$((verdicts + 1))
}
for version in tls1_2 tls1_3; do
    for name in "${names[@]}"; do
        serve "$version" "$name" -msg
        wanted=$(expected_log "$name" "${ports[$name]}")
        for program in curl ruby php; do
            status=0
            client "$program" "$name" "$version" || status=$?
            check "$program $version" "$name" "$status" "$wanted"
            [ "${expected[$name]}" = accept ] || pasted "$program $version $name"
        done
        count=$(records "$version" "$name")
        if [ "${expected[$name]}" = accept ]; then
            [ "$count" -gt 0 ] || fail "$version $name: no record of an accepted connection was counted"
        else
            [ "$(grep -c '^<<< .*ClientHello' "server-$version-$name.log")" -ge 4 ] || fail "$version $name: nobody came"
            [ "$count" = 0 ] || fail "$version $name: $count records of application data"
        fi
    done
    printf 'ok  %s curl, Ruby and PHP as the command says, and no application data after a refusal\n' "$version"
done

postgres=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
as_postgres() {
    if [ "$(id -u)" = 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi
}
mkdir "$scratch/database"
[ "$(id -u)" != 0 ] || chown postgres "$scratch/database"
as_postgres "$postgres/initdb" -D "$scratch/database" --auth trust --no-sync > initdb.log 2>&1 || fail "$(cat initdb.log)"
database_port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
certify() { # NAME
    cp "$1.pem" "$scratch/database/server.crt"
    cp "$1.key" "$scratch/database/server.key"
    chmod 600 "$scratch/database/server.key"
    [ "$(id -u)" != 0 ] || chown postgres "$scratch/database/server.crt" "$scratch/database/server.key"
    as_postgres "$postgres/pg_ctl" -D "$scratch/database" -w -t 60 -l "$scratch/database/log" \
        -o "-c listen_addresses=127.0.0.1 -c port=$database_port -c unix_socket_directories='' -c ssl=on -c log_connections=on -c fsync=off" \
        restart > restart.log 2>&1 || fail "$(cat restart.log "$scratch/database/log")"
}
psql_to() { # NAME CONNECTION
    psql "host=$1.rig.example hostaddr=127.0.0.1 port=$database_port user=postgres dbname=postgres $2" -Atc 'select 1'
}
export -f psql_to
export database_port
for name in "${names[@]}"; do
    certify "$name"
    : > "$scratch/database/log"
    wanted=$(expected_log "$name" "$database_port" --starttls postgres)
    status=0
    run -- bash -c "psql_to $name ''" > output.txt 2> errors.txt || status=$?
    check psql "$name" "$status" "$wanted"
    if [ "${expected[$name]}" = accept ] || grep -q '^accepted' said.txt; then
        grep -q 'connection authorized.*SSL enabled' "$scratch/database/log" || fail "psql $name: $(cat "$scratch/database/log")"
    elif grep 'connection authorized' "$scratch/database/log"; then
        fail "psql $name: it went on in clear text"
    fi
done
printf 'ok  psql as the command says, and nothing in clear text under its default sslmode\n'
status=0
run -- bash -c "psql_to expired sslmode=prefer" > output.txt 2> errors.txt || status=$?
grep -q '^refused' <(said) || fail "psql with sslmode in its connection string: $(cat log.txt)"
certify pinned
: > "$scratch/database/log"
run -- bash -c "psql_to pinned sslmode=prefer" > output.txt 2> errors.txt || true
grep -q 'connection authorized' "$scratch/database/log" \
    || fail 'a connection string with sslmode=prefer does not fall back: README and help say that it does'
printf 'ok  as README says: sslmode=prefer in a connection string goes on in clear text\n'

# -------------------------------------------------------------------------------------- 2. strace

certify good
traced() { # WHAT PROGRAM...
    local what=$1
    shift
    rm -f log.txt
    timeout -k 5 120 strace -f -qq -xx -s 16 -e trace=connect,close,sendto,sendmsg,write,writev -o trace.txt \
        "$hawser" run --policy policy.yaml --verbose --log log.txt -- "$@" > output.txt 2> errors.txt || true
    count=$(python3 "$helpers/connections.py" trace.txt log.txt) || fail "$what: $(cat log.txt errors.txt)"
    connections=$((${connections:-0} + count))
    printf 'ok  strace: %s: %s of %s connections judged, none in clear text\n' "$what" "$count" "$count"
}
python3 "$helpers/redirect.py" good.pem good.key "https://expired.rig.example:${ports[expired]}/" > redirect.log 2>&1 &
children+=($!)
elsewhere=$(port_of redirect.log)
resolve=()
for name in "${names[@]}"; do resolve+=(--resolve "$name.rig.example:${ports[$name]}:127.0.0.1"); done
urls=()
for name in "${names[@]}"; do urls+=("https://$name.rig.example:${ports[$name]}/"); done
traced 'curl, six servers' curl -sSk "${resolve[@]}" "${urls[@]}"
traced 'curl, retries' curl -sSk --retry 2 --retry-delay 1 --retry-all-errors "${resolve[@]}" "${urls[2]}"
[ "$count" = 3 ] || fail "curl retried $count times"
traced 'curl, a redirect' curl -sSkL --resolve "good.rig.example:$elsewhere:127.0.0.1" "${resolve[@]}" \
    "https://good.rig.example:$elsewhere/"
[ "$count" = 2 ] || fail "curl made $count connections"
traced 'Ruby' ruby "$helpers/client.rb" good "${ports[good]}" tls1_3 3
traced 'PHP' php "$helpers/client.php" expired "${ports[expired]}" tls1_3
traced 'psql' bash -c "psql_to good ''"
traced 'psql, refused' bash -c "psql_to stranger ''"
traced 'a shell script' sh -c "curl -sk --resolve good.rig.example:${ports[good]}:127.0.0.1 ${urls[0]} -o /dev/null
    env -i /usr/bin/curl -sk --resolve expired.rig.example:${ports[expired]}:127.0.0.1 ${urls[2]}"
[ "$count" = 2 ] || fail "the script made $count connections"

# ------------------------------------------------------------------------- 3. programs out of reach

cat > static.c <<'C'
#include <stdio.h>
int main(void) { puts("it ran"); return 0; }
C
gcc -static -o static static.c
cp "$(command -v curl)" setuid
if [ "$(id -u)" = 0 ]; then chown nobody setuid; fi
chmod 4755 setuid
cat > script <<'SCRIPT'
#!/usr/bin/env node
console.log("it ran")
SCRIPT
chmod 755 script
not_run() { # REASON PROGRAM...
    local reason=$1 status=0
    shift
    run --log /dev/stderr -- "$@" > output.txt 2> errors.txt || status=$?
    [ "$status" = 126 ] || fail "$1: status $status: $(cat errors.txt)"
    [ ! -s output.txt ] || fail "$1 ran: $(cat output.txt)"
    grep -qF "cannot be judged: $reason" errors.txt || fail "$1: $(cat errors.txt)"
    printf 'ok  not run: %s\n' "$(tail -n 1 errors.txt)"
}
not_run GnuTLS git --version
not_run GnuTLS wget --version
not_run GnuTLS env A=1 wget --version
not_run 'its own OpenSSL inside' node --version
not_run 'its own OpenSSL inside' ./script
not_run 'statically linked' ./static
[ "$(id -u)" != 0 ] || not_run setuid ./setuid --version
for program in 'wget --version' 'node --version' ./static; do
    run -- sh -c "$program; true" > output.txt 2> errors.txt || fail "$program: $(cat errors.txt)"
    [ -s output.txt ] || fail "$program did not run as a child"
    grep -q 'connections.* are not judged: ' log.txt || fail "$program is not named: $(cat log.txt)"
    run --strict -- sh -c "$program; test \$? = 126" > output.txt 2> errors.txt || fail "$program --strict: $(cat errors.txt log.txt)"
    [ ! -s output.txt ] || fail "$program ran under --strict"
    printf 'ok  a child: %s\n' "$(tail -n 1 log.txt)"
done
status=0
run -- ./absent 2> errors.txt || status=$?
[ "$status" = 127 ] || fail "an absent program: $status"
status=0
"$hawser" run --policy absent.yaml -- true 2> errors.txt || status=$?
[ "$status" = 125 ] || fail "an absent policy: $status"
status=0
run -- sh -c 'exit 7' || status=$?
[ "$status" = 7 ] || fail "the program's status: $status"
status=0
# A status of 128 and more is a signal's.
run -- sh -c 'kill -TERM $$' 2> /dev/null || status=$?
[ "$status" = 143 ] || fail "the program's signal: $status"
printf 'ok  statuses: 127, 125, and the program'"'"'s\n'

# -------------------------------------------------------------------------------------- 4. servers

asked_for_certificate() { # PORT
    timeout 20 openssl s_client -connect "127.0.0.1:$1" -servername good.rig.example -CAfile root.pem -msg \
        -verify_return_error < /dev/null > client.log 2>&1 || fail "a server under it: $(cat client.log)"
    grep -q 'Verify return code: 0' client.log || fail "a server under it: $(cat client.log)"
    ! grep -q CertificateRequest client.log || fail 'a server under it asks for a certificate'
}
timeout 60 "$hawser" run --policy policy.yaml -- openssl s_server -accept 127.0.0.1:0 -cert good.pem -key good.key \
    > served.log 2>&1 < <(tail -f /dev/null --pid=$$) &
children+=($!)
asked_for_certificate "$(port_of served.log)"
timeout 60 "$hawser" run --policy policy.yaml -- ruby "$helpers/server.rb" good.pem good.key > served.log 2>&1 &
children+=($!)
asked_for_certificate "$(port_of served.log)"
printf 'ok  servers under it ask for no certificate\n'

# ---------------------------------------------------------------------------------- 5. report-only

ask() { # OPTION... NAME
    curl -sS "${@:1:$#-1}" "${resolve[@]}" "https://${*: -1}.rig.example:${ports[${*: -1}]}/" -o /dev/null
}
export -f ask
for arguments in '--cacert root.pem expired' '--cacert root.pem good' '--cacert root.pem stranger' '-k expired' '--http1.1 good'; do
    wanted=0 status=0
    # shellcheck disable=SC2086
    ask $arguments 2> plain.txt || wanted=$?
    name=${arguments##* }
    # shellcheck disable=SC2086
    run --report-only -- curl -sS ${arguments% *} "${resolve[@]}" "https://$name.rig.example:${ports[$name]}/" -o /dev/null \
        2> errors.txt || status=$?
    touch log.txt
    [ "$status" = "$wanted" ] || fail "--report-only $arguments: $status, without it $wanted: $(cat errors.txt)"
    diff plain.txt errors.txt > difference.txt || fail "--report-only $arguments: $(cat difference.txt)"
    case $name in
    good) ! grep -q 'would refuse' log.txt || fail "--report-only $arguments: $(cat log.txt)" ;;
    *) grep -q 'would refuse' log.txt || fail "--report-only $arguments: nothing was logged" ;;
    esac
    printf 'ok  --report-only: curl %s: %s, as without it\n' "$arguments" "$status"
done

# --------------------------------------------------------------------------------- CRLite filters

certificate filtered filtered.rig.example -1 20 "$(python3 "$root/Tests/Integration/filters.py" timestamp)"
mkdir filtered
cp root.pem ./*.pub filtered
rig_policy > filtered/policy.yaml <<POLICY
  filtered:
    hosts: ["filtered.rig.example"]
    anchors: [rig]
    revocation: { preset: require, sources: [crlite], scope: leaf }
POLICY
serve tls1_3 filtered
for state in missing good revoked; do
    [ "$state" = missing ] || python3 "$root/Tests/Integration/filters.py" fill filters root.pem "$state"
    status=0
    timeout -k 5 60 "$hawser" run --policy filtered --verbose --log filtered.txt --crlite-directory filters -- \
        curl -sSk --resolve "filtered.rig.example:${ports[filtered]}:127.0.0.1" \
        "https://filtered.rig.example:${ports[filtered]}/" -o /dev/null 2> errors.txt || status=$?
    case $state in
    missing)
        grep -q 'the CRLite filters cannot be asked.*code=not-found' filtered.txt || fail "$state: $(cat filtered.txt)"
        wanted='refused .*: revocation-undetermined: '
        ;;
    good) wanted='accepted ' ;;
    revoked) wanted='refused .*: revoked: .*revoked.filter' ;;
    esac
    grep -q ": $wanted" filtered.txt || fail "$state filters: $(cat filtered.txt errors.txt)"
    [ "$state" = good ] || [ "$status" != 0 ] || fail "$state filters: it went on"
    rm filtered.txt
    printf 'ok  CRLite filters, %s\n' "$state"
done
# Below the folder of the other policy it would be a second `policy.yaml`.
rm -r filtered

# ------------------------------------------------------------------------------ 6. children, tables

run -- /usr/bin/python3 "$helpers/forks.py" good.rig.example "${ports[good]}" || fail "forks: $(cat log.txt)"
[ "$(grep -c ': accepted ' log.txt)" = 3 ] || fail "forks: $(cat log.txt)"
printf 'ok  a fork: three connections judged, in two processes\n'
# Python closes what the child would inherit, and its environment is another.
status=0
run -- /usr/bin/python3 -c "
import subprocess, sys
sys.exit(subprocess.run(['/usr/bin/curl', '-sSk', *sys.argv[1:]], env={}, close_fds=True).returncode)" \
    "${resolve[@]}" "${urls[2]}" 2> errors.txt || status=$?
{ [ "$status" = 60 ] && grep -q ': refused expired' log.txt; } || fail "a child without descriptors: $(cat log.txt errors.txt)"
printf 'ok  a child without inherited descriptors and environment\n'
# A client that tries each way around.
gcc -O1 -Wall -Wextra -Werror "$helpers/ways.c" -o ways -lssl -lcrypto
for name in good expired; do
    run -- ./ways "$name.rig.example" "${ports[$name]}" > output.txt 2> errors.txt || fail "ways: $(cat output.txt errors.txt)"
    wanted=refused
    [ "$name" != good ] || wanted=connected
    [ "$(grep -c ": $wanted\$" output.txt)" = 12 ] || fail "ways to $name: $(cat output.txt)"
    [ "$(grep -c ': shut$' output.txt)" = 3 ] || fail "ways to $name: $(cat output.txt)"
done
./ways expired.rig.example "${ports[expired]}" > output.txt
[ "$(grep -c ': connected$' output.txt)" = 15 ] || fail "without it a way is shut too: $(cat output.txt)"
printf 'ok  15 ways of an OpenSSL client: none leads to the expired server, 12 to the good one\n'
# Sessions, from servers of their own.
port=${ports[good]}
for version in tls1_2 tls1_3; do
    serve "$version" good
    run -- ruby "$helpers/sessions.rb" good.rig.example "${ports[good]}" > output.txt 2> errors.txt \
        || fail "sessions: $(cat log.txt errors.txt)"
    [ "$(cat output.txt)" = 'full resumed' ] || fail "$version sessions: $(cat output.txt log.txt)"
    [ "$(said | tail -n 1)" = "accepted good.rig.example:${ports[good]} (resumed)" ] || fail "$version: $(cat log.txt)"
done
ports[good]=$port
printf 'ok  a session of an accepted connection is resumed\n'
status=0
run -- /usr/bin/python3 "$helpers/memory.py" good.rig.example "${ports[good]}" 2> errors.txt || fail "memory: $(cat log.txt errors.txt)"
grep -q ": accepted good.rig.example:${ports[good]}\$" log.txt || fail "memory: $(cat log.txt)"
run -- /usr/bin/python3 "$helpers/memory.py" expired.rig.example "${ports[expired]}" 2> errors.txt || status=$?
{ [ "$status" = 1 ] && grep -q ": refused expired.rig.example:${ports[expired]}: expired" log.txt; } || fail "memory: $(cat log.txt)"
run -- curl -sSk "https://127.0.0.1:${ports[good]}/" 2> errors.txt && fail 'a connection without a host'
grep -q ': refused a host without a name:.*: no-verdict: the program names no host' log.txt || fail "no host: $(cat log.txt)"
grep -qF "\`curl --resolve NAME:${ports[good]}:127.0.0.1 https://NAME:${ports[good]}/\`" log.txt \
    || fail "no host: the command to type is not named: $(cat log.txt)"
printf 'ok  TLS over memory: judged with its port; without a host: refused\n'
# A table that must be signed.
openssl genpkey -algorithm ed25519 -out key.pem 2>/dev/null
openssl pkey -in key.pem -pubout -out key.pub
openssl genpkey -algorithm ed25519 2>/dev/null | openssl pkey -pubout -out another.pub
"$hawser" compile policy.yaml --revision 7 --sign-key key.pem -o signed.table > compile.log 2>&1 || fail "$(cat compile.log)"
for key in key another; do
    status=0
    rm -f log.txt
    "$hawser" run --table signed.table --trusted-key "$key.pub" --verbose --log log.txt -- \
        curl -sSk "${resolve[@]}" "https://good.rig.example:${ports[good]}/" -o /dev/null 2> errors.txt || status=$?
    case $key in
    key) { [ "$status" = 0 ] && grep -q ': accepted' log.txt; } || fail "a signed table: $(cat errors.txt log.txt)" ;;
    another) [ "$status" = 125 ] || fail "another key: $status" ;;
    esac
done
printf 'ok  a signed table\n'
# A table that is replaced.
mkdir other
cp root.pem offline.pub spare.pub other
sed 's/"good.rig.example", //' policy.yaml > other/policy.yaml
"$hawser" compile other/policy.yaml --output two.table > compile.log 2>&1 || fail "$(cat compile.log)"
cp one.table live.table
mkfifo next
rm -f log.txt
timeout 60 "$hawser" run --table live.table --verbose --log log.txt -- \
    ruby "$helpers/client.rb" good "${ports[good]}" tls1_3 3 pause < next > output.txt 2> errors.txt &
program=$!
exec 7> next
wait_for() { # WORDS COUNT
    for _ in $(seq 400); do
        if [ -e log.txt ] && [ "$(grep -c "$1" log.txt)" -ge "$2" ]; then return; fi
        read -r -t 0.05 _ <> <(:) || true
    done
    fail "no line \`$1\`: $(cat log.txt errors.txt)"
}
wait_for ': accepted good' 1
mv two.table live.table
echo >&7
wait_for ': refused good' 1
head -c 100 one.table > cut && mv cut live.table
echo >&7
wait_for ': refused good' 2
exec 7>&-
wait "$program" || true
grep -q 'the new table in .* is refused' log.txt || fail "a cut table: $(cat log.txt)"
printf 'ok  a table that is replaced counts from the next handshake; a cut one does not\n'

# ------------------------------------------------------------------------------------- 7. the cost

python3 "$helpers/cost.py" 300 "${urls[0]}" "good.rig.example:${ports[good]}:127.0.0.1" \
    "$hawser" run --table one.table --
printf '%s verdicts as the command has them, %s connections seen by strace\n' "$verdicts" "$connections"
