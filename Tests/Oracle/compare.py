"""What the order says of each class of hosts of two units, beside what `diff` says."""

import dataclasses
import typing

import acceptance
import exceptions
import order
import trust
from hawser import START, Answer, renamed_host
from hosts import HostClass, classes, deciding, matches, narrowness, parsed
from order import Sign, key
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
    return head if head in ("anchors", "pins", "identity", "forbidden-keys") else path


@dataclasses.dataclass
class Behaviour:
    """A body with every field resolved, as of an instant (`deny` is none)."""

    body: Body
    unit: Unit
    at: int

    def __post_init__(self) -> None:
        stack = layers(self.body, self.unit.get("profiles", {}))
        self.fields = fields(stack)
        self.waived = waivers(self.body, self.at)
        self.exceptions = exceptions.all_of(self.waived, report_modes(stack, self.at), self.fields["checks"])
        demands = trust.pins(self.body.get("pins", []), self.unit, self.at)
        self.idle = exceptions.idle(self.fields, any(not demand.eq(order.TRUE) for demand in demands))

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
            "pin sets": self.unit.get("pins", {}),
            "enforces": self.fields["path.issuance"],
            "transparency": {path: value for path, value in self.fields.items() if path.startswith("transparency.")}}


def signs(old: Behaviour | None, new: Behaviour | None) -> dict[str, Sign]:
    """The sign of each group of fields that differs."""
    if old is None or new is None:
        return {} if old is new else {"decision": Sign.STRICTER if new is None else Sign.WEAKER}
    found = order.strictness(old.fields, new.fields)
    found |= excepted(old, new)
    found["identity"] = trust.identity_sign(key(old.body.get("identity")), key(new.body.get("identity")))
    found["forbidden-keys"] = trust.forbidden_sign(
        key(old.fields["forbidden-keys"]), key(new.fields["forbidden-keys"]))
    found |= trusted(old, new)
    return {path: value for path, value in found.items() if value != Sign.EQUAL}


def excepted(old: Behaviour, new: Behaviour) -> dict[str, Sign]:
    """The signs of exceptions. Report modes of keys and signatures also decide which evidence counts."""
    found = exceptions.signs(old.exceptions, new.exceptions, old.idle, new.idle)
    for path in ["report-only.keys", "report-only.signatures"]:
        if path in found and not order.suffices(old.fields, new.fields, found[path]):
            found["revocation"] = Sign.INCOMPARABLE
    return found


# The classes of one pair ask the same again; other pairs hardly do.
REMEMBERED: dict[tuple[str, str, int, bool], dict[str, Sign]] = {}
MOST_REMEMBERED = 500


def trusted(old: Behaviour, new: Behaviour) -> dict[str, Sign]:
    """The signs of anchors, of the intermediates that they offer, and of pins."""
    both_demand = old.demands_timestamps and new.demands_timestamps
    question = (key(old.definitions()), key(new.definitions()), new.at, both_demand)
    if question[0] == question[1] and old.at == new.at:
        return {}
    if question not in REMEMBERED:
        if len(REMEMBERED) > MOST_REMEMBERED:
            REMEMBERED.clear()
        REMEMBERED[question] = computed_trust(old, new, both_demand)
    return REMEMBERED[question]


def computed_trust(old: Behaviour, new: Behaviour, both_demand: bool) -> dict[str, Sign]:
    pins = [trust.pins(side.body.get("pins", []), side.unit, side.at) for side in (old, new)]
    found = {"pins": trust.pins_sign(*pins)}
    offers = [trust.offered(side.body, side.unit) for side in (old, new)]
    found["intermediates"] = order.of(offers[1] <= offers[0], offers[0] <= offers[1])
    if old.pinned != new.pinned:
        found |= {"anchors": Sign.INCOMPARABLE, "intermediates": Sign.EQUAL}
    elif old.pinned:
        ways = [trust.pinned_anchors(side.body["pins"], side.unit) for side in (old, new)]
        found["anchors"] = trust.pinned_sign(*ways)
    else:
        before, after = (
            trust.rule_terms(side.body, side.unit, side.fields, both_demand) for side in (old, new))
        enforces = (old.fields["path.issuance"] == "enforce", new.fields["path.issuance"] == "enforce")
        found["anchors"] = trust.anchors_sign(before, after, enforces)
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

    def side(self, unit: Unit, name: str | None, value: typing.Any) -> tuple[Body, Unit] | None:
        if name is not None:
            return unit["rules"][name], unit
        return None if value == "deny" else (value, unit)


