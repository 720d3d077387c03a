#!/usr/bin/env bash
# A second opinion on `hawser diff` and `hawser assert`, by an SMT solver. README.md describes the
# model. Needs python3 and PyPI.
#
#   Tests/Oracle/run.sh HAWSER [OPTION...]           random pairs and statements: see oracle.py
#   Tests/Oracle/run.sh --mutants [ID...]            the planted faults, each of which must be found
#   Tests/Oracle/run.sh --check                      only whether the text of each planted fault
#                                                    occurs once: no build
set -euo pipefail
cd "$(dirname "$0")/../.."
tree=.build-oracle-mutants/tree
if [ "$1" = --check ]; then
    python3 Tests/Oracle/mutants.py apply "$tree"
    exit
fi
export PYTHONUNBUFFERED=1 SWIFT_BACKTRACE=enable=no
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet --disable-pip-version-check 'z3-solver==5.4.*'
python=$scratch/venv/bin/python

if [ "$1" != --mutants ]; then
    "$python" Tests/Oracle/oracle.py "$@"
    exit
fi
"$python" Tests/Oracle/mutants.py apply "$tree"
HAWSER_TARGETS=HawserCommand swift build -c release --product hawser --package-path "$tree" \
    --scratch-path .build-oracle-mutants/build >&2
"$python" Tests/Oracle/mutants.py run .build-oracle-mutants/build/release/hawser "${@:2}"
