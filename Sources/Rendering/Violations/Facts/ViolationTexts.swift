import TrustEngine

/// The texts about one violation. Each violation has one conforming type, in its file in the folder
/// above. `Violation.texts` chooses the type.
///
/// The texts are lower case without a full stop. They contain raw text of certificates and hosts:
/// the renderer must escape whole lines.
protocol ViolationTexts: Sendable {
    /// The violation without its values. `grammar/violations.yaml` declares its check and its side.
    static var kind: ViolationKind { get }

    /// Both sides of the comparison in one line, for a reader who knows certificates.
    var headline: String { get }

    /// The section that makes the demand. By default the section of the check.
    var citation: String { get }

    /// One sentence for a reader who only wanted to connect. It says what failed and names no
    /// culprit: of most failures there is more than one cause.
    func forEndUser(_ situation: Situation) -> String

    /// The readings that the known facts leave open: the safer first, then the likelier. Never
    /// empty. One of them is `declared(_:)`, unless the facts exclude it.
    func readings(_ situation: Situation) -> [SideReading]

    /// The advice: first a caution, if there is one, then the likeliest repair. `RepairFinder` adds
    /// the words about `change(_:)`.
    func repairs(_ reject: Reject) -> [Repair]

    /// The keys of the deciding rule that would let the violation pass. By default there are none:
    /// a wrong key, an unknown authority or a revoked certificate is never made to pass.
    ///
    /// Whoever answers chooses the chain, the staple and the TLS parameters. So nothing that only
    /// the peer says leads to a change that makes it pass: no other name, no staple that is old or
    /// broken, no forged timestamp, no certificate that ended long ago. The one exception is a
    /// certificate that the policy itself holds, octet by octet, as the only anchor of the rule:
    /// its names are the policy's.
    func change(_ reject: Reject) -> PolicyChange?

    /// The headline with what the situation adds to it. By default it adds `addition(_:)`.
    func headline(_ situation: Situation) -> String

    /// A clause for the headline from facts that the violation does not hold; nil if there is none.
    /// By default, that the chain begins with a CA.
    func addition(_ situation: Situation) -> String?

    /// Whether the path leads to no anchor of the rule, or a certificate on it was not signed by
    /// the issuer that it names: anybody can write the name of an authority that the rule trusts.
    /// By default only violations of the check `anchor`.
    var isOfStranger: Bool { get }

    /// The entry of the demand's map that the violation is cited with. By default none.
    var entry: String? { get }
}

extension ViolationTexts {
    var citation: String { Self.kind.declaration.check.citation }

    func change(_ reject: Reject) -> PolicyChange? { nil }

    func headline(_ situation: Situation) -> String {
        headline + (addition(situation).map { "; \($0)" } ?? "")
    }

    func addition(_ situation: Situation) -> String? { additionOfOrder(situation) }

    var isOfStranger: Bool { Self.kind.declaration.check == .anchor }

    var entry: String? { nil }

    /// A reading of the side that `grammar/violations.yaml` declares.
    func declared(_ words: String) -> SideReading {
        SideReading(Self.kind.declaration.side, words)
    }

    /// Whether the first reading is that somebody else answers.
    func isInBetween(_ situation: Situation) -> Bool {
        readings(situation).first?.side == .inBetween
    }

    /// The clause for a chain that begins with a CA in place of the server's own certificate.
    func additionOfOrder(_ situation: Situation) -> String? {
        guard let position = situation.misplacedEndEntity,
            readings(situation).first == .wrongOrder
        else { return nil }
        let first = situation.firstSubject.map { " `\(Words.shortSubject($0))`," } ?? ""
        return "the first certificate,\(first) is a CA, and certificate \(position + 1) is the "
            + "server's own"
    }
}
