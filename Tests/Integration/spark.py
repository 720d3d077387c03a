"""The checks of spark.sh, in the folder with `rows.ndjson`: spark.py JOB ROWS."""
import base64
import hashlib
import json
import os
import pathlib
import stat
import subprocess
import sys
import time

import duckdb
import pyarrow
import pyarrow.parquet

job, count = sys.argv[1], int(sys.argv[2])
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


def spark(output, hawser="hawser", source="connections", more=()):
    # The command for the whole job is checked by its digest; a stand-in calls the real one.
    done = subprocess.run(
        [sys.executable, "-m", "pyspark.find_spark_home"], capture_output=True, text=True)
    home = done.stdout.strip()
    return subprocess.run(
        [f"{home}/bin/spark-submit", "--master", "local[2,4]", "--conf", "spark.ui.enabled=false",
         "--conf", "spark.sql.files.maxPartitionBytes=64m", "--conf", "spark.driver.memory=2g", job,
         "--input", source, "--output", output, "--table", "fleet.table", "--hawser", hawser,
         "--certificates", "ca.pem", "--digest",
         hashlib.sha256(open("fleet.table", "rb").read()).hexdigest(), *more],
        capture_output=True, text=True)


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
assert failed.returncode != 0
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
assert refused.returncode != 0 and "has another digest" in refused.stdout + refused.stderr
print("a table with another digest is refused")
print(f"{count} rows")
