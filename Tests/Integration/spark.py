"""The checks of spark.sh, in the folder with `rows.ndjson`: spark.py PACKAGING-SPARK ROWS."""
import base64
import datetime
import hashlib
import json
import os
import pathlib
import re
import stat
import subprocess
import sys
import time

import duckdb
import pyarrow
import pyarrow.compute
import pyarrow.parquet

folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
TLS = pyarrow.struct([(name, pyarrow.string()) for name in (
    "state", "version", "cipherSuite", "group", "signatureScheme", "alpn")])
SCHEMA = pyarrow.schema([
    ("id", pyarrow.string()), ("host", pyarrow.string()), ("port", pyarrow.int32()),
    ("time", pyarrow.string()), ("tls", TLS), ("chain", pyarrow.list_(pyarrow.binary()))])


def item(text):
    return bytes.fromhex(text[7:]) if text.startswith("sha256:") else base64.b64decode(text)


def write_parquet(folder, limit):
    """The rows as Parquet in eight files, so that there are several partitions."""
    pathlib.Path(folder).mkdir()
    with open("rows.ndjson") as lines:
        for part in range(8):
            wanted = limit * (part + 1) // 8 - limit * part // 8
            with pyarrow.parquet.ParquetWriter(f"{folder}/{part}.parquet", SCHEMA) as writer:
                while wanted > 0:
                    rows = []
                    for _ in range(min(wanted, 20_000)):
                        row = json.loads(next(lines))
                        row["chain"] = [item(text) for text in row["chain"]]
                        row["tls"] = row["tls"] and {name: None for name in TLS.names} | row["tls"]
                        rows.append(row)
                    wanted -= len(rows)
                    writer.write_table(pyarrow.Table.from_pylist(rows, schema=SCHEMA))


def spark(output, hawser="hawser", source="connections", more=(), conf=(), environment=()):
    # The command for the whole job is checked by its digest; a stand-in calls the real one.
    return subprocess.run(
        ["spark-submit", "--master", "local[2,4]", "--conf", "spark.ui.enabled=false",
         "--conf", "spark.sql.files.maxPartitionBytes=64m", "--conf", "spark.driver.memory=2g", *conf,
         folder / "audit.py", "--input", source, "--output", output, "--table", "fleet.table", "--hawser", hawser,
         "--certificates", "ca.pem", "--digest",
         hashlib.sha256(open("fleet.table", "rb").read()).hexdigest(), *more],
        capture_output=True, text=True, env=os.environ | dict(environment))


def stand_in(name, text):
    pathlib.Path(name).write_text(text)
    os.chmod(name, os.stat(name).st_mode | stat.S_IXUSR)


SELECTED = """SELECT id, host, port, time, verdict, was, rule, violations, sentence, path, reported,
    notices, units, signatures, policy_digest, error_code, error_reason"""
COMMAND = """SELECT id, host, port::INT AS port, strftime(time, '%Y-%m-%dT%H:%M:%SZ') AS time, verdict, was, rule,
    list_transform(violations, lambda one: one.id) AS violations, sentence, path,
    list_transform(reported, lambda one: one.violation.id) AS reported,
    list_transform(notices, lambda one: one.id) AS notices, work.units AS units, work.signatures AS signatures,
    policyDigest AS policy_digest, error.code AS error_code, error.reason AS error_reason"""
READ = """read_json('{}', format='newline_delimited', maximum_object_size=16777216, columns={{
    id: 'VARCHAR', host: 'VARCHAR', port: 'INT', time: 'TIMESTAMP', verdict: 'VARCHAR', was: 'VARCHAR',
    rule: 'VARCHAR', violations: 'STRUCT(id VARCHAR)[]', sentence: 'VARCHAR', path: 'VARCHAR[]',
    reported: 'STRUCT(violation STRUCT(id VARCHAR))[]', notices: 'STRUCT(id VARCHAR)[]',
    work: 'STRUCT(units BIGINT, signatures BIGINT)', policyDigest: 'VARCHAR',
    error: 'STRUCT(code VARCHAR, reason VARCHAR)'}})"""


