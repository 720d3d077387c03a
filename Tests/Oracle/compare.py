"""What the order says of each class of hosts of two units, beside what `diff` says."""

import dataclasses
import functools
import typing

import exceptions
import order
import trust
from hawser import START, Answer, renamed_host
from hosts import HostClass, classes, deciding, parsed
from order import Sign, joined, key
from units import Body, Unit, ends, fields, layers, report_modes, waivers


@dataclasses.dataclass(frozen=True)
class Disagreement:
    """One class at one instant: the group of fields, the sign by the model, and the sign that `diff` tells."""

    host_class: HostClass
    at: int
    group: str
    model: str
    told: str
    rules: tuple[str, str]


def group(path: str) -> str:
    """The field, or the group of fields whose effects hang together, that a path of the answer belongs to."""
    head = path.split(".")[0]
    if path == "anchors.intermediates" or path.endswith(".intermediates") and head == "anchors":
        return "intermediates"
    if path in ("validity.maximum-lifetime", "validity.lifetime-steps"):
        return "validity.lifetime"
    if path == "transparency.exempt-anchors":
        return "anchors"
    return head if head in ("anchors", "pins", "identity", "transparency", "forbidden-keys") else path


@dataclasses.dataclass
class Behaviour:
    """A body with every field resolved, as of an instant (`deny` is none)."""

    body: Body
    unit: Unit
    at: int

    def __post_init__(self) -> None:
        stack = layers(self.body, self.unit.get("profiles", {}))
        self.fields = fields(stack)
        self.modes = exceptions.expanded(report_modes(stack, self.at), self.fields["checks"])
        self.waivers = waivers(self.body, self.at)

    @property
    def pinned(self) -> bool:
        return self.body["anchors"] == ["pinned-keys"]

    @property
    def demands_timestamps(self) -> bool:
        return self.fields["transparency.preset"] != "none"

    def definitions(self) -> Body:
        """All that decides the anchors and the pins, to know an equal question again."""
        return {
            "anchors": self.body["anchors"], "sets": self.unit.get("anchors", {}), "pins": self.body.get("pins", []),
            "pin sets": self.unit.get("pins", {}), "exempt": self.fields.get("transparency.exempt-anchors", [])}


def signs(old: Behaviour | None, new: Behaviour | None) -> dict[str, Sign]:
    """The sign of each group of fields that differs."""
    if old is None or new is None:
        found = Sign.EQUAL if old is new else Sign.STRICTER if new is None else Sign.WEAKER
        return {} if found == Sign.EQUAL else {"decision": found}
    found = order.strictness(old.fields, new.fields)
    found |= exceptions.signs(old.waivers, new.waivers, old.modes, new.modes)
    found["identity"] = trust.identity_sign(key(old.body.get("identity")), key(new.body.get("identity")))
    found["forbidden-keys"] = trust.forbidden_sign(
        key(old.fields["forbidden-keys"]), key(new.fields["forbidden-keys"]))
    found |= trusted(old, new)
    return {path: value for path, value in found.items() if value != Sign.EQUAL}


REMEMBERED: dict[tuple[str, str, int, bool], dict[str, Sign]] = {}


def trusted(old: Behaviour, new: Behaviour) -> dict[str, Sign]:
    """The signs of anchors, of the intermediates that they offer, and of pins."""
    both_demand = old.demands_timestamps and new.demands_timestamps
    question = (key(old.definitions()), key(new.definitions()), new.at, both_demand)
    if question[0] == question[1]:
        return {}
    if question not in REMEMBERED:
        REMEMBERED[question] = computed_trust(old, new, both_demand)
    return REMEMBERED[question]


def computed_trust(old: Behaviour, new: Behaviour, both_demand: bool) -> dict[str, Sign]:
    pins = [trust.pins(side.body.get("pins", []), side.unit, side.at) for side in (old, new)]
    found = {"pins": trust.pins_sign(*pins)}
    offers = [trust.offered(side.body, side.unit) for side in (old, new)]
    found["intermediates"] = order.of(offers[1] <= offers[0], offers[0] <= offers[1])
    if old.pinned != new.pinned:
        found["anchors"] = Sign.INCOMPARABLE
    elif old.pinned:
        ways = [trust.pinned_anchors(side.body["pins"], side.unit) for side in (old, new)]
        found["anchors"] = order.sign(*ways)
    else:
        terms = [
            trust.rule_terms(side.body, side.unit, side.fields.get("transparency.exempt-anchors", []), both_demand)
            for side in (old, new)]
        found["anchors"] = trust.anchors_sign(*terms)
    return found


def instants(old: tuple[Body, Unit] | None, new: tuple[Body, Unit] | None) -> list[int]:
    """The instants at which something of a class ends, from the first that is compared."""
    found = {START}
    for side in (old, new):
        if side is not None:
            found |= {end for end in ends(*side) if end > START}
    return sorted(found)


def rule_patterns(unit: Unit) -> dict[typing.Any, str]:
    return {parsed(host): name for name, rule in unit["rules"].items() for host in rule["hosts"]}


@dataclasses.dataclass
class Pair:
    """Two units, and the two values of `default` beneath both."""

    old: Unit
    new: Unit
    defaults: tuple[typing.Any, typing.Any] = ("deny", "deny")

    def side(self, unit: Unit, name: str | None, default: typing.Any) -> tuple[Body, Unit] | None:
        if name is not None:
            return unit["rules"][name], unit
        return None if default == "deny" else (default, unit)


def disagreements(pair: Pair, place: int, answer: Answer, seen: dict[str, int]) -> list[Disagreement]:
    """Compares every class of the pair at every instant. `seen` counts what was compared."""
    patterns = [rule_patterns(unit) for unit in (pair.old, pair.new)]
    found = []
    for host_class in classes(frozenset([*patterns[0], *patterns[1]])):
        names = [deciding(side, host_class) for side in patterns]
        if host_class.pattern is None and place != 1:
            continue
        sides = [pair.side(unit, name, default) for unit, name, default in zip(
            (pair.old, pair.new), names, pair.defaults)]
        seen["classes"] = seen.get("classes", 0) + 1
        for at in instants(*sides):
            seen["intervals"] = seen.get("intervals", 0) + 1
            found += differing(pair, place, host_class, at, sides, names, answer, seen)
    return found


def differing(
    pair: Pair, place: int, host_class: HostClass, at: int, sides: list[tuple[Body, Unit] | None],
    names: list[str | None], answer: Answer, seen: dict[str, int],
) -> list[Disagreement]:
    model = signs(*(None if side is None else Behaviour(*side, at) for side in sides))
    host = None if host_class.pattern is None else renamed_host(host_class.pattern, place)
    told: dict[str, list[Sign]] = {}
    for path, value in answer.fields((host, host_class.port), at):
        told.setdefault(group(path), []).append(value)
    found = []
    for name in sorted({*model, *told}):
        seen["fields"] = seen.get("fields", 0) + 1
        expected, said = model.get(name, Sign.EQUAL), told.get(name, [])
        if not agrees(expected, said):
            found.append(Disagreement(
                host_class, at, name, expected.value, "+".join(sorted({sign.value for sign in said})) or "equal",
                (names[0] or "default", names[1] or "default")))
    return found


def agrees(expected: Sign, said: list[Sign]) -> bool:
    """A group that is told by several fields of different signs may be weaker or incomparable as a whole."""
    kinds = set(said) or {Sign.EQUAL}
    if len(kinds) == 1:
        return expected in kinds
    return expected in (Sign.WEAKER, Sign.INCOMPARABLE)
