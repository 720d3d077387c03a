import TrustEngine

/// The fields of one rule, of `default` or of a profile, in the order of the language.
struct EffectiveFields {
    typealias Field = EffectiveRule.Field

    /// JSON pointer of what is flattened: `/rules/api`, `/default`, `/profiles/org`.
    let base: String
    /// What that is called as a layer.
    let own: FieldOrigin.Layer
    let places: PlaceFinder

    // MARK: LANGUAGE sections 4, 7, 9 and 10

    /// What only a rule writes, with the anchor sets and pin sets that it names, and its report modes.
    func ruleFields(of body: RuleBody, hosts: [HostPattern], sets: EffectiveSets) -> [Field] {
        var fields: [Field] = []
        if !hosts.isEmpty {
            fields.append(
                Field(
                    "hosts", .strings(hosts.map(\.canonicalText)),
                    places.origin(ofOwn: "hosts/0", at: base, own: own)))
        }
        fields.append(written("anchors", .strings(EffectiveFields.anchors(of: body))))
        for id in body.anchors { fields += sets.anchors(id) }
        fields.append(written("pins", EffectiveFields.list(body.pins)))
        for id in body.pins { fields += sets.pins(id) }
        fields.append(written("profile", .string(body.profile)))
        return fields + ownFields(of: body)
    }

    /// What a rule says of itself besides its hosts, anchors, pins and profile.
    func ownFields(of body: RuleBody) -> [Field] {
        var fields = identity(body.identity)
        if let owner = body.owner { fields.append(written("owner", .string(owner))) }
        if let note = body.note { fields.append(written("note", .string(note))) }
        return fields + body.reportOnly.map(reportOnly) + body.waivers.map(waiver)
    }

    /// The anchors as a policy names them.
    static func anchors(of body: RuleBody) -> [String] {
        body.anchorsArePinnedKeys ? ["pinned-keys"] : body.anchors
    }

    /// A field that no layer but this one can write.
    private func written(_ name: String, _ value: JSONValue, absent: String = "none") -> Field {
        Field(
            name, value, places.origin(ofOwn: EffectiveFields.slashed(name), at: base, own: own),
            absent: absent)
    }

    private func identity(_ identity: IdentityRequirement) -> [Field] {
        var fields = [written("identity.reference", .string(identity.reference.name))]
        let lists = [
            ("dns", identity.dns), ("ip", identity.ip.map(\.description)),
            ("email", identity.email), ("uri", identity.uri),
        ]
        for (name, list) in lists where !list.isEmpty {
            fields.append(written("identity.\(name)", .strings(list)))
        }
        return fields
    }

    /// An entry of `report-only`, which a profile can write too.
    func reportOnly(_ entry: ReportOnly) -> Field {
        let field = "report-only/\(entry.check.name)"
        return Field(
            PlaceFinder.dotted(field),
            .object([
                ("until", .string(entry.until.description)), ("note", .optional(entry.note)),
            ]), places.origin(of: field, orBy: ["report-only/all"], at: base, own: own))
    }

    private func waiver(_ waiver: Waiver) -> Field {
        var limit: (String, JSONValue)?
        switch waiver.tolerance {
        case .expired(let seconds): limit = ("tolerance", EffectiveFields.duration(seconds))
        case .keys(let rsaMinimum): limit = ("rsa-minimum", .whole(rsaMinimum))
        case .signatures(let minimumHash): limit = ("minimum-hash", .string(minimumHash.name))
        case .tls(let minimum): limit = ("minimum-version", .string(minimum.name))
        case .identity, .path, .pins, .revocation, .transparency, .cleartext: break
        }
        let rest: [(String, JSONValue?)] = [
            ("reason", .string(waiver.reason)), ("owner", .string(waiver.owner)),
            ("until", .string(waiver.until.description)), ("ticket", .optional(waiver.ticket)),
        ]
        return written(
            "waivers.\(waiver.tolerance.name)",
            .object((limit.map { [($0.0, Optional($0.1))] } ?? []) + rest))
    }

