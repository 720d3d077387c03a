"""Reads a unit, as plain maps and lists: the layers of section 8.1, and dates and durations of section 11."""

import calendar
import datetime
import typing

Body = dict[str, typing.Any]
Unit = dict[str, typing.Any]

DAY = 86_400
UNITS = {"min": 60, "s": 1, "h": 3600, "d": DAY}
CAUSES = ["unknown", "no-endpoint", "unreachable", "stale", "malformed", "not-covered", "not-enrolled"]
SECTIONS = ["path", "keys", "signatures", "validity", "revocation", "transparency", "tls"]
KEY_TYPES = ["rsa", "p256", "p384", "p521", "ed25519", "ed448", "mldsa44", "mldsa65", "mldsa87"]
SCHEMES = ["rsa-pkcs1", "rsa-pss", "ecdsa", "ed25519", "ed448", "ml-dsa"]

# The baseline: the entries `when not written` of section 8. A field that is absent demands nothing.
BASELINE: Body = {
    "path": {
        "maximum-intermediates": 8, "key-purposes": ["server-auth"], "explicit-policy": "not-required",
        "policy-mapping": "allowed", "any-policy": "allowed", "issuance": "report"},
    "keys": {"types": KEY_TYPES, "rsa-minimum": 2048},
    "signatures": {"minimum-hash": "sha256", "schemes": SCHEMES},
    "validity": {"clock-skew": "0s"},
    "revocation": {
        "preset": "best-effort", "sources": ["stapled", "crl", "ocsp"], "scope": "leaf-and-intermediates",
        "crlite": {"maximum-age": "7d", "grace": "0s"}},
    "transparency": {"preset": "none", "log-list-maximum-age": "70d", "when-stale": "fail"},
    "tls": {"minimum-version": "tls1.2", "maximum-version": "tls1.3", "forward-secrecy": "not-required"},
}
# Section 8.10.
ATS: Body = {
    "keys": {"rsa-minimum": 2048},
    "signatures": {"minimum-hash": "sha256"},
    "transparency": {"preset": "apple"},
    "tls": {"minimum-version": "tls1.2", "forward-secrecy": "required"},
}
BUILT_IN: dict[str, Body] = {"baseline": BASELINE, "ats": ATS}


def seconds(duration: str) -> int:
    """Section 11.7."""
    unit = next(unit for unit in UNITS if duration.endswith(unit))
    return int(duration.removesuffix(unit)) * UNITS[unit]


def first(date: str) -> int:
    """The first second of a date, or the instant (section 11.1)."""
    if "T" in date:
        return calendar.timegm(datetime.datetime.strptime(date, "%Y-%m-%dT%H:%M:%SZ").timetuple())
    return calendar.timegm(datetime.datetime.strptime(date, "%Y-%m-%d").timetuple())


def last(date: str) -> int:
    """The last second of a date, or the instant."""
    return first(date) if "T" in date else first(date) + DAY - 1


def layers(body: Body, profiles: dict[str, Body]) -> list[Body]:
    """The layers of a body, nearest first; the baseline last."""
    found, name = [body], body.get("profile", "baseline")
    while name != "baseline":
        profile = BUILT_IN[name] if name in BUILT_IN else profiles[name]
        found.append(profile)
        name = profile.get("extends", "baseline")
    return found + [BASELINE]


def fields(stack: list[Body]) -> dict[str, typing.Any]:
    """The value of each field by its path; a field that no layer writes is absent."""
    found: dict[str, typing.Any] = {}
    for section in SECTIONS:
        for layer in stack:
            for key, value in layer.get(section, {}).items():
                if (section, key) == ("revocation", "crlite"):
                    for name, limit in value.items():
                        found.setdefault(f"{section}.{key}.{name}", limit)
                elif (section, key) not in [("revocation", "causes"), ("revocation", "preset")]:
                    found.setdefault(f"{section}.{key}", value)
    found.setdefault("keys.leaf-types", found["keys.types"])
    found["checks"] = next((layer["checks"] for layer in stack if "checks" in layer), [])
    found["forbidden-keys"] = [
        entry for layer in stack for _, entry in sorted(layer.get("forbidden-keys", {}).items())]
    found |= revocation_causes(stack)
    lifetimes(stack, found)
    timestamps(stack, found)
    return found


def revocation_causes(stack: list[Body]) -> dict[str, str]:
    """A preset counts as writing every cause of its layer; the causes beside it refine it (8.1, 8.6)."""
    found: dict[str, str] = {}
    for layer in stack:
        section = layer.get("revocation", {})
        for cause in CAUSES:
            path = f"revocation.causes.{cause}"
            if cause in section.get("causes", {}):
                found.setdefault(path, section["causes"][cause])
            elif "preset" in section:
                found.setdefault(path, preset_action(section["preset"], cause))
    return found


def preset_action(preset: str, cause: str) -> str:
    return "fail" if preset == "require" else "pass" if cause == "no-endpoint" else "report"


def lifetimes(stack: list[Body], found: dict[str, typing.Any]) -> None:
    """`maximum-lifetime` undoes the steps of a farther layer (8.4)."""
    for layer in stack:
        section = layer.get("validity", {})
        if "lifetime-steps" in section:
            return
        if "maximum-lifetime" in section:
            found.pop("validity.lifetime-steps", None)
            return


def timestamps(stack: list[Body], found: dict[str, typing.Any]) -> None:
    """A preset writes the numbers that it stands for, so it undoes the numbers of a farther layer
    (8.1, 8.7)."""
    for key in ["minimum-scts", "minimum-operators"]:
        found.pop(f"transparency.{key}", None)
        for layer in stack:
            section = layer.get("transparency", {})
            if key in section:
                found[f"transparency.{key}"] = section[key]
            if key in section or "preset" in section:
                break


def report_modes(stack: list[Body], at: int) -> frozenset[str]:
    """The checks whose violations are only reported at an instant (section 9)."""
    entries: dict[str, Body] = {}
    for layer in stack:
        for check, entry in layer.get("report-only", {}).items():
            entries.setdefault(check, entry)
        if "all" in layer.get("report-only", {}):
            # It stands for every check, so it undoes the entries of farther layers.
            break
    return frozenset(check for check, entry in entries.items() if at <= last(entry["until"]))


def waivers(body: Body, at: int) -> dict[str, Body]:
    """The waivers in force at an instant (section 10)."""
    return {name: entry for name, entry in body.get("waivers", {}).items() if at <= last(entry["until"])}


def ends(body: Body, unit: Unit) -> set[int]:
    """The first instants after the end of something that is dated, for one body."""
    stack = layers(body, unit.get("profiles", {}))
    dates = [entry["until"] for layer in stack for entry in layer.get("report-only", {}).values()]
    dates += [entry["until"] for entry in body.get("waivers", {}).values()]
    dates += [unit["pins"][name]["enforce-until"] for name in body.get("pins", []) if
              "enforce-until" in unit["pins"][name]]
    return {last(date) + 1 for date in dates}
