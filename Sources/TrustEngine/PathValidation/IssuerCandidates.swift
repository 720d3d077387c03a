/// A step by which a path can continue or end.
package enum PathExtension: Hashable, WordPair {
    /// The path ends at this anchor.
    case anchor(Int)
    /// The end entity is this anchor.
    case endEntityIsAnchor(Int)
    /// The end entity is an anchor, because the rule pins it.
    case endEntityIsPinned
    /// The path ends at this certificate, because the rule pins it.
    case pinned(CertificatePool.Member)
    /// The path continues through this certificate.
    case through(CertificatePool.Member)
    /// The path ends here: at a self-issued certificate that is not an anchor, or where no issuer
    /// was found.
    case deadEnd

    /// The second word has the kind of step, and of a member its own kind, in sixteen bits.
    package init(words: (UInt64, UInt64)) {
        let index = Int(words: (words.0, 0))
        let member = CertificatePool.Member(words: (words.0, words.1 >> 8 & 0xFF))
        switch words.1 & 0xFF {
        case 0: self = .anchor(index)
        case 1: self = .endEntityIsAnchor(index)
        case 2: self = .endEntityIsPinned
        case 3: self = .pinned(member)
        case 4: self = .through(member)
        default: self = .deadEnd
        }
    }

    package var words: (UInt64, UInt64) {
        switch self {
        case .anchor(let index): return (index.words.0, 0)
        case .endEntityIsAnchor(let index): return (index.words.0, 1)
        case .endEntityIsPinned: return (0, 2)
        case .pinned(let member): return (member.words.0, 3 | member.words.1 << 8)
        case .through(let member): return (member.words.0, 4 | member.words.1 << 8)
        case .deadEnd: return (0, 5)
        }
    }
}

