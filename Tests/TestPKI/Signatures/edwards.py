#!/usr/bin/env python3
"""Writes EdwardsSignatures.swift: Ed25519 signatures at which verifiers differ.

The equation of RFC 8032 section 5.1.7 has two forms, with the cofactor and without it, and
verifiers differ in which encodings of points and numbers they read. Each signature here is made to
tell two of them apart. The keys and nonces are hashes of the names, so that the output is stable.

    python3 Tests/TestPKI/Signatures/edwards.py > Tests/TestPKI/Signatures/EdwardsSignatures.swift
"""
import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
I = pow(2, (P - 1) // 4, P)


def add(a, b):
    (x1, y1), (x2, y2) = a, b
    t = D * x1 * x2 * y1 * y2
    return (
        (x1 * y2 + x2 * y1) * pow(1 + t, P - 2, P) % P,
        (y1 * y2 + x1 * x2) * pow(1 - t, P - 2, P) % P)


def times(n, a):
    result = (0, 1)
    while n:
        if n & 1:
            result = add(result, a)
        a, n = add(a, a), n >> 1
    return result


def encode(a):
    return (a[1] | (a[0] & 1) << 255).to_bytes(32, "little")


def point(y):
    """The point with this y and an even x; None where there is none."""
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * I % P
    if (x * x - square) % P:
        return None
    return (P - x if x & 1 else x, y)


BASE = point(4 * pow(5, P - 2, P) % P)


def torsion():
    """A point of order 8."""
    y = 2
    while True:
        candidate = point(y)
        if candidate is not None:
            candidate = times(L, candidate)
            if times(4, candidate) != (0, 1):
                return candidate
        y += 1


T = torsion()


def number(*words):
    return int.from_bytes(hashlib.sha512(" ".join(words).encode()).digest(), "little") % L


def challenge(r, a, message):
    return int.from_bytes(hashlib.sha512(r + a + message).digest(), "little") % L


rows = []


def row(name, is_valid, key, r, s, message):
    rows.append((name, is_valid, key.hex(), (r + s.to_bytes(32, "little")).hex(), message.hex()))


def messages():
    count = 0
    while True:
        yield b"message %d" % count
        count += 1


secret, nonce = number("key"), number("nonce")
honest = encode(times(secret, BASE))
first = next(messages())


def signed(key, r, wanted=lambda k: True):
    """A message, its challenge and the S that an honest signer would send."""
    for message in messages():
        k = challenge(r, key, message)
        if wanted(k):
            return message, k, (nonce + k * secret) % L


r = encode(times(nonce, BASE))
message, k, s = signed(honest, r)
row("an honest signature", True, honest, r, s, message)
for multiple in (1, 2, 8, 15):
    if s + multiple * L < 2**256:
        row(f"S plus {multiple} times the order", False, honest, r, s + multiple * L, message)
for bit in (253, 254, 255):
    row(f"S with bit {bit} set", False, honest, r, s | 1 << bit, message)

for order in (2, 4, 8):
    small = times(8 // order, T)
    mixed = encode(add(times(secret, BASE), small))
    message, k, s = signed(mixed, r, lambda k: k % order == 0)
    row(
        f"a key with a part of order {order}, which the challenge clears", True, mixed, r, s,
        message)
    message, k, s = signed(mixed, r, lambda k: k % order != 0)
    row(
        f"a key with a part of order {order}, valid with the cofactor alone", False, mixed, r, s,
        message)
    r2 = encode(add(times(nonce, BASE), small))
    message, k, s = signed(honest, r2)
    row(
        f"R with a part of order {order}, valid with the cofactor alone", False, honest, r2, s,
        message)
    message, k, s = signed(mixed, r2, lambda k: (k + 1) % order == 0)
    row(f"R and a key with parts of order {order} that cancel", True, mixed, r2, s, message)

for index in range(8):
    small = encode(times(index, T))
    k = challenge(small, honest, first)
    row(
        f"R is {index} times a point of order 8", index == 0, honest, small, k * secret % L, first)
for name, octets in (
    ("the identity with y + p", (1 + P).to_bytes(32, "little")),
    ("the identity with a sign", (1 | 1 << 255).to_bytes(32, "little")),
    ("the identity with y + p and a sign", (1 + P | 1 << 255).to_bytes(32, "little")),
    ("the point of order 2 with a sign", (P - 1 | 1 << 255).to_bytes(32, "little")),
):
    k = challenge(octets, honest, first)
    row(f"R is {name}", False, honest, octets, k * secret % L, first)

# Nobody knows a signature under these keys; no verifier may take one for another point's.
for y in range(2, 19):
    if point(y) is not None:
        k = challenge(r, (y + P).to_bytes(32, "little"), first)
        row(f"a key with y = p + {y}", False, (y + P).to_bytes(32, "little"), r, nonce, first)
off = next(y for y in range(2, 99) if point(y) is None)
row(f"a key that is no point, y = {off}", False, off.to_bytes(32, "little"), r, s, first)
for index in range(8):
    small = encode(times(index, T))
    message, k, s = signed(small, r, lambda k: k % 8 == 0)
    row(f"a key that is {index} times a point of order 8", False, small, r, nonce, message)

print('''/// An Ed25519 signature at which verifiers differ, and whether it is valid here: without the
/// cofactor, and only in the shortest encodings. `edwards.py` makes this file.
public struct EdwardsSignature: Sendable, CustomStringConvertible {
    /// The oddity of the signature. public let name: String /// Whether `LibCryptoBackend` takes
    it. public let isValid: Bool /// The key, the signature and the message. public let key,
    signature, message: [UInt8]

    private init(
        _ name: String, _ isValid: Bool, _ key: String, _ signature: (String, String),
        _ message: String
    ) {
        self.name = name
        self.isValid = isValid
        self.key = octets(hex: key)
        self.signature = octets(hex: signature.0 + signature.1)
        self.message = octets(hex: message)
    }

    /// The name.
    public var description: String { name }

    /// Every one of them.
    public static let all: [EdwardsSignature] = [''')
for name, is_valid, key, signature, message in rows:
    print(f'''        EdwardsSignature(
            "{name}", {str(is_valid).lower()},
            "{key}",
            (
                "{signature[:64]}",
                "{signature[64:]}"
            ), "{message}"),''')
print('''    ]
}''')
