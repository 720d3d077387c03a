import LibCrypto
import TrustEngine

/// What receipts and reports leave out.
///
/// Certificates name hosts, and public logs find a certificate by its digest: where a host must not
/// be known, the chain has to go too. What is written of a redacted request says nothing in words
/// either, as sentences quote both.
public struct Redaction: Sendable {
    /// What becomes of the host.
    public enum Host: Sendable {
        /// It stands there.
        case kept
        /// Its HMAC-SHA-256 stands in its place: equal hosts can be told to be equal, and whoever
        /// has the key and a host can tell whether it is that one.
        case keyed(RedactionKey)
        /// It is left out.
        case dropped
    }

    /// What becomes of a field that has no keyed form.
    public enum Field: Hashable, Sendable {
        /// It stands there.
        case kept
        /// It is left out.
        case dropped
    }

    /// The host.
    public var host: Host
    /// The port.
    public var port: Field
    /// The presented chain, with the evidence about it and what names certificates.
    public var chain: Field

    /// A redaction; by default of nothing.
    public init(host: Host = .kept, port: Field = .kept, chain: Field = .kept) {
        self.host = host
        self.port = port
        self.chain = chain
    }

    /// Whether the text of what was asked may stand there: host and certificates both.
    var keepsNames: Bool {
        if case .kept = host { return chain == .kept }
        return false
    }

    /// The key that the host is written under, if any.
    var key: RedactionKey? {
        if case .keyed(let key) = host { return key }
        return nil
    }
}

/// A secret that hosts are written under. It is never printed.
public struct RedactionKey: Sendable {
    /// Fewest octets of a key: as many as make guessing it hopeless.
    public static let shortest = 16

    private let inner: [UInt8]
    private let outer: [UInt8]

    /// A key from its octets; nil when they are fewer than 16.
    public init?(_ octets: [UInt8]) {
        guard octets.count >= RedactionKey.shortest else { return nil }
        // RFC 2104: SHA-256 reads blocks of 64 octets.
        var block = octets
        if block.count > 64 { block = LibCryptoBackend().digest(.sha256, of: block.span).bytes }
        block += [UInt8](repeating: 0, count: 64 - block.count)
        self.inner = block.map { $0 ^ 0x36 }
        self.outer = block.map { $0 ^ 0x5C }
    }

    /// What is written under the key; equal texts of two kinds have nothing in common.
    enum Purpose: String {
        case host = "hawser receipt host"
        case trace = "hawser receipt trace"
    }

    /// HMAC-SHA-256 of the purpose, a zero octet and a text.
    func digest(_ purpose: Purpose, _ text: String) -> Digest {
        code(Array(purpose.rawValue.utf8) + [0] + Array(text.utf8))
    }

    /// HMAC-SHA-256 (RFC 2104).
    func code(_ message: [UInt8]) -> Digest {
        let crypto = LibCryptoBackend()
        let hashed = crypto.digest(.sha256, of: (inner + message).span)
        return crypto.digest(.sha256, of: (outer + hashed.bytes).span)
    }
}

extension RedactionKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// That it is a key, and nothing of it.
    public var description: String { "a redaction key" }
    /// That it is a key, and nothing of it.
    public var debugDescription: String { description }
    /// Nothing, so that a dump of what holds it does not hold it.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
