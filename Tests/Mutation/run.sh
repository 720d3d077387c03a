#!/usr/bin/env bash
# Breaks the product on purpose, in one place at a time, and demands that the nearest tests notice.
# README.md says how.
#
#   run.sh [--resume] [ID|FILE...]     all mutants, or those with these ids or in source files of
#                                      these names
#   run.sh --check                     only whether every mutant's text is found once: no build
set -euo pipefail
cd "$(dirname "$0")/../.."
export SWIFT_BACKTRACE=enable=no PYTHONUNBUFFERED=1

tree=.build-mutants/tree
python3 Tests/Mutation/mutants.py apply "$tree"
if [ "${1-}" = --check ]; then exit; fi
swift build --build-tests --disable-xctest --package-path "$tree" --scratch-path .build-mutants/build >&2
python3 Tests/Mutation/mutants.py run "$tree" .build-mutants/build/debug/*PackageTests.xctest "$@"
