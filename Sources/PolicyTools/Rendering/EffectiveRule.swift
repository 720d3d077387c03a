package import TrustEngine

/// What one host gets: the rule that decides, flattened, every field with the place that wrote it, and
/// the patterns that lost.
package struct EffectiveRule: Sendable {
    /// One field of LANGUAGE sections 4 to 8 with the value that holds.
    package struct Field: Hashable, Sendable {
        /// Dotted, as the language writes it: `keys.rsa-minimum`.
        package let name: String
        package let value: String
        package let place: PolicyPlace
    }

    /// A pattern that matches the host.
    package struct Pattern: Hashable, Sendable {
        package let text: String
        /// Id of its rule.
        package let rule: String
        package let outcome: PatternStep.Outcome
        package let location: Provenance.Location?
    }

    package let host: CanonicalHost
    package let port: UInt16
    /// Empty for `default`.
    package let rule: String
    /// Whether nothing matches and `default` is `deny`: then there is no field.
    package let isDenied: Bool
    package let location: Provenance.Location?
    package let profile: String
    /// The winner first; empty where `default` decides.
    package let patterns: [Pattern]
    package let fields: [Field]
    package let owner: String?
    package let note: String?
    package let policyDigest: Digest

    /// Looks a host up in a table.
    package init(table: PolicyTable, host: CanonicalHost, port: UInt16) {
        let contents = table.contents()
        let provenance = table.provenance()
        let matches = table.candidates(host, port: port)
        let id = matches.first.map { table.text(table.rule(at: Int($0.rule)).id) } ?? ""
        var body: RuleBody?
        if !matches.isEmpty {
            body = contents.rules.first { $0.id == id }?.body
        } else if case .body(let fallback) = contents.defaultRule {
            body = fallback
        }
        let places = PlaceFinder(provenance: provenance, profile: body?.profile ?? "baseline")
        self.host = host
        self.port = port
        self.rule = id
        self.isDenied = body == nil
        self.location = places.rule(id)
        self.profile = body?.profile ?? ""
        self.patterns = EffectiveRule.patterns(matches, table: table, places: places)
        self.fields =
            body.map {
                EffectiveFields(base: id.isEmpty ? "/default" : "/rules/\(id)", places: places)
                    .fields(of: $0, contents: contents)
            } ?? []
        self.owner = body?.owner
        self.note = body?.note
        self.policyDigest = table.policyDigest
    }

    private static func patterns(
        _ matches: [PatternMatch], table: PolicyTable, places: PlaceFinder
    ) -> [Pattern] {
        guard let winner = matches.first else { return [] }
        let selected = table.pattern(at: Int(winner.pattern))
        return matches.enumerated().map { position, match in
            let pattern = table.pattern(at: Int(match.pattern))
            let rule = table.text(table.rule(at: Int(match.rule)).id)
            return Pattern(
                text: pattern.canonicalText, rule: rule,
                outcome: position == 0
                    ? .selected : HostMatching.reason(selected, beats: pattern),
                location: places.pattern(pattern.canonicalText, rule: rule))
        }
    }
}

/// The fields of a rule in the order of the language.
struct EffectiveFields {
    let base: String
    let places: PlaceFinder

    func fields(of body: RuleBody, contents: PolicyContents) -> [EffectiveRule.Field] {
        var fields = [field("anchors", list(body.anchors))]
        for id in body.anchors {
            guard let set = contents.anchorSets.first(where: { $0.id == id }) else { continue }
            fields += set.groups.map { anchors(set, $0) }
        }
        fields.append(field("pins", list(body.pins)))
        for id in body.pins {
            guard let set = contents.pinSets.first(where: { $0.id == id }) else { continue }
            fields += pins(set)
        }
        fields.append(field("profile", body.profile))
        return fields + values(of: body)
    }

    /// The fields that name no other part of the policy.
    func values(of body: RuleBody) -> [EffectiveRule.Field] {
        identity(body.identity) + requirements(body.requirements) + body.waivers.map(waiver)
    }

    private func field(_ name: String, _ value: String) -> EffectiveRule.Field {
        let pointer = base + "/" + String(name.map { $0 == "." ? "/" : $0 })
        return EffectiveRule.Field(name: name, value: value, place: places.place(of: pointer))
    }

    private func named(
        _ name: String, _ value: String, at pointer: String
    ) -> EffectiveRule.Field {
        EffectiveRule.Field(
            name: name, value: value,
            place: places.exact(pointer).map { .written($0, layer: .rule) } ?? .unknown)
    }

    private func anchors(
        _ set: AnchorSetContents, _ group: AnchorGroup
    ) -> EffectiveRule.Field {
        let who: String
        switch group.source {
        case .system: who = "the machine's trust store"
        case .members(let members):
            who =
                ViolationSentences.count(members.count, "certificate")
                + " of kind \(EffectiveFields.name(of: group.kind))"
        }
        return named(
            "anchors: \(set.id)", "\(who), judged by \(group.standard.name)",
            at: "/anchors/\(set.id)")
    }

