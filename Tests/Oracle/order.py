"""The order of diff.md over the fields of section 8, as questions to the solver.

A field's value is a demand on one request: a formula over what a server shows. A value is stricter
than another if every request that it lets through is let through by the other. `report` lets through
what `pass` does, but lists it, so a request may ask to be accepted *silently*: that is what makes
`report` stricter than `pass`.
"""

import enum
import functools
import json
import pathlib
import typing

import z3

from units import CAUSES, first, last, seconds

Fields = dict[str, typing.Any]
MATERIAL = pathlib.Path(__file__).parent / "material"


class Sign(enum.Enum):
    """How the new side compares with the old one."""

    EQUAL = "equal"
    STRICTER = "stricter"
    WEAKER = "weaker"
    INCOMPARABLE = "incomparable"

    @property
    def holds(self) -> bool:
        return self in (Sign.EQUAL, Sign.STRICTER)


def direction(signs: typing.Iterable[Sign]) -> Sign:
    """What a whole is called: weaker where a part is, else incomparable where a part is, else stricter."""
    found = set(signs)
    return next((sign for sign in (Sign.WEAKER, Sign.INCOMPARABLE, Sign.STRICTER) if sign in found), Sign.EQUAL)


def of(new_implies_old: bool, old_implies_new: bool) -> Sign:
    if new_implies_old:
        return Sign.EQUAL if old_implies_new else Sign.STRICTER
    return Sign.WEAKER if old_implies_new else Sign.INCOMPARABLE


SOLVER = z3.Solver()
QUERIES = 0
# After so many questions a fresh solver takes over, because one keeps memory of all that it was
# asked.
QUESTIONS_OF_A_SOLVER = 5_000


def implies(left: z3.BoolRef, right: z3.BoolRef, axioms: tuple[z3.BoolRef, ...] = ()) -> bool:
    """Whether every request that meets `left` meets `right`."""
    global QUERIES, SOLVER
    QUERIES += 1
    if QUERIES % QUESTIONS_OF_A_SOLVER == 0:
        SOLVER = z3.Solver()
    SOLVER.push()
    SOLVER.add(left, z3.Not(right), *axioms)
    answer = SOLVER.check()
    SOLVER.pop()
    if answer == z3.unknown:
        raise RuntimeError("the solver does not know")
    return answer == z3.unsat


def sign(old: z3.BoolRef, new: z3.BoolRef, axioms: tuple[z3.BoolRef, ...] = ()) -> Sign:
    if old.eq(new):
        return Sign.EQUAL
    return of(implies(new, old, axioms), implies(old, new, axioms))


def key(value: typing.Any) -> str:
    return json.dumps(value, sort_keys=True, default=lambda found: sorted(found, key=str))


WORDS: dict[str, int] = {}


def word(name: str) -> int:
    """The number by which the solver knows a name of the language."""
    return WORDS.setdefault(name, len(WORDS))


def among(variable: str, names: list[str]) -> z3.BoolRef:
    return z3.Or(*(z3.Int(variable) == word(name) for name in names))


TRUE, FALSE = z3.BoolVal(True), z3.BoolVal(False)
SILENT = z3.Bool("silent")  # the accept may list nothing
NOW = z3.Int("now")
VERSIONS = {"tls1.0": 10, "tls1.1": 11, "tls1.2": 12, "tls1.3": 13}
HASHES = {"sha1": 1, "sha256": 256, "sha384": 384, "sha512": 512}
ROLES = {"leaf": 0, "leaf-and-intermediates": 1, "chain": 2}


def action(value: str) -> z3.BoolRef:
    """What `fail`, `report` and `pass` let through of a request that has the cause."""
    return FALSE if value == "fail" else z3.Not(SILENT) if value == "report" else TRUE


def either(name: str, strict: str, value: str) -> z3.BoolRef:
    return z3.Bool(name) if value == strict else TRUE


def steps(value: list[dict[str, str]]) -> list[tuple[int, int]]:
    return sorted((first(step["issued-from"]), seconds(step["maximum"])) for step in value)


ISSUED, LIFETIME = z3.Int("notBefore"), z3.Int("lifetime")


def lifetime(fields: Fields) -> z3.BoolRef:
    """Section 8.4: the latest step at or before the leaf's notBefore replaces the maximum."""
    maximum = fields.get("validity.maximum-lifetime")
    formula = TRUE if maximum is None else LIFETIME <= seconds(maximum)
    for begin, limit in steps(fields.get("validity.lifetime-steps", [])):
        formula = z3.If(ISSUED >= begin, LIFETIME <= limit, formula)
    return z3.And(LIFETIME >= 0, formula)


