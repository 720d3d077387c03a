package import TrustEngine

/// Where each part of a checked policy was written, by JSON pointer.
package enum ProvenanceLowering {
    /// The provenance of a policy. A named thing has the line and column of its name; a field,
    /// list, host or pin those of its value.
    package static func provenance(of policy: CheckedPolicy) -> Provenance {
        var spans = Spans()
        spans.add("/default", policy.defaultAction.key)
        if let body = policy.defaultAction.body { spans.add(body, at: "/default") }
        for rule in policy.bound.rules { spans.add(rule) }
        for profile in policy.bound.profiles {
            spans.add("/profiles/\(profile.id.value)", profile.id.span)
            spans.add(profile.fields, at: "/profiles/\(profile.id.value)")
        }
        for set in policy.bound.anchorSets { spans.add(set) }
        for set in policy.bound.pinSets { spans.add(set) }
        var parents: [String: String] = [:]
        for profile in policy.bound.profiles {
            // A profile that extends `baseline`, written or not, has no parent that writes a field.
            guard let parent = profile.parent?.value, parent != BuiltInProfile.baseline.rawValue
            else { continue }
            parents[profile.id.value] = parent
        }
        // Sorted by file and offset, so that each file is walked once.
        spans.list.sort { ($0.span.file, $0.span.start) < ($1.span.file, $1.span.start) }
        return Provenance(locations: locate(spans.list, in: policy.files), parents: parents)
    }

    /// The lines and columns of spans, which are sorted by file and offset.
    private static func locate(
        _ spans: [(pointer: String, span: SourceSpan)], in files: [SourceFile]
    ) -> [String: Provenance.Location] {
        var locations: [String: Provenance.Location] = [:]
        locations.reserveCapacity(spans.count)
        var walk: LocationWalk?
        for (pointer, span) in spans {
            let file = files[Int(span.file)]
            if walk?.file !== file { walk = LocationWalk(file) }
            locations[pointer] = walk?.location(of: Int(span.start))
        }
        return locations
    }
}

/// JSON pointers and their spans.
private struct Spans {
    var list: [(pointer: String, span: SourceSpan)] = []

    mutating func add(_ pointer: String, _ span: SourceSpan?) {
        if let span { list.append((pointer, span)) }
    }

    mutating func add(_ rule: BoundRule) {
        let pointer = "/rules/\(rule.id.value)"
        add(pointer, rule.id.span)
        for (index, host) in rule.hosts.enumerated() {
            add("\(pointer)/hosts/\(index)", host.span)
            add("\(pointer)/hosts/\(host.text)", host.span)
        }
        add(rule.body, at: pointer)
    }

    mutating func add(_ body: BoundBody, at pointer: String) {
        add("\(pointer)/anchors", body.anchors?.span)
        add("\(pointer)/pins", body.pins?.span)
        add("\(pointer)/profile", body.profile?.span)
        add("\(pointer)/owner", body.owner?.span)
        add("\(pointer)/note", body.note?.span)
        if let identity = body.identity {
            add("\(pointer)/identity", identity.key)
            add("\(pointer)/identity/reference", identity.reference?.span)
            for list in identity.lists { add("\(pointer)/identity/\(list.value)", list.span) }
        }
        for waiver in body.waivers {
            add("\(pointer)/waivers/\(waiver.check.rawValue)", waiver.key)
        }
        add(body.fields, at: pointer)
    }

    mutating func add(_ fields: BoundFields, at pointer: String) {
        for setting in fields.settings {
            add("\(pointer)/\(setting.field.pointer)", setting.span)
        }
        for entry in fields.forbiddenKeys {
            add("\(pointer)/forbidden-keys/\(entry.id.value)", entry.span)
        }
        for entry in fields.reportOnly { add("\(pointer)/report-only/\(entry.name)", entry.key) }
    }

    mutating func add(_ set: BoundAnchorSet) {
        let pointer = "/anchors/\(set.id.value)"
        add(pointer, set.id.span)
        add("\(pointer)/include", set.include?.span)
        for id in set.include?.items ?? [] { add("\(pointer)/include/\(id.value)", id.span) }
        add("\(pointer)/files", set.files?.span)
        add("\(pointer)/pem", set.pem)
        for (key, matches) in [("only", set.only), ("exclude", set.exclude)] {
            guard let matches else { continue }
            add("\(pointer)/\(key)", matches.key)
            for entry in matches.entries {
                add("\(pointer)/\(key)/\(entry.id.value)", entry.key.span)
            }
        }
        add("\(pointer)/kind", set.kind?.span)
        add("\(pointer)/intermediates", set.intermediates?.span)
        add("\(pointer)/standard", set.standard?.span)
        add("\(pointer)/ignore-limits", set.ignoredLimits?.span)
        if let constraints = set.constraints {
            add("\(pointer)/constraints", constraints.key)
            for part in constraints.parts {
                add("\(pointer)/constraints/\(part.value)", part.span)
            }
        }
        add("\(pointer)/owner", set.owner?.span)
        add("\(pointer)/note", set.note?.span)
    }

    mutating func add(_ set: BoundPinSet) {
        let pointer = "/pins/\(set.id.value)"
        add(pointer, set.id.span)
        for pin in set.keys { add("\(pointer)/keys/\(pin.id.value)", pin.key.span) }
        for pin in set.backups { add("\(pointer)/backups/\(pin.id.value)", pin.key.span) }
        add("\(pointer)/match", set.match?.span)
        add("\(pointer)/warn-from", set.warnFrom?.span)
        add("\(pointer)/enforce-until", set.enforceUntil?.span)
        add("\(pointer)/on-expiry", set.onExpiry?.span)
        add("\(pointer)/owner", set.owner?.span)
        add("\(pointer)/note", set.note?.span)
    }
}
