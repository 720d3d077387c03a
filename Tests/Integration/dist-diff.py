"""Two builds of the command over the same policies and the same recorded requests: what compiles
otherwise, which tables load, which verdicts differ.

    dist-diff.py --old HAWSER --new HAWSER --policies FOLDER [--old-policies FOLDER] [--vectors FOLDER]
                 [--names OLD NEW] [--markdown FILE] [--json FILE]

FOLDER of `--policies` is `policies` of the present commit, FOLDER of `--old-policies` is `policies` of the
older commit; without it, every policy counts as one that the older command may have met. FOLDER of
`--vectors` is as `Tests/Conformance/Vectors/units.py` makes it.

A policy is compiled by both, and both tables are read by both. If the two tables differ in their meaning,
the new command compares them (`diff --require no-weaker`). A row is judged by the old command with its own
table, by the new one with its own, and by the new one with the old one's: a service that is updated keeps
its table.

It ends with 0: the new command accepts nothing that the old one refused; 1: it does; 2: the two commands, or
some of their tables, could not be compared. Its sentence has the numbers of policies and rows that were compared.
"""

import argparse
import base64
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from case_requests import request_of

MOST_NAMED = 40  # of each kind in the text; the JSON has all


@dataclasses.dataclass
class Unit:
    name: str
    paths: list  # a folder, or one file
    is_old: bool  # whether the older command may have met it
    groups: list = dataclasses.field(default_factory=list)  # (options of audit, rows)


# ---------------------------------------------------------------------- policies and rows


def is_policy(path):
    return path.name == "policy.yaml" or path.name.endswith(".policy.yaml")


def certificates(path):
    """The certificates of a file, DER or PEM, in base64."""
    octets = path.read_bytes()
    blocks = re.findall(rb"-----BEGIN CERTIFICATE-----(.*?)-----END CERTIFICATE-----", octets, re.S)
    return [b"".join(block.split()).decode() for block in blocks] or [base64.b64encode(octets).decode()]


def encoded(path):
    octets = path.read_bytes()
    block = re.search(rb"-----BEGIN [^-]*-----(.*?)-----END", octets, re.S)
    return b"".join(block[1].split()).decode() if block else base64.b64encode(octets).decode()


def row_of(case, name):
    """The options of `audit` and the row of a case."""
    request = request_of(case / "request.yaml")
    row = {"id": name, "host": request["host"], "time": request["at"]}
    if "port" in request:
        row["port"] = int(request["port"])
    if request.get("tls") == "none":
        row["tls"] = {"state": "cleartext"}
    else:
        row["chain"] = certificates(case / request.get("chain", "chain.pem"))
        tls = {"version": request.get("tls", "tls1.3")}
        for key, member in [("cipher-suite", "cipherSuite"), ("group", "group"), ("signature-scheme", "signatureScheme")]:
            if key in request:
                tls[member] = request[key]
        if "alpn" in request:
            alpn = request["alpn"]
            tls["alpn"] = alpn if isinstance(alpn, str) else alpn[0]
        if len(tls) > 1 or "tls" in request:
            row["tls"] = tls
    for key, member in [("staple", "staple"), ("sct-list", "sctList")]:
        if key in request:
            row[member] = encoded(case / request[key])
    for key in ["ocsp", "crls"]:
        if key in request:
            row[key] = [encoded(case / one) for one in request[key]]
    options = []
    for assumed in request.get("assume", []):
        check, outcome = (part.strip() for part in assumed.split(":"))
        options += ["--assume", f"{check}={outcome}"]
    if "system" in request:
        store = case / request["system"]
        options += ["--system-store", str(store if store.exists() else case.parent.parent / request["system"])]
    return tuple(options), row


def digest(paths):
    """What a unit consists of: the octets of its files, whatever their folder is called."""
    parts = []
    for path in paths:
        files = [path] if path.is_file() else [one for one in sorted(path.rglob("*")) if one.is_file()]
        parts += [(str(one.relative_to(path.parent if path.is_file() else path)), one.read_bytes()) for one in files]
    text = b"".join(name.encode() + b"\0" + hashlib.sha256(octets).digest() for name, octets in sorted(parts))
    return hashlib.sha256(text).hexdigest()