# Each field that is compared by itself. The value comes from `units.fields`; an absent field is
# asked too.
ALONE: dict[str, typing.Callable[[typing.Any], z3.BoolRef]] = {
    "path.maximum-intermediates": lambda value: z3.Int("intermediates") <= value,
    "path.key-purposes": lambda value: z3.Or(*(z3.Bool(f"purpose {name}") for name in value)),
    "path.certificate-policies": lambda value: z3.Or(*(z3.Bool(f"policy {name}") for name in value)),
    "path.explicit-policy": lambda value: either("policy tree not empty", "required", value),
    "path.policy-mapping": lambda value: either("valid without mapping", "inhibited", value),
    "path.any-policy": lambda value: either("valid without anyPolicy", "inhibited", value),
    "path.issuance": lambda value: either("issuance demands kept", "enforce", value),
    "keys.types": lambda value: z3.And(among("leaf key", value), among("issuer key", value)),
    "keys.leaf-types": lambda value: among("leaf key", value),
    "keys.rsa-minimum": lambda value: z3.Int("rsa bits") >= value,
    "signatures.minimum-hash": lambda value: z3.Int("hash") >= HASHES[value],
    "signatures.schemes": lambda value: among("scheme", value),
    "validity.clock-skew": lambda value: z3.Int("outside by") <= seconds(value),
    "revocation.scope": lambda value: z3.Or(z3.Int("role") > ROLES[value], z3.Bool("status good")),
    "revocation.short-lived": lambda value: z3.Or(LIFETIME <= seconds(value), z3.Bool("status good")),
    "revocation.crlite.maximum-age": lambda value: z3.Int("age of filters") <= seconds(value),
    "revocation.crlite.grace": lambda value: z3.Int("age of the leaf") <= seconds(value),
    "tls.minimum-version": lambda value: z3.Int("version") >= VERSIONS[value],
    "tls.maximum-version": lambda value: z3.Int("version") <= VERSIONS[value],
    "tls.forward-secrecy": lambda value: either("forward secrecy", "required", value),
    "tls.cipher-suites": lambda value: among("suite", value),
    "tls.groups": lambda value: among("group", value),
    "tls.signature-schemes": lambda value: among("tls scheme", value),
    "tls.alpn": lambda value: among("protocol", value),
    "checks": lambda value: z3.And(*(z3.Bool(f"check {name}") for name in value)),
} | {
    f"revocation.causes.{cause}": lambda value: action(value) for cause in CAUSES
}
# What an absent field stands for. `short-lived` exempts nothing; the others demand nothing.
ABSENT = {"revocation.short-lived": z3.Bool("status good")}


# What a rule demands of answers of filters. It is compared whatever the sources are, and decides
# nothing where no side asks filters.
OF_FILTERS = ["revocation.causes.not-enrolled", "revocation.crlite.maximum-age", "revocation.crlite.grace"]


def alone(path: str, fields: Fields) -> z3.BoolRef:
    if path not in fields:
        return ABSENT.get(path, TRUE)
    return ALONE[path](fields[path])


@functools.cache
def alone_sign(path: str, old: str, new: str) -> Sign:
    return sign(alone(path, json.loads(old)), alone(path, json.loads(new)))


def only(path: str, fields: Fields) -> str:
    return key({path: fields[path]} if path in fields else {})


# The evidence of section 8.5: fields that decide which answers count.

# Fields whose stricter value lets fewer answers say that a certificate is good. An answer that no
# longer counts fails for another of these causes.
VOUCHING = [
    "path.maximum-intermediates", "path.certificate-policies", "path.explicit-policy", "path.policy-mapping",
    "path.any-policy", "path.issuance", "keys.types", "keys.rsa-minimum", "signatures.minimum-hash",
    "signatures.schemes", "revocation.maximum-age"]
OF_ANSWERS = ["unknown", "stale", "malformed", "not-covered"]


def suffices(old: Fields, new: Fields, found: Sign) -> bool:
    """Whether the order of a field that decides which evidence counts, of this sign, suffices.

    It does where every cause of an answer rejects on the stricter side, or none does on the weaker side.
    """
    if found in (Sign.EQUAL, Sign.INCOMPARABLE):
        return True
    stricter, weaker = (new, old) if found == Sign.STRICTER else (old, new)
    return (all(action_of(stricter, cause) == "fail" for cause in OF_ANSWERS)
            or all(action_of(weaker, cause) != "fail" for cause in OF_ANSWERS))


def action_of(fields: Fields, cause: str) -> str:
    return fields[f"revocation.causes.{cause}"]


