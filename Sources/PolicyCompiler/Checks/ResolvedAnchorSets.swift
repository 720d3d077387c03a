package import TrustEngine

/// Every anchor set of a unit, resolved: `include` is followed, and `only` and `exclude` are
/// applied to the members that are known at compile time (LANGUAGE section 5).
///
/// An included member keeps the terms of its own set, and the demands of the including set are
/// added. So a resolved set is a list of groups of members, and each group has its own terms.
package struct ResolvedAnchorSets: Sendable {
    /// The resolved form of one set.
    package struct Resolution: Sendable {
        package fileprivate(set) var groups: [Group] = []
        /// Certificates that the set and its included sets offer to the path search.
        package fileprivate(set) var intermediates: Set<[UInt8]> = []
        /// Entries of `only` and `exclude` that match no member. Empty if some members are not
        /// known.
        package fileprivate(set) var idle: [(key: String, entry: BoundMatchEntry)] = []
        /// Whether the set had members and `only` and `exclude` removed all of them.
        package fileprivate(set) var isEmptied = false
        /// Whether every part of the set and of its included sets could be read.
        package fileprivate(set) var isComplete = true
        /// The number of sets in the longest chain of `include` from this set, itself included.
        package fileprivate(set) var depth = 1

        /// Whether a constraint of some group needs signed certificate timestamps.
        package var looksAtSCTs: Bool {
            groups.contains { $0.constraints.contains { $0.sct != nil } }
        }

        fileprivate var size: Int {
            groups.reduce(intermediates.count) { $0 + $1.members.count + 1 }
        }
    }

    /// Members that have the same terms.
    package struct Group: Hashable, Sendable {
        /// The members; empty for the machine's store.
        package fileprivate(set) var members: Set<Certificate> = []
        /// Whether the group is the machine's store.
        package fileprivate(set) var isSystem = false
        package fileprivate(set) var kind: AnchorKind = .root
        package fileprivate(set) var standard: Standard = .rfc5280
        package fileprivate(set) var ignoredLimits: AnchorLimits = []
        package fileprivate(set) var constraints: Set<AnchorConstraints> = []
        /// The filters that keep or remove members of the machine's store.
        package fileprivate(set) var filters: Set<AnchorFilter> = []

        /// The built-in set `system`, as a rule names it.
        package static let system = Group(isSystem: true, standard: .webPKI)

        /// The group without its members.
        fileprivate var terms: Group {
            var terms = self
            terms.members = []
            return terms
        }
    }

    /// The most sets in one chain of `include`. LANGUAGE names no number; this is the limit for the
    /// nesting of maps and lists in a file.
    static let deepest = 16
    /// The most members, groups and intermediates of all resolved sets together. A certificate
    /// counts once in each set that holds it, since sets that include sets can multiply them.
    static let largest = 1_000_000

    private var resolutions: [String: Resolution] = [:]
    /// The circles of `include`. `members` begins with the set that was reached first; `closing` is
    /// the item that leads back to it.
    package private(set) var circles: [(members: [String], closing: Located<String>)] = []
    /// The set at which the total passed `largest`; nil if it never did.
    package private(set) var tooLarge: Located<String>?

    private let sets: [String: BoundAnchorSet]
    private let crypto: any CryptoBackend
    private var size = 0

    init(_ list: [BoundAnchorSet], crypto: any CryptoBackend) {
        self.crypto = crypto
        sets = Dictionary(
            list.map { ($0.id.value, $0) }, uniquingKeysWith: { first, _ in first })
        for set in list { resolve(from: set) }
    }

    /// A set as it was written.
    package func set(_ id: String) -> BoundAnchorSet? { sets[id] }

    /// The resolved form of a set; nil if the set does not exist, and for every set if a limit was
    /// passed.
    package subscript(id: String) -> Resolution? { resolutions[id] }

    // MARK: Following `include`

    /// Resolves a set after the sets that it includes: depth first, without recursion. A circle is
    /// noted at the item that closes it, and that item is not followed.
    private mutating func resolve(from root: BoundAnchorSet) {
        var path: [(set: BoundAnchorSet, next: Int)] = [(root, 0)]
        var pathIndices = [root.id.value: 0]
        guard resolutions[root.id.value] == nil else { return }
        while let top = path.last {
            let items = top.set.include?.items ?? []
            guard top.next < items.count else {
                finish(top.set)
                pathIndices[top.set.id.value] = nil
                path.removeLast()
                continue
            }
            path[path.count - 1].next += 1
            let item = items[top.next]
            if let start = pathIndices[item.value] {
                circles.append((path[start...].map(\.set.id.value), item))
            } else if let set = sets[item.value], resolutions[item.value] == nil {
                pathIndices[item.value] = path.count
                path.append((set, 0))
            }
        }
    }

    private mutating func finish(_ set: BoundAnchorSet) {
        var resolution = Resolution()
        resolution.isComplete = set.isComplete
        var own = Group(
            kind: set.kind?.value ?? .root, standard: set.standard?.value ?? .rfc5280,
            ignoredLimits: set.ignoredLimits?.value ?? [])
        own.members = Set(set.members.map(\.certificate))
        var groups = own.members.isEmpty ? [] : [own]
        resolution.intermediates = Set(set.offered.map(\.der))
        for id in Set((set.include?.items ?? []).map(\.value)).sorted() {
            if id == "system" {
                groups.append(.system)
                continue
            }
            // A dangling reference, and an item that closes a circle, have their own diagnostics.
            guard let included = resolutions[id] else {
                resolution.isComplete = false
                continue
            }
            groups += included.groups
            resolution.intermediates.formUnion(included.intermediates)
            resolution.depth = max(resolution.depth, included.depth + 1)
            if !included.isComplete || included.isEmptied { resolution.isComplete = false }
        }
        filter(&groups, of: set, into: &resolution)
        if let constraints = set.constraints {
            for index in groups.indices { groups[index].constraints.insert(constraints.value) }
        }
        resolution.groups = merged(groups)
        size += resolution.size
        if size > ResolvedAnchorSets.largest, tooLarge == nil { tooLarge = set.id }
        // A set that is too large or too deep is not resolved further.
        if tooLarge != nil || resolution.depth > ResolvedAnchorSets.deepest {
            resolution.groups = []
            resolution.isComplete = false
        }
        resolutions[set.id.value] = resolution
    }

    /// Joins the groups that have the same terms.
    private func merged(_ groups: [Group]) -> [Group] {
        var groupIndices: [Group: Int] = [:]
        var merged: [Group] = []
        for group in groups {
            let terms = group.terms
            if let index = groupIndices[terms] {
                merged[index].members.formUnion(group.members)
            } else {
                groupIndices[terms] = merged.count
                merged.append(group)
            }
        }
        return merged
    }

    // MARK: `only` and `exclude`

    /// Keeps the members that `only` names, then removes those that `exclude` names. Each
    /// certificate is hashed once for each kind of digest that the entries use.
    private func filter(
        _ groups: inout [Group], of set: BoundAnchorSet, into resolution: inout Resolution
    ) {
        guard set.only != nil || set.exclude != nil else { return }
        let only = MatchIndex(set.only, crypto: crypto)
        let exclude = MatchIndex(set.exclude, crypto: crypto)
        let hadMembers = !groups.isEmpty
        var kept: Set<Int> = []
        var removed: Set<Int> = []
        var namesSystem = false
        for index in groups.indices {
            if groups[index].isSystem {
                namesSystem = true
                groups[index].filters.insert(
                    AnchorFilter(
                        only: set.only.map { _ in only.matches }, exclude: exclude.matches))
                continue
            }
            groups[index].members = groups[index].members.filter { certificate in
                if set.only != nil {
                    let entries = only.entries(matching: certificate)
                    kept.formUnion(entries)
                    if entries.isEmpty { return false }
                }
                let entries = exclude.entries(matching: certificate)
                removed.formUnion(entries)
                return entries.isEmpty
            }
        }
        groups.removeAll { !$0.isSystem && $0.members.isEmpty }
        resolution.isEmptied = hadMembers && groups.isEmpty
        guard resolution.isComplete, !namesSystem else { return }
        resolution.idle =
            only.entries.indices.filter { !kept.contains($0) }.map { ("only", only.entries[$0]) }
            + exclude.entries.indices.filter { !removed.contains($0) }
            .map { ("exclude", exclude.entries[$0]) }
    }
}

