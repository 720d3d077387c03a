import LibCrypto
public import TrustEngine

/// An Ed25519 key (RFC 8032) that signs tables.
public struct TablePublicKey: Hashable, Sendable, CustomStringConvertible {
    /// The key's 32 octets.
    public let raw: [UInt8]
    /// SHA-256 of the key's octets. A signed table names the key by it.
    public let id: Digest

    /// Makes a key from its 32 octets.
    ///
    /// - Throws: `not-a-key` for another number of octets, and for octets that are not a point of
    ///   the curve; `binds-nobody` for a point of small order, under which anybody can sign.
    public init(raw: [UInt8]) throws(TrustedKeyError) {
        guard raw.count == 32 else {
            throw TrustedKeyError(
                code: .notAKey,
                context: "\(raw.count) octets, where an Ed25519 public key has 32")
        }
        switch EdwardsPoint.problem(raw.span, of: .edwards25519) {
        case .noPoint:
            throw TrustedKeyError(
                code: .notAKey,
                context: "`\(Base64.encode(raw))` names no point of the curve: nobody can sign "
                    + "under it")
        case .smallOrder: throw TablePublicKey.bindsNobody("`\(Base64.encode(raw))`")
        case nil: break
        }
        self.raw = raw
        self.id = LibCryptoBackend().digest(.sha256, of: raw.span)
    }

    /// Makes a key from the base64 of its 32 octets, as `hawser sign` prints it.
    public init(base64: String) throws(TrustedKeyError) {
        guard let raw = Base64.decode(base64.utf8) else {
            throw TrustedKeyError(code: .notAKey, context: "`\(base64)` is not base64")
        }
        try self.init(raw: raw)
    }

    /// Makes a key from a PEM text with one block `PUBLIC KEY`, as `openssl pkey -pubout` writes
    /// it.
    public init(pem: [UInt8]) throws(TrustedKeyError) {
        let spki = try KeyBlock.read(
            "PUBLIC KEY", of: pem,
            help: ["PRIVATE KEY": "`openssl pkey -in FILE -pubout` writes the public half"])
        var key: PublicKey?
        do throws(DERError) {
            key = try PublicKey.parse(spki: spki.span, at: 0)
        } catch {
            guard error.problem != .smallOrder else {
                throw TablePublicKey.bindsNobody("the key in the block `PUBLIC KEY`")
            }
        }
        guard case .ed25519(let range)? = key?.material else {
            throw TrustedKeyError(
                code: .notAKey,
                context: "the block `PUBLIC KEY` holds no Ed25519 key, the only kind that signs "
                    + "tables")
        }
        try self.init(raw: spki.span.copied(range))
    }

    private static func bindsNobody(_ name: String) -> TrustedKeyError {
        TrustedKeyError(
            code: .bindsNobody,
            context: "\(name) is a point of small order: anybody can sign under it")
    }

    /// The key's id, `sha256:HEX`.
    public var description: String { "key \(id.text)" }

    /// The base64 of the key's octets, as `init(base64:)` reads it.
    public var base64: String { Base64.encode(raw) }

    /// Whether a signature over a message verifies under this key.
    func verify(_ signature: [UInt8], over message: [UInt8], _ crypto: LibCryptoBackend) -> Bool {
        let whole = ByteRange(start: 0, count: raw.count)
        let key = PublicKey(material: .ed25519(whole), bits: 256, spki: whole)
        return crypto.verify(
            .ed25519, key: key, keyBytes: raw.span, message: message.span,
            signature: signature.span) == .valid
    }
}

/// Why keys cannot be trusted to sign tables.
public struct TrustedKeyError: Error, Hashable, Sendable {
    /// The reason's stable name.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The input is not an Ed25519 public key in a form that is read.
        case notAKey = "not-a-key"
        /// The key is a point of small order, under which anybody can sign.
        case bindsNobody = "binds-nobody"
        /// The same key was given twice.
        case duplicateKey = "duplicate-key"
        /// The threshold is not from 1 to the number of keys.
        case badThreshold = "bad-threshold"
    }

    /// The reason.
    public let code: Code
    /// What was found: lower case, no full stop.
    public let context: String
}
