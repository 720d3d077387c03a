"""Kills audits at random moments and begins them again: audit-kill.py FOLDER KILLS SEED."""
import filecmp
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

hawser, folder = os.environ["HAWSER"], pathlib.Path(sys.argv[1])
wanted, seed = int(sys.argv[2]), int(sys.argv[3])
print(f"seed {seed}")
moments = random.Random(seed)
base = [hawser, "audit", "rows.ndjson", "more.ndjson", "--table", "fleet.table", "--certificates", "ca.pem",
        "--progress", "none"]
begun = time.monotonic()
whole = subprocess.run(
    base + ["-o", "whole.out", "--receipts", "whole.receipts", "--summary", "whole.json"], cwd=folder,
    stderr=subprocess.PIPE)
seconds = time.monotonic() - begun
assert whole.returncode == 0, whole.stderr
command = base + ["-o", "out", "--receipts", "receipts", "--summary", "summary.json", "--checkpoint", "state"]
names = ["out", "receipts", "summary.json", "state"]
killed, finished, resumed = 0, 0, 0


def compare():
    for one, other in (("out", "whole.out"), ("receipts", "whole.receipts")):
        assert filecmp.cmp(folder / one, folder / other, shallow=False), f"{one} is not {other}; seed {seed}"
    found, expected = (json.load(open(folder / name)) for name in ("summary.json", "whole.json"))
    for key in expected:
        assert key == "run" or found[key] == expected[key], (key, found[key], expected[key])


def begin_anew():
    for name in names:
        (folder / name).unlink(missing_ok=True)


while killed < wanted or (folder / "state").exists():
    # The last run is not killed; it comes to its end.
    limit = moments.uniform(0, 0.8 * seconds) if killed < wanted else None
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE) as child:
        try:
            words = child.communicate(timeout=limit)[1]
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGKILL)
            words = child.communicate()[1]
    resumed += b"going on after" in words
    if child.returncode == -signal.SIGKILL:
        killed += 1
        continue
    assert child.returncode == 0, words
    finished += 1
    compare()
    begin_anew()
assert finished >= 1 and resumed >= 1
print(f"{killed} runs killed, {resumed} begun behind a checkpoint, {finished} brought to their end and equal")
