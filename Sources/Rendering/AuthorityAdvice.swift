import TrustEngine

/// What names and key identifiers show of an authority that the rule does not trust, and of a
/// signature that does not verify: whose side it is, and what to do.
///
/// Anybody can write a name or an identifier. So the first reading is always that something else
/// answers. The advice here never lets more pass.
enum AuthorityAdvice {
    /// What an unknown authority is likely to be.
    enum Likelihood: Hashable {
        /// The server sends only its own certificate.
        case leafOnly
        /// The rule trusts an authority with a similar name, which may have a new root.
        case successor(AuthorityFacts.Relative)
        /// Another anchor set of the policy holds the authority.
        case otherSet(String)
        /// The name says that a proxy inspects the connection.
        case inspection
        /// No anchor of the rule has a similar name.
        case stranger
        /// Nothing is known, or the rule trusts public authorities.
        case unknown
    }

    /// What the missing issuer of the last certificate of a path is.
    static func likelihood(last: CertificateReference, _ facts: RequestFacts) -> Likelihood {
        guard let authority = facts.authority else { return .unknown }
        if authority.isOfInspection { return .inspection }
        if let set = authority.otherSet { return .otherSet(set) }
        if last.position == 0, authority.isEndEntityOnly,
            authority.relative != nil || authority.namesAddress || authority.trustsStore
        {
            return .leafOnly
        }
        if last.position > 0, let relative = authority.relative { return .successor(relative) }
        return authority.trustsStore || authority.relative != nil ? .unknown : .stranger
    }

    /// What the self-issued CA at the end of a path is.
    static func likelihood(heldBy: [String], _ facts: RequestFacts) -> Likelihood {
        // A rule that does not name the set of a proxy means it.
        if facts.authority?.isOfInspection == true { return .inspection }
        // A rule for private authorities is not at fault when a public authority issued the
        // certificate.
        if let set = heldBy.first(where: { $0 != AnchorSetContents.system.id }) {
            return .otherSet(set)
        }
        guard let authority = facts.authority else { return .unknown }
        return authority.relative.map { .successor($0) } ?? .stranger
    }

    // MARK: Whose side it is

    /// The readings of a missing issuer.
    static func readings(
        last: CertificateReference, issuer: String, _ situation: Situation
    ) -> [SideReading] {
        let missing = SideReading(.server, "it does not send the certificate of its issuer")
        let own = SideSentences.impostor(
            "something else may be answering, with an issuer of its own")
        switch likelihood(last: last, situation.facts) {
        case .leafOnly:
            return [
                own, .init(.server, "it sends its own certificate without its issuer's"),
            ]
        case .successor(let relative): return readings(of: relative, issuer)
        case .otherSet: return [stranger, foreign]
        case .inspection: return [inspection, last.position == 0 ? missing : foreign]
        case .stranger: return [stranger, last.position == 0 ? missing : foreign]
        case .unknown: return [own, missing]
        }
    }

    /// The readings of a path that ends at a CA which is not an anchor.
    static func readings(
        top: CertificateReference, heldBy: [String], _ situation: Situation
    ) -> [SideReading] {
        switch likelihood(heldBy: heldBy, situation.facts) {
        case .successor(let relative): return readings(of: relative, top.subject)
        case .inspection: return [inspection, foreign]
        case .leafOnly, .otherSet, .stranger, .unknown: return [stranger, foreign]
        }
    }

    private static let stranger = SideSentences.impostor(
        "something else may be answering, such as an inspecting proxy")
    private static let inspection = SideSentences.impostor(
        "an inspecting proxy may be answering: its name says so")
    private static let foreign = SideReading(
        .server, "its certificate is from an authority that the rule does not name")

    private static func readings(
        of relative: AuthorityFacts.Relative, _ authority: String
    ) -> [SideReading] {
        [
            SideSentences.impostor("something else may be answering: anybody can write a name"),
            .init(
                .policy,
                "`\(relative.set)` has `\(Words.shortSubject(relative.subject))`, and "
                    + "may lack `\(Words.shortSubject(authority))`"),
        ]
    }

