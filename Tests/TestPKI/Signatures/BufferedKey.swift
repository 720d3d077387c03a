public import TrustEngine

/// Octets from hexadecimal text.
public func octets(hex: String) -> [UInt8] {
    let digits = hex.compactMap { $0.hexDigitValue.map(UInt8.init) }
    precondition(digits.count == hex.count && digits.count % 2 == 0, "not hexadecimal")
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// A key with the buffer that its ranges point into.
public struct BufferedKey: Sendable {
    /// The key.
    public let key: PublicKey
    /// What the key's ranges point into.
    public let buffer: [UInt8]

    /// The key of a SubjectPublicKeyInfo.
    ///
    /// - Throws: where the engine does not parse it.
    public init(spki: [UInt8]) throws {
        self.key = try PublicKey.parse(spki: spki.span, at: 0)
        self.buffer = spki
    }

    /// A key that no parser has seen, from its numbers.
    private init(_ parts: [[UInt8]], _ material: ([ByteRange]) -> PublicKey.Material) {
        var ranges: [ByteRange] = []
        var buffer: [UInt8] = []
        for part in parts {
            ranges.append(ByteRange(start: buffer.count, count: part.count))
            buffer += part
        }
        self.buffer = buffer
        self.key = PublicKey(
            material: material(ranges), bits: 2048,
            spki: ByteRange(start: 0, count: buffer.count))
    }

    /// An RSA key; the numbers are big-endian.
    public static func rsa(modulus: [UInt8], exponent: [UInt8]) -> BufferedKey {
        BufferedKey([modulus, exponent]) { .rsa(modulus: $0[0], exponent: $0[1]) }
    }

    /// An EC key; the point is encoded as SEC 1 says.
    public static func ec(_ curve: PublicKey.Curve, _ point: [UInt8]) -> BufferedKey {
        BufferedKey([point]) { .ec(curve: curve, point: $0[0]) }
    }

    /// An Ed25519 key.
    public static func ed25519(_ key: [UInt8]) -> BufferedKey {
        BufferedKey([key]) { .ed25519($0[0]) }
    }

    /// An Ed448 key.
    public static func ed448(_ key: [UInt8]) -> BufferedKey { BufferedKey([key]) { .ed448($0[0]) } }

    /// The same numbers cut short: the buffer ends before the key's ranges do.
    public var cutShort: BufferedKey { BufferedKey(key: key, buffer: Array(buffer.dropLast())) }

    private init(key: PublicKey, buffer: [UInt8]) {
        self.key = key
        self.buffer = buffer
    }
}
