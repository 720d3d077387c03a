"""Compares rows that were made with rows that are there: each row of CASES must be in FOLDER with the
same fields. Octets of certificates and CRLs are compared too, but for limbo's own suite, whose keys
are fresh each time.

Usage: check.py CASES FOLDER     for each suite of FOLDER; exit status 1 where a row differs
"""

import json
import pathlib
import sys

OCTETS = {"trusted_certs", "untrusted_intermediates", "peer_certificate", "crls", "ocsp_responses"}


def rows(path):
    return {row["id"]: row for row in map(json.loads, path.read_text().splitlines())}


def same(suite, name, wanted, made):
    if suite == "limbo" and name in OCTETS:
        return len(wanted) == len(made) or name == "peer_certificate"
    return wanted == made


def main():
    cases, folder = map(pathlib.Path, sys.argv[1:])
    differs = 0
    for path in sorted(folder.glob("*.ndjson")):
        suite, made, wanted = path.stem, rows(path), rows(cases / path.name)
        for name, row in wanted.items():
            fields = ["no such row"] if name not in made else [
                field for field in row if not same(suite, field, row[field], made[name].get(field))
            ]  # fmt: skip
            if fields:
                differs += 1
                print(f"{name}: {', '.join(fields)}")
        lines = {line for line in path.read_text().splitlines()}
        exact = sum(line in lines for line in (cases / path.name).read_text().splitlines())
        print(f"{suite}: {len(wanted)} rows, {exact} of them octet by octet; {len(made)} made")
    sys.exit(1 if differs else 0)


if __name__ == "__main__":
    main()
