"""Writes units as policies, asks the command, and reads its answers."""

import json
import pathlib
import re
import shutil
import subprocess
import typing

from hosts import parsed
from order import MATERIAL, Sign, direction
from units import Body, Unit, first

AT = "2026-12-01T00:00:00Z"
START = first(AT)


class Refused(Exception):
    """A policy of ours does not compile: a fault of the generator."""


# Several pairs share one run of the command: the hosts and the ids of each pair have a name of its
# own.

def renamed_host(host: str, place: int) -> str:
    if host.startswith("10.0.0."):
        return host.replace("10.0.0.", f"10.{place >> 8}.{place & 255}.", 1)
    if "2001:db8::" in host:
        return host.replace("2001:db8::", f"2001:db8:{place:x}::", 1)
    return re.sub(r"example(?=$|:)", f"p{place}.example", host)


def renamed_id(name: str, place: int) -> str:
    return name if name in ("system", "pinned-keys", "baseline", "ats") else f"p{place}-{name}"


def renamed_layer(layer: Body, place: int) -> Body:
    """A rule, profile or set with the references and hosts of one pair."""
    made = dict(layer)
    for name in ("anchors", "pins", "include"):
        if name in made:
            made[name] = [renamed_id(entry, place) for entry in made[name]]
    for name in ("profile", "extends"):
        if name in made:
            made[name] = renamed_id(made[name], place)
    if "hosts" in made:
        made["hosts"] = [renamed_host(host, place) for host in made["hosts"]]
    if "exempt-anchors" in made.get("transparency", {}):
        exempt = [renamed_id(name, place) for name in made["transparency"]["exempt-anchors"]]
        made["transparency"] = made["transparency"] | {"exempt-anchors": exempt}
    return made


def merged(units: list[Unit], default: typing.Any) -> dict[str, typing.Any]:
    policy: dict[str, typing.Any] = {"hawser": 1, "default": default}
    for place, unit in enumerate(units, 1):
        for section in ("anchors", "pins", "profiles", "rules"):
            for name, entry in unit.get(section, {}).items():
                policy.setdefault(section, {})[renamed_id(name, place)] = renamed_layer(entry, place)
    return policy


def renamed_statement(statement: Body, place: int) -> Body:
    made = dict(statement) | {"hosts": [renamed_host(host, place) for host in statement["hosts"]]}
    demands = dict(made.get("at-least", {}))
    for name in ("anchors", "transparency.exempt-anchors"):
        if isinstance(demands.get(name), list):
            demands[name] = [renamed_id(entry, place) for entry in demands[name]]
    if demands:
        made["at-least"] = demands
    reference = made.get("no-weaker-than")
    if isinstance(reference, dict):
        made["no-weaker-than"] = {
            name: value if name == "unit" else renamed_id(value, place) for name, value in reference.items()}
    return made


class Workshop:
    """Two folders with the material, in which units are written and compared."""

    def __init__(self, binary: str, folder: pathlib.Path) -> None:
        self.binary, self.folder = binary, folder
        for side in ("old", "new"):
            shutil.copytree(MATERIAL, folder / side, ignore=shutil.ignore_patterns("*.py", "digests.json"))

    def run(self, *arguments: str) -> tuple[str, typing.Any]:
        """The first line of what the command says of a fault, and its answer."""
        done = subprocess.run(
            [self.binary, *arguments, "--at", AT, "--format", "json"], cwd=self.folder, capture_output=True, text=True)
        try:
            return done.stderr.split("\n", 1)[0], json.loads(done.stdout)
        except json.JSONDecodeError:
            raise RuntimeError(f"hawser {arguments[0]} ended with {done.returncode}: {done.stderr[:500]}") from None

    def write(self, side: str, units: list[Unit], default: typing.Any) -> None:
        policy = merged(units, default)
        (self.folder / side / "policy.yaml").write_text(json.dumps(policy, indent=1))

    def diff(self) -> "Answer":
        message, answer = self.run("diff", "old", "new")
        if not answer["compared"]:
            if answer.get("isOurFault"):
                raise RuntimeError(answer["reason"])
            raise Refused(message or answer["reason"])
        return Answer(answer["comparisons"][0])

    def asserted(self, statements: dict[str, Body]) -> dict[str, typing.Any]:
        """The answer to each statement about the new unit."""
        path = self.folder / "new" / "oracle.assert.yaml"
        path.write_text(json.dumps({"hawser-assert": 1, "assertions": statements}, indent=1))
        try:
            message, answer = self.run("assert", "new")
        finally:
            path.unlink()
        if not answer["asked"]:
            raise Refused(message or answer["reason"])
        return {entry["id"]: entry for unit in answer["units"] for entry in unit["assertions"]}


