"""Random units, edits of them, and what the language demands of a unit so that it compiles."""

import copy
import random
import typing

from trust import DIGESTS, set_terms
from units import CAUSES, KEY_TYPES, SCHEMES, Body, Unit, fields, layers

DATES = ["2026-06-30", "2027-03-31", "2027-06-30", "2028-01-01T12:00:00Z"]
HOSTS = [
    "example", "*.example", "**.example", "a.example", "*.a.example", "**.a.example", "b.a.example",
    "**.b.a.example", "c.b.a.example", "10.0.0.0/24", "10.0.0.0/25", "10.0.0.6/31", "10.0.0.6", "10.0.0.7",
    "2001:db8::/64", "2001:db8::7"]
NAMES = ["bank.example", "*.bank.example", "**.bank.example", "x.bank.example", "**.x.bank.example", "192.0.2.0/24",
         "192.0.2.0/25", "192.0.2.7"]
URIS = ["spiffe://mesh.example/**", "spiffe://mesh.example/*", "spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns",
        "spiffe://mesh.example/ns/pay", "spiffe://other.example/ns/**"]
ROOTS = ["r1", "r1-short", "r1-names", "r1-length", "r1-renamed", "r2", "r3"]
LOG_LISTS = ["all.json", "all-younger.json", "fewer.json", "fewer-younger.json", "one-operator.json", "interval.json"]
POLICIES = ["2.23.140.1.2.1", "2.23.140.1.2.2", "1.3.6.1.4.1.99999.1"]
ACTIONS = ["fail", "report", "pass"]
PURPOSES = ["server-auth", "client-auth", "1.3.6.1.5.5.7.3.17"]
SUITES = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"]
OWNERS = ["web", "bank"]
DEMANDS = ["subject-key-identifier-missing", "authority-key-identifier-missing", "serial-not-positive"]

Maker = typing.Callable[[random.Random], typing.Any]


def part(values: list[typing.Any]) -> Maker:
    def make(chance: random.Random) -> typing.Any:
        return chance.sample(values, chance.randint(1, len(values)))
    return make


def one(values: list[typing.Any]) -> Maker:
    return lambda chance: chance.choice(values)


def lifetime_steps(chance: random.Random) -> list[Body]:
    dates = chance.sample(["2026-03-15", "2027-01-01", "2027-03-15"], chance.randint(1, 2))
    return [{"issued-from": date, "maximum": chance.choice(["10d", "47d", "100d", "200d"])} for date in dates]


FIELDS: dict[str, Maker] = {
    "path.maximum-intermediates": one([0, 1, 3, 8, 12]),
    "path.key-purposes": part(PURPOSES),
    "path.certificate-policies": part(POLICIES),
    "path.explicit-policy": one(["required", "not-required"]),
    "path.policy-mapping": one(["allowed", "inhibited"]),
    "path.any-policy": one(["allowed", "inhibited"]),
    "path.issuance": one(["report", "enforce"]),
    "keys.types": part(KEY_TYPES[:4]),
    "keys.leaf-types": part(KEY_TYPES[:3]),
    "keys.rsa-minimum": one([2048, 3072, 4096]),
    "signatures.minimum-hash": one(["sha256", "sha384", "sha512"]),
    "signatures.schemes": part(SCHEMES[:4]),
    "validity.clock-skew": one(["0s", "5min", "1h"]),
    "validity.maximum-lifetime": one(["10d", "100d", "200d", "4800h", "398d"]),
    "validity.lifetime-steps": lifetime_steps,
    "revocation.preset": one(["best-effort", "require"]),
    **{f"revocation.causes.{cause}": one(ACTIONS) for cause in CAUSES},
    "revocation.sources": part(["stapled", "ocsp", "crl", "crlite"]),
    "revocation.scope": one(["leaf", "leaf-and-intermediates", "chain"]),
    "revocation.network": one(["never", "prefetch", "wait"]),
    "revocation.maximum-age": one(["26h", "7d", "168h"]),
    "revocation.short-lived": one(["2d", "7d", "10d"]),
    "revocation.crlite.maximum-age": one(["3d", "7d", "168h", "10d"]),
    "revocation.crlite.grace": one(["0s", "12h", "10d"]),
    "transparency.preset": one(["none", "chrome", "apple"]),
    "transparency.minimum-scts": one([1, 2, 3]),
    "transparency.minimum-operators": one([1, 2, 3]),
    "transparency.log-list": one(LOG_LISTS),
    "transparency.log-list-maximum-age": one(["30d", "70d", "100d"]),
    "transparency.when-stale": one(ACTIONS),
    "tls.minimum-version": one(["tls1.2", "tls1.3"]),
    "tls.maximum-version": one(["tls1.2", "tls1.3"]),
    "tls.forward-secrecy": one(["required", "not-required"]),
    "tls.cipher-suites": part(SUITES),
    "tls.groups": part(["x25519", "secp256r1", "secp384r1"]),
    "tls.signature-schemes": part(["ed25519", "ecdsa_secp256r1_sha256", "rsa_pss_rsae_sha256"]),
    "tls.alpn": part(["h2", "http/1.1"]),
    "checks": part(["attested", "pinned-elsewhere"]),
}


