"""Makes the certificates and log lists of this folder: mint.py [--check]. Needs PyPI's `cryptography`.

Keys come from fixed seeds and Ed25519 signatures are deterministic, so every run gives the same octets.
`--check` writes nothing and ends with 1 if a file differs.
"""

import base64
import datetime
import hashlib
import json
import pathlib
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

HERE = pathlib.Path(__file__).parent


def key(name: str) -> ed25519.Ed25519PrivateKey:
    return ed25519.Ed25519PrivateKey.from_private_bytes(hashlib.sha256(f"oracle {name}".encode()).digest())


def distinguished(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Oracle {name}")])


def authority(
    subject: str, subject_key: str, serial: int, *, issuer: str | None = None, years: tuple[int, int] = (2020, 2060),
    path_length: int | None = None, names: list[str] | None = None, client_only: bool = False,
) -> x509.Certificate:
    """A CA certificate; self-issued without an issuer. Each keyword is a limit that the certificate has."""
    signer = key(issuer or subject_key)
    public = key(subject_key).public_key()
    builder = (
        x509.CertificateBuilder()
        .subject_name(distinguished(subject))
        .issuer_name(distinguished(issuer or subject))
        .public_key(public)
        .serial_number(serial)
        .not_valid_before(datetime.datetime(years[0], 1, 1))
        .not_valid_after(datetime.datetime(years[1], 1, 1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=path_length), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
        .add_extension(
            x509.KeyUsage(
                digital_signature=False, content_commitment=False, key_encipherment=False, data_encipherment=False,
                key_agreement=False, key_cert_sign=True, crl_sign=True, encipher_only=False, decipher_only=False),
            critical=True)
    )
    if names:
        permitted = [x509.DNSName(name) for name in names]
        builder = builder.add_extension(x509.NameConstraints(permitted, None), critical=True)
    if client_only:
        builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH]), critical=False)
    return builder.sign(signer, None)


def certificates() -> dict[str, x509.Certificate]:
    """`r1…` have one name and one key, and differ by their limits. `i1` has the issuer `r9`."""
    return {
        "r1": authority("R1", "r1", 1),
        "r1-short": authority("R1", "r1", 2, years=(2020, 2029)),
        "r1-names": authority("R1", "r1", 3, names=["bank.example"]),
        "r1-length": authority("R1", "r1", 4, path_length=0),
        "r1-renamed": authority("R1 G2", "r1", 5),
        "r2": authority("R2", "r2", 6),
        "r3": authority("R3", "r3", 7),
        "i1": authority("I1", "i1", 8, issuer="r9"),
        "i2": authority("I2", "i2", 9, issuer="r9"),
    }


def log(name: str, state: str = "usable", interval: tuple[str, str] | None = None) -> dict[str, object]:
    secret = ec.derive_private_key(
        int.from_bytes(hashlib.sha256(f"oracle log {name}".encode()).digest(), "big") >> 1, ec.SECP256R1())
    der = secret.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    entry: dict[str, object] = {
        "description": f"{name} 2026",
        "log_id": base64.b64encode(hashlib.sha256(der).digest()).decode(),
        "key": base64.b64encode(der).decode(),
        "url": f"https://{name.lower()}.log.example/",
        "mmd": 86400,
        "state": {state: {"timestamp": "2025-01-01T00:00:00Z"}},
    }
    if interval:
        entry["temporal_interval"] = {"start_inclusive": interval[0], "end_exclusive": interval[1]}
    return entry


def log_list(date: str, operators: dict[str, list[dict[str, object]]]) -> dict[str, object]:
    return {
        "version": "1.0",
        "log_list_timestamp": f"{date}T00:00:00Z",
        "operators": [
            {"name": operator, "email": [f"ct@{operator.lower()}.example"], "logs": logs, "tiled_logs": []}
            for operator, logs in operators.items()
        ],
    }


def log_lists() -> dict[str, dict[str, object]]:
    larch, maple, birch = log("Larch"), log("Maple"), log("Birch")
    later = log("Maple", interval=("2027-01-01T00:00:00Z", "2028-01-01T00:00:00Z"))
    return {
        "all": log_list("2026-11-01", {"Larch": [larch], "Maple": [maple], "Birch": [birch]}),
        "all-younger": log_list("2026-11-15", {"Larch": [larch], "Maple": [maple], "Birch": [birch]}),
        "fewer": log_list("2026-11-01", {"Larch": [larch], "Maple": [maple]}),
        "fewer-younger": log_list("2026-11-15", {"Larch": [larch], "Maple": [maple]}),
        "one-operator": log_list("2026-11-01", {"Larch": [larch, maple], "Birch": [birch]}),
        "interval": log_list("2026-11-01", {"Larch": [larch], "Maple": [later], "Birch": [birch]}),
    }


def files() -> dict[str, bytes]:
    made = {
        f"{name}.pem": certificate.public_bytes(serialization.Encoding.PEM)
        for name, certificate in certificates().items()
    }
    for name, entries in log_lists().items():
        made[f"{name}.json"] = (json.dumps(entries, indent=1) + "\n").encode()
    digests = {}
    for name, certificate in certificates().items():
        spki = certificate.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        digests[name] = {
            "spki": "sha256/" + base64.b64encode(hashlib.sha256(spki).digest()).decode(),
            "spki-sha384": "sha384/" + base64.b64encode(hashlib.sha384(spki).digest()).decode(),
            "certificate": "sha256:" + certificate.fingerprint(hashes.SHA256()).hex(),
        }
    made["digests.json"] = (json.dumps(digests, indent=1) + "\n").encode()
    return made


def main() -> int:
    differing = []
    for name, octets in files().items():
        path = HERE / name
        if "--check" in sys.argv:
            if not path.exists() or path.read_bytes() != octets:
                differing.append(name)
        else:
            path.write_bytes(octets)
    for name in differing:
        print(f"{name} is not what mint.py makes", file=sys.stderr)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
