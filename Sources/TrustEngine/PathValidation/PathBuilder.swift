/// Finds candidate paths depth first, and backtracks over every candidate issuer (RFC 4158).
///
/// Two passes share this code. The *search* skips certificates that cannot stand on an accepted
/// path, so that many useless certificates cost little. Only the search can lead to an accept. When
/// the search accepts no path, the *diagnosis* also walks through the skipped certificates and
/// gives dead ends too, only to name the faults. A name and key occurs at most once on a path, so
/// paths have no loops.
package struct PathBuilder: Sendable {
    /// The two passes.
    package enum Pass: Sendable { case search, diagnosis }

    private let validator: PathValidator
    private let pass: Pass
    /// Most certificates of a path of the diagnosis before its anchor.
    private let longest: Int
    private var members = ShortList<CertificatePool.Member>()
    private var frames = ShortList<Frame>()
    /// The steps of all frames, one frame behind the other.
    private var steps = ShortList<PathExtension>()
    /// Number of members that cannot stand on an accepted path, at the positions where they are.
    private var unfit = 0
    /// Number of members that break a `CertificateRule` at their positions, excused or not.
    private var flawed = 0
    private var hasBegun = false

    /// One member's steps: a range of `steps`, of which `next` is tried next.
    private struct Frame: WordPair {
        let first: Int
        var next: Int
        let end: Int
        let fitness: PathValidator.Fitness

        init(first: Int, end: Int, fitness: PathValidator.Fitness) {
            self.first = first
            self.next = first
            self.end = end
            self.fitness = fitness
        }

        /// Three numbers of 32 bits and the fitness: steps are far fewer, as each cost a unit of
        /// the budget.
        init(words: (UInt64, UInt64)) {
            first = Int(words.0 >> 32)
            next = Int(words.0 & 0xFFFF_FFFF)
            end = Int(words.1 >> 32)
            switch words.1 & 0xFF {
            case 0: fitness = .flawless
            case 1: fitness = .excused
            default: fitness = .unfit
            }
        }

        var words: (UInt64, UInt64) {
            let number: UInt64
            switch fitness {
            case .flawless: number = 0
            case .excused: number = 1
            case .unfit: number = 2
            }
            return (UInt64(first) << 32 | UInt64(next), UInt64(end) << 32 | number)
        }
    }

    /// Paths of the validator's pool by its parameters. `longest` limits only the paths of a
    /// diagnosis: at most so many certificates stand before the anchor.
    package init(_ validator: PathValidator, pass: Pass, longest: Int = .max) {
        self.validator = validator
        self.pass = pass
        self.longest = longest
    }

    private var pool: CertificatePool {
        @inline(__always) get { validator.pool }
    }

    private var parameters: PathParameters {
        @inline(__always) get { validator.parameters }
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
        while var top = frames.last {
            guard budget.spend(1) else { return nil }
            guard top.next < top.end else {
                if top.fitness == .unfit { unfit -= 1 }
                if top.fitness != .flawless { flawed -= 1 }
                frames.truncate(to: frames.count - 1)
                members.truncate(to: members.count - 1)
                steps.truncate(to: top.first)
                continue
            }
            let step = steps[top.next]
            top.next += 1
            frames[frames.count - 1] = top
            switch step {
            case .anchor(let index):
                if let path = ending(at: index, ledger: ledger) { return path }
            case .endEntityIsAnchor(let index):
                if pass == .search {
                    return CandidatePath(
                        members: members, end: .endEntityIsAnchor(index))
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
        let member = CertificatePool.Member.anchor(Int32(index))
        guard
            let fitness = fitness(
                of: member, ignoring: pool.anchors.ignoredLimits(of: index), ledger: ledger)
        else { return nil }
        return CandidatePath(
            members: members, end: .anchor(index),
            isFlawless: flawed == 0 && fitness == .flawless)
    }

    /// The path that ends at a pinned certificate; nil when this pass does not use the path.
    private func ending(
        at member: CertificatePool.Member, ledger: SignatureLedger
    ) -> CandidatePath? {
        guard let fitness = fitness(of: member, ignoring: [], ledger: ledger) else { return nil }
        var all = members
        all.append(member)
        return CandidatePath(
            members: all, end: .pinned, isFlawless: flawed == 0 && fitness == .flawless)
    }

    /// How an anchor can stand at the end of the path; nil where this pass does not use the path.
    /// Each pass judges the paths that the other does not. Neither pass uses a path with a
    /// signature that is known to be bad.
    private func fitness(
        of anchor: CertificatePool.Member, ignoring ignoredLimits: AnchorLimits,
        ledger: SignatureLedger
    ) -> PathValidator.Fitness? {
        let fitness = validator.fitness(
            of: pool.certificate(anchor),
            at: CertificatePosition(
                index: members.count, intermediatesBelow: pathLength(), isAnchor: true,
                ignoredLimits: ignoredLimits))
        if let last = members.last,
            ledger.known(subject: pool.identity(last), issuer: pool.identity(anchor)) ?? .valid
                != .valid
        {
            return nil
        }
        let isUnfit = unfit > 0 || fitness == .unfit
        return isUnfit == (pass == .diagnosis) ? fitness : nil
    }

    /// Puts a certificate on the path, unless this is the search and the certificate cannot stand
    /// there.
    private mutating func push(_ member: CertificatePool.Member, budget: inout WorkBudget) {
        let certificate = pool.certificate(member)
        let position = members.count
        let fitness = validator.fitness(
            of: certificate,
            at: CertificatePosition(
                index: position, intermediatesBelow: pathLength(), isAnchor: false,
                ignoredLimits: []))
        _ = budget.spend(certificate.purposeUnits)
        if fitness == .unfit, pass == .search, position > 0 { return }
        members.append(member)
        if fitness == .unfit { unfit += 1 }
        if fitness != .flawless { flawed += 1 }
        let first = steps.count
        appendSteps(from: member, certificate, isUnfit: fitness == .unfit, &budget)
        frames.append(Frame(first: first, end: steps.count, fitness: fitness))
    }

    /// Appends the steps by which the path can continue from the certificate that was put on it
    /// last.
    private mutating func appendSteps(
        from member: CertificatePool.Member, _ certificate: Certificate, isUnfit: Bool,
        _ budget: inout WorkBudget
    ) {
        let candidates = IssuerCandidates.find(
            for: certificate, isEndEntity: members.count == 1, pool: pool,
            alsoOutsideScope: pass == .diagnosis, time: parameters.time, budget: &budget)
        // The peer's copy of an anchor ends no path, because the anchor itself was tried.
        if pass == .diagnosis,
            members.count == 1
                || !(pool.holdsInScope(certificate) || pool.isPinnedAuthority(member)),
            certificate.isSelfIssued
                || !candidates.contains(where: { isUsed($0.step, isUnfit: isUnfit) })
        {
            steps.append(.deadEnd)
        }
        for index in 0..<candidates.count where isUsed(candidates[index].step, isUnfit: isUnfit) {
            steps.append(candidates[index].step)
        }
    }

    /// Whether this pass takes a step.
    private func isUsed(_ step: PathExtension, isUnfit: Bool) -> Bool {
        switch step {
        case .through(let member), .pinned(let member):
            if isLoop(pool.certificate(member)) { return false }
        case .anchor(let index):
            if isLoop(pool.anchors.certificate(index)) { return false }
        case .endEntityIsAnchor, .endEntityIsPinned, .deadEnd: break
        }
        switch pass {
        case .search:
            // An end entity that is its own anchor meets fewer demands: its signature does not
            // count.
            guard isUnfit else { return true }
            switch step {
            case .endEntityIsAnchor, .endEntityIsPinned: return true
            case .anchor, .pinned, .through, .deadEnd: return false
            }
        case .diagnosis:
            // One certificate more than the limit is enough to say that the path is too long.
            guard case .through = step else { return true }
            return members.count <= parameters.maximumIntermediates + 1
                && members.count < longest
        }
    }

    /// Number of intermediates of the path that are not self-issued.
    private func pathLength() -> Int {
        guard members.count > 1 else { return 0 }
        var length = 0
        for position in 1..<members.count where !pool.certificate(members[position]).isSelfIssued {
            length += 1
        }
        return length
    }

    /// Whether the path already holds a certificate with the same name and key. So an anchor that
    /// the peer sent again is the anchor; it is never a certificate below itself. An end entity is
    /// its own anchor only where `IssuerCandidates` finds that.
    private func isLoop(_ certificate: Certificate) -> Bool {
        members.contains { pool.certificate($0).hasNameAndKey(of: certificate) }
    }
}
