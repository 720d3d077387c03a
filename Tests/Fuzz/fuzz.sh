#!/usr/bin/env bash
# Fuzzes each body with libFuzzer and the address sanitizer, two bodies at once:
# `fuzz.sh SECONDS [BODY…]`. SECONDS are for each body. New inputs that reach new code go to
# .build-fuzz/corpus; a finding is left in .build-fuzz/findings and fails the run. To keep what was
# found: mend it, and copy the input to Tests/Fuzz/Corpus/BODY.
#
# With DONE=FOLDER a body in which nothing was found is noted in FOLDER, and left out where it is
# noted already: a run that was cut off goes on with the bodies that are left.
set -euo pipefail
cd "$(dirname "$0")/../.."
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0

seconds=${1:?seconds for each body}
shift
runtime=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
driver=$(ls "$runtime"/clang/lib/linux/libclang_rt.fuzzer_no_main-"$(uname -m)".a)

swift build -c release --product fuzz --scratch-path .build-fuzz --sanitize=address \
    -Xswiftc -DFUZZING -Xswiftc -Xfrontend -Xswiftc -sanitize=fuzzer \
    -Xlinker "$driver" -Xlinker -lstdc++ >&2
fuzz=.build-fuzz/release/fuzz

mkdir -p .build-fuzz/findings
"$fuzz" seeds .build-fuzz/seeds
bodies=("$@")
[ ${#bodies[@]} -gt 0 ] || mapfile -t bodies < <(ls .build-fuzz/seeds)

scratch=$(mktemp -d)
children=()
trap 'kill "${children[@]}" 2>/dev/null || true; rm -rf "$scratch"' EXIT
notes=${DONE:-$scratch}
mkdir -p "$notes"
left=()
for body in "${bodies[@]}"; do
    [ -e "$notes/$body" ] && cat "$notes/$body" || left+=("$body")
done

start() { # BODY
    mkdir -p ".build-fuzz/corpus/$1" "Tests/Fuzz/Corpus/$1"
    timeout -k 10 $((seconds + 60)) "$fuzz" "$1" -max_total_time="$seconds" -timeout=10 \
        -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix=".build-fuzz/findings/$1-" \
        ".build-fuzz/corpus/$1" ".build-fuzz/seeds/$1" "Tests/Fuzz/Corpus/$1" >".build-fuzz/$1.log" 2>&1 &
    children+=($!)
}
number() { # NAME BODY: a number of libFuzzer's closing statistics
    sed -n "s/^stat::$1: *//p" ".build-fuzz/$2.log"
}

failed=()
for ((at = 0; at < ${#left[@]}; at += 2)); do
    children=()
    pair=("${left[@]:at:2}")
    for body in "${pair[@]}"; do start "$body"; done
    for index in "${!pair[@]}"; do
        body=${pair[index]} found='nothing found'
        if ! wait "${children[index]}"; then
            tail -n 30 ".build-fuzz/$body.log"
            failed+=("$body") found=FINDINGS
        fi
        printf '%-18s %10s runs in %s s, slowest %s s, %s\n' "$body" "$(number number_of_executed_units "$body")" \
            "$seconds" "$(number slowest_unit_time_sec "$body")" "$found" | tee "$scratch/line"
        if [ "$found" != FINDINGS ]; then mv "$scratch/line" "$notes/$body"; fi
    done
done
if [ ${#failed[@]} -gt 0 ]; then
    echo "findings in ${failed[*]}: see .build-fuzz/findings" >&2
    exit 1
fi
cd "$notes"
awk '{ runs += $2 } END { print runs " runs of libFuzzer over " NR " bodies, nothing found" }' "${bodies[@]}"
