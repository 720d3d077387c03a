#!/usr/bin/env bash
# Instructions and allocations of a verdict, counted: the same program gives the same counts, on a
# busy machine too.
#
#   counts.sh [--only CASE,...] [--json FILE]   counts; fails above counts/baseline.json
#   counts.sh --update                          counts, and writes the baseline anew
#   counts.sh --profile CASE                    what a verdict of the case spends, by function
#
# Instructions are counted by callgrind, allocations by a malloc of ours. Each is the difference of
# a run with 200 verdicts and one with 100, so that a process's start falls out, for one verdict.
# What counts and what gates: Tests/Benchmarks/README.md.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
bash .ci/system-packages gcc python3 valgrind binutils
swift build ${HAWSER_SWIFT_BUILD_FLAGS-} -c release --product write-verdict-cases >&2
swift build ${HAWSER_SWIFT_BUILD_FLAGS-} -c release --product counted-verdicts >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# callgrind 3.19 does not read Swift's debug information. The names of functions stay.
strip --strip-debug .build/release/counted-verdicts -o "$work/counted-verdicts"
cc -O2 -Wall -Wextra -Werror -shared -fPIC Tests/Benchmarks/counts/allocations.c -o "$work/allocations.so"
mkdir "$work/cases"
.build/release/write-verdict-cases counted "$work/cases"
if [ -d ../shared/conformance/cases ]; then
    python3 Tests/Benchmarks/online.py ../shared/conformance/cases "$work/cases" storage.googleapis.com
fi
python3 Tests/Benchmarks/counts/counts.py "$work" Tests/Benchmarks/counts/baseline.json "$@"
