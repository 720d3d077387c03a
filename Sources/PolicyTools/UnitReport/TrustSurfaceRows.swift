import Rendering
import TrustEngine

/// Counts for how many classes of hosts each authority may vouch. Authorities that the same anchor
/// sets list vouch for the same classes and are one row.
struct TrustSurfaceRows {
    /// An authority: its name and its key (RFC 5280, section 6.1.1 (d)); nil for the machine's
    /// store.
    private struct Authority: Hashable {
        let subject: String
        let spki: [UInt8]
    }

    private struct Count {
        var classes = 0
        var pinned = 0
        var holdsDefault = false

        mutating func add(isPinned: Bool, isDefault: Bool) {
            classes += 1
            if isPinned { pinned += 1 }
            if isDefault { holdsDefault = true }
        }
    }

    /// The most classes first.
    let rows: [UnitReport.SurfaceRow]

    init(
        _ behaviours: PolicyBehaviours, classes: [(UnitReport.HostEntry, RuleBody?)],
        pins: BindingPins, at time: UTCInstant
    ) {
        // Rules name few different lists of sets.
        var perList: [[String]: Count] = [:]
        var perPins: [[String]: Count] = [:]
        var anyone = Count()
        for (entry, body) in classes {
            guard let body else { continue }
            let isDefault = entry.pattern == nil
            let isPinned = pins.bind(body, at: time)
            if TrustSurfaceRows.letsAnyone(body, at: time) {
                anyone.add(
                    isPinned: isPinned && !TrustSurfaceRows.waives(.cleartext, body, at: time),
                    isDefault: isDefault)
            }
            if body.anchorsArePinnedKeys {
                perPins[body.pins, default: Count()].add(isPinned: isPinned, isDefault: isDefault)
            } else {
                perList[body.anchors, default: Count()]
                    .add(isPinned: isPinned, isDefault: isDefault)
            }
        }
        var rows = TrustSurfaceRows.authorities(behaviours, perList)
        rows += perPins.map { sets, count in
            TrustSurfaceRows.row(
                .pinnedKeys,
                sets.flatMap { id in
                    (pins[id].map { $0.keys + $0.backups } ?? []).map { "\(id).\($0.id)" }
                }, sets, count)
        }
        if anyone.classes > 0 { rows.append(TrustSurfaceRows.row(.anyone, [], [], anyone)) }
        self.rows = rows.sorted {
            ($1.classes, UnitReportSentences.authorities($0), $0.sets.joined(separator: " "))
                < ($0.classes, UnitReportSentences.authorities($1), $1.sets.joined(separator: " "))
        }
    }

    private static func row(
        _ kind: UnitReport.SurfaceRow.Kind, _ authorities: [String], _ sets: [String],
        _ count: Count
    ) -> UnitReport.SurfaceRow {
        UnitReport.SurfaceRow(
            kind: kind, authorities: authorities, sets: sets, classes: count.classes,
            pinned: count.pinned, holdsDefault: count.holdsDefault)
    }

    private static func authorities(
        _ behaviours: PolicyBehaviours, _ lists: [[String]: Count]
    ) -> [UnitReport.SurfaceRow] {
        var sets: [Authority?: [String]] = [:]
        for id in Set(lists.keys.joined()).sorted() {
            for member in behaviours.members(of: [id]).members {
                let authority = member.certificate.map {
                    Authority(subject: $0.subjectText, spki: $0.keyOctets)
                }
                if sets[authority]?.last != id { sets[authority, default: []].append(id) }
            }
        }
        var groups: [[String]: [String]] = [:]
        var rows: [UnitReport.SurfaceRow] = []
        for (authority, ids) in sets {
            guard let authority else {
                rows.append(row(.store, [], ids, count(of: ids, lists)))
                continue
            }
            groups[ids, default: []].append(Words.shortSubject(authority.subject))
        }
        return rows
            + groups.map { ids, names in row(.listed, names.sorted(), ids, count(of: ids, lists)) }
    }

    /// The classes whose rules name one of some sets.
    private static func count(of sets: [String], _ lists: [[String]: Count]) -> Count {
        lists.reduce(into: Count()) { sum, entry in
            guard entry.key.contains(where: sets.contains) else { return }
            sum.classes += entry.value.classes
            sum.pinned += entry.value.pinned
            sum.holdsDefault = sum.holdsDefault || entry.value.holdsDefault
        }
    }

    // MARK: One rule

    private static func waives(
        _ tolerance: Waiver.Tolerance, _ body: RuleBody, at time: UTCInstant
    ) -> Bool {
        body.waivers.contains { $0.tolerance == tolerance && $0.isInForce(at: time) }
    }

    /// Whether a waiver lets a connection pass that no authority vouches for.
    private static func letsAnyone(_ body: RuleBody, at time: UTCInstant) -> Bool {
        waives(.path, body, at: time) || waives(.cleartext, body, at: time)
    }
}

/// The pin sets of a policy, by id.
struct BindingPins {
    private let sets: [String: PinSetContents]

    init(_ sets: [PinSetContents]) {
        self.sets = Dictionary(
            sets.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(id: String) -> PinSetContents? { sets[id] }

    /// Whether a rule rejects a key that is not pinned, as of an instant.
    func bind(_ body: RuleBody, at time: UTCInstant) -> Bool {
        let isExcused =
            body.waivers.contains { $0.tolerance == .pins && $0.isInForce(at: time) }
            || body.reportOnly.contains {
                $0.check == .pins && DatedTerm.isInForce(until: $0.until, at: time)
            }
        guard !isExcused else { return false }
        return body.pins.contains { id in
            guard let set = sets[id], let last = set.enforceUntil, set.onExpiry != .fail else {
                return sets[id] != nil
            }
            return DatedTerm.isInForce(until: last, at: time)
        }
    }
}