@functools.cache
def age_sign(old: str | None, new: str | None) -> Sign:
    age = z3.Int("age")
    return sign(*(TRUE if value is None else age <= seconds(value) for value in (old, new)))


@functools.cache
def sources_sign(old: str, new: str) -> Sign:
    return sign(*(z3.Or(*(z3.Bool(f"good {name}") for name in json.loads(value))) for value in (old, new)))


HARSHNESS = {"pass": 0, "report": 1, "fail": 2}


def separates(action_name: str, stricter: Fields, weaker: Fields) -> bool:
    """Whether one action is the action of every cause of a side, or lies between the sides for
    every cause."""
    harshness = [[HARSHNESS[action_of(side, cause)] for cause in CAUSES] for side in (stricter, weaker)]
    value = HARSHNESS[action_name]
    uniform = any(set(side) == {value} for side in harshness)
    return uniform or all(high >= value >= low for high, low in zip(*harshness))


def sources(old: Fields, new: Fields) -> Sign:
    """Fewer sources are stricter; where all causes of a side pass, they are equal (diff.md)."""
    found = sources_sign(key(sorted(old["revocation.sources"])), key(sorted(new["revocation.sources"])))
    if any(all(action_of(side, cause) == "pass" for cause in CAUSES) for side in (old, new)):
        return Sign.EQUAL
    return found


def sources_suffice(old: Fields, new: Fields) -> bool:
    """Whether one action that does not pass holds for all causes, or lies between the sides."""
    found = sources(old, new)
    if found in (Sign.EQUAL, Sign.INCOMPARABLE):
        return True
    stricter, weaker = (new, old) if found == Sign.STRICTER else (old, new)
    return any(separates(name, stricter, weaker) for name in ("fail", "report"))


# Certificate transparency, section 8.7.

@functools.cache
def log_list(file: str) -> tuple[int, tuple[tuple[str, str, str], ...]]:
    """The date of a list, and of each log its key, its operator and the span of its certificates."""
    read = json.loads((MATERIAL / file).read_text())
    logs = tuple(
        (log["key"], operator["name"], key(log.get("temporal_interval")))
        for operator in read["operators"] for log in operator["logs"])
    return first(read["log_list_timestamp"]), logs


def ends_within(interval: str) -> z3.BoolRef:
    """Whether the leaf ends in the span of time that a log takes certificates of; `null` is every span."""
    return TRUE if interval == "null" else z3.Bool(f"ends within {interval}")


LONG_LIVED = 180 * 86_400


def counted(sources_of: list[str], logs: tuple[tuple[str, str, str], ...], number: int, operators: int) -> z3.BoolRef:
    """At least so many distinct logs of the list, and operators, have a valid timestamp from one of the ways."""
    def valid(log: tuple[str, str, str]) -> z3.BoolRef:
        within = ends_within(log[2])
        return z3.And(within, z3.Or(*(z3.Bool(f"{way} timestamp of {log[0]}") for way in sources_of)))

    by_operator = {log[1]: z3.Or(*(valid(other) for other in logs if other[1] == log[1])) for log in logs}
    return z3.And(at_least(number, [valid(log) for log in logs]), at_least(operators, list(by_operator.values())))


def at_least(number: int, formulas: list[z3.BoolRef]) -> z3.BoolRef:
    if number > len(formulas):
        return FALSE
    return z3.AtLeast(*formulas, number) if number > 0 else TRUE


def timestamps(fields: Fields) -> z3.BoolRef:
    """The demand of `transparency`, with the numbers that the table of section 8.7 gives the presets."""
    preset = fields["transparency.preset"]
    if preset == "none":
        return TRUE
    date, logs = log_list(fields["transparency.log-list"])
    stale = NOW > date + seconds(fields["transparency.log-list-maximum-age"])
    number, operators = fields.get("transparency.minimum-scts"), fields.get("transparency.minimum-operators")
    long_lived = LIFETIME > LONG_LIVED - (1 if preset == "apple" else 0)
    embedded = z3.If(
        long_lived, counted(["embedded"], logs, number or 3, operators or 2),
        counted(["embedded"], logs, number or 2, operators or 2))
    if preset == "chrome":
        beside = counted(["beside"], logs, number or 2, operators or 2)
    else:
        beside = z3.And(
            counted(["beside"], logs, 1, 1), counted(["embedded", "beside"], logs, number or 2, operators or 1))
    return z3.And(z3.Or(embedded, beside), z3.Or(z3.Not(stale), action(fields["transparency.when-stale"])))


