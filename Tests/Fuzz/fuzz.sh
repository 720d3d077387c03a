#!/usr/bin/env bash
# Fuzzes each body with libFuzzer and the address sanitizer: `fuzz.sh SECONDS [BODY…]`. SECONDS are for each
# body. New inputs that reach new code go to .build-fuzz/corpus; a finding is left in .build-fuzz/findings and
# fails the run. To keep what was found: mend it, and copy the input to Tests/Fuzz/Corpus/BODY.
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
failed=0
for body in "${bodies[@]}"; do
    mkdir -p ".build-fuzz/corpus/$body" "Tests/Fuzz/Corpus/$body"
    log=.build-fuzz/$body.log
    if ! timeout -k 10 $((seconds + 60)) "$fuzz" "$body" -max_total_time="$seconds" -timeout=10 \
        -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix=".build-fuzz/findings/$body-" \
        ".build-fuzz/corpus/$body" ".build-fuzz/seeds/$body" "Tests/Fuzz/Corpus/$body" \
        >"$log" 2>&1; then
        failed=1
        tail -n 30 "$log"
    fi
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    slowest=$(sed -n 's/^stat::slowest_unit_time_sec: *//p' "$log")
    printf '%-18s %10s runs in %s s, slowest %s s, %s\n' "$body" "${runs:-?}" "$seconds" \
        "${slowest:-?}" "$([ -n "$(find .build-fuzz/findings -name "$body-*")" ] && echo 'FINDINGS' || echo 'nothing found')"
done
exit $failed
