"""Report modes and waivers (sections 9 and 10): the breaches that each lets pass."""

import typing

import z3

from order import HASHES, VERSIONS, Fields, Sign, among, implies, of
from units import seconds

# `all` stands for every check of section 9, and for those that the rule's programs register.
CHECKS = ["pins", "revocation", "transparency", "tls", "keys", "signatures", "lifetime"]
BASELINE_VERSION = VERSIONS["tls1.2"]
Exceptions = dict[str, z3.BoolRef]


def breach(check: str) -> z3.BoolRef:
    return z3.Bool(f"breach of {check}")


REVOKED = z3.Bool("revoked")


def waived(name: str, entry: dict[str, typing.Any]) -> z3.BoolRef:
    """The breaches that a waiver lets pass."""
    if name == "expired":
        return z3.And(breach("expired"), z3.Int("ended before") <= seconds(entry["tolerance"]))
    if name == "tls":
        return z3.And(breach("tls version"), z3.Int("version") >= VERSIONS[entry["minimum-version"]])
    if name == "keys":
        return z3.And(breach("rsa bits"), z3.Int("rsa bits") >= entry["rsa-minimum"])
    if name == "signatures":
        return z3.And(breach("hash"), z3.Int("hash") >= HASHES[entry["minimum-hash"]])
    if name == "issuance":
        return z3.And(breach("issuance"), among("breached demand", entry["demands"]))
    return z3.Or(breach(name), REVOKED) if name == "revocation" else breach(name)


def reported(check: str) -> z3.BoolRef:
    """The breaches that a report mode lets pass: never below the baseline."""
    if check == "tls":
        return z3.Or(breach("tls"), z3.And(breach("tls version"), z3.Int("version") >= BASELINE_VERSION))
    if check == "keys":
        return z3.Or(breach("keys"), z3.And(breach("rsa bits"), z3.Int("rsa bits") >= 2048))
    if check == "signatures":
        return z3.Or(breach("signatures"), z3.And(breach("hash"), z3.Int("hash") >= HASHES["sha256"]))
    return breach(check)


def all_of(waivers: dict[str, dict[str, typing.Any]], modes: frozenset[str], checks: list[str]) -> Exceptions:
    """The exceptions of a body by their paths, with what each lets pass."""
    if "all" in modes:
        modes = frozenset([*CHECKS, *checks]) | (modes - {"all"})
    found = {f"waivers.{name}": waived(name, entry) for name, entry in waivers.items()}
    return found | {f"report-only.{check}": reported(check) for check in modes}


def idle(fields: Fields, has_pins: bool) -> frozenset[str]:
    """The exceptions of which the body demands nothing: they count as none."""
    found = set()
    if not has_pins:
        found |= {"waivers.pins", "report-only.pins"}
    if fields["transparency.preset"] == "none":
        found |= {"waivers.transparency", "report-only.transparency"}
    if "validity.maximum-lifetime" not in fields and "validity.lifetime-steps" not in fields:
        found.add("report-only.lifetime")
    if fields["path.issuance"] == "report":
        found.add("waivers.issuance")
    for check in ["attested", "pinned-elsewhere"]:
        if check not in fields["checks"]:
            found.add(f"report-only.{check}")
    return frozenset(found)


def signs(old: Exceptions, new: Exceptions, old_idle: frozenset[str], new_idle: frozenset[str]) -> dict[str, Sign]:
    """The sign of each exception that a side alone has, or has wider: one that lets more pass is weaker.

    An exception is not wider where the other side demands nothing: waived is stricter than absent.
    """
    found = {}
    for path in sorted({*old, *new}):
        found[path] = of(covered(path, new, old, old_idle), covered(path, old, new, new_idle))
    return {path: value for path, value in found.items() if value != Sign.EQUAL}


def covered(path: str, own: Exceptions, other: Exceptions, idle_there: frozenset[str]) -> bool:
    """Whether what one side lets pass by an exception passes on the other side too."""
    if path not in own or path in idle_there:
        return True
    return any(lies_in(own[path], exception) for exception in other.values())


KNOWN: dict[tuple[str, str], bool] = {}


def lies_in(narrow: z3.BoolRef, wide: z3.BoolRef) -> bool:
    question = (narrow.sexpr(), wide.sexpr())
    if question not in KNOWN:
        KNOWN[question] = implies(narrow, wide)
    return KNOWN[question]
