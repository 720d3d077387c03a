package import TrustEngine

/// Where each part of a checked policy was written, by JSON pointer.
package enum ProvenanceLowering {
    /// The locations of a policy, in the order of their pointers. A named thing has the line and
    /// column of its name; a field, list, host or pin has the line and column of its value. Cost: n
    /// log n in the named things and in the parts of each, linear in the files.
    ///
    /// The policy is walked twice: for the places, as it was written, and for the pointers, in
    /// their order. A large unit has millions of pointers. A second list of them would be the most
    /// memory that compiling takes.
    package static func locations(of policy: CheckedPolicy) -> WrittenLocations {
        let things = WrittenThings(policy)
        var parts = PartList()
        var found = PlaceList(policy.files)
        var octets = 0
        // For each kind and thing the index of its first place.
        var starts = [[Int]](repeating: [], count: WrittenThings.Kind.allCases.count)
        var count = 0
        for kind in WrittenThings.Kind.allCases {
            starts[kind.rawValue].reserveCapacity(things.count(kind))
            for index in 0..<things.count(kind) {
                parts.take(things, kind, index)
                found.add(parts.spans)
                starts[kind.rawValue].append(count)
                count += parts.spans.count
                octets += parts.base.count * parts.spans.count + parts.octets.count
            }
        }
        found.finish()
        var list = WrittenLocations(
            files: found.paths, parents: parents(of: policy.bound.profiles),
            locations: found.places, octets: octets)
        func add(_ number: Int, _ kind: WrittenThings.Kind, _ index: Int) {
            list.add(
                parts.base, parts.pointer(number), location: starts[kind.rawValue][index] + number)
        }
        for kind in WrittenThings.Kind.allCases {
            things.forEachSorted(kind) { index, wanted in
                switch wanted {
                case .name:
                    parts.takeName(things, kind, index)
                    add(0, kind, index)
                case .children:
                    parts.take(things, kind, index)
                    for number in parts.sortedChildren() { add(number, kind, index) }
                }
            }
        }
        return list
    }

    /// The profile that each profile extends. One that extends `baseline`, written or not, has no
    /// parent that writes a field.
    private static func parents(
        of profiles: [BoundProfile]
    ) -> [(profile: String, parent: String)] {
        profiles.compactMap { profile in
            guard let parent = profile.parent?.value, parent != BuiltInProfile.baseline.rawValue
            else { return nil }
            return (profile.id.value, parent)
        }
    }
}

/// The places of spans, in the order in which the spans are added.
private struct PlaceList {
    /// The longest line, in octets, in which columns are counted anew for each span.
    private static let shortLine = 512

    private(set) var places: [WrittenLocations.Location] = []
    /// The paths of the files that have a place.
    private(set) var paths: [String] = []
    private let files: [SourceFile]
    /// For each file its index in `paths`; -1 for a file that has no place.
    private var numbers: [Int32]
    /// The last spans that were added, all of one file.
    private var waiting: [SourceSpan] = []

    init(_ files: [SourceFile]) {
        self.files = files
        self.numbers = [Int32](repeating: -1, count: files.count)
    }

    /// Adds spans of one file. `finish` must follow the last of them.
    mutating func add(_ spans: [SourceSpan]) {
        if let last = waiting.last, last.file != spans.first?.file { finish() }
        waiting += spans
    }

