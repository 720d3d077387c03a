package import TrustEngine

/// Flattens one rule, `default` or one profile into its fields, in the order of the language.
package struct EffectiveFields {
    /// A field with its value and its place.
    package typealias Field = EffectiveRule.Field

    /// JSON pointer of the thing that is flattened: `/rules/api`, `/default`, `/profiles/org`.
    let base: String
    /// The same thing as a layer of `FieldOrigin`.
    let own: FieldOrigin.Layer
    let places: PlaceFinder
    /// The only field that is asked for, and only for its origin: every other field may be left
    /// out, and values are null. Nil where all fields are wanted.
    var onlyOrigin: String?

    /// Prepares one rule, `default` or one profile.
    package init(
        base: String, own: FieldOrigin.Layer, places: PlaceFinder, onlyOrigin: String? = nil
    ) {
        self.base = base
        self.own = own
        self.places = places
        self.onlyOrigin = onlyOrigin
    }

    private func isWanted(_ name: String) -> Bool { onlyOrigin == nil || onlyOrigin == name }

    private func value(_ value: () -> JSONValue) -> JSONValue {
        onlyOrigin == nil ? value() : .null
    }

    // MARK: LANGUAGE sections 4, 7, 9 and 10

    /// The fields that only a rule writes, with the fields of the anchor sets and pin sets that the
    /// rule names, and its report modes. Without `sets`, the sets are only named.
    func ruleFields(of body: RuleBody, hosts: [HostPattern], sets: EffectiveSets?) -> [Field] {
        var fields: [Field] = []
        if !hosts.isEmpty {
            fields.append(
                Field(
                    "hosts", .strings(hosts.map(\.canonicalText)),
                    places.origin(ofOwn: "hosts/0", at: base, own: own)))
        }
        fields += written("anchors", .strings(EffectiveFields.anchors(of: body)))
        for id in body.anchors { fields += sets?.anchors(id) ?? [] }
        fields += written("pins", EffectiveFields.list(body.pins))
        for id in body.pins { fields += sets?.pins(id) ?? [] }
        fields += written("profile", .string(body.profile))
        return fields + ownFields(of: body)
    }

    /// The fields that describe the rule itself, without its hosts, anchors, pins and profile.
    package func ownFields(of body: RuleBody) -> [Field] {
        var fields = identity(body.identity)
        if let owner = body.owner { fields += written("owner", .string(owner)) }
        if let note = body.note { fields += written("note", .string(note)) }
        return fields + body.reportOnly.flatMap(reportOnly) + body.waivers.flatMap(waiver)
    }

    /// The anchors of a rule, as a policy names them.
    package static func anchors(of body: RuleBody) -> [String] {
        body.anchorsArePinnedKeys ? ["pinned-keys"] : body.anchors
    }

    /// A field that only this layer can write; nothing where it is not wanted.
    private func written(_ name: String, _ value: @autoclosure () -> JSONValue) -> [Field] {
        guard isWanted(name) else { return [] }
        return [
            Field(
                name, self.value(value),
                places.origin(ofOwn: EffectiveFields.slashed(name), at: base, own: own))
        ]
    }

    private func identity(_ identity: IdentityRequirement) -> [Field] {
        var fields = written("identity.reference", .string(identity.reference.name))
        func add(_ name: String, _ isEmpty: Bool, _ list: @autoclosure () -> [String]) {
            if !isEmpty { fields += written(name, .strings(list())) }
        }
        add("identity.dns", identity.dns.isEmpty, identity.dns)
        add("identity.ip", identity.ip.isEmpty, identity.ip.map(\.description))
        add("identity.email", identity.email.isEmpty, identity.email)
        add("identity.uri", identity.uri.isEmpty, identity.uri)
        return fields
    }

    /// An entry of `report-only`. A profile can write it too.
    func reportOnly(_ entry: ReportOnly) -> [Field] {
        let field = "report-only/\(entry.check.name)"
        let name = PlaceFinder.dotted(field)
        guard isWanted(name) else { return [] }
        return [
            Field(
                name,
                value {
                    .object([
                        ("until", .string(entry.until.description)),
                        ("note", .optional(entry.note)),
                    ])
                }, places.origin(of: field, orBy: ["report-only/all"], at: base, own: own))
        ]
    }

    private func waiver(_ waiver: Waiver) -> [Field] {
        written("waivers.\(waiver.tolerance.name)", EffectiveFields.value(of: waiver))
    }

    private static func value(of waiver: Waiver) -> JSONValue {
        let limit = waiver.tolerance.limit
        let rest: [(String, JSONValue?)] = [
            ("reason", .string(waiver.reason)), ("owner", .string(waiver.owner)),
            ("until", .string(waiver.until.description)), ("ticket", .optional(waiver.ticket)),
        ]
        return .object((limit.map { [($0.0, Optional($0.1))] } ?? []) + rest)
    }

    // MARK: LANGUAGE section 8

    /// Every field of a profile (LANGUAGE section 8).
    package func profileFields(of value: Requirements, waivers: [Waiver] = []) -> [Field] {
        ProfileField.allCases.flatMap { fields($0, of: value, waivers: waivers) }
    }

    /// The shown fields of one field of a profile: each forbidden key by itself.
    func fields(_ field: ProfileField, of value: Requirements, waivers: [Waiver]) -> [Field] {
        if field == .forbiddenKeys { return value.forbiddenKeys.map(forbiddenKey) }
        return [self.field(field, of: value, waivers)]
    }

    /// One field of a profile. Some fields carry more than their value: which field stands for
    /// them where they are not written, or what turns them off.
    private func field(
        _ field: ProfileField, of requirements: Requirements, _ waivers: [Waiver]
    ) -> Field {
        func json() -> JSONValue {
            EffectiveFields.json(requirements.value(of: field), of: field)
        }
        if field == .leafKeyTypes { return leafTypes(value(json)) }
        if field == .lifetimeSteps { return lifetimeSteps(json()) }
        if field == .revocationPreset { return revocationPreset(requirements.revocation, waivers) }
        return self.field(
            field.rawValue, json(),
            orBy: EffectiveFields.standIns(for: field),
            absence: absence(field, of: requirements))
    }

    /// The keys by which a layer writes a field, with `/`; nil for a field whose origin depends on
    /// more than the nearest layer that writes one of them.
    static func keys(deciding field: ProfileField) -> [String]? {
        let others: [ProfileField] = [
            .leafKeyTypes, .lifetimeSteps, .revocationPreset, .forbiddenKeys,
        ]
        return others.contains(field) ? nil : [slashed(field.rawValue)] + standIns(for: field)
    }

    /// The other keys that count as writing a field in their layer.
    private static func standIns(for field: ProfileField) -> [String] {
        if field.section == "revocation.causes" { return ["revocation/preset"] }
        let isCount = field == .transparencyMinimumSCTs || field == .transparencyMinimumOperators
        return isCount ? ["transparency/preset"] : []
    }

    /// The meaning of a field without a value.
    private func absence(
        _ field: ProfileField, of requirements: Requirements
    ) -> Field.Absence {
        if field == .transparencyMinimumSCTs || field == .transparencyMinimumOperators {
            let transparency = requirements.transparency
            return transparency.isDemanded ? .asPreset(transparency.preset.name) : .none
        }
        switch field.descriptor.kind {
        case .objectIdentifiers, .preferences: return .any
        case .integer, .seconds, .word, .words, .ranking, .purposes, .steps, .digest, .names,
            .forbiddenKeys:
            return .none
        }
    }

    /// A field that every layer can write.
    private func field(
        _ name: String, _ value: @autoclosure () -> JSONValue, orBy standIns: [String] = [],
        absence: Field.Absence = .none
    ) -> Field {
        let origin = places.origin(
            of: EffectiveFields.slashed(name), orBy: standIns, at: base, own: own)
        return Field(name, self.value(value), origin, absence: absence)
    }

    /// `keys.leaf-types`. Where no layer writes it, it has the value of `keys.types`.
    private func leafTypes(_ value: JSONValue) -> Field {
        let written = field("keys.leaf-types", value)
        guard written.origin == FieldOrigin(.builtIn("baseline"), nil) else { return written }
        let types = places.origin(of: "keys/types", at: base, own: own)
        guard types != written.origin else { return written }
        return Field(
            written.name, value, FieldOrigin(types.layer, types.location, by: "keys.types"))
    }

    /// The steps of the longest lifetime. A nearer `maximum-lifetime` removes the steps of farther
    /// layers; the remark then names it.
    private func lifetimeSteps(_ value: JSONValue) -> Field {
        let field = ProfileField.lifetimeSteps
        let written = self.field(field.rawValue, value)
        guard value == .null, written.origin.location != nil else { return written }
        return self.field(field.rawValue, .null, orBy: ["validity/maximum-lifetime"])
    }

    /// The revocation preset. A waiver of revocation turns all revocation checks off, `revoked`
    /// included, until the waiver's last second.
    private func revocationPreset(_ value: RevocationRequirement, _ waivers: [Waiver]) -> Field {
        guard let waiver = waivers.first(where: { $0.tolerance == .revocation }) else {
            return field("revocation.preset", .string(value.preset.name))
        }
        let origin = places.origin(ofOwn: "waivers/revocation", at: base, own: own)
        return Field(
            "revocation.preset", .string("disabled"),
            FieldOrigin(origin.layer, origin.location, by: "waivers.revocation"),
            exception: Field.Exception(until: waiver.until, then: value.preset.name))
    }

    private func forbiddenKey(_ key: ForbiddenKey) -> Field {
        field(
            "forbidden-keys.\(key.id)",
            .object(
                EffectiveFields.matches(key.matches)
                    + [("not-before", key.notBefore.map(EffectiveFields.window))]))
    }
}

