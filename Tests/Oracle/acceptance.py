"""The whole of what a body accepts, as one formula: a request in cleartext, a leaf of any issuer, or a path.

The order of fields (`order.py`) leaves exceptions to fields of their own. A statement is about
accepted requests, so here each exception lets pass what language.md 9 and 10 say.
"""

import typing

import z3

import order
import trust
from order import ALONE, FALSE, HASHES, TRUE, VERSIONS, alone
from units import seconds

if typing.TYPE_CHECKING:
    from compare import Behaviour

CLEARTEXT, ANCHORED = z3.Bool("cleartext"), z3.Bool("a path leads to an anchor")
SILENT_IS_NOT_ASKED = z3.Not(order.SILENT)
END_OF_PATH = z3.Int("end of the path")


def anchor(terms: list[trust.Term], enforces: bool) -> z3.BoolRef:
    """That a term of the rule takes the certificate at the end of the path."""
    return z3.Or(*(taken(term, enforces) for term in terms))


def taken(term: trust.Term, enforces: bool) -> z3.BoolRef:
    kind = "leaf" if term.is_leaf else "authority"
    standard = z3.Bool("valid by web-pki") if term.standard == "web-pki" else TRUE
    issuance = z3.Bool(f"issuance of {term.standard}") if enforces else TRUE
    same = END_OF_PATH == order.word(f"{kind} {term.member or 'of the store'}")
    return z3.And(same, standard, issuance, term.formula)


def anchors(side: "Behaviour") -> z3.BoolRef:
    if side.pinned:
        return trust.pinned_anchors(side.body["pins"], side.unit).formula
    demanded = side.demands_timestamps and not lets(side, "waivers.transparency", "report-only.transparency")
    terms = trust.rule_terms(side.body, side.unit, side.fields, demanded)
    formula = anchor(terms, side.fields["path.issuance"] == "enforce")
    if not demanded or "transparency.log-list" not in side.fields:
        return formula
    return z3.substitute(formula, (trust.HAS_TIMESTAMPS, order.timestamps(side.fields)))


def lets(side: "Behaviour", *checks: str) -> bool:
    """Whether a waiver or a report mode of one of these names lets every breach of the check pass."""
    return any(path in side.exceptions for path in checks)


def section(side: "Behaviour", path: str) -> z3.BoolRef:
    """What a field demands, with what its exceptions let pass."""
    demand, head = alone(path, side.fields), path.split(".")[0]
    if head == "revocation":
        return TRUE if lets(side, "waivers.revocation", "report-only.revocation") else demand
    if head == "tls":
        return tls(side, path, demand)
    if head == "keys":
        return keys(side, path, demand)
    if head == "signatures":
        return signatures(side, path, demand)
    if path == "validity.clock-skew" and "expired" in side.waived:
        tolerance = seconds(side.waived["expired"]["tolerance"])
        return z3.Or(demand, z3.And(z3.Bool("after its end"), z3.Int("outside by") <= tolerance))
    if path == "path.issuance" and "issuance" in side.waived:
        return z3.Or(demand, order.among("breached demand", side.waived["issuance"]["demands"]))
    if path == "checks":
        return z3.And(*(z3.Bool(f"check {name}") for name in side.fields["checks"]
                        if not lets(side, f"report-only.{name}")))
    return demand


ANSWERS = ["none", "good", *order.OF_ANSWERS]
# One answer of all filters that cover the leaf. Filters that are too old add `stale` to it.
ANSWERS_OF_FILTERS = [*ANSWERS, "not-enrolled"]
IS_LEAF = z3.Int("role") == 0


def revocation(side: "Behaviour") -> z3.BoolRef:
    """Sections 8.5 and 8.6 as a whole, for one certificate: the supplied evidence and the demands
    on it."""
    if lets(side, "waivers.revocation", "report-only.revocation"):
        return TRUE
    fields = side.fields
    listed = fields["revocation.sources"]
    good = z3.Or(*(answered(fields, source, "good") for source in listed))
    harshest = z3.And(*(
        z3.Implies(z3.Or(*(answered(fields, source, cause) for source in listed)), passes(fields, cause))
        for cause in order.OF_ANSWERS if cause != "not-covered"))
    harshest = z3.And(harshest, *(uncovered(fields, source) for source in listed))
    if "crlite" in listed:
        unknown_issuer = answered(fields, "crlite", "not-enrolled")
        harshest = z3.And(harshest, z3.Implies(unknown_issuer, passes(fields, "not-enrolled")))
    nothing = z3.And(*(answered(fields, source, "none") for source in listed))
    # The program has filters for every leaf, and for no other certificate.
    named = z3.Or(*(IS_LEAF if source == "crlite" else z3.Bool(f"names a source {source}") for source in listed))
    absent = z3.If(named, passes(fields, "unreachable"), passes(fields, "no-endpoint"))
    exempt = z3.Int("role") > order.ROLES[fields["revocation.scope"]]
    if "revocation.short-lived" in fields:
        exempt = z3.Or(exempt, order.LIFETIME <= seconds(fields["revocation.short-lived"]))
    return z3.Or(exempt, good, z3.If(nothing, absent, harshest))


