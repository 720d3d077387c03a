#!/usr/bin/env bash
# What a verdict costs beside OpenSSL, swift-certificates and the work that no verdict can do
# without: CPU time, everything interleaved in one process, as Markdown.
#
#   verdicts.sh [--rounds N] [--milliseconds M] [--chains NAME,...] [--without-swift-certificates]
#               [--json FILE] [--strict]
#
# Each subject runs once in each of N rounds (21), for about M milliseconds (20). Every subject must
# accept every chain and reject another host and a damaged signature, or the run fails. A bar that
# is missed is marked; --strict makes it a failure. Tests/Benchmarks/README.md says how to read the
# page.
# The network is needed only for swift-certificates.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
bash .ci/system-packages gcc python3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/cases"
# shellcheck disable=SC2206
flags=(${HAWSER_SWIFT_BUILD_FLAGS-} -c release)
swift build "${flags[@]}" --product write-verdict-cases >&2
swift build "${flags[@]}" --product timed-verdicts >&2
library=()
if [[ " $* " != *" --without-swift-certificates "* ]]; then
    swift build "${flags[@]}" --package-path Tests/Benchmarks/SwiftCertificates >&2
    library=(--library Tests/Benchmarks/SwiftCertificates/.build/release/libSwiftCertificatesPeer.so)
fi
.build/release/write-verdict-cases timed "$work/cases"
if [ -d ../shared/conformance/cases ]; then
    python3 Tests/Benchmarks/online.py ../shared/conformance/cases "$work/cases"
fi
python3 Tests/Benchmarks/verdicts.py "$work" .build/release/timed-verdicts ${library[@]+"${library[@]}"} "$@"
