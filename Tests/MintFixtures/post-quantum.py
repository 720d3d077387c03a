#!/usr/bin/env python3
# Makes the certificates, requests and CRLs of policies/post-quantum:
#
#   pip install 'cryptography==50.*', then post-quantum.py [--check]
#
# TestPKI, which makes the fixtures of every other recipe, does not sign with ML-DSA. Names, keys,
# serial numbers and dates are fixed here. An RSA or ECDSA signature follows from them. An ML-DSA
# signature does not: cryptography mixes chance into each, as FIPS 204 advises. So a file whose
# octets differ from the recipe's only in these signatures, and whose signatures verify, is left as
# it is: a second run changes nothing. `--check` writes nothing, names each file that would be
# written, and ends with 1 if there is one. The private keys are public and protect nothing.
import base64
import datetime
import hashlib
import itertools
import pathlib
import re
import sys

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, mldsa, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

recipe = pathlib.Path(__file__).resolve().parents[2] / "policies" / "post-quantum"


# MARK: - Keys

def octets(label, count):
    """As many octets as are wanted, always the same for a label."""
    return hashlib.shake_256(b"hawser, post-quantum: " + label.encode()).digest(count)


def ml_dsa(parameter_set, label):
    kinds = {
        44: mldsa.MLDSA44PrivateKey, 65: mldsa.MLDSA65PrivateKey, 87: mldsa.MLDSA87PrivateKey,
    }
    return kinds[parameter_set].from_seed_bytes(octets(label, 32))


