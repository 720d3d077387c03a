#!/usr/bin/env bash
# What Hawser offers on Apple's systems, typechecked on Linux: the files of
# `Sources/Hawser/URLLoading/Apple` and the examples beside the stubs, against the declarations in
# `Tests/AppleStubs`. Then wrong calls are planted in those files, one at a time: the typecheck must
# refuse each of them, in the words that are named. Nothing is run.
#
#   Tests/Integration/apple.sh [BUILD]      a folder of a debug build with target Hawser, by
#                                           default .build/debug
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(realpath "${1:-$root/.build/debug}")
[ -f "$build/Modules/TrustEngine.swiftmodule" ] || { echo "$build has no build of target Hawser" >&2; exit 2; }
cd "$root"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }

house=(
    -swift-version 6 -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
    -enable-upcoming-feature MemberImportVisibility -module-cache-path "$scratch/cache")

# The stubs, as modules.
for module in CoreFoundation Security Foundation Alamofire; do
    swiftc -emit-module -parse-as-library "${house[@]}" -warnings-as-errors -module-name "$module" \
        -I "$scratch" -o "$scratch/$module.swiftmodule" Tests/AppleStubs/"$module"/*.swift
done

# What target Hawser imports. The stubs stand before the toolchain's own Foundation.
maps=(-I "$scratch" -I "$build/Modules" -Xcc "-fmodule-map-file=$root/Sources/CLibCrypto/module.modulemap")
for target in CLibC CLibCryptoShims; do maps+=(-Xcc "-fmodule-map-file=$build/$target.build/module.modulemap"); done
source Tests/Integration/package-of.sh
package=$(package_of "$build")
hawser=(
    "${house[@]}" -strict-memory-safety -warnings-as-errors -package-name "$package" -module-name Hawser -D SWIFT_PACKAGE
    "${maps[@]}")

mapfile -t apple < <(find Sources/Hawser/URLLoading/Apple -name '*.swift')
mapfile -t others < <(find Sources/Hawser -name '*.swift' -not -path '*/URLLoading/Apple/*')
if [ ${#apple[@]} -eq 0 ] || [ ${#others[@]} -lt 20 ]; then fail 'the sources of target Hawser are elsewhere'; fi

typecheck() { # FILE...: as files of target Hawser, of which only these are looked at in full
    local primary=() file
    for file in "$@"; do primary+=(-primary-file "$file"); done
    swiftc -frontend -typecheck "${hawser[@]}" "${primary[@]}" "${others[@]}"
}

typecheck "${apple[@]}"

# Examples see the public parts only, with the settings of a new package.
swiftc -emit-module -parse-as-library "${hawser[@]}" -Xfrontend -experimental-skip-all-function-bodies \
    -o "$scratch/Hawser.swiftmodule" "${apple[@]}" "${others[@]}"
example() { # FILE
    swiftc -typecheck -parse-as-library -swift-version 6 -warnings-as-errors -module-cache-path "$scratch/cache" \
        -module-name Example "${maps[@]}" "$1"
}
examples=Tests/AppleStubs/Examples.swift
example "$examples"

plants=0
plant() { # TYPECHECK FILE OLD NEW WORDS: with NEW in the place of OLD, the typecheck says WORDS
    local planted said
    planted=$scratch/planted/$(basename "$2")
    mkdir -p "$scratch/planted"
    OLD=$3 NEW=$4 python3 - "$2" "$planted" <<'PYTHON'
import os, sys
text = open(sys.argv[1]).read()
old = os.environ["OLD"]
if text.count(old) != 1:
    sys.exit(f"FAILED: {sys.argv[1]} has `{old}` {text.count(old)} times, not once")
open(sys.argv[2], "w").write(text.replace(old, os.environ["NEW"]))
PYTHON
    if said=$("$1" "$planted" 2>&1); then fail "a wrong call is not refused: $4"; fi
    [[ $said = *"$5"* ]] || fail "\`$4\` is refused in other words than \`$5\`:"$'\n'"$said"
    plants=$((plants + 1))
}
judge=Sources/Hawser/URLLoading/Apple/ServerTrustJudge.swift

# Optionality: there may be no chain and no server trust; a certificate always has octets.
plant typecheck "$judge" ' as? [SecCertificate] ?? []' ' as [SecCertificate]' "'CFArray?'"
plant typecheck "$judge" 'let trust?):' 'let trust):' "value of type 'SecTrust?' to expected argument type 'SecTrust'"
plant typecheck "$judge" 'SecCertificateCopyData($0)' 'SecCertificateCopyData($0)!' "non-optional type 'CFData'"
# Ownership: Security's functions hand over objects that Swift releases itself, not an Unmanaged.
plant typecheck "$judge" 'SecCertificateCopyData($0)' 'SecCertificateCopyData($0).takeRetainedValue()' \
    "no member 'takeRetainedValue'"
# Sendable: a trust stays on the thread that the challenge came on.
plant typecheck "$judge" 'private let engine:' "private let kept: SecTrust? = nil; private let engine:" \
    "non-Sendable type 'SecTrust"
plant typecheck "$judge" 'switch (answer.disposition, trust) {' \
    'let later: @Sendable () -> Void = { _ = trust }; later(); switch (answer.disposition, trust) {' \
    "non-Sendable type 'SecTrust"
# A delegate's function that the system would never call, and names that are not there.
plant typecheck "$judge" 'AuthChallengeDisposition, URLCredential?)' 'AuthChallengeDisposition, URLCredential)' \
    "does not conform to protocol 'URLSessionDelegate'"
plant typecheck "$judge" 'URLCredential(trust:' 'URLCredential(forTrust:' "incorrect argument label"
plant typecheck "$judge" '(.performDefaultHandling, nil)' '(.defaultHandling, nil)' "no member 'defaultHandling'"
# The examples.
plant example "$examples" ': @retroactive ServerTrustEvaluating' ': @retroactive ServerTrustEvaluator' \
    "cannot find type 'ServerTrustEvaluator'"
plant example "$examples" 'delegate: judge' 'delegate: judge as AnyObject' "URLSessionDelegate"

echo "$plants wrong calls refused; the Apple files and the examples pass"
