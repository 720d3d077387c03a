/// The order of whom two sides trust: a side is no weaker when each of its members is one of the
/// other's on terms no stricter there. Sets are never compared by their names. Remembers what it
/// has compared.
///
/// One thing is left out, beside the work budget: who vouches for a path may also be believed when
/// it revokes. A CRL whose signer only the weaker side can trust can refuse there what the stricter
/// side, which does not hear it, accepts.
final class AnchorOrder {
    /// What one side trusts, against the other.
    struct Difference {
        /// Authorities that the other side does not trust on any terms, each once.
        var new: [TrustedMember] = []
        /// Whether every member here is one of the other side's on terms no stricter there.
        var isNoWeaker = true
        /// Terms of authorities of both that are not known to be as strict here; the first of each
        /// path.
        var terms: [AnchorTerms.Difference] = []
    }

    private var known: [Pair: Difference] = [:]

    private struct Pair: Hashable {
        let own: Swift.ObjectIdentifier
        let other: Swift.ObjectIdentifier
        let sides: [AnchorTerms.Side]
    }

    /// Keeps those alive whose identities are keys.
    private var held: [TrustedMembers] = []

    /// Members that are looked at to compare two bodies, where that is not known yet.
    func cost(_ own: BehaviourBody, _ other: BehaviourBody) -> Int {
        if own.anchors === other.anchors || known[pair(own, other)] != nil { return 0 }
        return own.anchors.members.count + other.anchors.members.count
    }

    private func pair(_ own: BehaviourBody, _ other: BehaviourBody) -> Pair {
        Pair(
            own: Swift.ObjectIdentifier(own.anchors), other: Swift.ObjectIdentifier(other.anchors),
            sides: [AnchorTerms.Side(own), AnchorTerms.Side(other)])
    }

    /// What one body trusts that another does not. Linear in their members, and made once for two
    /// lists.
    func difference(of own: BehaviourBody, from other: BehaviourBody) -> Difference {
        let pair = pair(own, other)
        if own.anchors === other.anchors, pair.sides[0] == pair.sides[1] { return Difference() }
        if let found = known[pair] { return found }
        let found = AnchorOrder.difference(
            own.anchors, other.anchors, (own: pair.sides[0], other: pair.sides[1]))
        known[pair] = found
        held += [own.anchors, other.anchors]
        return found
    }

    private static func difference(
        _ own: TrustedMembers, _ other: TrustedMembers,
        _ sides: (own: AnchorTerms.Side, other: AnchorTerms.Side)
    ) -> Difference {
        var found = Difference()
        var seen: Set<TrustedMember.Identity> = []
        var told: Set<String> = []
        for member in own.members {
            guard let same = other.indices[member.identity] else {
                found.isNoWeaker = false
                if seen.insert(member.identity).inserted { found.new.append(member) }
                continue
            }
            // One of theirs on terms no stricter is enough.
            var first: [AnchorTerms.Difference]?
            var isMet = false
            for index in same where !isMet {
                let terms = AnchorTerms(own: member, other: other.members[index], sides: sides)
                    .differences()
                isMet = terms.isEmpty
                first = first ?? terms
            }
            guard !isMet else { continue }
            found.isNoWeaker = false
            found.terms += (first ?? []).filter { told.insert($0.path).inserted }
        }
        return found
    }

    // MARK: Bodies

    func relation(_ here: BehaviourBody, _ there: BehaviourBody) -> Relation {
        guard here.anchorsArePinnedKeys || there.anchorsArePinnedKeys else {
            return Relation(
                isNoWeaker: difference(of: here, from: there).isNoWeaker
                    && here.anchors.offered.isSubset(of: there.anchors.offered),
                isNoStricter: difference(of: there, from: here).isNoWeaker
                    && there.anchors.offered.isSubset(of: here.anchors.offered))
        }
        guard here.anchorsArePinnedKeys, there.anchorsArePinnedKeys else { return .incomparable }
        return PinnedKeyOrder.relation(here.pinnedAnchors, there.pinnedAnchors)
    }