def compare(command, result, rows):
    one, other = COMMAND + " FROM " + READ.format(command), f"{SELECTED} FROM '{result}/*.parquet'"
    counts = [duckdb.sql(f"SELECT count(*) FROM ({query})").fetchall()[0][0] for query in (one, other)]
    assert counts == [rows, rows], counts
    distinct = duckdb.sql(f"SELECT count(DISTINCT id) FROM '{result}/*.parquet'").fetchall()[0][0]
    assert distinct == rows, distinct
    for left, right in ((one, other), (other, one)):
        found = duckdb.sql(f"({left}) EXCEPT ALL ({right})").limit(3).fetchall()
        assert not found, found


def command(rows, name):
    with open("rows.ndjson") as lines, open(name + ".in", "w") as some:
        for _ in range(rows):
            some.write(next(lines))
    run = subprocess.run(
        ["./hawser", "audit", name + ".in", "--table", "fleet.table", "--certificates", "ca.pem", "-o", name])
    assert run.returncode in (0, 1)


write_parquet("connections", count)
begun = time.monotonic()
done = spark("verdicts")
assert done.returncode == 0, done.stderr[-4000:]
seconds = time.monotonic() - begun
told = json.loads(done.stdout.splitlines()[-1])
assert told["rows"] == count, told
command(count, "verdicts.ndjson")
compare("verdicts.ndjson", "verdicts", count)
print(f"Spark, local[2,4]: {count} rows in {seconds:.0f} s with start, equal to the command's: {told['verdicts']}")

# Fewer rows for what fails.
few = min(count, 20_000)
write_parquet("few", few)
command(few, "few.ndjson")
real = os.path.abspath("hawser")
stand_in("broken", f"""#!/bin/sh
[ "$1" = audit ] || exec {real} "$@"
head -c 100000 > /dev/null
echo 'error: the sky fell on this partition' >&2
exit 2
""")
failed = spark("none", "broken", "few")
assert failed.returncode == 2, failed.returncode
assert "the sky fell on this partition" in failed.stderr, failed.stderr[-4000:]
assert not list(pathlib.Path("none").glob("*.parquet"))
print("a child that ends with 2 fails its partition, four times, and the job has its words")

# Each partition's first child dies behind the first rows that it wrote; every second try is whole.
pathlib.Path("tried").mkdir()
stand_in("dying", f"""#!/bin/sh
[ "$1" = audit ] || exec {real} "$@"
head -c 300000 > "$(pwd)/part.$$"
number=$(cksum < "part.$$" | tr -d ' ')
if mkdir "{os.path.abspath('tried')}/$number" 2> /dev/null; then
    {real} "$@" < "part.$$" | head -n 20
    rm "part.$$"
    kill -9 $$
fi
{{ cat "part.$$"; rm "part.$$"; exec cat; }} | {real} "$@"
""")
again = spark("again", "dying", "few")
assert again.returncode == 0, again.stderr[-4000:]
tried = len(list(pathlib.Path("tried").iterdir()))
assert tried >= 2, tried
compare("few.ndjson", "again", few)
print(f"{tried} partitions whose first child was killed were tried again, and no row is doubled")

# Another table than the job was sent with.
refused = spark("other", more=("--digest", "0" * 64))
assert refused.returncode == 2 and "has another digest" in refused.stdout, refused.stdout
print("a table with another digest is refused")

# Times as timestamps, with a zone and without: the machine's own zone and the session's do not
# count. A column that the job does not know is ignored.
rows = pyarrow.parquet.read_table("few").slice(0, 2_000)
instants = [datetime.datetime.fromisoformat(text) for text in rows["time"].to_pylist()]
place = rows.schema.get_field_index("time")
zones = {"zoned": pyarrow.timestamp("us", "UTC"), "naive": pyarrow.timestamp("us"), "seconds": pyarrow.int64()}
command(len(rows), "times.ndjson")
for name, kind in zones.items():
    if name == "seconds":
        values = [int(instant.timestamp()) for instant in instants]
    else:
        # A part of a second is not a second.
        values = [instant.replace(microsecond=999_999, tzinfo=instant.tzinfo if name == "zoned" else None)
                  for instant in instants]
    table = rows.set_column(place, "time", pyarrow.array(values, kind))
    pyarrow.parquet.write_table(
        table.append_column("region", pyarrow.array(["north"] * len(table))), f"{name}.parquet")
    done = spark(
        f"{name}-out", source=f"{name}.parquet", conf=["--conf", "spark.sql.session.timeZone=Asia/Tokyo"],
        environment={"TZ": "America/New_York"})
    assert done.returncode == 0, done.stderr[-4000:]
    assert "left aside: `region`" in done.stdout, done.stdout
    compare("times.ndjson", f"{name}-out", len(rows))