def ecdsa(curve, label):
    # A secret below 2^(bits - 8) is never zero nor above the order, but by a chance that no label
    # here has.
    secret = int.from_bytes(octets(label, curve.key_size // 8 - 1), "big")
    return ec.derive_private_key(secret, curve)


def is_prime(number):
    """Miller and Rabin, with bases that the number itself fixes."""
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for step in range(40):
        base = int.from_bytes(octets(f"base {step} of {number}", 16), "big") + 2
        power = pow(base, odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True


def prime(bits, label):
    # The two highest bits are set, so that a product of two has twice as many bits.
    start = int.from_bytes(octets(label, bits // 8), "big") | 3 << bits - 2 | 1
    small = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]
    return next(
        number for number in itertools.count(start, 2)
        if all(number % factor for factor in small) and (number - 1) % 65537 and is_prime(number))


def rsa_key(bits, label):
    p, q, e = prime(bits // 2, f"{label}, p"), prime(bits // 2, f"{label}, q"), 65537
    d = pow(e, -1, (p - 1) * (q - 1))
    return rsa.RSAPrivateNumbers(
        p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), rsa.RSAPublicNumbers(e, p * q),
    ).private_key()


# MARK: - Certificates

def instant(text):
    """`2026-05-04`, which is its first second, or `2026-05-04T10:00:00`."""
    return datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.timezone.utc)


def name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def signed(builder, key):
    if isinstance(key, ec.EllipticCurvePrivateKey):
        return builder.sign(key, hashes.SHA256(), ecdsa_deterministic=True)
    return builder.sign(key, hashes.SHA256() if isinstance(key, rsa.RSAPrivateKey) else None)


class Authority:
    def __init__(self, subject, key):
        self.subject, self.key = subject, key

    def certify(self, subject, public, begins, ends, serial, extensions):
        """A certificate by this authority. The extensions are pairs: value, critical."""
        builder = x509.CertificateBuilder(
            issuer_name=name(self.subject), subject_name=name(subject), public_key=public,
            serial_number=int.from_bytes(b"\x40" + octets(f"serial number, {serial}", 15), "big"),
            not_valid_before=instant(begins), not_valid_after=instant(ends))
        identifiers = [
            (x509.SubjectKeyIdentifier.from_public_key(public), False),
            (x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), False),
        ]
        for value, critical in extensions + identifiers:
            builder = builder.add_extension(value, critical)
        return Made(signed(builder, self.key), self.key)

    def certify_authority(self, other, begins, ends, path_length):
        serial = f"{other.subject} by {self.subject}"
        extensions = [
            (x509.BasicConstraints(True, path_length), True),
            (usage(key_cert_sign=True, crl_sign=True), True),
        ]
        return self.certify(
            other.subject, other.key.public_key(), begins, ends, serial, extensions)

    def certify_server(self, host, key, begins, ends, crl=None):
        serial = f"{host}, {begins} to {ends}, by {self.subject}"
        extensions = [
            (x509.BasicConstraints(False, None), True),
            (usage(digital_signature=True), True),
            (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False),
            (x509.SubjectAlternativeName([x509.DNSName(host)]), False),
        ]
        if crl is not None:
            place = x509.DistributionPoint(
                [x509.UniformResourceIdentifier(f"http://pki.grid.example/{crl}")],
                None, None, None)
            extensions.append((x509.CRLDistributionPoints([place]), False))
        return self.certify(host, key.public_key(), begins, ends, serial, extensions)

    def revoke(self, number, begins, ends, certificates=()):
        """A CRL of this authority that lists these certificates, revoked when it begins."""
        builder = (
            x509.CertificateRevocationListBuilder().issuer_name(name(self.subject))
            .last_update(instant(begins)).next_update(instant(ends))
            .add_extension(x509.CRLNumber(number), False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), False))
        for certificate in certificates:
            entry = x509.RevokedCertificateBuilder(
                certificate.value.serial_number, instant(begins))
            builder = builder.add_revoked_certificate(
                entry.add_extension(x509.CRLReason(x509.ReasonFlags.key_compromise), False)
                .build())
        return Made(signed(builder, self.key), self.key)


def usage(**bits):
    every = (
        "digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
        "key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only",
    )
    return x509.KeyUsage(**{bit: bits.get(bit, False) for bit in every})


def request(host, key):
    """A PKCS#10 request for a server's certificate."""
    builder = x509.CertificateSigningRequestBuilder(name(host)).add_extension(
        x509.SubjectAlternativeName([x509.DNSName(host)]), False)
    return Made(signed(builder, key), key)


class Made:
    """A certificate, CRL or request, and the key that it is signed with."""

    kinds = {
        x509.Certificate: (x509.load_der_x509_certificate, "tbs_certificate_bytes"),
        x509.CertificateRevocationList: (x509.load_der_x509_crl, "tbs_certlist_bytes"),
        x509.CertificateSigningRequest: (x509.load_der_x509_csr, "tbs_certrequest_bytes"),
    }

    def __init__(self, value, signer):
        self.value, self.signer = value, signer
        self.load, self.signed_octets = next(
            pair for kind, pair in self.kinds.items() if isinstance(value, kind))

    def encoded(self, encoding=serialization.Encoding.DER):
        return self.value.public_bytes(encoding)

    def with_changed_signature(self):
        """The same with one bit of the signature changed."""
        der = bytearray(self.encoded())
        der[-len(self.value.signature)] ^= 1
        return Made(self.load(bytes(der)), None)

    def keep(self, der):
        """Takes these octets in place of its own, if only the chance of ML-DSA sets them apart."""
        if self.signer is None or isinstance(
                self.signer, (rsa.RSAPrivateKey, ec.EllipticCurvePrivateKey)):
            return
        end = -len(self.value.signature)
        if der[:end] != self.encoded()[:end]:
            return
        other = self.load(der)
        try:
            self.signer.public_key().verify(other.signature, getattr(other, self.signed_octets))
            self.value = other
        except InvalidSignature:
            return


# MARK: - Files

written = []


def write(path, octets):
    if present(path) == octets:
        return
    written.append(path)
    if "--check" not in sys.argv[1:]:
        (recipe / path).parent.mkdir(parents=True, exist_ok=True)
        (recipe / path).write_bytes(octets)


def present(path):
    return (recipe / path).read_bytes() if (recipe / path).is_file() else b""


def pem(path, *made):
    """A file of certificates or of requests, in this order."""
    blocks = re.findall(rb"-----BEGIN [^-]+-----([^-]+)-----END", present(path))
    for one, block in zip(made, blocks):
        one.keep(base64.b64decode(block))
    write(path, b"".join(one.encoded(serialization.Encoding.PEM) for one in made))


def crl(path, made):
    made.keep(present(path))
    write(path, made.encoded())


def chain(case, *made):
    """What the server of a case presents, its own certificate first."""
    pem(f"cases/{case}/chain.pem", *made)


# MARK: - The estate

grid_2018 = Authority("Grid Root 2018", rsa_key(3072, "Grid Root 2018"))
grid_2026 = Authority("Grid Root 2026", ml_dsa(87, "Grid Root 2026"))
issuing_pq = Authority("Grid Issuing PQ", ml_dsa(65, "Grid Issuing PQ"))
issuing_ec = Authority("Grid Issuing EC", ecdsa(ec.SECP384R1(), "Grid Issuing EC"))

root_2018 = grid_2018.certify_authority(grid_2018, "2018-01-08", "2038-01-08", None)
root_2026 = grid_2026.certify_authority(grid_2026, "2026-01-12", "2046-01-12", None)
# For clients whose store has only the old root.
cross_sign = grid_2018.certify_authority(grid_2026, "2026-01-12", "2028-01-12", None)
pq_by_2026 = grid_2026.certify_authority(issuing_pq, "2026-02-02", "2031-02-02", 0)
ec_by_2026 = grid_2026.certify_authority(issuing_ec, "2026-02-02", "2028-02-02", 0)
# For clients that know no ML-DSA.
ec_by_2018 = grid_2018.certify_authority(issuing_ec, "2024-02-05", "2028-02-05", 0)

pem("anchors/grid-2018.pem", root_2018)
pem("anchors/grid-2026.pem", root_2026)
pem("anchors/grid-2026-signed-by-2018.pem", cross_sign)
pem("anchors/issuing-ec.pem", ec_by_2026)

# MARK: - Any server: `meter.grid.example`

host = "meter.grid.example"
small, classic = ml_dsa(44, host), ecdsa(ec.SECP256R1(), host)
leaf = issuing_pq.certify_server(host, small, "2026-05-04", "2026-08-02")
chain("mldsa44", leaf, pq_by_2026)
chain("mldsa44-changed-signature", leaf.with_changed_signature(), pq_by_2026)
chain("mldsa44-through-changed-issuer", leaf, pq_by_2026.with_changed_signature())
chain(
    "mldsa44-issued-after-the-date",
    issuing_pq.certify_server(host, small, "2027-07-05", "2027-10-03"), pq_by_2026)
chain(
    "mldsa44-91-days",
    issuing_pq.certify_server(host, small, "2026-05-04", "2026-08-03"), pq_by_2026)

leaf = issuing_ec.certify_server(host, classic, "2026-05-04", "2026-08-02")
chain("ecdsa", leaf, ec_by_2026)
chain("ecdsa-old-chain", leaf, ec_by_2018)
# The last certificate that may be issued, with the longest life.
leaf = issuing_ec.certify_server(host, classic, "2027-04-01T23:59:59", "2027-06-30T23:59:59")
chain("ecdsa-last-day-of-issue", leaf, ec_by_2026)
chain("ecdsa-last-second", leaf, ec_by_2026)
chain(
    "ecdsa-issued-too-late",
    issuing_ec.certify_server(host, classic, "2027-04-02", "2027-07-01"), ec_by_2026)
# The other issuing CA, whose key stays in service, must not issue for such keys.
leaf = issuing_pq.certify_server(host, classic, "2027-05-03", "2027-08-01")
chain("ecdsa-by-the-other-issuer", leaf, pq_by_2026)
chain("ecdsa-by-the-other-issuer-after-the-date", leaf, pq_by_2026)
# What whoever has broken the RSA root would make: issued in time, if one believes its dates.
chain(
    "backdated",
    grid_2018.certify_server(host, ecdsa(ec.SECP256R1(), "forger"), "2026-05-04", "2030-05-04"))

# MARK: - A host whose clients are old: `pump.stations.grid.example`

host = "pump.stations.grid.example"
key = ml_dsa(65, host)
chain("cross-sign", issuing_pq.certify_server(host, key, "2026-05-04", "2026-08-02"), pq_by_2026)
chain(
    "cross-sign-issued-too-late",
    issuing_pq.certify_server(host, key, "2027-04-02", "2027-07-01"), pq_by_2026)

# MARK: - A pinned host that accepts nothing else already: `control.grid.example`

host = "control.grid.example"
key, spare = ml_dsa(65, host), ml_dsa(87, f"{host}, next")
dates = ("2026-05-04", "2026-08-02", "issuing-pq.crl")
pem("pinned/control.csr.pem", request(host, key))
pem("pinned/control-next.csr.pem", request(host, spare))
leaf = issuing_pq.certify_server(host, key, *dates)
stolen = issuing_pq.certify_server(host, key, "2026-04-06", "2026-07-05", "issuing-pq.crl")
chain("pinned", leaf, pq_by_2026)
chain("pinned-without-list", leaf, pq_by_2026)
chain("pinned-list-changed", leaf, pq_by_2026)
chain("pinned-backup", issuing_pq.certify_server(host, spare, *dates), pq_by_2026)
chain(
    "other-key", issuing_pq.certify_server(host, ml_dsa(65, "another"), *dates), pq_by_2026)
chain("smaller-key", issuing_pq.certify_server(host, ml_dsa(44, host), *dates), pq_by_2026)
chain(
    "ecdsa-for-control",
    issuing_ec.certify_server(host, ecdsa(ec.SECP256R1(), host), *dates[:2]), ec_by_2026)
chain("revoked", stolen, pq_by_2026)

days = ("2026-06-01", "2026-06-08")
of_issuing = issuing_pq.revoke(41, *days, [stolen])
crl("crls/grid-2026.crl", grid_2026.revoke(7, "2026-05-04", "2026-08-04"))
crl("crls/issuing-pq.crl", of_issuing)
crl("crls/issuing-ec.crl", issuing_ec.revoke(12, *days))
crl("crls/issuing-pq-changed.crl", of_issuing.with_changed_signature())

# MARK: - A host whose algorithms are listed: `market.example`

host = "market.example"
chain(
    "listed-types",
    issuing_ec.certify_server(host, ecdsa(ec.SECP256R1(), host), "2026-05-04", "2026-08-02"),
    ec_by_2018)
chain(
    "types-not-listed",
    issuing_pq.certify_server(host, ml_dsa(44, host), "2026-05-04", "2026-08-02"), pq_by_2026)

for path in written:
    print(path)
if "--check" in sys.argv[1:] and written:
    sys.exit(1)