    /// The readings of a signature that does not verify. When the certificate names another key
    /// than the issuer at hand has, the issuer's certificate is an old one, and its holder must
    /// replace it.
    static func readings(
        _ certificate: CertificateReference, signedBy issuer: CertificateReference,
        _ violation: PathViolation, _ situation: Situation
    ) -> [SideReading] {
        let name = Words.name(issuer)
        let key = namedKey(violation, situation.facts)
        let altered = SideSentences.impostor("the certificate was altered, or somebody forged it")
        let other = SideSentences.impostor(
            key == .another
                ? "somebody else may have signed it: anybody can write a name"
                : "the certificate was altered, or somebody else signed it")
        if let set = certificate.setOfPolicy, issuer.setOfPolicy != nil {
            return [
                .init(
                    .policy,
                    "`\(set)` has \(Words.name(certificate)) and \(name), and the "
                        + "signature does not fit the key"), altered,
            ]
        }
        guard key != .same else {
            return [altered, .init(.server, "it sends a damaged certificate")]
        }
        switch issuer.origin {
        case .anchor(let set) where set == AnchorSetContents.system.id:
            return [other, .init(.thisMachine, "its store may hold an old \(name)")]
        case .anchor(let set):
            return [other, .init(.policy, "`\(set)` may hold an old \(name), with another key")]
        case .offered(let set):
            return [other, .init(.policy, "`\(set)` may offer an old \(name), with another key")]
        case .presented:
            return [
                other,
                .init(
                    .server,
                    key == .another
                        ? "it sends a \(name) with another key than the one that signed"
                        : "it sends a damaged certificate"),
            ]
        }
    }

    /// Which key a certificate names whose signature does not verify.
    static func namedKey(_ violation: PathViolation, _ facts: RequestFacts) -> NamedKey {
        guard case .badSignature(let certificate, let issuer, let type, _) = violation else {
            return .unknown
        }
        // A signature of another kind is by another key, whatever the certificate names.
        if type != nil { return .another }
        return facts.namedKeys[RequestFacts.SignerPair(certificate, issuer)] ?? .unknown
    }

    // MARK: Sentences

    /// The sentence for a reader who only wanted to connect; nil where nothing is known that tells
    /// this failure from others.
    static func forEndUser(
        last: CertificateReference, issuer: String, _ situation: Situation
    ) -> String? {
        let missing = "`\(Words.shortSubject(issuer))`"
        switch likelihood(last: last, situation.facts) {
        case .leafOnly:
            return "nothing shows that anybody trusted vouches for `\(situation.host)`: its "
                + "certificate came without the certificate of its issuer, \(missing)"
        case .successor(let relative):
            return "`\(situation.host)` is vouched for by \(missing), which is not known here; "
                + "the rule trusts `\(Words.shortSubject(relative.subject))`"
        case .otherSet, .inspection, .stranger, .unknown: return nil
        }
    }

    /// The sentence for a path that ends at a CA which is not an anchor; nil where no known fact
    /// distinguishes this failure from others.
    static func forEndUser(
        top: CertificateReference, heldBy: [String], _ situation: Situation
    ) -> String? {
        guard case .successor(let relative) = likelihood(heldBy: heldBy, situation.facts) else {
            return nil
        }
        return
            "`\(situation.host)` is vouched for by \(Words.name(top)), which is not "
            + "trusted for it; the rule trusts "
            + "`\(Words.shortSubject(relative.subject))`"
    }

    /// What the key identifiers add to the headline of a signature that does not verify.
    static func clause(_ violation: PathViolation, _ situation: Situation) -> String? {
        guard case .badSignature(_, let issuer, nil, _) = violation else { return nil }
        switch namedKey(violation, situation.facts) {
        case .another:
            return "it names another key of \(Words.name(issuer)) as its signer"
        case .same: return "it names this very key as its signer, so it was altered or forged"
        case .unknown: return nil
        }
    }
}

// MARK: What to do

