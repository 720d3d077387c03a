/// Judges one path by the pin sets of a rule (LANGUAGE sections 6 and 12.2). Only certificates of
/// the path count, each at its own position. A certificate that the peer sent and that is not on
/// the path matches no pin.
struct PinCheck {
    /// The outcome of all pin sets of a rule.
    struct Outcome {
        var rejecting: [Violation] = []
        var reported: [Reported] = []
        var hits: [CheckStep.PinHit] = []
        var notices: [Notice] = []
    }

    let engine: Engine
    let pool: CertificatePool
    let time: UTCInstant

    /// Judges every pin set of a rule. Cost: one unit for each entry, and one unit for each eight
    /// certificates that the entry is compared with.
    func judge(
        _ demands: [Demands.PinDemand], on path: CandidatePath, digests: inout PathDigests,
        budget: inout WorkBudget, isTraced: Bool
    ) -> Outcome {
        var outcome = Outcome()
        for demand in demands {
            let set = demand.set
            var matchedKeys: [Digest] = []
            var matched: [Bool] = []
            for index in 0..<Int(set.keyCount) + Int(set.backupCount) {
                guard budget.spend(1 + path.count / 8) else {
                    outcome.rejecting.append(.budgetExhausted(limit: budget.limit))
                    return outcome
                }
                let pin = engine.table.pin(set, index)
                let positions = positions(of: pin, on: path, &digests)
                matched.append(!positions.isEmpty)
                for position in positions {
                    let key = digests.digest(.spki, .sha256, at: position, of: path)
                    if !matchedKeys.contains(key) { matchedKeys.append(key) }
                    guard isTraced else { continue }
                    outcome.hits.append(
                        CheckStep.PinHit(
                            set: engine.table.text(set.id), entry: engine.table.text(pin.id),
                            isBackup: index >= Int(set.keyCount), position: position))
                }
            }
            // The smaller count decides: several keys that match one entry count once, and so does
            // one key that matches several entries.
            let count = min(matchedKeys.count, matched.count { $0 })
            if count >= Int(set.match) {
                outcome.notices += notices(for: set)
            } else {
                let violation = Violation.pinMismatch(
                    mismatch(set, matched, count, path, &digests))
                if let excuse = demand.excuse {
                    outcome.reported.append(Reported(violation: violation, reason: excuse))
                } else {
                    outcome.rejecting.append(violation)
                }
            }
        }
        return outcome
    }

    /// The positions on the path at which an entry matches. The certificate of a path of one
    /// certificate is both the end entity and the anchor.
    private func positions(
        of pin: PinRecord, on path: CandidatePath, _ digests: inout PathDigests
    ) -> [Int] {
        var positions: [Int] = []
        for position in 0..<path.count where isAllowed(pin.position, at: position, of: path) {
            for match in 0..<Int(pin.matchCount)
            where digests.matches(engine.table.keyMatch(pin, match), at: position, of: path) {
                positions.append(position)
                break
            }
        }
        return positions
    }

    private func isAllowed(_ wanted: PinPosition, at position: Int, of path: CandidatePath) -> Bool
    {
        let isEndEntity = position == 0
        let isAnchor = path.endsAtAnchor && position == path.count - 1
        switch wanted {
        case .any: return true
        case .leaf: return isEndEntity
        case .anchor: return isAnchor
        case .intermediate: return !isEndEntity && !isAnchor
        case .ca: return !isEndEntity || isAnchor
        }
    }

    private func notices(for set: PinSetRecord) -> [Notice] {
        let id = engine.table.text(set.id)
        if let last = set.enforceUntil, !DatedTerm.isInForce(until: last, at: time) {
            return [.pinOverdue(set: id, enforceUntil: last)]
        }
        if let from = set.warnFrom, from <= time {
            return [.pinAgeing(set: id, enforceUntil: set.enforceUntil)]
        }
        return []
    }

    private func mismatch(
        _ set: PinSetRecord, _ matched: [Bool], _ count: Int, _ path: CandidatePath,
        _ digests: inout PathDigests
    ) -> PinMismatch {
        var wanted: [PinMismatch.Wanted] = []
        for (index, isMatched) in matched.enumerated() {
            let pin = engine.table.pin(set, index)
            wanted.append(
                PinMismatch.Wanted(
                    id: engine.table.text(pin.id), isBackup: index >= Int(set.keyCount),
                    position: pin.position.name,
                    digests: (0..<Int(pin.matchCount)).map {
                        engine.table.keyMatch(pin, $0).text
                    },
                    matched: isMatched))
        }
        var found: [PinMismatch.Found] = []
        for position in 0..<path.count {
            found.append(
                PinMismatch.Found(
                    certificate: path.reference(at: position, in: pool),
                    spki: KeyMatch(
                        kind: .spki, digest: digests.digest(.spki, .sha256, at: position, of: path)
                    ).text))
        }
        return PinMismatch(
            set: engine.table.text(set.id), needed: Int(set.match), matched: count,
            wanted: wanted, found: found)
    }
}
