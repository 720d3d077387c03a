#!/usr/bin/env python3
# Makes chains.ndjson anew: pip install 'cryptography==50.*', then mint.py [--check].
#
# One JSON object a line: name, kind (certificate, request, key, crl, ocsp) and der, in base64. What
# the names stand for is said where each is made. The keys come from fixed seeds, times and serial
# numbers are fixed. cryptography mixes chance into each ML-DSA signature, as FIPS 204 advises. So a
# new run makes other signatures under the same keys, and goldens with digests of certificates
# change (`UPDATE_GOLDEN=1`, `CLITests/MLDSATests`). --check writes nothing: it says whether a new
# run would make the same names with the same keys. The private keys are public and protect nothing.
import base64
import datetime
import hashlib
import json
import pathlib
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, mldsa
from cryptography.x509 import ocsp
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

path = pathlib.Path(__file__).with_name("chains.ndjson")
made = []
sets = {
    44: mldsa.MLDSA44PrivateKey, 65: mldsa.MLDSA65PrivateKey, 87: mldsa.MLDSA87PrivateKey,
}
begin = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
end = datetime.datetime(2027, 1, 1, tzinfo=datetime.timezone.utc)
judged = datetime.datetime(2026, 6, 1, tzinfo=datetime.timezone.utc)


def seed(label):
    return hashlib.sha256(b"hawser test chains, " + label.encode()).digest()


def lattice(number, label):
    return sets[number].from_seed_bytes(seed(label))


def curve(label):
    return ec.derive_private_key(int.from_bytes(seed(label), "big") >> 1, ec.SECP256R1())


def hash_for(key):
    return hashes.SHA256() if isinstance(key, ec.EllipticCurvePrivateKey) else None


def add(name, kind, der):
    made.append({"name": name, "kind": kind, "der": base64.b64encode(der).decode()})
    return der


# DER, as far as it is edited here.


def tlv(tag, content):
    count = len(content)
    if count < 0x80:
        return bytes([tag, count]) + content
    octets = count.to_bytes((count.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(octets)]) + octets + content


def parts(content):
    """The elements of a SEQUENCE's content, whole."""
    out, at = [], 0
    while at < len(content):
        first, head = content[at + 1], 2
        count = first
        if first & 0x80:
            head = 2 + (first & 0x7F)
            count = int.from_bytes(content[at + 2 : at + head], "big")
        out.append(content[at : at + head + count])
        at += head + count
    return out


def content(element):
    first = element[1]
    return element[2 + (first & 0x7F if first & 0x80 else 0) :]


def algorithm(last, parameters=b""):
    return tlv(0x30, tlv(0x06, bytes.fromhex("6086480165030403") + bytes([last])) + parameters)


numbers = {44: 17, 65: 18, 87: 19}
null = b"\x05\x00"

# Certificates.

usage_none = dict.fromkeys(
    [
        "digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
        "key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only",
    ], False)


def usage(*bits):
    return x509.KeyUsage(**(usage_none | dict.fromkeys(bits, True)))


ca_usage = usage("key_cert_sign", "crl_sign")
serial = 0x1000


class Authority:
    def __init__(self, name, key, issuer=None, key_usage=ca_usage, alias=None):
        self.subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.key = key
        self.certificate = certificate(
            self.subject, key.public_key(), issuer or self, key_usage,
            x509.BasicConstraints(True, None), None, [])
        add(alias or name.lower().replace(" ", "-"), "certificate", der(self.certificate))


def der(thing):
    return thing.public_bytes(serialization.Encoding.DER)


def certificate(subject, public, issuer, key_usage, constraints, name, purposes):
    global serial
    serial += 1
    builder = (
        x509.CertificateBuilder().subject_name(subject).issuer_name(issuer.subject)
        .public_key(public).serial_number(serial).not_valid_before(begin).not_valid_after(end)
        .add_extension(x509.SubjectKeyIdentifier(seed("key")[:10] + serial.to_bytes(10, "big"))
            if constraints.ca else x509.SubjectKeyIdentifier.from_public_key(public), False)
        .add_extension(constraints, True))
    if issuer.subject != subject:
        identifier = issuer.certificate.extensions.get_extension_for_class(
            x509.SubjectKeyIdentifier).value
        builder = builder.add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier), False)
    if key_usage:
        builder = builder.add_extension(key_usage, True)
    if name:
        builder = builder.add_extension(
            x509.SubjectAlternativeName([x509.DNSName(name)]), False)
    if purposes:
        builder = builder.add_extension(x509.ExtendedKeyUsage(purposes), False)
    return builder.sign(issuer.key, hash_for(issuer.key))


def leaf(name, public, issuer, key_usage=usage("digital_signature"),
         purposes=(ExtendedKeyUsageOID.SERVER_AUTH,)):
    # No common name: it would have to be one of the host's names.
    subject = x509.Name([x509.NameAttribute(NameOID.ORGANIZATION_NAME, name)])
    made = certificate(
        subject, public, issuer, key_usage, x509.BasicConstraints(False, None),
        "api.acme.example", purposes)
    add(name, "certificate", der(made))
    return made