def write(layer: Body, path: str, value: typing.Any) -> None:
    *sections, last = path.split(".")
    for section in sections:
        layer = layer.setdefault(section, {})
    layer[last] = value


def key_match(chance: random.Random) -> Body:
    name = chance.choice(ROOTS + ["i1", "i2"])
    return chance.choice([
        {"spki-file": f"{name}.pem"}, {"certificate-file": f"{name}.pem"}, {"spki": DIGESTS[name]["spki"]},
        {"spki": DIGESTS[name]["spki"]}, {"certificate": DIGESTS[name]["certificate"]}])


def date_window(chance: random.Random) -> Body:
    begin, end = sorted(chance.sample(["2026-01-01", "2026-07-01", "2027-01-01", "2027-07-01"], 2))
    return chance.choice([{"from": begin}, {"until": end}, {"from": begin, "until": end}])


CONSTRAINTS: dict[str, Maker] = {
    "permitted-names": lambda chance: chance.sample(NAMES, chance.randint(1, 3)),
    "excluded-names": lambda chance: chance.sample(NAMES, chance.randint(1, 3)),
    "permitted-uris": lambda chance: chance.sample(URIS, chance.randint(1, 3)),
    "not-before": date_window,
    "sct": date_window,
    "key-purposes": part(PURPOSES),
    "maximum-lifetime": one(["10d", "100d", "398d"]),
}


def anchor_set(chance: random.Random, others: list[str]) -> Body:
    made: Body = {}
    if chance.random() < 0.3:
        made["include"] = chance.sample(["system", *others], 1)
    if "include" not in made or chance.random() < 0.6:
        made["files"] = [f"{name}.pem" for name in chance.sample(ROOTS, chance.randint(1, 3))]
    if "files" in made and chance.random() < 0.15:
        made["kind"] = chance.choice(["leaf", "intermediate"])
        if made["kind"] == "intermediate":
            made["files"] = part(["i1.pem", "i2.pem"])(chance)
    if chance.random() < 0.4:
        made["standard"] = chance.choice(["web-pki", "rfc5280"])
    if "files" in made and chance.random() < 0.3:
        made["ignore-limits"] = part(["dates", "name-constraints", "key-purposes", "path-length"])(chance)
    for name in ("only", "exclude"):
        if chance.random() < 0.15:
            made[name] = {f"e{index}": key_match(chance) for index in range(chance.randint(1, 2))}
    if chance.random() < 0.4:
        names = chance.sample(list(CONSTRAINTS), chance.randint(1, 2))
        made["constraints"] = {name: CONSTRAINTS[name](chance) for name in names}
    # A set that offers its own anchors once more.
    if chance.random() < (0.6 if made.get("kind") == "intermediate" else 0.2):
        made["intermediates"] = part(["i1.pem", "i2.pem"])(chance)
    return made


