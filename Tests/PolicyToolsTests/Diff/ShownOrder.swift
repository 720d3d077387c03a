import Rendering
import Testing
import TrustEngine

/// What `show` prints of the rule that decides a host, as of an instant, and the slow comparison of
/// two of them: by hand, field by field, and without the engine's order. It knows the fields that
/// `RandomPair` varies, and finds that no other field differs.
struct ShownOrder {
    private let isDenied: Bool
    private let fields: [(name: String, value: JSONValue)]
    /// ISO 8601, so that texts compare as the instants do.
    private let time: String

    init(_ rule: EffectiveRule, at time: UTCInstant) {
        isDenied = rule.isDenied
        fields = rule.fields.map { ($0.name, $0.value) }
        self.time = time.description
    }

    /// How this behaviour compares with another, as the direction in which a reader is told that it
    /// differs. Some parts have several fields. Where a part is neither stricter nor weaker, one of
    /// its fields may be weaker, so there are two answers.
    func directions(to other: ShownOrder) -> Set<Relation> {
        func relations(_ parts: [Part]) -> [Relation] {
            parts.map { part in
                Relation(isNoWeaker: part(self, other), isNoStricter: part(other, self))
            }
        }
        if isDenied || other.isDenied {
            return [Relation(isNoWeaker: isDenied, isNoStricter: other.isDenied)]
        }
        let (fields, groups) = (relations(Self.fields), relations(Self.groups))
        let direction = Relation.direction(of: fields + groups)
        return groups.contains(.incomparable) ? [direction, .weaker] : [direction]
    }

    /// Whether this behaviour accepts nothing that another rejects.
    func isNoWeaker(than other: ShownOrder) -> Bool {
        directions(to: other).allSatisfy(\.isNoWeaker)
    }

    private typealias Part = @Sendable (ShownOrder, ShownOrder) -> Bool

    /// For each field, whether the first behaviour is equal or stricter in it.
    private static let fields: [Part] = [
        { $0.number(.rsaMinimum) >= $1.number(.rsaMinimum) },
        { $0.number(.maximumIntermediates) <= $1.number(.maximumIntermediates) },
        { Set($0.list(.keyTypes)).isSubset(of: $1.list(.keyTypes)) },
        { Set($0.list(.checks)).isSuperset(of: $1.list(.checks)) },
        { $0.days(lifetime) <= $1.days(lifetime) },
        { $0.text(.tlsMinimumVersion) >= $1.text(.tlsMinimumVersion) },
        {
            // Any protocol is allowed where none is listed.
            let (protocols, theirs) = ($0.list(.tlsAlpn), $1.list(.tlsAlpn))
            return theirs.isEmpty || (!protocols.isEmpty && Set(protocols).isSubset(of: theirs))
        },
        { $0.text(.revocationPreset) == "require" || $1.text(.revocationPreset) != "require" },
        { !$0.letsPins || $1.letsPins || $1.pins.isEmpty },
        {
            $0.exception("report-only.lifetime") == nil
                || $1.exception("report-only.lifetime") != nil || $1.days(lifetime) == .max
        },
        {
            $0.exception("waivers.identity") == nil || $1.exception("waivers.identity") != nil
        },
        { own, other in
            guard let mine = own.exception("waivers.expired") else { return true }
            return other.exception("waivers.expired").map {
                own.days(own.part("tolerance", of: mine))
                    <= other.days(other.part("tolerance", of: $0))
            } ?? false
        },
        { own, other in
            guard let mine = own.exception("waivers.tls") else { return true }
            return other.exception("waivers.tls").map {
                own.text(own.part("minimum-version", of: mine))
                    >= other.text(other.part("minimum-version", of: $0))
            } ?? false
        },
    ]

    /// The same for what several fields tell together.
    private static let groups: [Part] = [
        { $0.identityIsNoWeaker(than: $1) }, { $0.anchorsAreNoWeaker(than: $1) },
        { $0.pinsAreNoWeaker(than: $1) },
    ]

    private static let lifetime = ProfileField.maximumLifetime.rawValue

    /// The fields of a profile that differ from another's and that this comparison does not know.
    func unknownDifferences(from other: ShownOrder) -> [String] {
        guard !isDenied, !other.isDenied else { return [] }
        return ProfileField.allCases.filter { field in
            RandomPolicy.values[field] == nil && field != .revocationPreset
                && !field.rawValue.hasPrefix("revocation.causes.")
                && value(field.rawValue) != other.value(field.rawValue)
                // Where it is not written it is what `keys.types` is.
                && field != .leafKeyTypes
        }.map(\.rawValue)
    }

    // MARK: Values

    private func value(_ name: String) -> JSONValue {
        fields.first { $0.name == name }?.value ?? .null
    }

    private func number(_ field: ProfileField) -> Int64 {
        if case .integer(let number) = value(field.rawValue) { return number }
        Issue.record("`\(field.rawValue)` has no number")
        return 0
    }

    private func text(_ field: ProfileField) -> String { text(value(field.rawValue)) }

    private func text(_ value: JSONValue) -> String {
        if case .string(let text) = value { return text }
        return ""
    }

    private func list(_ field: ProfileField) -> [String] { list(field.rawValue) }

