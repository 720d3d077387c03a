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
    /// certificates of the path and entry. Entries are found by look-up, which costs less; the
    /// units stay what they are in traces and receipts.
    func judge(
        _ demands: [Demands.PinDemand], on path: CandidatePath, digests: inout PathDigests,
        budget: inout WorkBudget, isTraced: Bool
    ) -> Outcome {
        var outcome = Outcome()
        for demand in demands {
            let set = demand.set
            guard budget.spend(1 + path.count / 8, times: set.count) else {
                outcome.rejecting.append(.budgetExhausted(limit: budget.limit))
                return outcome
            }
            let hits = hits(of: demand, on: path, &digests)
            let count = matchCount(hits, path, &digests)
            if count >= Int(set.match) {
                outcome.notices += notices(for: set)
            } else {
                let violation = Violation.pinMismatch(
                    mismatch(set, hits, count, path, &digests))
                if let excuse = demand.excuse {
                    outcome.reported.append(Reported(violation: violation, reason: excuse))
                } else {
                    outcome.rejecting.append(violation)
                }
            }
            if isTraced { outcome.hits += shown(hits, of: set) }
        }
        return outcome
    }

    /// An entry that matches at a position of the path.
    private struct Hit: Hashable, WordPair {
        let entry: Int
        let position: Int

        init(entry: Int, position: Int) {
            self.entry = entry
            self.position = position
        }

        init(words: (UInt64, UInt64)) {
            self.init(entry: Int(words: (words.0, 0)), position: Int(words: (words.1, 0)))
        }

        var words: (UInt64, UInt64) { (entry.words.0, position.words.0) }
    }

    /// Every entry of a set that matches, with every position at which it does. The certificate of
    /// a path of one certificate is both the end entity and the anchor.
    private func hits(
        of demand: Demands.PinDemand, on path: CandidatePath, _ digests: inout PathDigests
    ) -> ShortList<Hit> {
        var hits = ShortList<Hit>()
        let table = engine.table
        let index = engine.pinIndices[demand.number]
        for position in 0..<path.count {
            for form in index.forms {
                let match = KeyMatch(
                    kind: form.kind, digest: digests.digest(form, at: position, of: path))
                index.forEachEntry(naming: match, of: demand.set, in: table) { entry in
                    let hit = Hit(entry: entry, position: position)
                    guard
                        isAllowed(
                            table.pin(demand.set, entry).position, at: position, of: path),
                        !hits.contains(where: { $0 == hit })
                    else { return }
                    hits.append(hit)
                }
            }
        }
        return hits
    }

    /// How often a set matches. The smaller count decides: several keys that match one entry count
    /// once, and so does one key that matches several entries, be it in two encodings.
    private func matchCount(
        _ hits: ShortList<Hit>, _ path: CandidatePath, _ digests: inout PathDigests
    ) -> Int {
        var entries = 0
        var keys = 0
        for number in 0..<hits.count {
            let hit = hits[number]
            if !(0..<number).contains(where: { hits[$0].entry == hit.entry }) { entries += 1 }
            let key = digests.keyIdentity(at: hit.position, of: path)
            var isNew = true
            for earlier in 0..<number
            where digests.keyIdentity(at: hits[earlier].position, of: path) == key {
                isNew = false
            }
            if isNew { keys += 1 }
        }
        return min(entries, keys)
    }

    /// The matches as a trace shows them: entry by entry, and each from the end entity upwards.
    private func shown(_ hits: ShortList<Hit>, of set: PinSetRecord) -> [CheckStep.PinHit] {
        (0..<hits.count).map { hits[$0] }
            .sorted { ($0.entry, $0.position) < ($1.entry, $1.position) }
            .map { hit in
                CheckStep.PinHit(
                    set: engine.table.text(set.id),
                    entry: engine.table.text(engine.table.pin(set, hit.entry).id),
                    isBackup: hit.entry >= Int(set.keyCount), position: hit.position)
            }
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
        let notice = Notice.ofPins(
            engine.table.text(set.id), warnFrom: set.warnFrom, enforceUntil: set.enforceUntil,
            at: time)
        return notice.map { [$0] } ?? []
    }

    private func mismatch(
        _ set: PinSetRecord, _ hits: ShortList<Hit>, _ count: Int, _ path: CandidatePath,
        _ digests: inout PathDigests
    ) -> PinMismatch {
        let matched = Set((0..<hits.count).map { hits[$0].entry })
        var wanted: [PinMismatch.Wanted] = []
        for index in 0..<set.count {
            let pin = engine.table.pin(set, index)
            wanted.append(
                PinMismatch.Wanted(
                    id: engine.table.text(pin.id), isBackup: index >= Int(set.keyCount),
                    position: pin.position.name,
                    digests: (0..<Int(pin.matchCount)).map {
                        engine.table.keyMatch(pin, $0).text
                    },
                    matched: matched.contains(index)))
        }
        var found: [PinMismatch.Found] = []
        for position in 0..<path.count {
            found.append(
                PinMismatch.Found(
                    certificate: path.reference(at: position, in: pool),
                    spki: KeyMatch(
                        kind: .spki, digest: digests.digest(.key, at: position, of: path)
                    ).text))
        }
        return PinMismatch(
            set: engine.table.text(set.id), needed: Int(set.match), matched: count,
            wanted: wanted, found: found)
    }
}

extension Notice {
    /// The notice of a pin set that matched, as of an instant; nil while no date draws near.
    package static func ofPins(
        _ id: String, warnFrom: UTCInstant?, enforceUntil: UTCInstant?, at time: UTCInstant
    ) -> Notice? {
        if let enforceUntil, !DatedTerm.isInForce(until: enforceUntil, at: time) {
            return .pinOverdue(set: id, enforceUntil: enforceUntil)
        }
        if let warnFrom, warnFrom <= time {
            return .pinAgeing(set: id, enforceUntil: enforceUntil)
        }
        return nil
    }
}
