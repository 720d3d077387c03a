"""Makes units and rows of public vectors, so that a command can judge them: `hawser audit` reads both.

Usage: units.py CASES FOLDER     CASES as ../shared/conformance/cases; FOLDER gets NAME/policy.yaml and
                                 NAME/rows.ndjson for each policy that some case needs

A policy cannot say all that a case asks: a check is left out, a hash is waived, a purpose is the usual
one (`README.md` beside this folder has the list). So a verdict on a row is not the vector's expected
result. The rows are for comparing two engines: both get the same policy and the same row. `was` of a row
is the vector's result all the same, so that a summary shows how often they agree.
"""

import base64
import hashlib
import json
import pathlib
import sys
import textwrap

LAST_DAY = "9999-12-31"
LATER = "2026-11-21T00:00:00Z"  # where a case has no time
PURPOSES = {"serverAuth": "server-auth", "clientAuth": "client-auth", "codeSigning": "1.3.6.1.5.5.7.3.3",
            "emailProtection": "1.3.6.1.5.5.7.3.4", "timeStamping": "1.3.6.1.5.5.7.3.8",
            "OCSPSigning": "1.3.6.1.5.5.7.3.9", "anyExtendedKeyUsage": "2.5.29.37.0"}  # fmt: skip


def element(octets, start):
    """The tag of a DER element, where its contents begin and where it ends."""
    length, start = octets[start + 1], start + 2
    if length & 0x80:
        count = length & 0x7F
        length, start = int.from_bytes(octets[start : start + count], "big"), start + count
    if start + length > len(octets):
        raise IndexError
    return start, start + length


def kind(der):
    """`root` of a certificate whose subject is its issuer, else `intermediate`."""
    try:
        start, _ = element(der, 0)
        start, _ = element(der, start)
        fields = []
        while len(fields) < 6:
            _, end = element(der, start)
            fields.append(der[start:end])
            start = end
        if fields[0][0] == 0xA0:
            del fields[0]
        return "root" if fields[2] == fields[4] else "intermediate"
    except IndexError:
        return "root"


def pem(text):
    lines = textwrap.wrap(text, 64)
    return "\n".join(["-----BEGIN CERTIFICATE-----", *lines, "-----END CERTIFICATE-----"])


def anchors(case):
    """Anchor sets by their ids."""
    features = case["features"]
    sets = {}
    for text in dict.fromkeys(case["trusted_certs"]):
        kinds = []
        if "trust-leaf" not in features:
            kinds.append(kind(base64.b64decode(text)))
        if "trust-leaf" in features or "trust-anchor-or-leaf" in features:
            kinds.append("leaf")
        for one in kinds:
            sets.setdefault(one, []).append(text)
    ignored = ["dates"] if "anchor-ignore-expiry" in features else []
    if "anchor-ignore-constraints" in features:
        ignored = sorted({*ignored, "key-purposes", "name-constraints", "path-length"})
    lines = []
    for one, certificates in sets.items():
        lines += [f"  {one}s:", f"    kind: {one}", f"    standard: {case['profile']}"]
        if ignored:
            lines.append(f"    ignore-limits: [{', '.join(ignored)}]")
        lines.append("    pem: |")
        lines += ["      " + line for text in certificates for line in pem(text).split("\n")]
    return [f"{one}s" for one in sets], lines


def waiver(name, *fields):
    return [f"    {name}:", *[f"      {field}" for field in fields], "      reason: as the vector asks",
            "      owner: vectors", f"      until: {LAST_DAY}"]  # fmt: skip


def policy(case):
    """The policy of a case and the host of its row; None where no policy has its anchors."""
    sets, lines = anchors(case)
    if not sets:
        return None
    features, waivers, names = case["features"], [], []
    expected = [*([case["expected_peer_name"]] if case["expected_peer_name"] else []), *case["expected_peer_names"]]
    host = "www.example.com"
    if not expected:
        waivers += waiver("identity")
    elif expected[0]["kind"] in ("DNS", "IP"):
        host = expected[0]["value"]
    else:
        names = ["  identity:", "    reference: listed", f"    email: [{json.dumps(expected[0]['value'])}]"]
    if "allow-sha1" in features or "dsa" in features or case["revocation"] == "ocsp":
        waivers += waiver("signatures", "minimum-hash: sha1")
    if "rsa-1024" in features and case["profile"] == "rfc5280":
        waivers += waiver("keys", "rsa-minimum: 1024")

    depth = case["max_chain_depth"]
    path = [f"    maximum-intermediates: {min(32 if depth is None else depth, 32)}", "    issuance: enforce"]
    wanted = case["extended_key_usage"] or {"SERVER": ["serverAuth"], "CLIENT": ["clientAuth"]}.get(case["validation_kind"], [])
    purposes = [f'"{PURPOSES[word]}"' for word in wanted if word in PURPOSES]
    if purposes:
        path.append(f"    key-purposes: [{', '.join(purposes)}]")
    inputs = case["certificate_policies"] or {}
    initial = inputs.get("initial_policy_set")
    if initial and initial != ["any"]:
        path.append("    certificate-policies: [" + ", ".join(f'"{oid}"' for oid in initial) + "]")
    for key, field, word in [("explicit_policy", "explicit-policy", "required"),
                             ("policy_mapping_inhibit", "policy-mapping", "inhibited"),
                             ("any_policy_inhibit", "any-policy", "inhibited")]:  # fmt: skip
        if inputs.get(key):
            path.append(f"    {field}: {word}")

    revocation = ["  revocation:"]
    if case["revocation"] == "none":
        revocation += ["    causes:"]
        revocation += [f"      {cause}: pass" for cause in
                       ["unknown", "no-endpoint", "unreachable", "stale", "malformed", "not-covered"]]  # fmt: skip
    else:
        revocation += ["    preset: require", f"    sources: [{case['revocation']}]"]
        if case["revocation_scope"] == "chain":
            revocation.append("    scope: leaf-and-intermediates")
        else:
            revocation.append("    scope: leaf")
        if "revocation-max-age-7d" in features:
            revocation.append("    maximum-age: 7d")
    if waivers:
        waivers = ["  waivers:", *waivers]
    body = ["default:", f"  anchors: [{', '.join(sets)}]", "  owner: vectors", *names, "  path:", *path, *revocation, *waivers]
    return "\n".join(["hawser: 1", *body, "anchors:", *lines]) + "\n", host


def row(case, host):
    made = {"id": case["id"], "host": host, "time": (case["validation_time"] or LATER).split(".")[0].rstrip("Z") + "Z",
            "chain": [case["peer_certificate"], *case["untrusted_intermediates"]],
            "was": "accept" if case["expected_result"] == "SUCCESS" else "reject"}  # fmt: skip
    if case["revocation"] != "none":
        made |= {"crls": case["crls"], "ocsp": case["ocsp_responses"]}
    return made


def main():
    cases, folder = map(pathlib.Path, sys.argv[1:])
    units, left = {}, 0
    for path in sorted(cases.glob("*.ndjson")):
        for case in map(json.loads, path.read_text().splitlines()):
            made = policy(case)
            if made is None:
                left += 1
                continue
            text, host = made
            units.setdefault((path.stem, text), []).append(row(case, host))
    for (suite, text), rows in units.items():
        unit = folder / f"{suite}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
        unit.mkdir(parents=True)
        (unit / "policy.yaml").write_text(text)
        (unit / "rows.ndjson").write_text("".join(json.dumps(one) + "\n" for one in rows))
    print(f"{len(units)} policies and {sum(map(len, units.values()))} rows; {left} cases without an anchor have none")


if __name__ == "__main__":
    main()