def units_of(root, is_old):
    """Every folder with a policy, with the rows of its cases, and every file of `invalid`."""
    for folder in sorted({path.parent for path in root.rglob("*.yaml") if is_policy(path)}):
        unit = Unit(str(folder.relative_to(root)), [folder], is_old)
        groups = {}
        for case in sorted(path.parent for path in folder.glob("cases/*/request.yaml")):
            options, row = row_of(case, f"{unit.name}/{case.name}")
            groups.setdefault(options, []).append(row)
        unit.groups = list(groups.items())
        yield unit
    for file in sorted((root / "invalid").glob("*.yaml")):
        yield Unit(f"invalid/{file.name}", [file], is_old)


def vectors_of(root):
    for folder in sorted(path.parent for path in root.glob("*/policy.yaml")):
        rows = [json.loads(line) for line in (folder / "rows.ndjson").read_text().splitlines()]
        yield Unit(f"vectors/{folder.name}", [folder], True, [((), rows)])


# ---------------------------------------------------------------------- the two commands


class NotCompared(Exception):
    pass


def run(command, *arguments, **options):
    done = subprocess.run([command, *map(str, arguments)], capture_output=True, text=True, timeout=300, **options)
    if done.returncode < 0 or done.returncode == 3:
        raise NotCompared(f"{pathlib.Path(command).name} {arguments[0]} ended with {done.returncode}: {done.stderr[-300:]}")
    return done


def reason(done, scratch=None):
    """Why a command failed, without the folder in which it was asked."""
    text = done.stderr.strip() or done.stdout.strip()
    if scratch:
        text = text.replace(f"{scratch}/", "")
    return re.sub(r"\s+", " ", text)[:200]


def judged(command, table, options, rows):
    """What the command says of each row, by id."""
    done = run(command, "audit", "--table", table, "--progress", "none", *options, "-",
               input="".join(json.dumps(row) + "\n" for row in rows))  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != len(rows):
        raise NotCompared(f"audit of {len(rows)} rows gave {len(answers)}: {reason(done)}")
    return answers


def facts(answer):
    """What of an answer is compared, but for the verdict."""
    return {
        "violations": sorted(one["id"] for one in answer.get("violations") or []),
        "reported": sorted(one["violation"]["id"] for one in answer.get("reported") or []),
        "notices": sorted(one if isinstance(one, str) else one.get("id", "") for one in answer.get("notices") or []),
        "path": answer.get("path") or [],
    }


def compare(unit, old, new, scratch):
    """Everything that is found of one unit."""
    found = {"unit": unit.name, "isOld": unit.is_old, "flips": [], "otherwise": [], "rows": 0, "newRows": 0, "accepted": 0,
             "refused": 0, "errors": 0}  # fmt: skip
    tables = {}
    for side, command in [("old", old), ("new", new)]:
        table = scratch / f"{side}.table"
        done = run(command, "compile", *unit.paths, "-o", table)
        if done.returncode == 0:
            tables[side] = table
        else:
            found[f"{side}Refuses"] = reason(done, scratch)
    for side, command in [("old", old), ("new", new)]:
        for of, table in tables.items():
            done = run(command, "inspect", table, "--format", "json")
            if done.returncode != 0:
                found.setdefault("doesNotLoad", []).append({"command": side, "table": of, "reason": reason(done, scratch)})
            elif side == of:
                found[f"{side}Digest"] = json.loads(done.stdout)["policyDigest"]
    loads = {(one["command"], one["table"]) for one in found.get("doesNotLoad", [])}
    digests = [found.get("oldDigest"), found.get("newDigest")]
    if len(tables) == 2 and (digests[0] != digests[1] or None in digests):
        # If the new command cannot read the old table, `diff` fails and says why.
        done = run(new, "diff", tables["old"], tables["new"], "--require", "no-weaker", "--at", "1970-01-01")
        found["meaning"] = {0: "stricter", 1: "weaker"}.get(done.returncode, "not compared")
        told = done.stdout.strip().split("\n\n")[0][:400]
        found["meaningText"] = reason(done, scratch) if found["meaning"] == "not compared" else told
    for options, rows in unit.groups:
        if "old" not in tables and not unit.is_old:
            found["newRows"] += len(rows)  # the old command was never asked
            continue
        answers = {}
        if "old" in tables:
            answers["old"] = judged(old, tables["old"], options, rows)
        if "new" in tables:
            answers["new"] = judged(new, tables["new"], options, rows)
        if "old" in tables and ("new", "old") not in loads:
            answers["new with the old table"] = judged(new, tables["old"], options, rows)
        # Where one side has no table nobody is accepted by it.
        for index, row in enumerate(rows):
            if not tables:
                continue
            found["rows"] += 1
            was = answers["old"][index] if "old" in answers else {"verdict": "reject", "sentence": "the policy does not compile"}
            kinds = set()
            for by in ["new", "new with the old table"]:
                if by not in answers:
                    continue
                answer = answers[by][index]
                kinds.add((was["verdict"], answer["verdict"]))
                entry = {"row": row["id"], "by": by, "from": was["verdict"], "to": answer["verdict"],
                         "sentence": answer.get("sentence") or was.get("sentence") or ""}  # fmt: skip
                if was["verdict"] != answer["verdict"]:
                    found["flips"].append(entry)
                elif facts(was) != facts(answer):
                    before, after = facts(was), facts(answer)
                    changed = {key: [before[key], after[key]] for key in before if before[key] != after[key]}
                    found["otherwise"].append(entry | {"changed": changed})
            found["accepted"] += kinds == {("accept", "accept")}
            found["refused"] += kinds == {("reject", "reject")}
            found["errors"] += any("error" in kind for kind in kinds)
    return found


