package import TrustEngine

/// Where each part of a checked policy was written, by JSON pointer.
package enum ProvenanceLowering {
    /// The locations of a policy. A named thing has the line and column of its name; a field, list,
    /// host or pin those of its value. Cost: n log n in the parts, linear in the files.
    package static func locations(of policy: CheckedPolicy) -> WrittenLocations {
        var spans = Spans()
        spans.add(policy)
        var parents: [(profile: String, parent: String)] = []
        for profile in policy.bound.profiles {
            // A profile that extends `baseline`, written or not, has no parent that writes a field.
            guard let parent = profile.parent?.value, parent != BuiltInProfile.baseline.rawValue
            else { continue }
            parents.append((profile.id.value, parent))
        }
        return list(spans, in: policy.files, parents: parents)
    }

    /// The pointers with the lines and columns of their spans.
    private static func list(
        _ spans: Spans, in files: [SourceFile], parents: [(profile: String, parent: String)]
    ) -> WrittenLocations {
        // The spans of each file, by offset, so that each file is walked once: the offset, and
        // below it the index of the span.
        var ends = [Int](repeating: 0, count: files.count)
        for span in spans.spans { ends[Int(span.file)] += 1 }
        var count = 0
        for file in ends.indices {
            // Where the file's spans begin. Each span that is put there moves it to their end.
            (ends[file], count) = (count, count + ends[file])
        }
        var order = [UInt64](repeating: 0, count: count)
        for (index, span) in spans.spans.enumerated() {
            let file = Int(span.file)
            order[ends[file]] = UInt64(span.start) << 32 | UInt64(index)
            ends[file] += 1
        }
        // For each file of the unit, its number among the files that have a location.
        var numbers = [Int](repeating: 0, count: files.count)
        var written: [String] = []
        var places = [(line: Int32, column: Int32)](repeating: (0, 0), count: count)
        var start = 0
        for (file, end) in ends.enumerated() where end > start {
            numbers[file] = written.count
            written.append(files[file].path)
            order[start..<end].sort()
            var walk = LocationWalk(files[file])
            for place in order[start..<end] {
                let index = Int(place & 0xFFFF_FFFF)
                let found = walk.position(of: Int(place >> 32))
                places[index] = (
                    Int32(truncatingIfNeeded: found.line), Int32(truncatingIfNeeded: found.column)
                )
            }
            start = end
        }
        var list = WrittenLocations(files: written, parents: parents)
        for (index, place) in places.enumerated() {
            list.add(
                spans.pointers[spans.starts[index]..<spans.starts[index + 1]],
                file: numbers[Int(spans.spans[index].file)], line: Int(place.line),
                column: Int(place.column))
        }
        return list
    }
}

/// JSON pointers and their spans. The pointers lie end to end: there are several for each rule, and
/// a text for each would take longer than all other work on it.
private struct Spans {
    private(set) var pointers: [UInt8] = []
    /// The offset of each pointer, and behind them the end of the last one.
    private(set) var starts = [0]
    private(set) var spans: [SourceSpan] = []

    /// Adds a pointer of up to three parts; nothing if there is no span.
    private mutating func add(
        _ base: [UInt8], _ key: String = "", _ name: String = "", at span: SourceSpan?
    ) {
        guard let span else { return }
        pointers += base
        pointers.append(contentsOf: key.utf8)
        pointers.append(contentsOf: name.utf8)
        starts.append(pointers.count)
        spans.append(span)
    }

    mutating func add(_ policy: CheckedPolicy) {
        let base = Array("/default".utf8)
        add(base, at: policy.defaultAction.key)
        if let body = policy.defaultAction.body { add(body, below: base) }
        for rule in policy.bound.rules { add(rule) }
        for profile in policy.bound.profiles {
            let base = Array("/profiles/\(profile.id.value)".utf8)
            add(base, at: profile.id.span)
            add(profile.fields, below: base)
        }
        for set in policy.bound.anchorSets { add(set) }
        for set in policy.bound.pinSets { add(set) }
    }

    private mutating func add(_ rule: BoundRule) {
        let base = Array("/rules/\(rule.id.value)".utf8)
        add(base, at: rule.id.span)
        for (index, host) in rule.hosts.enumerated() {
            add(base, "/hosts/", String(index), at: host.span)
            add(base, "/hosts/", host.text, at: host.span)
        }
        add(rule.body, below: base)
    }

    private mutating func add(_ body: BoundBody, below base: [UInt8]) {
        add(base, "/anchors", at: body.anchors?.span)
        add(base, "/pins", at: body.pins?.span)
        add(base, "/profile", at: body.profile?.span)
        add(base, "/owner", at: body.owner?.span)
        add(base, "/note", at: body.note?.span)
        if let identity = body.identity {
            add(base, "/identity", at: identity.key)
            add(base, "/identity/reference", at: identity.reference?.span)
            for list in identity.lists { add(base, "/identity/", list.value, at: list.span) }
        }
        for waiver in body.waivers {
            add(base, "/waivers/", waiver.check.rawValue, at: waiver.key)
        }
        add(body.fields, below: base)
    }

    private mutating func add(_ fields: BoundFields, below base: [UInt8]) {
        for setting in fields.settings {
            add(base, "/", setting.field.pointer, at: setting.span)
        }
        for entry in fields.forbiddenKeys {
            add(base, "/forbidden-keys/", entry.id.value, at: entry.span)
        }
        for entry in fields.reportOnly { add(base, "/report-only/", entry.name, at: entry.key) }
    }

    private mutating func add(_ set: BoundAnchorSet) {
        let base = Array("/anchors/\(set.id.value)".utf8)
        add(base, at: set.id.span)
        add(base, "/include", at: set.include?.span)
        for id in set.include?.items ?? [] { add(base, "/include/", id.value, at: id.span) }
        add(base, "/files", at: set.files?.span)
        add(base, "/pem", at: set.pem)
        for (key, matches) in [("/only", set.only), ("/exclude", set.exclude)] {
            guard let matches else { continue }
            add(base, key, at: matches.key)
            for entry in matches.entries {
                add(base, "\(key)/", entry.id.value, at: entry.key.span)
            }
        }
        add(base, "/kind", at: set.kind?.span)
        add(base, "/intermediates", at: set.intermediates?.span)
        add(base, "/standard", at: set.standard?.span)
        add(base, "/ignore-limits", at: set.ignoredLimits?.span)
        if let constraints = set.constraints {
            add(base, "/constraints", at: constraints.key)
            for part in constraints.parts {
                add(base, "/constraints/", part.value, at: part.span)
            }
        }
        add(base, "/owner", at: set.owner?.span)
        add(base, "/note", at: set.note?.span)
    }

    private mutating func add(_ set: BoundPinSet) {
        let base = Array("/pins/\(set.id.value)".utf8)
        add(base, at: set.id.span)
        for pin in set.keys { add(base, "/keys/", pin.id.value, at: pin.key.span) }
        for pin in set.backups { add(base, "/backups/", pin.id.value, at: pin.key.span) }
        add(base, "/match", at: set.match?.span)
        add(base, "/warn-from", at: set.warnFrom?.span)
        add(base, "/enforce-until", at: set.enforceUntil?.span)
        add(base, "/on-expiry", at: set.onExpiry?.span)
        add(base, "/owner", at: set.owner?.span)
        add(base, "/note", at: set.note?.span)
    }
}
