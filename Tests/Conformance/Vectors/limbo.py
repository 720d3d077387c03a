"""Turns the output of x509-limbo's generator into rows of vectors: limbo's own cases, and the cases
of BetterTLS that it carries. `../README.md` has the format.

Usage: limbo.py LIMBO.JSON FOLDER [BETTERTLS.JSON]     writes FOLDER/*.ndjson, one file a suite

`python -m limbo compile -o LIMBO.JSON` makes the first file, with fresh keys each time: octets
differ from one run to the next, ids and expectations do not. BetterTLS calls some mismatches a
warning and limbo drops the word; its own file, `limbo/_assets/bettertls.json`, has it.
"""

import base64
import json
import pathlib
import sys

from boringssl import BLOCK, Certificate, encoded, write


def der(pem):
    return base64.b64decode("".join(BLOCK.search(pem).group(2).split()))


def soft(path):
    """The ids of BetterTLS whose mismatch is only a warning."""
    if path is None:
        return set()
    suites = json.loads(pathlib.Path(path).read_text())["suites"]
    return {
        f"bettertls::{name}::tc{case['id']}"
        for name, suite in suites.items() for case in suite["testCases"] if case.get("failureIsWarning")
    }  # fmt: skip


def rows(cases, warnings):
    for case in cases:
        name = case["id"]
        chapter, second = name.split("::")[:2]
        suite = f"bettertls-{second}" if chapter == "bettertls" else "limbo"
        trusted = [der(pem) for pem in case["trusted_certs"]]
        peer = der(case["peer_certificate"])
        crls = [der(pem) for pem in case["crls"]]
        features = [*case["features"], f"importance-{case['importance']}"]
        certificates = [Certificate(octets) for octets in [peer, *map(der, case["untrusted_intermediates"]), *trusted]]
        if any(certificate.is_dsa for certificate in certificates):
            features.append("dsa")
        if any(certificate.rsa_bits and 1024 <= certificate.rsa_bits < 2048 for certificate in certificates):
            features.append("rsa-1024")
        if peer in trusted:
            features.append("peer-is-trusted-cert")
        fields = {
            "id": name, "suite": suite, "description": case["description"],
            "profile": "web-pki" if chapter == "webpki" else "rfc5280",
            "trusted_certs": [encoded(octets) for octets in trusted],
            "untrusted_intermediates": [encoded(der(pem)) for pem in case["untrusted_intermediates"]],
            "peer_certificate": encoded(peer), "crls": [encoded(octets) for octets in crls], "ocsp_responses": [],
            "validation_time": time(case["validation_time"]), "validation_kind": case["validation_kind"],
            "expected_peer_name": case["expected_peer_name"], "expected_peer_names": case["expected_peer_names"],
            "max_chain_depth": case["max_chain_depth"], "key_usage": case["key_usage"],
            "extended_key_usage": case["extended_key_usage"], "certificate_policies": None,
            "revocation": "crl" if crls else "none", "revocation_scope": "chain" if crls else None,
            "expected_result": case["expected_result"], "expected_reason": None,
            "strength": "soft" if name in warnings else "hard", "features": features,
        }  # fmt: skip
        yield fields


def time(text):
    """An instant of limbo's, whose zone is written as `Z` or `+00:00`."""
    return None if text is None else text.replace("+00:00", "Z")


def main():
    source, folder = map(pathlib.Path, sys.argv[1:3])
    folder.mkdir(parents=True, exist_ok=True)
    cases = json.loads(source.read_text())["testcases"]
    found = list(rows(cases, soft(sys.argv[3] if len(sys.argv) > 3 else None)))
    for suite in sorted({row["suite"] for row in found}):
        write(folder, suite, [row for row in found if row["suite"] == suite])


if __name__ == "__main__":
    main()
