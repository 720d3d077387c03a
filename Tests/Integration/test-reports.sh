#!/usr/bin/env bash
# The reports of `hawser test`, read by the programs that people give them to: JUnit by junitparser,
# lcov by `lcov --summary` and `genhtml`. One recipe passes, one has a case that fails. Needs lcov,
# python3 and the network (PyPI).
#
#   Tests/Integration/test-reports.sh [HAWSER]     by default .build-static/release/hawser
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build-static/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check junitparser
cp -r "$root/policies/bank" "$root/policies/regulated" "$work"
cd "$work"
# One case of the bank expects what does not come out.
sed -i 's/verdict: accept/verdict: reject/' bank/cases/core/request.yaml
status=0
"$hawser" test bank regulated --output junit=report.xml --output lcov=report.info > report.txt || status=$?
[ "$status" = 1 ] || fail "a case that fails ends with $status"
tail -n 1 report.txt

"$work/venv/bin/python" - <<'PY'
from junitparser import JUnitXml, Failure

report = JUnitXml.fromfile("report.xml")
cases = [case for suite in report for case in suite]
failed = [case for case in cases if any(isinstance(result, Failure) for result in case.result)]
assert [case.name for case in failed] == ["core"], [case.name for case in failed]
assert report.tests == len(cases) and report.failures == 1 and report.errors == 0, report
last = open("report.txt").read().split("\n")[-2]
assert last == f"{len(cases)} cases, 1 failed, 2 files", last
text = failed[0].result[0].text
assert "expected" in text and "policy.yaml:" in text, text
print(f"JUnit: {len(cases)} cases, the failure with its place")
PY

lcov --summary report.info 2>&1 | tee summary.txt
grep -Eq 'lines\.+: [0-9.]+% \([0-9]+ of [0-9]+ lines\)' summary.txt || fail 'no summary of lines'
genhtml --quiet --output-directory html report.info > genhtml.txt 2>&1 || { cat genhtml.txt >&2; fail genhtml; }
[ -s html/index.html ] || fail 'no page'
grep -q '^SF:.*bank/policy.yaml$' report.info || fail 'no file of the policy'
printf 'lcov: read by --summary and genhtml\n'