    func compare(_ here: BehaviourBody, _ there: BehaviourBody) -> [FieldComparison] {
        let (own, other) = (
            difference(of: here, from: there), difference(of: there, from: here)
        )
        let change = AnchorChange(
            new: own.new, keepsAll: other.new.isEmpty && !there.anchorsArePinnedKeys,
            newArePublic: own.new.contains(where: \.isPublic),
            othersArePublic: there.anchors.members.contains(where: \.isPublic),
            isPinnedKeys: here.anchorsArePinnedKeys,
            othersArePinnedKeys: there.anchorsArePinnedKeys, pinsBind: here.pinsBind,
            keepsPins: PinOrder.relation(here.pins, there.pins).isNoWeaker)
        let isPinned = here.anchorsArePinnedKeys || there.anchorsArePinnedKeys
        let relation =
            isPinned
            ? relation(here, there)
            : Relation(isNoWeaker: own.new.isEmpty, isNoStricter: other.new.isEmpty)
        func names(_ body: BehaviourBody) -> FieldComparison.Value {
            .words(body.anchorsArePinnedKeys ? [AnchorSetContents.pinnedKeysID] : body.anchorNames)
        }
        var found: [FieldComparison] = []
        if relation != .equal || names(here) != names(there) {
            found.append(
                FieldComparison(
                    "anchors", relation, names(here), names(there), remark: .anchors(change)))
        }
        guard !isPinned else { return found }
        return found + AnchorOrder.terms(own.terms, other.terms) + offered(here, there)
    }

    /// Both sides' differences of terms, path by path.
    private static func terms(
        _ own: [AnchorTerms.Difference], _ other: [AnchorTerms.Difference]
    ) -> [FieldComparison] {
        // The sets of two sides have their own ids; what stands behind them is the term.
        func term(_ path: String) -> Substring {
            guard path.hasPrefix("anchors.") else { return path[...] }
            let key = path.dropFirst("anchors.".count)
            return key.firstIndex(of: ".").map { key[$0...] } ?? key
        }
        func relation(_ path: String, isHere: Bool) -> Relation {
            let isBack = (isHere ? other : own).contains { term($0.path) == term(path) }
            return Relation(isNoWeaker: !isHere && !isBack, isNoStricter: isHere && !isBack)
        }
        let here = own.map { difference in
            FieldComparison(
                difference.path, relation(difference.path, isHere: true),
                leaning: difference.isLooser ? .weaker : .equal, difference.here, difference.there)
        }
        let back = other.filter { theirs in !own.contains { term($0.path) == term(theirs.path) } }
        return here
            + back.map { difference in
                FieldComparison(
                    difference.path, relation(difference.path, isHere: false),
                    leaning: .stricter, difference.there, difference.here)
            }
    }

    /// More that is offered is weaker; the peer could have sent it, too.
    private func offered(_ here: BehaviourBody, _ there: BehaviourBody) -> [FieldComparison] {
        let (own, other) = (here.anchors.offered, there.anchors.offered)
        guard own != other else { return [] }
        return [
            FieldComparison(
                "anchors.intermediates",
                Relation(
                    isNoWeaker: own.isSubset(of: other), isNoStricter: other.isSubset(of: own)),
                .absent, .absent, remark: .offered)
        ]
    }
}

/// The order of pinned keys as anchors: whom each entry makes an anchor, of what. Certificates that
/// the policy holds end paths in place of the peer's copies, so they must be the same.
enum PinnedKeyOrder {
    private struct Reach: Hashable {
        let match: KeyMatch
        let ofOthers: Bool
    }

    static func relation(_ here: [PinDemand], _ there: [PinDemand]) -> Relation {
        let (own, other) = (entries(here), entries(there))
        func certificates(_ entries: [PinDemand.Entry]) -> Set<[UInt8]> {
            Set(entries.filter { $0.vouches.forOthers }.flatMap(\.certificates))
        }
        guard certificates(own) == certificates(other) else { return .incomparable }
        let (ours, theirs) = (reach(own), reach(other))
        return Relation(
            isNoWeaker: ours.isSubset(of: theirs), isNoStricter: theirs.isSubset(of: ours))
    }

    private static func entries(_ pins: [PinDemand]) -> [PinDemand.Entry] {
        pins.flatMap(\.entries)
    }

    private static func reach(_ entries: [PinDemand.Entry]) -> Set<Reach> {
        Set(
            entries.flatMap { entry in
                entry.matches.flatMap { match -> [Reach] in
                    (entry.vouches.forItself ? [Reach(match: match, ofOthers: false)] : [])
                        + (entry.vouches.forOthers ? [Reach(match: match, ofOthers: true)] : [])
                }
            })
    }
}

extension PinDemand.Entry {
    /// Whom a pinned certificate vouches for (`PinnedKeys`).
    fileprivate var vouches: (forItself: Bool, forOthers: Bool) {
        switch position {
        case .leaf: return (true, false)
        case .ca, .anchor: return (false, true)
        case .any: return (true, true)
        case .intermediate: return (false, false)
        }
    }
}
