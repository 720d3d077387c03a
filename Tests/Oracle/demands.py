"""Statements of `hawser assert` (assert.md): the text's answer for each, and whether the accepted
requests bear it out."""

import dataclasses
import typing

import z3

import acceptance
import order
import trust
from acceptance import ANCHORED, CLEARTEXT
from compare import Behaviour, rule_patterns, signs
from hawser import START
from hosts import HostClass, classes, deciding, matches, parsed
from order import ALONE, Sign
from units import Body, Unit, ends, first, last, preset_action

Statement = dict[str, typing.Any]

# The known faults of the prover that the model takes over, by the names in expectations.json. It
# takes over none where the question is which answer is right.
DEVIATIONS: set[str] = set()


def deviates(name: str) -> bool:
    """Whether the model answers as the command does. No fault is known today, so nothing asks."""
    return name in DEVIATIONS


@dataclasses.dataclass
class World:
    """The unit that is asked, the unit beside it, and their defaults."""

    unit: Unit
    beside: Unit
    default: typing.Any
    default_beside: typing.Any

    def body(self, host_class: HostClass, of_beside: bool = False) -> tuple[Body, Unit] | None:
        unit, default = (self.beside, self.default_beside) if of_beside else (self.unit, self.default)
        name = deciding(rule_patterns(unit), host_class)
        if name is not None:
            return unit["rules"][name], unit
        return None if default == "deny" else (default, unit)


def verdict(statement: Statement, world: World) -> str:
    """`proved`, `refuted` or `stale`."""
    wanted = [parsed(host) for host in statement["hosts"]]
    patterns = {*rule_patterns(world.unit), *wanted, *rule_patterns(world.beside)}
    of_it = [found for found in classes(frozenset(patterns)) if found.host is not None and any(
        matches(pattern.host, found.host) and pattern.port in (None, found.port) for pattern in wanted)]
    if not any(deciding(rule_patterns(world.unit), found) for found in of_it) and "decision" not in statement:
        return "stale"
    begin, end = span(statement)
    allowed = statement.get("exceptions")
    dates = set() if allowed in (None, "none") else {last(date) + 1 for date in allowed.values()}
    holds = all(
        holds_at(statement, world, found, at)
        for found in of_it for at in instants(world, found, begin, end, dates))
    return "proved" if holds else "refuted"


def span(statement: Statement) -> tuple[int, int | None]:
    during = statement.get("during", {})
    return (first(during["from"]) if "from" in during else START,
            last(during["until"]) if "until" in during else None)


def instants(world: World, found: HostClass, begin: int, end: int | None, dates: set[int]) -> list[int]:
    """The instants at which anything can change, and `dates`, at which the statement itself does."""
    dates = {begin, *dates}
    for side in (world.body(found), world.body(found, of_beside=True)):
        dates |= ends(*side) if side is not None else set()
    # A statement may compare with another rule, with `default` or with a profile.
    bodies = list(world.unit["rules"].values())
    if world.default != "deny":
        bodies.append(world.default)
    for body in bodies:
        dates |= ends(body, world.unit)
    for profile in world.unit["profiles"].values():
        dates |= {last(entry["until"]) + 1 for entry in profile.get("report-only", {}).values()}
    return sorted(at for at in dates if at >= begin and (end is None or at <= end))


def holds_at(statement: Statement, world: World, found: HostClass, at: int) -> bool:
    """`deny` satisfies every statement. Where there are several demands, all must hold."""
    body = world.body(found)
    if body is None:
        return True
    side = Behaviour(*body, at)
    return (
        "decision" not in statement
        and ("owned-by" not in statement or body[0].get("owner") == statement["owned-by"])
        and ("identity" not in statement or identity_is_host(side))
        and ("exceptions" not in statement or excepted(statement["exceptions"], side))
        and at_least(statement.get("at-least", {}), side)
        and no_weaker(statement.get("no-weaker-than"), side, world, found)
        and never_trusts(statement.get("never-trusts"), side)
        and no_anchor(statement.get("no-anchor"), side))


# `identity` and `exceptions`.

NAMES_HOST = trust.identity({"reference": "host"})


def identity_is_host(side: Behaviour) -> bool:
    """By the text, and by the accepted requests: nothing that is for another name, or in
    cleartext."""
    by_text = (side.body.get("identity", {}).get("reference", "host") != "listed"
               and not {"waivers.identity", "waivers.cleartext"} & set(side.exceptions))
    return by_text and acceptance.implied(side, z3.And(z3.Not(CLEARTEXT), NAMES_HOST))


def excepted(allowed: typing.Any, side: Behaviour) -> bool:
    """No exception in force but those that are allowed at the instant, idle ones too."""
    dates = {} if allowed == "none" else {path: last(date) for path, date in allowed.items()}

    def may_be(path: str) -> bool:
        names = [path] + (["report-only.all"] if path.startswith("report-only.") else [])
        return any(name in dates and side.at <= dates[name] for name in names)

    over = any(not is_enforced(side.unit["pins"][name], side.at) for name in side.body.get("pins", []))
    return all(may_be(path) for path in side.exceptions) and (not over or may_be("pins.on-expiry"))