    // MARK: LANGUAGE section 8

    /// Every field of a profile.
    func profileFields(of value: Requirements, waivers: [Waiver] = []) -> [Field] {
        let first = path(value) + keys(value) + validity(value)
        let second = revocation(value.revocation, waivers) + transparency(value.transparency)
        return first + second + tls(value.tls) + value.forbiddenKeys.map(forbiddenKey)
            + [field("checks", EffectiveFields.list(value.checks))]
    }

    /// A field that any layer can write.
    private func field(
        _ name: String, _ value: JSONValue, orBy standIns: [String] = [], absent: String = "none"
    ) -> Field {
        let origin = places.origin(
            of: EffectiveFields.slashed(name), orBy: standIns, at: base, own: own)
        return Field(name, value, origin, absent: absent)
    }

    private func path(_ value: Requirements) -> [Field] {
        let permission = { (isInhibited: Bool) in
            JSONValue.string(isInhibited ? "inhibited" : "allowed")
        }
        let policies = value.certificatePolicies.map { ObjectIdentifier.text(of: $0.span) }
        return [
            field("path.maximum-intermediates", .whole(value.maximumIntermediates)),
            field("path.key-purposes", .strings(EffectiveFields.purposes(value.keyPurposes))),
            field("path.certificate-policies", EffectiveFields.list(policies), absent: "any"),
            field(
                "path.explicit-policy", EffectiveFields.demand(value.requiresExplicitPolicy)),
            field("path.policy-mapping", permission(value.inhibitsPolicyMapping)),
            field("path.any-policy", permission(value.inhibitsAnyPolicy)),
        ]
    }

    private func keys(_ value: Requirements) -> [Field] {
        [
            field("keys.types", .strings(value.keyTypes.names)),
            leafTypes(.strings(value.leafKeyTypes.names)),
            field("keys.rsa-minimum", .whole(value.rsaMinimum)),
            field("signatures.minimum-hash", .string(value.minimumHash.name)),
            field("signatures.schemes", .strings(value.signatureSchemes.names)),
        ]
    }

    /// Where no layer writes `keys.leaf-types` it is what `keys.types` is.
    private func leafTypes(_ value: JSONValue) -> Field {
        let written = field("keys.leaf-types", value)
        guard written.origin == FieldOrigin(.builtIn("baseline"), nil) else { return written }
        let types = places.origin(of: "keys/types", at: base, own: own)
        guard types != written.origin else { return written }
        return Field(
            written.name, value, FieldOrigin(types.layer, types.location, by: "keys.types"))
    }

    private func validity(_ value: Requirements) -> [Field] {
        [
            field("validity.clock-skew", EffectiveFields.duration(value.clockSkew)),
            field("validity.maximum-lifetime", EffectiveFields.duration(value.maximumLifetime)),
            lifetimeSteps(value.lifetimeSteps),
        ]
    }

    /// A nearer `maximum-lifetime` undoes the steps of farther layers, and then is why there are none.
    private func lifetimeSteps(_ steps: [LifetimeStep]) -> Field {
        let name = "validity.lifetime-steps"
        let written = field(name, .null)
        guard steps.isEmpty else {
            let list = steps.map { step in
                JSONValue.members([
                    ("issued-from", .string(step.issuedFrom.description)),
                    ("maximum", EffectiveFields.duration(step.maximum)),
                ])
            }
            return Field(name, .array(list), written.origin)
        }
        guard written.origin.location != nil else { return written }
        return field(name, .null, orBy: ["validity/maximum-lifetime"])
    }

