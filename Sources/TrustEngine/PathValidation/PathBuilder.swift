/// Finds candidate paths depth first, and backtracks over every candidate issuer (RFC 4158).
///
/// Two passes share this code. The *search* skips certificates that cannot stand on an accepted
/// path, so that many useless certificates cost little. Only the search can lead to an accept. When
/// the search accepts no path, the *diagnosis* also walks through the skipped certificates and
/// gives dead ends too, only to name what is wrong. A name and key occurs at most once on a path,
/// so paths have no loops.
package struct PathBuilder: Sendable {
    /// The two passes.
    package enum Pass: Sendable { case search, diagnosis }

    private let pool: CertificatePool
    private let parameters: PathParameters
    private let pass: Pass
    private var members: [CertificatePool.Member] = []
    private var frames: [Frame] = []
    /// Number of members that cannot stand on an accepted path, at the positions where they are.
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

    /// The next candidate path; nil when all paths were given or the budget ran out, which
    /// `budget.isExhausted` tells apart. Paths with a signature that `ledger` knows to be bad are
    /// left out.
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

    /// The path that ends at an anchor; nil when this pass does not use the path.
    private func ending(at index: Int, ledger: SignatureLedger) -> CandidatePath? {
        let anchor = pool.anchors.anchors[index]
        let member = CertificatePool.Member.anchor(Int32(index))
        return isWanted(member, ignoring: anchor.ignoredLimits, ledger: ledger)
            ? CandidatePath(members: members, end: .anchor(index)) : nil
    }

    /// The path that ends at a pinned certificate; nil when this pass does not use the path.
    private func ending(
        at member: CertificatePool.Member, ledger: SignatureLedger
    ) -> CandidatePath? {
        isWanted(member, ignoring: [], ledger: ledger)
            ? CandidatePath(members: members + [member], end: .pinned) : nil
    }

    /// Whether this pass uses the path that ends at an anchor. Each pass judges the paths that the
    /// other does not. Neither pass uses a path with a signature that is known to be bad.
    private func isWanted(
        _ anchor: CertificatePool.Member, ignoring ignoredLimits: AnchorLimits,
        ledger: SignatureLedger
    ) -> Bool {
        let isUnfit =
            unfit > 0
            || !PathValidator.isFit(
                pool.certificate(anchor),
                at: CertificatePosition(
                    index: members.count, intermediatesBelow: pathLength(), isAnchor: true,
                    ignoredLimits: ignoredLimits), parameters: parameters)
        if let last = members.last,
            ledger.known(subject: pool.identity(last), issuer: pool.identity(anchor)) ?? .valid
                != .valid
        {
            return false
        }
        return isUnfit == (pass == .diagnosis)
    }

    /// Puts a certificate on the path, unless this is the search and the certificate cannot stand
    /// there.
    private mutating func push(_ member: CertificatePool.Member, budget: inout WorkBudget) {
        let certificate = pool.certificate(member)
        let position = members.count
        let isUnfit = !PathValidator.isFit(
            certificate,
            at: CertificatePosition(
                index: position, intermediatesBelow: pathLength(), isAnchor: false,
                ignoredLimits: []), parameters: parameters)
        if isUnfit, pass == .search, position > 0 { return }
        members.append(member)
        if isUnfit { unfit += 1 }
        frames.append(
            Frame(steps: steps(from: member, isUnfit: isUnfit, &budget), isUnfit: isUnfit))
    }

    /// The steps by which the path can continue from the certificate that was put on it last.
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
            // An end entity that is its own anchor meets fewer demands: its signature does not
            // count.
            if isUnfit {
                steps.removeAll { step in
                    switch step {
                    case .endEntityIsAnchor, .endEntityIsPinned: return false
                    default: return true
                    }
                }
            }
        case .diagnosis:
            // One certificate more than the limit is enough to say that the path is too long.
            if members.count > parameters.maximumIntermediates + 1 {
                steps.removeAll { if case .through = $0 { true } else { false } }
            }
            // The peer's copy of an anchor ends no path, because the anchor itself was tried.
            let isCopy =
                members.count > 1
                && (pool.holdsInScope(certificate) || pool.isPinnedAuthority(member))
            if !isCopy, steps.isEmpty || certificate.isSelfIssued {
                steps.insert(.deadEnd, at: 0)
            }
        }
        return steps
    }

    /// Number of intermediates of the path that are not self-issued.
    private func pathLength() -> Int {
        guard members.count > 1 else { return 0 }
        return members.dropFirst().reduce(0) {
            $0 + (pool.certificate($1).isSelfIssued ? 0 : 1)
        }
    }

    /// Whether the path already holds a certificate with the same name and key. So an anchor that
    /// the peer sent again is the anchor and not a certificate below it. An end entity is its own
    /// anchor only where `IssuerCandidates` finds that.
    private func isLoop(_ certificate: Certificate) -> Bool {
        members.contains { pool.certificate($0).hasNameAndKey(of: certificate) }
    }
}
