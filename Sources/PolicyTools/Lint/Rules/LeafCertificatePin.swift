import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW416: the entries in service of a pin set are certificates of end entities, and a rule that
    /// uses the set accepts no certificate that lives for more than 200 days, by its own limit or
    /// because it trusts only public CAs. Each renewal makes another certificate, with the same key
    /// too, so the pins fail within that time. It is not reported under `pinned-keys`, where a
    /// pinned leaf is its own anchor.
    static let leafCertificatePin = LintRule(.leafCertificatePin) { context in
        context.bound.pinSets.compactMap { set in
            guard set.isComplete, let first = set.keys.first(where: { context.isOfOneLeaf($0) }),
                context.fallsWithLeaves(set)
            else { return nil }
            for body in context.bound.bodies(.pins) {
                guard let item = body.pins?.items.first(where: { $0.value == set.id.value }),
                    body.anchors?.items.contains(where: { $0.value == "pinned-keys" }) != true,
                    let limit = LifetimeLimit(of: body, context)
                else { continue }
                return finding(first, of: set, in: body, item, limit)
            }
            return nil
        }
    }

    private static func finding(
        _ pin: BoundPin, of set: BoundPinSet, in body: BoundBody, _ item: Located<String>,
        _ limit: LifetimeLimit
    ) -> Diagnostic {
        let days = DateSentences.days(limit.seconds)
        let whose =
            limit.isOfPublicCAs
            ? "public CAs issue none for more than \(days)"
            : "`\(body.name)` accepts none that lives for more than \(days)"
        return Diagnostic(
            .leafCertificatePin,
            "`\(pin.id.value)` of `\(set.id.value)` is one certificate of a server, and \(whose): the "
                + "next renewal cuts the hosts off, even if the server keeps its key",
            at: Diagnostic.Label(pin.key.span),
            labels: [Diagnostic.Label(item.span, "`\(body.name)` demands it")],
            help: [
                "pin the server's key in its place, with `spki` and `at: leaf`, as `hawser pin` prints "
                    + "it; have the key kept at each renewal, and the next key among `backups`"
            ],
            notes: [
                "a pin of the issuing CA's key, with `at: ca`, outlives new keys too, and is weaker: it "
                    + "accepts whatever that CA issues for the host"
            ] + (limit.isOfPublicCAs ? [PublicLifetimes.note] : []))
    }
}

/// The longest that a certificate lives which a rule accepts.
private struct LifetimeLimit {
    let seconds: Int64
    /// Whether the limit comes from public CAs; otherwise it is the rule's own.
    let isOfPublicCAs: Bool

    /// The limit of a body for certificates that are issued at the linter's time; nil where there
    /// is none, or one above 200 days.
    init?(of body: BoundBody, _ context: LintContext) {
        let own = context.requirements(of: body)?.maximumLifetime(issuedAt: context.time)
        let ofPublic =
            context.trustsPublicCAsAlone(body)
            ? PublicLifetimes.days(issuedAt: context.time).map { $0 * 86_400 } : nil
        guard let shortest = [own, ofPublic].compactMap({ $0 }).min(),
            shortest <= PublicLifetimes.longest
        else { return nil }
        self.seconds = shortest
        self.isOfPublicCAs = own.map { $0 > shortest } ?? true
    }
}

extension LintContext {
    /// Whether fewer entries in service than the set needs are left when each certificate of an end
    /// entity is renewed.
    fileprivate func fallsWithLeaves(_ set: BoundPinSet) -> Bool {
        let needed: Int
        switch set.match?.value ?? .any {
        case .any: needed = 1
        case .all: needed = set.keys.count
        case .count(let count): needed = count
        }
        return set.keys.count(where: { !isOfOneLeaf($0) }) < needed
    }

    /// Whether a pin is the digest of an end entity's certificate, or a file of such certificates.
    fileprivate func isOfOneLeaf(_ pin: BoundPin) -> Bool {
        guard pin.key.matches.allSatisfy({ $0.kind == .certificate }) else { return false }
        if pin.position == .leaf { return true }
        guard pin.position == .any else { return false }
        let carriers = pin.key.matches.flatMap { known.carriers(of: $0) }
        return !carriers.isEmpty && carriers.allSatisfy { !$0.layout.extensions.isCA }
    }
}
