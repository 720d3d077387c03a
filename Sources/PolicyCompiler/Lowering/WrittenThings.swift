private import TrustEngine

/// The named things of a policy, and `default`, by the pointers under which their locations stand.
struct WrittenThings {
    /// The kinds of things, in the order of their pointers.
    enum Kind: Int, CaseIterable {
        case anchors, `default`, pins, profiles, rules

        /// The pointer of a thing without its id.
        var pointer: String {
            switch self {
            case .anchors: return "/anchors/"
            case .default: return "/default"
            case .pins: return "/pins/"
            case .profiles: return "/profiles/"
            case .rules: return "/rules/"
            }
        }
    }

    /// What of a thing comes next in the order of pointers.
    enum Wanted {
        /// The thing's own pointer.
        case name
        /// The pointers of its parts.
        case children
    }

    let policy: CheckedPolicy

    init(_ policy: CheckedPolicy) { self.policy = policy }

    /// The number of things of a kind.
    func count(_ kind: Kind) -> Int {
        switch kind {
        case .anchors: return policy.bound.anchorSets.count
        case .default: return 1
        case .pins: return policy.bound.pinSets.count
        case .profiles: return policy.bound.profiles.count
        case .rules: return policy.bound.rules.count
        }
    }

    /// The id of a thing; empty for `default`.
    func id(_ kind: Kind, _ index: Int) -> String {
        switch kind {
        case .anchors: return policy.bound.anchorSets[index].id.value
        case .default: return ""
        case .pins: return policy.bound.pinSets[index].id.value
        case .profiles: return policy.bound.profiles[index].id.value
        case .rules: return policy.bound.rules[index].id.value
        }
    }

    /// The span of the name of a thing.
    func name(_ kind: Kind, _ index: Int) -> SourceSpan {
        switch kind {
        case .anchors: return policy.bound.anchorSets[index].id.span
        case .default: return policy.defaultAction.key
        case .pins: return policy.bound.pinSets[index].id.span
        case .profiles: return policy.bound.profiles[index].id.span
        case .rules: return policy.bound.rules[index].id.span
        }
    }

    /// Calls `body` for the name and for the parts of every thing of a kind, in the order of their
    /// pointers. Time is n log n in the things.
    ///
    /// The parts of a thing follow its name, but where another id continues its id with an octet
    /// below `/`: `a-b` stands between `a` and `a/hosts`.
    func forEachSorted(_ kind: Kind, _ body: (_ index: Int, _ wanted: Wanted) -> Void) {
        var open: [Int] = []
        for index in sorted(kind) {
            let id = id(kind, index).utf8
            while let last = open.last, !continues(id, self.id(kind, last).utf8) {
                open.removeLast()
                body(last, .children)
            }
            body(index, .name)
            open.append(index)
        }
        while let last = open.popLast() { body(last, .children) }
    }

    /// The indices of the things of a kind, sorted by id.
    func sorted(_ kind: Kind) -> [Int] {
        var ids = ByteStrings()
        for index in 0..<count(kind) { ids.append(id(kind, index).utf8) }
        return ids.sortedIndices
    }

    /// Whether an id continues another id with an octet below `/`.
    private func continues(_ id: String.UTF8View, _ other: String.UTF8View) -> Bool {
        guard id.count > other.count, id.starts(with: other) else { return false }
        return id[id.index(id.startIndex, offsetBy: other.count)] < UInt8(ascii: "/")
    }
}