def pin_entry(chance: random.Random, names: list[str]) -> Body:
    name = names.pop()
    entry = chance.choice([{"spki-file": f"{name}.pem"}, {"spki-file": f"{name}.pem"},
                           {"certificate-file": f"{name}.pem"}])
    if chance.random() < 0.6:
        entry["at"] = chance.choice(["leaf", "intermediate", "anchor", "ca", "any"])
    return entry


def pin_set(chance: random.Random) -> Body:
    names = chance.sample(["r1", "r2", "r3", "i1", "i2"], 5)
    made: Body = {
        "keys": {f"k{index}": pin_entry(chance, names) for index in range(chance.randint(1, 3))},
        "backups": {f"b{index}": pin_entry(chance, names) for index in range(chance.randint(1, 2))},
    }
    if chance.random() < 0.4:
        made["match"] = chance.choice(["any", "all", 2, 3])
    if chance.random() < 0.7:
        made["enforce-until"] = chance.choice(DATES)
        made["on-expiry"] = chance.choice(["fail", "report", "report", "unpinned"])
    return made


def identity(chance: random.Random) -> Body:
    reference = chance.choice(["host", "listed", "host-and-listed"])
    made: Body = {"reference": reference}
    if reference == "host":
        return made
    kinds: dict[str, list[str]] = {
        "dns": ["one.example", "two.example"], "ip": ["192.0.2.1", "2001:db8::1"], "email": ["ops@fleet.example"],
        "uri": URIS}
    for kind in chance.sample(list(kinds), chance.randint(1, 2)):
        made[kind] = part(kinds[kind])(chance)[:2]
    return made


def exception(chance: random.Random, name: str) -> Body:
    extras: dict[str, Body] = {
        "expired": {"tolerance": chance.choice(["1d", "7d", "14d"])},
        "tls": {"minimum-version": chance.choice(["tls1.0", "tls1.1"])},
        "keys": {"rsa-minimum": chance.choice([1024, 1536])},
        "issuance": {"demands": part(DEMANDS)(chance)}, "signatures": {"minimum-hash": "sha1"}}
    return {"reason": "lab", "owner": "qa", "until": chance.choice(DATES), **extras.get(name, {})}


WAIVERS = ["identity", "path", "expired", "revocation", "pins", "transparency", "tls", "keys", "issuance", "signatures",
           "cleartext"]
MODES = ["pins", "revocation", "transparency", "tls", "keys", "signatures", "lifetime", "attested", "all"]


def layer(chance: random.Random, prefix: str) -> Body:
    """Some fields of section 8, as a profile or a rule writes them."""
    made: Body = {}
    for path in chance.sample(list(FIELDS), chance.choice([0, 1, 2, 3, 5])):
        write(made, path, FIELDS[path](chance))
    if chance.random() < 0.15:
        entries = {}
        for index in range(chance.randint(1, 2)):
            entries[f"{prefix}-f{index}"] = key_match(chance)
            if chance.random() < 0.5:
                entries[f"{prefix}-f{index}"]["not-before"] = date_window(chance)
        made["forbidden-keys"] = entries
    if chance.random() < 0.15:
        modes = chance.sample(MODES, chance.randint(1, 2))
        made["report-only"] = {mode: {"until": chance.choice(DATES)} for mode in modes}
    return made


