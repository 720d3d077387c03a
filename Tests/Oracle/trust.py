"""Anchors with their terms, pins, identity and forbidden keys, as formulas over one accepted path.

A path is: the anchor at its end, the keys and certificates at its positions, and the names, dates and
purposes of its leaf. An anchor is its name and its key (section 5); a term is one way in which a set
takes it.
"""

import dataclasses
import functools
import json
import typing

import z3

from hosts import network, number
from order import (FALSE, ISSUED, LIFETIME, MATERIAL, NOW, SILENT, TRUE, Fields, Sign, at_least, ends_within, implies,
                   key, log_list, of, sign, window, word)
from units import Unit, last, seconds

HAS_TIMESTAMPS = z3.Bool("has timestamps")
DIGESTS: dict[str, dict[str, str]] = json.loads((MATERIAL / "digests.json").read_text())
# The key of each certificate of `material`, by the first certificate that has it.
KEYS = {"r1-short": "r1", "r1-names": "r1", "r1-length": "r1", "r1-renamed": "r1"}
END = {"key": z3.Int("key of the anchor"), "certificate": z3.Int("certificate of the anchor")}
NAME_LABELS = [z3.Int(f"name{index}") for index in range(6)]
NAME_LENGTH, NAME_KIND = z3.Int("name labels"), z3.Int("name kind")
NAME_ADDRESS, HAS_NAME = z3.BitVec("name address", 32), z3.Bool("has a DNS or IP name")
SEGMENTS = [z3.Int(f"segment{index}") for index in range(5)]
SEGMENT_COUNT, AUTHORITY, HAS_URI = z3.Int("segments"), z3.Int("uri authority"), z3.Bool("has a URI")


def stem(file: str) -> str:
    return file.removesuffix(".pem")


# Key matches, section 6.2.

@dataclasses.dataclass(frozen=True)
class Match:
    """What a key match names: a key or a certificate, by a digest. The digests of a key and of a certificate are
    not compared, because one does not tell the other."""

    kind: str
    name: str
    # Whether a file of the policy holds the certificate that is named, or whose key is.
    file: str | None = None


@functools.cache
def by_digest() -> dict[str, Match]:
    found = {}
    for name, digests in DIGESTS.items():
        found[digests["spki"]] = Match("key", KEYS.get(name, name))
        found[digests["certificate"]] = Match("certificate", name)
    return found


def matched(entry: dict[str, typing.Any]) -> Match:
    if "spki-file" in entry:
        name = stem(entry["spki-file"])
        return Match("key", KEYS.get(name, name), name)
    if "certificate-file" in entry:
        name = stem(entry["certificate-file"])
        return Match("certificate", name, name)
    return by_digest()[entry.get("spki") or entry["certificate"]]


def is_member(name: str, entry: dict[str, typing.Any]) -> bool:
    """Whether a key match of `only` or `exclude` matches a listed certificate."""
    match = matched(entry)
    return match.name == (name if match.kind == "certificate" else KEYS.get(name, name))


# Names of the leaf, section 5.1.

def name_matches(pattern: str) -> z3.BoolRef:
    """That a DNS or IP name of the leaf matches. One name is enough to tell two constraints apart."""
    found = network(pattern)
    if found is not None:
        return z3.And(
            NAME_KIND == 1, z3.UGE(NAME_ADDRESS, int(found.network_address)),
            z3.ULE(NAME_ADDRESS, int(found.broadcast_address)))
    fixed = list(reversed(pattern.removeprefix("**.").removeprefix("*.").split(".")))
    count = len(fixed)
    length = (
        NAME_LENGTH > count if pattern.startswith("**.") else NAME_LENGTH == count + 1 if pattern.startswith("*.")
        else NAME_LENGTH == count)
    return z3.And(
        NAME_KIND == 0, length, *(NAME_LABELS[index] == number(label) for index, label in enumerate(fixed)))


