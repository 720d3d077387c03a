package import TrustEngine

/// The anchor sets and pin sets that a rule names, field by field (LANGUAGE sections 5 and 6).
package struct EffectiveSets {
    /// A field with its value and its place.
    package typealias Field = EffectiveRule.Field

    private let anchorSets: [String: AnchorSetContents]
    private let pinSets: [String: PinSetContents]
    private let places: PlaceFinder
    /// Computes the digests that certificates are shown with.
    private let crypto: any CryptoBackend

    /// Prepares the sets of a table.
    package init(_ contents: PolicyContents, places: PlaceFinder, crypto: any CryptoBackend) {
        anchorSets = Dictionary(
            contents.anchorSets.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        pinSets = Dictionary(
            contents.pinSets.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        self.places = places
        self.crypto = crypto
    }

    // MARK: Anchors

    /// The fields of an anchor set: its terms and its members. Where members are trusted on
    /// different terms, each group of members has fields of its own.
    package func anchors(_ id: String) -> [Field] {
        guard let set = anchorSets[id] else { return [] }
        let name = "anchors.\(id)"
        let included = includes(of: id)
        var fields: [Field] = []
        if !included.isEmpty {
            fields.append(key("include", .strings(included), of: "anchors", id))
        }
        for (index, group) in set.groups.enumerated() {
            let suffix = set.groups.count == 1 ? "" : "[\(index + 1)]"
            fields += terms(of: group, in: id, named: name + suffix, included: included)
        }
        for certificate in set.intermediates {
            fields.append(
                Field(
                    "\(name).intermediates", self.certificate(certificate),
                    origin("intermediates", of: "anchors", id)))
        }
        if let owner = set.owner { fields.append(key("owner", .string(owner), of: "anchors", id)) }
        if let note = set.note { fields.append(key("note", .string(note), of: "anchors", id)) }
        return fields
    }

    private func terms(
        of group: AnchorGroup, in set: String, named name: String, included: [String]
    ) -> [Field] {
        let home = home(of: group, included: included)
        func origin(_ key: String) -> FieldOrigin {
            guard let home else { return self.origin(key, of: "anchors", set) }
            // The built-in set stands in no file; the line that includes it is shown as its place.
            let location =
                self.origin(key, of: "anchors", home).location
                ?? places.exact("/anchors/\(set)/include/\(home)")
            return FieldOrigin(.included(home), location)
        }
        let place =
            places.named("anchors", home ?? set)
            ?? home.flatMap { places.exact("/anchors/\(set)/include/\($0)") }
        let layer: FieldOrigin.Layer =
            home.map { .included($0) } ?? (place == nil ? .byDefault : .named("anchors \(set)"))
        var fields = [
            Field(
                name, .string(EffectiveSets.source(of: group)),
                places.hasProvenance ? FieldOrigin(layer, place) : .unknown)
        ]
        if group.source != .system {
            fields.append(Field("\(name).kind", .string(group.kind.name), origin("kind")))
        }
        fields.append(Field("\(name).standard", .string(group.standard.name), origin("standard")))
        fields.append(
            Field(
                "\(name).ignore-limits", EffectiveFields.list(group.ignoredLimits.names),
                origin("ignore-limits")))
        let theirs = home.map { constraints(of: $0) } ?? []
        for (index, constraints) in group.constraints.enumerated() {
            let place = group.constraints.count == 1 ? "" : "[\(index + 1)]"
            for (key, value) in EffectiveSets.parts(of: constraints) {
                let pointer = "constraints/\(key)"
                fields.append(
                    Field(
                        "\(name).constraints\(place).\(key)", value,
                        theirs.contains(constraints)
                            ? origin(pointer) : self.origin(pointer, of: "anchors", set)))
            }
        }
        for (key, value) in EffectiveSets.parts(of: group.filters) {
            fields.append(
                Field("\(name).\(key)", value, self.origin(key, of: "anchors", set)))
        }
        if case .members(let members) = group.source {
            let files = origin("files")
            let written = files.layer == .byDefault ? origin("pem") : files
            fields += members.map { Field("\(name).members", certificate($0), written) }
        }
        return fields
    }

    /// The ids of the sets that an anchor set includes, as the provenance tells.
    private func includes(of id: String) -> [String] {
        guard places.exact("/anchors/\(id)/include") != nil else { return [] }
        return Set(anchorSets.keys).union(["system"])
            .filter { places.exact("/anchors/\(id)/include/\($0)") != nil }.sorted()
    }

    /// The included set that a group comes from: a set that has a group with the same terms and
    /// with all members of this group. Nil where the group is the set's own.
    private func home(of group: AnchorGroup, included: [String]) -> String? {
        included.first { id in
            let groups = id == "system" ? [.system] : anchorSets[id]?.groups ?? []
            return groups.contains {
                $0.kind == group.kind && $0.standard == group.standard
                    && $0.ignoredLimits == group.ignoredLimits
                    && $0.constraints.allSatisfy(group.constraints.contains)
                    && EffectiveSets.isPart(group.source, of: $0.source)
            }
        }
    }

    private static func isPart(_ source: AnchorGroup.Source, of other: AnchorGroup.Source) -> Bool {
        switch (source, other) {
        case (.system, .system): return true
        case (.members(let members), .members(let all)):
            return Set(members).isSubset(of: all)
        case (.system, .members), (.members, .system): return false
        }
    }

    private func constraints(of id: String) -> [AnchorConstraints] {
        anchorSets[id]?.groups.flatMap(\.constraints) ?? []
    }

    // MARK: Pins

    /// The fields of a pin set: its terms and its entries.
    package func pins(_ id: String) -> [Field] {
        guard let set = pinSets[id] else { return [] }
        func instant(_ instant: UTCInstant?) -> JSONValue {
            instant.map { .string($0.description) } ?? .null
        }
        var fields: [Field] = []
        for (section, pins) in [("keys", set.keys), ("backups", set.backups)] {
            fields += pins.map { key("\(section).\($0.id)", entry($0), of: "pins", id) }
        }
        fields += [
            key("match", set.match == 1 ? .string("any") : .whole(set.match), of: "pins", id),
            key("warn-from", instant(set.warnFrom), of: "pins", id),
            key("enforce-until", instant(set.enforceUntil), of: "pins", id),
            key("on-expiry", .string(set.onExpiry.name), of: "pins", id),
        ]
        if let owner = set.owner { fields.append(key("owner", .string(owner), of: "pins", id)) }
        if let note = set.note { fields.append(key("note", .string(note), of: "pins", id)) }
        return fields
    }

    /// An entry of `keys` or `backups` as a value.
    package func entry(_ pin: PinContents) -> JSONValue {
        let held = pin.certificates.map { JSONValue.string(fingerprint($0)) }
        return .object(
            EffectiveFields.matches(pin.matches)
                + [
                    ("at", .string(pin.position.name)),
                    // Where the pinned keys are the anchors: the certificates that can end a path
                    // although the peer does not send them.
                    ("certificates", held.isEmpty ? nil : .array(held)),
                    ("note", .optional(pin.note)),
                ])
    }

    // MARK: Places

    private func key(
        _ name: String, _ value: JSONValue, of section: String, _ id: String
    ) -> Field {
        Field(
            "\(section).\(id).\(name)", value,
            origin(EffectiveFields.slashed(name), of: section, id))
    }

    private func origin(_ key: String, of section: String, _ id: String) -> FieldOrigin {
        places.origin(ofOwn: key, at: "/\(section)/\(id)", own: .named("\(section) \(id)"))
    }
}

// Parts of sets as values; `inspect` uses them too.
extension EffectiveSets {
    /// Where the members of a group come from, in words.
    package static func source(of group: AnchorGroup) -> String {
        switch group.source {
        case .system: return "the machine's trust store where the table is loaded"
        case .members(let members):
            return members.count == 1 ? "1 certificate" : "\(members.count) certificates"
        }
    }

    /// The constraints that a set writes, by the keys of the language.
    package static func parts(of value: AnchorConstraints) -> [(String, JSONValue)] {
        value.keys.map { ($0.rawValue, part($0, of: value)) }
    }

    /// The value under a key of `constraints`; null where the key is not written.
    private static func part(_ key: AnchorConstraints.Key, of value: AnchorConstraints) -> JSONValue
    {
        switch key {
        case .permittedNames: return .strings(value.permittedNames.map(\.canonicalText))
        case .excludedNames: return .strings(value.excludedNames.map(\.canonicalText))
        case .permittedURIs: return .strings(value.permittedURIs)
        case .notBefore: return value.notBefore.map(EffectiveFields.window) ?? .null
        case .sct: return value.sct.map(EffectiveFields.window) ?? .null
        case .keyPurposes:
            return value.keyPurposes.map { .strings(EffectiveFields.purposes($0)) } ?? .null
        case .maximumLifetime: return EffectiveFields.duration(value.maximumLifetime)
        }
    }

    /// The filters that keep or remove members of the machine's store, in order.
    package static func parts(of filters: [AnchorFilter]) -> [(String, JSONValue)] {
        filters.flatMap { filter in
            (filter.only.map { [("only", JSONValue.strings($0.map(\.text)))] } ?? [])
                + (filter.exclude.isEmpty
                    ? [] : [("exclude", .strings(filter.exclude.map(\.text)))])
        }
    }

    /// A certificate by the fields that a reader knows it by, and by the digest that a key match
    /// takes.
    package func certificate(_ der: [UInt8]) -> JSONValue {
        do throws(CertificateError) {
            let certificate = try Certificate(der: der)
            return .members([
                (
                    "subject",
                    .string(WrittenText.shortened(certificate.subjectText, to: 200))
                ),
                ("not-after", .string(certificate.notAfter.description)),
                ("certificate", .string(fingerprint(der))),
            ])
        } catch {
            return .members([
                ("unreadable", .string("\(error.field): \(error.reason)")),
                ("certificate", .string(fingerprint(der))),
            ])
        }
    }

    private func fingerprint(_ der: [UInt8]) -> String {
        crypto.digest(.sha256, of: der.span).text
    }
}

extension PinSetContents.OnExpiry {
    /// The value of `on-expiry` as a policy writes it.
    package var name: String {
        switch self {
        case .fail: return "fail"
        case .report: return "report"
        case .unpinned: return "unpinned"
        }
    }
}
