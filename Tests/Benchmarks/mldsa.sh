#!/usr/bin/env bash
# The time of an ML-DSA verification beside swift-crypto's, which is BoringSSL's, in one interleaved
# run, and the allocations of a verification. Needs the network (GitHub).
#
#   Tests/Benchmarks/mldsa.sh [ROUNDS]     ROUNDS of 100 verifications each, by default 21
#
# Fails above 2.5 times of swift-crypto's time, and where a verification allocates.
set -euo pipefail
cd "$(dirname "$0")"
vectors=$(realpath ../MLDSATests/Vectors/signatures.ndjson)
# A kept build of a nested package does not see new files of the root: the plan is made each time.
swift build -c release --package-path MLDSA --disable-build-manifest-caching >&2
program=$(swift build -c release --package-path MLDSA --show-bin-path)/mldsa-benchmark
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cc -O2 -Wall -Wextra -Werror -shared -fPIC service/allocations.c -o "$scratch/allocations.so"

allocations() { # COUNT: prints allocations of a whole process, with COUNT verifications of each set
    ALLOCATIONS=$scratch/count LD_PRELOAD=$scratch/allocations.so \
        "$program" "$vectors" allocate "$1"
    cat "$scratch/count"
}
# What a thousand more verifications take: the start of the process falls out.
more=$(($(allocations 2000) - $(allocations 1000)))
echo "allocations of 3,000 verifications: $more"
[ "$more" -eq 0 ] || exit 1
"$program" "$vectors" "${1:-21}"
