"""Turns a checkout of BoringSSL into rows of vectors: its chains, its CRLs, its OCSP responses, and
NIST's PKITS with BoringSSL's expectations. `../README.md` has the format.

Usage: boringssl.py CHECKOUT FOLDER     writes FOLDER/*.ndjson, one file a suite

Only Python's own library is used. CHECKOUT is read at the paths of commit a0689af29e8e.
"""

import base64
import json
import pathlib
import re
import sys

ANY_POLICY = {"initial_policy_set": ["any"], "explicit_policy": False, "policy_mapping_inhibit": False,
              "any_policy_inhibit": False}  # fmt: skip


def row(name, suite, description, trusted, untrusted, peer, **more):
    """A vector, with its fields in the order of the format."""
    fields = {
        "id": name, "suite": suite, "description": description, "profile": "rfc5280", "trusted_certs": trusted,
        "untrusted_intermediates": untrusted, "peer_certificate": peer, "crls": [], "ocsp_responses": [],
        "validation_time": None, "validation_kind": "ANY", "expected_peer_name": None, "expected_peer_names": [],
        "max_chain_depth": None, "key_usage": [], "extended_key_usage": [], "certificate_policies": None,
        "revocation": "none", "revocation_scope": None, "expected_result": None, "expected_reason": None,
        "strength": "hard", "features": [],
    }  # fmt: skip
    assert set(more) <= set(fields), set(more) - set(fields)
    fields.update(more)
    return fields


# ------------------------------------------------------------------------------------------- DER


def elements(der):
    """The tag and the contents of each element, one after the other."""
    at = 0
    while at < len(der):
        tag, length, at = der[at], der[at + 1], at + 2
        if length & 0x80:
            count = length & 0x7F
            length, at = int.from_bytes(der[at : at + count], "big"), at + count
        yield tag, der[at : at + length]
        at += length


