#!/usr/bin/env bash
# `hawser run` and libraries that a program loads while it runs: one with a libssl of its own under
# another name, as wheels of Python have, one with OpenSSL inside, and one that uses the system's.
#
# 1. Without an option and under --report-only the program behaves as without Hawser, and a line
#    names the library and each connection.
# 2. Under --strict the library is not loaded, and where the loader was not asked by a path, the
#    ClientHello is not sent: by whichever call, in pieces, on a copy of the descriptor, in another
#    thread or process.
# 3. A library over the system's libssl is judged, and its port is known, however it sends.
# 4. Names without a slash are found in the folders of the object that loads them, as without it.
# 5. Mutated ClientHellos, requests to proxies and libraries, under the address sanitizer.
#
# Needs the packages gcc libssl-dev openssl python3.
#
#   Tests/Integration/run-libraries.sh [HAWSER]     by default .build/release/hawser
#
# See run/start.sh for the variables.
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

mkdir own
libssl=$(ldconfig -p | sed -n 's/^\tlibssl\.so\.3 .*=> //p' | head -n 1)
# As long as the name that it replaces.
LC_ALL=C sed 's/libssl\.so\.3/libown.so.3/g' "$libssl" > own/libown.so.3
flags=(-O1 -Wall -Wextra -Werror -shared -fPIC "$helpers/dial.c")
# shellcheck disable=SC2016
gcc "${flags[@]}" -o own/libforeign.so own/libown.so.3 -lcrypto -Wl,-rpath,'$ORIGIN'
gcc "${flags[@]}" -o libinside.so -Wl,--exclude-libs,ALL -Wl,-Bsymbolic -l:libssl.a -l:libcrypto.a
gcc "${flags[@]}" -o libsystem.so -lssl -lcrypto
gcc -O1 -Wall -Wextra -Werror -o later "$helpers/later.c"
gcc -O1 -Wall -Wextra -Werror -o later-by-name "$helpers/later.c" -Wl,--enable-new-dtags,-rpath,"$PWD/own"

run() { # OPTION... -- PROGRAM...: the status in `status`, with the log in log.txt
    status=0
    : > log.txt
    timeout -k 5 60 "$hawser" run --table one.table --verbose --log log.txt "$@" > output.txt 2> errors.txt || status=$?
}
in_log() { grep -qE "$1" log.txt || fail "$2: no \`$1\`: $(cat log.txt output.txt errors.txt)"; }
ways=(whole write writev send sendto sendmsg pieces copy)

# ------------------------------------------------------------------------ 1. named, and not touched

cases=0
for library in own/libforeign.so libinside.so; do
    ./later "./$library" whole pinned.rig.example "$https" || fail "$library without it: $?"
    recorded 1
    [ "$came" = 'pinned.rig.example 18' ] || fail "$library without it: $came"
    for way in "${ways[@]}"; do
        for option in --verbose --report-only; do
            run "$option" -- ./later "./$library" "$way" pinned.rig.example "$https"
            [ "$status" = 0 ] || fail "$library $way $option: $status: $(cat log.txt errors.txt)"
            recorded 1
            [ "$came" = 'pinned.rig.example 18' ] || fail "$library $way $option: $came"
                    in_log "the connections of .*lib(inside|own)\.so.* are not judged: its own OpenSSL inside" "$library $way"
            in_log "the connection to (pinned\.rig\.example \()?127\.0\.0\.1:$https\)? is not judged" "$library $way"
            [ "$(wc -l < log.txt)" = 2 ] || fail "$library $way: $(cat log.txt)"
            cases=$((cases + 1))
        done
    done
done
printf 'ok  %s connections of libraries with a TLS library of their own: named, and as without it\n' "$cases"

# -------------------------------------------------------------------------------------- 2. --strict