/// Finds the possible issuers of a certificate, the most promising first (RFC 4158 section 3.5). An
/// issuer must have the right name. Anchors come first, so that shorter paths come first. Behind
/// them certificates that are valid at the time come before others, and in each group those with
/// matching key identifiers. A mismatch of key identifiers never excludes a candidate.
package enum IssuerCandidates {
    /// The steps by which a path can continue from `subject`, its last certificate. Cost: one unit
    /// for every 64 presented certificates, one unit for each name that is compared, and more for
    /// long names (`NameComparison`). An offered certificate is compared with the presented ones
    /// and costs both.
    ///
    /// `alsoOutsideScope` adds members of the policy's other anchor sets as certificates to
    /// continue through. They are not anchors of this rule. They show which authority issued a
    /// chain that was sent without its root.
    package static func find(
        for subject: Certificate, isEndEntity: Bool, pool: CertificatePool,
        alsoOutsideScope: Bool, time: UTCInstant, budget: inout WorkBudget
    ) -> ShortList<Ranked> {
        var ranked = ShortList<Ranked>()
        // A certificate of the pool is passed on where it stands: a copy of its list's element, and
        // of all that stands beside it there, would cost more than the comparison.
        let anchors = pool.anchors
        if isEndEntity {
            if pool.presentedAnchors.endEntity { ranked.append(Ranked(-1, .endEntityIsPinned)) }
            for index in anchors.candidates(subjectHash: subject.layout.subjectHash)
            where pool.isInScope(anchor: index) {
                guard anchors.kind(of: index) == .leaf, budget.spend(1),
                    anchors.certificate(index) == subject
                else { continue }
                ranked.append(Ranked(-1, .endEntityIsAnchor(index)))
            }
        }
        // A certificate in several sets is an anchor in each set, but the path continues through it
        // only once.
        var goneThrough = ShortList<Int>()
        let issuerHash = subject.layout.issuerHash
        for index in anchors.candidates(subjectHash: issuerHash)
        where pool.isInScope(anchor: index) {
            guard anchors.kind(of: index) != .leaf, budget.spend(1),
                subject.isIssued(byNameOf: anchors.certificate(index), budget: &budget)
            else { continue }
            let rank = identifierRank(anchors.certificate(index), of: subject)
            ranked.append(Ranked(rank, .anchor(index)))
            let identity = anchors.identity(of: index)
            if !anchors.certificate(index).isSelfIssued,
                !goneThrough.contains(where: { $0 == identity })
            {
                goneThrough.append(identity)
                ranked.append(Ranked(rank + 16, .through(.anchor(Int32(index)))))
            }
        }
        if alsoOutsideScope {
            for index in anchors.candidates(subjectHash: issuerHash) {
                let anchor = anchors.anchors[index]
                guard anchor.identity == index, anchor.kind != .leaf,
                    !pool.holdsInScope(anchor.certificate), budget.spend(1),
                    !pool.presents(anchor.fingerprint),
                    subject.isIssued(byNameOf: anchor.certificate, budget: &budget)
                else { continue }
                let rank = 32 + identifierRank(anchor.certificate, of: subject)
                ranked.append(Ranked(rank, .through(.anchor(Int32(index)))))
            }
        }
        let look = 1 + pool.presented.count / 64
        _ = budget.spend(look)
        for index in 0..<pool.presented.count {
            let member = CertificatePool.Member.presented(Int32(index))
            guard pool.certificate(member).layout.subjectHash == issuerHash, budget.spend(1),
                subject.isIssued(byNameOf: pool.certificate(member), budget: &budget)
            else { continue }
            if pool.isPinnedAuthority(member) {
                ranked.append(
                    Ranked(identifierRank(pool.certificate(member), of: subject), .pinned(member)))
            }
            ranked.append(
                Ranked(rank(pool.certificate(member), of: subject, at: time), .through(member)))
        }
        for index in pool.offered.candidates(subjectHash: issuerHash)
        where pool.set(offering: index) != nil {
            let offer = pool.offered.entries[index]
            guard budget.spend(look),
                subject.isIssued(byNameOf: offer.certificate, budget: &budget),
                !pool.presents(offer.fingerprint)
            else { continue }
            ranked.append(
                Ranked(
                    rank(offer.certificate, of: subject, at: time),
                    .through(.offered(Int32(index)))))
        }
        sort(&ranked)
        return ranked
    }

    /// A step with its rank: a step of a lower rank is tried first.
    package struct Ranked: Hashable, WordPair {
        package let rank: Int
        package let step: PathExtension

        init(_ rank: Int, _ step: PathExtension) {
            self.rank = rank
            self.step = step
        }

        /// The rank stands above the sixteen bits of the step's second word.
        package init(words: (UInt64, UInt64)) {
            rank = Int(Int64(bitPattern: words.1) >> 16)
            step = PathExtension(words: words)
        }

        package var words: (UInt64, UInt64) {
            let words = step.words
            return (words.0, words.1 | UInt64(bitPattern: Int64(rank)) << 16)
        }
    }

    /// Sorts steps by their rank. Steps of equal rank keep their order, so that the search does not
    /// depend on the sorting algorithm.
    private static func sort(_ ranked: inout ShortList<Ranked>) {
        guard ranked.count > 1 else { return }
        guard ranked.count > ShortList<Ranked>.inlineCount else {
            for index in 1..<ranked.count {
                let moved = ranked[index]
                var target = index
                while target > 0, ranked[target - 1].rank > moved.rank {
                    ranked[target] = ranked[target - 1]
                    target -= 1
                }
                ranked[target] = moved
            }
            return
        }
        let sorted = (0..<ranked.count).map { (offset: $0, step: ranked[$0]) }
            .sorted { ($0.step.rank, $0.offset) < ($1.step.rank, $1.offset) }
        for (index, entry) in sorted.enumerated() { ranked[index] = entry.step }
    }

    /// The rank of a certificate to continue through: behind the anchors, the most likely issuer
    /// first.
    private static func rank(
        _ issuer: Certificate, of subject: Certificate, at time: UTCInstant
    ) -> Int {
        let isValid = issuer.notBefore <= time && time <= issuer.notAfter
        return 4 + identifierRank(issuer, of: subject) + (isValid ? 0 : 4)
            + (issuer.isSelfIssued ? 1 : 0)
    }

    /// 0 when the key identifiers match, 1 when one of them is absent, 2 when they differ.
    private static func identifierRank(_ issuer: Certificate, of subject: Certificate) -> Int {
        let wanted = subject.layout.extensions.authorityKeyIdentifier
        let offered = issuer.layout.extensions.subjectKeyIdentifier
        guard !wanted.isEmpty, !offered.isEmpty else { return 1 }
        return subject.der.span.extracting(wanted.indices)
            .octetsEqual(issuer.der.span.extracting(offered.indices)) ? 0 : 2
    }
}
