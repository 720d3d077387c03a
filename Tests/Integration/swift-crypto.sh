#!/usr/bin/env bash
# swift-crypto beside libcrypto: the tests of the integration, the public vectors judged by both
# backends, and mutations of them by both; the vectors of ML-DSA too, where they lie beside the
# others. Needs the network (GitHub).
#
#   Tests/Integration/swift-crypto.sh CASES [MUTATIONS]     by default 100,000 mutations
set -euo pipefail
cases=$(realpath "${1:?a folder of cases}")
mutations=${2:-100000}
cd "$(dirname "$0")/../.."

# One build for the package of tests and for the root, so that BoringSSL is compiled once.
scratch=$PWD/.build-swift-crypto
# A kept build of a nested package does not see new files of the root: the plan is made each time.
nested=(-c release --package-path Sources/Integrations/SwiftCrypto --scratch-path "$scratch"
    --disable-build-manifest-caching)
root=(-c release --traits SwiftCrypto --scratch-path "$scratch")

swift build "${nested[@]}" --build-tests
swift test "${nested[@]}" --disable-xctest --skip-build
swift run "${root[@]}" conformance "$cases"
lattice=$cases/../../mldsa/cases
if [ -d "$lattice" ]; then
    swift run "${root[@]}" conformance "$lattice" --expectations Tests/Conformance/expectations-mldsa.json
fi
swift run "${root[@]}" fuzz mutate "$cases" "$mutations"
