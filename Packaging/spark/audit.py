"""`hawser audit` over Parquet, under Apache Spark: one child for each partition.

    spark-submit audit.py --input connections.parquet --output verdicts.parquet \
        --table fleet.table --hawser ./hawser [--certificates ca.pem] [--evidence all.revocations]

README.md beside this file says which columns go in and come out, and what differs on a cluster.
"""
import argparse
import base64
import datetime
import hashlib
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import traceback

import pyarrow
from pyspark import SparkFiles
from pyspark.sql import SparkSession

# The columns that go in, each with the types that it may have, as Spark writes them.
TEXTS = ("string",)
TLS = ("a struct of strings",)
TAKEN = {
    "id": TEXTS, "host": TEXTS, "port": ("tinyint", "smallint", "int", "bigint"),
    "time": ("timestamp", "timestamp_ntz", "int", "bigint", "string"),
    "tls": TLS, "chain": ("array<binary>",), "staple": ("binary",),
    "sctList": ("binary",), "ocsp": ("array<binary>",), "crls": ("array<binary>",), "was": TEXTS}
# The columns that come out, as Spark names types.
COLUMNS = (
    "id string, host string, port int, time string, verdict string, was string, rule string, "
    "violations array<string>, sentence string, path array<string>, reported array<string>, "
    "notices array<string>, units bigint, signatures bigint, policy_digest string, "
    "error_code string, error_reason string")
ARROW = pyarrow.schema([
    ("id", pyarrow.string()), ("host", pyarrow.string()), ("port", pyarrow.int32()),
    ("time", pyarrow.string()), ("verdict", pyarrow.string()), ("was", pyarrow.string()),
    ("rule", pyarrow.string()), ("violations", pyarrow.list_(pyarrow.string())),
    ("sentence", pyarrow.string()), ("path", pyarrow.list_(pyarrow.string())),
    ("reported", pyarrow.list_(pyarrow.string())), ("notices", pyarrow.list_(pyarrow.string())),
    ("units", pyarrow.int64()), ("signatures", pyarrow.int64()),
    ("policy_digest", pyarrow.string()), ("error_code", pyarrow.string()),
    ("error_reason", pyarrow.string())])
# The rows of a batch that goes back to Spark.
BATCH = 4096
# No certificate has so few octets: an item of `chain` of this length is a SHA-256.
DIGEST = 32


def refuse(reason):
    """Ends the job with 2, as the command ends where the audit could not be made. spark-submit
    prints this on its standard output, whichever stream it is written to."""
    print(f"error: {reason}", file=sys.stderr)
    sys.exit(2)


class AuditFailed(RuntimeError):
    """The child of a partition did not judge its rows; the message has its own words."""


def octets(item):
    """Octets as a row has them. A null in a list stays one, and the row becomes an error row."""
    return None if item is None else base64.b64encode(item).decode("ascii")


def rows_of(batch):
    """The rows of a batch. Spark does not look whether a text is UTF-8: octets that are not stay in
    the text as lone surrogates, go to the child as they are, and the row becomes an error row."""
    try:
        return batch.to_pylist()
    except UnicodeDecodeError:
        pass

    def raw(kind):
        if pyarrow.types.is_string(kind) or pyarrow.types.is_large_string(kind):
            return pyarrow.large_binary()
        if pyarrow.types.is_struct(kind):
            return pyarrow.struct([(field.name, raw(field.type)) for field in kind])
        return kind

    def text(value):
        if isinstance(value, dict):
            return {name: text(one) for name, one in value.items()}
        return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value

    columns = {}
    for name, column in zip(batch.schema.names, batch.columns):
        values = column.cast(raw(column.type)).to_pylist()
        # Binary columns are of octets, and stay so.
        columns[name] = values if raw(column.type) == column.type else [text(one) for one in values]
    return [dict(zip(columns, values)) for values in zip(*columns.values())]


def identity_of(row):
    """The row's own name, as UTF-8."""
    name = row.get("id")
    return name and name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def row_of(row):
    """The line of a record: what `hawser schema audit-row` describes."""
    row = {name: value for name, value in row.items() if value is not None}
    if "chain" in row:
        row["chain"] = [
            "sha256:" + item.hex() if item and len(item) == DIGEST else octets(item)
            for item in row["chain"]]
    for name in ("staple", "sctList"):
        if name in row:
            row[name] = octets(row[name])
    for name in ("ocsp", "crls"):
        if name in row:
            row[name] = [octets(item) for item in row[name]]
    if isinstance(row.get("time"), datetime.datetime):
        # A timestamp without a zone is UTC, whatever the zone of the machine.
        time = row["time"]
        time = time if time.tzinfo else time.replace(tzinfo=datetime.timezone.utc)
        row["time"] = math.floor(time.timestamp())
    if "tls" in row:
        row["tls"] = {name: value for name, value in row["tls"].items() if value is not None}
    text = json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n"
    return text.encode("utf-8", "surrogateescape")


def columns_of(line, identity):
    """The columns of a row that came out. An error row has no id of its own: its input has."""
    row = json.loads(line)
    error, work = row["error"] or {}, row["work"] or {}
    return {
        "id": identity, "host": row["host"], "port": row["port"], "time": row["time"],
        "verdict": row["verdict"], "was": row["was"], "rule": row["rule"],
        "violations": [one["id"] for one in row["violations"]], "sentence": row["sentence"],
        "path": row["path"], "reported": [one["violation"]["id"] for one in row["reported"]],
        "notices": [one["id"] for one in row["notices"]], "units": work.get("units"),
        "signatures": work.get("signatures"), "policy_digest": row["policyDigest"],
        "error_code": error.get("code"), "error_reason": error.get("reason")}


