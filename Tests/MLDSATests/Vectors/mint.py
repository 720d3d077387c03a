#!/usr/bin/env python3
# Makes signatures.ndjson anew: pip install 'cryptography==50.*', then mint.py [--check].
#
# One JSON object a line: parameter_set, public_key, message, context and signature, in hex. The
# keys come from fixed seeds. cryptography mixes chance into each signature, as FIPS 204 advises, so
# a new run makes other signatures under the same keys. --check writes nothing: it derives the keys
# again and verifies the checked-in file. The private keys are public and protect nothing.
import hashlib
import json
import pathlib
import sys

from cryptography.hazmat.primitives.asymmetric import mldsa

path = pathlib.Path(__file__).with_name("signatures.ndjson")
sets = {
    "ML-DSA-44": mldsa.MLDSA44PrivateKey,
    "ML-DSA-65": mldsa.MLDSA65PrivateKey,
    "ML-DSA-87": mldsa.MLDSA87PrivateKey,
}
# A message and a context: nothing; as much as a certificate has; with the 66 octets before them,
# exactly a block of SHAKE256; the longest context.
cases = [
    (b"", b""), (bytes(range(256)) * 8, b""), (b"\x5a" * 63, b"hawser!"), (b"\x5a", b"\xa5" * 255),
]


def key(name):
    seed = hashlib.sha256(b"hawser test vectors, " + name.encode()).digest()
    return sets[name].from_seed_bytes(seed)


def minted():
    for name in sets:
        private = key(name)
        public = private.public_key().public_bytes_raw()
        for message, context in cases:
            signature = private.sign(message, context or None)
            yield {
                "parameter_set": name, "public_key": public.hex(), "message": message.hex(),
                "context": context.hex(), "signature": signature.hex(),
            }


if sys.argv[1:] == ["--check"]:
    for line in path.read_text().splitlines():
        case = json.loads(line)
        public = key(case["parameter_set"]).public_key()
        assert public.public_bytes_raw().hex() == case["public_key"], "another key"
        context = bytes.fromhex(case["context"])
        public.verify(
            bytes.fromhex(case["signature"]), bytes.fromhex(case["message"]), context or None)
else:
    path.write_text("".join(json.dumps(case) + "\n" for case in minted()))