/// The entries of `only` or `exclude`, found by digest.
private struct MatchIndex {
    let entries: [BoundMatchEntry]
    /// Every match of every entry, sorted, each once.
    let matches: [KeyMatch]
    private let byMatch: [KeyMatch: [Int]]
    /// The forms of digest to compute for each certificate.
    private let wanted: [KeyMatch.Form]
    private let crypto: any CryptoBackend

    init(_ bound: BoundMatches?, crypto: any CryptoBackend) {
        self.crypto = crypto
        entries = bound?.entries ?? []
        var byMatch: [KeyMatch: [Int]] = [:]
        for (index, entry) in entries.enumerated() {
            for match in entry.key.matches { byMatch[match, default: []].append(index) }
        }
        self.byMatch = byMatch
        matches = byMatch.keys.sorted { $0.precedes($1) }
        var wanted: [KeyMatch.Form] = []
        for match in matches where wanted.last != match.form { wanted.append(match.form) }
        self.wanted = wanted
    }

    /// The indices of the entries that match a certificate, its key in whatever encoding.
    func entries(matching certificate: Certificate) -> [Int] {
        wanted.flatMap { form in
            form.digests(of: certificate, crypto: crypto).flatMap {
                byMatch[KeyMatch(kind: form.kind, digest: $0), default: []]
            }
        }
    }
}