def columns_of_input(schema):
    """The columns of the input that are read, and the names of the other columns."""
    found = {field.name: field.dataType for field in schema.fields}
    if "host" not in found:
        refuse(f"the input has no column `host`; its columns are {', '.join(found) or 'none'}")
    for name, kind in found.items():
        wanted, text = TAKEN.get(name), kind.simpleString()
        if wanted == TLS:
            fits = kind.typeName() == "struct" and all(
                one.dataType.simpleString() == "string" for one in kind.fields)
        else:
            fits = wanted is None or text in wanted
        if not fits:
            refuse(f"the column `{name}` is {text}; wanted {' or '.join(wanted)}")
    return [name for name in found if name in TAKEN], [name for name in found if name not in TAKEN]


def digest_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()


def auditor(files, digests, options, policy):
    """The function of a partition. It feeds a child and reads it at once, so that neither waits for
    the other, and yields nothing that the child has not judged."""

    def audit(batches):
        paths = {name: SparkFiles.get(name) for name in files}
        for name, path in paths.items():
            if digest_of(path) != digests[name]:
                raise AuditFailed(f"`{name}` is not the file that the job was sent with")
        hawser = paths[options["hawser"]]
        os.chmod(hawser, 0o755)
        command = [hawser, "audit", "--table", paths[options["table"]], "--jobs", "1",
                   "--progress", "none"]
        for option in ("certificates", "evidence"):
            if options[option]:
                command += [f"--{option}", paths[options[option]]]
        if options["at"]:
            command += ["--at", options["at"]]
        words = tempfile.TemporaryFile()
        child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=words)
        identities, problems = [], []

        def feed():
            try:
                with child.stdin as stream:
                    for batch in batches:
                        rows = rows_of(batch)
                        # The ids are there before a row can come out.
                        identities.extend(identity_of(row) for row in rows)
                        stream.write(b"".join(map(row_of, rows)))
            except BrokenPipeError:
                pass  # The child ended; its status says why.
            except BaseException as problem:
                problems.append(problem)
                child.kill()

        feeder = threading.Thread(target=feed, daemon=True)
        feeder.start()
        try:
            count, ready = 0, []
            for line in child.stdout:
                ready.append(columns_of(line, identities[count]))
                identities[count] = None
                count += 1
                if ready[-1]["policy_digest"] != policy:
                    raise AuditFailed(f"row {count} was judged by another policy")
                if len(ready) == BATCH:
                    yield pyarrow.RecordBatch.from_pylist(ready, schema=ARROW)
                    ready = []
            feeder.join()
            status = child.wait()
            if problems:
                raise problems[0]
            # 1 says that a row is an error, which the row itself says too.
            if status not in (0, 1):
                words.seek(0)
                told = words.read()[-4000:].decode("utf-8", "replace").strip()
                raise AuditFailed(f"hawser audit ended with {status}: {told}")
            if count != len(identities):
                raise AuditFailed(f"{len(identities)} rows went in, and {count} came out")
            if ready:
                yield pyarrow.RecordBatch.from_pylist(ready, schema=ARROW)
        finally:
            child.kill()
            child.wait()
            words.close()

    return audit


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("input", "output", "table", "hawser"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("certificates", "evidence", "at"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--digest", help="the SHA-256 that the table must have")
    options = vars(parser.parse_args())
    digests = {}
    for name in ("table", "hawser", "certificates", "evidence"):
        if options[name]:
            sent = os.path.basename(options[name])
            if sent in digests:
                refuse(f"two files of the job are named `{sent}`; they are sent under their names")
            try:
                digests[sent] = digest_of(options[name])
            except OSError as problem:
                refuse(f"--{name}: `{options[name]}`: {problem.strerror}")
    if options["digest"] and options["digest"] != digests[os.path.basename(options["table"])]:
        refuse(f"`{options['table']}` has another digest than {options['digest']}")
    inspected = subprocess.run(
        [os.path.abspath(options["hawser"]), "inspect", options["table"], "--format", "json"],
        capture_output=True, text=True)
    if inspected.returncode != 0:
        refuse(f"hawser inspect ended with {inspected.returncode}: {inspected.stderr.strip()}")
    policy = json.loads(inspected.stdout)["policyDigest"]

    spark = SparkSession.builder.appName("hawser audit").getOrCreate()
    # What fails is told; what goes well is in Spark's own pages.
    spark.sparkContext.setLogLevel("WARN")
    for name in ("table", "hawser", "certificates", "evidence"):
        if options[name]:
            spark.sparkContext.addFile(os.path.abspath(options[name]))
            options[name] = os.path.basename(options[name])
    rows = spark.read.parquet(options["input"])
    taken, left = columns_of_input(rows.schema)
    if left:
        print(f"left aside: {', '.join(f'`{name}`' for name in left)}", file=sys.stderr)
    rows = rows.select(*(f"`{name}`" for name in taken))
    judge = auditor(sorted(digests), digests, options, policy)
    rows.mapInArrow(judge, COLUMNS).write.mode("overwrite").parquet(options["output"])

    # From the result: an accumulator counts a stage twice that runs twice.
    result = spark.read.parquet(options["output"])
    counts = {row["verdict"]: row["count"] for row in result.groupBy("verdict").count().collect()}
    print(json.dumps({"policyDigest": policy, "rows": sum(counts.values()), "verdicts": counts}))
    spark.stop()
    sys.exit(1 if counts.get("error") else 0)


if __name__ == "__main__":
    try:
        main()
    except Exception:
        # 1 is for rows that are errors.
        traceback.print_exc()
        sys.exit(2)