print("times as timestamps with a zone and without, and as seconds: the verdicts of the command")

# Rows that cannot be judged: an error row each, with the row's own id; the other rows are complete.
texts = {"host": [b"\xff.fleet.example", b"h1.fleet.example", None, b"h2.fleet.example", b"h3.fleet.example"],
         "id": [b"not a text", b"null in a list", b"no host", b"\xc3(", b"well"]}
chain = rows["chain"].to_pylist()
chain = next(one for one in chain if one)
chains = [chain, [chain[0], None], chain, chain, chain]
versions = [b"tls1.3", b"tls1.3", b"tls1.3", b"\xfe", b"tls1.3"]


def text(values):
    return pyarrow.array(values, pyarrow.binary()).cast(
        options=pyarrow.compute.CastOptions(pyarrow.string(), allow_invalid_utf8=True))


strange = pyarrow.table({
    "id": text(texts["id"]), "host": text(texts["host"]),
    "time": pyarrow.array(["2026-06-01T00:00:00Z"] * 5),
    "tls": pyarrow.StructArray.from_arrays([text(versions)], ["version"]),
    "chain": pyarrow.array(chains, pyarrow.list_(pyarrow.binary()))})
pyarrow.parquet.write_table(strange, "strange.parquet")
done = spark("strange-out", source="strange.parquet")
assert done.returncode == 1, done.stderr[-4000:]
found = {row["id"]: row for row in pyarrow.parquet.read_table("strange-out").to_pylist()}
assert {name: row["error_code"] for name, row in found.items()} == {
    "not a text": "not-json", "null in a list": "malformed", "no host": "malformed", "\ufffd(": "not-json",
    "well": None}, found
print("texts that are not UTF-8, nulls in lists and rows without a host are error rows, and the job ends with 1")

for name, column, words in (
        ("nameless", None, "no column `host`"),
        ("dated", pyarrow.array([datetime.date(2026, 6, 1)] * 5), "`time` is date"),
        ("fraction", pyarrow.array([float("nan")] * 5), "`time` is double")):
    other = strange.drop_columns(["host"]) if column is None else strange.set_column(2, "time", column)
    pyarrow.parquet.write_table(other, f"{name}.parquet")
    refused = spark(f"{name}-out", source=f"{name}.parquet")
    assert refused.returncode == 2 and words in refused.stdout, refused.stdout
print("columns of other types are refused, and the job ends with 2")

# The page's recipe for DuckDB, as it is written.
page = (folder / "README.md").read_text()
recipe = page[page.index("## On a laptop"):]
out, audit, counted = re.findall(r"```(?:sql|sh)\n(.*?)```", recipe, re.S)[:3]
pathlib.Path("laptop").mkdir()
for name in ("fleet.table", "hawser"):
    os.link(name, f"laptop/{name}")
os.link("ca.pem", "laptop/intermediates.pem")
os.link("zoned.parquet", "laptop/connections.parquet")
os.chdir("laptop")
duckdb.sql(out)
subprocess.run(["sh", "-e", "-c", audit], check=True, env=os.environ | {"PATH": f".:{os.environ['PATH']}"}, stderr=subprocess.PIPE)
told = {(rule, verdict): number for rule, verdict, number in duckdb.sql(counted).fetchall()}
expected = {}
with open("../times.ndjson") as lines:
    for line in lines:
        row = json.loads(line)
        key = row["rule"], row["verdict"]
        expected[key] = expected.get(key, 0) + 1
assert told == expected, (told, expected)
print(f"the recipe for DuckDB: {told}")
print(f"{count} rows")
