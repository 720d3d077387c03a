/// Pin sets against one path (LANGUAGE sections 6 and 12.2). Only certificates of the path count, each
/// at its own place; what the peer merely sent satisfies nothing.
struct PinCheck {
    /// The outcome for all sets of a rule.
    struct Outcome {
        var rejecting: [Violation] = []
        var reported: [Reported] = []
        var hits: [CheckStep.PinHit] = []
        var notices: [Notice] = []
    }

    let engine: Engine
    let pool: CertificatePool
    let time: UTCInstant

    /// Judges every set. Cost: one unit for each entry and for each eight comparisons.
    func judge(
        _ demands: [Demands.PinDemand], on path: CandidatePath, digests: inout PathDigests,
        budget: inout WorkBudget
    ) -> Outcome {
        var outcome = Outcome()
        for demand in demands {
            let set = demand.set
            var matchedKeys: [Digest] = []
            var matched: [Bool] = []
            for position in 0..<Int(set.keyCount) + Int(set.backupCount) {
                guard budget.spend(1 + path.count / 8) else {
                    outcome.rejecting.append(.budgetExhausted(limit: budget.limit))
                    return outcome
                }
                let pin = engine.table.pin(set, position)
                let places = places(of: pin, on: path, &digests)
                matched.append(!places.isEmpty)
                for place in places {
                    let key = digests.digest(.spki, .sha256, at: place, of: path)
                    if !matchedKeys.contains(key) { matchedKeys.append(key) }
                    outcome.hits.append(
                        CheckStep.PinHit(
                            set: engine.table.text(set.id), entry: engine.table.text(pin.id),
                            isBackup: position >= Int(set.keyCount), position: place))
                }
            }
            // An entry of several keys is one entry, a key of several entries one key.
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

    /// The places of the path at which an entry matches. In a path of one certificate that place is
    /// end entity and anchor both.
    private func places(
        of pin: PinRecord, on path: CandidatePath, _ digests: inout PathDigests
    ) -> [Int] {
        var places: [Int] = []
        for place in 0..<path.count where isAllowed(pin.position, place: place, path: path) {
            for match in 0..<Int(pin.matchCount)
            where digests.matches(engine.table.keyMatch(pin, match), at: place, of: path) {
                places.append(place)
                break
            }
        }
        return places
    }

    private func isAllowed(_ position: PinPosition, place: Int, path: CandidatePath) -> Bool {
        let isLeaf = place == 0
        let isAnchor = path.endsAtAnchor && place == path.count - 1
        switch position {
        case .any: return true
        case .leaf: return isLeaf
        case .anchor: return isAnchor
        case .intermediate: return !isLeaf && !isAnchor
        case .ca: return !isLeaf || isAnchor
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
        for (position, isMatched) in matched.enumerated() {
            let pin = engine.table.pin(set, position)
            wanted.append(
                PinMismatch.Wanted(
                    id: engine.table.text(pin.id), isBackup: position >= Int(set.keyCount),
                    position: pin.position.name,
                    digests: (0..<Int(pin.matchCount)).map {
                        engine.table.keyMatch(pin, $0).text
                    },
                    matched: isMatched))
        }
        var found: [PinMismatch.Found] = []
        for place in 0..<path.count {
            found.append(
                PinMismatch.Found(
                    certificate: path.reference(at: place, in: pool),
                    spki: KeyMatch(
                        kind: .spki, digest: digests.digest(.spki, .sha256, at: place, of: path)
                    ).text))
        }
        return PinMismatch(
            set: engine.table.text(set.id), needed: Int(set.match), matched: count,
            wanted: wanted, found: found)
    }
}
