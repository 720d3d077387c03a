"""Two policies of a fleet: the rows that flip are the chains that `hawser diff --chains` names.

audit-compare.py UNIT WORK-FOLDER. The new policy has no waiver of `expired`, and names its gateways
at another port; the rows are the chains of the unit's cases."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

hawser = os.environ["HAWSER"]
unit, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
work.mkdir(parents=True)
for side in ("old", "new"):
    (work / side).mkdir()
    shutil.copy(unit / "policy.yaml", work / side)
    shutil.copytree(unit / "anchors", work / side / "anchors")
text = (work / "new" / "policy.yaml").read_text()
changed = re.sub(r"    waivers:\n(      .*\n?)+", "", text).replace(":8883", ":8884")
assert changed != text and "waivers" not in changed
(work / "new" / "policy.yaml").write_text(changed)

time = "2026-06-01T00:00:00Z"
(work / "chains").mkdir()
rows = []
for case in sorted((unit / "cases").iterdir()):
    request = (case / "request.yaml").read_text()
    asked = dict(re.findall(r"^(host|port):\s*\"?([^\"\n#]+?)\"?\s*$", request, re.M))
    host, port = asked["host"], int(asked.get("port", 443))
    pem = (case / "chain.pem").read_text()
    name = f"{host}_{port}.pem"
    (work / "chains" / name).write_text(pem)
    chain = ["".join(block.split()) for block in re.findall(
        r"-----BEGIN CERTIFICATE-----(.*?)-----END CERTIFICATE-----", pem, re.S)]
    rows = [row for row in rows if row["id"] != name]
    rows.append({"id": name, "host": host, "port": port, "time": time, "chain": chain})
(work / "rows.ndjson").write_text("".join(json.dumps(row) + "\n" for row in rows))


def run(*arguments):
    done = subprocess.run([hawser, *arguments], cwd=work, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


audit = run("audit", "rows.ndjson", "--compare", "old", "new", "--summary", "summary.json")
flips = {row["id"]: row for row in map(json.loads, audit.stdout.splitlines())}
diff = json.loads(run("diff", "old", "new", "--chains", "chains", "--at", time, "--format", "json").stdout)
comparison = diff["comparisons"][0] if "comparisons" in diff else diff
named = {pathlib.PurePath(flip["source"]).name: flip for flip in comparison["flips"]}
assert flips.keys() == named.keys(), (flips.keys(), named.keys())
assert len(flips) >= 2, flips
summary = json.load(open(work / "summary.json"))
assert summary["changed"] == len(flips) and sum(
    one["toAccept"] + one["toReject"] for one in summary["flips"]) == len(flips)
classes = {one["class"] for one in summary["flips"]}
assert {row["class"] for row in flips.values()} == classes
assert all(one["changes"] for one in summary["flips"]), summary["flips"]
for name, row in sorted(flips.items()):
    print(f"{name}: {row['was']} -> {row['verdict']}, class `{row['class']}`, as diff has it")