def body(chance: random.Random, unit: Unit, prefix: str) -> Body:
    made = layer(chance, prefix)
    sets = ["system", *unit.get("anchors", {})]
    made["anchors"] = chance.sample(sets, min(len(sets), chance.choice([1, 1, 2])))
    if unit.get("pins") and chance.random() < 0.6:
        made["pins"] = part(list(unit["pins"]))(chance)
        if chance.random() < 0.15:
            made["anchors"] = ["pinned-keys"]
    if chance.random() < 0.25:
        write(made, "transparency.exempt-anchors", list(made["anchors"])[:1])
    if chance.random() < 0.6:
        made["profile"] = chance.choice(["baseline", "ats", *unit.get("profiles", {})])
    if chance.random() < 0.25:
        made["identity"] = identity(chance)
    if chance.random() < 0.3:
        # These put aside more than one check, so they are written more often.
        count = chance.randint(1, 2)
        names = {chance.choice(["identity", "path", "cleartext", "pins", "tls", *WAIVERS]) for _ in range(count)}
        made["waivers"] = {name: exception(chance, name) for name in sorted(names)}
    return made


def unit(chance: random.Random) -> Unit:
    made: Unit = {"anchors": {}, "pins": {}, "profiles": {}, "rules": {}}
    for name in ["one", "two"]:
        made["anchors"][name] = anchor_set(chance, list(made["anchors"]))
    for name in ["first", "second"][: chance.choice([0, 1, 1, 2])]:
        made["pins"][name] = pin_set(chance)
    made["profiles"]["wide"] = layer(chance, "wide") | {"extends": "baseline"}
    made["profiles"]["near"] = layer(chance, "near") | {"extends": chance.choice(["wide", "baseline", "ats"])}
    # A profile that demands timestamps, mostly without a log list: its rules bring their own.
    if chance.random() < 0.2:
        write(made["profiles"][chance.choice(["wide", "near"])], "transparency.preset", chance.choice(["chrome", "apple"]))
    hosts = chance.sample(HOSTS, chance.choice([1, 2, 3, 4]))
    written = [host + (chance.choice(["", "", ":443", ":8443"]) if "::" not in host else "") for host in hosts]
    rules = chance.randint(1, min(3, len(written)))
    for index in range(rules):
        made["rules"][f"rule{index}"] = {
            "hosts": written[index::rules], **body(chance, made, f"rule{index}")}
        if chance.random() < 0.7:
            made["rules"][f"rule{index}"]["owner"] = chance.choice(OWNERS)
    return repaired(made)


def default(chance: random.Random) -> typing.Any:
    """The value of `default`: a body without sets of its own, or `deny`."""
    if chance.random() < 0.4:
        return "deny"
    made = body(chance, {}, "default")
    rule = {"hosts": ["default.invalid"], **made}
    repaired({"anchors": {}, "pins": {}, "profiles": {}, "rules": {"it": rule}})
    del rule["hosts"]
    return rule


def edited_default(chance: random.Random, old: typing.Any) -> typing.Any:
    """Mostly the same value, else one with a field changed, or another one."""
    choice = chance.random()
    if choice < 0.5:
        return old
    if choice < 0.7 or old == "deny":
        return default(chance)
    rule = {"hosts": ["default.invalid"], **copy.deepcopy(old)}
    made: Unit = {"anchors": {}, "pins": {}, "profiles": {}, "rules": {"it": rule}}
    edit_field(chance, made)
    repaired(made)
    del rule["hosts"]
    return rule


# Edits.

def edited(chance: random.Random, old: Unit) -> Unit:
    """A unit with one to three random changes."""
    made = copy.deepcopy(old)
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        chance.choice(EDITS)(chance, made)
    return repaired(made)


def edit_field(chance: random.Random, made: Unit) -> None:
    target = chance.choice([*made["rules"].values(), *made["rules"].values(), *made["profiles"].values()])
    path = chance.choice(list(FIELDS))
    *sections, last = path.split(".")
    written = target
    for section in sections:
        written = written.get(section, {})
    if last in written and chance.random() < 0.3:
        del written[last]
    else:
        write(target, path, FIELDS[path](chance))


