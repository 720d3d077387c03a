"""Joins the verdicts of Hawser, Go and libcrypto on random worlds, and sorts every disagreement.

Usage: worlds.py FOLDER REASONS TABLE

FOLDER has worlds.ndjson, the answers of `hawser audit` (audit.ndjson), of worlds.go (go.ndjson) and
of `conformance --beside-libcrypto --json` (runner.json). REASONS is worlds-reasons.json, a list of
classes. A disagreement of Hawser with one peer is in a class if the facts of its world are:

  peer       `go` or `libcrypto`
  hawser     Hawser's verdict, `accept` or `reject`
  violation  of a reject: a pattern of the violations that the class explains. Each violation of the
             reject needs a class, as the peer does without each
  beside     of a reject: a pattern; one of the violations of the reject must match it
  says       of an accept: a pattern in the words of the peer
  facts      patterns; each must be in some fact of the world (Tests/PrivatePKI/Shapes/Worlds)
  without    patterns; none may be in a fact of the world
  other      the verdicts of the other peer with which the class goes; by default any
  path       `accept`: of an accept: libcrypto accepts the certificates of Hawser's path alone

and `reason` and `source` say why Hawser differs. No class knows a world by its id. Exit status 1 if
a disagreement has no class, or if `audit` and the engine in the runner disagree. Classes without a
disagreement are named.
"""

import collections
import json
import pathlib
import re
import sys

PEERS = ("go", "libcrypto")


class Class:
    def __init__(self, entry):
        known = {"peer", "hawser", "violation", "says", "beside", "facts", "without", "other", "path",
                 "reason", "source"}  # fmt: skip
        if set(entry) - known or entry["peer"] not in PEERS or not entry["reason"] or not entry["source"]:
            sys.exit(f"not a class: {entry}")
        if ("violation" in entry) != (entry["hawser"] == "reject") or ("says" in entry) == ("violation" in entry):
            sys.exit(f"a class of rejects has a violation, and one of accepts what the peer says: {entry}")
        self.entry = entry
        self.violation = re.compile(entry.get("violation", ""))
        self.beside = re.compile(entry.get("beside", ""))
        self.says = re.compile(entry.get("says", ""))
        self.facts = [re.compile(pattern) for pattern in entry.get("facts", [])]
        self.without = [re.compile(pattern) for pattern in entry.get("without", [])]
        self.worlds = []

    def explains(self, world, peer, violation):
        entry = self.entry
        other = world["verdicts"]["libcrypto" if peer == "go" else "go"][0]
        return (
            entry["peer"] == peer
            and entry["hawser"] == world["verdicts"]["hawser"][0]
            and self.violation.fullmatch(violation or "") is not None
            and ("beside" not in entry or any(map(self.beside.fullmatch, world["verdicts"]["hawser"][1])))
            and self.says.search(world["verdicts"][peer][1]) is not None
            and other in entry.get("other", [other])
            and entry.get("path") in (None, world.get("path"))
            and all(any(map(pattern.search, world["facts"])) for pattern in self.facts)
            and not any(pattern.search(fact) for pattern in self.without for fact in world["facts"])
        )


