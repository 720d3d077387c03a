import TrustEngine

/// What names and key identifiers show of an authority that the rule does not trust: whose side it
/// is, and what to do.
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

    static let ownIssuer = SideReading.impostor(
        "something else may be answering, with an issuer of its own")
    static let stranger = SideReading.impostor(
        "something else may be answering, such as an inspecting proxy")
    static let inspection = SideReading.impostor(
        "an inspecting proxy may be answering: its name says so")
    static let foreign = SideReading(
        .server, "its certificate is from an authority that the rule does not name")

    /// The readings where the rule trusts an authority with a similar name.
    static func readings(
        of relative: AuthorityFacts.Relative, _ authority: String
    ) -> [SideReading] {
        [
            .impostor("something else may be answering: anybody can write a name"),
            .init(
                .policy,
                "`\(relative.set)` has `\(Words.shortSubject(relative.subject))`, and "
                    + "may lack `\(Words.shortSubject(authority))`"),
        ]
    }
}

// MARK: What to do

extension Reject {
    /// Whom to ask where an authority may have a new root.
    func successorRepairs(_ authority: String, isAuthority: Bool) -> [Repair] {
        guard let relative = facts.authority?.relative else { return [] }
        let name = "`\(Words.shortSubject(authority))`"
        let known = "`\(Words.shortSubject(relative.subject))`"
        let owner = owners.anchors(relative.set)
        guard isAuthority else {
            return [
                Repair(
                    "ask \(owner.asked) whether \(name) is theirs: an authority below \(known), "
                        + "or a new root",
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

    /// What to do where another set of the policy holds the authority.
    func otherSetRepair(_ set: String, _ authority: String) -> Repair {
        Repair(
            "anchor set `\(set)` of this policy has `\(Words.shortSubject(authority))`, "
                + "and \(ruleName) does not name that set; whether it should is for its owner to "
                + "say",
            brief: "ask \(ruleOwner) whether it may name `\(set)`")
    }

    /// What to do about a proxy that opens TLS on the way.
    var inspectionRepair: Repair {
        Repair(
            "see whether a proxy inspects TLS between this machine and the server; if one does, "
                + "have whoever runs it exempt `\(host)`: \(ruleName) does not let a proxy answer",
            brief: "if a proxy inspects TLS here, have its operator exempt this host")
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
