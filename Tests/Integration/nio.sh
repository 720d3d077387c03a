#!/usr/bin/env bash
# The package of SwiftNIO's integrations: its tests, and a service under load through 200 reloads.
set -euo pipefail
cd "$(dirname "$0")/../../Sources/Integrations/NIO"

# A kept build of a nested package does not see new files of the root: the plan is made each time.
swift build --build-tests --disable-build-manifest-caching
swift test --disable-xctest --skip-build
"$(swift build --show-bin-path)/ReloadSoak"
