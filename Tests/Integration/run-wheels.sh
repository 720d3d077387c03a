#!/usr/bin/env bash
# `hawser run` under Python with libraries from PyPI that bring a TLS library along:
# psycopg[binary], psycopg2-binary, pycurl, pyOpenSSL, confluent-kafka, curl_cffi, primp, grpcio;
# and `ssl`.
#
# Each asks a server that the policy accepts and one that it refuses: without Hawser, under it,
# under --report-only and under --strict. Prints the status and how many octets each server got.
#
# 1. Without an option and under --report-only the status and the octets are as without Hawser,
#    except for `ssl`, which is judged; and a line names each library and each connection.
# 2. Under --strict the refused server gets nothing.
#
# Needs the packages openssl python3-venv; PyPI.
#
#   Tests/Integration/run-wheels.sh [HAWSER]     by default .build/release/hawser
#
# PYTHON is the Python, by default python3; its `ssl` must use the system's libssl. See run/start.sh
# for the other variables.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
source "$root/Tests/Integration/run/start.sh"
source "$root/Tests/Integration/rig.sh"
authority
for name in good pinned; do certificate "$name" "$name.rig.example" -1 20; done
spare_key offline
spare_key spare
rig_policy > policy.yaml <<POLICY
  good: { hosts: ["good.rig.example"], anchors: [rig] }
  pinned: { hosts: ["pinned.rig.example"], anchors: [rig], pins: [ours] }
POLICY
"$hawser" compile policy.yaml --output one.table > compile.log 2>&1 || fail "$(cat compile.log)"
record good pinned
"${PYTHON:-python3}" -m venv venv
venv/bin/pip --quiet install 'psycopg[binary]' psycopg2-binary pycurl pyopenssl confluent-kafka curl_cffi primp grpcio \
    || fail 'pip installs nothing'
gcc -O1 -Wall -Wextra -Werror -shared -fPIC -o names.so "$helpers/names.c"
export NAMES='good.rig.example=127.0.0.1 pinned.rig.example=127.0.0.1'

ask() { # LIBRARY NAME OPTION...: `-` for OPTION is without Hawser. Sets `status` and `came`
    local before=$(wc -l < record.txt) command=(venv/bin/python "$helpers/wheels.py" "$1" "$2.rig.example" "$https" "$postgres")
    status=0
    : > log.txt
    [ "$3" = - ] || command=("$hawser" run --table one.table --verbose --log log.txt "${@:3}" -- "${command[@]}")
    LD_PRELOAD=$PWD/names.so timeout -k 5 60 "${command[@]}" > output.txt 2>&1 || status=$?
    # Some try again, so what counts is the most that a name has got. A server may see the end of a
    # connection later than the client.
    for _ in $(seq 20); do
        [ "$(wc -l < record.txt)" = "$before" ] || break
        read -r -t 0.05 _ <> <(:) || true
    done
    read -r -t 0.3 _ <> <(:) || true
    came=$(tail -n "+$((before + 1))" record.txt | sort -k 1,1 -k 2,2nr | sort -u -k 1,1 | paste -s -d ';')
}
printf '%-10s %-7s %-14s %-6s %s\n' library server option status 'name, octets'
for library in ssl psycopg psycopg2 pycurl pyopenssl kafka curl_cffi primp grpcio; do
    for name in good pinned; do
        ask "$library" "$name" -
        plain_status=$status plain_came=$came
        printf '%-10s %-7s %-14s %-6s %s\n' "$library" "$name" - "$status" "$came"
        for option in --verbose --report-only; do
            ask "$library" "$name" "$option"
            printf '%-10s %-7s %-14s %-6s %s\n' "$library" "$name" "$option" "$status" "$came"
            if [ "$library" != ssl ] || [ "$option" = --report-only ] || [ "$name" = good ]; then
                [ "$status,$came" = "$plain_status,$plain_came" ] \
                    || fail "$library $name $option: $status, $came; without it $plain_status, $plain_came: $(cat log.txt output.txt)"
            fi
            [ "$library" = ssl ] || grep -qE 'the connections of .* are not judged: its own (OpenSSL|BoringSSL|rustls) inside' log.txt \
                || fail "$library $option: it is not named: $(cat log.txt)"
            [ "$library" = ssl ] || grep -qE 'the connection to .* is not judged: no judged context made its ClientHello' log.txt \
                || fail "$library $option: its connection is not named: $(cat log.txt)"
        done
        ask "$library" "$name" --strict
        printf '%-10s %-7s %-14s %-6s %s\n' "$library" "$name" --strict "$status" "$came"
        if [ "$name" = pinned ]; then
            [ "$status" != 0 ] || fail "$library --strict: it went on: $(cat log.txt)"
            ! grep -qE '(pinned\.rig\.example|-) [0-9]' <<< "$came" || fail "$library --strict: $came: $(cat log.txt)"
        fi
        [ "$library" = ssl ] || grep -q 'is not loaded, as ' log.txt || fail "$library --strict: $(cat log.txt)"
    done
done
ask all pinned -
plain_came=$came
for option in --report-only --strict; do
    ask all pinned "$option"
    printf '%-10s %-7s %-14s %-6s %s\n' all pinned "$option" "$status" "$came"
    case $option in
    --report-only) [ "$came" = "$plain_came" ] || fail "all $option: $came, without it $plain_came: $(cat log.txt output.txt)" ;;
    --strict) ! grep -qE 'pinned\.rig\.example [0-9]' <<< "$came" || fail "all $option: $came: $(cat log.txt)" ;;
    esac
done
printf 'ok  libraries of Python that bring a TLS library along, by themselves and together\n'