def disagreements(pair: Pair, place: int, answer: Answer, seen: dict[str, int]) -> list[Disagreement]:
    """Compares every class of the pair at every instant. `seen` counts what was compared."""
    patterns = [rule_patterns(unit) for unit in (pair.old, pair.new)]
    found = []
    for host_class in classes(frozenset([*patterns[0], *patterns[1]])):
        names = [deciding(side, host_class) for side in patterns]
        if host_class.pattern is None and place != 1:
            continue
        sides = [pair.side(unit, name, value) for unit, name, value in zip(
            (pair.old, pair.new), names, pair.defaults)]
        seen["classes"] = seen.get("classes", 0) + 1
        for at in instants(*sides):
            seen["intervals"] = seen.get("intervals", 0) + 1
            found += differing(pair, place, host_class, at, sides, names, answer, seen)
    return found


def told_class(pair: Pair, place: int, host_class: HostClass) -> tuple[str | None, int | None]:
    """The class of the answer that a class of the model lies in: of the narrowest pattern that
    matches there."""
    if host_class.host is None:
        return None, None
    patterns = [pattern for unit in (pair.old, pair.new) for pattern in rule_patterns(unit)
                if matches(pattern.host, host_class.host)]
    candidates = [pattern for pattern in patterns if pattern.port in (None, host_class.port)]
    if not candidates:
        return None, None
    host = max((narrowness(pattern.host), pattern.host) for pattern in candidates)[1]
    ports = {pattern.port for pattern in patterns if narrowness(pattern.host) <= narrowness(host)}
    return renamed_host(host, place), host_class.port if host_class.port in ports else None


def differing(
    pair: Pair, place: int, host_class: HostClass, at: int, sides: list[tuple[Body, Unit] | None],
    names: list[str | None], answer: Answer, seen: dict[str, int],
) -> list[Disagreement]:
    model = signs(*(None if side is None else Behaviour(*side, at) for side in sides))
    told: dict[str, list[Sign]] = {}
    for path, value in answer.fields(told_class(pair, place, host_class), at):
        told.setdefault(group(path), []).append(value)
    if "revocation.preset" in told:
        # The preset stands for the causes that it moves. The others are told by themselves.
        moved = told["revocation.preset"][0]
        for path in list(model):
            if path.startswith("revocation.causes.") and path not in told and model[path] == moved:
                model["revocation.preset"] = model.pop(path)
    found = []
    whole = []
    for name in sorted({*model, *told}):
        seen["fields"] = seen.get("fields", 0) + 1
        expected, said = model.get(name, Sign.EQUAL), told.get(name, [])
        whole.append(order.direction(said) if len(set(said)) > 1 else expected)
        if not agrees(expected, said):
            found.append(Disagreement(
                host_class, at, name, expected.value, "+".join(sorted({sign.value for sign in said})) or "equal",
                (names[0] or "default", names[1] or "default")))
    rules = (names[0] or "default", names[1] or "default")
    name, said_name = order.direction(whole), answer.direction(told_class(pair, place, host_class), at)
    if not found and name != said_name:
        found.append(Disagreement(host_class, at, "name of the class", name.value, said_name.value, rules))
    return found + whole_class(model, told_class(pair, place, host_class), host_class, at, sides, answer, names)


def whole_class(
    model: dict[str, Sign], told: tuple[str | None, int | None], host_class: HostClass, at: int,
    sides: list[tuple[Body, Unit] | None], answer: Answer, names: list[str | None],
) -> list[Disagreement]:
    """Whether a class is equal or stricter: by the answer, and by the accepted requests."""
    expected, said = all(sign.holds for sign in model.values()), answer.holds(told, at)
    rules = (names[0] or "default", names[1] or "default")
    words = {True: "equal or stricter", False: "weaker or incomparable"}
    if expected != said:
        return [Disagreement(host_class, at, "class", words[expected], words[said], rules)]
    if said and model and not is_borne_out(sides[0], sides[1], at):
        return [Disagreement(host_class, at, "accepted", words[False], words[True], rules)]
    return []


def is_borne_out(old: tuple[Body, Unit] | None, new: tuple[Body, Unit] | None, at: int) -> bool:
    """Whether the model of accepted requests knows no request that only the new side accepts."""
    if new is None:
        return True
    before = None if old is None else Behaviour(*old, at)
    return acceptance.implied(Behaviour(*new, at), acceptance.accepts(before))


def agrees(expected: Sign, said: list[Sign]) -> bool:
    """A group that is told by several fields of different signs may be weaker or incomparable as a whole."""
    kinds = set(said) or {Sign.EQUAL}
    if len(kinds) == 1:
        return expected in kinds
    return expected in (Sign.WEAKER, Sign.INCOMPARABLE)
