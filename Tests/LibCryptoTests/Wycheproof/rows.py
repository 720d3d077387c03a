#!/usr/bin/env python3
"""Makes `rows.ndjson` of a checkout of C2SP/wycheproof (Apache-2.0; the rows are of dac1dd4,
2026-08-18): signatures of the kinds that certificates have, each with the expected answer.

Usage: rows.py CHECKOUT

A line is one key: `file`, `algorithm`, `hash`, for RSASSA-PSS `mgfHash` and `saltLength`, the key as
a SubjectPublicKeyInfo, and `tests`: number, message, signature and whether the signature is valid.
Octets are in hexadecimal.
Of tests of a file that have the same comment, flags and answer, the first is taken.
"""

import json
import pathlib
import sys

KEPT = 1
ECDSA = ["ecdsa_secp256r1_sha256", "ecdsa_secp256r1_sha512", "ecdsa_secp384r1_sha256", "ecdsa_secp384r1_sha384",
         "ecdsa_secp521r1_sha512"]  # fmt: skip
EDDSA = ["ed25519", "ed448"]
RSA = ["rsa_signature_2048_sha256", "rsa_signature_2048_sha384", "rsa_signature_2048_sha512",
       "rsa_signature_3072_sha384", "rsa_signature_4096_sha512"]  # fmt: skip
PSS = ["rsa_pss_2048_sha256_mgf1_0", "rsa_pss_2048_sha256_mgf1_32", "rsa_pss_2048_sha256_mgf1_32_params",
       "rsa_pss_2048_sha384_mgf1_48", "rsa_pss_2048_sha512_mgf1sha256_32_params", "rsa_pss_3072_sha256_mgf1_32",
       "rsa_pss_3072_sha256_mgf1_32_params", "rsa_pss_4096_sha256_mgf1_32", "rsa_pss_4096_sha384_mgf1_48",
       "rsa_pss_4096_sha512_mgf1_32", "rsa_pss_4096_sha512_mgf1_64", "rsa_pss_4096_sha512_mgf1_64_params",
       "rsa_pss_misc", "rsa_pss_misc_params"]  # fmt: skip


def terms(name, group):
    """The algorithm of a group of tests, or None where certificates have no such algorithm."""
    named = lambda text: text.replace("-", "").lower()
    if name in EDDSA:
        return {"algorithm": name}
    if name in ECDSA:
        return {"algorithm": "ecdsa", "hash": named(group["sha"])}
    hashes = {"sha256", "sha384", "sha512"}
    if named(group["sha"]) not in hashes:
        return None
    if name in RSA:
        return {"algorithm": "rsa-pkcs1", "hash": named(group["sha"])}
    if named(group["mgfSha"]) not in hashes:
        return None
    return {"algorithm": "rsa-pss", "hash": named(group["sha"]), "mgfHash": named(group["mgfSha"]),
            "saltLength": group["sLen"]}  # fmt: skip


def main():
    folder = pathlib.Path(sys.argv[1]) / "testvectors_v1"
    with (pathlib.Path(__file__).parent / "rows.ndjson").open("w") as out:
        for name in [*ECDSA, *EDDSA, *RSA, *PSS]:
            kept = {}
            for group in json.loads((folder / f"{name}_test.json").read_text())["testGroups"]:
                row = terms(name, group)
                tests = []
                for test in group["tests"]:
                    kind = (test["comment"], *test["flags"], test["result"])
                    kept[kind] = kept.get(kind, 0) + 1
                    # `acceptable` leaves the answer open.
                    if kept[kind] <= KEPT and test["result"] != "acceptable":
                        tests.append([test["tcId"], test["msg"], test["sig"], test["result"] == "valid"])
                if row and tests:
                    key = group.get("publicKeyDer") or group["publicKeyPkcs8"]
                    json.dump({"file": name, **row, "key": key, "tests": tests}, out, separators=(",", ":"))
                    out.write("\n")


main()
