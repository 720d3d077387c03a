/// A member of an anchor set on that set's terms.
package struct TrustedMember: Hashable, Sendable {
    /// What makes two members one authority.
    enum Identity: Hashable, Sendable {
        /// The machine's store, where it is not loaded.
        case store
        /// A name, by its hash in comparison form, and a key.
        case nameAndKey(UInt64, [UInt8])
    }

    let identity: Identity
    /// Nil for the machine's store.
    package let certificate: Certificate?
    /// The id of its set.
    package let set: String
    package let kind: AnchorKind
    package let standard: Standard
    package let ignoredLimits: AnchorLimits
    /// Each must be met.
    package let constraints: [AnchorConstraints]
    /// What keeps or removes members of the machine's store.
    package let filters: [AnchorFilter]
    /// Whether it is a member of a store that is loaded.
    let isOfStore: Bool

    /// A member of a group; nil stands for the machine's store as a whole.
    package init(_ certificate: Certificate?, in set: String, _ group: AnchorGroup) {
        self.init(
            certificate, set: set, kind: group.kind, standard: group.standard,
            ignoredLimits: group.ignoredLimits, constraints: group.constraints,
            filters: group.filters, isOfStore: false)
    }

    /// An anchor of an engine.
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
            certificate.map { .nameAndKey($0.layout.subjectHash, $0.spkiBytes) } ?? .store
        self.certificate = certificate
        self.set = set
        self.kind = kind
        self.standard = standard
        self.ignoredLimits = ignoredLimits
        self.constraints = constraints
        self.filters = filters
        self.isOfStore = isOfStore
    }

    /// Whether strangers get certificates from it: the machine's store, and what its set judges by
    /// the web's own rules.
    package var isPublic: Bool { certificate == nil || standard == .webPKI }
}

/// Whom a rule trusts: the members of its anchor sets, and the certificates that these offer to the
/// path search.
package final class TrustedMembers: Sendable {
    let members: [TrustedMember]
    /// DER of each.
    let offered: Set<[UInt8]>
    /// Indices of members.
    let indices: [TrustedMember.Identity: [Int]]
    /// Whether some member is held to windows of timestamps.
    let holdsTimestamps: Bool

    /// Linear in the members.
    package init(_ members: [TrustedMember], offered: Set<[UInt8]>) {
        self.members = members
        self.offered = offered
        indices = Dictionary(grouping: members.indices) { members[$0].identity }
        holdsTimestamps = members.contains { $0.constraints.contains { $0.sct != nil } }
    }

    /// Nobody.
    package static let none = TrustedMembers([], offered: [])
}

/// The anchor sets and pin sets of one policy, as what its rules trust and pin.
package final class TrustedSets {
    private let members: [String: [TrustedMember]]
    private let offered: [String: [[UInt8]]]
    private let pinSets: [String: PinDemand]
    private var known: [[String]: TrustedMembers] = [:]
    /// What compares them.
    package let order = BehaviourOrder()

    /// Sets that a policy lowers to. Linear in their certificates, each of which is parsed once.
    package init(anchorSets: [AnchorSetContents], pinSets: [PinSetContents]) {
        let sets = anchorSets.contains { $0.id == "system" } ? anchorSets : anchorSets + [.system]
        members = Dictionary(
            sets.map { ($0.id, TrustedSets.members(of: $0)) },
            uniquingKeysWith: { first, _ in first })
        offered = Dictionary(
            sets.map { ($0.id, $0.intermediates) }, uniquingKeysWith: { first, _ in first })
        self.pinSets = Dictionary(
            pinSets.map { ($0.id, PinDemand($0)) }, uniquingKeysWith: { first, _ in first })
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
                        // What does not parse has its own diagnostic and is nobody's anchor.
                        return nil
                    }
                }
            }
        }
    }

    /// What a rule demands, by content. Two rules of the same sets share what these hold.
    package func behaviour(of body: RuleBody) -> BehaviourBody {
        BehaviourBody(
            anchors: trusted(body.anchors), anchorNames: body.anchors,
            anchorsArePinnedKeys: body.anchorsArePinnedKeys,
            pins: body.pins.map { pinSets[$0] ?? PinDemand(named: $0) },
            requirements: body.requirements, logList: body.requirements.transparency.logList,
            identity: body.identity, waivers: body.waivers, reportOnly: body.reportOnly)
    }

    /// Members that are looked at to compare two bodies, where that is not known yet.
    package func cost(of own: RuleBody, from other: RuleBody) -> Int {
        order.anchors.cost(behaviour(of: own), behaviour(of: other))
    }

    private func trusted(_ sets: [String]) -> TrustedMembers {
        if let trusted = known[sets] { return trusted }
        let trusted = TrustedMembers(
            sets.flatMap { members[$0] ?? [] },
            offered: Set(sets.flatMap { offered[$0] ?? [] }))
        known[sets] = trusted
        return trusted
    }
}
