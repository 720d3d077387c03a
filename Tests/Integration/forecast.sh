#!/usr/bin/env bash
# What `hawser forecast` writes for other programs, read by them: the calendar by icalendar, the
# metrics by prometheus-client (its parser of OpenMetrics). Each change is there once with the
# instant and the words of the JSON, also where a policy's texts are hostile. Needs python3 and the
# network (PyPI).
#
#   Tests/Integration/forecast.sh [HAWSER]     by default .build-static/release/hawser
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build-static/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check icalendar prometheus-client
cp -r "$root/policies/waivers" "$root/policies/ca-migration" "$root/policies/web-lifetimes" "$work"
cp -r "$work/waivers" "$work/hostile"
cd "$work"
# Owners and reasons with everything that the formats give a meaning.
python3 - <<'PY'
import re
text = open("hostile/policy.yaml").read()
hostile = 'END:VEVENT, a;b\\\\c \\" } 1 # EOF BEGIN:VEVENT'
text, owners = re.subn(r'owner: [a-z-]+', lambda _: f'owner: "{hostile}"', text)
text, reasons = re.subn(r'reason: "[^"]*"', lambda _: f'reason: "{hostile}"', text)
assert owners and reasons, text
open("hostile/policy.yaml", "w").write(text)
PY
for unit in waivers ca-migration web-lifetimes hostile; do
    "$hawser" forecast --policy "$unit" --at 2026-06-01 --horizon 1000d \
        --output json=$unit.json --output ics=$unit.ics --output openmetrics=$unit.prom >$unit.txt
done

"$work/venv/bin/python" - <<'PY'
import json
from datetime import datetime
from icalendar import Calendar
from prometheus_client.openmetrics.parser import text_string_to_metric_families

total = 0
for unit in ["waivers", "ca-migration", "web-lifetimes", "hostile"]:
    forecast = json.load(open(f"{unit}.json"))
    changes = forecast["changes"]
    assert changes, unit
    total += len(changes)
    instants = [datetime.fromisoformat(change["instant"].replace("Z", "+00:00")) for change in changes]

    octets = open(f"{unit}.ics", "rb").read()
    assert max(len(line) for line in octets.split(b"\r\n")) <= 75, unit
    events = Calendar.from_ical(octets).walk("VEVENT")
    assert len(events) == len(changes), (unit, len(events), len(changes))
    assert len({str(event["UID"]) for event in events}) == len(events), unit
    for event, change, instant in zip(events, changes, instants):
        assert event.decoded("DTSTART") == instant, (event, change)
        assert change["subject"] in str(event["SUMMARY"]), (event, change)
        assert change["sentence"] in str(event["DESCRIPTION"]).split("\n"), (event, change)
        assert change["effect"] in event["CATEGORIES"].cats, event

    families = {family.name: family for family in
                text_string_to_metric_families(open(f"{unit}.prom").read())}
    samples = families["hawser_forecast_change_timestamp_seconds"].samples
    assert len(samples) == len(changes), (unit, len(samples), len(changes))
    for sample, change, instant in zip(samples, changes, instants):
        assert sample.value == instant.timestamp(), (sample, change)
        assert sample.labels["subject"] == change["subject"], (sample, change)
        assert sample.labels["reason"] == change["sentence"], (sample, change)
    counts = {sample.labels["effect"]: sample.value
              for sample in families["hawser_forecast_changes"].samples}
    assert all(forecast["counts"][effect] == count for effect, count in counts.items()), counts
print(f"{total} cases: each change in the calendar and in the metrics, as in the JSON")
PY
