# Signatures by cryptography, a bit changed in half of them, and what cryptography and another
# verifier say of each: mldsa.py VERIFIER COUNT SEED. For mldsa.sh.
import collections
import random
import struct
import subprocess
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import mldsa

verifier, count, chance = sys.argv[1], int(sys.argv[2]), random.Random(int(sys.argv[3]))
sets = {
    "ML-DSA-44": (mldsa.MLDSA44PrivateKey, mldsa.MLDSA44PublicKey),
    "ML-DSA-65": (mldsa.MLDSA65PrivateKey, mldsa.MLDSA65PublicKey),
    "ML-DSA-87": (mldsa.MLDSA87PrivateKey, mldsa.MLDSA87PublicKey),
}
# A new key for each so many signatures.
signatures_of_a_key = 50
# Signatures that the verifier gets at once.
batch = 1000


def flipped(octets):
    bit = chance.randrange(8 * len(octets))
    changed = bytearray(octets)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def changed(fields):
    """One bit changed: in the signature mostly, else in the key, the message or the context."""
    fields = list(fields)
    places = [place for place in (3, 3, 3, 3, 3, 3, 0, 1, 2) if fields[place]]
    place = chance.choice(places)
    if place == 3 and chance.random() < 0.25:
        # The hints and the ends of their rows, which stand last.
        fields[3] = fields[3][:-84] + flipped(fields[3][-84:])
    else:
        fields[place] = flipped(fields[place])
    return tuple(fields), ("key", "message", "context", "signature")[place]


def expected(public, fields):
    key, message, context, signature = fields
    try:
        public.from_public_bytes(key).verify(signature, message, context or None)
        return "valid"
    except InvalidSignature:
        return "invalid"


def cases():
    names = sorted(sets)
    for index in range(count):
        name = names[index // signatures_of_a_key % len(names)]
        private, public = sets[name]
        if index % signatures_of_a_key == 0:
            key = private.from_seed_bytes(chance.randbytes(32))
            octets = key.public_key().public_bytes_raw()
        message = chance.randbytes(chance.randrange(600))
        context = chance.randbytes(chance.randrange(256)) if chance.random() < 0.2 else b""
        fields = (octets, message, context, key.sign(message, context or None))
        what = "nothing"
        if index % 2:
            fields, what = changed(fields)
        yield name, what, fields, expected(public, fields)


def flush(pending):
    """Asks the verifier; how many answers differ."""
    data = b"".join(
        struct.pack("<I", len(field)) + field
        for name, _, fields, _ in pending for field in (name.encode(), *fields))
    answers = subprocess.run(
        [verifier], input=data, capture_output=True, check=True).stdout.decode().split("\n")
    assert len(answers) == len(pending) + 1, "not an answer for each"
    found = 0
    for answer, (name, what, fields, wanted) in zip(answers, pending):
        seen[name, what, wanted] += 1
        if answer != wanted:
            found += 1
            print(f"{name}, changed: {what}: cryptography says {wanted}, Hawser says {answer}")
            print(*(field.hex() for field in fields), sep="\n")
    return found


seen = collections.Counter()
differences, pending = 0, []
for case in cases():
    pending.append(case)
    if len(pending) == batch:
        differences += flush(pending)
        pending = []
differences += flush(pending)
for (name, what, wanted), number in sorted(seen.items()):
    print(f"{name}  changed: {what:9}  {wanted:7}  {number}")
print(f"{sum(seen.values())} signatures, {differences} differences")
sys.exit(1 if differences or not seen else 0)
