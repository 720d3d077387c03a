#!/usr/bin/env bash
# Signs the digests of a release. This step is apart from `make dist` on purpose: the secret key is
# on no machine that builds.
#
#   Packaging/dist/sign.sh KEY [DIST]      minisign's secret key; by default the folder `dist`
#
# A release with placeholders for the project's addresses is refused, unless TRIAL=yes says that the
# key is thrown away.
#
# Before you sign: build the commit on two machines, and compare their SHA256SUMS.
set -euo pipefail
key=$(realpath "${1:?the secret key of minisign}")
cd "${2:-dist}"
sha256sum --check --quiet --strict SHA256SUMS
listed=$(sed 's/^[0-9a-f]*  //' SHA256SUMS | sort)
found=$(find . -mindepth 1 ! -name SHA256SUMS ! -name SHA256SUMS.minisig -printf '%P\n' | sort)
[ "$listed" = "$found" ] || { echo "sign.sh: SHA256SUMS lists other files than the folder has" >&2; exit 1; }
provenance=(*.provenance.json)
if grep -qE '://[^/"]*\.example/' "${provenance[0]}" && [ "${TRIAL:-no}" != yes ]; then
    echo "sign.sh: the release has placeholders for the project's addresses: set HOMEPAGE and MAINTAINER in Packaging/dist/contents.py, and the path in Packaging/go/go.mod" >&2
    exit 1
fi
read -r version commit <<<"$(python3 -c '
import json, sys
given = json.load(open(sys.argv[1]))["predicate"]["buildDefinition"]["externalParameters"]
print(given["version"], given["commit"])' "${provenance[0]}")"
# The trusted comment is signed too: an old release cannot be offered as a new one.
minisign -S -s "$key" -m SHA256SUMS -t "hawser $version, commit $commit"
