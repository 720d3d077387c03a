internal import TrustEngine

/// The kinds of keys that a rule writes. A check or lint rule finds the few rules that it is about
/// by their marks: reading every rule takes longer than judging these few.
package struct RuleMarks: OptionSet, Hashable, Sendable, BitwiseCopyable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    // Of the body.
    package static let pins = RuleMarks(rawValue: 1 << 0)
    package static let identity = RuleMarks(rawValue: 1 << 1)
    package static let waivers = RuleMarks(rawValue: 1 << 2)
    /// Anything in `BoundFields`: fields, `report-only`, and fields that could not be read.
    package static let fields = RuleMarks(rawValue: 1 << 3)
    /// No `owner` could be read.
    package static let noOwner = RuleMarks(rawValue: 1 << 4)

    // Of the hosts.
    package static let wildcards = RuleMarks(rawValue: 1 << 5)
    /// Addresses and networks.
    package static let ranges = RuleMarks(rawValue: 1 << 6)
    package static let severalHosts = RuleMarks(rawValue: 1 << 7)

    init(_ body: BoundBody) {
        var marks: RuleMarks = []
        if body.pins != nil { marks.insert(.pins) }
        if body.identity != nil { marks.insert(.identity) }
        if !body.waivers.isEmpty { marks.insert(.waivers) }
        if !body.fields.holdsNothing { marks.insert(.fields) }
        if body.owner == nil { marks.insert(.noOwner) }
        self = marks
    }

    init(_ rule: BoundRule) {
        var marks = RuleMarks(rule.body)
        if rule.hosts.count > 1 { marks.insert(.severalHosts) }
        for index in rule.hosts.indices {
            switch rule.hosts[index].pattern.host {
            case .name: break
            case .oneLabel, .anyLabels: marks.insert(.wildcards)
            case .address, .network: marks.insert(.ranges)
            }
        }
        self = marks
    }
}

/// The part of a rule that most checks and lint rules ask for first, without its texts.
package struct RuleOutline: Sendable, BitwiseCopyable {
    package var marks: RuleMarks
    /// The number of the rule's profile in `RuleOutlines.profiles`.
    package var profile: Int32
    /// The number of the rule's list of anchors in `RuleOutlines.anchors`.
    package var anchors: Int32
    /// The number of the rule's list of pins in `RuleOutlines.pins`.
    package var pins: Int32

    package func has(_ wanted: RuleMarks) -> Bool { !marks.isDisjoint(with: wanted) }
}

/// The outlines of a policy's rules, with the profiles and the lists of ids that they name, each
/// once: many rules name the same few.
package struct RuleOutlines: Sendable {
    /// In the order of the rules.
    package private(set) var all: [RuleOutline] = []
    /// The ids of profiles; nil, at 0, for a rule without one.
    package private(set) var profiles: [String?] = [nil]
    /// The ids of anchor sets, in source order. A list that is not written is empty.
    package var anchors: [[String]] { anchorLists.all }
    /// The ids of pin sets, as in `anchors`.
    package var pins: [[String]] { pinLists.all }
    /// A hash of the canonical text of each pattern, in source order. It is seeded anew in each
    /// process, so nobody can write a policy whose patterns collide.
    private(set) var hostHashes: [Int] = []
    private var profileNumbers: [String: Int] = [:]
    /// The profile of the last rule that had one.
    private var lastProfile = 0
    private var anchorLists = IDLists()
    private var pinLists = IDLists()

    mutating func add(_ rule: BoundRule) {
        let body = rule.body
        all.append(
            RuleOutline(
                marks: RuleMarks(rule), profile: profileNumber(body.profile?.value),
                anchors: anchorLists.number(of: body.anchors),
                pins: pinLists.number(of: body.pins)))
        for index in rule.hosts.indices { hostHashes.append(rule.hosts[index].text.hashValue) }
    }

    /// Rules stand mostly beside those with the same profile and lists, so the last one is asked
    /// first.
    private mutating func profileNumber(_ profile: String?) -> Int32 {
        guard let profile else { return 0 }
        if profiles[lastProfile] == profile { return Int32(truncatingIfNeeded: lastProfile) }
        if let number = profileNumbers[profile] {
            lastProfile = number
        } else {
            lastProfile = profiles.count
            profileNumbers[profile] = lastProfile
            profiles.append(profile)
        }
        return Int32(truncatingIfNeeded: lastProfile)
    }

}

/// Lists of ids, each once.
private struct IDLists: Sendable {
    private(set) var all: [[String]] = []
    private var numbers: [String: Int] = [:]
    /// The list before, and the last one that is not empty; -1 before the first.
    private var recent = (last: -1, written: -1)

    /// The number of a list, which is added if it is new.
    mutating func number(of list: BoundList<String>?) -> Int32 {
        if recent.last < 0 || !isEqual(all[recent.last], list) {
            recent.last =
                recent.written >= 0 && isEqual(all[recent.written], list)
                ? recent.written : find(list)
            if !all[recent.last].isEmpty { recent.written = recent.last }
        }
        return Int32(truncatingIfNeeded: recent.last)
    }

    private mutating func find(_ list: BoundList<String>?) -> Int {
        let ids = (list?.items ?? []).map(\.value)
        // No id has a blank in it.
        let key = ids.joined(separator: " ")
        if let number = numbers[key] { return number }
        numbers[key] = all.count
        all.append(ids)
        return all.count - 1
    }

    private func isEqual(_ ids: [String], _ list: BoundList<String>?) -> Bool {
        guard let list else { return ids.isEmpty }
        guard ids.count == list.items.count else { return false }
        for index in ids.indices where ids[index] != list.items[index].value { return false }
        return true
    }
}

extension BoundPolicy {
    /// The rules that have one of some marks, each with its index, in source order.
    package func rules(
        _ marks: RuleMarks
    ) -> some Sequence<(offset: Int, element: BoundRule)> {
        let outlines = outlines.all
        let rules = rules
        return outlines.indices.lazy.filter { outlines[$0].has(marks) }.map { index in
            (offset: index, element: rules[index])
        }
    }

    /// The bodies that have one of some marks: first of `default`, then of rules, in source order.
    package func bodies(_ marks: RuleMarks) -> [BoundBody] {
        bodies({ $0.has(marks) }, default: { !RuleMarks($0).isDisjoint(with: marks) })
    }

    /// The bodies of which the outline is wanted. A body of `default` has none and is asked itself.
    package func bodies(
        _ isWanted: (RuleOutline) -> Bool, default isDefaultWanted: (BoundBody) -> Bool
    ) -> [BoundBody] {
        var found: [BoundBody] = []
        for item in defaults {
            if case .body(let body) = item.action, isDefaultWanted(body) { found.append(body) }
        }
        for index in outlines.all.indices where isWanted(outlines.all[index]) {
            found.append(rules[index].body)
        }
        return found
    }
}
