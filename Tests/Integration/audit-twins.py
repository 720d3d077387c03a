"""Minted twins of revoked sites, with CRLs at hand: audit-twins.py FOLDER. All are rejected as revoked."""
import json
import os
import pathlib
import subprocess
import sys

hawser, folder = os.environ["HAWSER"], pathlib.Path(sys.argv[1])
rows = (folder / "rows.ndjson").read_text().splitlines()
for preset in ("best-effort", "require"):
    (folder / "unit" / "policy.yaml").write_text(
        f"hawser: 1\ndefault:\n  anchors: [roots]\n  revocation: {{ preset: {preset}, sources: [crl] }}\n"
        "anchors:\n  roots: { files: [root.pem] }\n")
    made = subprocess.run(
        [hawser, "revocations", "--policy", "unit", "--evidence", "lists", "--issuer", "ca.pem", "-o",
         "all.revocations"], cwd=folder, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    for evidence in ("lists", "all.revocations"):
        run = subprocess.run(
            [hawser, "audit", "rows.ndjson", "--policy", "unit", "--evidence", evidence, "--certificates",
             "ca.pem"], cwd=folder, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        found = [json.loads(line) for line in run.stdout.splitlines()]
        assert len(found) == len(rows)
        for row in found:
            assert row["verdict"] == "reject" and [v["id"] for v in row["violations"]] == ["revoked"], row
    print(f"twins, {preset}: {len(rows)} rejected as revoked, by CRLs and by a set of them")
