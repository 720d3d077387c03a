/// Enumerates candidate paths depth first, backtracking over every candidate issuer (RFC 4158).
///
/// Two passes share this code. The *search* passes over certificates that cannot stand on an
/// accepted path, so that a maze of useless ones costs nothing; it alone can lead to an accept. When it
/// finds nothing, the *diagnosis* walks through such certificates too, and yields dead ends, only to
/// name what is wrong. Loops are cut by name and key: no such pair occurs twice on a path.
package struct PathBuilder: Sendable {
    /// Which pass this is.
    package enum Pass: Sendable { case search, diagnosis }

    private let pool: CertificatePool
    private let parameters: PathParameters
    private let pass: Pass
    private var members: [CertificatePool.Member] = []
    private var frames: [Frame] = []
    /// How many members (or their places) cannot stand on an accepted path.
    private var unfit = 0
    private var hasBegun = false

    private struct Frame {
        let steps: [PathExtension]
        var next = 0
        let isUnfit: Bool
    }

    package init(pool: CertificatePool, parameters: PathParameters, pass: Pass) {
        self.pool = pool
        self.parameters = parameters
        self.pass = pass
    }

    /// The next candidate path, or nil when all were given or the budget ran out
    /// (`budget.isExhausted` tells which). Signatures that `ledger` knows to be bad are not followed.
    package mutating func next(
        ledger: SignatureLedger, budget: inout WorkBudget
    ) -> CandidatePath? {
        if !hasBegun {
            hasBegun = true
            push(.presented(0), budget: &budget)
        }
        while let top = frames.indices.last {
            guard budget.spend(1) else { return nil }
            guard frames[top].next < frames[top].steps.count else {
                if frames.removeLast().isUnfit { unfit -= 1 }
                members.removeLast()
                continue
            }
            let step = frames[top].steps[frames[top].next]
            frames[top].next += 1
            switch step {
            case .anchor(let index):
                if let path = ending(at: index, ledger: ledger) { return path }
            case .endEntityIsAnchor(let index):
                if pass == .search {
                    return CandidatePath(members: members, end: .endEntityIsAnchor(index))
                }
            case .endEntityIsPinned:
                if pass == .search { return CandidatePath(members: members, end: .pinned) }
            case .pinned(let member):
                if let path = ending(at: member, ledger: ledger) { return path }
            case .deadEnd:
                return CandidatePath(members: members, end: .deadEnd)
            case .through(let member):
                guard let last = members.last,
                    ledger.known(subject: pool.identity(last), issuer: pool.identity(member))
                        ?? .valid == .valid
                else { continue }
                push(member, budget: &budget)
            }
        }
        return nil
    }

    /// The path that ends at an anchor, unless this pass has no use for it.
    private func ending(at index: Int, ledger: SignatureLedger) -> CandidatePath? {
        let anchor = pool.anchors.anchors[index]
        let member = CertificatePool.Member.anchor(Int32(index))
        return isWanted(member, ignoring: anchor.ignoredLimits, ledger: ledger)
            ? CandidatePath(members: members, end: .anchor(index)) : nil
    }

    /// The path that ends at a presented certificate, likewise.
    private func ending(
        at member: CertificatePool.Member, ledger: SignatureLedger
    ) -> CandidatePath? {
        isWanted(member, ignoring: [], ledger: ledger)
            ? CandidatePath(members: members + [member], end: .pinned) : nil
    }

    /// Whether this pass has a use for the path that ends at an anchor: each judges what the other
    /// does not, and neither what is known to carry a bad signature.
    private func isWanted(
        _ anchor: CertificatePool.Member, ignoring ignoredLimits: AnchorLimits,
        ledger: SignatureLedger
    ) -> Bool {
        let isUnfit =
            unfit > 0
            || !PathValidator.isFit(
                pool.certificate(anchor),
                at: CertificatePosition(
                    index: members.count, intermediatesBelow: pathLength(),
                    isSignatureJudged: false, ignoredLimits: ignoredLimits),
                isAnchor: true, parameters: parameters)
        if let last = members.last,
            ledger.known(subject: pool.identity(last), issuer: pool.identity(anchor)) ?? .valid
                != .valid
        {
            return false
        }
        return isUnfit == (pass == .diagnosis)
    }

    /// Puts a certificate on the path, unless the search knows that it cannot stand there.
    private mutating func push(_ member: CertificatePool.Member, budget: inout WorkBudget) {
        let certificate = pool.certificate(member)
        let position = members.count
        let isUnfit = !PathValidator.isFit(
            certificate,
            at: CertificatePosition(
                index: position, intermediatesBelow: pathLength(), isSignatureJudged: true,
                ignoredLimits: []),
            isAnchor: false, parameters: parameters)
        if isUnfit, pass == .search, position > 0 { return }
        members.append(member)
        if isUnfit { unfit += 1 }
        frames.append(
            Frame(steps: steps(from: member, isUnfit: isUnfit, &budget), isUnfit: isUnfit))
    }

    /// Where the path can go from the certificate that was just put on it.
    private func steps(
        from member: CertificatePool.Member, isUnfit: Bool, _ budget: inout WorkBudget
    ) -> [PathExtension] {
        let certificate = pool.certificate(member)
        var steps = IssuerCandidates.find(
            for: certificate, isEndEntity: members.count == 1, pool: pool,
            alsoOutsideScope: pass == .diagnosis, time: parameters.time, budget: &budget)
        steps.removeAll { step in
            switch step {
            case .through(let member), .pinned(let member):
                return isLoop(pool.certificate(member))
            case .anchor(let index): return isLoop(pool.anchors.anchors[index].certificate)
            case .endEntityIsAnchor, .endEntityIsPinned, .deadEnd: return false
            }
        }
        switch pass {
        case .search:
            // As its own anchor an end entity is judged by fewer demands: its signature counts for
            // nothing.
            if isUnfit {
                steps.removeAll { step in
                    switch step {
                    case .endEntityIsAnchor, .endEntityIsPinned: return false
                    default: return true
                    }
                }
            }
        case .diagnosis:
            // One certificate past the limit is enough to say that the path is too long.
            if members.count > parameters.maximumIntermediates + 1 {
                steps.removeAll { if case .through = $0 { true } else { false } }
            }
            // The copy of an anchor that the peer sent ends nothing: the anchor itself was tried.
            let isCopy =
                members.count > 1
                && (pool.holdsInScope(certificate) || pool.isPinnedAuthority(member))
            if !isCopy, steps.isEmpty || certificate.isSelfIssued {
                steps.insert(.deadEnd, at: 0)
            }
        }
        return steps
    }

    /// Intermediates of the path so far that are not self-issued.
    private func pathLength() -> Int {
        guard members.count > 1 else { return 0 }
        return members.dropFirst().reduce(0) {
            $0 + (pool.certificate($1).isSelfIssued ? 0 : 1)
        }
    }

    /// Whether a certificate of the same name and key is on the path already. So a certificate that is
    /// an anchor, sent again by the peer, is the anchor and not its subordinate; and an end entity is
    /// its own anchor only as `IssuerCandidates` finds it.
    private func isLoop(_ certificate: Certificate) -> Bool {
        members.contains { pool.certificate($0).hasNameAndKey(of: certificate) }
    }
}