def answered(fields: order.Fields, source: str, kind: str) -> z3.BoolRef:
    """What the answer of a source says. One that is older than `maximum-age` is stale, whatever it says."""
    if source == "crlite":
        return answered_by_filters(fields, kind)
    supplied, age = z3.Int(f"answer of {source}"), z3.Int(f"age of {source}")
    says = supplied == ANSWERS.index(kind)
    if "revocation.maximum-age" not in fields or kind == "none":
        return says
    old = z3.And(supplied != ANSWERS.index("none"), age > seconds(fields["revocation.maximum-age"]))
    return z3.Or(says, old) if kind == "stale" else z3.And(says, z3.Not(old))


def answered_by_filters(fields: order.Fields, kind: str) -> z3.BoolRef:
    """What the filters say of the leaf; of other certificates nothing. Filters that are older than
    `crlite.maximum-age` are stale beside what they say, and never say *good*."""
    supplied = z3.Int("answer of filters")
    says = z3.And(IS_LEAF, supplied == ANSWERS_OF_FILTERS.index(kind))
    dated = [ANSWERS_OF_FILTERS.index(name) for name in ANSWERS_OF_FILTERS if name not in ("none", "malformed")]
    old = z3.And(IS_LEAF, z3.Or(*(supplied == name for name in dated)),
                 z3.Int("age of filters") > seconds(fields["revocation.crlite.maximum-age"]))
    if kind == "none":
        return z3.Or(z3.Not(IS_LEAF), says)
    if kind == "stale":
        return z3.Or(says, old)
    return z3.And(says, z3.Not(old)) if kind == "good" else says


def uncovered(fields: order.Fields, source: str) -> z3.BoolRef:
    """What follows from an answer that does not cover the certificate. `crlite.grace` reports it at
    most, for a new leaf and filters that are not too old."""
    passed = passes(fields, "not-covered")
    if source == "crlite":
        is_new = z3.Int("age of the leaf") <= seconds(fields["revocation.crlite.grace"])
        is_in_grace = z3.And(seconds(fields["revocation.crlite.grace"]) > 0, is_new,
                             z3.Not(answered_by_filters(fields, "stale")))
        passed = z3.Or(passed, z3.And(is_in_grace, order.action("report")))
    return z3.Implies(answered(fields, source, "not-covered"), passed)


def passes(fields: order.Fields, cause: str) -> z3.BoolRef:
    return order.action(fields[f"revocation.causes.{cause}"])


def floor(side: "Behaviour", path: str, baseline: int, number: typing.Callable[[typing.Any], int]) -> int:
    """The least value that passes: the field's own, under a report mode the baseline's, under a
    waiver the waiver's."""
    check, key = path.split(".")
    found = [number(side.fields[path])]
    if lets(side, f"report-only.{check}"):
        found.append(baseline)
    if check in side.waived:
        found.append(number(side.waived[check][key]))
    return min(found)


def tls(side: "Behaviour", path: str, demand: z3.BoolRef) -> z3.BoolRef:
    if path == "tls.minimum-version":
        return z3.Int("version") >= floor(side, path, VERSIONS["tls1.2"], VERSIONS.__getitem__)
    return TRUE if lets(side, "report-only.tls") else demand


def keys(side: "Behaviour", path: str, demand: z3.BoolRef) -> z3.BoolRef:
    if path == "keys.rsa-minimum":
        return z3.Int("rsa bits") >= floor(side, path, 2048, int)
    return TRUE if lets(side, "report-only.keys") else demand


def signatures(side: "Behaviour", path: str, demand: z3.BoolRef) -> z3.BoolRef:
    if path == "signatures.minimum-hash":
        return z3.Int("hash") >= floor(side, path, HASHES["sha256"], HASHES.__getitem__)
    return TRUE if lets(side, "report-only.signatures") else demand


# Demands on the path that `waivers.path` puts aside with the path itself.
OF_PATHS = ["path.maximum-intermediates", "path.certificate-policies", "path.explicit-policy", "path.policy-mapping",
            "path.any-policy"]


def accepts(side: "Behaviour | None") -> z3.BoolRef:
    """What a body accepts at its instant; nothing where the host is denied."""
    if side is None:
        return FALSE
    of_path = [anchors(side)] + [section(side, path) for path in OF_PATHS]
    anchored = z3.And(ANCHORED, *of_path)
    unanchored = z3.And(z3.Not(ANCHORED), TRUE if "path" in side.waived else FALSE)
    demands = [section(side, path) for path in ALONE if path not in OF_PATHS + order.OF_FILTERS]
    demands += [names(side), pins(side), lifetime(side), revocation(side)]
    demands.append(trust.forbidden(side.fields["forbidden-keys"]))
    clear = z3.And(CLEARTEXT, TRUE if "cleartext" in side.waived else FALSE)
    return z3.Or(clear, z3.And(z3.Not(CLEARTEXT), z3.Or(anchored, unanchored), *demands))


def names(side: "Behaviour") -> z3.BoolRef:
    return TRUE if "identity" in side.waived else trust.identity(side.body.get("identity"))


def pins(side: "Behaviour") -> z3.BoolRef:
    if lets(side, "waivers.pins", "report-only.pins"):
        return TRUE
    return z3.And(*trust.pins(side.body.get("pins", []), side.unit, side.at))


def lifetime(side: "Behaviour") -> z3.BoolRef:
    return TRUE if lets(side, "report-only.lifetime") else order.lifetime(side.fields)


def implied(side: "Behaviour | None", demand: z3.BoolRef) -> bool:
    """Whether everything that the body accepts meets the demand. Failures that are only listed are
    accepted."""
    return order.implies(z3.And(SILENT_IS_NOT_ASKED, z3.Int("lifetime") >= 0, accepts(side)), demand)
