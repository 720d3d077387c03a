/// Compares the trust anchors of two sides. A side is *not weaker* when the other side also trusts
/// each of its members, on equal or weaker terms. A store of which filters keep nothing has no
/// members, whatever its terms. The ids of anchor sets are not compared.
/// Comparisons that were made are remembered.
///
/// Besides the work budget, one thing is left out. A certificate that issues for a path may also
/// sign a CRL that revokes. A CRL whose signer only the weaker side trusts can make the weaker side
/// reject a path. The stricter side does not count that CRL and can accept the path.
final class AnchorOrder {
    /// The differences between the anchors that the two sides trust.
    struct Difference {
        /// Authorities that the other side does not trust on any terms, each once.
        var new: [TrustedMember] = []
        /// Whether the other side trusts every member of this side too, on equal or weaker terms.
        var isNoWeaker = true
        /// Terms of authorities that both sides trust, where this side is not known to be as
        /// strict, with the authority by its name and key.
        var terms: [(authority: TrustedMember.Identity, term: AnchorTerms.Difference)] = []
        /// Authorities that both sides trust, by certificates that are not the same, by the path of
        /// the difference.
        var reissued: [String: [ReissuedMember]] = [:]
    }

    /// The anchors of each of two sides that the other does not trust.
    private struct Differences {
        var here = Difference()
        var there = Difference()
    }

    private var known: [Pair: Differences] = [:]
    /// The comparison that was asked for last. The next one is most often the same.
    private var last: (pair: Pair, found: Differences)?
    private let logLists: LogListOrder

    init(_ logLists: LogListOrder) { self.logLists = logLists }

    private struct Pair: Hashable {
        let own: Swift.ObjectIdentifier
        let other: Swift.ObjectIdentifier
        let sides: [AnchorTerms.Side]
    }

    /// Keeps the objects alive whose identities are keys of `known`.
    private var held: [TrustedMembers] = []

    /// The number of members that a comparison of two bodies reads; 0 where the result is known.
    func cost(_ own: BehaviourBody, _ other: BehaviourBody) -> Int {
        if own.anchors === other.anchors || known[pair(own, other)] != nil { return 0 }
        return own.anchors.members.count + other.anchors.members.count
    }

    private func pair(_ own: BehaviourBody, _ other: BehaviourBody) -> Pair {
        Pair(
            own: Swift.ObjectIdentifier(own.anchors), other: Swift.ObjectIdentifier(other.anchors),
            sides: [AnchorTerms.Side(own), AnchorTerms.Side(other)])
    }

    /// The trust of each of two bodies that the other does not have. Cost: linear in the members of
    /// both. The result for two lists of members is remembered.
    private func differences(_ here: BehaviourBody, _ there: BehaviourBody) -> Differences {
        let pair = pair(here, there)
        let (own, other) = (pair.sides[0], pair.sides[1])
        if here.anchors === there.anchors, own == other { return Differences() }
        if let last, last.pair == pair { return last.found }
        if let found = known[pair] {
            last = (pair, found)
            return found
        }
        let found = Differences(
            here: difference(here.anchors, there.anchors, (own: own, other: other)),
            there: difference(there.anchors, here.anchors, (own: other, other: own)))
        known[pair] = found
        held += [here.anchors, there.anchors]
        return found
    }

    /// A difference in a term as a reader sees it.
    private struct Told: Hashable {
        let path: String
        let here: FieldComparison.Value
        let there: FieldComparison.Value
    }

    private func difference(
        _ own: TrustedMembers, _ other: TrustedMembers,
        _ sides: (own: AnchorTerms.Side, other: AnchorTerms.Side)
    ) -> Difference {
        var found = Difference()
        var seen: Set<TrustedMember.Authority> = []
        for member in own.members where !member.vouchesForNothing {
            let same = (other.indices[member.identity] ?? []).filter {
                member.isSameAuthority(as: other.members[$0])
            }
            guard !same.isEmpty else {
                found.isNoWeaker = false
                if seen.insert(member.authority).inserted { found.new.append(member) }
                continue
            }
            // It suffices that one entry of the other side has equal or weaker terms.
            var first: [AnchorTerms.Difference]?
            var isMet = false
            for index in same where !isMet {
                let terms = AnchorTerms(
                    own: member, other: other.members[index], sides: sides, logLists: logLists
                ).differences()
                isMet = terms.isEmpty
                first = first ?? terms
            }
            guard !isMet else { continue }
            found.isNoWeaker = false
            for term in first ?? [] {
                if let reissued = term.reissued {
                    found.reissued[term.path, default: []].append(reissued)
                }
                found.terms.append((member.identity, term))
            }
        }
        return found
    }