def uri_matches(pattern: str) -> z3.BoolRef:
    """Section 11.6: `/*` stands for one segment, `/**` for one or more."""
    authority, *path = pattern.removeprefix("spiffe://").split("/")
    formula = [AUTHORITY == word(authority)]
    wild = path[-1] if path and path[-1] in ("*", "**") else ""
    fixed = path[:-1] if wild else path
    formula += [SEGMENTS[index] == word(f"/{segment}") for index, segment in enumerate(fixed)]
    count = len(fixed)
    formula.append(
        SEGMENT_COUNT > count if wild == "**" else SEGMENT_COUNT == count + 1 if wild else SEGMENT_COUNT == count)
    return z3.And(*formula)


def constraints(entry: dict[str, typing.Any]) -> z3.BoolRef:
    """Section 5.1: all of them together."""
    formula = []
    if "permitted-names" in entry:
        formula.append(z3.Implies(HAS_NAME, z3.Or(*map(name_matches, entry["permitted-names"]))))
    if "excluded-names" in entry:
        formula.append(z3.Implies(HAS_NAME, z3.Not(z3.Or(*map(name_matches, entry["excluded-names"])))))
    if "permitted-uris" in entry:
        formula.append(z3.Implies(HAS_URI, z3.Or(*map(uri_matches, entry["permitted-uris"]))))
    if "not-before" in entry:
        formula.append(window(entry["not-before"], ISSUED))
    if "sct" in entry:
        formula.append(z3.Bool(f"sct {key(entry['sct'])}"))
    if "key-purposes" in entry:
        formula.append(z3.Or(*(z3.Bool(f"leaf is for {name}") for name in entry["key-purposes"])))
    if "maximum-lifetime" in entry:
        formula.append(LIFETIME <= seconds(entry["maximum-lifetime"]))
    return z3.And(*formula)


LIMITS = ["dates", "name-constraints", "key-purposes", "path-length"]


def own_limits(ignored: list[str]) -> z3.BoolRef:
    """The limits in an anchor's own certificate bind unless `ignore-limits` names them (whether it has them or not)."""
    return z3.And(*(z3.Bool(f"keeps the limit {limit}") for limit in LIMITS if limit not in ignored))


# Anchor sets, section 5.

@dataclasses.dataclass(frozen=True)
class Term:
    """One way in which a rule takes an anchor; `member` is none for the machine's store."""

    member: str | None
    formula: z3.BoolRef
    is_leaf: bool = False
    standard: str = "web-pki"

    def covers(self, other: "Term", enforces: bool) -> bool:
        """Whether `other` is the same certificate, on terms no looser. The store equals only
        itself.

        `enforces`: whether this side's `path.issuance` is `enforce`. Each standard then has demands that the
        other one does not have.
        """
        if self.member != other.member or self.is_leaf != other.is_leaf:
            return False
        if self.standard != other.standard and (other.standard == "rfc5280" or enforces):
            return False
        return implies(other.formula, self.formula)


def filtered(name: str | None, definition: dict[str, typing.Any]) -> z3.BoolRef:
    """`only` keeps some members, then `exclude` removes some."""
    kept = list(definition.get("only", {}).values())
    removed = list(definition.get("exclude", {}).values())
    if name is not None:
        keeps = not kept or any(is_member(name, entry) for entry in kept)
        return TRUE if keeps and not any(is_member(name, entry) for entry in removed) else FALSE
    formula = [z3.Not(stored(entry)) for entry in removed]
    return z3.And(*formula, z3.Or(*map(stored, kept)) if kept else TRUE)


def stored(entry: dict[str, typing.Any]) -> z3.BoolRef:
    """That the store's certificate at the end of the path is matched."""
    return at_end(matched(entry))


def at_end(match: Match) -> z3.BoolRef:
    return END[match.kind] == word(f"{match.kind} {match.name}")


def set_terms(name: str, unit: Unit) -> list[Term]:
    if name == "system":
        return [Term(None, TRUE)]
    definition = unit["anchors"][name]
    bound = constraints(definition.get("constraints", {}))
    found = [term for other in definition.get("include", []) for term in set_terms(other, unit)]
    for file in definition.get("files", []):
        limits = own_limits(definition.get("ignore-limits", []))
        found.append(Term(
            stem(file), limits, definition.get("kind") == "leaf", definition.get("standard", "rfc5280")))
    kept = [(term, filtered(term.member, definition)) for term in found]
    return [narrowed(term, bound, keeps) for term, keeps in kept if not keeps.eq(FALSE)]


