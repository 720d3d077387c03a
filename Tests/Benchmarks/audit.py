"""The measurements of audit.sh: audit.py HAWSER AUDIT-ROWS WORK-FOLDER ROWS PATTERNS."""
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

hawser, maker, work = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
count, patterns = int(sys.argv[4]), int(sys.argv[5])
EACH = 100


def run(*command):
    """The CPU seconds of a command, its most memory in octets, and its output."""
    child = subprocess.Popen(command, cwd=work, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, words = child.stdout.read(), child.stderr.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, words[-2000:]
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, out


def audit(rows, table, name, more=()):
    cpu, memory, _ = run(
        hawser, "audit", rows, "--table", table, "--certificates", "ca.pem", "--jobs", "1", "--progress", "none",
        "--summary", f"{name}.json", "-o", f"{name}.out", *more)
    return cpu, memory, json.load(open(work / f"{name}.json"))


def processor():
    found = re.search(r"^model name\s*:\s*(.*)$", open("/proc/cpuinfo").read(), re.M)
    return found[1] if found else platform.machine()


def make(servers):
    """Rows of so many servers, with their table and the certificates of the fleet's CAs."""
    run(maker, "make", ".", str(count), str(servers), "20261124")
    name = f"rows-{servers}.ndjson"
    os.rename(work / "rows.ndjson", work / name)
    return name


print(f"{processor()}; CPU time of one thread; {count} rows")
(work / "none.ndjson").write_text("")
figures = {}
# The more servers, the more of the rows' signatures are new.
few, many = make(1_000), make(count // 2)
measured = {}
for name, rows in (("few", few), ("many", many)):
    cpu, memory, summary = audit(rows, "fleet.table", name)
    measured[name] = (cpu, summary["run"]["newSignatures"])
    print(
        f"{rows}: {cpu:.2f} s, {count / cpu:.0f} rows a second, {summary['run']['newSignatures']} new signatures of "
        f"{summary['signatures']}, {memory / 1e6:.0f} MB at most")
(cpu, new), (more, newer) = measured["few"], measured["many"]
signature = (more - cpu) / (newer - new)
rate = count / (cpu - new * signature)
print(f"a new signature (P-256 but for a few): {signature * 1e6:.0f} us; a row without one: {1e6 / rate:.0f} us, {rate:.0f} a second")
row_in = os.path.getsize(work / few) / count
row_out = os.path.getsize(work / "few.out") / count
print(f"a row in: {row_in:.0f} octets; a row out: {row_out:.0f} octets")

# The same rows by a policy of many patterns, as `hawser compile` makes it, with its lines.
unit = work / "unit"
unit.mkdir()
pem = re.findall(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n", (work / "ca.pem").read_text(), re.S)
(unit / "root.pem").write_text(pem[-1])
with open(unit / "policy.yaml", "w") as file:
    file.write("hawser: 1\ndefault: deny\nanchors:\n  fleet: { files: [root.pem] }\n")
    file.write("profiles:\n  team: { extends: baseline, keys: { rsa-minimum: 2048 } }\nrules:\n")
    for rule in range(patterns // EACH):
        hosts = "".join(f'      - "h{rule * EACH + number}.fleet.example"\n' for number in range(EACH))
        file.write(f"  team-{rule}:\n    anchors: [fleet]\n    profile: team\n    hosts:\n{hosts}")
compiling, _, _ = run(hawser, "compile", "unit", "-o", "wide.table")
table = os.path.getsize(work / "wide.table")
print(f"{patterns} patterns in {patterns // EACH} rules: compiled in {compiling:.1f} s, a table of {table} octets")
empty, _, _ = audit("none.ndjson", "fleet.table", "none")
loads = sorted(audit("none.ndjson", "wide.table", "none")[0] for _ in range(5))
load = loads[2] - empty
cpu, memory, summary = audit(few, "wide.table", "wide")
print(
    f"the table in a child: loaded in {load:.2f} s of CPU beside a table of one rule; {count / (cpu - load):.0f} rows a second, "
    f"{memory / 1e6:.0f} MB at most")
rate = count / (cpu - load - summary["run"]["newSignatures"] * signature)
assert summary["rejected"] and summary["accepted"]

print("\n10^9 rows of 10^5 services, one task for each million rows, by that table; the command alone:")
sys.stdout.flush()
# Rows that are clustered by host: a task has a thousandth of the services.
for what, new in (("clustered by host", measured["few"][1] / count), ("mixed", measured["many"][1] / count)):
    print(f"\nrows {what}:")
    sys.stdout.flush()
    subprocess.run(
        [sys.executable, pathlib.Path(__file__).parent / "../../Packaging/spark/growth.py", "--rate", f"{rate:.0f}",
         "--signature", f"{signature:.2g}", "--new", f"{new:.3g}", "--row-in", f"{row_in:.0f}", "--row-out",
         f"{row_out:.0f}", "--price", "0.05", "--table", str(table), "--table-load", f"{load:.3f}", "--table-memory",
         str(memory)], check=True)