    // MARK: Bodies

    func relation(_ here: BehaviourBody, _ there: BehaviourBody) -> Relation {
        guard here.anchorsArePinnedKeys || there.anchorsArePinnedKeys else {
            let found = differences(here, there)
            return Relation(
                isNoWeaker: found.here.isNoWeaker
                    && here.anchors.offered.isSubset(of: there.anchors.offered),
                isNoStricter: found.there.isNoWeaker
                    && there.anchors.offered.isSubset(of: here.anchors.offered))
        }
        guard here.anchorsArePinnedKeys, there.anchorsArePinnedKeys else { return .incomparable }
        return PinnedKeyOrder.relation(here.pinnedAnchors, there.pinnedAnchors)
    }

    func compare(_ here: BehaviourBody, _ there: BehaviourBody) -> [FieldComparison] {
        let found = differences(here, there)
        let (own, other) = (found.here, found.there)
        let isPinned = here.anchorsArePinnedKeys || there.anchorsArePinnedKeys
        let relation =
            isPinned
            ? relation(here, there)
            : Relation(isNoWeaker: own.new.isEmpty, isNoStricter: other.new.isEmpty)
        func names(_ body: BehaviourBody) -> FieldComparison.Value {
            .words(body.anchorsArePinnedKeys ? [AnchorSetContents.pinnedKeysID] : body.anchorNames)
        }
        var fields: [FieldComparison] = []
        if relation != .equal || names(here) != names(there) {
            let change = AnchorChange(
                new: own.new, removed: other.new, count: here.anchors.count,
                othersCount: there.anchors.count,
                keepsAll: other.new.isEmpty && !there.anchorsArePinnedKeys,
                newArePublic: own.new.contains(where: \.isPublic),
                othersArePublic: there.anchors.members.contains(where: \.isPublic),
                isPinnedKeys: here.anchorsArePinnedKeys,
                othersArePinnedKeys: there.anchorsArePinnedKeys, pinsBind: here.pinsBind,
                keepsPins: PinOrder.relation(here.pins, there.pins).isNoWeaker)
            fields.append(
                FieldComparison(
                    "anchors", relation, names(here), names(there), remark: .anchors(change)))
        }
        guard !isPinned else { return fields }
        if own.terms.isEmpty, other.terms.isEmpty { return fields + offered(here, there) }
        let shared = Set(here.anchorNames).intersection(there.anchorNames)
        return fields + AnchorOrder.terms(own, other, shared: shared) + offered(here, there)
    }

    /// The differences in terms of both sides. A term of an authority is incomparable where neither
    /// side is known to be as strict in it. A term that one authority gains and another one loses
    /// has two entries, unless the two read the same.
    ///
    /// - Parameter shared: the ids of anchor sets that both sides name.
    private static func terms(
        _ ours: Difference, _ theirs: Difference, shared: Set<String>
    ) -> [FieldComparison] {
        // Where a set has another id on the other side, the rest of the path, behind the id, names
        // the term.
        func term(_ path: String) -> Substring {
            guard path.hasPrefix("anchors.") else { return path[...] }
            let key = path.dropFirst("anchors.".count)
            if shared.contains(String(key.prefix { $0 != "." })) { return path[...] }
            return key.firstIndex(of: ".").map { key[$0...] } ?? key
        }
        func terms(_ side: Difference) -> [TrustedMember.Identity: Set<Substring>] {
            side.terms.reduce(into: [:]) {
                $0[$1.authority, default: []].insert(term($1.term.path))
            }
        }
        let (own, other) = (terms(ours), terms(theirs))
        var order: [Told] = []
        var found: [Told: (relation: Relation, leaning: Relation)] = [:]
        func add(_ words: Told, _ relation: Relation, _ leaning: Relation) {
            guard let known = found[words] else {
                order.append(words)
                found[words] = (relation, leaning)
                return
            }
            found[words] = (known.relation.and(relation), known.leaning)
        }
        for (authority, difference) in ours.terms {
            let isBack = other[authority]?.contains(term(difference.path)) ?? false
            add(
                Told(
                    path: difference.path, here: isBack ? difference.here : difference.besides,
                    there: difference.there),
                isBack ? .incomparable : .weaker, difference.isLooser ? .weaker : .equal)
        }
        for (authority, difference) in theirs.terms
        where !(own[authority]?.contains(term(difference.path)) ?? false) {
            add(
                Told(path: difference.path, here: difference.there, there: difference.besides),
                .stricter, .stricter)
        }
        return order.compactMap { words in
            found[words].map {
                FieldComparison(
                    words.path, $0.relation, leaning: $0.leaning, words.here, words.there,
                    remark: ours.reissued[words.path].map { .reissued($0) } ?? .none)
            }
        }
    }

