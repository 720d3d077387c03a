"""Report modes and waivers (sections 9 and 10): what each lets pass, and of which fields."""

import functools
import json
import typing

import z3

from order import FALSE, HASHES, TRUE, VERSIONS, Sign, among, key, sign
from units import seconds

# `all` stands for every check of section 9 that no program registers, and for those too.
CHECKS = ["pins", "revocation", "transparency", "tls", "keys", "signatures", "lifetime"]


def expanded(modes: frozenset[str], registered: list[str]) -> frozenset[str]:
    """The checks that are only reported, each by its name."""
    return frozenset([*CHECKS, *registered]) | (modes - {"all"}) if "all" in modes else modes


def tolerated(name: str, entry: dict[str, typing.Any] | None) -> z3.BoolRef:
    """Which breaches a waiver lets pass; none where there is none."""
    if entry is None:
        return FALSE
    if name == "expired":
        return z3.Int("ended before") <= seconds(entry["tolerance"])
    if name == "tls":
        return z3.Int("version") >= VERSIONS[entry["minimum-version"]]
    if name == "keys":
        return z3.Int("rsa bits") >= entry["rsa-minimum"]
    if name == "signatures":
        return z3.Int("hash") >= HASHES[entry["minimum-hash"]]
    if name == "issuance":
        return among("breached demand", entry["demands"])
    return TRUE


@functools.cache
def waiver_sign(name: str, old: str, new: str) -> Sign:
    """A wider waiver is weaker."""
    return sign(*(z3.And(z3.Bool("breach"), tolerated(name, json.loads(value))) for value in (old, new)))


def signs(
    old: dict[str, typing.Any], new: dict[str, typing.Any], old_modes: frozenset[str], new_modes: frozenset[str],
) -> dict[str, Sign]:
    """The sign of each waiver and report mode that differs."""
    found = {}
    for name in sorted({*old, *new}):
        found[f"waivers.{name}"] = waiver_sign(name, essence(old.get(name)), essence(new.get(name)))
    for check in sorted(old_modes ^ new_modes):
        found[f"report-only.{check}"] = Sign.WEAKER if check in new_modes else Sign.STRICTER
    return {path: value for path, value in found.items() if value != Sign.EQUAL}


def essence(entry: dict[str, typing.Any] | None) -> str:
    """A waiver without what decides nothing: its end is an instant at which classes are compared."""
    if entry is None:
        return "null"
    return key({name: value for name, value in entry.items() if name not in ("reason", "owner", "until", "ticket")})