for library in own/libforeign.so libinside.so; do
    for how in once twice; do
        run --strict -- ./later "./$library" whole pinned.rig.example "$https" "$how"
        [ "$status" = 70 ] || fail "$library --strict: $status: $(cat log.txt errors.txt)"
        # shellcheck disable=SC2016
        grep -q 'which `hawser run --strict` does not load (its own OpenSSL inside)' output.txt || fail "$(cat output.txt)"
        in_log "$library is not loaded, as .* connections cannot be judged: its own OpenSSL inside" "$library --strict"
    done
done
run --strict --report-only -- ./later ./libinside.so whole pinned.rig.example "$https"
[ "$status" = 0 ] || fail "--strict --report-only: $status: $(cat log.txt)"
in_log 'would not be loaded' 'both'
in_log 'would refuse a connection to pinned' 'both'
recorded 1
run --strict -- ./later libgnutls.so.30 whole pinned.rig.example "$https"
[ "$status" = 70 ] || fail "GnuTLS --strict: $status"
in_log 'libgnutls.so.30 is not loaded, as its connections cannot be judged: GnuTLS' GnuTLS
run --strict -- ./later ./libsystem.so whole pinned.rig.example "$https" apart
[ "$status" = 70 ] || fail "dlmopen --strict: $status"
in_log 'a namespace of its own' dlmopen
printf 'ok  --strict: no such library is loaded\n'
# The loader finds this one by itself.
export LD_LIBRARY_PATH=$PWD
cases=0
for way in "${ways[@]}"; do
    for how in once thread fork; do
        run --strict -- ./later libinside.so "$way" pinned.rig.example "$https" "$how"
        [ "$status" = 1 ] || fail "$way $how: $status: $(cat log.txt errors.txt output.txt)"
        recorded 1
        [ "$came" = '- -' ] || fail "$way $how: $came"
            in_log 'the connections of .*/libinside\.so are not judged: its own OpenSSL inside' "$way $how"
        in_log "refused a connection to .*127\.0\.0\.1:$https.*: no judged context made its ClientHello" "$way $how"
        cases=$((cases + 1))
    done
done
unset LD_LIBRARY_PATH
printf 'ok  --strict: %s connections of a library that the loader found: no ClientHello was sent whole\n' "$cases"

# ---------------------------------------------------------------------------------------- 3. judged

cases=0
for way in "${ways[@]}"; do
    for how in once thread fork; do
        run --strict -- ./later ./libsystem.so "$way" good.rig.example "$https" "$how"
        [ "$status" = 0 ] || fail "$way $how: $status: $(cat log.txt errors.txt)"
        [ "$(sed 's/^[^]]*]: //' log.txt)" = "accepted good.rig.example:$https" ] || fail "$way $how: $(cat log.txt)"
        recorded 1
        [ "$came" = 'good.rig.example 18' ] || fail "$way $how: $came"
            run --strict -- ./later ./libsystem.so "$way" pinned.rig.example "$https" "$how"
        [ "$status" = 1 ] || fail "$way $how: $status: $(cat log.txt errors.txt)"
        in_log "refused pinned\.rig\.example:$https: pin-mismatch" "$way $how"
        recorded 1
        [ "$came" = 'pinned.rig.example -' ] || fail "$way $how: $came"
            cases=$((cases + 2))
    done
done
printf 'ok  %s connections over the system'"'"'s libssl: judged, with their port\n' "$cases"

# ----------------------------------------------------------------------------------------- 4. names

run -- ./later-by-name libforeign.so whole good.rig.example "$https"
[ "$status" = 0 ] || fail "DT_RUNPATH: $status: $(cat output.txt log.txt)"
in_log 'the connections of .*/libown\.so\.3 are not judged' DT_RUNPATH
recorded 1
printf 'ok  a name without a slash is found by DT_RUNPATH of the program\n'

# ------------------------------------------------------------------------------------- 5. mutations

gcc -std=gnu11 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra -Wno-unused-function \
    "$helpers/hostile.c" -o hostile
./hostile 200000 libinside.so > output.txt 2>&1 || fail "$(cat output.txt)"
printf 'ok  mutations: %s\n' "$(cat output.txt)"
