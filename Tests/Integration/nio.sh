#!/usr/bin/env bash
# The package of SwiftNIO's integrations: its tests, and a service under load through 200 reloads.
set -euo pipefail
cd "$(dirname "$0")/../../Sources/Integrations/NIO"

swift build --build-tests
swift test --disable-xctest --skip-build
"$(swift build --show-bin-path)/ReloadSoak"