def edit_anchors(chance: random.Random, made: Unit) -> None:
    name = chance.choice(list(made["anchors"]))
    others = [other for other in ["one"] if other != name]
    fresh = anchor_set(chance, others)
    kept = made["anchors"][name]
    for part_name in chance.sample(sorted({*fresh, *kept}), 1):
        if part_name in fresh:
            kept[part_name] = fresh[part_name]
        elif part_name not in ("files", "include"):
            del kept[part_name]


def edit_pins(chance: random.Random, made: Unit) -> None:
    used = [name for rule in made["rules"].values() for name in rule.get("pins", [])]
    if not made["pins"]:
        return
    name = chance.choice(used or list(made["pins"]))
    fresh = pin_set(chance)
    kept = made["pins"][name]
    part_name = chance.choice(["keys", "match", "enforce-until", "on-expiry", "at", "at", "at"])
    if part_name == "at":
        entry = chance.choice([*kept["keys"].values(), *kept["backups"].values()])
        entry["at"] = chance.choice(["leaf", "intermediate", "anchor", "ca", "any"])
    elif part_name == "keys":
        made["pins"][name] = kept | {"keys": fresh["keys"], "backups": fresh["backups"]}
    elif part_name in fresh:
        kept[part_name] = fresh[part_name]
    else:
        kept.pop(part_name, None)


def edit_body(chance: random.Random, made: Unit) -> None:
    name = chance.choice(list(made["rules"]))
    fresh = body(chance, made, name)
    for part_name in chance.sample(["anchors", "pins", "profile", "identity", "waivers", "report-only",
                                    "forbidden-keys"], 1):
        if part_name in fresh:
            made["rules"][name][part_name] = fresh[part_name]
        elif part_name != "anchors":
            made["rules"][name].pop(part_name, None)


def edit_waiver(chance: random.Random, made: Unit) -> None:
    waived = [rule for rule in made["rules"].values() if rule.get("waivers")]
    rule = chance.choice(waived or list(made["rules"].values()))
    name = chance.choice(list(rule.get("waivers", {})) or WAIVERS)
    former = rule.setdefault("waivers", {}).get(name, {})
    rule["waivers"][name] = exception(chance, name)
    if "until" in former and chance.random() < 0.7:
        rule["waivers"][name]["until"] = former["until"]


def edit_hosts(chance: random.Random, made: Unit) -> None:
    rule = made["rules"][chance.choice(list(made["rules"]))]
    if chance.random() < 0.5 and len(rule["hosts"]) > 1:
        rule["hosts"].pop(chance.randrange(len(rule["hosts"])))
    host = chance.choice(HOSTS)
    rule["hosts"].append(host + (chance.choice(["", ":443", ":8443"]) if "::" not in host else ""))


def edit_profile(chance: random.Random, made: Unit) -> None:
    name = chance.choice(list(made["profiles"]))
    fresh = layer(chance, name)
    part_name = chance.choice(sorted({*fresh, "report-only"}))
    if part_name in fresh:
        made["profiles"][name][part_name] = fresh[part_name]
    else:
        made["profiles"][name].pop(part_name, None)


EDITS = [edit_field, edit_field, edit_field, edit_field, edit_anchors, edit_anchors, edit_pins, edit_pins, edit_body,
         edit_body, edit_waiver, edit_waiver, edit_hosts, edit_profile]


# Statements about a unit.

def statement(chance: random.Random, unit: Unit) -> Body:
    """A statement about the hosts of one rule mostly, with demands that this rule often meets."""
    rules = list(unit["rules"].values())
    excepted = [rule for rule in rules if rule.get("waivers") or rule.get("report-only")]
    rule = chance.choice(excepted if excepted and chance.random() < 0.5 else rules)
    hosts = [chance.choice(rule["hosts"] if chance.random() < 0.8 else HOSTS) for _ in range(chance.choice([1, 1, 2]))]
    made: Body = {"hosts": list(dict.fromkeys(hosts))}
    if chance.random() < 0.25:
        begin, end = chance.choice([("2026-12-15", "2027-05-01"), ("2027-04-01", "2028-06-01")])
        made["during"] = chance.choice([{"from": begin}, {"until": end}, {"from": begin, "until": end}])
    drawn = chance.choices(
        list(DEMANDS_OF_STATEMENTS), [WEIGHTS.get(name, 1) for name in DEMANDS_OF_STATEMENTS],
        k=chance.choice([1, 1, 1, 2]))
    for name in dict.fromkeys(drawn):
        made[name] = DEMANDS_OF_STATEMENTS[name](chance, unit, rule)
    return made