# `at-least`.

# The fields that a report mode or a waiver keeps from being enforced, however small it is.
SUSPENDED = {
    "report-only.tls": ["tls."], "report-only.keys": ["keys."], "report-only.signatures": ["signatures."],
    "report-only.revocation": ["revocation."], "report-only.transparency": ["transparency."],
    "report-only.lifetime": ["validity.maximum-lifetime", "validity.lifetime-steps"], "report-only.pins": ["pins"],
    "report-only.attested": ["checks"], "report-only.pinned-elsewhere": ["checks"], "waivers.tls": ["tls."],
    "waivers.keys": ["keys."], "waivers.signatures": ["signatures."], "waivers.issuance": ["path.issuance"],
    "waivers.expired": ["validity.clock-skew"], "waivers.revocation": ["revocation."],
    "waivers.transparency": ["transparency."], "waivers.pins": ["pins"]}


OF_THE_LEAF = ["validity.maximum-lifetime", "validity.lifetime-steps", "keys.leaf-types"]


def enforced(path: str, side: Behaviour) -> bool:
    if "waivers.cleartext" in side.exceptions:
        return False
    if "waivers.path" in side.exceptions and not path.startswith("tls.") and path not in OF_THE_LEAF:
        return False
    return not any(
        path.startswith(prefix) for exception in side.exceptions if exception not in side.idle
        for prefix in SUSPENDED.get(exception, []))


def at_least(demands: Body, side: Behaviour) -> bool:
    if not all(enforced(path, side) for path in demands):
        return False
    fields = {path: value for path, value in demands.items() if path not in ("anchors", "pins")}
    if not all(field_met(path, expanded(fields), side) for path in expanded(fields)):
        return False
    if any(path.startswith("transparency.") for path in fields) and not timestamps_met(fields, side):
        return False
    if "pins" in demands and not pins_bound(side):
        return False
    return "anchors" not in demands or anchors_met(demands["anchors"], side)


def expanded(fields: Body) -> Body:
    """A preset counts as writing the fields that it stands for."""
    found = dict(fields)
    preset = found.pop("revocation.preset", None)
    if preset is not None:
        for cause in order.CAUSES:
            found.setdefault(f"revocation.causes.{cause}", preset_action(preset, cause))
    return found


def field_met(path: str, demands: Body, side: Behaviour) -> bool:
    """By the field's own entry of the order, and by the accepted requests."""
    if path.startswith("transparency."):
        return True
    if path in ("validity.maximum-lifetime", "validity.lifetime-steps"):
        return order.implies(order.lifetime(side.fields), order.lifetime(demands))
    if path == "revocation.maximum-age":
        return order.age_sign(demands[path], side.fields.get(path)).holds
    if path == "revocation.sources":
        floor = side.fields | demands
        found = order.sources(floor, side.fields)
        return found == Sign.EQUAL or (found.holds and order.sources_suffice(floor, side.fields))
    by_order = order.alone_sign(path, order.only(path, demands), order.only(path, side.fields)).holds
    # Compared whatever the sources are, so that an accepted request need not meet it.
    if path in order.OF_FILTERS:
        return by_order
    return by_order and acceptance.implied(side, z3.And(z3.Not(CLEARTEXT), ALONE[path](demands[path])))


def timestamps_met(demands: Body, side: Behaviour) -> bool:
    """Met by no rule that demands no timestamps; a set is exempt only where the demand lists it."""
    if {path for path in demands if path.startswith("transparency.")} == {"transparency.preset"}:
        if demands["transparency.preset"] == "none":
            return True
    if not side.demands_timestamps:
        return False
    exempt = side.fields.get("transparency.exempt-anchors", [])
    if not set(exempt) <= set(demands.get("transparency.exempt-anchors", [])):
        return False
    preset = demands.get("transparency.preset", side.fields["transparency.preset"])
    if preset not in ("none", side.fields["transparency.preset"]):
        return False
    wanted = {path: value for path, value in side.fields.items() if path.startswith("transparency.")}
    for name in ["minimum-scts", "minimum-operators"]:
        if f"transparency.{name}" in demands or "transparency.preset" in demands:
            wanted.pop(f"transparency.{name}", None)
    wanted |= {path: value for path, value in demands.items() if path.startswith("transparency.")}
    wanted["transparency.preset"] = side.fields["transparency.preset"]
    found = order.transparency_signs(order.transparency(wanted), order.transparency(side.fields))
    return all(value.holds for value in found.values())


def pins_bound(side: Behaviour) -> bool:
    """At every instant a pin set is enforced."""
    return any(is_enforced(side.unit["pins"][name], side.at) for name in side.body.get("pins", []))