Key = tuple[str | None, int | None]


class Answer:
    """What `diff` says of each class, from each instant on."""

    def __init__(self, comparison: Body) -> None:
        self.counts = comparison["counts"]
        self.signs: dict[tuple[str, str, str], set[Sign]] = {}
        named: dict[Key, list[Sign]] = {}
        self.relations: dict[Key, list[list[tuple[int, Sign]]]] = {}
        self.told: dict[Key, list[list[tuple[int, list[tuple[str, Sign]]]]]] = {}
        for change in comparison["changes"]:
            intervals = [
                (first(interval["from"]), [(field["path"], Sign(field["relation"])) for field in interval["fields"]])
                for interval in change["intervals"]]
            relations = [(first(interval["from"]), Sign(interval["relation"])) for interval in change["intervals"]]
            for interval in change["intervals"]:
                for field in interval["fields"]:
                    values = (field["path"], field["from"], field["to"])
                    self.signs.setdefault(values, set()).add(Sign(field["relation"]))
            for entry in change["classes"]:
                pattern = entry.get("pattern")
                host = None if pattern is None else parsed(pattern).host
                named.setdefault((host, entry.get("port")), []).append(Sign(change["relation"]))
                self.told.setdefault((host, entry.get("port")), []).append(intervals)
                self.relations.setdefault((host, entry.get("port")), []).append(relations)
        self.names = [direction(signs) for signs in named.values()]

    def wrong(self) -> list[str]:
        """What the answer says against itself: a count that its classes do not bear out, and one field with two signs."""
        found = [f"{sign.value} is counted {self.counts[sign.value]} times and told {self.names.count(sign)} times"
                 for sign in (Sign.WEAKER, Sign.INCOMPARABLE, Sign.STRICTER)
                 if self.counts[sign.value] != self.names.count(sign)]
        # A value that is cut short may stand for several, and `[pinned-keys]` stands for entries
        # that are not written. A term of an anchor set is compared with the terms of every set of
        # the rule that has the same authority.
        return found + [
            f"{path} has the signs {', '.join(sorted(sign.value for sign in signs))} from {before} to {after}"
            for (path, before, after), signs in self.signs.items()
            if len(signs) > 1 and "…" not in before + after and "[pinned-keys]" not in (before + after)
            and not (path.startswith("anchors.") and path.count(".") > 1)]

    def direction(self, key: Key, at: int) -> Sign:
        """What the changes of a class together are called at an instant."""
        return direction(
            relation for intervals in self.relations.get(key, [])
            for relation in [relation for begin, relation in intervals if begin <= at][-1:])

    def holds(self, key: Key, at: int) -> bool:
        """Whether no change of a class is weaker or incomparable at an instant."""
        return self.direction(key, at).holds

    def fields(self, key: Key, at: int) -> list[tuple[str, Sign]]:
        """Each field that differs in a class at an instant."""
        found = []
        for intervals in self.told.get(key, []):
            current = [fields for begin, fields in intervals if begin <= at]
            found += current[-1] if current else []
        return found
