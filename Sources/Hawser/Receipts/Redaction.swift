import LibCrypto
import TrustEngine

/// The fields that receipts and reports leave out.
///
/// Certificates name hosts, and public logs find a certificate by its digest. So where the host
/// must be secret, the chain must be left out too. Sentences quote host and certificates, so a
/// redacted record has no sentences either.
public struct Redaction: Sendable {
    /// The record of the host.
    public enum Host: Sendable {
        /// The host itself.
        case kept
        /// HMAC-SHA-256 of the host. Equal hosts have equal digests. Whoever has the key can test
        /// whether a digest belongs to a given host.
        case keyed(RedactionKey)
        /// Nothing.
        case dropped
    }

    /// The record of a field that has no keyed form.
    public enum Field: Hashable, Sendable {
        /// The field itself.
        case kept
        /// Nothing.
        case dropped
    }

    /// The record of the host.
    public var host: Host
    /// The record of the port.
    public var port: Field
    /// The record of the presented chain, the evidence about it, and every name of a certificate.
    public var chain: Field

    /// Makes a redaction. By default nothing is left out.
    public init(host: Host = .kept, port: Field = .kept, chain: Field = .kept) {
        self.host = host
        self.port = port
        self.chain = chain
    }

    /// Whether the text of the request may be written: both the host and the certificates.
    var keepsNames: Bool {
        if case .kept = host { return chain == .kept }
        return false
    }

    /// The key of the host's digest; nil when the host is not keyed.
    var key: RedactionKey? {
        if case .keyed(let key) = host { return key }
        return nil
    }
}

/// The secret key of the digests of hosts and traces. It is never printed.
public struct RedactionKey: Sendable {
    /// Fewest octets of a key. With this many nobody can guess a key.
    public static let shortest = 16

    private let inner: [UInt8]
    private let outer: [UInt8]

    /// Makes a key from its octets; nil when there are fewer than 16.
    public init?(_ octets: [UInt8]) {
        guard octets.count >= RedactionKey.shortest else { return nil }
        // RFC 2104 section 2: SHA-256 reads blocks of 64 octets.
        var block = octets
        if block.count > 64 { block = LibCryptoBackend().digest(.sha256, of: block.span).bytes }
        block += [UInt8](repeating: 0, count: 64 - block.count)
        self.inner = block.map { $0 ^ 0x36 }
        self.outer = block.map { $0 ^ 0x5C }
    }

    /// The purpose of a digest under the key. Equal texts for two purposes have unrelated digests.
    enum Purpose: String {
        case host = "hawser receipt host"
        case trace = "hawser receipt trace"
        case decision = "hawser decision id"
    }

    /// HMAC-SHA-256 of the purpose, a zero octet and a text.
    func digest(_ purpose: Purpose, _ text: String) -> Digest {
        digest(purpose, Array(text.utf8))
    }

    /// HMAC-SHA-256 of the purpose, a zero octet and octets.
    func digest(_ purpose: Purpose, _ octets: [UInt8]) -> Digest {
        code(Array(purpose.rawValue.utf8) + [0] + octets)
    }

    /// HMAC-SHA-256 (RFC 2104).
    func code(_ message: [UInt8]) -> Digest {
        let crypto = LibCryptoBackend()
        let hashed = crypto.digest(.sha256, of: (inner + message).span)
        return crypto.digest(.sha256, of: (outer + hashed.bytes).span)
    }
}

extension RedactionKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A fixed text that shows nothing of the key.
    public var description: String { "a redaction key" }
    /// A fixed text that shows nothing of the key.
    public var debugDescription: String { description }
    /// An empty mirror, so that a dump shows nothing of the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