extension RepairFinder {
    /// Repairs for a missing issuer. What was presented does not tell whether an authority of the
    /// rule issued it, with an intermediate that was not sent, or a stranger's. Both readings are
    /// told, the stranger's first, and trusting the stranger is not offered.
    func issuerRepairs(
        last: CertificateReference, issuer: String, isUnreadable: Bool
    ) -> [Repair] {
        let missing = "`\(Words.shortSubject(issuer))`"
        let isAuthority = last.position > 0
        let fault =
            isAuthority
            ? "\(answered) is vouched for by \(named(last)), and \(missing), who issued that, is no "
                + "anchor of \(ruleName)"
            : "nothing shows that \(ruleName) trusts whoever vouches for \(answered)"
        let first = [caution(fault), ask()]
        if let twin = facts.twins.first {
            return first + [TwinSentences.repair(last, twin), RepairFinder.refusing]
        }
        let known = namesakes(issuer)
        let sent =
            rootRepairs(issuer, isAuthority: isAuthority)
            + sendingRepairs(last: last, missing: missing, isUnreadable: isUnreadable)
        switch AuthorityAdvice.likelihood(last: last, facts) {
        case .leafOnly:
            return first + sent + successorRepairs(issuer, isAuthority: isAuthority) + known
        case .successor:
            return first + successorRepairs(issuer, isAuthority: isAuthority) + known + sent
        case .inspection: return first + [inspectionRepair] + known + sent
        case .stranger where isAuthority: return first + [inspectionRepair] + known + sent
        case .stranger: return first + known + sent + [inspectionRepair]
        case .otherSet, .unknown: return first + known + sent
        }
    }

    /// Repairs for a path that ends at a CA which is not an anchor of the rule.
    func unknownAnchorRepairs(_ top: CertificateReference, heldBy: [String]) -> [Repair] {
        let first = [
            caution(
                "\(answered) is vouched for by \(named(top)), which \(ruleName) does not trust"),
            ask(
                "; whether its authority may vouch for it is for \(authorityOwner) to say"),
        ]
        switch AuthorityAdvice.likelihood(heldBy: heldBy, facts) {
        case .otherSet(let set):
            return first + [ownAuthority, otherSetRepair(set, top.subject), RepairFinder.refusing]
        case .successor:
            return first + successorRepairs(top.subject, isAuthority: true)
                + [RepairFinder.refusing]
        case .inspection, .leafOnly, .stranger, .unknown:
            return first + [inspectionRepair] + belongingRepairs(top.subject)
                + [RepairFinder.refusing]
        }
    }

    /// Repairs for a signature that does not verify.
    func signatureRepairs(
        _ violation: PathViolation, _ certificate: CertificateReference
    ) -> [Repair] {
        let name = Words.name(certificate)
        let first = [
            caution(
                "\(named(certificate)) does not verify under the key of the authority that it "
                    + "names; anybody can write a name"), ask(),
        ]
        let altered = Repair(
            "if it is theirs, see where it was altered on its way into the server: its authority "
                + "has the one that it issued",
            brief: "have the server send \(name) as its authority issued it")
        guard case .badSignature(_, let issuer, _, _) = violation else {
            return first + [altered, RepairFinder.refusing]
        }
        if certificate.setOfPolicy != nil, let set = issuer.setOfPolicy {
            return mismatchedRepairs(name, Words.name(issuer), set)
        }
        switch AuthorityAdvice.namedKey(violation, facts) {
        case .same: return first + [altered, RepairFinder.refusing]
        case .another: return first + newKeyRepairs(issuer) + [RepairFinder.refusing]
        case .unknown: return first + newKeyRepairs(issuer) + [altered, RepairFinder.refusing]
        }
    }

    // MARK: Pieces

    /// Whom to ask where two certificates of the policy itself do not fit.
    private func mismatchedRepairs(_ name: String, _ issuer: String, _ set: String) -> [Repair] {
        let owner = owners.anchors(set)
        return [
            Repair(
                "ask \(owner.asked) which of both is old: the signature on \(name) is not by the "
                    + "key of \(issuer), and both are in \(placed([set]))",
                brief: "ask \(owner.asked) which is old: \(name) or \(issuer)")
        ]
    }

