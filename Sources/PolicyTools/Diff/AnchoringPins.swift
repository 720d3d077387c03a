import Rendering
import TrustEngine

/// The pinned keys that are the anchors of a rule, in words. Both policies write `pinned-keys`, so
/// a change of the keys is told by the entries of pin sets that differ.
struct AnchoringPins {
    /// What an entry demands, without its name.
    private struct Demand: Hashable {
        let matches: [KeyMatch]
        let position: PinPosition
    }

    private struct Entry: Hashable {
        let demand: Demand
        /// DER, sorted.
        let certificates: [[UInt8]]
    }

    private let pins: [(set: String, pin: PinContents)]

    init(_ rule: RuleWords) {
        pins = rule.pinNames.compactMap { rule.pinSets[$0] }.flatMap { set in
            (set.keys + set.backups).map { (set.id, $0) }
        }
    }

    private static func entry(_ pin: PinContents) -> Entry {
        Entry(
            demand: Demand(matches: pin.matches, position: pin.position),
            certificates: pin.certificates)
    }

    /// The value of `anchors`, with the entries that the other rule does not have.
    func text(besides other: AnchoringPins, _ crypto: any CryptoBackend) -> String {
        let theirs = Set(other.pins.map { AnchoringPins.entry($0.pin) })
        let demands = Set(theirs.map(\.demand))
        let own = pins.filter { !theirs.contains(AnchoringPins.entry($0.pin)) }.map { set, pin in
            let text = PinSetChange.text(pin, of: set)
            // Two entries that match the same keys differ in the certificates that the policy
            // holds.
            guard demands.contains(AnchoringPins.entry(pin).demand) else { return text }
            let digests = pin.certificates.map { crypto.digest(.sha256, of: $0.span).text }
            return text + " with "
                + (digests.isEmpty
                    ? "no certificate" : Cut.line(digests, most: AnchoringPins.mostDigests))
        }
        let name = "[\(AnchorSetContents.pinnedKeysID)]"
        return own.isEmpty ? name : "\(name) with \(own.joined(separator: ", "))"
    }

    /// The certificates of one entry that are written out.
    private static let mostDigests = 4

    /// The keys that vouch for themselves, and those that vouch for others, unless they do so in
    /// the other rule.
    func reach(besides other: AnchoringPins, _ verb: String) -> [String] {
        let theirs = Set(other.reaches.map(\.reach))
        let own = reaches.filter { !theirs.contains($0.reach) }
        func line(_ ofOthers: Bool, _ object: String) -> [String] {
            let keys = own.filter { $0.reach.ofOthers == ofOthers }
                .map { "`\($0.id)` \($0.reach.match.text)" }
            return keys.isEmpty ? [] : ["\(verb) for \(object): \(keys.joined(separator: ", "))"]
        }
        return line(false, "itself, as the end entity") + line(true, "certificates that it signed")
    }

    private var reaches: [(id: String, reach: PinnedReach)] {
        pins.flatMap { _, pin in
            pin.matches.flatMap(pin.position.reach(of:)).map { (id: pin.id, reach: $0) }
        }
    }
}