def is_enforced(definition: Body, at: int) -> bool:
    ended = "enforce-until" in definition and at > last(definition["enforce-until"])
    return not ended or definition.get("on-expiry", "fail") == "fail"


def anchors_met(demand: typing.Any, side: Behaviour) -> bool:
    """Only anchors of the demand, on terms no looser, whatever is accepted."""
    if side.pinned:
        return demand == "no-system" or demand == ["pinned-keys"]
    had = trust.rule_terms(side.body, side.unit, side.fields, False)
    if demand == "no-system":
        return all(term.member is not None for term in had)
    if demand == ["pinned-keys"]:
        return False
    sets = trust.rule_terms({"anchors": demand}, side.unit, side.fields, False)
    if not trust.offered(side.body, side.unit) <= trust.offered({"anchors": demand}, side.unit):
        return False
    enforces = side.fields["path.issuance"] == "enforce"
    meets = z3.And(z3.Not(CLEARTEXT), ANCHORED, acceptance.anchor(sets, enforces))
    return trust.lies_in(had, sets, enforces) and acceptance.implied(without_timestamps(side), meets)


def without_timestamps(side: Behaviour) -> Behaviour:
    made = Behaviour(side.body, side.unit, side.at)
    made.fields = made.fields | {"transparency.preset": "none"}
    return made


# `no-weaker-than`.

def no_weaker(reference: typing.Any, side: Behaviour, world: World, found: HostClass) -> bool:
    if reference is None:
        return True
    if reference == "default":
        other = None if world.default == "deny" else Behaviour(world.default, world.unit, side.at)
    elif "rule" in reference:
        other = Behaviour(world.unit["rules"][reference["rule"]], world.unit, side.at)
    elif "unit" in reference:
        body = world.body(found, of_beside=True)
        other = None if body is None else Behaviour(*body, side.at)
    else:
        return no_weaker_profile(reference["profile"], side)
    by_order = all(sign.holds for sign in signs(other, side).values())
    return by_order and acceptance.implied(side, acceptance.accepts(other))


def no_weaker_profile(name: str, side: Behaviour) -> bool:
    """Every field of the profile; anchors, pins and identity are the host's own, and are enforced."""
    body: Body = {"anchors": side.body["anchors"], "profile": name}
    for own in ("pins", "identity"):
        if own in side.body:
            body[own] = side.body[own]
    other = Behaviour(body, side.unit, side.at)
    if "transparency.log-list" not in other.fields and "transparency.log-list" in side.fields:
        other.fields["transparency.log-list"] = side.fields["transparency.log-list"]
    by_order = all(sign.holds for sign in signs(other, side).values())
    return by_order and acceptance.implied(side, acceptance.accepts(other))


# `never-trusts` and `no-anchor`.

def digests(match: trust.Match) -> list[trust.Match]:
    """What names a key or certificate: of a certificate's file, its key too."""
    if match.kind == "certificate" and match.file is not None:
        return [match, trust.Match("key", trust.KEYS.get(match.name, match.name))]
    return [match]


def never_trusts(entry: Body | None, side: Behaviour) -> bool:
    """Forbidden at every date, by the key or, for a certificate of a file, by it or its key."""
    if entry is None:
        return True
    if {"waivers.path", "waivers.cleartext"} & set(side.exceptions):
        return False
    match = trust.matched(entry)
    allowed = trust.forbidden(side.fields["forbidden-keys"])
    at_leaf = [trust.lies_at(name, "leaf") for name in digests(match)]
    return order.implies(z3.And(*at_leaf), z3.Not(allowed))


def no_anchor(entry: Body | None, side: Behaviour) -> bool:
    """No set has it as a member, and every set of the machine's store excludes it."""
    if entry is None:
        return True
    if {"waivers.path", "waivers.cleartext"} & set(side.exceptions):
        return False
    match = trust.matched(entry)
    if side.pinned:
        return not any(may_be(pin, match) for name in side.body["pins"] for pin in pins_of(side.unit["pins"][name]))
    for term in trust.rule_terms(side.body, side.unit, side.fields, False):
        if term.member is None:
            at_end = (z3.And(term.formula, trust.at_end(name)) for name in digests(match))
            if not any(order.implies(end, order.FALSE) for end in at_end):
                return False
        elif trust.is_member(term.member, entry):
            return False
    return True


def pins_of(definition: Body) -> list[Body]:
    return [*definition["keys"].values(), *definition["backups"].values()]


def may_be(pin: Body, match: trust.Match) -> bool:
    """Whether a pinned key is the one that is meant, or its digest does not tell."""
    own = trust.matched(pin)
    if own.kind == match.kind:
        return own.name == match.name
    # Of a certificate's file the key is known too; a key's file is not a certificate.
    if own.kind == "certificate" and own.file is not None:
        return trust.KEYS.get(own.name, own.name) == match.name
    if match.kind == "certificate" and match.file is not None:
        return trust.KEYS.get(match.name, match.name) == own.name
    return True