    /// Whom to ask whether an authority has a new key, which the policy or the server lacks.
    private func newKeyRepairs(_ issuer: CertificateReference) -> [Repair] {
        let name = Words.name(issuer)
        let sent = Repair(
            "or have the server send the certificate of \(name) whose key signed: that trusts "
                + "nothing new",
            brief: "or have the server send the \(name) whose key signed")
        switch issuer.origin {
        case .anchor(let set) where set == AnchorSetContents.system.id:
            return [
                Repair(
                    "see whether the store of this machine has an old \(name)",
                    brief: "see whether the store of this machine has an old \(name)")
            ]
        case .anchor(let set):
            let owner = owners.anchors(set)
            return [
                Repair(
                    "ask \(owner.asked) whether the root was replaced: \(name) may have a new key, "
                        + "which is not in \(placed([set])); they take it from its authority, "
                        + "never from this connection",
                    brief: "ask \(owner.asked) whether the root was replaced (a new key)")
            ]
        case .offered(let set):
            let owner = owners.anchors(set)
            return [
                Repair(
                    "ask \(owner.asked) whether its \(name) is an old one, with another key: it "
                        + "stands under `intermediates` of \(placed([set]))",
                    brief: "ask \(owner.asked) whether its \(name) is an old one"), sent,
            ]
        case .presented:
            return [
                Repair(
                    "ask whoever runs the server whether \(name) has a new key: it may send the old "
                        + "certificate of it",
                    brief: "have the server send the \(name) whose key signed")
            ]
        }
    }

    /// What trusts nothing new: the server sends the certificate of the issuer, or the policy
    /// offers it to the search.
    private func sendingRepairs(
        last: CertificateReference, missing: String, isUnreadable: Bool
    ) -> [Repair] {
        let story = AuthorityAdvice.likelihood(last: last, facts)
        let isExpected = story != .stranger && story != .inspection
        let condition =
            isUnreadable
            ? "where that one was damaged on its way into the server"
            : trustsPinnedKeys
                ? "where that one was left out"
                : "if an authority that \(ruleName) trusts issued \(missing)"
        var repairs = [
            Repair(
                "\(condition), have the server send the certificate of \(missing) after "
                    + "\(Words.name(last)): that trusts nothing new",
                brief: isExpected
                    ? "have the server also send \(missing): that trusts nothing new"
                    : "if the rule trusts its issuer, have the server also send \(missing)")
        ]
        if let address = issuerAddresses[last.fingerprint]?.first {
            repairs.append(
                Repair(
                    "\(Words.name(last)) itself says that \(missing) is at "
                        + "`\(Words.unquoted(address))`: whoever answers wrote that, "
                        + "so look at whom the certificate there was issued by",
                    brief: "it says that this is at "
                        + "`\(Words.unquoted(Words.shortened(address, to: 48)))`"
                ))
        }
        let own = anchors.filter { $0 != AnchorSetContents.system.id }
        guard !trustsPinnedKeys, let set = facts.authority?.relative?.set ?? own.first else {
            return repairs
        }
        let owner = owners.anchors(set)
        let brief =
            owner.owner == nil
            ? "or put it, as its authority has it, under `intermediates` of `\(set)`"
            : "or ask \(owner.asked) to put it under `intermediates`"
        return repairs + [
            Repair(
                "or put that certificate, as its authority hands it out, under `intermediates` "
                    + "of the anchor set of that authority (\(placed(own))): "
                    + "there it is offered to the search and never trusted", brief: brief)
        ]
    }

    /// Whom to ask where an authority may have a new root.
    private func successorRepairs(_ authority: String, isAuthority: Bool) -> [Repair] {
        guard let relative = facts.authority?.relative else { return [] }
        let name = "`\(Words.shortSubject(authority))`"
        let known = "`\(Words.shortSubject(relative.subject))`"
        let owner = owners.anchors(relative.set)
        guard isAuthority else {
            return [
                Repair(
                    "ask \(owner.asked) whether \(name) is theirs: an authority below \(known), or a "
                        + "new root",
                    brief: "ask \(owner.asked) whether \(name) is theirs")
            ]
        }
        return [
            Repair(
                "ask \(owner.asked) whether the root was replaced: \(known) is in "
                    + "\(placed([relative.set])), and \(name) is not; if it was, they take the new "
                    + "root from its authority, never from this connection",
                brief: "ask \(owner.asked) whether the root was replaced")
        ]
    }