    private func list(_ name: String) -> [String] {
        if case .array(let items) = value(name) { return items.map(text) }
        return []
    }

    /// A duration in days; a duration that is not written has no limit.
    private func days(_ name: String) -> Int { days(value(name)) }

    private func days(_ value: JSONValue) -> Int {
        guard case .string(let text) = value else { return .max }
        guard text.hasSuffix("d"), let days = Int(text.dropLast()) else {
            Issue.record("`\(text)` is no number of days")
            return 0
        }
        return days
    }

    private func part(_ key: String, of value: JSONValue) -> JSONValue {
        guard case .object(let members) = value else { return .null }
        return members.first { $0.key == key }?.value ?? .null
    }

    // MARK: Identity

    private func identityIsNoWeaker(than other: ShownOrder) -> Bool {
        let (own, theirs) = (
            text(value("identity.reference")), text(other.value("identity.reference"))
        )
        let names = (list("identity.dns"), other.list("identity.dns"))
        let isInside = Set(names.0).isSubset(of: names.1)
        switch (own, theirs) {
        case ("host", "host"), ("host-and-listed", "host"): return true
        case ("listed", "listed"), ("host-and-listed", "listed"),
            ("host-and-listed", "host-and-listed"):
            return isInside
        default: return false
        }
    }

    // MARK: Anchors

    private struct Member: Hashable {
        let who: JSONValue
        let days: Int
    }

    /// Each member of each set with the longest lifetime that its set allows.
    private var members: Set<Member> {
        Set(
            list("anchors").flatMap { id -> [Member] in
                let days = self.days("anchors.\(id).constraints.maximum-lifetime")
                if id == "system" { return [Member(who: .string(id), days: days)] }
                return fields.filter { $0.name == "anchors.\(id).members" }.map {
                    Member(who: $0.value, days: days)
                }
            })
    }

    private func anchorsAreNoWeaker(than other: ShownOrder) -> Bool {
        let theirs = other.members
        return members.allSatisfy { own in
            theirs.contains { $0.who == own.who && own.days <= $0.days }
        }
    }

    // MARK: Pins

    /// A key on one place of a path: the leaf, an intermediate, the anchor.
    private struct Seen: Hashable {
        let key: String
        let place: String
    }

    private struct Entry: Hashable {
        let key: String
        let place: String

        /// The places that the entry stands for.
        var places: [String] {
            switch place {
            case "any": return ["leaf", "intermediate", "anchor"]
            case "ca": return ["intermediate", "anchor"]
            default: return [place]
            }
        }

        func isMet(by seen: Set<Seen>) -> Bool {
            places.contains { seen.contains(Seen(key: key, place: $0)) }
        }
    }

    private struct Pins {
        let entries: [Entry]
        let match: Int
        let isEnforced: Bool

        /// Every way to meet the set with as many entries as must match, each at one of its places.
        var ways: [Set<Seen>] {
            (0..<1 << entries.count).filter { $0.nonzeroBitCount == match }.flatMap { choice in
                entries.indices.filter { choice & 1 << $0 != 0 }.reduce([[]]) { ways, index in
                    ways.flatMap { way in
                        entries[index].places.map { place in
                            way.union([Seen(key: entries[index].key, place: place)])
                        }
                    }
                }
            }
        }

        func isMet(by seen: Set<Seen>) -> Bool {
            entries.count { $0.isMet(by: seen) } >= match
        }

        /// Whether whatever meets all of the given sets meets this one.
        func follows(from own: [Pins]) -> Bool {
            let sets = isEnforced ? own.filter(\.isEnforced) : own
            let ways = sets.reduce([Set<Seen>()]) { ways, set in
                ways.flatMap { way in set.ways.map { way.union($0) } }
            }
            return ways.allSatisfy { isMet(by: $0) }
        }
    }

    /// The sets whose mismatch rejects or is reported at the instant.
    private var pins: [Pins] {
        list("pins").compactMap { id in
            let expiry = text(value("pins.\(id).on-expiry"))
            let end = text(value("pins.\(id).enforce-until"))
            let hasEnded = !end.isEmpty && end < time && expiry != "fail"
            if hasEnded, expiry == "unpinned" { return nil }
            let entries = fields.filter {
                $0.name.hasPrefix("pins.\(id).keys.") || $0.name.hasPrefix("pins.\(id).backups.")
            }.map {
                Entry(key: text(part("spki", of: $0.value)), place: text(part("at", of: $0.value)))
            }
            var match = 1
            if case .integer(let number) = value("pins.\(id).match") { match = Int(number) }
            return Pins(entries: entries, match: match, isEnforced: !hasEnded)
        }
    }

    private func pinsAreNoWeaker(than other: ShownOrder) -> Bool {
        let own = pins
        return other.pins.allSatisfy { $0.follows(from: own) }
    }

    // MARK: Exceptions

    private func exception(_ name: String) -> JSONValue? {
        let value = value(name)
        guard value != .null, text(part("until", of: value)) >= time else { return nil }
        return value
    }

    /// Whether a mismatch of pins that the behaviour has passes.
    var letsPinsOfItsOwn: Bool { letsPins && !pins.isEmpty }

    private var letsPins: Bool {
        exception("waivers.pins") != nil || exception("report-only.pins") != nil
    }
}