def at_least(chance: random.Random, unit: Unit, rule: Body) -> Body:
    values = fields(layers(rule, unit["profiles"]))
    if chance.random() < 0.4:
        excepted = demand_under_exception(chance, rule, values)
        if excepted:
            return excepted
    if values["transparency.preset"] != "none" and chance.random() < 0.25:
        # The preset demands nothing, and the number does.
        return {"transparency.preset": "none", "transparency.minimum-scts": chance.choice([1, 2, 3])}
    made: Body = {}
    for path in chance.sample(list(FIELDS), chance.choice([0, 1, 1, 2, 3])):
        own = path in values and chance.random() < 0.6
        if path != "revocation.network":
            made[path] = values[path] if own else FIELDS[path](chance)
    if any(path.startswith("transparency.") for path in made) and chance.random() < 0.4:
        exempt = values.get("transparency.exempt-anchors", []) or list(unit["anchors"])
        made["transparency.exempt-anchors"] = exempt
    made = {path: value for path, value in made.items() if value != []}
    if chance.random() < 0.2 or not made:
        some = part(list(unit["anchors"]))(chance)
        made["anchors"] = chance.choice(["no-system", some, rule["anchors"], rule["anchors"]])
    if "pins" in rule and chance.random() < 0.4:
        return {"pins": "bound"} if chance.random() < 0.5 else made | {"pins": "bound"}
    return made


def demand_under_exception(chance: random.Random, rule: Body, values: Body) -> Body:
    """A demand that the rule meets but for an exception of its own, if it has any."""
    exceptions = [*rule.get("waivers", {}), *rule.get("report-only", {})]
    if not exceptions:
        return {}
    name = chance.choice(exceptions)
    if {"path", "cleartext"} & set(exceptions):
        return {"anchors": rule["anchors"]}
    own = [path for path in values if path.startswith(f"{name}.") and path in FIELDS and values[path] != []]
    # It decides nothing, so it cannot be demanded.
    own = [path for path in own if path != "revocation.network"]
    return {path: values[path] for path in chance.sample(own, 1)} if own else {}


def reference(chance: random.Random, unit: Unit, rule: Body) -> typing.Any:
    return chance.choice([
        {"profile": chance.choice(["baseline", "ats", *unit["profiles"]])},
        *[{"profile": rule.get("profile", "baseline")}] * 2,
        {"rule": chance.choice(list(unit["rules"]))}, {"unit": "../old"}, "default"])


def allowed_exceptions(chance: random.Random, unit: Unit, rule: Body) -> typing.Any:
    """Mostly the exceptions of the rule with their own last days or others, else none."""
    found = {f"waivers.{name}": entry["until"] for name, entry in rule.get("waivers", {}).items()}
    for layer_of in layers(rule, unit["profiles"]):
        for mode, entry in layer_of.get("report-only", {}).items():
            found.setdefault(f"report-only.{mode}", entry["until"])
    over = [definition["enforce-until"] for name in rule.get("pins", [])
            for definition in [unit["pins"][name]] if "enforce-until" in definition]
    if over:
        found["pins.on-expiry"] = "2029-12-31"
    if not found or chance.random() < 0.3:
        return "none"
    for path in list(found):
        if chance.random() < 0.15:
            found[path] = chance.choice(DATES)
        elif chance.random() < 0.1 and len(found) > 1:
            del found[path]
    return found


def denied(chance: random.Random, unit: Unit, rule: Body) -> str:
    return "deny"