    /// Whom to ask whether an authority that resembles nothing belongs to the rule.
    private func belongingRepairs(_ authority: String) -> [Repair] {
        let own = anchors.filter { $0 != AnchorSetContents.system.id && $0 != PinnedKeys.setID }
        guard let set = own.first else { return [] }
        let owner = owners.anchors(set)
        return [
            Repair(
                "ask \(owner.asked) whether the root was replaced by one with another name: "
                    + "no anchor of \(ruleName) resembles "
                    + "`\(Words.shortSubject(authority))`",
                brief: "ask \(owner.asked) whether the root was replaced")
        ]
    }

    /// What trusts nothing new where a certificate is from another authority.
    private var ownAuthority: Repair {
        Repair(
            "if it is theirs, have the server use a certificate that an authority of \(ruleName) "
                + "issued",
            brief: "have the server use a certificate from an authority of \(ruleName)")
    }

    /// What to do where another set of the policy holds the authority.
    private func otherSetRepair(_ set: String, _ authority: String) -> Repair {
        Repair(
            "anchor set `\(set)` of this policy has `\(Words.shortSubject(authority))`, "
                + "and \(ruleName) does not name that set; whether it should is for its owner to say",
            brief: "ask \(ruleOwner) whether it may name `\(set)`")
    }

    /// What to do about a proxy that opens TLS on the way.
    private var inspectionRepair: Repair {
        Repair(
            "see whether a proxy inspects TLS between this machine and the server; if one does, "
                + "have whoever runs it exempt `\(host)`: \(ruleName) does not let a proxy answer",
            brief: "if a proxy inspects TLS here, have its operator exempt this host")
    }

    /// That nothing helps which the server sends where the missing issuer is a root.
    private func rootRepairs(_ issuer: String, isAuthority: Bool) -> [Repair] {
        guard isAuthority, !trustsPinnedKeys else { return [] }
        return [
            Repair(
                "if `\(Words.shortSubject(issuer))` is a root, nothing that the server "
                    + "sends helps: \(ruleName) does not trust it",
                brief:
                    "if `\(Words.shortSubject(issuer))` is a root, nothing that the "
                    + "server sends helps", kind: .refusal)
        ]
    }

    /// What the policy's own anchors tell of the name of a missing issuer. A name proves nothing:
    /// anybody can write it.
    private func namesakes(_ issuer: String) -> [Repair] {
        guard let table, table.policyDigest == outline.engine?.policyDigest else { return [] }
        let sets = (0..<table.anchorSetCount).map { table.anchorSet(at: $0) }
            .filter { $0.holds(subject: issuer) }.map(\.id)
        let missing = "`\(Words.shortSubject(issuer))`"
        if let own = sets.first(where: anchors.contains) {
            let owner = owners.anchors(own)
            return [
                Repair(
                    "ask \(owner.asked) whether its CA has a new key: the set has "
                        + "\(missing) with another one",
                    brief: "ask \(owner.asked) whether \(missing) has a new key")
            ]
        }
        return sets.first.map { [otherSetRepair($0, issuer)] } ?? []
    }

    /// Who says whether an authority may vouch for the host: the owner of the rule's own set, or of
    /// the rule.
    private var authorityOwner: String {
        let own = anchors.filter { $0 != AnchorSetContents.system.id && $0 != PinnedKeys.setID }
        let set = facts.authority?.relative?.set ?? (own.count == 1 ? own.first : nil)
        guard let set, let owner = owners.anchors(set).owner else {
            return "whoever owns \(ruleName)"
        }
        return SetOwner(section: .anchors, id: set, owner: owner).asked
    }

    /// The owner of the rule, as an object of "ask".
    private var ruleOwner: String {
        guard let owner = RuleAuthors(outline, table).owner else {
            return "whoever owns \(ruleName)"
        }
        let shown = Words.unquoted(Words.shortened(owner, to: 60))
        return "`\(shown)`, who owns \(ruleName),"
    }
}