# ---------------------------------------------------------------------- the answer


def plural(count, one, many):
    return f"{count:,} {one if count == 1 else many}"


def answer(results, left, names):
    old, new = names
    policies, rows = len(results), sum(one["rows"] for one in results)
    now_accepted = sorted({flip["row"] for one in results for flip in one["flips"] if flip["to"] == "accept"})
    now_refused = sorted({flip["row"] for one in results for flip in one["flips"] if flip["from"] == "accept"})
    weaker = [one for one in results if one.get("meaning") == "weaker"]
    unknown = [one for one in results if one.get("meaning") == "not compared"]
    only_new = [one for one in results if "oldRefuses" in one and "newRefuses" not in one]
    loosened = [one for one in only_new if one["isOld"]]
    only_old = [one for one in results if "newRefuses" in one and "oldRefuses" not in one]
    loads = [(one["unit"], entry) for one in results for entry in one.get("doesNotLoad", [])]
    stricter = [one for one in results if one.get("meaning") == "stricter"]
    otherwise = sorted({entry["row"] for one in results for entry in one["otherwise"]})
    count = {
        "policies": policies,
        "compiled by both": sum("oldDigest" in one and "newDigest" in one for one in results),
        "with the same digest": sum("oldDigest" in one and one.get("oldDigest") == one.get("newDigest") for one in results),
        "refused by both": sum("oldRefuses" in one and "newRefuses" in one for one in results),
        "rows": rows,
        "accepted by both": sum(one["accepted"] for one in results),
        "rejected by both": sum(one["refused"] for one in results),
        "rows that could not be read": sum(one["errors"] for one in results),
        "rows of policies that neither compiles": left,
        "rows of new policies that the old one refuses": sum(one["newRows"] for one in results),
    }
    bounds = f"Of {plural(policies, 'policy', 'policies')} and {plural(rows, 'row', 'rows')},"
    accepts = bool(now_accepted or weaker or loosened)
    if accepts:
        parts = []
        if now_accepted:
            parts.append(f"accepts {plural(len(now_accepted), 'row', 'rows')} that {old} refused")
        if weaker:
            parts.append(f"compiles {plural(len(weaker), 'policy', 'policies')} to a table that may accept what {old}'s refused")
        if loosened:
            parts.append(f"compiles {plural(len(loosened), 'policy', 'policies')} that {old} refused to compile")
        status, sentence = 1, f"{bounds} {new} " + ", and ".join(parts) + "."
    elif not rows or not count["accepted by both"]:
        status, sentence = 2, f"{bounds} nothing is known of {new}: no row is accepted by both."
    elif unknown:
        status, sentence = 2, f"Of {plural(rows, 'row', 'rows')}, {new} accepts none that {old} refused, but of "
        sentence += f"{plural(policies, 'policy', 'policies')} the tables of {len(unknown):,} could not be compared."
    else:
        status, sentence = 0, f"{bounds} {new} accepts nothing that {old} refused."
    lists = [
        (f"Rows that {new} accepts and {old} refused", [named_flip(results, row, "accept") for row in now_accepted]),
        (f"Policies whose table of {new} may accept more", grouped((one["unit"], one["meaningText"]) for one in weaker)),
        (f"Policies that {old} refused and {new} compiles", grouped((one["unit"], one["oldRefuses"]) for one in loosened)),
        ("Tables that could not be compared", grouped((one["unit"], one["meaningText"]) for one in unknown)),
        (f"Rows that {new} refuses and {old} accepted", [named_flip(results, row, None) for row in now_refused]),
        (f"Policies that {new} refuses and {old} compiled", grouped((one["unit"], one["newRefuses"]) for one in only_old)),
        (f"Policies whose table of {new} accepts no more, and not the same", grouped((one["unit"], one["meaningText"]) for one in stricter)),
        ("Tables that do not load", grouped(
            (unit, f"the {entry['table']} table by the {entry['command']} command: {entry['reason']}") for unit, entry in loads)),
        ("Rows with the same verdict and other violations, reports, notices or another path", [named_other(results, row) for row in otherwise]),
        (f"New policies that only {new} compiles", [f"`{one['unit']}`" for one in only_new if not one["isOld"]]),
    ]  # fmt: skip
    return status, sentence, count, [(title, entries) for title, entries in lists if entries]


