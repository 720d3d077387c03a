/// A member of an anchor set, with the terms of that set.
package struct TrustedMember: Hashable, Sendable {
    /// The values that make two members the same authority.
    enum Identity: Hashable, Sendable {
        /// The machine's store as a whole, where it is not loaded.
        case store
        /// A subject name, as the hash of its comparison form, and a key.
        case nameAndKey(UInt64, [UInt8])
    }

    let identity: Identity
    /// The certificate; nil for the machine's store as a whole.
    package let certificate: Certificate?
    /// The id of the anchor set.
    package let set: String
    package let kind: AnchorKind
    package let standard: Standard
    package let ignoredLimits: AnchorLimits
    /// The constraints on the member. All of them must be met.
    package let constraints: [AnchorConstraints]
    /// The filters that keep or remove members of the machine's store.
    package let filters: [AnchorFilter]
    /// Whether the member is a certificate of the machine's store, which is loaded.
    let isOfStore: Bool

    /// A member of a group. `certificate` is nil for the machine's store as a whole.
    package init(_ certificate: Certificate?, in set: String, _ group: AnchorGroup) {
        self.init(
            certificate, set: set, kind: group.kind, standard: group.standard,
            ignoredLimits: group.ignoredLimits, constraints: group.constraints,
            filters: group.filters, isOfStore: false)
    }

    /// The member that an anchor of an engine stands for.
    init(_ anchor: TrustAnchor, set: String, constraints: [AnchorConstraints]) {
        self.init(
            anchor.certificate, set: set, kind: anchor.kind, standard: anchor.standard,
            ignoredLimits: anchor.ignoredLimits, constraints: constraints, filters: [],
            isOfStore: anchor.isOfStore)
    }

    private init(
        _ certificate: Certificate?, set: String, kind: AnchorKind, standard: Standard,
        ignoredLimits: AnchorLimits, constraints: [AnchorConstraints], filters: [AnchorFilter],
        isOfStore: Bool
    ) {
        identity =
            certificate.map { .nameAndKey($0.layout.subjectHash, $0.keyOctets) } ?? .store
        self.certificate = certificate
        self.set = set
        self.kind = kind
        self.standard = standard
        self.ignoredLimits = ignoredLimits
        self.constraints = constraints
        self.filters = filters
        self.isOfStore = isOfStore
    }

    /// An authority: a name and a key, or the octets of an anchor of kind leaf, which vouches only
    /// for itself.
    package struct Authority: Hashable, Sendable {
        let identity: Identity
        let leaf: Certificate?
    }

    /// The authority that the member is.
    package var authority: Authority {
        Authority(identity: identity, leaf: kind == .leaf ? certificate : nil)
    }

    /// Whether another member is the same authority, or the same certificate as another kind of
    /// anchor.
    func isSameAuthority(as other: TrustedMember) -> Bool {
        identity == other.identity
            && (kind != .leaf || other.kind != .leaf || certificate == other.certificate)
    }

    /// DER of the members that their set may repeat among its `intermediates`, where the repeated
    /// certificate changes no verdict. The search goes through an anchor to the anchor's own issuer
    /// in any case, unless the anchor is self-issued (`IssuerCandidates`). A certificate that its
    /// own key has signed leads nowhere else. One that names another key as its issuer's may.
    static func repeatable(_ members: [TrustedMember]) -> Set<[UInt8]> {
        Set(
            members.compactMap { member -> [UInt8]? in
                guard member.kind != .leaf, let certificate = member.certificate,
                    !certificate.isSelfIssued || certificate.namesItselfAsIssuer
                else { return nil }
                return certificate.der
            })
    }

    /// Whether the authority issues certificates to the public: the machine's store, and members
    /// whose set has the standard `web-pki`.
    package var isPublic: Bool { certificate == nil || standard == .webPKI }
}

extension Certificate {
    /// Whether authorityKeyIdentifier is absent, or names the key that subjectKeyIdentifier names.
    fileprivate var namesItselfAsIssuer: Bool {
        let extensions = layout.extensions
        let (issuer, own) = (extensions.authorityKeyIdentifier, extensions.subjectKeyIdentifier)
        guard !issuer.isEmpty else { return true }
        return der.span.extracting(issuer.indices)
            .octetsEqual(der.span.extracting(own.indices))
    }
}