    /// Compares the certificates that anchor sets offer to the path search. Offering more is
    /// weaker, although the peer could have sent the same certificates.
    private func offered(_ here: BehaviourBody, _ there: BehaviourBody) -> [FieldComparison] {
        let (own, other) = (here.anchors.offered, there.anchors.offered)
        guard own != other else { return [] }
        return [
            FieldComparison(
                "anchors.intermediates",
                Relation(
                    isNoWeaker: own.isSubset(of: other), isNoStricter: other.isSubset(of: own)),
                .absent, .absent,
                remark: .offered(
                    new: AnchorOrder.sorted(own.subtracting(other)),
                    removed: AnchorOrder.sorted(other.subtracting(own))))
        ]
    }

    private static func sorted(_ certificates: Set<[UInt8]>) -> [[UInt8]] {
        certificates.sorted { $0.lexicographicallyPrecedes($1) }
    }
}

/// Compares pinned keys that are the anchors of both sides: which certificates each entry makes an
/// anchor, and whether the anchor vouches for itself or for others.
///
/// A certificate in the policy ends paths in place of the peer's copies. So a side must hold every
/// certificate of the other side whose key one of its entries matches: otherwise it takes copies
/// whose limits the other side does not take.
enum PinnedKeyOrder {
    static func relation(_ here: [PinDemand], _ there: [PinDemand]) -> Relation {
        let (own, other) = (entries(here), entries(there))
        return Relation(isNoWeaker: lies(own, in: other), isNoStricter: lies(other, in: own))
    }

    private static func lies(_ own: [PinDemand.Entry], in other: [PinDemand.Entry]) -> Bool {
        let (ours, theirs) = (certificates(own), certificates(other))
        let reach = reach(own)
        guard reach.isSubset(of: PinnedKeyOrder.reach(other)), ours.isSubset(of: theirs) else {
            return false
        }
        let keys = Set(reach.filter { $0.ofOthers && $0.match.kind == .spki }.map(\.match))
        let algorithms = Set(keys.map(\.digest.algorithm))
        // The certificates that this side does not hold come from entries of the other side. Their
        // keys are known only where the entry matches keys, and can be compared only by digests of
        // one algorithm.
        return keys.isEmpty
            || other.filter { $0.vouches.forOthers && !$0.certificates.isSubset(of: ours) }
                .allSatisfy { entry in
                    algorithms.count == 1
                        && entry.matches.allSatisfy {
                            $0.kind == .spki && algorithms.contains($0.digest.algorithm)
                        } && entry.matches.isDisjoint(with: keys)
                }
    }

    private static func certificates(_ entries: [PinDemand.Entry]) -> Set<[UInt8]> {
        Set(entries.filter { $0.vouches.forOthers }.flatMap(\.certificates))
    }

    private static func entries(_ pins: [PinDemand]) -> [PinDemand.Entry] {
        pins.flatMap(\.entries)
    }

    private static func reach(_ entries: [PinDemand.Entry]) -> Set<PinnedReach> {
        Set(entries.flatMap { entry in entry.matches.flatMap(entry.position.reach(of:)) })
    }
}

/// What a certificate with a pinned key vouches for, where the pinned keys are the anchors: for
/// itself as the end entity, or for the certificates that it signed.
package struct PinnedReach: Hashable {
    package let match: KeyMatch
    /// Whether it vouches for the certificates that it signed, and not for itself.
    package let ofOthers: Bool
}

extension PinDemand.Entry {
    var vouches: (forItself: Bool, forOthers: Bool) { position.vouches }
}

extension PinPosition {
    /// Whether a certificate with the pinned key vouches for itself, and for the certificates that
    /// it signed, where the pinned keys are the anchors (`PinnedKeys`).
    var vouches: (forItself: Bool, forOthers: Bool) {
        switch self {
        case .leaf: return (true, false)
        case .ca, .anchor: return (false, true)
        case .any: return (true, true)
        case .intermediate: return (false, false)
        }
    }

    /// What a key vouches for at this position.
    package func reach(of match: KeyMatch) -> [PinnedReach] {
        (vouches.forItself ? [PinnedReach(match: match, ofOthers: false)] : [])
            + (vouches.forOthers ? [PinnedReach(match: match, ofOthers: true)] : [])
    }
}