def narrowed(term: Term, *further: z3.BoolRef) -> Term:
    return dataclasses.replace(term, formula=z3.And(term.formula, *further))


def rule_terms(body: dict[str, typing.Any], unit: Unit, fields: Fields, demanded: bool) -> list[Term]:
    """The terms of a rule's sets; where timestamps are demanded, a set is exempt from them or is not."""
    found = []
    exempt = fields.get("transparency.exempt-anchors", []) if demanded else []
    windows = [definition["constraints"]["sct"] for definition in unit.get("anchors", {}).values()
               if "sct" in definition.get("constraints", {})]
    judged = [(z3.Bool(f"sct {key(value)}"), earliest_timestamp(value, fields)) for value in windows]
    for name in body["anchors"]:
        needs = HAS_TIMESTAMPS if demanded and name not in exempt else TRUE
        for term in set_terms(name, unit):
            formula = z3.substitute(term.formula, *judged) if judged else term.formula
            found.append(dataclasses.replace(term, formula=z3.And(formula, needs)))
    return found


def earliest_timestamp(value: dict[str, str], fields: Fields) -> z3.BoolRef:
    """`constraints.sct`: the earliest timestamp that counts by the rule's log list lies in the window."""
    if "transparency.log-list" not in fields:
        return FALSE
    date, logs = log_list(fields["transparency.log-list"])
    valid = {log[0]: z3.And(z3.Bool(f"timestamp of {log[0]}"), ends_within(log[2])) for log in logs}
    times = {log: z3.Int(f"timestamp of {log}") for log in valid}
    formula = z3.Or(*(
        z3.And(valid[log], window(value, times[log]),
               *(z3.Implies(valid[other], times[other] >= times[log]) for other in valid if other != log))
        for log in valid))
    if fields["transparency.when-stale"] != "fail":
        return formula
    return z3.And(formula, NOW <= date + seconds(fields["transparency.log-list-maximum-age"]))


def lies_in(inner: list[Term], outer: list[Term], enforces: bool) -> bool:
    """Fewer authorities on terms no looser: each term of `inner` has one of `outer` that covers it."""
    return all(any(term.covers(other, enforces) for term in outer) or is_empty(other) for other in inner)


def is_empty(term: Term) -> bool:
    return implies(term.formula, FALSE)


def anchors_sign(old: list[Term], new: list[Term], enforces: tuple[bool, bool]) -> Sign:
    return of(lies_in(new, old, enforces[0]), lies_in(old, new, enforces[1]))


def offered(body: dict[str, typing.Any], unit: Unit) -> frozenset[str]:
    """The intermediates that the sets of a rule offer to the path search, but for a set's own anchors."""
    return frozenset().union(*(
        offered_by(name, unit) - {f"{term.member}.pem" for term in set_terms(name, unit) if not term.is_leaf}
        for name in body["anchors"] if name in unit["anchors"]))


def offered_by(name: str, unit: Unit) -> set[str]:
    """The intermediates of a set, and of the sets that it includes."""
    definition = unit["anchors"].get(name, {})
    return set(definition.get("intermediates", [])).union(
        *(offered_by(other, unit) for other in definition.get("include", [])))


# Pins, section 6.

POSITIONS = {
    "leaf": ["leaf"], "intermediate": ["intermediate"], "anchor": ["anchor"], "ca": ["intermediate", "anchor"],
    "any": ["leaf", "intermediate", "anchor"]}


def lies_at(match: Match, position: str) -> z3.BoolRef:
    return z3.Bool(f"{match.kind} {match.name} at {position}")


def pin_set(definition: dict[str, typing.Any]) -> z3.BoolRef:
    """At least `match` distinct keys of the entries lie on the path, each at its own position."""
    entries = [*definition["keys"].values(), *definition["backups"].values()]
    wanted = definition.get("match", "any")
    count = 1 if wanted == "any" else len(definition["keys"]) if wanted == "all" else wanted
    by_key: dict[tuple[str, str], list[z3.BoolRef]] = {}
    for entry in entries:
        match = matched(entry)
        places = [lies_at(match, position) for position in POSITIONS[entry.get("at", "any")]]
        by_key.setdefault((match.kind, match.name), []).append(z3.Or(*places))
    return at_least(count, [z3.Or(*found) for found in by_key.values()])