def grouped(entries):
    """A line for each text, with the number of the policies of which it is true, and the first of their names."""
    groups = {}
    for unit, text in entries:
        groups.setdefault(text, []).append(f"`{unit}`")
    return [f"{shortened(units)}: {text}" for text, units in groups.items()]


def shortened(units):
    return ", ".join(units) if len(units) < 4 else f"{len(units):,} policies, such as {units[0]}"


def named_flip(results, row, to):
    flips = [flip for one in results for flip in one["flips"] if flip["row"] == row and (to is None or flip["to"] == to)]
    by = " and ".join(sorted({flip["by"] for flip in flips}))
    return f"`{row}`: {flips[0]['from']} -> {flips[0]['to']} ({by}): {flips[0]['sentence']}"


def named_other(results, row):
    entry = next(entry for one in results for entry in one["otherwise"] if entry["row"] == row)
    changes = "; ".join(f"{key}: {', '.join(a) or 'none'} -> {', '.join(b) or 'none'}" if key != "path" else "another path"
                        for key, (a, b) in entry["changed"].items())  # fmt: skip
    return f"`{row}` ({entry['from']}): {changes}"


def text_of(sentence, count, lists, markdown):
    lines = [f"**{sentence}**" if markdown else sentence, ""]
    if markdown:
        lines += ["| | |", "|---|---|"]
    lines += [f"| {name} | {value:,} |" if markdown else f"{name:<51} {value:>8,}" for name, value in count.items()]
    for title, entries in lists:
        lines += ["", f"### {title}" if markdown else f"{title}:", ""]
        lines += ["- " + re.sub(r"\s+", " ", entry) for entry in entries[:MOST_NAMED]]
        if len(entries) > MOST_NAMED:
            lines.append(f"- and {len(entries) - MOST_NAMED:,} more")
    return "\n".join(lines) + "\n"


def name_of(command):
    said = run(command, "--version")
    return said.stdout.strip() or "unknown"


def main():
    parser = argparse.ArgumentParser()
    for name in ["--old", "--new", "--policies"]:
        parser.add_argument(name, required=True, type=pathlib.Path)
    for name in ["--old-policies", "--vectors", "--markdown", "--json"]:
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--names", nargs=2)
    asked = parser.parse_args()
    old, new = str(asked.old.resolve()), str(asked.new.resolve())
    names = asked.names or [name_of(old), name_of(new)]
    if names[0] == names[1]:
        names = [f"{names[0]} (old)", f"{names[1]} (new)"]

    units, seen = [], set()
    roots = [(asked.old_policies, True)] if asked.old_policies else []
    for root, is_old in [*roots, (asked.policies, not asked.old_policies)]:
        for unit in units_of(root.resolve(), is_old):
            mark = (unit.name, digest(unit.paths))
            if mark not in seen:
                seen.add(mark)
                units.append(unit)
    if asked.vectors:
        units += vectors_of(asked.vectors.resolve())

    def one(unit):
        with tempfile.TemporaryDirectory() as folder:
            return compare(unit, old, new, pathlib.Path(folder))

    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(one, units))
    except (NotCompared, subprocess.TimeoutExpired) as problem:
        print(f"not compared: {problem}", file=sys.stderr)
        sys.exit(2)
    asked_rows = sum(len(rows) for unit in units for _, rows in unit.groups)
    left = asked_rows - sum(one["rows"] + one["newRows"] for one in results)
    status, sentence, count, lists = answer(results, left, names)
    print(text_of(sentence, count, lists, False), end="")
    if asked.markdown:
        asked.markdown.write_text(text_of(sentence, count, lists, True))
    if asked.json:
        asked.json.write_text(json.dumps({"sentence": sentence, "counts": count, "units": results}, indent=1) + "\n")
    sys.exit(status)


main()