/// The authorities that a rule trusts: the members of its anchor sets. Also the certificates that
/// these sets offer to the path search.
package final class TrustedMembers: Sendable {
    package let members: [TrustedMember]
    /// DER of each offered certificate that does not repeat a member of its own set.
    let offered: Set<[UInt8]>
    /// The indices in `members`, by identity.
    let indices: [TrustedMember.Identity: [Int]]
    /// Whether at least one member is held to windows of timestamps.
    let holdsTimestamps: Bool
    /// The number of authorities. An authority in two sets counts once, and so does the machine's
    /// store where it is not loaded.
    package let count: Int

    /// Cost: linear in the members.
    package init(_ members: [TrustedMember], offered: Set<[UInt8]>) {
        self.members = members
        self.offered = offered
        indices = Dictionary(grouping: members.indices) { members[$0].identity }
        holdsTimestamps = members.contains { $0.constraints.contains { $0.sct != nil } }
        count = Set(members.map(\.authority)).count
    }

    /// DER of the certificates that are offered to the path search, sorted.
    package var offeredCertificates: [[UInt8]] {
        offered.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The number of authorities that are listed by name and key, each once.
    package var listedCount: Int { count - (holdsStore ? 1 : 0) }

    /// Whether the machine's store as a whole is among the authorities.
    package var holdsStore: Bool { indices[.store] != nil }

    /// The authorities, each once, in the order of the policy.
    package var authorities: [TrustedMember] {
        var seen: Set<TrustedMember.Identity> = []
        return members.filter { seen.insert($0.identity).inserted }
    }

    /// No members and no offered certificates.
    package static let none = TrustedMembers([], offered: [])
}

/// The anchor sets and pin sets of one policy, for comparing its rules.
package final class TrustedSets {
    private let members: [String: [TrustedMember]]
    private let offered: [String: [[UInt8]]]
    private let pinSets: [String: PinDemand]
    private let logLists: [Digest: LogListTerms]
    private var known: [[String]: TrustedMembers] = [:]
    /// The order that compares rules by these sets.
    package let order = BehaviourOrder()

    /// Reads the sets that a policy lowers to. Log lists that are not given are compared only by
    /// their digests. Cost: linear in the certificates; each certificate is parsed once.
    package init(
        anchorSets: [AnchorSetContents], pinSets: [PinSetContents],
        logLists: [LogListContents] = []
    ) {
        let sets = anchorSets.contains { $0.id == "system" } ? anchorSets : anchorSets + [.system]
        let members = Dictionary(
            sets.map { ($0.id, TrustedSets.members(of: $0)) },
            uniquingKeysWith: { first, _ in first })
        self.members = members
        offered = Dictionary(
            sets.map { set in
                guard !set.intermediates.isEmpty else { return (set.id, []) }
                let repeated = TrustedMember.repeatable(members[set.id] ?? [])
                return (set.id, set.intermediates.filter { !repeated.contains($0) })
            }, uniquingKeysWith: { first, _ in first })
        self.pinSets = Dictionary(
            pinSets.map { ($0.id, PinDemand($0)) }, uniquingKeysWith: { first, _ in first })
        self.logLists = Dictionary(
            logLists.map { ($0.digest, LogListTerms($0)) }, uniquingKeysWith: { first, _ in first })
    }

    private static func members(of set: AnchorSetContents) -> [TrustedMember] {
        set.groups.flatMap { group -> [TrustedMember] in
            switch group.source {
            case .system:
                return [TrustedMember(nil, in: set.id, group)]
            case .members(let certificates):
                return certificates.compactMap { der in
                    do throws(CertificateError) {
                        return TrustedMember(try Certificate(der: der), in: set.id, group)
                    } catch {
                        // A certificate that does not parse has a diagnostic of its own and cannot
                        // be an anchor.
                        return nil
                    }
                }
            }
        }
    }

    /// The demands of a rule, by content. Two rules of the same anchor sets share one list of
    /// members.
    package func behaviour(of body: RuleBody) -> BehaviourBody {
        BehaviourBody(
            anchors: trusted(body.anchors), anchorNames: body.anchors,
            anchorsArePinnedKeys: body.anchorsArePinnedKeys,
            pins: body.pins.map { pinSets[$0] ?? PinDemand(named: $0) },
            requirements: body.requirements,
            logList: body.requirements.transparency.logList.map {
                logLists[$0] ?? LogListTerms(named: $0)
            },
            identity: body.identity, waivers: body.waivers, reportOnly: body.reportOnly)
    }

    /// The number of members that a comparison of two bodies reads; 0 where the result is known.
    package func cost(of own: RuleBody, from other: RuleBody) -> Int {
        order.anchors.cost(behaviour(of: own), behaviour(of: other))
    }

    /// The members of anchor sets, by the ids of the sets.
    func trusted(_ sets: [String]) -> TrustedMembers {
        if let trusted = known[sets] { return trusted }
        let trusted = TrustedMembers(
            sets.flatMap { members[$0] ?? [] },
            offered: Set(sets.flatMap { offered[$0] ?? [] }))
        known[sets] = trusted
        return trusted
    }
}
