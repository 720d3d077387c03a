import TrustEngine

/// The short name of a decision. The line of a reject and the receipt, the report and the
/// disagreement of the same decision have the same id, so the line leads to the record.
///
/// The id is made from the decision itself: the host, the port, the time, the chain, the policy
/// and the violations. Every replica gives equal decisions equal ids. Counters and random numbers
/// are not needed. It is a name and proves nothing.
public struct DecisionID: Hashable, Sendable, CustomStringConvertible {
    /// The id: `r` and 16 hexadecimal digits.
    public let text: String

    /// The id as text.
    public var description: String { text }

    /// The id of a decision.
    public init(_ decision: Decision) {
        let crypto = decision.engine.crypto
        self.init(crypto.digest(.sha256, of: DecisionID.message(decision, crypto).span))
    }

    /// The id of a decision whose records leave something out. Where the host is keyed, the id is
    /// keyed too. Nil without a key: a plain digest would let a reader test a guessed host.
    public init?(_ decision: Decision, redaction: Redaction) {
        if let key = redaction.key {
            let message = DecisionID.message(decision, decision.engine.crypto)
            self.init(key.digest(.decision, message))
            return
        }
        guard redaction.keepsNames, redaction.port == .kept else { return nil }
        self.init(decision)
    }

    private init(_ digest: Digest) { text = "r" + digest.hex.prefix(16) }

    /// Reads an id; nil where the text is none.
    package init?(text: some StringProtocol) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "r"), digits.count == 16,
            digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.text = String(text)
    }

    /// The values that tell decisions apart. Each has its length in front, so no two decisions have
    /// the same octets.
    private static func message(
        _ decision: Decision, _ crypto: any CryptoBackend
    ) -> [UInt8] {
        let request = decision.request
        let verdict = decision.verdict
        var message: [UInt8] = Array("hawser decision".utf8)
        func add(_ number: UInt64) {
            for shift in stride(from: 56, through: 0, by: -8) {
                message.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
            }
        }
        func add(_ octets: [UInt8]) {
            add(UInt64(octets.count))
            message += octets
        }
        add(Array(request.host.utf8))
        add(UInt64(request.port))
        add(UInt64(bitPattern: request.time.secondsSinceEpoch))
        add(verdict.policyDigest.bytes)
        add(UInt64(request.presentedChain.count))
        for certificate in request.presentedChain {
            add(crypto.digest(.sha256, of: certificate.span).bytes)
        }
        let violations = verdict.violations
        add(UInt64(violations.count))
        for violation in violations { add(Array(violation.id.utf8)) }
        return message
    }
}
