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

    /// Whether the member is the machine's store and its filters keep nothing of any store.
    var vouchesForNothing: Bool { StoreFilters(filters).keepNothing }

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