// Values as the language writes them.
extension EffectiveFields {
    static func slashed(_ name: String) -> String { String(name.map { $0 == "." ? "/" : $0 }) }

    /// A list of strings; null where the list is empty.
    package static func list(_ items: [String]) -> JSONValue {
        items.isEmpty ? .null : .strings(items)
    }

    /// A duration as the language writes it; null for nil.
    package static func duration(_ seconds: Int64?) -> JSONValue {
        seconds.map { .string(WrittenText.duration($0)) } ?? .null
    }

    static func demand(_ isRequired: Bool) -> JSONValue {
        .string(isRequired ? "required" : "not-required")
    }

    static func purposes(_ purposes: KeyPurposes) -> [String] {
        (purposes.serverAuth ? ["server-auth"] : []) + (purposes.clientAuth ? ["client-auth"] : [])
            + purposes.others.map { ObjectIdentifier.purposeName($0.span) }
    }

    /// The key matches of an entry. One certificate file can give several keys.
    static func matches(_ matches: [KeyMatch]) -> [(String, JSONValue?)] {
        if let only = matches.first, matches.count == 1 {
            return [(only.kind == .spki ? "spki" : "certificate", .string(only.text))]
        }
        return [("any-of", .strings(matches.map(\.text)))]
    }

    static func window(_ window: DateWindow) -> JSONValue {
        .object([
            ("from", .optional(window.from?.description)),
            ("until", .optional(window.until?.description)),
        ])
    }
}

extension Waiver.Tolerance {
    /// The key that only this kind of waiver has, with its value; nil for a kind without one.
    package var limit: (key: String, value: JSONValue)? {
        switch self {
        case .expired(let seconds): return ("tolerance", EffectiveFields.duration(seconds))
        case .keys(let rsaMinimum): return ("rsa-minimum", .whole(rsaMinimum))
        case .issuance(let demands): return ("demands", .strings(demands.ids))
        case .signatures(let minimumHash): return ("minimum-hash", .string(minimumHash.name))
        case .tls(let minimum): return ("minimum-version", .string(minimum.name))
        case .identity, .path, .pins, .revocation, .transparency, .cleartext: return nil
        }
    }
}
