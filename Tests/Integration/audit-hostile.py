"""Rows that nobody should write, among rows that are well: audit-hostile.py FOLDER SEED.

FOLDER has `rows.ndjson`, `fleet.table` and `ca.pem` of `audit-rows make`. Each hostile row is a row
with its error; the others come out as they do without them; the run ends with 1."""
import base64
import collections
import json
import os
import pathlib
import random
import subprocess
import sys

hawser, folder, seed = os.environ["HAWSER"], pathlib.Path(sys.argv[1]), int(sys.argv[2])
print(f"hostile rows: seed {seed}")
numbers = random.Random(seed)
with open(folder / "rows.ndjson", "rb") as lines:
    good = [next(lines) for _ in range(20_000)]

# Every member with a value of each type that it cannot have.
VALUES = {"null": None, "true": True, "number": 7, "negative": -7, "fraction": 1.5, "text": "\u00e9t\u00e9",
          "empty": "", "list": [], "lists": [[]], "object": {}}
FITS = {
    "id": {"null", "text", "empty"}, "host": {"text", "empty"}, "port": {"null", "number"}, "time": {"number"},
    "tls": {"null", "object"}, "chain": {"list"}, "staple": {"null", "empty"}, "sctList": {"null", "empty"},
    "ocsp": {"null", "list"}, "crls": {"null", "list"}, "was": {"null"},
    "schema": {"text", "empty"}}
TYPES = sorted((member, kind) for member, fits in FITS.items() for kind in VALUES.keys() - fits)


def replaced(text, member, raw):
    """The row with a member whose value is written so."""
    row = json.loads(text)
    row[member] = "@"
    return json.dumps(row).replace('"@"', raw).encode()


def cut(text):
    return text[:numbers.randrange(1, len(text))], "not-json"


def typed(text):
    member, kind = TYPES[numbers.randrange(len(TYPES))]
    return replaced(text, member, json.dumps(VALUES[kind], ensure_ascii=False)), "malformed"


def no_number(text):
    return replaced(text, "time", numbers.choice(["NaN", "-NaN", "Infinity", "-Infinity", "nan", "0x10"])), "not-json"


def no_time(text):
    return replaced(text, "time", numbers.choice(
        ["1e400", "-1", "253402300800", "1.5", '"2026-02-30T00:00:00Z"', '"now"'])), "malformed"


def no_text(text):
    place = text.index(b'"host":"') + 8
    broken = numbers.choice([b"\xff", b"\xc3(", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xc0\xaf", b"\x00", b"\x1f"])
    return text[:place] + broken + text[place:], "not-json"


def other_encoding(text):
    return text.decode().encode("utf-16"), "not-json"


def long_chain(text):
    if numbers.randrange(2):
        one = base64.b64encode(numbers.randbytes(7_864_320)).decode()
        return replaced(text, "chain", f'["{one}"]'), "too-long"
    items = ",".join(['"' + base64.b64encode(numbers.randbytes(1_200)).decode() + '"'] * 6_500)
    return replaced(text, "chain", f"[{items}]"), "too-long"


def unknown(text):
    return replaced(text, "chain", f'["sha256:{numbers.randbytes(32).hex()}"]'), "unknown-certificate"


def twice(text):
    return text[:-1] + b',"host":"other.example"}', "malformed"


KINDS = [cut, typed, no_number, no_time, no_text, other_encoding, unknown, twice]
rows, wanted = [], []
for place, line in enumerate(good):
    if place % 4 == 0:
        text = good[numbers.randrange(len(good))].rstrip(b"\n")
        # A cleartext row has no chain, and may have none.
        while b'"cleartext"' in text:
            text = good[numbers.randrange(len(good))].rstrip(b"\n")
        kind = long_chain if place % 2_000 == 0 else numbers.choice(KINDS)
        broken, code = kind(text)
        assert b"\n" not in broken
        rows.append(broken + b"\n")
        wanted.append((kind.__name__, code))
    rows.append(line)
    wanted.append(None)
(folder / "hostile.ndjson").write_bytes(b"".join(rows))
(folder / "well.ndjson").write_bytes(b"".join(good))


def audit(name, jobs, *more, feed=None):
    with open(folder / feed if feed else os.devnull, "rb") as stream:
        run = subprocess.run(
            [hawser, "audit", *([] if feed else [name]), "--table", "fleet.table", "--certificates", "ca.pem", "--jobs",
             jobs, "--summary", "hostile.json", *more], cwd=folder, stdin=stream, capture_output=True)
    return run.returncode, run.stdout.splitlines(), json.load(open(folder / "hostile.json"))


status, whole, _ = audit("well.ndjson", "2")
assert status == 0 and len(whole) == len(good)
status, found, summary = audit("hostile.ndjson", "2")
assert status == 1, status
assert len(found) == len(rows), (len(found), len(rows))
rest, counts = iter(whole), collections.Counter()
for number, (line, want) in enumerate(zip(found, wanted), start=1):
    row = json.loads(line)
    assert row["row"] == number, (row, number)
    if want:
        assert row["verdict"] == "error" and row["error"]["code"] == want[1], (want, rows[number - 1][:300], row)
        counts[want] += 1
    else:
        before = json.loads(next(rest))
        for member in ("row", "input"):
            del row[member], before[member]
        assert row == before, (row, before)
assert next(rest, None) is None
codes = collections.Counter(code for _, code in counts.elements())
assert {one["code"]: one["rows"] for one in summary["errors"]} == codes, (summary["errors"], codes)
assert summary["rows"] == len(rows) and summary["accepted"] + summary["rejected"] == len(good)
assert audit("hostile.ndjson", "1")[:2] == (1, found)
piped = audit(None, "2", feed="hostile.ndjson")
assert piped[0] == 1 and piped[1] == [line.replace(b'"input":"hostile.ndjson"', b'"input":null') for line in found]
for (kind, code), count in sorted(counts.items()):
    print(f"hostile rows, {kind}: {count} error rows, {code}")
print(f"{len(good)} rows among {sum(counts.values())} hostile ones came out as without them, and the run ended with 1")