    private func pins(_ set: PinSetContents) -> [EffectiveRule.Field] {
        var end = ""
        if let until = set.enforceUntil {
            end = ", enforced until \(until), then \(EffectiveFields.name(of: set.onExpiry))"
        }
        let needed = "\(set.match) of \(set.keys.count + set.backups.count) must match\(end)"
        var fields = [named("pins: \(set.id)", needed, at: "/pins/\(set.id)")]
        for (section, pins) in [("keys", set.keys), ("backups", set.backups)] {
            for pin in pins {
                let digests = pin.matches.prefix(3).map(\.text).joined(separator: " or ")
                let more = pin.matches.count > 3 ? " or \(pin.matches.count - 3) more" : ""
                fields.append(
                    named(
                        "pins: \(set.id).\(section).\(pin.id)",
                        "\(digests)\(more) at \(pin.position.name)",
                        at: "/pins/\(set.id)/\(section)/\(pin.id)"))
            }
        }
        return fields
    }

    private func identity(_ identity: IdentityRequirement) -> [EffectiveRule.Field] {
        let reference: String
        switch identity.reference {
        case .host: reference = "host"
        case .listed: reference = "listed"
        case .hostAndListed: reference = "host-and-listed"
        }
        var fields = [field("identity.reference", reference)]
        if !identity.dns.isEmpty { fields.append(field("identity.dns", list(identity.dns))) }
        if !identity.ip.isEmpty {
            fields.append(field("identity.ip", list(identity.ip.map(\.description))))
        }
        if !identity.email.isEmpty { fields.append(field("identity.email", list(identity.email))) }
        if !identity.uri.isEmpty { fields.append(field("identity.uri", list(identity.uri))) }
        return fields
    }

    private func requirements(_ value: Requirements) -> [EffectiveRule.Field] {
        var purposes: [String] = []
        if value.keyPurposes.serverAuth { purposes.append("server-auth") }
        if value.keyPurposes.clientAuth { purposes.append("client-auth") }
        purposes += value.keyPurposes.others.map { ObjectIdentifier.purposeName($0.span) }
        let lifetime = value.maximumLifetime.map(ViolationSentences.duration) ?? "none"
        return [
            field("path.maximum-intermediates", "\(value.maximumIntermediates)"),
            field("path.key-purposes", list(purposes)),
            field("keys.types", list(value.keyTypes.names)),
            field("keys.leaf-types", list(value.leafKeyTypes.names)),
            field("keys.rsa-minimum", "\(value.rsaMinimum)"),
            field("signatures.minimum-hash", value.minimumHash.name),
            field("signatures.schemes", list(value.signatureSchemes.names)),
            field("validity.clock-skew", ViolationSentences.duration(value.clockSkew)),
            field("validity.maximum-lifetime", lifetime),
            field(
                "revocation.preset", value.revocation.preset.name),
            field("tls.minimum-version", value.tls.minimumVersion.name),
            field("tls.maximum-version", value.tls.maximumVersion.name),
        ]
    }

    private func waiver(_ waiver: Waiver) -> EffectiveRule.Field {
        var within = ""
        switch waiver.tolerance {
        case .expired(let seconds): within = " within \(ViolationSentences.duration(seconds))"
        case .keys(let rsaMinimum): within = " down to \(rsaMinimum) bits of RSA"
        case .signatures(let minimumHash): within = " down to \(minimumHash.name)"
        case .tls(let minimumVersion): within = " down to \(minimumVersion.name)"
        case .identity, .path, .pins, .revocation, .transparency, .cleartext: break
        }
        let owner = waiver.owner.isEmpty ? "" : ", owner \(waiver.owner)"
        let reason = waiver.reason.isEmpty ? "" : ": \(waiver.reason)"
        let ticket = waiver.ticket.map { " (\($0))" } ?? ""
        return field(
            "waivers.\(waiver.tolerance.name)",
            "until \(waiver.until)\(within)\(owner)\(reason)\(ticket)")
    }

    private func list(_ items: [String]) -> String {
        items.isEmpty ? "none" : "[\(items.joined(separator: ", "))]"
    }

    static func name(of kind: AnchorKind) -> String {
        switch kind {
        case .root: return "root"
        case .intermediate: return "intermediate"
        case .leaf: return "leaf"
        }
    }

    static func word(of onExpiry: PinSetContents.OnExpiry) -> String {
        switch onExpiry {
        case .fail: return "fail"
        case .report: return "report"
        case .unpinned: return "unpinned"
        }
    }

    private static func name(of onExpiry: PinSetContents.OnExpiry) -> String {
        switch onExpiry {
        case .fail: return "a mismatch still rejects"
        case .report: return "a mismatch is reported"
        case .unpinned: return "pins are not looked at"
        }
    }
}