TRANSPARENCY = ["preset", "minimum-scts", "minimum-operators", "log-list", "log-list-maximum-age", "when-stale"]
# The numbers that the presets stand for, by the way of the timestamps: logs and operators (section
# 8.7).
WAYS = {
    "chrome": {"embedded": (2, 2), "embedded for long": (3, 2), "beside": (2, 2)},
    "apple": {"embedded": (2, 2), "embedded for long": (3, 2), "beside": (2, 1)}}


def wanted(fields: Fields, place: int, name: str) -> z3.BoolRef:
    """The number of logs or of operators that each way needs."""
    written, numbers = fields.get(f"transparency.{name}"), WAYS[fields["transparency.preset"]]
    return z3.And(*(z3.Int(f"{name} {way}") >= (written or number[place]) for way, number in numbers.items()))


def counting(file: str) -> z3.BoolRef:
    """That a timestamp of the log counts, and that two logs count for two operators."""
    def counts(log: tuple[str, str, str], variable: str) -> z3.BoolRef:
        within = ends_within(log[2])
        return z3.And(z3.Int(variable) == word(log[0]), within)

    logs = log_list(file)[1]
    pairs = [(one, two) for one in logs for two in logs if one[0] < two[0] and one[1] != two[1]]
    two_operators = z3.Or(*(z3.And(counts(one, "first log"), counts(two, "second log")) for one, two in pairs))
    return z3.If(z3.Bool("asks of operators"), two_operators, z3.Or(*(counts(log, "first log") for log in logs)))


@functools.cache
def transparency_signs(old: str, new: str) -> dict[str, Sign]:
    """The sign of each field of `transparency`; but for the preset only where both sides demand timestamps."""
    sides = [json.loads(old), json.loads(new)]
    presets = [side["transparency.preset"] for side in sides]
    demanded = [preset != "none" for preset in presets]
    found = {"transparency.preset": of(
        presets[0] == presets[1] or not demanded[0], presets[0] == presets[1] or not demanded[1])}
    if not all(demanded):
        return found
    for place, name in enumerate(["minimum-scts", "minimum-operators"]):
        if any(f"transparency.{name}" in side for side in sides):
            found[f"transparency.{name}"] = sign(*(wanted(side, place, name) for side in sides))
    files = [side["transparency.log-list"] for side in sides]
    logs = sign(*map(counting, files))
    age = sign(*(NOW <= log_list(file)[0] for file in files))
    looks = any(side["transparency.when-stale"] != "pass" for side in sides)
    found["transparency.log-list"] = logs
    if looks:
        found["transparency.log-list.issued"] = age
    ages = [z3.Int("list age") <= seconds(side["transparency.log-list-maximum-age"]) for side in sides]
    found["transparency.log-list-maximum-age"] = sign(*ages)
    found["transparency.when-stale"] = sign(*(action(side["transparency.when-stale"]) for side in sides))
    return found


def transparency(fields: Fields) -> str:
    return key({path: fields[path] for path in (f"transparency.{name}" for name in TRANSPARENCY) if path in fields})


@functools.cache
def lifetime_sign(old: str, new: str) -> Sign:
    return sign(lifetime(json.loads(old)), lifetime(json.loads(new)))


def lifetime_fields(fields: Fields) -> str:
    paths = ["validity.maximum-lifetime", "validity.lifetime-steps"]
    return key({path: fields[path] for path in paths if path in fields})


def window(value: dict[str, str] | None, variable: z3.ArithRef) -> z3.BoolRef:
    """Section 5.2."""
    value = value or {}
    begins = variable >= first(value["from"]) if "from" in value else TRUE
    ends = variable <= last(value["until"]) if "until" in value else TRUE
    return z3.And(begins, ends)


def strictness(old: Fields, new: Fields) -> dict[str, Sign]:
    """The sign of each field of section 8 that differs, but for what anchors, pins and names decide."""
    found = {path: alone_sign(path, only(path, old), only(path, new)) for path in ALONE}
    ages = [fields.get("revocation.maximum-age") for fields in (old, new)]
    found["revocation.maximum-age"] = age_sign(*ages)
    disturbed = not all(suffices(old, new, found[path]) for path in VOUCHING)
    # It decides which evidence is in its window, so also which says that a certificate is on hold.
    if found["validity.clock-skew"] != Sign.EQUAL:
        found["validity.clock-skew"] = Sign.INCOMPARABLE
    found["revocation.sources"] = sources(old, new)
    if disturbed or not sources_suffice(old, new):
        found["revocation"] = Sign.INCOMPARABLE
    found["validity.lifetime"] = lifetime_sign(lifetime_fields(old), lifetime_fields(new))
    found |= transparency_signs(transparency(old), transparency(new))
    return {path: value for path, value in found.items() if value != Sign.EQUAL}