def pin_demand(definition: dict[str, typing.Any], at: int) -> z3.BoolRef:
    """What a set demands at an instant: all of it, a report, or nothing (`on-expiry`)."""
    if "enforce-until" in definition and at > last(definition["enforce-until"]):
        then = definition.get("on-expiry", "fail")
        if then != "fail":
            return TRUE if then == "unpinned" else z3.Or(z3.Not(SILENT), pin_set(definition))
    return pin_set(definition)


def pins(names: list[str], unit: Unit, at: int) -> list[z3.BoolRef]:
    """What each pin set of a rule demands; all of them hold together."""
    return [pin_demand(unit["pins"][name], at) for name in names]


def pins_sign(old: list[z3.BoolRef], new: list[z3.BoolRef]) -> Sign:
    return sign(z3.And(*old), z3.And(*new))


# Pinned keys as anchors.

@dataclasses.dataclass(frozen=True)
class PinnedAnchors:
    """The pinned keys that vouch, and the keys among them that vouch for others, with the
    certificates at hand."""

    formula: z3.BoolRef
    issuers: tuple[Match, ...]

    @property
    def certificates(self) -> set[str]:
        return {match.file for match in self.issuers if match.file is not None}

    @property
    def keys(self) -> set[str]:
        return {match.name for match in self.issuers if match.kind == "key"}

    def lies_in(self, other: "PinnedAnchors") -> bool:
        """Fewer keys vouch. None takes the server's copy where the other side takes a file's
        certificate."""
        if not implies(self.formula, other.formula) or not self.certificates <= other.certificates:
            return False
        further = [match for match in other.issuers if match.file and match.file not in self.certificates]
        return not self.keys or all(match.kind == "key" and match.name not in self.keys for match in further)


def pinned_anchors(names: list[str], unit: Unit) -> PinnedAnchors:
    """That a pinned key vouches: `leaf` only for the leaf, `ca` and `anchor` for signed
    certificates, `any` for both."""
    ways, issuers = [], []
    for name in names:
        definition = unit["pins"][name]
        for entry in [*definition["keys"].values(), *definition["backups"].values()]:
            match, at = matched(entry), entry.get("at", "any")
            if at in ("leaf", "any"):
                ways.append(vouching(match, "leaf"))
            if at in ("ca", "anchor", "any"):
                ways.append(vouching(match, "issuer"))
                issuers.append(match)
    return PinnedAnchors(z3.Or(*ways), tuple(issuers))


def vouching(match: Match, role: str) -> z3.BoolRef:
    return z3.And(z3.Int("vouching as") == word(role), at_end(match))


def pinned_sign(old: PinnedAnchors, new: PinnedAnchors) -> Sign:
    return of(new.lies_in(old), old.lies_in(new))


# Identity, section 7.

def identity(value: dict[str, typing.Any] | None) -> z3.BoolRef:
    value = value or {}
    host = z3.Bool("presents the host")
    names = [z3.Bool(f"presents {kind} {name}") for kind in ("dns", "ip", "email") for name in value.get(kind, [])]
    names += [z3.And(HAS_URI, uri_matches(pattern)) for pattern in value.get("uri", [])]
    listed = z3.Or(*names)
    reference = value.get("reference", "host")
    return host if reference == "host" else listed if reference == "listed" else z3.And(host, listed)


@functools.cache
def identity_sign(old: str, new: str) -> Sign:
    return sign(identity(json.loads(old)), identity(json.loads(new)))


# Forbidden keys, section 8.9.

def holds(match: Match) -> z3.BoolRef:
    return z3.Or(*(lies_at(match, position) for position in POSITIONS["any"]))


def forbidden(entries: list[dict[str, typing.Any]]) -> z3.BoolRef:
    """That the path holds no key that is forbidden for a leaf of its date."""
    return z3.And(*(
        z3.Not(z3.And(holds(matched(entry)), window(entry.get("not-before"), ISSUED))) for entry in entries))


@functools.cache
def forbidden_sign(old: str, new: str) -> Sign:
    return sign(forbidden(json.loads(old)), forbidden(json.loads(new)))