def lines(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


def read(folder):
    """Each world with its facts and everybody's verdicts; a verdict is a word and its reasons."""
    worlds = {}
    for line in lines(folder / "worlds.ndjson"):
        worlds[line["id"]] = {"id": line["id"], "facts": line["oddities"], "verdicts": {}}
    for row in lines(folder / "audit.ndjson"):
        ids = sorted({violation["id"] for violation in row["violations"]})
        worlds[row["id"]]["verdicts"]["hawser"] = (row["verdict"], ids)
    for row in lines(folder / "go.ndjson"):
        worlds[row["id"]]["verdicts"]["go"] = (row["verdict"], row.get("reason", ""))
    twice = []
    for case in json.loads((folder / "runner.json").read_text())["cases"]:
        world = worlds[case["id"]]
        peer = case["libcrypto"]
        # Its words about Hawser's path say more than those about a path that it chose.
        alone = peer.get("onPath") or {}
        world["path"] = alone.get("verdict")
        world["verdicts"]["libcrypto"] = (peer["verdict"], alone.get("reason") or peer.get("reason") or "")
        if case["verdict"] != world["verdicts"]["hawser"][0]:
            twice.append(case["id"])
    return list(worlds.values()), twice


def disagreements(worlds):
    """A world, a peer and for a reject each violation, wherever the peer says the other thing."""
    for world in worlds:
        ours, ids = world["verdicts"]["hawser"]
        for peer in PEERS:
            if {ours, world["verdicts"][peer][0]} != {"accept", "reject"}:
                continue
            for violation in ids if ours == "reject" else [None]:
                yield world, peer, violation


def sharpness(worlds, classes):
    """By violation: the worlds that Hawser and a peer reject, and of these the worlds in which an
    accept of Hawser's would be in no class. In so many worlds an engine without the rule is noticed."""
    met, noticed = collections.Counter(), collections.Counter()
    for world in worlds:
        ours, ids = world["verdicts"]["hawser"]
        peers = [peer for peer in PEERS if world["verdicts"][peer][0] == "reject"]
        if ours != "reject" or not peers:
            continue
        accepted = world | {"verdicts": world["verdicts"] | {"hawser": ("accept", [])}}
        explained = all(any(one.explains(accepted, peer, None) for one in classes) for peer in peers)
        met.update(["any", *ids])
        if not explained:
            noticed.update(["any", *ids])
    return [(name, count, noticed[name]) for name, count in met.most_common()]


def cell(text):
    return text.replace("|", "\\|")


def table(worlds, classes):
    counts = collections.Counter(
        tuple(world["verdicts"][name][0] for name in ("hawser", *PEERS)) for world in worlds
    )
    text = "## Verdicts\n\n| Hawser | Go | libcrypto | worlds |\n|---|---|---|---|\n"
    text += "".join(f"| {' | '.join(words)} | {count} |\n" for words, count in sorted(counts.items()))
    for ours, title in [("accept", "Hawser accepts"), ("reject", "Hawser rejects")]:
        for peer in PEERS:
            found = [one for one in classes if (one.entry["peer"], one.entry["hawser"]) == (peer, ours) and one.worlds]
            if not found:
                continue
            verb = "rejects" if ours == "accept" else "accepts"
            column = "Go's or libcrypto's words" if ours == "accept" else "violation"
            text += f"\n## {title}, {'Go' if peer == 'go' else 'libcrypto'} {verb}\n\n"
            text += f"| worlds | {column} | facts | why | source |\n|---|---|---|---|---|\n"
            for one in sorted(found, key=lambda one: -len(one.worlds)):
                entry = one.entry
                facts = [f"`{pattern}`" for pattern in entry.get("facts", [])]
                facts += [f"not `{pattern}`" for pattern in entry.get("without", [])]
                facts += [f"the other peer: {' or '.join(entry['other'])}"] if "other" in entry else []
                facts += ["accepts Hawser's path alone"] if "path" in entry else []
                row = [str(len(one.worlds)), f"`{entry.get('violation') or entry['says']}`", "; ".join(facts),
                       entry["reason"], entry["source"]]  # fmt: skip
                text += f"| {' | '.join(map(cell, row))} |\n"
    return text


def main():
    folder, reasons, page = map(pathlib.Path, sys.argv[1:])
    worlds, twice = read(folder)
    classes = [Class(entry) for entry in json.loads(reasons.read_text())]
    missing = collections.defaultdict(list)
    total = 0
    for world, peer, violation in disagreements(worlds):
        total += 1
        found = next((one for one in classes if one.explains(world, peer, violation)), None)
        if found is None:
            ours, words = world["verdicts"]["hawser"][0], world["verdicts"][peer][1]
            missing[peer, ours, violation or re.sub(r'"[^"]*"|time \S+', "…", words)].append(world)
        else:
            found.worlds.append(world)
    text = table(worlds, classes)
    text += "\n## What a false accept would meet\n\nWorlds that Hawser and a peer reject, by Hawser's violation. If Hawser "
    text += "accepted them, the\nlast column would be disagreements without a class.\n\n"
    text += "| violation | worlds | without a class |\n|---|---|---|\n"
    text += "".join(f"| {name} | {met} | {noticed} |\n" for name, met, noticed in sharpness(worlds, classes))
    page.write_text(text)
    print(f"{len(worlds)} worlds, {total} disagreements in {sum(bool(one.worlds) for one in classes)} classes")
    for one in classes:
        if not one.worlds:
            print(f"no world needs this class: {json.dumps({k: v for k, v in one.entry.items() if k != 'reason'})}")
    for (peer, ours, why), found in sorted(missing.items(), key=lambda item: -len(item[1])):
        print(f"WITHOUT A CLASS, {len(found)} times: Hawser {ours}, {peer} differs: {why}")
        for world in sorted(found, key=lambda world: len(world["facts"]))[:3]:
            verdicts = "; ".join(f"{name} {word} {reason}" for name, (word, reason) in world["verdicts"].items())
            print(f"    {world['id']}: {' | '.join(world['facts'])}\n        {verdicts}")
    for one in twice:
        print(f"`hawser audit` and the engine in the runner disagree: {one}")
    sys.exit(1 if missing or twice else 0)


if __name__ == "__main__":
    main()