def named_host(chance: random.Random, unit: Unit, rule: Body) -> str:
    return "host"


def owned_by(chance: random.Random, unit: Unit, rule: Body) -> str:
    return rule.get("owner", "web") if chance.random() < 0.7 else chance.choice(OWNERS)


def known_key(chance: random.Random, unit: Unit, rule: Body) -> Body:
    entries = [entry for layer in layers(rule, unit["profiles"]) for entry in layer.get("forbidden-keys", {}).values()]
    if entries and chance.random() < 0.7:
        return {name: value for name, value in chance.choice(entries).items() if name != "not-before"}
    return key_match(chance)


DEMANDS_OF_STATEMENTS = {
    "at-least": at_least, "no-weaker-than": reference, "never-trusts": known_key, "no-anchor": known_key,
    "identity": named_host, "exceptions": allowed_exceptions, "decision": denied, "owned-by": owned_by}
# How often each is drawn.
WEIGHTS = {"at-least": 5, "no-weaker-than": 4, "identity": 2, "exceptions": 2}


# What compiles.

def repaired(made: Unit) -> Unit:
    """Takes out what the language refuses, so that the unit compiles."""
    taken: set[str] = set()
    for rule in list(made["rules"].values()):
        rule["hosts"] = [host for host in dict.fromkeys(rule["hosts"]) if host not in taken]
        taken |= set(rule["hosts"])
    made["rules"] = {name: rule for name, rule in made["rules"].items() if rule["hosts"]}
    for definition in made["pins"].values():
        repair_pins(definition)
    for definition in made["anchors"].values():
        if "files" not in definition:
            for name in ["ignore-limits", "standard", "kind"]:
                definition.pop(name, None)
        if definition.get("kind") == "leaf":
            definition.pop("ignore-limits", None)
        elif "files" in definition:
            issued = all(file.startswith("i") for file in definition["files"])
            definition["kind"] = "intermediate" if issued else "root"
            definition["files"] = [file for file in definition["files"] if file.startswith("i") == issued]
        repair_filters(definition, made)
    for profile in made["profiles"].values():
        for mode in ["pins", "all"]:
            profile.get("report-only", {}).pop(mode, None)
        strip(profile)
    for profile in made["profiles"].values():
        values = fields(extended(profile, made))
        repair_fields(profile, values)
        repair_numbers(profile, values)
    for rule in made["rules"].values():
        repair_rule(rule, made)
    for target in [*made["rules"].values(), *made["profiles"].values()]:
        strip(target)
    return made


def strip(target: Body) -> None:
    """Takes out empty maps and lists, which are errors."""
    for name, value in list(target.items()):
        if isinstance(value, dict):
            strip(value)
        if value in ({}, []):
            del target[name]


def repair_pins(definition: Body) -> None:
    count = len(definition["keys"]) + len(definition["backups"])
    wanted = definition.get("match", "any")
    if isinstance(wanted, int) and wanted > count:
        del definition["match"]


def repair_rule(rule: Body, made: Unit) -> None:
    for _ in range(4):
        stack = layers(rule, made["profiles"])
        values = fields(stack)
        repair_fields(rule, values)
        repair_transparency(rule, made, values)
    repair_references(rule, made)
    repair_exceptions(rule, made)


def repair_fields(rule: Body, values: Body) -> None:
    if not set(values["keys.leaf-types"]) <= set(values["keys.types"]):
        rule.setdefault("keys", {})["leaf-types"] = list(values["keys.types"])
    if values["tls.minimum-version"] > values["tls.maximum-version"]:
        rule.setdefault("tls", {})["maximum-version"] = values["tls.maximum-version"] = "tls1.3"
    repair_suites(rule, values)
    rejects = any(values[f"revocation.causes.{cause}"] == "fail" for cause in CAUSES)
    if rejects and values["revocation.sources"] == ["stapled"] and values["revocation.scope"] != "leaf":
        rule.setdefault("revocation", {})["scope"] = "leaf"