    private func revocation(_ value: RevocationRequirement, _ waivers: [Waiver]) -> [Field] {
        let causes = RevocationCause.allCases.map { cause in
            field(
                "revocation.causes.\(cause.name)", .string(value.causes[cause].name),
                orBy: ["revocation/preset"])
        }
        return [revocationPreset(value, waivers)] + causes + [
            field("revocation.sources", .strings(value.sources.map(\.name))),
            field("revocation.scope", .string(value.scope.name)),
            field("revocation.network", .string(value.network.name)),
            field("revocation.maximum-age", EffectiveFields.duration(value.maximumAge)),
            field("revocation.short-lived", EffectiveFields.duration(value.shortLived)),
        ]
    }

    /// A waiver of revocation turns all of it off, `revoked` included, to its last second.
    private func revocationPreset(_ value: RevocationRequirement, _ waivers: [Waiver]) -> Field {
        guard let waiver = waivers.first(where: { $0.tolerance == .revocation }) else {
            return field("revocation.preset", .string(value.preset.name))
        }
        let origin = places.origin(ofOwn: "waivers/revocation", at: base, own: own)
        return Field(
            "revocation.preset", .string("disabled"),
            FieldOrigin(origin.layer, origin.location, by: "waivers.revocation"),
            remark: "until \(waiver.until), then \(value.preset.name)")
    }

    private func transparency(_ value: TransparencyRequirement) -> [Field] {
        let byPreset = ["transparency/preset"]
        let unsaid = value.isDemanded ? "as `\(value.preset.name)` says" : "none"
        return [
            field("transparency.preset", .string(value.preset.name)),
            field(
                "transparency.minimum-scts", EffectiveFields.number(value.minimumSCTs),
                orBy: byPreset, absent: unsaid),
            field(
                "transparency.minimum-operators", EffectiveFields.number(value.minimumOperators),
                orBy: byPreset, absent: unsaid),
            field("transparency.log-list", value.logList.map { .string($0.text) } ?? .null),
            field(
                "transparency.log-list-maximum-age",
                EffectiveFields.duration(value.logListMaximumAge)),
            field("transparency.when-stale", .string(value.whenStale.name)),
            field("transparency.exempt-anchors", EffectiveFields.list(value.exemptAnchors)),
        ]
    }

    private func tls(_ value: TLSRequirement) -> [Field] {
        [
            field("tls.minimum-version", .string(value.minimumVersion.name)),
            field("tls.maximum-version", .string(value.maximumVersion.name)),
            field("tls.forward-secrecy", EffectiveFields.demand(value.requiresForwardSecrecy)),
            field("tls.cipher-suites", EffectiveFields.list(value.cipherSuites), absent: "any"),
            field("tls.groups", EffectiveFields.list(value.groups), absent: "any"),
            field(
                "tls.signature-schemes", EffectiveFields.list(value.signatureSchemes),
                absent: "any"),
            field("tls.alpn", EffectiveFields.list(value.alpn), absent: "any"),
        ]
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

    /// A list; null where it is empty.
    static func list(_ items: [String]) -> JSONValue { items.isEmpty ? .null : .strings(items) }

    static func number(_ value: Int?) -> JSONValue { value.map { .whole($0) } ?? .null }

    static func duration(_ seconds: Int64?) -> JSONValue {
        seconds.map { .string(ViolationSentences.duration($0)) } ?? .null
    }

    static func demand(_ isRequired: Bool) -> JSONValue {
        .string(isRequired ? "required" : "not-required")
    }

    static func purposes(_ purposes: KeyPurposes) -> [String] {
        (purposes.serverAuth ? ["server-auth"] : []) + (purposes.clientAuth ? ["client-auth"] : [])
            + purposes.others.map { ObjectIdentifier.purposeName($0.span) }
    }

    /// The key match of an entry; one file can hold several keys.
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

extension IdentityRequirement.Reference {
    /// The word in a policy.
    var name: String {
        switch self {
        case .host: return "host"
        case .listed: return "listed"
        case .hostAndListed: return "host-and-listed"
        }
    }
}
