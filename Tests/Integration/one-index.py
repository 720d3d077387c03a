"""Holds what one-index.sh made against its schemas and asks DuckDB of it. Runs in the folder with
first/*.jsonl and *.schema.json."""

import json

import duckdb
import jsonschema

KINDS = ["receipts", "reports", "disagreements"]
HEAD = [
    "schema", "id", "time", "service", "store", "epoch", "host", "hostDigest", "port", "verdict", "rule",
    "table", "violations", "reported",
]


def lines(kind):
    with open(f"first/{kind}.jsonl") as file:
        return file.read().splitlines()


for kind in KINDS:
    assert lines(kind), f"no {kind}"
    for line in lines(kind):
        names = list(json.loads(line))
        assert names[: len(HEAD)] == HEAD, (kind, names)
for kind in ["receipt", "report"]:
    schema = json.load(open(f"{kind}.schema.json"))
    validator = jsonschema.Draft7Validator(schema)
    order = list(schema["properties"])
    for line in lines(kind + "s"):
        record = json.loads(line)
        validator.validate(record)
        assert list(record) == [name for name in order if name in record], (kind, list(record))
    print(f"{len(lines(kind + 's'))} {kind}s fit their schema, in its order")

files = [f"first/{kind}.jsonl" for kind in KINDS]
database = duckdb.connect()
database.execute("SET TimeZone = 'UTC'")
database.execute("CREATE TABLE records AS SELECT * FROM read_json_auto($1)", [files])
types = dict(database.execute("SELECT column_name, column_type FROM (DESCRIBE records)").fetchall())
wanted = {
    "schema": "VARCHAR", "id": "VARCHAR", "time": "TIMESTAMP WITH TIME ZONE", "service": "VARCHAR", "store": "VARCHAR",
    "epoch": "BIGINT", "host": "VARCHAR", "hostDigest": "VARCHAR", "port": "BIGINT",
    "verdict": "VARCHAR", "rule": "VARCHAR",
}
found = {name: types[name] for name in wanted}
# Before version 2 DuckDB read an instant in UTC as a timestamp without a zone.
if found["time"] == "TIMESTAMP":
    wanted["time"] = "TIMESTAMP"
assert found == wanted, found
assert types["violations"].startswith("STRUCT(") and types["violations"].endswith("[]"), types
assert "id VARCHAR" in types["violations"].replace('"', ""), types["violations"]


def ask(query):
    answer = database.execute(query).fetchall()
    assert answer, f"no row: {query}"
    return answer


total = sum(len(lines(kind)) for kind in KINDS)
assert ask("SELECT count(*) FROM records") == [(total,)]
# What all kinds have, by one query without a cast.
shared = ask("""
    SELECT schema, count(*), max(time) > min(time), max(epoch) + 1, any_value(store), any_value(service)
    FROM records WHERE violations[1].id = 'pin-mismatch' AND violations[1].place.line > 1
        AND host LIKE '%.index.example' AND port = 443 AND "table".policyDigest LIKE 'sha256:%'
        AND time < TIMESTAMP '2026-06-01 02:30:00'
    GROUP BY schema ORDER BY schema""")
schemas = ["hawser/disagreement/1", "hawser/receipt/1", "hawser/report/1"]
assert [row[0] for row in shared] == schemas, shared
assert all(row[2:] == (True, 2, "outbound", "checkout") for row in shared), shared
reported = ask("""
    SELECT DISTINCT schema, failure.violation.id, failure.reason
    FROM (SELECT schema, unnest(reported) AS failure FROM records)
    WHERE failure.until > TIMESTAMP '2026-12-01' ORDER BY schema""")
assert [row[1:] for row in reported] == [("pin-mismatch", "report-only")] * 2, reported
# The columns that only one kind has.
ask("SELECT request.chain[1], request.tls.version FROM records WHERE trace LIKE 'sha256:%'")
ask("SELECT violations[1].summary FROM records WHERE suppressed + undetermined >= 0 AND verdict = 'reject'")
ask("SELECT servedChain[1].fingerprint FROM records WHERE len(validatedPath) = 3")
ask("SELECT candidate.verdict FROM records WHERE kind = 'stricter' OR kind = 'weaker'")
for name in KINDS:
    print(f"{len(lines(name))} {name} in one table")