def repair_suites(rule: Body, values: Body) -> None:
    """A list without a suite of a version that the rule accepts does not compile."""
    suites = values.get("tls.cipher-suites")
    if suites is None:
        return
    for version, suite in [("tls1.2", SUITES[3]), ("tls1.3", SUITES[0])]:
        accepted = values["tls.minimum-version"] <= version <= values["tls.maximum-version"]
        if accepted and not any(("_WITH_" in name) == (version == "tls1.2") for name in suites):
            suites = [*suites, suite]
            rule.setdefault("tls", {})["cipher-suites"] = suites


def extended(profile: Body, made: Unit) -> list[Body]:
    """The layers of a profile: itself, and those that it extends."""
    return [profile, *layers({"profile": profile.get("extends", "baseline")}, made["profiles"])]


def repair_filters(definition: Body, made: Unit) -> None:
    """A set whose filters leave no member does not compile."""
    if not set_terms("it", {"anchors": made["anchors"] | {"it": definition}}):
        definition.pop("only", None)
        definition.pop("exclude", None)


def repair_numbers(layer: Body, values: Body) -> None:
    """Numbers of timestamps under the preset `none` are an error in the layer that writes them."""
    if values["transparency.preset"] == "none":
        for name in ["minimum-scts", "minimum-operators"]:
            layer.get("transparency", {}).pop(name, None)


def repair_transparency(rule: Body, made: Unit, values: Body) -> None:
    section = rule.setdefault("transparency", {})
    demanded = values["transparency.preset"] != "none"
    exempt = [name for name in section.get("exempt-anchors", []) if name in rule["anchors"] and name in made["anchors"]]
    section["exempt-anchors"] = exempt
    needs_list = demanded or any(holds_timestamps(name, made) for name in rule["anchors"])
    if needs_list and "transparency.log-list" not in values:
        section["log-list"] = "all.json"
    if not demanded:
        for key in ["minimum-scts", "minimum-operators", "exempt-anchors", "log-list-maximum-age", "when-stale"]:
            section.pop(key, None)
    if demanded and not any(public(name, made) and name not in exempt for name in rule["anchors"]):
        rule["transparency"] = {"preset": "none"} | {
            name: value for name, value in section.items() if name == "log-list"}


def holds_timestamps(name: str, made: Unit) -> bool:
    """Whether a set holds its members to a window of timestamps."""
    definition = made["anchors"].get(name, {})
    return "sct" in definition.get("constraints", {}) or any(
        holds_timestamps(other, made) for other in definition.get("include", []))


def public(name: str, made: Unit) -> bool:
    """Whether a set may hold an authority whose certificates are logged."""
    if name == "pinned-keys":
        return False
    return any(term.member is None or term.standard == "web-pki" for term in set_terms(name, made))


def repair_references(rule: Body, made: Unit) -> None:
    if rule["anchors"] == ["pinned-keys"]:
        entries = [entry for name in rule.get("pins", []) for part_name in ("keys", "backups")
                   for entry in made["pins"][name][part_name].values()]
        if not entries or any(entry.get("at") == "intermediate" for entry in entries):
            rule["anchors"] = ["system"]


def repair_exceptions(rule: Body, made: Unit) -> None:
    values = fields(layers(rule, made["profiles"]))
    waived, modes = rule.get("waivers", {}), rule.get("report-only", {})
    if "all" in modes:
        rule["report-only"] = {"all": modes["all"]}
    if not rule.get("pins"):
        waived.pop("pins", None)
    if values["transparency.preset"] == "none":
        waived.pop("transparency", None)
    if values["path.issuance"] == "report":
        waived.pop("issuance", None)
    if "path" in waived:
        rule["waivers"].setdefault("identity", dict(waived["path"]))
    if rule.get("report-only"):
        modes = rule["report-only"]
        for mode in ["attested", "pinned-elsewhere"]:
            if mode not in values["checks"]:
                modes.pop(mode, None)
