#!/usr/bin/env bash
# The documentation of the library, as an editor or a website would make it: every link must lead
# somewhere and every parameter of a list must be there. docs.sh [OUTPUT [PATH]]: a server shows it
# at PATH, by default at its top.
set -euo pipefail
cd "$(dirname "$0")/../.."
output=${1:-$(mktemp -d)/docs}
mkdir -p "$(dirname "$output")"

swift build --target HawserYAML
bin=$(swift build --show-bin-path)
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT

target=$(swiftc -print-target-info | sed -n 's/^ *"triple": "\(.*\)",$/\1/p' | head -1)
for module in Hawser TrustEngine; do
    swift symbolgraph-extract -module-name "$module" -target "$target" -I "$bin/Modules" \
        -Xcc -fmodule-map-file="$PWD/Sources/CLibCrypto/module.modulemap" \
        -Xcc -fmodule-map-file="$bin/CLibCryptoShims.build/module.modulemap" \
        -Xcc -fmodule-map-file="$bin/CLibC.build/module.modulemap" \
        -minimum-access-level public -output-dir "$graphs"
done
docc convert Sources/Hawser/Hawser.docc --additional-symbol-graph-dir "$graphs" \
    --fallback-display-name Hawser --fallback-bundle-identifier hawser \
    --warnings-as-errors ${2:+--hosting-base-path "$2"} --output-path "$output"
echo "documentation of Hawser: no warning; written to $output"