root = Authority("Root 87", lattice(87, "root"))
issuing = Authority("Issuing 65", lattice(65, "issuing"), root)
small = Authority("Issuing 44", lattice(44, "small"), root)
# A CA whose key usage has a bit that an ML-DSA key has no use for.
odd = Authority(
    "Odd CA", lattice(44, "odd"), root,
    usage("key_cert_sign", "crl_sign", "key_encipherment"))
# Another CA of the name and parameter set of "Issuing 44", with another key.
stranger = Authority("Issuing 44", lattice(44, "stranger"), root, alias="stranger")
classic = Authority("Classic Root", curve("classic"))

key44 = lattice(44, "leaf").public_key()
good = leaf("leaf-44", key44, issuing)
leaf("leaf-65", lattice(65, "leaf").public_key(), issuing)
leaf("leaf-87", lattice(87, "leaf").public_key(), issuing)
leaf("leaf-44-by-44", key44, small)
leaf("leaf-p256", curve("leaf").public_key(), issuing)
leaf("leaf-44-by-p256", key44, classic)
leaf_classic = leaf("leaf-p256-by-p256", curve("leaf").public_key(), classic)
leaf("leaf-by-odd", key44, odd)
leaf("leaf-without-usage", key44, issuing, None)
for bits in [
    ("digital_signature", "key_encipherment"), ("digital_signature", "data_encipherment"),
    ("digital_signature", "key_agreement"),
    ("digital_signature", "key_agreement", "encipher_only"),
    ("digital_signature", "key_agreement", "decipher_only"),
    ("key_encipherment",), ("key_agreement",),
]:
    words = "-".join(bit.replace("_", "") for bit in bits)
    leaf("leaf-usage-" + words, key44, issuing, usage(*bits))
# The same bits breach nothing where the key is of another kind.
leaf("leaf-p256-usage-keyagreement", curve("leaf").public_key(), issuing,
     usage("digital_signature", "key_agreement"))

# Certificates that no path may hold. Each signature covers the certificate as it is, so the only
# fault is the one that its name says.


def resigned(name, signer, edit=lambda fields: fields, outer=None, sign=None,
             signature=lambda octets: b"\0" + octets):
    whole = parts(content(der(base)))
    fields = edit(parts(content(whole[0])))
    signed = tlv(0x30, b"".join(fields))
    octets = (sign or signer.key.sign)(signed)
    add(name, "certificate",
        tlv(0x30, signed + (outer or fields[2]) + tlv(0x03, signature(octets))))


def edited(index, element):
    def edit(fields):
        return fields[:index] + [element] + fields[index + 1 :]

    return edit


base = certificate(
    x509.Name([x509.NameAttribute(NameOID.ORGANIZATION_NAME, "edited")]), key44, small,
    usage("digital_signature"), x509.BasicConstraints(False, None), "api.acme.example",
    (ExtendedKeyUsageOID.SERVER_AUTH,))
octets44 = key44.public_bytes_raw()
own = algorithm(17)


def spki(identifier, bits):
    return tlv(0x30, identifier + tlv(0x03, bits))


resigned("edited-nothing", small)
resigned("signature-null", small, edited(2, algorithm(17, null)))
resigned("signature-null-outside", small, outer=algorithm(17, null))
resigned("signature-null-inside", small, edited(2, algorithm(17, null)), outer=own)
resigned("signature-hash-mldsa", small, edited(2, algorithm(32)))
resigned("signature-named-65", small, edited(2, algorithm(18)))
resigned("signature-named-65-outside", small, outer=algorithm(18))
resigned("signature-by-65-named-44", issuing)
resigned("signature-named-ecdsa", small,
         edited(2, tlv(0x30, tlv(0x06, bytes.fromhex("2a8648ce3d040302")))))
resigned("signature-short", small, signature=lambda octets: b"\0" + octets[:-1])
resigned("signature-long", small, signature=lambda octets: b"\0" + octets + b"\0")
resigned("signature-empty", small, signature=lambda octets: b"\0")
resigned("signature-unused-bit", small,
         signature=lambda octets: b"\1" + octets[:-1] + bytes([octets[-1] & 0xFE]))
resigned("signature-one-bit", small,
         signature=lambda octets: b"\0" + octets[:700] + bytes([octets[700] ^ 1]) + octets[701:])
resigned("signature-context", small, sign=lambda signed: small.key.sign(signed, b"context"))
resigned("signature-by-stranger", stranger)
resigned("key-null", small, edited(6, spki(algorithm(17, null), b"\0" + octets44)))
resigned("key-short", small, edited(6, spki(own, b"\0" + octets44[:-1])))
resigned("key-long", small, edited(6, spki(own, b"\0" + octets44 + b"\0")))
resigned("key-empty", small, edited(6, spki(own, b"\0")))
resigned("key-unused-bit", small, edited(6, spki(own, b"\1" + octets44)))
resigned("key-named-65", small, edited(6, spki(algorithm(18), b"\0" + octets44)))
resigned("key-in-octet-string", small, edited(6, spki(own, b"\0" + tlv(0x04, octets44))))
resigned("key-hash-mldsa", small, edited(6, spki(algorithm(32), b"\0" + octets44)))

