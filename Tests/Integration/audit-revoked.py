"""Chains of revoked test sites, each judged at its own time: audit-revoked.py SITES-FOLDER WORK-FOLDER.

No CRL and no response is there, so the status is not known: accepted and reported under best-effort,
rejected under require, never good."""
import collections
import json
import os
import pathlib
import subprocess
import sys
import textwrap

hawser = os.environ["HAWSER"]
source, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
sites = [json.loads(line) for line in open(source / "sites.ndjson")]
anchors = {}
for line in open(source / "cases" / "revoked-sites.ndjson"):
    case = json.loads(line)
    anchors[case["id"].split("::")[1]] = case["trusted_certs"]
# A site without a case has no anchor here: its root is in no file.
rows = [site for site in sites if site["id"].split("::")[1] in anchors]
certificates = sorted({certificate for own in anchors.values() for certificate in own})
pem = "".join(
    "-----BEGIN CERTIFICATE-----\n" + "\n".join(textwrap.wrap(text, 64)) + "\n-----END CERTIFICATE-----\n"
    for text in certificates)


def audit(name, revocation):
    unit = work / name
    unit.mkdir(parents=True)
    (unit / "roots.pem").write_text(pem)
    (unit / "policy.yaml").write_text(
        "hawser: 1\ndefault:\n  anchors: [roots]\n" + f"  revocation: {revocation}\n"
        "anchors:\n  roots: { files: [roots.pem] }\n")
    text = "".join(
        json.dumps({"id": row["id"], "host": row["host"], "port": row["port"], "time": row["time"],
                    "chain": row["chain"]}) + "\n" for row in rows)
    run = subprocess.run(
        [hawser, "audit", "--policy", str(unit)], input=text, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    found = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(found) == len(rows)
    return found


lax = audit("best-effort", "{ preset: best-effort }")
strict = audit("require", "{ preset: require }")
counts = collections.Counter()
for row, before, now in zip(rows, lax, strict):
    assert now["verdict"] == "reject", now
    ids = {reported["violation"]["id"] for reported in before["reported"]}
    others = {violation["id"] for violation in before["violations"]}
    counts[before["verdict"], "not known" if "revocation-undetermined" in ids else str(sorted(others))] += 1
    assert before["verdict"] == "reject" or "revocation-undetermined" in ids, before
    if before["verdict"] == "accept":
        assert {v["id"] for v in now["violations"]} == {"revocation-undetermined"}, now
for (verdict, why), count in sorted(counts.items()):
    print(f"revoked sites, best-effort: {count} {verdict}, {why}")
print(f"revoked sites, require: {len(strict)} rejected of {len(rows)}; {len(sites) - len(rows)} sites have no anchor here")
assert counts["accept", "not known"] >= 0.9 * len(rows), counts