def identifier(octets):
    """An OBJECT IDENTIFIER with dots."""
    numbers, number = [], 0
    for octet in octets:
        number = number << 7 | octet & 0x7F
        if not octet & 0x80:
            numbers.append(number)
            number = 0
    first = min(numbers[0] // 40, 2)
    return ".".join(map(str, [first, numbers[0] - 40 * first, *numbers[1:]]))


def list_features(der):
    """What a CRL is: one for some reasons, for several issuers, or of changes (RFC 5280, 5.2)."""
    (_, whole), = elements(der)
    extensions = {}
    for tag, value in elements(next(elements(whole))[1]):
        if tag == 0xA0:
            (_, listed), = elements(value)
            for _, extension in elements(listed):
                parts = list(elements(extension))
                extensions[identifier(parts[0][1])] = parts[-1][1]
    point = extensions.get("2.5.29.28")
    tags = {tag for tag, _ in elements(next(elements(point))[1])} if point else set()
    return {name for name, holds in [("crl-reasons", 0x83 in tags), ("indirect-crl", 0x84 in tags),
                                     ("delta-crl", "2.5.29.27" in extensions)] if holds}  # fmt: skip


class Certificate:
    """What the features of a vector hang on; of a certificate that does not parse, nothing."""

    SHA1 = {"1.2.840.113549.1.1.5", "1.2.840.10045.4.1", "1.2.840.10040.4.3"}
    RSA, DSA = "1.2.840.113549.1.1.1", "1.2.840.10040.4.1"

    def __init__(self, der):
        self.is_sha1 = self.is_dsa = False
        self.rsa_bits, self.extensions = None, {}
        try:
            self.read(der)
        except (IndexError, ValueError):
            pass

    def read(self, der):
        (_, whole), = elements(der)
        (_, tbs), (_, algorithm), _ = elements(whole)
        signature = identifier(next(elements(algorithm))[1])
        self.is_sha1 = signature in self.SHA1
        fields = list(elements(tbs))
        if fields[0][0] == 0xA0:
            fields.pop(0)
        (_, key_algorithm), (_, key) = elements(fields[5][1])
        kind = identifier(next(elements(key_algorithm))[1])
        self.is_dsa = kind == self.DSA
        if kind == self.RSA:
            (_, numbers), = elements(key[1:])
            self.rsa_bits = int.from_bytes(next(elements(numbers))[1], "big").bit_length()
        for tag, value in fields[6:]:
            if tag == 0xA3:
                (_, extensions), = elements(value)
                for _, extension in elements(extensions):
                    parts = list(elements(extension))
                    self.extensions[identifier(parts[0][1])] = parts[-1][1]


def encoded(der):
    return base64.b64encode(der).decode()


# ------------------------------------------------------------------------------------------- PEM


BLOCK = re.compile(r"-----BEGIN ([^-]+)-----\n(.*?)-----END \1-----", re.DOTALL)


def blocks(path):
    """The blocks of a file, each with its name, and the text before the first."""
    text = path.read_text(errors="replace")
    found = [(name, base64.b64decode("".join(body.split()))) for name, body in BLOCK.findall(text)]
    return found, text.split("-----BEGIN", 1)[0]


def paragraph(text):
    """The paragraph of prose in the text before a block, on one line."""
    for part in re.split(r"\n\s*\n", text):
        lines = [line.strip() for line in part.strip().splitlines()]
        prose = [line for line in lines if line and not re.match(r"\[Created by|Generated by", line)]
        if prose and not prose[0].startswith(("$", "Certificate:", "-----", "SEQUENCE")):
            return " ".join(prose)
    return ""


def described(name, text):
    return ": ".join(filter(None, [name, paragraph(text)]))


# ---------------------------------------------------------------------------------------- chains

# What the trust of the last certificate lifts of what an anchor binds.
TRUST = {
    "TRUSTED_ANCHOR": ["anchor-ignore-expiry", "anchor-ignore-constraints"],
    "TRUSTED_ANCHOR_WITH_EXPIRATION": ["anchor-ignore-constraints"],
    "TRUSTED_ANCHOR_WITH_CONSTRAINTS": ["anchor-ignore-expiry", "anchor-basic-constraints-optional"],
    "TRUSTED_ANCHOR_WITH_REQUIRE_BASIC_CONSTRAINTS": ["anchor-ignore-expiry", "anchor-ignore-constraints"],
    "TRUSTED_ANCHOR_WITH_CONSTRAINTS_REQUIRE_BASIC_CONSTRAINTS": ["anchor-ignore-expiry"],
    "TRUSTED_ANCHOR_WITH_EXPIRATION_AND_CONSTRAINTS": ["anchor-basic-constraints-optional"],
    "TRUSTED_ANCHOR_OR_LEAF": ["trust-anchor-or-leaf", "anchor-ignore-expiry", "anchor-ignore-constraints"],
    "TRUSTED_LEAF": ["trust-leaf"],
    "UNSPECIFIED": [],
}  # fmt: skip

PURPOSES = {"SERVER_AUTH": ("SERVER", "serverAuth"), "CLIENT_AUTH": ("CLIENT", "clientAuth"), "ANY_EKU": ("ANY", None)}


def chains(folder):
    for path in sorted(folder.rglob("*.test")):
        vector = chain(folder, path)
        if vector is not None:
            yield vector


def chain(folder, path):
    name = str(path.relative_to(folder))[: -len(".test")]
    settings, reasons = {}, None
    for line in path.read_text().split("\n"):
        if reasons is not None:
            reasons.append(line)
        elif line == "expected_errors:":
            reasons = []
        elif line:
            key, _, value = line.partition(": ")
            settings[key] = value
    purpose, strict = settings["key_purpose"], []
    for ending, feature in [("_STRICT_LEAF", "eku-strict-leaf"), ("_STRICT", "eku-strict")]:
        if purpose.endswith(ending):
            purpose, strict = purpose[: -len(ending)], [feature]
            break
    # Purposes and kinds of trust that the format has no word for.
    trust = settings["last_cert_trust"]
    if purpose not in PURPOSES or trust not in TRUST:
        return None
    found, text = blocks(path.parent / settings["chain"])
    ders = [der for kind, der in found if kind in ("CERTIFICATE", "TRUSTED CERTIFICATE")]
    certificates = [Certificate(der) for der in ders]
    kind, word = PURPOSES[purpose]
    features = TRUST[trust] + (["eku-chain"] if word else []) + strict
    if settings.get("digest_policy") != "STRONG" and any(c.is_sha1 for c in certificates[:-1]):
        features.append("allow-sha1")
    if any(c.rsa_bits and 1024 <= c.rsa_bits < 2048 for c in certificates):
        features.append("rsa-1024")
    if name.startswith("many-names/"):
        features.append("denial-of-service")
    if "polic" in name:
        features.append("has-cert-policies")
    if len(ders) == 1:
        features.append("peer-is-trusted-cert")
    if name.startswith("target-serverauth-various-keyusages/"):
        features.append("leaf-key-usage-unchecked")
    errors = "\n".join(reasons or []).strip()
    # Warnings alone fail no path.
    fails = any(line.startswith("ERROR: ") for line in errors.split("\n"))
    policies = settings.get("expected_user_constrained_policy_set")
    return row(
        f"boringssl::verify-chain/{name}", "boringssl-verify-chain", described(name, text),
        [encoded(ders[-1])] if trust != "UNSPECIFIED" else [],
        [encoded(der) for der in (ders[1:-1] if trust != "UNSPECIFIED" else ders[1:])], encoded(ders[0]),
        validation_time=instant(settings["utc_time"]), validation_kind=kind,
        extended_key_usage=[word] if word else [], certificate_policies=ANY_POLICY,
        expected_result="FAILURE" if fails else "SUCCESS",
        expected_reason=errors or (f"user_constrained_policy_set: {policies}" if policies else None), features=features,
    )  # fmt: skip


def instant(text):
    """UTCTime; `DEFAULT` is 2021-10-05T12:00:00Z (test_helpers.cc)."""
    if text == "DEFAULT":
        return "2021-10-05T12:00:00Z"
    year = int(text[:2])
    parts = [1900 + year if year >= 50 else 2000 + year] + [int(text[at : at + 2]) for at in (2, 4, 6, 8, 10)]
    return "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z".format(*parts)


# -------------------------------------------------------------------------------------- evidence


def anchor_features(der):
    return [] if "2.5.29.19" in Certificate(der).extensions else ["anchor-basic-constraints-optional"]


def size_features(*ders):
    sizes = [Certificate(der).rsa_bits for der in ders]
    return ["rsa-1024"] if any(size and 1024 <= size < 2048 for size in sizes) else []


def crls(pki):
    test = (pki / "crl_unittest.cc").read_text()
    for file in re.findall(r'^\s+"([a-z0-9_]+\.pem)",', test, re.MULTILINE):
        found, text = blocks(pki / "testdata/crl_unittest" / file)
        parts, name = dict(found), file[: -len(".pem")]
        kind = name.split("_")[0]
        reason = {"good": "GOOD", "revoked": "REVOKED"}.get(kind, f"UNKNOWN (CRL refused: {kind})")
        if "CA CERTIFICATE 2" in parts:  # nothing says which of the two is the anchor
            continue
        anchor = parts["CA CERTIFICATE"]
        yield row(
            f"boringssl::crl/{name}", "boringssl-crl", described(name, text), [encoded(anchor)],
            [], encoded(parts["CERTIFICATE"]), crls=[encoded(parts["CRL"])], validation_time="2017-03-09T00:00:00Z", revocation="crl",
            revocation_scope="leaf", expected_result="SUCCESS" if kind == "good" else "FAILURE", expected_reason=reason,
            features=["has-crl", "revocation-max-age-7d", *anchor_features(anchor),
                      *size_features(parts["CERTIFICATE"], anchor)],
        )  # fmt: skip


def responses(pki):
    test = (pki / "ocsp_unittest.cc").read_text()
    entry = r'\{"([a-z0-9_]+)\.pem",\s+OCSPRevocationStatus::(\w+),\s+OCSPVerifyResult::(\w+)\}'
    for name, status, result in re.findall(entry, test):
        found, text = blocks(pki / f"testdata/ocsp_unittest/{name}.pem")
        parts = dict(found)
        yield row(
            f"boringssl::ocsp/{name}", "boringssl-ocsp", described(name, text),
            [encoded(parts["CA CERTIFICATE"])], [], encoded(parts["CERTIFICATE"]),
            ocsp_responses=[encoded(parts["OCSP RESPONSE"])], validation_time="2017-03-05T00:00:00Z", revocation="ocsp",
            revocation_scope="leaf", expected_result="SUCCESS" if status == "GOOD" else "FAILURE",
            expected_reason=f"{status} / {result}",
            features=["has-ocsp", "revocation-max-age-7d", *anchor_features(parts["CA CERTIFICATE"]),
                      *size_features(parts["CERTIFICATE"], parts["CA CERTIFICATE"])],
        )  # fmt: skip


# ----------------------------------------------------------------------------------------- PKITS

TEST = re.compile(
    r"// (4\.[0-9.]+) ([^\n]*)\nWRAPPED_TYPED_TEST_P\(PkitsTest\d+(\w+),\s*(\w+)\) \{(.*?)^\}", re.DOTALL | re.MULTILINE)
POLICY = "2.16.840.1.101.3.2.1.48."


def pkits(pki):
    text = (pki / "testdata/nist-pkits/pkits_testcases-inl.h").read_text()
    for number, title, section, _, body in TEST.findall(text):
        yield pkits_row(pki / "testdata/nist-pkits", number, title, section, body)


def policies(names):
    return ["any" if name == "anyPolicy" else POLICY + name.rsplit("-", 1)[1] for name in names.split(",") if name]


def pkits_row(folder, number, title, section, body):
    def names(variable):
        part = re.search(rf"{variable}\[\] = \{{(.*?)\}};", body, re.DOTALL)
        return re.findall(r'"([^"]+)"', part.group(1)) if part else []

    def setting(name, default):
        part = re.search(rf"info\.{name}\((.*?)\);", body, re.DOTALL)
        return part.group(1).strip().strip('"') if part else default

    ders = [(folder / "certs" / f"{name}.crt").read_bytes() for name in names("certs")]
    lists = [(folder / "crls" / f"{name}.crl").read_bytes() for name in names("crls")]
    name = re.search(r'info\.test_number = "([^"]+)"', body).group(1)
    succeeds = "should_validate = true" in body
    certificates = [Certificate(der) for der in ders]
    features = ["has-crl"]
    if any(c.is_dsa for c in certificates):
        features.append("dsa")
    chapter = int(name.split(".")[1])
    if 8 <= chapter <= 12:
        features.append("has-cert-policies")
    has = set().union(*map(list_features, lists))
    features += [feature for feature in ("crl-reasons", "indirect-crl", "delta-crl") if feature in has]
    subpart = re.search(r"\(Subpart (\d+)\)$", title)
    constrained = policies(setting("SetUserConstrainedPolicySet", "NIST-test-policy-1"))
    return row(
        f"pkits::{name}" + (f"#{subpart.group(1)}" if subpart else ""), "pkits", f"{words(section)}: {title}", [encoded(ders[0])],
        [encoded(der) for der in ders[1:-1]], encoded(ders[-1]), crls=[encoded(der) for der in lists],
        validation_time="2011-04-15T00:00:00Z",
        certificate_policies={
            "initial_policy_set": policies(setting("SetInitialPolicySet", "anyPolicy")),
            "explicit_policy": setting("SetInitialExplicitPolicy", "false") == "true",
            "policy_mapping_inhibit": setting("SetInitialPolicyMappingInhibit", "false") == "true",
            "any_policy_inhibit": setting("SetInitialInhibitAnyPolicy", "false") == "true",
        }, revocation="crl", revocation_scope="chain", expected_result="SUCCESS" if succeeds else "FAILURE",
        expected_reason="user_constrained_policy_set: " + ",".join(constrained) if constrained and succeeds else None,
        features=features,
    )  # fmt: skip


def words(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)


# ---------------------------------------------------------------------------------------- output


def write(folder, suite, vectors):
    with open(folder / f"{suite}.ndjson", "w") as file:
        for vector in vectors:
            file.write(json.dumps(vector, ensure_ascii=False, separators=(",", ":")) + "\n")


def main():
    checkout, folder = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    pki = checkout / "pki"
    write(folder, "boringssl-verify-chain", chains(pki / "testdata/verify_certificate_chain_unittest"))
    write(folder, "boringssl-crl", crls(pki))
    write(folder, "boringssl-ocsp", responses(pki))
    write(folder, "pkits", pkits(pki))


if __name__ == "__main__":
    main()