    /// Finds the places of the spans that wait for it.
    mutating func finish() {
        guard let first = waiting.first else { return }
        let file = files[Int(first.file)]
        if numbers[Int(first.file)] < 0 {
            numbers[Int(first.file)] = Int32(truncatingIfNeeded: paths.count)
            paths.append(file.path)
        }
        let number = Int(numbers[Int(first.file)])
        let start = places.count
        places += repeatElement(
            WrittenLocations.Location(file: number, line: 0, column: 0), count: waiting.count)
        var walk = LocationWalk(file)
        for index in order(in: file) {
            let found = walk.position(of: Int(waiting[index].start))
            places[start + index] = WrittenLocations.Location(
                file: number, line: found.line, column: found.column)
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// In which order the walk takes the spans. It goes back to the beginning of a line where an
    /// offset is before the last one, which it must not do in long lines.
    private func order(in file: SourceFile) -> [Int] {
        let indices = Array(waiting.indices)
        let ends = file.lines.starts.dropFirst() + [file.bytes.count]
        let isShort = zip(file.lines.starts, ends).allSatisfy { $1 - $0 <= PlaceList.shortLine }
        return isShort ? indices : indices.sorted { waiting[$0].start < waiting[$1].start }
    }
}

/// The parts of one named thing that have a location, each with its pointer behind the thing's own.
private struct PartList {
    /// The pointer of the thing.
    private(set) var base: [UInt8] = []
    /// The pointers of the parts behind `base`, end to end. The name is the first part; its pointer
    /// is empty.
    private(set) var octets: [UInt8] = []
    private(set) var spans: [SourceSpan] = []
    private var starts: [Int] = [0]
    /// The first eight octets of each pointer, the first octet highest.
    private var keys: [UInt64] = []

    /// The pointer of a part behind `base`.
    func pointer(_ number: Int) -> ArraySlice<UInt8> { octets[starts[number]..<starts[number + 1]] }

    /// Takes the name of a thing, without its other parts.
    mutating func takeName(_ things: WrittenThings, _ kind: WrittenThings.Kind, _ index: Int) {
        octets.removeAll(keepingCapacity: true)
        spans.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        starts.removeLast(starts.count - 1)
        base.removeAll(keepingCapacity: true)
        base += kind.pointer.utf8
        base += things.id(kind, index).utf8
        add("", at: things.name(kind, index))
    }

    /// Takes all parts of a thing.
    mutating func take(_ things: WrittenThings, _ kind: WrittenThings.Kind, _ index: Int) {
        takeName(things, kind, index)
        switch kind {
        case .anchors: add(things.policy.bound.anchorSets[index])
        case .default: if let body = things.policy.defaultAction.body { add(body) }
        case .pins: add(things.policy.bound.pinSets[index])
        case .profiles: add(things.policy.bound.profiles[index].fields)
        case .rules: add(things.policy.bound.rules[index])
        }
    }

    /// Every part but the name, in the order of their pointers. Of a pointer that stands twice only
    /// the last part counts.
    func sortedChildren() -> [Int] {
        var order = Array(spans.indices.dropFirst())
        if order.count > 24 {
            order.sort { precedes($0, $1) }
        } else {
            for position in order.indices.dropFirst() {
                let number = order[position]
                var hole = position
                while hole > 0, precedes(number, order[hole - 1]) {
                    order[hole] = order[hole - 1]
                    hole -= 1
                }
                order[hole] = number
            }
        }
        let isRepeated = zip(order, order.dropFirst()).contains { isSame($0, $1) }
        guard isRepeated else { return order }
        return order.indices.filter { position in
            position + 1 == order.count || !isSame(order[position], order[position + 1])
        }.map { order[$0] }
    }

    private func isSame(_ left: Int, _ right: Int) -> Bool {
        keys[left] == keys[right] && pointer(left) == pointer(right)
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        if keys[left] != keys[right] { return keys[left] < keys[right] }
        let (left, right) = (pointer(left), pointer(right))
        // Of one pointer the part that was added earlier stands first.
        return left == right
            ? left.startIndex < right.startIndex : left.lexicographicallyPrecedes(right)
    }

    /// Adds a part whose pointer has up to two pieces; nothing without a span.
    private mutating func add(_ key: String, _ name: String = "", at span: SourceSpan?) {
        guard let span else { return }
        let start = octets.count
        octets += key.utf8
        octets += name.utf8
        var first: UInt64 = 0
        for offset in 0..<8 {
            first = first << 8 | UInt64(start + offset < octets.count ? octets[start + offset] : 0)
        }
        keys.append(first)
        starts.append(octets.count)
        spans.append(span)
    }

    private mutating func add(_ rule: BoundRule) {
        for (index, host) in rule.hosts.enumerated() {
            add("/hosts/", String(index), at: host.span)
            add("/hosts/", host.text, at: host.span)
        }
        add(rule.body)
    }

    private mutating func add(_ body: BoundBody) {
        add("/anchors", at: body.anchors?.span)
        add("/pins", at: body.pins?.span)
        add("/profile", at: body.profile?.span)
        add("/owner", at: body.owner?.span)
        add("/note", at: body.note?.span)
        if let identity = body.identity {
            add("/identity", at: identity.key)
            add("/identity/reference", at: identity.reference?.span)
            for list in identity.lists { add("/identity/", list.value, at: list.span) }
        }
        for waiver in body.waivers { add("/waivers/", waiver.check.rawValue, at: waiver.key) }
        add(body.fields)
    }

    private mutating func add(_ fields: BoundFields) {
        for setting in fields.settings { add("/", setting.field.pointer, at: setting.span) }
        for entry in fields.forbiddenKeys {
            add("/forbidden-keys/", entry.id.value, at: entry.span)
        }
        for entry in fields.reportOnly { add("/report-only/", entry.name, at: entry.key) }
    }

    private mutating func add(_ set: BoundAnchorSet) {
        add("/include", at: set.include?.span)
        for id in set.include?.items ?? [] { add("/include/", id.value, at: id.span) }
        add("/files", at: set.files?.span)
        add("/pem", at: set.pem)
        for (key, matches) in [("/only", set.only), ("/exclude", set.exclude)] {
            guard let matches else { continue }
            add(key, at: matches.key)
            for entry in matches.entries { add("\(key)/", entry.id.value, at: entry.key.span) }
        }
        add("/kind", at: set.kind?.span)
        add("/intermediates", at: set.intermediates?.span)
        add("/standard", at: set.standard?.span)
        add("/ignore-limits", at: set.ignoredLimits?.span)
        if let constraints = set.constraints {
            add("/constraints", at: constraints.key)
            for part in constraints.parts { add("/constraints/", part.value, at: part.span) }
        }
        add("/owner", at: set.owner?.span)
        add("/note", at: set.note?.span)
    }

    private mutating func add(_ set: BoundPinSet) {
        for pin in set.keys { add("/keys/", pin.id.value, at: pin.key.span) }
        for pin in set.backups { add("/backups/", pin.id.value, at: pin.key.span) }
        add("/match", at: set.match?.span)
        add("/warn-from", at: set.warnFrom?.span)
        add("/enforce-until", at: set.enforceUntil?.span)
        add("/on-expiry", at: set.onExpiry?.span)
        add("/owner", at: set.owner?.span)
        add("/note", at: set.note?.span)
    }
}
