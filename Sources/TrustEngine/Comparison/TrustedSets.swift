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
    package convenience init(
        anchorSets: [AnchorSetContents], pinSets: [PinSetContents],
        logLists: [LogListContents] = []
    ) {
        let sets = anchorSets.contains { $0.id == "system" } ? anchorSets : anchorSets + [.system]
        self.init(
            members: Dictionary(
                sets.map { ($0.id, TrustedSets.members(of: $0)) },
                uniquingKeysWith: { first, _ in first }),
            intermediates: Dictionary(
                sets.map { ($0.id, $0.intermediates) }, uniquingKeysWith: { first, _ in first }),
            pinSets: pinSets,
            logLists: Dictionary(
                logLists.map { ($0.digest, LogListTerms($0)) },
                uniquingKeysWith: { first, _ in first }))
    }

    /// Takes sets that are read already: the members and the DER of the `intermediates` of each
    /// anchor set by its id, and the log lists by the digests that requirements name.
    init(
        members: [String: [TrustedMember]], intermediates: [String: [[UInt8]]],
        pinSets: [PinSetContents], logLists: [Digest: LogListTerms]
    ) {
        self.members = members
        var offered: [String: [[UInt8]]] = [:]
        for (id, certificates) in intermediates where !certificates.isEmpty {
            let repeated = TrustedMember.repeatable(members[id] ?? [])
            offered[id] = certificates.filter { !repeated.contains($0) }
        }
        self.offered = offered
        self.pinSets = Dictionary(
            pinSets.map { ($0.id, PinDemand($0)) }, uniquingKeysWith: { first, _ in first })
        self.logLists = logLists
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