# Requests and bare keys.

for number in sets:
    key = lattice(number, "leaf")
    request = x509.CertificateSigningRequestBuilder().subject_name(
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "request")])).sign(key, None)
    add(f"request-{number}", "request", der(request))
    add(f"key-{number}", "key", key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo))

# Evidence about "leaf-44", and at the end about "leaf-p256-by-p256".


def crl(name, revoked, issuer=issuing):
    builder = (
        x509.CertificateRevocationListBuilder().issuer_name(issuer.subject)
        .last_update(judged - datetime.timedelta(days=1))
        .next_update(judged + datetime.timedelta(days=6))
        .add_extension(x509.CRLNumber(7), False))
    if revoked:
        builder = builder.add_revoked_certificate(
            x509.RevokedCertificateBuilder().serial_number(good.serial_number)
            .revocation_date(judged - datetime.timedelta(days=2)).build())
    return add(name, "crl", der(builder.sign(issuer.key, hash_for(issuer.key))))


def broken(name, kind, octets):
    """The same with one bit of the signature changed, which ends the structure."""
    add(name, kind, octets[:-900] + bytes([octets[-900] ^ 1]) + octets[-899:])


clean = crl("crl-good", False)
crl("crl-revoked", True)
broken("crl-one-bit", "crl", clean)
whole = parts(content(clean))
fields = parts(content(whole[0]))
signed = tlv(0x30, b"".join([fields[0], algorithm(18, null)] + fields[2:]))
add("crl-null", "crl", tlv(0x30, signed + algorithm(18, null) + tlv(
    0x03, b"\0" + issuing.key.sign(signed))))


def responder(name, purposes, issuer=issuing):
    key = lattice(44, name)
    made = certificate(
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]), key.public_key(), issuer,
        usage("digital_signature"), x509.BasicConstraints(False, None), None, purposes)
    return key, made


def response(name, status, key, signer, certificates=None, about=(good, issuing)):
    builder = ocsp.OCSPResponseBuilder().add_response(
        cert=about[0], issuer=about[1].certificate, algorithm=hashes.SHA256(), cert_status=status,
        this_update=judged - datetime.timedelta(days=1),
        next_update=judged + datetime.timedelta(days=6),
        revocation_time=judged - datetime.timedelta(days=2)
        if status == ocsp.OCSPCertStatus.REVOKED else None, revocation_reason=None)
    builder = builder.responder_id(ocsp.OCSPResponderEncoding.HASH, signer)
    if certificates:
        builder = builder.certificates(certificates)
    return add(name, "ocsp", produced_before(der(builder.sign(key, None)), key))


def produced_before(response, key):
    """The same with a fixed time of production, signed again: the builder takes the clock's."""
    status, wrapped = parts(content(response))
    kind, octets = parts(content(content(wrapped)))
    basic = parts(content(content(octets)))
    fields = [
        tlv(0x18, (judged - datetime.timedelta(days=1)).strftime("%Y%m%d%H%M%SZ").encode())
        if field[0] == 0x18 else field
        for field in parts(content(basic[0]))
    ]
    signed = tlv(0x30, b"".join(fields))
    basic[0], basic[2] = signed, tlv(0x03, b"\0" + key.sign(signed))
    whole = tlv(0x04, tlv(0x30, b"".join(basic)))
    return tlv(0x30, status + tlv(0xA0, tlv(0x30, kind + whole)))


direct = response(
    "ocsp-good", ocsp.OCSPCertStatus.GOOD, issuing.key, issuing.certificate)
response("ocsp-revoked", ocsp.OCSPCertStatus.REVOKED, issuing.key, issuing.certificate)
broken("ocsp-one-bit", "ocsp", direct)
key, signer = responder("responder", (ExtendedKeyUsageOID.OCSP_SIGNING,))
response("ocsp-delegated", ocsp.OCSPCertStatus.GOOD, key, signer, [signer])
key, signer = responder("no responder", (ExtendedKeyUsageOID.SERVER_AUTH,))
response("ocsp-by-server", ocsp.OCSPCertStatus.GOOD, key, signer, [signer])
# A delegate with an ML-DSA key where nothing else has one.
key, signer = responder("classic responder", (ExtendedKeyUsageOID.OCSP_SIGNING,), classic)
for word in ["good", "revoked"]:
    response(f"ocsp-classic-{word}", ocsp.OCSPCertStatus[word.upper()], key, signer, [signer],
             (leaf_classic, classic))


def keys(rows):
    found = {}
    for row in rows:
        if row["kind"] == "certificate" and not row["name"].startswith(("key-", "signature-")):
            loaded = x509.load_der_x509_certificate(base64.b64decode(row["der"]))
            found[row["name"]] = loaded.public_key().public_bytes(
                serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        else:
            found[row["name"]] = row["kind"]
    return found


if sys.argv[1:] == ["--check"]:
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert keys(rows) == keys(made), "other names or keys"
else:
    path.write_text("".join(json.dumps(row) + "\n" for row in made))
