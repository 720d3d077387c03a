import Rendering
import TrustEngine

/// How the contents of a pin set change, in words.
struct PinSetChange {
    /// The parts that differ, as text.
    let from: String
    let to: String
    let remarks: [String]

    /// Whether nothing differs at the instant.
    var isEmpty: Bool { from == to && remarks.isEmpty }

    init(_ old: PinSetContents, _ new: PinSetContents, at time: UTCInstant) {
        var (parts, others): ([String], [String]) = ([], [])
        func add(_ was: String, _ now: String) {
            guard was != now else { return }
            parts.append(was)
            others.append(now)
        }
        func ids(_ pins: [PinContents]) -> String {
            "[\(pins.map(\.id).joined(separator: ", "))]"
        }
        add("keys \(ids(old.keys))", "keys \(ids(new.keys))")
        add("spare \(ids(old.backups))", "spare \(ids(new.backups))")
        add("match \(PinSetChange.match(old))", "match \(PinSetChange.match(new))")
        add(PinSetChange.state(old, at: time), PinSetChange.state(new, at: time))
        remarks = PinSetChange.remarks(old, new)
        // The ids are the same, so the changed entries are shown with their digests.
        if parts.isEmpty, !remarks.isEmpty {
            for (was, now) in PinSetChange.changedEntries(old, new) {
                add(PinSetChange.text(was), PinSetChange.text(now))
            }
        }
        if parts.isEmpty { parts = ["keys \(ids(old.keys)), spare \(ids(old.backups))"] }
        if others.isEmpty { others = parts }
        from = parts.joined(separator: ", ")
        to = others.joined(separator: ", ")
    }

    /// The entries that both sets have by their ids and that match other keys, or at another
    /// position; entries of `keys` come first.
    private static func changedEntries(
        _ old: PinSetContents, _ new: PinSetContents
    ) -> [(was: PinContents, now: PinContents)] {
        func pairs(_ old: [PinContents], _ new: [PinContents]) -> [(PinContents, PinContents)] {
            let before = Dictionary(
                old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            return new.compactMap { now in
                guard let was = before[now.id],
                    was.matches != now.matches || was.position != now.position
                else { return nil }
                return (was, now)
            }
        }
        return pairs(old.keys, new.keys) + pairs(old.backups, new.backups)
    }

    /// An entry with the digests that it matches.
    ///
    /// - Parameter set: the id of its set, where the reader does not know it.
    static func text(_ pin: PinContents, of set: String? = nil) -> String {
        "`\(pin.id)`" + (set.map { " of `\($0)`" } ?? "") + " at \(pin.position.name) "
            + Cut.line(
                pin.matches.map(\.text), most: mostMatches, between: " or ", before: " or ")
    }

    /// The digests of one entry that are written out. An entry that names a file has one for each
    /// certificate in it.
    private static let mostMatches = 4

    private static func match(_ set: PinSetContents) -> String {
        set.match == 1 ? "any" : "\(set.match)"
    }

    /// What a mismatch does at an instant.
    static func state(_ set: PinSetContents, at time: UTCInstant) -> String {
        guard let last = set.enforceUntil, !DatedTerm.isInForce(until: last, at: time) else {
            return "a mismatch rejects"
        }
        switch set.onExpiry {
        case .fail: return "a mismatch rejects"
        case .report: return "a mismatch is reported"
        case .unpinned: return "not pinned"
        }
    }

    private static func remarks(_ old: PinSetContents, _ new: PinSetContents) -> [String] {
        var found: [String] = []
        if old.backups.count != new.backups.count {
            found.append("spare keys \(old.backups.count) -> \(new.backups.count)")
        }
        func matches(_ set: PinSetContents) -> [KeyMatch: String] {
            Dictionary(
                (set.keys + set.backups).flatMap { pin in pin.matches.map { ($0, pin.id) } },
                uniquingKeysWith: { first, _ in first })
        }
        let (before, after) = (matches(old), matches(new))
        func texts(_ own: [KeyMatch: String], without other: [KeyMatch: String]) -> [String] {
            own.filter { other[$0.key] == nil }.map { "`\($0.value)` \($0.key.text)" }.sorted()
        }
        let (lost, gained) = (texts(before, without: after), texts(after, without: before))
        if !gained.isEmpty { found.append("now matches: \(gained.joined(separator: ", "))") }
        if !lost.isEmpty { found.append("no longer matches: \(lost.joined(separator: ", "))") }
        let positions = Dictionary(
            (old.keys + old.backups).map { ($0.id, $0.position) },
            uniquingKeysWith: { first, _ in first })
        for pin in new.keys + new.backups {
            guard let was = positions[pin.id], was != pin.position else { continue }
            found.append("`\(pin.id)` at \(was.name) -> \(pin.position.name)")
        }
        return found
    }
}
